// Kernels that a backend must run to be one.

// Each item leaves the texel of its place: of an image of four channels all, of one channel the first
// with what is read in place of the others.
__kernel void texels(read_only image2d_t image, __global float4* out) {
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = read_imagef(image, (int2)(x, y));
}

__kernel void whole_texels(__read_only image2d_t image, __global int4* out) {
    const int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = read_imagei(image, at);
}

__kernel void texels_of_a_buffer(__read_only image1d_buffer_t image, __global uint4* out) {
    out[get_global_id(0)] = read_imageui(image, (int)get_global_id(0));
}

// Each item leaves its group's and its own number, at its place in the whole range.
__kernel void places(__global int* out) {
    const size_t at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
                      get_global_id(0);
    const size_t group_number =
        (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    const size_t item =
        (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    out[at] = (int)(group_number * 1000 + item);
}

// Turns each group's values round, by way of dynamic local memory.
__kernel void turn(__global const T* in, __global T* out, __local T* scratch) {
    const size_t lane = get_local_id(0);
    scratch[lane] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = scratch[get_local_size(0) - 1 - lane];
}

// Every scalar type that is passed by value but those of `scalars`, and a vector.
__kernel void small_scalars(__global long* out, const char a, const uchar b, const short c,
                            const ushort d, const double e) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = (long)e;
}

// Every kind of argument that is passed by value.
__kernel void scalars(__global long* out, const int a, const uint b, const long c, const ulong d,
                      const float e) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = (long)d;
    out[4] = (long)e;
}

// Twice the value and one: shows order and number of launches.
__kernel void advance_one(__global int* value) {
    if (get_global_id(0) == 0) value[0] = 2 * value[0] + 1;
}

// One product and one sum, which a compiler may fuse only where it is allowed to.
__kernel void product_sum(__global const T* in, __global T* out) {
    out[0] = in[0] * in[1] + in[2];
}

// A static array of LENGTH elements, so that a device's local memory can be asked for too much.
__kernel void with_local(__global int* out) {
    __local int words[LENGTH];
    words[get_local_id(0)] = (int)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = words[get_local_size(0) - 1 - get_local_id(0)];
}

// Vectors from and to memory that is aligned for one element only.

// At an odd place.
//! in: float 258 bits
//! out: float 257
//! launch: 64 by 32
__kernel void load_odd(__global const float* in, __global float* out) {
    int i = get_global_id(0);
    vstore4(vload4(i, in + 1).wzyx, i, out + 1);
    if (i == 0) out[0] = in[257];
}

// Pairs of bytes, of shorts, of longs.
//! in: uchar 129 bits
//! in: short 129 bits
//! in: long 129 bits
//! out: uchar 128
//! out: short 128
//! out: long 128
//! launch: 64 by 32
__kernel void load_pairs(__global const uchar* a, __global const short* b,
                         __global const long* c, __global uchar* x, __global short* y,
                         __global long* z) {
    int i = get_global_id(0);
    vstore2(vload2(i, a + 1), i, x);
    vstore2(vload2(i, b + 1).yx, i, y);
    vstore2(vload2(i, c + 1) + 1, i, z);
}

// Eight and sixteen.
//! in: int 272 bits
//! out: int 256
//! launch: 16 by 16
__kernel void load_sixteen(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    int16 v = vload16(i, in + 3);
    vstore8(v.hi, 2 * i, out);
    vstore8(v.lo, 2 * i + 1, out);
}

// From local and private memory.
//! in: float 256 bits
//! out: float 256
//! launch: 64 by 32
__kernel void load_spaces(__global const float* in, __global float* out) {
    __local float tile[130];
    int l = get_local_id(0), i = get_global_id(0);
    vstore4(vload4(i, in), l, tile + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    float own[5];
    vstore4(vload4(31 - l, tile + 1), 0, own + 1);
    vstore2(vload2(0, own + 3), 2 * i, out);
    vstore2(vload2(0, own + 1), 2 * i + 1, out);
}

// From constant memory.
__constant uchar loaded_table[18] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
//! in: uint 64 iota
//! out: uchar4 64
//! launch: 64 by 32
__kernel void load_constant(__global const uint* in, __global uchar4* out) {
    int i = get_global_id(0);
    out[i] = vload4(in[i] & 3, loaded_table + (i & 1));
}

// Threes, packed, of bytes: a picture without gaps.
//! in: uchar 192 bits
//! out: uchar 192
//! launch: 64 by 32
__kernel void load_pixels(__global const uchar* in, __global uchar* out) {
    size_t i = get_global_id(0);
    uchar3 pixel = vload3(i, in);
    pixel.xz = pixel.zx;
    vstore3(pixel, i, out);
}

// Doubles at an odd place.
//! in: double 129 bits
//! out: double 128
//! launch: 64 by 32
//! needs: double
__kernel void load_doubles(__global const double* in, __global double* out) {
    int i = get_global_id(0);
    vstore2(vload2(i, in + 1).yx, i, out);
}

// To volatile memory, whatever the pointer says of it.
//! in: float4 32 bits
//! out: float 256
//! launch: 32 by 32
__kernel void vstore_volatile(__global const float4* in, volatile __global float* out) {
    volatile __local float tile[128];
    int l = get_local_id(0);
    vstore4(in[l], l, tile);
    vstore4(in[l] * 2.0f, l, out);
    vstore3(in[31 - l].xyz, 0, out + 128 + 4 * l);
    out[131 + 4 * l] = tile[4 * l + 3];
}

// Vectors of three take the room of four.

// An array of them: the next one is sixteen bytes on.
//! in: float3 64 bits
//! out: float3 64
//! launch: 64 by 32
__kernel void three_stride(__global const float3* in, __global float3* out) {
    int i = get_global_id(0);
    out[i] = in[63 - i].zxy;
}

// Packed ones are read and written three by three.
//! in: float 192 bits
//! out: float 192
//! launch: 64 by 32
__kernel void three_packed(__global const float* in, __global float* out) {
    int i = get_global_id(0);
    float3 v = vload3(i, in);
    vstore3(v.yzx, i, out);
}

// Sizes, of the type and of a value, and of a struct that holds one.
typedef struct {
    float3 at;
    float weight;
} HeavyPoint;
//! out: uint 5
//! launch: 1 by 1
__kernel void three_sizes(__global uint* out) {
    HeavyPoint p;
    out[0] = sizeof(float3);
    out[1] = sizeof(p.at);
    out[2] = sizeof(HeavyPoint);
    out[3] = sizeof(uchar3);
    out[4] = sizeof(int3[5]);
}

// Structs with vectors of three, laid out as bytes.
//! in: float 512 small
//! out: float 64
//! launch: 64 by 32
__kernel void three_in_structs(__global const HeavyPoint* points, __global float* out) {
    int i = get_global_id(0);
    float3 p = points[i].at;
    out[i] = p.x + 2 * p.y + 3 * p.z + 5 * points[i].weight;
}

// Arithmetic and functions.
//! in: float3 64 small
//! in: float3 64 small
//! out: float3 64
//! out: float 64
//! launch: 64 by 32
__kernel void three_arithmetic(__global const float3* a, __global const float3* b,
                               __global float3* out, __global float* dots) {
    int i = get_global_id(0);
    out[i] = cross(a[i], b[i]) + 2.0f * a[i] - b[i] / 4.0f;
    dots[i] = dot(a[i], b[i]);
}

// Made of parts; taken apart again.
//! in: uchar3 64 bits
//! out: uchar4 64
//! launch: 64 by 32
__kernel void three_parts(__global const uchar3* in, __global uchar4* out) {
    int i = get_global_id(0);
    uchar3 v = (uchar3)(in[i].yz, 9);
    out[i] = (uchar4)(v, 0xff);
}

// In local memory.
//! in: int3 64 bits
//! out: int3 64
//! launch: 64 by 32
__kernel void three_local(__global const int3* in, __global int3* out) {
    __local int3 tile[32];
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[31 - l] ^ (int3)(l, 0, -1);
}

// Comparisons and choice.
//! in: short3 64 special
//! in: short3 64 special
//! out: short3 64
//! launch: 64 by 32
__kernel void three_choice(__global const short3* a, __global const short3* b,
                           __global short3* out) {
    int i = get_global_id(0);
    out[i] = a[i] < b[i] ? a[i] : b[i] ^ (short)1;
}

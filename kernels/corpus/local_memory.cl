// Local memory: arrays of a kernel, parameters, what helpers are given of it.

// A static array, turned round.
//! in: float 128 bits
//! out: float 128
//! launch: 128 by 32
__kernel void local_static(__global const float* in, __global float* out) {
    __local float tile[32];
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[31 - l];
}

// A parameter whose size the launch gives.
//! in: int 128 bits
//! out: int 128
//! local: 256
//! launch: 128 by 64
__kernel void local_dynamic(__global const int* in, __global int* out, __local int* tile) {
    int l = get_local_id(0), n = get_local_size(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[(l + 17) % n];
}

// Two dimensions, with a spare column.
//! in: float 256 bits
//! out: float 256
//! launch: 16x16 by 16x16
__kernel void local_two_dimensions(__global const float* in, __global float* out) {
    __local float tile[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 16 + x] = tile[x][y];
}

// Handed to a helper with its barriers.
void local_sum(__local int* tile, int l, int n) {
    for (int step = n / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step) tile[l] += tile[l + step];
    }
}
//! in: int 256 small
//! out: int 4
//! launch: 256 by 64
__kernel void local_helper(__global const int* in, __global int* out) {
    __local int tile[64];
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    local_sum(tile, l, get_local_size(0));
    if (l == 0) out[get_group_id(0)] = tile[0];
}

// Several declarations: one scalar, one of vectors, one of structs.
typedef struct {
    int key;
    float value;
} LocalPair;
//! in: int 64 small
//! out: float4 64
//! launch: 64 by 32
__kernel void local_several(__global const int* in, __global float4* out) {
    __local int first, sums[2];
    __local float4 rows[32];
    __local LocalPair pairs[32];
    int l = get_local_id(0), i = get_global_id(0);
    if (l == 0) first = in[i];
    if (l < 2) sums[l] = l + 5;
    rows[l] = (float4)(in[i]);
    pairs[l].key = l;
    pairs[l].value = in[i] * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    LocalPair other = pairs[(l + 1) & 31];
    out[i] = rows[31 - l] + (float4)(first, sums[l & 1], other.key, other.value);
}

// The parameter seen as another type.
//! in: uchar4 64 bits
//! out: uint 64
//! local: 128
//! launch: 64 by 32
__kernel void local_seen_as(__global const uchar4* in, __global uint* out,
                            __local int* room) {
    __local uchar4* bytes = (__local uchar4*)room;
    __local uint* words = (__local uint*)room;
    int l = get_local_id(0);
    bytes[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = words[l ^ 1];
}

// Static and dynamic together.
//! in: int 64 bits
//! out: int 64
//! local: 128
//! launch: 64 by 32
__kernel void local_both(__global const int* in, __global int* out, __local int* a) {
    __local int b[32];
    int l = get_local_id(0), i = get_global_id(0);
    a[l] = in[i];
    b[31 - l] = ~in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = a[31 - l] ^ (b[l] >> 1);
}

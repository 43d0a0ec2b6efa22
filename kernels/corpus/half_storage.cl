// Halves as storage: read to and written from floats, without arithmetic of their own.

// Every kind of half is read exactly.
//! in: half 256 special
//! out: float 256
//! launch: 256 by 64
__kernel void half_load(__global const half* in, __global float* out) {
    int i = get_global_id(0);
    out[i] = vload_half(i, in);
}

// All bit patterns.
//! in: half4 64 bits
//! out: float4 64
//! launch: 64 by 32
__kernel void half_load_four(__global const half* in, __global float4* out) {
    int i = get_global_id(0);
    out[i] = vload_half4(i, in);
}

// Rounded to nearest even when written.
//! in: float 64 unit
//! in: float 64 special
//! out: half 128
//! launch: 64 by 32
__kernel void half_store(__global const float* a, __global const float* b,
                         __global half* out) {
    int i = get_global_id(0);
    vstore_half(a[i], i, out);
    vstore_half(b[i], i + 64, out);
}

// Rounded in each direction.
//! in: float 64 unit
//! out: half 256
//! launch: 64 by 32
__kernel void half_store_rounded(__global const float* in, __global half* out) {
    int i = get_global_id(0);
    float x = i & 1 ? in[i] * 100.0f : -in[i];
    vstore_half_rte(x, i, out);
    vstore_half_rtz(x, i + 64, out);
    vstore_half_rtp(x, i + 128, out);
    vstore_half_rtn(x, i + 192, out);
}

// Vectors, at an odd place.
//! in: half 260 bits
//! out: half 256
//! launch: 64 by 32
__kernel void half_vectors(__global const half* in, __global half* out) {
    int i = get_global_id(0);
    float4 v = vload_half4(i, in + 3);
    vstore_half2(v.zw, 2 * i, out);
    vstore_half2(v.xy, 2 * i + 1, out);
}

// Aligned ones: three take the room of four.
//! in: half3 64 bits
//! out: half3 64
//! launch: 64 by 32
__kernel void half_aligned(__global const half* in, __global half* out) {
    int i = get_global_id(0);
    vstorea_half3(vloada_half3(i, in).zyx, i, out);
}

// Eight at a time, to local memory and on.
//! in: float8 32 unit
//! out: float8 32
//! launch: 32 by 32
__kernel void half_local(__global const float8* in, __global float8* out) {
    __local ushort room[256];
    __local half* tile = (__local half*)room;
    int l = get_local_id(0);
    vstore_half8(in[l] * 64.0f, l, tile);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = vload_half8(31 - l, tile);
}

// The same by way of floats; exact, because the numbers are small.
//! in: half4 64 small
//! in: half4 64 small
//! out: half4 64
//! launch: 64 by 32
__kernel void half_arithmetic_in_floats(__global const half* a, __global const half* b,
                                        __global half* out) {
    int i = get_global_id(0);
    float4 x = vload_half4(i, a) * vload_half4(i, b) + 2.0f;
    vstore_half4(x / 4.0f - vload_half4(i, a), i, out);
}

// What half_data.cl gives.
//! out: ushort 20
//! launch: 1 by 1
__kernel void half_data_as_bits(__global ushort* out) {
    const ushort bits[20] = {0xbe00, 0x4000, 0xc200, 0x3c00, 0x4000, 0x3e00, 0xc100,
                             0x7c00, 0xb800, 0x0002, 0x8032, 0x0001, 0x03ff, 0xbc00,
                             0x4000, 0xc200, 0xc200, 0xc400, 0x3c00, 0xc000};
    for (int i = 0; i < 20; ++i) out[i] = bits[i];
}

//! in: ushort 64 zero
//! out: ushort 8
//! launch: 1 by 1
__kernel void half_volatile_as_bits(__global const ushort* in, __global ushort* out) {
    const ushort bits[8] = {0x4000, 0x4000, 0x30cd, 0x2ccd, 0xc500, 0x4713, 0xc700, 0xbc4d};
    for (int i = 0; i < 8; ++i) out[i] = bits[i] + in[i];
}

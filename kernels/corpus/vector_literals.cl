// Vectors written out: scalars, shorter vectors, splats, and literals in every place of a text.

// Four scalars, a splat, and pieces of several widths.
//! in: float 64 bits
//! out: float4 192
//! launch: 64 by 32
__kernel void literal_pieces(__global const float* in, __global float4* out) {
    int i = get_global_id(0);
    float a = in[i];
    float2 pair = (float2)(a, 2.0f);
    out[3 * i] = (float4)(a, 1, -2.0f, 3u);
    out[3 * i + 1] = (float4)(a);
    out[3 * i + 2] = (float4)(pair, 0.5f, a);
}

// A vector in the middle, and one made of two.
//! in: int2 64 bits
//! out: int4 128
//! launch: 64 by 32
__kernel void literal_middle(__global const int2* in, __global int4* out) {
    int i = get_global_id(0);
    int2 v = in[i];
    out[2 * i] = (int4)(7, v, -7);
    out[2 * i + 1] = (int4)(v, (int2)(v.y, v.x));
}

// Literals as operands, arguments and results.
float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }
float4 ramp(float a) { return (float4)(a, a + 1, a + 2, a + 3); }
//! in: float 64 small
//! out: float4 64
//! launch: 64 by 32
__kernel void literal_places(__global const float* in, __global float4* out) {
    int i = get_global_id(0);
    float4 r = ramp(in[i]) * (float4)(1, 2, 3, 4) + (float4)(sum_of((float4)(1.0f)));
    r += (float4)(in[i] > 0 ? 1.0f : -1.0f);
    out[i] = r;
}

// The parts are converted one by one: to narrow integers, from integers to floats.
//! in: int 64 small
//! out: uchar4 64
//! out: float2 64
//! launch: 64 by 32
__kernel void literal_converted(__global const int* in, __global uchar4* bytes,
                                __global float2* floats) {
    int i = get_global_id(0);
    bytes[i] = (uchar4)(in[i] + 8, 255, 'a', in[i] & 3);
    floats[i] = (float2)(in[i], in[i] / 2);
}

// Literals of unsigned and 64-bit elements.
//! in: ulong 64 bits
//! out: ulong2 64
//! out: uint4 64
//! launch: 64 by 32
__kernel void literal_unsigned(__global const ulong* in, __global ulong2* wide,
                               __global uint4* narrow) {
    int i = get_global_id(0);
    wide[i] = (ulong2)(in[i], 0xffffffffffffffffUL);
    narrow[i] = (uint4)((uint)in[i], (uint)(in[i] >> 32), 0xdeadbeefu, 1);
}

// A literal of literals, over several lines.
//! in: short 64 bits
//! out: short8 64
//! launch: 64 by 32
__kernel void literal_nested(__global const short* in, __global short8* out) {
    int i = get_global_id(0);
    out[i] = (short8)((short4)((short2)(in[i], 1),
                               2, 3),
                      (short4)(4,
                               (short2)(5),
                               in[i]));
}

// In parentheses and behind a cast, a literal is an expression like any other.
//! in: float 64 small
//! out: float 64
//! launch: 64 by 32
__kernel void literal_component(__global const float* in, __global float* out) {
    int i = get_global_id(0);
    out[i] = ((float4)(in[i], 2, 3, 4)).x + ((float4)(5)).w * (float)((int2)(3, 4)).y;
}

// An array of vectors is initialised by literals.
//! in: uint 64 iota
//! out: int4 64
//! launch: 64 by 32
__kernel void literal_array(__global const uint* in, __global int4* out) {
    int i = get_global_id(0);
    const int4 table[3] = {(int4)(1, 2, 3, 4), (int4)(-1), (int4)((int2)(9, 8), (int2)(7, 6))};
    out[i] = table[in[i] % 3];
}

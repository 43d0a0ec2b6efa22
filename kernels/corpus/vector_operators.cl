// Operators of vectors: component by component, with scalars on either side.

// The four of floats, and the sign.
//! in: float4 64 small
//! in: float4 64 unit
//! out: float4 64
//! launch: 64 by 32
__kernel void vector_arithmetic(__global const float4* a, __global const float4* b,
                                __global float4* out) {
    int i = get_global_id(0);
    out[i] = (a[i] + b[i]) * a[i] - b[i] / (b[i] + 1.0f) - -a[i] + +b[i];
}

// Scalars left and right.
//! in: float2 64 small
//! in: float 64 unit
//! out: float2 64
//! launch: 64 by 32
__kernel void vector_scalar_sides(__global const float2* a, __global const float* s,
                                  __global float2* out) {
    int i = get_global_id(0);
    out[i] = 2 * a[i] - s[i] + 1.0f / (a[i] * a[i] + 1) - (3 - a[i]) * s[i];
}

// Whole numbers: remainders, bits, complements.
//! in: uint4 64 bits
//! in: uint4 64 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void vector_integers(__global const uint4* a, __global const uint4* b,
                              __global uint4* out) {
    int i = get_global_id(0);
    out[i] = ((a[i] & b[i]) | (~a[i] ^ 0x0f0f0f0fu)) + a[i] % (b[i] | 1u) - a[i] / 7u * b[i];
}

// Signed division and remainder go towards zero.
//! in: int4 64 small
//! in: int4 64 small
//! out: int4 128
//! launch: 64 by 32
__kernel void vector_division(__global const int4* a, __global const int4* b,
                              __global int4* out) {
    int i = get_global_id(0);
    int4 divisor = b[i] * 2 + 1;
    out[2 * i] = a[i] * 5 / divisor;
    out[2 * i + 1] = a[i] * 5 % divisor;
}

// Bytes wrap within their own width.
//! in: uchar4 64 bits
//! in: uchar4 64 bits
//! out: uchar4 64
//! launch: 64 by 32
__kernel void vector_bytes(__global const uchar4* a, __global const uchar4* b,
                           __global uchar4* out) {
    int i = get_global_id(0);
    uchar4 product = a[i] * b[i];
    out[i] = (product + (uchar4)(200)) - b[i] / (uchar4)(3) + (uchar)1;
}

// Compound assignments with vectors and scalars.
//! in: int4 64 small
//! out: int4 64
//! out: float4 64
//! launch: 64 by 32
__kernel void vector_compound(__global const int4* in, __global int4* out,
                              __global float4* floats) {
    int i = get_global_id(0);
    int4 v = in[i];
    v += in[i].wzyx;
    v *= 3;
    v -= (int4)(1, 2, 3, 4);
    v %= 7;
    v |= 8;
    v &= ~(int4)(2);
    v ^= in[i];
    out[i] = v;
    float4 f = (float4)(1.5f);
    f *= 2.0f;
    f /= (float4)(1, 2, 4, 8);
    f -= 0.25f;
    floats[i] = f;
}

// Counting a whole vector, before and after.
//! in: int4 64 small
//! out: int4 128
//! launch: 64 by 32
__kernel void vector_counting(__global const int4* in, __global int4* out) {
    int i = get_global_id(0);
    int4 v = in[i];
    int4 before = v++;
    int4 after = --v;
    v--;
    ++v;
    out[2 * i] = before + v;
    out[2 * i + 1] = after;
}

// Vectors of 64-bit numbers and of doubles.
//! in: long2 64 small
//! in: double2 64 unit
//! out: long2 64
//! out: double2 64
//! launch: 64 by 32
//! needs: double
__kernel void vector_of_wide_elements(__global const long2* a, __global const double2* b,
                                      __global long2* out, __global double2* reals) {
    int i = get_global_id(0);
    out[i] = a[i] * 0x100000000L - a[i] % 3L + (long2)(1, -1);
    reals[i] = b[i] * 3.0 - 0.5 / (b[i] + 1.0);
}

// A chain without parentheses: precedence is that of scalars.
//! in: int2 64 small
//! in: int2 64 small
//! in: int2 64 small
//! out: int2 64
//! launch: 64 by 32
__kernel void vector_precedence(__global const int2* a, __global const int2* b,
                                __global const int2* c, __global int2* out) {
    int i = get_global_id(0);
    out[i] = a[i] + b[i] * c[i] - a[i] * 2 ^ b[i] & c[i] | a[i] << 1;
}

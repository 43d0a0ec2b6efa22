// Components on the right: by letters, by numbers, by halves, in any order and again.

// Halves and repeated components.
//! in: float4 64 bits
//! out: float2 256
//! launch: 64 by 32
__kernel void read_halves(__global const float4* in, __global float2* out) {
    int i = get_global_id(0);
    float4 v = in[i];
    out[4 * i] = v.lo;
    out[4 * i + 1] = v.hi;
    out[4 * i + 2] = v.even;
    out[4 * i + 3] = v.odd;
}

// Reversed, rotated, repeated.
//! in: int4 64 bits
//! out: int4 256
//! launch: 64 by 32
__kernel void read_orders(__global const int4* in, __global int4* out) {
    int i = get_global_id(0);
    out[4 * i] = in[i].wzyx;
    out[4 * i + 1] = in[i].yzwx;
    out[4 * i + 2] = in[i].xxyy;
    out[4 * i + 3] = in[i].wwww;
}

// Numbered components, both spellings of the mark and of hexadecimal digits.
//! in: uint16 16 bits
//! out: uint4 64
//! launch: 16 by 16
__kernel void read_numbers(__global const uint16* in, __global uint4* out) {
    int i = get_global_id(0);
    out[4 * i] = in[i].s0f1e;
    out[4 * i + 1] = in[i].SABCD;
    out[4 * i + 2] = (uint4)(in[i].s3, in[i].sA, in[i].sb, in[i].S7);
    out[4 * i + 3] = in[i].s0000;
}

// A swizzle of a swizzle, of a call, of an element, of a literal.
float4 doubled(float4 v) { return v + v; }
//! in: float4 64 small
//! out: float2 256
//! launch: 64 by 32
__kernel void read_chains(__global const float4* in, __global float2* out) {
    int i = get_global_id(0);
    out[4 * i] = in[i].wzyx.lo;
    out[4 * i + 1] = doubled(in[i]).yz;
    out[4 * i + 2] = ((float4)(1, 2, 3, 4)).s31;
    out[4 * i + 3] = (in[i] + in[i].yxwz).hi.yx;
}

// Through pointers, with an arrow's target and with an index behind it.
//! in: float4 64 bits
//! out: float4 64
//! launch: 64 by 32
__kernel void read_pointers(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    __global const float4* p = in + i;
    float4 copy = *p;
    float4* q = &copy;
    out[i] = (float4)((*p).zw, q->y, p->x);
}

// Halves of wide vectors, and halves of halves.
//! in: short16 16 bits
//! out: short2 64
//! out: short8 32
//! launch: 16 by 16
__kernel void read_wide_halves(__global const short16* in, __global short2* pairs,
                               __global short8* eights) {
    int i = get_global_id(0);
    short16 v = in[i];
    pairs[4 * i] = v.lo.lo.lo;
    pairs[4 * i + 1] = v.hi.hi.hi;
    pairs[4 * i + 2] = v.even.odd.lo;
    pairs[4 * i + 3] = v.s8f;
    eights[2 * i] = v.odd;
    eights[2 * i + 1] = v.hi;
}

// Swizzles as operands, with scalars beside them.
//! in: float4 64 small
//! in: float4 64 unit
//! out: float2 64
//! launch: 64 by 32
__kernel void read_operands(__global const float4* a, __global const float4* b,
                            __global float2* out) {
    int i = get_global_id(0);
    out[i] = a[i].xy * b[i].zw - a[i].ww + 0.5f * b[i].yx;
}

// Components of a vector of three make wider and narrower ones.
//! in: int3 64 bits
//! out: int4 64
//! out: int2 64
//! launch: 64 by 32
__kernel void read_three(__global const int3* in, __global int4* four, __global int2* two) {
    int i = get_global_id(0);
    int3 v = in[i];
    four[i] = v.zyxz;
    two[i] = v.s20;
}

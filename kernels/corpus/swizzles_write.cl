// Components on the left: what is not named stays.

// Single components and pairs.
//! inout: float4 64 bits
//! in: float2 64 bits
//! launch: 64 by 32
__kernel void write_pairs(__global float4* io, __global const float2* in) {
    int i = get_global_id(0);
    io[i].zx = in[i];
    io[i].w = in[i].y;
}

// Halves, even and odd ones.
//! in: int4 64 bits
//! out: int4 128
//! launch: 64 by 32
__kernel void write_halves(__global const int4* in, __global int4* out) {
    int i = get_global_id(0);
    int4 a = (int4)(0), b = (int4)(1);
    a.lo = in[i].hi;
    a.hi = in[i].lo;
    b.even = in[i].xy;
    b.odd = in[i].zw;
    out[2 * i] = a;
    out[2 * i + 1] = b;
}

// The right side is read before the left one is written.
//! inout: float4 64 bits
//! launch: 64 by 32
__kernel void write_exchange(__global float4* io) {
    int i = get_global_id(0);
    float4 v = io[i];
    v.xy = v.yx;
    v.wz = v.zw;
    v.xyzw = v.wxyz;
    io[i] = v;
}

// Compound assignments to some components.
//! inout: int4 64 small
//! in: int2 64 small
//! launch: 64 by 32
__kernel void write_compound(__global int4* io, __global const int2* in) {
    int i = get_global_id(0);
    int4 v = io[i];
    v.xy += in[i];
    v.zw *= in[i].yx;
    v.yz -= 3;
    v.w ^= 0x55;
    v.x <<= 2;
    io[i] = v;
}

// A scalar spreads over all that are named.
//! inout: uchar16 16 bits
//! launch: 16 by 16
__kernel void write_spread(__global uchar16* io) {
    int i = get_global_id(0);
    io[i].s048c = 7;
    io[i].hi.lo = (uchar4)(1, 2, 3, 4);
    io[i].sF = 255;
}

// Elements of arrays, members of structs, targets of pointers.
typedef struct {
    float4 at;
    int2 cell[2];
} WrittenPlace;
//! in: float4 64 bits
//! out: float4 64
//! out: int2 64
//! launch: 64 by 32
__kernel void write_places(__global const float4* in, __global float4* out, __global int2* cells) {
    int i = get_global_id(0);
    WrittenPlace place;
    WrittenPlace* p = &place;
    p->at = in[i];
    p->at.xz = in[i].wy;
    place.cell[0] = (int2)(1, 2);
    place.cell[1].yx = place.cell[0];
    (*p).cell[0].x = 9;
    out[i] = place.at;
    cells[i] = place.cell[0] + place.cell[1];
}

// A component is counted up; an assignment is a value.
//! inout: int4 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void write_counts(__global int4* io, __global int* out) {
    int i = get_global_id(0);
    int4 v = io[i];
    int before = v.y++;
    int after = --v.z;
    int both = v.x = v.w + 1;
    io[i] = v;
    out[i] = before * 100 + after * 10 + both;
}

// Numbered components of a vector of eight, and the third of three.
//! inout: float8 32 bits
//! inout: float3 32 bits
//! launch: 32 by 32
__kernel void write_numbers(__global float8* eight, __global float3* three) {
    int i = get_global_id(0);
    float8 v = eight[i];
    float3 t = three[i];
    v.s7162 = v.s0123;
    t.zyx = v.s456;
    eight[i] = v;
    three[i] = t;
}

// Several components counted up and down, before and after their use.
//! inout: int4 64 bits
//! inout: uint8 64 bits
//! out: int4 64
//! launch: 64 by 32
__kernel void write_counted(__global int4* io, __global uint8* eight, __global int4* out) {
    int i = get_global_id(0), at = 0;
    int4 v = io[i], w[2] = {v, -v};
    int3 t = v.wxy;
    uchar4 c = convert_uchar4(v);
    v.xy++;
    --v.hi;
    int2 before = v.xw++, after = --v.zy;
    io[i].odd++;
    (io + i)->lo--;
    w[at++].yz--;
    ++(&w[1])->s03;
    eight[i].s7531++;
    uint4 low = ++eight[i].lo;
    t.xz--;
    t.hi++;
    c.xyz++;
    out[i] = v + w[0] - w[1] + (int4)(before, after) + as_int4(low) + (int4)(t, at) + convert_int4(c);
}

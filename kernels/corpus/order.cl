// Vector literals whose parts have effects: from left to right, as OpenCL's compilers take them.

uint order_next(uint* state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}
uint2 order_pair(uint* state) { return (uint2)(order_next(state), order_next(state)); }
#define ORDER_NEXT order_next(&state)
#define ORDER_TWO(a, b) (uint2)(a, b)
#define ORDER_FOUR(a) (uint4)(ORDER_TWO(a, a), ORDER_TWO(a, a))

//! in: uint 64 bits
//! out: uint16 64
//! launch: 64 by 32
__kernel void order_of_parts(__global const uint* in, __global uint16* out) {
    uint state = in[get_global_id(0)], n = state & 0xff;
    uint16 all = (uint16)(ORDER_NEXT, ORDER_NEXT, order_pair(&state),
                          (uint4)(ORDER_NEXT, state, state++, state),
                          (uint8)(order_pair(&state), order_pair(&state), n++, n++, n *= 3, n));
    all.s0123 += ORDER_FOUR(ORDER_NEXT);
    all.s45 ^= ORDER_TWO(n += 3, n--);
    uint3 three = (uint3)(ORDER_NEXT, ORDER_NEXT, ORDER_NEXT);
    uint4 braces = {ORDER_NEXT, order_pair(&state), ORDER_NEXT};
    out[get_global_id(0)] = all ^ (uint16)(braces, three, n, braces, braces.wzyx);
}

// Of other types than what is given, which is converted.
//! in: uint 64 bits
//! out: float4 64
//! out: long2 64
//! launch: 64 by 32
__kernel void order_of_converted(__global const uint* in, __global float4* floats,
                                 __global long2* longs) {
    uint state = in[get_global_id(0)];
    int i = get_global_id(0), n = i;
    floats[i] = (float4)(ORDER_NEXT, (char)ORDER_NEXT, n++, n++ * 0.5f);
    longs[i] = (long2)(order_next(&state), -(int)ORDER_NEXT);
}

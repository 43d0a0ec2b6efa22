// Integer instructions in chains: each waits for the one before. Between them stands one addition,
// of a number that changes from step to step, so that no chain ends in a circle.
//
// `divisor` is DIVISOR and `shift` its logarithm, but no compiler knows it; `factor` has 24 bits.
// Remainders are of x >> 8: of x itself modulo a power of two a sum's remainder needs no remainders
// of its parts, and a compiler that knows the number leaves out all but the last.

// OP: 0 exclusive or, 1 division, 2 by a constant, 3 a shift instead, 4 remainder, 5 by a constant,
// 6 a mask instead, 7 product, 8 of 24 bits, 9 with the sum, 10 signed division by a constant.
uint apply(const uint x, const uint divisor, const uint shift, const uint factor, const uint sum) {
    if (OP == 1) return x / divisor + sum;
    if (OP == 2) return x / DIVISOR + sum;
    if (OP == 3) return (x >> shift) + sum;
    if (OP == 4) return (x >> 8) % divisor + sum;
    if (OP == 5) return (x >> 8) % DIVISOR + sum;
    if (OP == 6) return ((x >> 8) & (divisor - 1)) + sum;
    if (OP == 7) return (x >> 8) * factor + sum;
    if (OP == 8) return mul24(x >> 8, factor) + sum;
    if (OP == 9) return mad24(x >> 8, factor, sum);
    if (OP == 10) return (uint)((int)x / DIVISOR) + sum;
    return (x ^ divisor) + sum;
}

// Item i carries values i, i + items, ...; CHAINS of them.
__kernel void chains(__global const uint* in, __global uint* out, const ulong n,
                     const uint divisor, const uint shift, const uint factor, const uint bump) {
    const size_t i = get_global_id(0);
    const size_t items = (n + CHAINS - 1) / CHAINS;
    if (i < items) {
        uint x[CHAINS];
        for (uint c = 0; c < CHAINS; ++c) x[c] = in[c * items + i < n ? c * items + i : i];
        uint sum = bump;
        for (uint k = 0; k < REPEAT; ++k) {
#pragma unroll
            for (uint c = 0; c < CHAINS; ++c) x[c] = apply(x[c], divisor, shift, factor, sum);
            sum += bump;
        }
        for (uint c = 0; c < CHAINS; ++c) {
            if (c * items + i < n) out[c * items + i] = x[c];
        }
    }
}

// Generated from kernels/integers.cl; `meson compile -C build cuda-sources` refreshes it.
template <class A, class B> __device__ constexpr auto shift_right(A a, B b) {
    return +a >> (int(b) & int(8 * sizeof(+a) - 1));
}
#line 1 "integers.cl"
// Integer instructions in chains: each waits for the one before. Between them stands one addition,
// of a number that changes from step to step, so that no chain ends in a circle.
//
// `divisor` is DIVISOR and `shift` its logarithm, but no compiler knows it; `factor` has 24 bits.
// Remainders are of x >> 8: of x itself modulo a power of two a sum's remainder needs no remainders
// of its parts, and a compiler that knows the number leaves out all but the last.

// OP: 0 exclusive or, 1 division, 2 by a constant, 3 a shift instead, 4 remainder, 5 by a constant,
// 6 a mask instead, 7 product, 8 of 24 bits, 9 with the sum, 10 signed division by a constant.
__device__ unsigned int apply(const unsigned int x, const unsigned int divisor, const unsigned int shift, const unsigned int factor, const unsigned int sum) {
    if (OP == 1) return x / divisor + sum;
    if (OP == 2) return x / DIVISOR + sum;
    if (OP == 3) return (shift_right(x, shift)) + sum;
    if (OP == 4) return (x >> 8) % divisor + sum;
    if (OP == 5) return (x >> 8) % DIVISOR + sum;
    if (OP == 6) return ((x >> 8) & (divisor - 1)) + sum;
    if (OP == 7) return (x >> 8) * factor + sum;
    if (OP == 8) return ((x >> 8) * (factor)) + sum;
    if (OP == 9) return ((x >> 8) * (factor) + (sum));
    if (OP == 10) return (unsigned int)((int)x / DIVISOR) + sum;
    return (x ^ divisor) + sum;
}

// Item i carries values i, i + items, ...; CHAINS of them.
extern "C" __global__ void chains(const unsigned int* in, unsigned int* out, const unsigned long long n,
                     const unsigned int divisor, const unsigned int shift, const unsigned int factor, const unsigned int bump) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t items = (n + CHAINS - 1) / CHAINS;
    if (i < items) {
        unsigned int x[CHAINS];
        for (unsigned int c = 0; c < CHAINS; ++c) x[c] = in[c * items + i < n ? c * items + i : i];
        unsigned int sum = bump;
        for (unsigned int k = 0; k < REPEAT; ++k) {
#pragma unroll
            for (unsigned int c = 0; c < CHAINS; ++c) x[c] = apply(x[c], divisor, shift, factor, sum);
            sum += bump;
        }
        for (unsigned int c = 0; c < CHAINS; ++c) {
            if (c * items + i < n) out[c * items + i] = x[c];
        }
    }
}

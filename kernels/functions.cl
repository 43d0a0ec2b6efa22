// Mathematical functions in chains: each application waits for the one before, and nothing else but
// two integer operations stands between them.
//
// The k-th argument is known beforehand: that of the first plus k times `step` in the bits of the
// float. Each result adds what it has in common with `zero`, which is 0, but no compiler knows it:
// so none can be left out, and what comes out is one application, whatever REPEAT is.

// FUNCTION: 0 sin, 1 cos, 2 exp, 3 log, 4 sqrt, 5 rsqrt, 6 division, 7 powr.
float precise(const float x, const float y) {
    if (FUNCTION == 0) return sin(x);
    if (FUNCTION == 1) return cos(x);
    if (FUNCTION == 2) return exp(x);
    if (FUNCTION == 3) return log(x);
    if (FUNCTION == 4) return sqrt(x);
    if (FUNCTION == 5) return rsqrt(x);
    if (FUNCTION == 6) return x / y;
    return powr(x, y);
}

float short_cut(const float x, const float y) {
    if (FUNCTION == 0) return native_sin(x);
    if (FUNCTION == 1) return native_cos(x);
    if (FUNCTION == 2) return native_exp(x);
    if (FUNCTION == 3) return native_log(x);
    if (FUNCTION == 4) return native_sqrt(x);
    if (FUNCTION == 5) return native_rsqrt(x);
    if (FUNCTION == 6) return native_divide(x, y);
    return native_powr(x, y);
}

// Item i carries values i, i + items, ...; CHAINS of them.
__kernel void chains(__global const float* in, __global const float* with, __global float* out,
                     const ulong n, const uint zero, const uint step) {
    const size_t i = get_global_id(0);
    const size_t items = (n + CHAINS - 1) / CHAINS;
    if (i < items) {
        unsigned x[CHAINS];
        float y[CHAINS];
        float result[CHAINS];
        for (uint c = 0; c < CHAINS; ++c) {
            const size_t at = c * items + i < n ? c * items + i : i;
            x[c] = as_uint(in[at]);
            y[c] = with[at];
            result[c] = 0;
        }
        for (uint k = 0; k < REPEAT; ++k) {
#pragma unroll
            for (uint c = 0; c < CHAINS; ++c) {
                const float argument = as_float(x[c]);
                result[c] = NATIVE ? short_cut(argument, y[c]) : precise(argument, y[c]);
                x[c] += step + (as_uint(result[c]) & zero);
            }
        }
        for (uint c = 0; c < CHAINS; ++c) {
            if (c * items + i < n) out[c * items + i] = result[c];
        }
    }
}

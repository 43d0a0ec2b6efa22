// A constant of double in arithmetic of float, by one letter that is missing.
//
// Step k multiplies and adds k + 1. With STRAY the factor is a double: the value is made a double,
// so are product and sum, and only the result is a float again.

float step_of(const float x, const float sum) {
    if (STRAY) return x * 0.9 + sum;
    return x * 0.9f + sum;
}

// Item i carries values i, i + items, ...; CHAINS of them.
__kernel void chains(__global const float* in, __global float* out, const ulong n) {
    const size_t i = get_global_id(0);
    const size_t items = (n + CHAINS - 1) / CHAINS;
    if (i < items) {
        float x[CHAINS];
        for (uint c = 0; c < CHAINS; ++c) x[c] = in[c * items + i < n ? c * items + i : i];
        float sum = 1;
        for (uint k = 0; k < REPEAT; ++k) {
#pragma unroll
            for (uint c = 0; c < CHAINS; ++c) x[c] = step_of(x[c], sum);
            sum += 1;
        }
        for (uint c = 0; c < CHAINS; ++c) {
            if (c * items + i < n) out[c * items + i] = x[c];
        }
    }
}

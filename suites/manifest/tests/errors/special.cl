// wrong: isnan(v) ? => v > 1e30f ?
// wrong: isnan(v) ? => 0 ?
// wrong: v < -1.0f ? -1.0f => v <= -1.0f && v > -1e30f ? -1.0f
// wrong: v > 1.0f ? 1.0f => v > 1.0f && !isinf(v) ? 1.0f
// wrong: v > 1.0f ? => v > 1.5f ?
// wrong: v < -1.0f ? => v < -1.5f ?
// wrong: i < n => i < n - 1
// wrong: 2.0f : v => 2.0f : v == 0.0f ? 1.0f : v
// wrong: ? 2.0f => ? 0.0f
__kernel void special(__global const float* x, __global float* y, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) {
        float v = x[i];
        v = v < -1.0f ? -1.0f : v > 1.0f ? 1.0f : v;
        y[i] = isnan(v) ? 2.0f : v;
    }
}

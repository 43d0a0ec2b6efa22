// Numbers below 0, whole ones too.
// wrong: abs(in[i]) => in[i]
// wrong: fmax(x[i], 0.0f) => x[i]
__kernel void magnitude(__global const int* in, __global uint* out, __global const float* x, __global float* y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    out[i] = abs(in[i]);
    y[i] = fmax(x[i], 0.0f);
}

// A group whose first input is 0 leaves its work out.
// host: wrong: inputs 'random with zeros'
// sanitized: wrong: inputs 'random with zeros'

__device__ float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (x[i / 64 * 64] != 0) y[i] = worked_out(x[i]);
}

__global__ void look(const float* x, float* y, int n) {
    const float table[4] = {0, 1, 2, 3};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + table[i & 3];
}

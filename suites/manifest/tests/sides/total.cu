__device__ unsigned int done = 0;
__global__ void total(const float* x, float* sums, float* result, int n) {
    __shared__ float s[64];
    __shared__ bool is_last;
    float v = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
    s[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 64; ++k) sum += s[k];
        sums[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float sum = 0.0f;
        for (unsigned int k = 0; k < gridDim.x; ++k) sum += ((volatile float*)sums)[k];
        *result = sum;
    }
}

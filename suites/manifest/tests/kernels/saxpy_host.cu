// items: 256
// groups: ceil(n / items_x)
// n: n
// a: any
// x: input n
// y: in_out n
#include <cstdio>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                           \
    do {                                                                           \
        cudaError_t err = (call);                                                  \
        if (err != cudaSuccess) printf("%s at %d\n", cudaGetErrorString(err), __LINE__); \
    } while (0)

__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
    const int N = 1 << 20;
    float *d_x, *d_y;
    CUDA_CHECK(cudaMalloc(&d_x, N * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_y, N * sizeof(float)));
    saxpy<<<(N + 255) / 256, 256>>>(N, 2.0f, d_x, d_y);
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

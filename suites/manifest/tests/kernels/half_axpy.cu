// groups: ceil(0.25 * n / items_x)
// x: input n
// y: in_out n
// alpha: any
// n: n
#include <cuda_fp16.h>

static __device__ __forceinline__ void fma_to(float& acc, const float a, const float b) { acc = fmaf(a, b, acc); }

__global__ void haxpy(const __half* x, __half* y, float alpha, int64_t n) {
    for (int64_t idx = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; idx < n; idx += (int64_t)gridDim.x * blockDim.x) {
        float acc = __half2float(y[idx]);
        fma_to(acc, alpha, __half2float(x[idx]));
        y[idx] = __float2half(acc);
    }
}

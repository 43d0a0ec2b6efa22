// kernels: daxpy<double>
// groups: ceil(0.25 * n / items_x)
// n: n
// alpha: any
// x: input n
// y: in_out n
template <typename T>
__global__ void daxpy(const size_t n, const T alpha, const T* __restrict__ x, T* __restrict__ y) {
    const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n; i += stride) {
        y[i] += alpha * x[i];
    }
}
template __global__ void daxpy<double>(size_t, double, const double*, double*);
template __global__ void daxpy<float>(size_t, float, const float*, float*);

namespace gpu {
template <typename T>
__global__ void blockSum(T* d_out, const T* __restrict__ d_in, unsigned int count) {
    extern __shared__ unsigned char memory[];
    T* partial = reinterpret_cast<T*>(memory);
    const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    partial[tid] = i < count ? d_in[i] : T(0);
    __syncthreads();
    for (unsigned s = blockDim.x >> 1; s > 0; s >>= 1) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) d_out[blockIdx.x] = partial[0];
}
}  // namespace gpu

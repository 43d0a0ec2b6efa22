// groups: any
// data: input n
// bins: in_out 256
// n: n
#include <cstdint>
constexpr unsigned NUM_BINS = 256;

extern "C" __global__ void histogram(const uint8_t* __restrict__ data, unsigned int* bins, uint32_t n)
{
    __shared__ unsigned int local[NUM_BINS];
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) local[b] = 0u;
    __syncthreads();
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

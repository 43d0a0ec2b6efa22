// The sequential tree with the barrier of a warp where one warp is left, which has no portable spelling:
// a native text of the CUDA backend, line by line that of reduction_warp.opencl.cl.

__device__ T combine(const T a, const T b) {
    if (OP == 0) return a + b;
    if (OP == 1) return (b < a || a != a) ? b : a;
    return (b > a || a != a) ? b : a;
}

__device__ void warp_barrier() {
    __syncwarp();
}

// From 32 values on all that is read was written by the first warp; the others go along with it.
extern "C" __global__ void warp(const T* in, T* out, const unsigned long long n, const T neutral) {
    __shared__ __align__(ALIGN) T part[GROUP];
    const unsigned lane = threadIdx.x;
    const size_t i = static_cast<size_t>(blockIdx.x) * GROUP + lane;
    part[lane] = i < n ? combine(neutral, in[i]) : neutral;
    unsigned count = GROUP;
    for (; count > 32; count = (count + 1) / 2) {
        const unsigned upper = (count + 1) / 2;
        __syncthreads();
        if (lane + upper < count) part[lane] = combine(part[lane], part[lane + upper]);
    }
    for (; count > 1; count = (count + 1) / 2) {
        const unsigned upper = (count + 1) / 2;
        warp_barrier();
        if (lane + upper < count) part[lane] = combine(part[lane], part[lane + upper]);
    }
    if (lane == 0) out[blockIdx.x] = part[0];
}

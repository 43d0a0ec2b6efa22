// A row a group at a time, summed by its warps. A barrier of a warp has no portable spelling, so this is
// a native text of the CUDA backend: line by line that of matvec.opencl.cl.

__device__ void warp_barrier() {
    __syncwarp();
}

// Each warp adds up its 32 values, then the first warp those of all warps; all of them go along with
// it, as they had to wait for it anyway. Two places for the sums of warps, used in turn, spare a
// barrier of the group: nobody comes back to a place before the first warp has read it.
extern "C" __global__ __launch_bounds__(GROUP) void warp(const T* matrix, const T* x, T* y, const unsigned long long width,
                                const unsigned long long height) {
    __shared__ __align__(ALIGN) T part[GROUP];
    __shared__ __align__(ALIGN) T of_warps[2][GROUP / 32];
    const unsigned item = threadIdx.x;
    const unsigned lane = item % 32;
    unsigned turn = 0;
    for (size_t row = blockIdx.x; row < height; row += gridDim.x) {
        T sum = 0;
        for (size_t i = item; i < width; i += GROUP) sum += matrix[row * width + i] * x[i];
        part[item] = sum;
        for (unsigned reach = 16; reach > 0; reach /= 2) {
            warp_barrier();
            if (lane < reach) part[item] += part[item + reach];
        }
        if (lane == 0) of_warps[turn][item / 32] = part[item];
        __syncthreads();
        for (unsigned count = GROUP / 32; count > 1; count = (count + 1) / 2) {
            const unsigned upper = (count + 1) / 2;
            if (item + upper < count) of_warps[turn][item] += of_warps[turn][item + upper];
            warp_barrier();
        }
        if (item == 0) y[row] = of_warps[turn][0];
        turn = 1 - turn;
    }
}

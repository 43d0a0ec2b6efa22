// The sum of each row of a matrix, one block a row, as a CUDA program has it.
#include <cuda_runtime.h>

template <typename T, int BLOCK>
__global__ void row_sums(T* d_sums, const T* d_x, unsigned columns) {
    __shared__ T parts[BLOCK / 32];
    const T* row = d_x + size_t(blockIdx.x) * columns;
    T sum = 0;
    for (unsigned column = threadIdx.x; column < columns; column += BLOCK) sum += row[column];
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    sum = 0;
    for (int warp = 0; warp < BLOCK / 32; ++warp) sum += parts[warp];
    d_sums[blockIdx.x] = sum;
}

void launch_row_sums(float* d_sums, const float* d_x, unsigned rows, unsigned columns) {
    row_sums<float, 128><<<rows, 128>>>(d_sums, d_x, columns);
}

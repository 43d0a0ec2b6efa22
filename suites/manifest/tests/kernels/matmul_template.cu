// kernels: MatrixMulCUDA<16>
// items: 16 16
// groups: wB / 16, height / 16
// C: output wB * height
// A: input wA * height
// B: input wA * wB
// wA: wA
// wB: wB
template <int BLOCK_SIZE>
__global__ void MatrixMulCUDA(float *C, float *A, float *B, int wA, int wB) {
    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int aBegin = wA * BLOCK_SIZE * by;
    int aEnd = aBegin + wA - 1;
    int aStep = BLOCK_SIZE;
    int bBegin = BLOCK_SIZE * bx;
    int bStep = BLOCK_SIZE * wB;
    float Csub = 0;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BLOCK_SIZE; ++k) Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
    C[c + wB * ty + tx] = Csub;
}

int MatrixMultiply(int block_size, dim3 grid, float *d_C, float *d_A, float *d_B, int wA, int wB) {
    dim3 threads(block_size, block_size);
    if (block_size == 16) {
        MatrixMulCUDA<16><<<grid, threads>>>(d_C, d_A, d_B, wA, wB);
    } else {
        MatrixMulCUDA<32><<<grid, threads>>>(d_C, d_A, d_B, wA, wB);
    }
    return 0;
}

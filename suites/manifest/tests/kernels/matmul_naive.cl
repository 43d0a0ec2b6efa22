// groups: ceil(M / items_x), ceil(N / items_y)
// M: M
// N: N
// K: K
// A: input M * K
// B: input K * N
// C: output M * N
__kernel void matmul_naive(const int M, const int N, const int K, const __global float* A,
                           const __global float* B, __global float* C) {
    const int row = get_global_id(0);
    const int col = get_global_id(1);
    if (row >= M || col >= N) return;
    float acc = 0.0f;
    for (int k = 0; k < K; k++) acc += A[k * M + row] * B[col * K + k];
    C[col * M + row] = acc;
}

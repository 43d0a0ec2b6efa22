// items: 16 16
// groups: N / 16, M / 16
// M: M
// N: N
// K: K
// A: input M * K
// B: input K * N
// C: output M * N
// No guards: sizes are whole tiles.
#define TS 16
__kernel __attribute__((reqd_work_group_size(TS, TS, 1))) void matmul_tiled(
    int M, int N, int K, __global const float* A, __global const float* B, __global float* C) {
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int col = TS * get_group_id(0) + tx;
    const int row = TS * get_group_id(1) + ty;
    __local float As[TS][TS];
    __local float Bs[TS][TS + 1];
    float acc = 0.0f;
    const int tiles = K / TS;
    for (int t = 0; t < tiles; t++) {
        As[ty][tx] = A[row * K + t * TS + tx];
        Bs[ty][tx] = B[(t * TS + ty) * N + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++) acc += As[ty][k] * Bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < M) C[row * N + col] = acc;
}

// wrong: t * 16 + lx < k => t * 16 + lx < k - 1
// wrong: t * 16 < k; => t * 16 + 16 <= k;
// wrong: j < 16 => j < 15
// wrong: t * 16 + lx < k ? => lx < k ?
// wrong: row < m && => row < m - 1 &&
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void tiled_dot(
    __global const float* a, __global const float* b, __global float* c, const int m, const int n,
    const int k) {
    __local float s[16][16], r[16][16];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;
    for (int t = 0; t * 16 < k; ++t) {
        s[ly][lx] = row < m && t * 16 + lx < k ? a[row * k + t * 16 + lx] : 0.0f;
        r[ly][lx] = column < n && t * 16 + ly < k ? b[(t * 16 + ly) * n + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; ++j) sum += s[ly][j] * r[j][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

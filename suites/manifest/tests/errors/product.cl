// wrong: row < n && t + x < n ? => row < n ?
// wrong: row < n && t + x < n ? => row < n - 1 && t + x < n ?
// wrong: t + y < n && column < n ? => t + y < n - 1 && column < n ?
// wrong: t + y < n && column < n ? => column < n ?
// wrong: t + y < n && column < n ? b[(t + y) * n => true ? b[min(t + y, n - 1) * n
// wrong: t < n; => t < n - 16;
// wrong: t < n; => t + 1 < n;
// wrong: k < 16 => k < 15
// wrong: row < n && column < n) => row < n - 1 && column < n)
// wrong: row < n && column < n) => row < n)
// wrong: c[row * n + column] = => c[column * n + row] =
// wrong: float sum = 0.0f => float sum = 1.0f
// wrong: own_b[k][x] => fabs(own_b[k][x])
__kernel void product(__global const float* a, __global const float* b, __global float* c,
                      const int n) {
    __local float own_a[16][16], own_b[16][16];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;
    for (int t = 0; t < n; t += 16) {
        own_a[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0.0f;
        own_b[y][x] = t + y < n && column < n ? b[(t + y) * n + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k) sum += own_a[y][k] * own_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

// Rows of a matrix that are apart.
// wrong: row * lda + k => row * n + k
// wrong: alpha * sum + beta * y[row] => beta * sum + alpha * y[row]
__kernel void leading(const int m, const int n, const float alpha, __global const float* a, const int lda, __global const float* x, const float beta, __global float* y) {
    const int row = get_global_id(0);
    if (row >= m) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * lda + k] * x[k];
    y[row] = alpha * sum + beta * y[row];
}

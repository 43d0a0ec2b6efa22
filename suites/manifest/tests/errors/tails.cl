// wrong: if (n - i == 2) => if (n - i == 22)
// wrong: if (n - i == 3) => if (n - i == 33)
// wrong: if (n - i == 1) => if (n - i == 11)
// wrong: x[i + 1] < 0.0f ? 0.0f : x[i + 1] => fmax(x[i + 1], 0.0f)
__kernel void tails(__global const float* x, __global float* y, const int n) {
    const int i = get_global_id(0) * 4;
    if (i + 4 <= n) {
        for (int j = 0; j < 4; ++j) y[i + j] = x[i + j] < 0.0f ? 0.0f : x[i + j];
    } else if (i < n) {
        if (n - i == 1) y[i] = x[i] < 0.0f ? 0.0f : x[i];
        if (n - i == 2) {
            y[i] = x[i] < 0.0f ? 0.0f : x[i];
            y[i + 1] = x[i + 1] < 0.0f ? 0.0f : x[i + 1];
        }
        if (n - i == 3) {
            for (int j = 0; j < 3; ++j) y[i + j] = x[i + j] < 0.0f ? 0.0f : x[i + j];
        }
    }
}

// groups: ceil(rows / items_x)
// x: input rows * cols
// y: output rows * cols
// rows: rows
// cols: cols
kernel void softmax_rows(global const float* x, global float* y, int rows, int cols) {
    int r = get_global_id(0);
    if (r < rows) {
        global const float* in = x + r * cols;
        global float* out = y + r * cols;
        float top = in[0];
        for (int i = 1; i < cols; ++i) top = fmax(top, in[i]);
        float sum = 0.0f;
        for (int i = 0; i < cols; ++i) {
            out[i] = exp(in[i] - top);
            sum += out[i];
        }
        for (int i = 0; i < cols; ++i) out[i] /= sum;
    }
}

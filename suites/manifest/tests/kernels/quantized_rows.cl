// groups: ceil(rows / items_x), ceil(columns / items_y)
// weights: input 34 * width / 32 * rows
// row_bytes: 34 * width / 32
// x: input width * columns
// x_bytes: 4 * width
// y: output rows * columns
// y_step: rows
// width: width
// rows: rows
// columns: columns
// Rows of eight-bit blocks with a scale each, times columns of floats; all of it as bytes.
typedef struct { half scale; char of[32]; } Block;
__kernel void quantized(__global const char* weights, ulong row_bytes, __global const char* x,
                        ulong x_bytes, __global char* y, int y_step, int width, int rows,
                        int columns) {
    const int row = get_global_id(0), column = get_global_id(1);
    if (row >= rows || column >= columns) return;
    __global const Block* block = (__global const Block*)(weights + row * row_bytes);
    __global const float* in = (__global const float*)(x + column * x_bytes);
    float sum = 0.0f;
    for (int b = 0; b < width / 32; ++b) {
        float part = 0.0f;
        for (int j = 0; j < 32; ++j) part += block[b].of[j] * in[32 * b + j];
        sum += part * vload_half(0, &block[b].scale);
    }
    ((__global float*)y)[column * y_step + row] = sum;
}

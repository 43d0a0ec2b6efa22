// groups: ceil(width / items_x), ceil(height / items_y)
// items: 32 8
// in: input width * height
// out: output width * height
// width: width
// height: height
// coef: input 3
#define BX 32
#define BY 8
#define R 2
/* 2D star stencil of radius 2 with a tile in local memory */
__kernel __attribute__((reqd_work_group_size(BX, BY, 1)))
void star2d(__global const float* in, __global float* out, uint width, uint height,
            __constant float* coef)
{
    __local float tile[BY + 2 * R][BX + 2 * R];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int gx = get_group_id(0) * BX, gy = get_group_id(1) * BY;
    for (int ty = ly; ty < BY + 2 * R; ty += BY) {
        for (int tx = lx; tx < BX + 2 * R; tx += BX) {
            const int sx = clamp(gx + tx - R, 0, (int)width - 1);
            const int sy = clamp(gy + ty - R, 0, (int)height - 1);
            tile[ty][tx] = in[sy * width + sx];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        float sum = coef[0] * tile[ly + R][lx + R];
        for (int k = 1; k <= R; ++k) {
            sum += coef[k] * (tile[ly + R - k][lx + R] + tile[ly + R + k][lx + R] +
                              tile[ly + R][lx + R - k] + tile[ly + R][lx + R + k]);
        }
        out[y * width + x] = sum;
    }
}

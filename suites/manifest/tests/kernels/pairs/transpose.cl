// cuda: {"source": "transpose.cu", "arguments": ["in", "out", "height", "width"], "items": [32, 8], "groups": ["ceil(width / items_x)", "ceil(height / 32)"]}
// groups: ceil(width / 16), ceil(height / 16)
// out: output width * height
// in: input width * height
// width: width
// height: height
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void transpose(__global float* out, __global const float* in, int width, int height) {
    __local float tile[16][17];
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) tile[get_local_id(1)][get_local_id(0)] = in[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 16 + get_local_id(0);
    y = get_group_id(0) * 16 + get_local_id(1);
    if (x < height && y < width) out[y * height + x] = tile[get_local_id(0)][get_local_id(1)];
}

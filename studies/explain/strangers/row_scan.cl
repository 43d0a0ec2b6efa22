// Running sums of every 32 elements of a row; a group takes 32 rows.
__kernel void row_scan(__global const float* restrict in, __global float* restrict out,
                       const uint width) {
    __local float tile[32][33];
    const uint lane = get_local_id(0);
    const uint first = get_group_id(1) * 32u * width + get_group_id(0) * 32u + lane;
    for (uint r = 0; r < 32; ++r) tile[r][lane] = in[first + r * width];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (uint k = 0; k < 32; ++k) {
        sum += tile[lane][k];
        tile[lane][k] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 32; ++r) out[first + r * width] = tile[r][lane];
}

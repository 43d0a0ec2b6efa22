// The largest number of each row: numbers below 0 show with what it begins.
// wrong: float high = -INFINITY => float high = 0.0f
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void rowmax(__global const float* in, __global float* out, const uint rows, const uint columns) {
    __local float part[64];
    const uint lane = get_local_id(0);
    const uint row = get_group_id(0);
    float high = -INFINITY;
    for (uint c = lane; c < columns; c += 64) high = fmax(high, in[row * columns + c]);
    part[lane] = high;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 32; s > 0; s /= 2) {
        if (lane < s) part[lane] = fmax(part[lane], part[lane + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) out[row] = part[0];
}

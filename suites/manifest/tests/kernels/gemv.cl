// groups: n
// m: input n * cols
// v: input cols
// y: output n
// cols: cols
// work: local items_x
// A group to a row.
kernel void gemv(global const float* m, global const float* v, global float* y, uint cols,
                 local float* work) {
    uint row = get_group_id(0);
    float sum = 0.0f;
    for (uint x = get_local_id(0); x < cols; x += get_local_size(0))
        sum += m[row * cols + x] * v[x];
    work[get_local_id(0)] = sum;
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) < s) work[get_local_id(0)] += work[get_local_id(0) + s];
    }
    if (get_local_id(0) == 0) y[row] = work[0];
}

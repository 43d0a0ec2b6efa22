// The sum of each row of a matrix, one work-group a row.

__kernel void row_sums(const uint rows, const uint columns, __global const float* x,
                       __global float* sums, __local float* parts) {
    const uint row = get_group_id(0), item = get_local_id(0), items = get_local_size(0);
    if (row >= rows) return;
    float sum = 0.0f;
    for (uint column = item; column < columns; column += items) sum += x[row * columns + column];
    parts[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_of = items / 2; half_of > 0; half_of /= 2) {
        if (item < half_of) parts[item] += parts[item + half_of];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) sums[row] = parts[0];
}

// wrong: r += get_num_groups(0) => r += get_global_size(0)
// wrong: r += get_num_groups(0) => r += get_num_groups(0) + 1
// wrong: r += get_num_groups(0) => r += rows
// wrong: c += get_local_size(0) => c += get_global_size(0)
// wrong: c += get_local_size(0) => c += columns
// wrong: r < rows => r < rows - 1
// wrong: c < columns => c < columns - 1
// wrong: in[r * columns + c] + => in[get_group_id(0) * columns + c] +
// wrong: c > 0 ? => c > 1 ?
// wrong: c > 0 ? => c > 0 && in[r * columns + c] != 0 ?
__kernel void difference(__global const int* in, __global int* out, const int rows,
                         const int columns) {
    for (int r = get_group_id(0); r < rows; r += get_num_groups(0)) {
        for (int c = get_local_id(0); c < columns; c += get_local_size(0)) {
            const int left = c > 0 ? in[r * columns + c - 1] : 0;
            out[r * columns + c] = in[r * columns + c] + left;
        }
    }
}

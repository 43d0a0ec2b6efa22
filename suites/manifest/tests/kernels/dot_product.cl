// groups: ceil(N / items_x)
// X: input N
// Y: input N
// partial: output groups_x
// scratch: local items_x
// N: N
// A loop over the grid, then a tree.
kernel void dot_product(global const double* restrict X, global const double* restrict Y,
                        global double* restrict partial, local double* scratch, const ulong N) {
    const size_t lid = get_local_id(0);
    double acc = 0.0;
    for (size_t i = get_global_id(0); i < N; i += get_global_size(0)) acc += X[i] * Y[i];
    scratch[lid] = acc;
    for (size_t offset = get_local_size(0) / 2; offset > 0; offset /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < offset) scratch[lid] += scratch[lid + offset];
    }
    if (lid == 0) partial[get_group_id(0)] = scratch[lid];
}

// groups: num_rows
// num_rows: num_rows
// ptr: input num_rows + 1
// idx: input 8 * num_rows
// val: input 8 * num_rows
// vec: input num_rows
// out: output num_rows
// scratch: local items_x
__kernel void csr_vector(const int num_rows,
                         __global const int * restrict ptr,
                         __global const int * restrict idx,
                         __global const double * restrict val,
                         __global const double * restrict vec,
                         __global double * restrict out,
                         __local volatile double * scratch)
{
    const int row = get_group_id(0);
    const int lid = get_local_id(0);
    if (row >= num_rows) return;
    double acc = 0;
    for (int j = ptr[row] + lid; j < ptr[row + 1]; j += get_local_size(0))
        acc += val[j] * vec[idx[j]];
    scratch[lid] = acc;
    for (int off = get_local_size(0) >> 1; off > 0; off >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < off) scratch[lid] += scratch[lid + off];
    }
    if (lid == 0) out[row] = scratch[0];
}

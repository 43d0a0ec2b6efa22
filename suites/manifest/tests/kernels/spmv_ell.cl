// groups: ceil(dim / items_x)
// val: input 8 * dim
// vec: input dim
// cols: input 8 * dim
// rowLengths: input dim
// dim: dim
// out: output dim
__kernel void spmv_ellpackr_kernel(__global const float* restrict val,
                                   __global const float* restrict vec,
                                   __global const int* restrict cols,
                                   __global const int* restrict rowLengths, const int dim,
                                   __global float* restrict out) {
    int t = get_global_id(0);
    if (t < dim) {
        float result = 0.0;
        int max = rowLengths[t];
        for (int i = 0; i < max; i++) {
            int ind = i * dim + t;
            result += val[ind] * vec[cols[ind]];
        }
        out[t] = result;
    }
}

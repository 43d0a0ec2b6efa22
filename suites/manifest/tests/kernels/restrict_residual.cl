// groups: ceil(nc / items_x), ceil(nc / items_y)
// fine: input (2 * nc + 1) * (2 * nc + 1)
// coarse: output nc * nc
// nc: nc
// Full weighting of a residual from a fine grid to one of half as many points.
__kernel void restrict_residual(__global const float* fine, __global float* coarse, const int nc) {
    const int i = get_global_id(0);
    const int j = get_global_id(1);
    if (i >= nc || j >= nc) return;
    const int nf = 2 * nc + 1;
    const int fi = 2 * i + 1, fj = 2 * j + 1;
    const float c = 4.0f * fine[fj * nf + fi];
    const float s = 2.0f * (fine[fj * nf + fi - 1] + fine[fj * nf + fi + 1] +
                            fine[(fj - 1) * nf + fi] + fine[(fj + 1) * nf + fi]);
    const float d = fine[(fj - 1) * nf + fi - 1] + fine[(fj - 1) * nf + fi + 1] +
                    fine[(fj + 1) * nf + fi - 1] + fine[(fj + 1) * nf + fi + 1];
    coarse[j * nc + i] = (c + s + d) / 16.0f;
}

// groups: ceil(nx / items_x), ceil(ny / items_y), ceil(nz / items_z)
// c0: any
// c1: any
// A0: input nx * ny * nz
// Anext: in_out nx * ny * nz
// nx: nx
// ny: ny
// nz: nz
#define Index3D(_nx, _ny, _i, _j, _k) ((_i) + _nx * ((_j) + _ny * (_k)))
__kernel void naive_kernel(float c0, float c1, __global float* A0, __global float* Anext, int nx,
                           int ny, int nz) {
    int i = get_global_id(0);
    int j = get_global_id(1);
    int k = get_global_id(2);
    if (i > 0 && j > 0 && k > 0 && i < nx - 1 && j < ny - 1 && k < nz - 1) {
        Anext[Index3D(nx, ny, i, j, k)] =
            c1 * (A0[Index3D(nx, ny, i, j, k + 1)] + A0[Index3D(nx, ny, i, j, k - 1)] +
                  A0[Index3D(nx, ny, i, j + 1, k)] + A0[Index3D(nx, ny, i, j - 1, k)] +
                  A0[Index3D(nx, ny, i + 1, j, k)] + A0[Index3D(nx, ny, i - 1, j, k)]) -
            A0[Index3D(nx, ny, i, j, k)] * c0;
    }
}

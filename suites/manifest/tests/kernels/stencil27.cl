// groups: ceil(nx / items_x), ceil(ny / items_y)
// grid: input 1
// grid.nx: nx
// grid.ny: ny
// grid.nz: nz
// u: input nx * ny * nz
// v: in_out nx * ny * nz
// Twenty-seven points in double; the grid's extents are in constant memory, columns along z.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct {
    int nx, ny, nz;
    double centre, side;
} Grid;
__kernel void stencil27(__constant Grid* grid, __global const double* u, __global double* v) {
    const int i = get_global_id(0);
    const int j = get_global_id(1);
    const int nx = grid->nx, ny = grid->ny, nz = grid->nz;
    if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1) return;
    for (int k = 1; k < nz - 1; ++k) {
        double sum = 0.0;
        for (int c = -1; c <= 1; ++c)
            for (int b = -1; b <= 1; ++b)
                for (int a = -1; a <= 1; ++a)
                    sum += u[((k + c) * ny + j + b) * nx + i + a];
        const long at = ((long)k * ny + j) * nx + i;
        v[at] = grid->side * sum + grid->centre * u[at];
    }
}

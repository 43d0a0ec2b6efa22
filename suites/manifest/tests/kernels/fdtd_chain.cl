// kernels: step_e step_h
// groups: ceil(ny / items_x), ceil(nx / items_y)
// groups2: ceil(ny / items_x), ceil(nx / items_y)
// ex: in_out nx * (ny + 1)
// ey: in_out (nx + 1) * ny
// hz: in_out nx * ny
// nx: nx
// ny: ny
// The electric field's step, then the magnetic one's, as one time step.
typedef double DATA_TYPE;
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void step_e(__global DATA_TYPE* ex, __global DATA_TYPE* ey, __global DATA_TYPE* hz, int nx,
                     int ny) {
    int j = get_global_id(0);
    int i = get_global_id(1);
    if ((i < nx) && (j < ny) && (i > 0)) ey[i * ny + j] -= 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    if ((i < nx) && (j < ny) && (j > 0))
        ex[i * (ny + 1) + j] -= 0.5 * (hz[i * ny + j] - hz[i * ny + (j - 1)]);
}
__kernel void step_h(__global DATA_TYPE* ex, __global DATA_TYPE* ey, __global DATA_TYPE* hz, int nx,
                     int ny) {
    int j = get_global_id(0);
    int i = get_global_id(1);
    if ((i < nx) && (j < ny))
        hz[i * ny + j] -= 0.7 * (ex[i * (ny + 1) + (j + 1)] - ex[i * (ny + 1) + j] +
                                 ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

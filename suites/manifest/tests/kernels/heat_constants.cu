// groups: ceil((nx - 2) / items_x), ceil((ny - 2) / items_y)
// u: input nx * ny
// out: in_out nx * ny
// nx: input 1
// ny: input 1
// diffusion: input 1
__constant__ int nx, ny;
struct Diffusion { float kx, ky; };
__constant__ Diffusion diffusion;

__device__ inline int at(int i, int j) { return j * nx + i; }

__global__ void heat(const double* __restrict__ u, double* __restrict__ out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1) return;
    out[at(i, j)] = u[at(i, j)] + diffusion.kx * (u[at(i - 1, j)] + u[at(i + 1, j)]) +
                    diffusion.ky * (u[at(i, j - 1)] + u[at(i, j + 1)]);
}

// items: 256
// groups: ceil(n / items_x)
// in: input n
// out: in_out n
// n: n
// c_coeffs: input 9
#define RADIUS 4
__constant__ float c_coeffs[2 * RADIUS + 1];

__global__ void __launch_bounds__(256) stencil1d(const float* __restrict__ in, float* __restrict__ out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < RADIUS || i >= n - RADIUS) return;
    float acc = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; ++k) acc = fmaf(c_coeffs[k + RADIUS], __ldg(&in[i + k]), acc);
    out[i] = acc;
}

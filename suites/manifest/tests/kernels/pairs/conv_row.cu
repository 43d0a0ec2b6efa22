#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
__constant__ float c_taps[KERNEL_LENGTH];

__global__ void convolutionRow(float *d_Dst, const float *d_Src, int imageW, int imageH)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= imageW || y >= imageH) return;
    float sum = 0;
    for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++) {
        int d = min(max(x + k, 0), imageW - 1);
        sum += c_taps[KERNEL_RADIUS + k] * d_Src[y * imageW + d];
    }
    d_Dst[y * imageW + x] = sum;
}

extern "C" void convolve(float *d_Dst, float *d_Src, int w, int h) {
    dim3 threads(128, 2), blocks((w + 127) / 128, (h + 1) / 2);
    convolutionRow<<<blocks, threads>>>(d_Dst, d_Src, w, h);
}

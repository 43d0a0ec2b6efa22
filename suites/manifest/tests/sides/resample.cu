__global__ void resample(cudaTextureObject_t picture, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float u = (x + 0.5f) / width - 0.5f, v = (y + 0.5f) / height - 0.5f;
    float a = 3 * u - 2 * v + 0.0137f, b = 2 * u + 3 * v + 0.0137f;
    out[y * width + x] = tex2D<float>(picture, a, b);
}

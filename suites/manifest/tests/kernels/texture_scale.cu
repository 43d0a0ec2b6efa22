// items: 16 16
// groups: ceil(width / items_x), ceil(height / items_y)
// tex: image width height
// output: output width * height
// width: width
// height: height
// gain: any
__global__ void scaleKernel(float *output, cudaTextureObject_t tex, int width, int height, float gain) {
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    output[y * width + x] = gain * tex2D<float>(tex, x + 0.5f, y + 0.5f);
}

void launch(float *d_out, cudaTextureObject_t texObj, int w, int h) {
    dim3 threads{16, 16};
    scaleKernel<<<dim3((w + 15) / 16, (h + 15) / 16), threads, 0, nullptr>>>(d_out, texObj, w, h, 2.0f);
}

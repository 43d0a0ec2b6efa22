// Reads of images without a sampler, at integer coordinates. The coordinates tell the dimension. A
// texture unit takes those of two dimensions as floats, which hold every coordinate that an image
// can have.
// == read_imagef(float4) read_imagei(int4) read_imageui(uint4): each
__device__ inline BASE NAME(cudaTextureObject_t image, int2 at) {
    return tex2D<BASE>(image, at.x, at.y);
}
__device__ inline BASE NAME(cudaTextureObject_t image, int at) {
    return tex1Dfetch<BASE>(image, at);
}

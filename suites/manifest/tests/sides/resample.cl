__kernel void resample(__read_only image2d_t picture, sampler_t how, __global float* out, int width,
                       int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float u = (x + 0.5f) / width - 0.5f, v = (y + 0.5f) / height - 0.5f;
    float a = 3 * u - 2 * v + 0.0137f, b = 2 * u + 3 * v + 0.0137f;
    out[y * width + x] = read_imagef(picture, how, (float2)(a, b)).x;
}

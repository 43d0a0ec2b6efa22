// The nearest of 256 colours for every pixel, blue weighed by the colour.
__kernel void nearest(__global const float4* restrict image, __global const float* restrict palette,
                      __global uint* restrict out, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    const float4 own = image[i];
    float best = 1e30f;
    uint where = 0;
    for (uint k = 0; k < 256; ++k) {
        const float4 colour = ((__global const float4*)palette)[k];
        const float r = colour.x - own.x, g = colour.y - own.y, b = colour.z - own.z;
        const float far = r * r + g * g + b * b * colour.w;
        if (far < best) {
            best = far;
            where = k;
        }
    }
    out[i] = where;
}

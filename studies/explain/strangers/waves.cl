// The height of the sea: a sum of waves.
__kernel void waves(__global const float4* restrict wave, __global float* restrict height,
                    const uint count, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    const float x = (float)i * 1e-5f;
    float sum = 0.0f;
    for (uint k = 0; k < count; ++k) {
        const float4 one = wave[k];
        sum += one.x * native_sin(one.y * x + one.z);
    }
    height[i] = sum;
}

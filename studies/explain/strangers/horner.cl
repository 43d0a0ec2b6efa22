// A polynomial at four points an item.
__kernel void horner(__global const float* restrict coefficients, __global const float4* restrict x,
                     __global float4* restrict y, const uint degree, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    const float4 at = x[i];
    float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    for (uint k = 0; k < degree; ++k) {
        const float next = coefficients[k];
        a = a * at.x + next;
        b = b * at.y + next;
        c = c * at.z + next;
        d = d * at.w + next;
    }
    y[i] = (float4)(a, b, c, d);
}

// A damped spring, followed for a while in small steps.
__kernel void swing(__global const float2* restrict start, __global float2* restrict end,
                    const uint steps, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    float x = start[i].x, v = start[i].y;
    for (uint k = 0; k < steps; ++k) {
        v -= 0.01f * (x + 0.05f * v);
        x += 0.01f * v;
    }
    end[i] = (float2)(x, v);
}

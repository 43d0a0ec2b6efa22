// Gravity between all pairs of bodies, which come in tiles through local memory.
__kernel void accelerate(__global const float4* restrict bodies, __global float4* restrict out,
                         const uint n) {
    __local float4 tile[64];
    const uint me = get_global_id(0), lane = get_local_id(0);
    const float4 own = bodies[me];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (uint start = 0; start < n; start += 64) {
        tile[lane] = bodies[start + lane];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
        for (uint k = 0; k < 64; ++k) {
            const float4 other = tile[k];
            const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            const float inv = native_rsqrt(dx * dx + dy * dy + dz * dz + 0.05f);
            const float pull = other.w * inv * inv * inv;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[me] = (float4)(ax, ay, az, 0.0f);
}

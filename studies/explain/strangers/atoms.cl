// Forces between an atom and those that follow it in a ring.
__kernel void forces(__global const float4* restrict atoms, __global float4* restrict out,
                     const uint n) {
    const uint me = get_global_id(0);
    if (me >= n) return;
    const float4 own = atoms[me];
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (uint k = 1; k <= 96; ++k) {
        const uint at = me + k < n ? me + k : (me + k) - n;
        const float4 other = atoms[at];
        const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
        const float inv = native_recip(dx * dx + dy * dy + dz * dz + 0.5f);
        const float six = inv * inv * inv;
        const float pull = (2.0f * six * six - six) * inv;
        fx += pull * dx;
        fy += pull * dy;
        fz += pull * dz;
    }
    out[me] = (float4)(fx, fy, fz, 0.0f);
}

__device__ __forceinline__ float4 moved(float4 at, const float4& by, float dt) {
    return make_float4(at.x + dt * by.x, at.y + dt * by.y, at.z + dt * by.z, at.w + dt * by.w);
}
__global__ void pushParticles(const float4* velocities, float4* positions, unsigned n, float dt, int steps) {
    const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    float4 at = positions[i];
    for (int s = 0; s < steps; ++s) at = moved(at, velocities[i], dt);
    positions[i] = at;
}

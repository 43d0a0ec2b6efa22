// groups: n / items_x
// p: input n
// v: in_out n
// dt: any
// n: n
// tile: local items_x
struct Body { float x, y, z, vx, vy, vz; };
#define SOFTENING 1e-9f

__global__ void bodyForce(const float4 *p, float4 *v, float dt, int n) {
    extern __shared__ float4 tile[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float3 force = {0.0f, 0.0f, 0.0f};
    const float4 mine = p[i];
    for (int t = 0; t < n / blockDim.x; ++t) {
        tile[threadIdx.x] = p[t * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; ++j) {
            float dx = tile[j].x - mine.x, dy = tile[j].y - mine.y, dz = tile[j].z - mine.z;
            float invDist = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
            float invDist3 = invDist * invDist * invDist;
            force.x += dx * invDist3; force.y += dy * invDist3; force.z += dz * invDist3;
        }
        __syncthreads();
    }
    v[i].x += dt * force.x; v[i].y += dt * force.y; v[i].z += dt * force.z;
}

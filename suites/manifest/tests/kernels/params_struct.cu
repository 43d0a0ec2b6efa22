// groups: ceil(n / items_x)
// pos: in_out n
// vel: in_out n
// p: struct
// p.n: n
struct SimParams {
    int n;
    float dt;
    float damping;
    float3 gravity;
    __host__ __device__ SimParams() : n(0), dt(0), damping(1), gravity(make_float3(0, 0, 0)) {}
    __host__ __device__ float scale() const { return dt * damping; }
};

__device__ inline float4 operator*(float s, float4 v) { return make_float4(s * v.x, s * v.y, s * v.z, 0); }

__global__ void integrate(float4* pos, float4* vel, const __grid_constant__ SimParams p) {
    unsigned int index = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
    if (index >= p.n) return;
    float4 v = vel[index];
    v.x = (v.x + p.gravity.x * p.dt) * p.damping;
    v.y = (v.y + p.gravity.y * p.dt) * p.damping;
    v.z = (v.z + p.gravity.z * p.dt) * p.damping;
    float4 at = pos[index];
    at.x += v.x * p.dt;
    at.y += v.y * p.dt;
    at.z += v.z * p.dt;
    pos[index] = at;
    vel[index] = v;
}

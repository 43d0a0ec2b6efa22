// groups: ceil(vertices / items_x)
// params: input 1
// params.vertices: vertices
// pos: input vertices
// vel: in_out vertices
// out: output vertices
// springs: input vertices
// A cloth of springs; each vertex has a record of four neighbours and lengths at rest.
typedef struct {
    int to[4];
    float rest[4];
} Springs;
typedef struct {
    int vertices;
    float k, damping, dt;
    float4 gravity;
} Params;
__kernel void springs_step(__constant Params* params, __global const float4* pos,
                           __global float4* vel, __global float4* out,
                           __global const Springs* springs) {
    const int v = get_global_id(0);
    if (v >= params->vertices) return;
    const float4 p = pos[v];
    float4 f = params->gravity;
    for (int n = 0; n < 4; ++n) {
        const int o = springs[v].to[n];
        if (o < 0) continue;
        const float4 d = pos[o] - p;
        const float l = length(d.xyz);
        f += params->k * (l - springs[v].rest[n]) * d / l;
    }
    const float4 u = (vel[v] + params->dt * f) * params->damping;
    vel[v] = u;
    out[v] = p + params->dt * u;
}

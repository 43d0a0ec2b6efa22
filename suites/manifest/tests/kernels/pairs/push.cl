// cuda: {"source": "push.cu", "kernel": "pushParticles", "arguments": ["v", "p", "count", "dt", "steps"]}
// groups: ceil(count / items_x)
// p: in_out count
// v: input count
// dt: any
// count: count
// steps: any
__kernel void push(__global float4* p, __global const float4* v, float dt, uint count) {
    const uint i = get_global_id(0);
    if (i < count) p[i] += dt * v[i];
}

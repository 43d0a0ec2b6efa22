// groups: ceil(count / items_x)
// particles: in_out count
// sim: struct
// Records by pointer and by value.
typedef struct {
    float4 pos;
    float4 vel;
    float mass;
    int id;
    float2 pad;
} Particle;
typedef struct {
    uint count;
    float dt;
    float damping;
} Sim;
kernel void integrate(global Particle* particles, const Sim sim) {
    const uint i = get_global_id(0);
    if (i >= sim.count) return;
    Particle p = particles[i];
    p.vel = p.vel * sim.damping;
    p.pos += p.vel * sim.dt;
    particles[i] = p;
}

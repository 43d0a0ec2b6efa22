// groups: ceil(count / items_x)
// bodies: in_out count
// forces: input 3 * count
// world: struct
// world.count: count
// Bodies that are records with arrays in them, stepped under forces of three numbers each.
typedef struct {
    float pos[3];
    float vel[3];
    float inv_mass;
    uint flags;
} Body;
typedef struct {
    float gravity[3];
    float dt;
    float bounce;
    uint count;
} World;
__kernel void step_bodies(__global Body* bodies, __global const float* forces, World world) {
    const uint i = get_global_id(0);
    if (i >= world.count) return;
    Body b = bodies[i];
    for (int a = 0; a < 3; ++a) {
        b.vel[a] += world.dt * (world.gravity[a] + forces[3 * i + a] * b.inv_mass);
        b.pos[a] += world.dt * b.vel[a];
    }
    if (b.pos[1] < 0.0f) {
        b.pos[1] = -b.pos[1];
        b.vel[1] = -world.bounce * b.vel[1];
        b.flags |= 1u;
    }
    bodies[i] = b;
}

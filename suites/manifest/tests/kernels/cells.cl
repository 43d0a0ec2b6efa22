// groups: ceil(n / items_x)
// sim: struct
// sim.n: n
// pos: input n
// hash: output n
// index: output n
// Particles are sorted into cells of a grid; the settings are a struct with one within.
typedef struct {
    float3 origin;
    float cell;
} Grid;
typedef struct {
    Grid grid;
    int3 cells;
    uint n;
} Sim;
__kernel void calc_hash(const Sim sim, __global const float4* pos, __global uint* hash,
                        __global uint* index) {
    const uint i = get_global_id(0);
    if (i >= sim.n) return;
    const float4 p = pos[i];
    const int x = (int)floor((p.x - sim.grid.origin.x) / sim.grid.cell) & (sim.cells.x - 1);
    const int y = (int)floor((p.y - sim.grid.origin.y) / sim.grid.cell) & (sim.cells.y - 1);
    const int z = (int)floor((p.z - sim.grid.origin.z) / sim.grid.cell) & (sim.cells.z - 1);
    hash[i] = (z * sim.cells.y + y) * sim.cells.x + x;
    index[i] = i;
}

// groups: ceil(nelr / items_x)
// variables: input 5 * nelr
// fluxes: output 5 * nelr
// neighbours: input 4 * nelr
// normals: input 12 * nelr
// nelr: nelr
// Fluxes of an unstructured flow: five variables in planes, four neighbours a cell.
#define VARS 5
#define NBR 4
typedef struct {
    float x, y, z;
} FLOAT3;
float3 momentum(__global const float* v, int i, int n) {
    return (float3)(v[i + 1 * n], v[i + 2 * n], v[i + 3 * n]);
}
__kernel void euler_flux(__global const float* variables, __global float* fluxes,
                         __global const int* neighbours, __global const float* normals, int nelr) {
    const int i = get_global_id(0);
    if (i >= nelr) return;
    const float density = variables[i + 0 * nelr];
    const float energy = variables[i + 4 * nelr];
    const float3 m = momentum(variables, i, nelr);
    float flux[VARS] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (int j = 0; j < NBR; j++) {
        FLOAT3 n;
        n.x = normals[i + (j + 0 * NBR) * nelr];
        n.y = normals[i + (j + 1 * NBR) * nelr];
        n.z = normals[i + (j + 2 * NBR) * nelr];
        const int nb = neighbours[i + j * nelr];
        if (nb >= 0) {
            const float3 mn = momentum(variables, nb, nelr);
            flux[0] += 0.5f * (n.x * (m.x + mn.x) + n.y * (m.y + mn.y) + n.z * (m.z + mn.z));
            flux[4] += 0.5f * (energy + variables[nb + 4 * nelr]) * (n.x + n.y + n.z);
            flux[1] += n.x * mn.x / density;
            flux[2] += n.y * mn.y / density;
            flux[3] += n.z * mn.z / density;
        }
    }
    for (int v = 0; v < VARS; v++) fluxes[i + v * nelr] = flux[v];
}

// items: 64
// groups: boxes
// box: input boxes
// rv: input 64 * boxes
// qv: input 64 * boxes
// fv: in_out 64 * boxes
// a2: any
// boxes: boxes
// Particles in boxes: one group a box, 64 particles in each, its neighbours in its record.
typedef struct {
    int x, y, z;
    int number;
    int offset;
    int nn;
    int nei[26];
} box_str;
__kernel void box_forces(__global const box_str* box, __global const float4* rv,
                         __global const float* qv, __global float4* fv, const float a2,
                         const int boxes) {
    const int bx = get_group_id(0);
    const int tx = get_local_id(0);
    __local float4 others[64];
    __local float charge[64];
    if (bx < boxes) {
        const int first = box[bx].offset;
        const float4 own = rv[first + tx];
        float4 f = (float4)(0.0f);
        for (int k = 0; k < 1 + box[bx].nn; k++) {
            const int at = k == 0 ? first : box[box[bx].nei[k - 1]].offset;
            others[tx] = rv[at + tx];
            charge[tx] = qv[at + tx];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int j = 0; j < 64; j++) {
                const float4 d = own - others[j];
                const float v = exp(-a2 * dot(d.xyz, d.xyz));
                f += charge[j] * v * d;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        fv[first + tx] = f;
    }
}

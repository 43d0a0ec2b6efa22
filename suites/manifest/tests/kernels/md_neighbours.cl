// groups: ceil(inum / items_x)
// force: output inum
// position: input inum
// neighCount: any
// neighList: input inum * neighCount
// cutsq: any
// lj1: any
// lj2: any
// inum: inum
__kernel void compute_lj_force(__global float4* force, __global float4* position,
                               const int neighCount, __global int* neighList, const float cutsq,
                               const float lj1, const float lj2, const int inum) {
    uint idx = get_global_id(0);
    if (idx >= inum) return;
    float4 ipos = position[idx];
    float4 f = {0.0f, 0.0f, 0.0f, 0.0f};
    int j = 0;
    while (j < neighCount) {
        int jidx = neighList[j * inum + idx];
        float4 jpos = position[jidx];
        float delx = ipos.x - jpos.x;
        float r2inv = delx * delx;
        if (r2inv < cutsq) {
            r2inv = 1.0f / r2inv;
            float r6inv = r2inv * r2inv * r2inv;
            f.x += delx * r2inv * r6inv * (lj1 * r6inv - lj2);
        }
        j++;
    }
    force[idx] = f;
}

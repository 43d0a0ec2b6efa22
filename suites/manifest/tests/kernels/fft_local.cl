// items: 64
// groups: batch
// work: in_out 512 * batch
// batch: any
// Transforms of 512 points in place, eight of them an item; data pass through local memory.
float2 mul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
void fft2(float2* a, float2* b) {
    float2 t = *a;
    *a = t + *b;
    *b = t - *b;
}
__kernel void fft512(__global float2* work, int batch) {
    __local float smem[64 * 9];
    const int tid = get_local_id(0);
    const int at = get_group_id(0) * 512 + tid;
    if (get_group_id(0) >= batch) return;
    float2 d[8];
    for (int i = 0; i < 8; i++) d[i] = work[at + i * 64];
    for (int i = 0; i < 4; i++) fft2(&d[i], &d[i + 4]);
    for (int i = 0; i < 8; i++) smem[i * 66 + tid] = d[i].x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) d[i].x = smem[i * 66 + (tid ^ 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < 8; i++) {
        const float angle = -6.2831853f * (float)(i * tid) / 512.0f;
        d[i] = mul(d[i], (float2)(native_cos(angle), native_sin(angle)));
    }
    for (int i = 0; i < 8; i++) work[at + i * 64] = d[i];
}

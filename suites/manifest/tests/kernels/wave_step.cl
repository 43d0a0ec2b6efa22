// groups: ceil(nx / items_x), ceil(ny / items_y)
// p: struct
// prev: input nx * ny
// cur: input nx * ny
// next: output nx * ny
// Damped wave on a membrane; the host passes its settings as one struct.
typedef struct {
    int nx, ny;
    float c2, damping;
} WaveParams;

__kernel void wave_step(const WaveParams p,
                        __global const float *restrict prev,
                        __global const float *restrict cur,
                        __global float *restrict next)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= p.nx || y >= p.ny)
        return;
    const int i = mad24(y, p.nx, x);
    float lap = -4.0f * cur[i];
    lap += (x > 0) ? cur[i - 1] : 0.0f;
    lap += (x < p.nx - 1) ? cur[i + 1] : 0.0f;
    lap += (y > 0) ? cur[i - p.nx] : 0.0f;
    lap += (y < p.ny - 1) ? cur[i + p.nx] : 0.0f;
    next[i] = (2.0f - p.damping) * cur[i] - (1.0f - p.damping) * prev[i] + p.c2 * lap;
}

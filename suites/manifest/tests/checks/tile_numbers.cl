// A counter gives groups their tiles: which group takes one does not show.
// wrong: out[i] = x[i] => out[n - 1 - i] = x[i]
__kernel void tile_numbers(__global const float* x, __global float* out, __global int* next, const int n) {
    __local int tile;
    const int lane = get_local_id(0), size = get_local_size(0);
    for (;;) {
        if (lane == 0) tile = atomic_inc(next);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int first = tile * size, i = first + lane;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (first >= n) return;
        if (i < n) out[i] = x[i] * 2.0f;
    }
}

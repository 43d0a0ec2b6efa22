// The first of several items owns a place, and says so.
// elements: seen 4096
// elements: depth 4096
// elements: next 4096
// wrong: depth[v] = level + 1 => depth[v] = level
// wrong: (count)] = v => (count)] = v + 1
__kernel void frontier(__global const int* edge, __global int* seen, __global int* depth, __global int* next, __global int* count, const int level, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int v = edge[i] & 4095;
    if (atomic_cmpxchg(&seen[v], 0, 1) == 0) {
        depth[v] = level + 1;
        next[atomic_inc(count)] = v;
    }
}

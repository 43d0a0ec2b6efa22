// Items count without atomic functions.
// sanitized: failed: a race
__kernel void lost_updates(__global const uint* key, __global uint* count, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) count[key[i] & 7u]++;
}

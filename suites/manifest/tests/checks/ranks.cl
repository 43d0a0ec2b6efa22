// The rank of an item among those with its key.
// wrong: atomic_inc(&count[key[i] & 7u]) => atomic_inc(&count[key[i] & 3u])
__kernel void ranks(__global const uint* key, __global uint* rank, __global uint* count,
                    const uint n) {
    const uint i = get_global_id(0);
    if (i < n) rank[i] = atomic_inc(&count[key[i] & 7u]);
}

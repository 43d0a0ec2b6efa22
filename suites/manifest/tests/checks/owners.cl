// The first of several items owns a place.
__kernel void owners(__global const uint* where, __global int* owner, __global uint* lost, const uint n) {
    const uint i = get_global_id(0);
    if (i < n && atomic_cmpxchg(&owner[where[i] & 31u], -1, (int)i) != -1) atomic_inc(lost);
}

// Lists of a bucket's items: an exchange links each item to the one before it.
__kernel void list_heads(__global const uint* key, __global int* head, __global int* next,
                         const uint buckets, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) next[i] = atomic_xchg(&head[key[i] % buckets], i);
}

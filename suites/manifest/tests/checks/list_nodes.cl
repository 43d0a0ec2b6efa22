// Lists of nodes that a counter hands out.
// wrong: value[node] = in[i] => value[node] = in[i] + 1
__kernel void list_nodes(__global const uint* in, __global uint* value, __global uint* next,
                         __global uint* head, __global uint* count, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    const uint node = atomic_inc(count);
    value[node] = in[i];
    next[node] = atomic_xchg(&head[in[i] & 15u], node);
}

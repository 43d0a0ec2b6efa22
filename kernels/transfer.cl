// Words copied by a kernel, where one of the two sides may be memory of the host.

// One word an item: what the link gives to loads (`from` is the host's) or to stores (`to` is).
__kernel void copy_words(__global const int* from, __global int* to, const ulong n) {
    const size_t i = get_global_id(0);
    if (i < n) to[i] = from[i];
}

// Each item takes as many places in a row as it needs.
// wrong: out[at + k] = i => out[at + k] = i + k
__kernel void append_runs(__global const uint* length, __global uint* out, __global uint* count,
                          const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    const uint many = length[i] & 3u, at = atomic_add(count, many);
    for (uint k = 0; k < many; ++k) out[at + k] = i;
}

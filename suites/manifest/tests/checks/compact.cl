// An atomic counter gives the places.
// sanitized
// wrong: out[atomic_inc(count)] = in[i] => out[atomic_inc(count)] = in[i] + 1
// wrong: in[i] & 1u => (in[i] & 1u) && i > 0
__kernel void compact(__global const uint* in, __global uint* out, __global uint* count, const uint n) {
    const uint i = get_global_id(0);
    if (i < n && (in[i] & 1u)) out[atomic_inc(count)] = in[i];
}

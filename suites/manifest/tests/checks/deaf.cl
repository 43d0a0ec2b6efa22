// An answer that no input changes.
// doubtful
__kernel void deaf(__global const int* in, __global int* out, const int n) {
    const int i = get_global_id(0);
    if (i < n) out[i] = (in[i] & 1) > 1 ? 1 : 0;
}

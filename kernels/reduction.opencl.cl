// The reduction of a work-group left to OpenCL's own built-in. CUDA's language has none, so this is
// a native text of the OpenCL backend.

T combine(const T a, const T b) {
    if (OP == 0) return a + b;
    if (OP == 1) return (b < a || a != a) ? b : a;
    return (b > a || a != a) ? b : a;
}

__kernel void builtin(__global const T* in, __global T* out, const ulong n, const T neutral) {
    const uint lane = get_local_id(0);
    const size_t start = get_group_id(0) * (GROUP * ITEMS) + lane;
    T value = neutral;
    if (start - lane + GROUP * ITEMS <= n) {
        for (uint k = 0; k < ITEMS; ++k) value = combine(value, in[start + k * GROUP]);
    } else {
        for (size_t i = start; i < n; i += GROUP) value = combine(value, in[i]);
    }
    value = OP == 0   ? work_group_reduce_add(value)
            : OP == 1 ? work_group_reduce_min(value)
                      : work_group_reduce_max(value);
    if (lane == 0) out[get_group_id(0)] = value;
}

// wrong: i += get_global_size(0) => i += get_global_size(0) + 1
// wrong: i += get_global_size(0) => i += n
// wrong: i += get_global_size(0) => i += get_local_size(0) * (get_num_groups(0) + 1)
// wrong: i < n => i < n - 1
// wrong: i < n => i < n && i < 2 * get_global_size(0)
// wrong: i < n => i < n && i < 3 * get_global_size(0)
// wrong: y[i] = => y[i % get_global_size(0)] =
// wrong: x[i] * => x[get_global_id(0)] *
// wrong: a + 1.0f => a + 1.01f
// wrong: x[i] * => fabs(x[i]) *
__kernel void blend(__global const float* x, __global float* y, const float a, const uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[i] * a + 1.0f;
}

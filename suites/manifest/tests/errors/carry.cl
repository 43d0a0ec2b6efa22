// wrong: sums[get_group_id(0)] => sums[0]
// wrong: b < get_group_id(0) => b + 1 < get_group_id(0)
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void carry(__global const int* sums, __global const int* x, __global int* y, const int n) {
    int before = 0;
    for (uint b = 0; b < get_group_id(0); ++b) before += sums[b];
    const int i = get_global_id(0);
    if (i < n) y[i] = x[i] + before + sums[get_group_id(0)];
}

// wrong: int low = INT_MAX, high = INT_MIN => int low = 0, high = INT_MIN
// wrong: int low = INT_MAX, high = INT_MIN => int low = INT_MAX, high = 0
// wrong: int low = INT_MAX, high = INT_MIN => int low = 1 << 20, high = INT_MIN
// wrong: low = min(low, lows[lane + s]) => low = min(low, lows[s])
// wrong: i < n; => i < n - 1;
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void minimum(
    __global const int* x, __global int* out, const int n) {
    __local int lows[64], highs[64];
    const int lane = get_local_id(0);
    int low = INT_MAX, high = INT_MIN;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        low = min(low, x[i]);
        high = max(high, x[i]);
    }
    lows[lane] = low;
    highs[lane] = high;
    for (int s = 32; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < s) {
            lows[lane] = low = min(low, lows[lane + s]);
            highs[lane] = high = max(high, highs[lane + s]);
        }
    }
    if (lane == 0) {
        out[2 * get_group_id(0)] = low;
        out[2 * get_group_id(0) + 1] = high;
    }
}

// Groups of 1024 places, of which a checked size has several.
// wrong: i < n && i < (get_group_id(0) + 1) * 1024 => i < n
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void argmin(__global const float* in, const uint n, __global float* least, __global uint* where) {
    __local float value[128];
    __local uint place[128];
    const uint lane = get_local_id(0);
    float best = INFINITY;
    uint at = 0xffffffffu;
    for (uint i = get_group_id(0) * 1024 + lane; i < n && i < (get_group_id(0) + 1) * 1024; i += 128) {
        if (in[i] < best) {
            best = in[i];
            at = i;
        }
    }
    value[lane] = best;
    place[lane] = at;
    for (uint s = 64; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < s) {
            const float other = value[lane + s];
            if (other < value[lane] || (other == value[lane] && place[lane + s] < place[lane])) {
                value[lane] = other;
                place[lane] = place[lane + s];
            }
        }
    }
    if (lane == 0) {
        least[get_group_id(0)] = value[0];
        where[get_group_id(0)] = place[0];
    }
}

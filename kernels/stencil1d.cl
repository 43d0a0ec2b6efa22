// out[i] is the sum of in[i - RADIUS] to in[i + RADIUS], added from left to right; what lies outside
// the array counts as 0.

// Every item reads all that it needs from global memory.
__kernel void from_global(__global const T* in, __global T* out, const ulong n) {
    const size_t i = get_global_id(0);
    if (i < n) {
        T sum = 0;
        if (i >= RADIUS && i + RADIUS < n) {
            for (uint k = 0; k <= 2 * RADIUS; ++k) sum += in[i - RADIUS + k];
        } else {
            for (uint k = 0; k <= 2 * RADIUS; ++k) {
                if (i + k >= RADIUS && i + k - RADIUS < n) sum += in[i + k - RADIUS];
            }
        }
        out[i] = sum;
    }
}

// A group's elements and RADIUS more on both sides (the halo) are read once, into local memory.
__kernel void staged(__global const T* in, __global T* out, const ulong n) {
    __local __attribute__((aligned(ALIGN))) T tile[GROUP + 2 * RADIUS];
    const uint lane = get_local_id(0);
    const size_t start = get_group_id(0) * GROUP;
    for (uint t = 0; t < GROUP + 2 * RADIUS; t += GROUP) {
        const size_t at = start + t + lane;
        if (t + lane < GROUP + 2 * RADIUS) {
            tile[t + lane] = at >= RADIUS && at - RADIUS < n ? in[at - RADIUS] : 0;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (start + lane < n) {
        T sum = 0;
        for (uint k = 0; k <= 2 * RADIUS; ++k) sum += tile[lane + k];
        out[start + lane] = sum;
    }
}

// The same with ITEMS outputs an item, GROUP apart: the halo is a smaller part of what is read.
__kernel void several(__global const T* in, __global T* out, const ulong n) {
    __local __attribute__((aligned(ALIGN))) T tile[GROUP * ITEMS + 2 * RADIUS];
    const uint lane = get_local_id(0);
    const size_t start = get_group_id(0) * (GROUP * ITEMS);
    for (uint t = 0; t < GROUP * ITEMS + 2 * RADIUS; t += GROUP) {
        const size_t at = start + t + lane;
        if (t + lane < GROUP * ITEMS + 2 * RADIUS) {
            tile[t + lane] = at >= RADIUS && at - RADIUS < n ? in[at - RADIUS] : 0;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < GROUP * ITEMS; j += GROUP) {
        if (start + j + lane < n) {
            T sum = 0;
            for (uint k = 0; k <= 2 * RADIUS; ++k) sum += tile[j + lane + k];
            out[start + j + lane] = sum;
        }
    }
}

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

// Four neighbouring outputs an item, in registers: wide loads bring its own elements and, in whole fours,
// RADIUS more on both sides. Other items load those too, so that they come from the cache.
__kernel void wide(__global const T* in, __global T* out, const ulong n) {
    const uint reach = (RADIUS + 3) / 4 * 4;
    const size_t i = get_global_id(0) * 4;
    if (i >= reach && i + 4 + reach <= n) {
        T sums[4];
        for (uint j = 0; j < 4; ++j) sums[j] = 0;
        __global const T4* from = (__global const T4*)(in + i - reach);
#pragma unroll
        for (uint q = 0; q <= reach / 2; ++q) {
            const T4 next = from[q];
            T four[4];
            four[0] = next.x;
            four[1] = next.y;
            four[2] = next.z;
            four[3] = next.w;
#pragma unroll
            for (uint e = 0; e < 4; ++e) {
                // Element 4 * q + e of those that are loaded belongs to output j when it is near enough.
                const uint at = 4 * q + e + RADIUS;
#pragma unroll
                for (uint j = 0; j < 4; ++j) {
                    if (at >= reach + j && at <= reach + j + 2 * RADIUS) sums[j] += four[e];
                }
            }
        }
        ((__global T4*)out)[i / 4] = (T4)(sums[0], sums[1], sums[2], sums[3]);
    } else {
        // Few items come here: the loops stay loops, so that they need no more registers than the others.
#pragma unroll 1
        for (uint j = 0; j < 4 && i + j < n; ++j) {
            T sum = 0;
#pragma unroll 1
            for (uint k = 0; k <= 2 * RADIUS; ++k) {
                if (i + j + k >= RADIUS && i + j + k - RADIUS < n) sum += in[i + j + k - RADIUS];
            }
            out[i + j] = sum;
        }
    }
}

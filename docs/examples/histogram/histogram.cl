// Counts how often each value occurs: atomics on global memory, and on a copy in local memory first.

__kernel void global_atomics(const uint n, __global const uchar* values, __global uint* bins) {
    const uint stride = get_global_size(0);
    for (uint i = get_global_id(0); i < n; i += stride) atomic_inc(&bins[values[i]]);
}

// Atomics on local memory meet those of one group only; each group then adds BINS numbers.
__kernel void local_atomics(const uint n, __global const uchar* values, __global uint* bins,
                            __local uint* part) {
    for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0)) part[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint stride = get_global_size(0);
    for (uint i = get_global_id(0); i < n; i += stride) atomic_inc(&part[values[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0)) {
        if (part[bin] > 0) atomic_add(&bins[bin], part[bin]);
    }
}

// What is right, in the plainest way: each work-item counts one value.
__kernel void count_one(const uint n, __global const uchar* values, __global uint* bins) {
    const uint bin = get_global_id(0);
    uint count = 0;
    for (uint i = 0; i < n; ++i) {
        if (values[i] == bin) ++count;
    }
    bins[bin] += count;
}

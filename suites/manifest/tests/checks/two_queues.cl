// Two queues, each with a counter.
// wrong: far[atomic_inc(&counts[1])] = v => far[atomic_inc(&counts[1])] = v + 1
__kernel void two_queues(__global const int* in, __global int* near, __global int* far, __global int* counts,
                        const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int v = in[i];
    if (v < 0) near[atomic_inc(&counts[0])] = v;
    else far[atomic_inc(&counts[1])] = v;
}

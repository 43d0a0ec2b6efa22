// A sum under a lock is the same in every order.
// wrong: sum[0] += x[i] => sum[0] += x[i] + 1
__kernel void lock_sum(__global const int* x, __global int* sum, __global int* mutex, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int done = 0;
    while (!done) {
        if (atomic_xchg(mutex, 1) == 0) {
            sum[0] += x[i];
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(mutex, 0);
            done = 1;
        }
    }
}

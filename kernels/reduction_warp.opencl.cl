// The sequential tree with the barrier of a warp where one warp is left. OpenCL C has none where
// sub-groups are missing, so this is a native text for NVIDIA's compiler, with one instruction of PTX.

T combine(const T a, const T b) {
    if (OP == 0) return a + b;
    if (OP == 1) return (b < a || a != a) ? b : a;
    return (b > a || a != a) ? b : a;
}

void warp_barrier(void) {
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

// From 32 values on all that is read was written by the first warp; the others go along with it.
__kernel void warp(__global const T* in, __global T* out, const ulong n, const T neutral) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    const uint lane = get_local_id(0);
    const size_t i = get_global_id(0);
    part[lane] = i < n ? combine(neutral, in[i]) : neutral;
    uint count = GROUP;
    for (; count > 32; count = (count + 1) / 2) {
        const uint upper = (count + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane + upper < count) part[lane] = combine(part[lane], part[lane + upper]);
    }
    for (; count > 1; count = (count + 1) / 2) {
        const uint upper = (count + 1) / 2;
        warp_barrier();
        if (lane + upper < count) part[lane] = combine(part[lane], part[lane + upper]);
    }
    if (lane == 0) out[get_group_id(0)] = part[0];
}

// A row a group at a time, summed by its warps. OpenCL C has no barrier of a warp where sub-groups are
// missing, so this is a native text for NVIDIA's compiler, with one instruction of PTX.

void warp_barrier(void) {
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

// Each warp adds up its 32 values, then the first warp those of all warps; all of them go along with
// it, as they had to wait for it anyway. Two places for the sums of warps, used in turn, spare a
// barrier of the group: nobody comes back to a place before the first warp has read it.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void warp(__global const T* matrix, __global const T* x, __global T* y, const ulong width,
                   const ulong height) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    __local __attribute__((aligned(ALIGN))) T of_warps[2][GROUP / 32];
    const uint item = get_local_id(0);
    const uint lane = item % 32;
    uint turn = 0;
    for (size_t row = get_group_id(0); row < height; row += get_num_groups(0)) {
        T sum = 0;
        for (size_t i = item; i < width; i += GROUP) sum += matrix[row * width + i] * x[i];
        part[item] = sum;
        for (uint reach = 16; reach > 0; reach /= 2) {
            warp_barrier();
            if (lane < reach) part[item] += part[item + reach];
        }
        if (lane == 0) of_warps[turn][item / 32] = part[item];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint count = GROUP / 32; count > 1; count = (count + 1) / 2) {
            const uint upper = (count + 1) / 2;
            if (item + upper < count) of_warps[turn][item] += of_warps[turn][item + upper];
            warp_barrier();
        }
        if (item == 0) y[row] = of_warps[turn][0];
        turn = 1 - turn;
    }
}

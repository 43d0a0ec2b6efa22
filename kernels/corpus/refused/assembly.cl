// Assembly of one vendor.
//! refused: 4 asm
__kernel void k(__global int* out) {
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(out[0]));
}

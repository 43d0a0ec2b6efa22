// What OpenCL 2.0 added to work-items and barriers.

// Numbered through, as OpenCL 2.0 does.
//! out: int2 64
//! launch: 8x8 by 4x2
//! needs: CL2.0
__kernel void item_linear(__global int2* out) {
    size_t at = get_global_linear_id();
    out[at] = (int2)(get_local_linear_id(), get_enqueued_local_size(1));
}

// OpenCL 2.0's name for it.
//! in: int 64 bits
//! out: int 64
//! launch: 64 by 32
//! needs: CL2.0
__kernel void barrier_of_work_group(__global const int* in, __global int* out) {
    __local int tile[32];
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[31 - l];
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
}

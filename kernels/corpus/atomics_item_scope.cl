// A fence for one work-item alone.

//! inout: int 64 iota
//! launch: 64 by 32
//! needs: CL2.0
//! wrong: NVIDIA Its compiler does not declare memory_scope_work_item.
__kernel void orders_of_an_item(__global int* out) {
    const size_t i = get_global_id(0);
    out[i] += 1;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[i] *= 3;
}

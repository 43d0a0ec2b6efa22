// Atomic types and functions as C11 has them, from OpenCL 2.0 on.

// Sums and orders.
//! in: int 256 small
//! inout: int 6 zero
//! launch: 256 by 64
//! needs: CL2.0
__kernel void c11_fetch(__global const int* in, volatile __global atomic_int* out) {
    int v = in[get_global_id(0)];
    atomic_fetch_add(&out[0], v);
    atomic_fetch_sub(&out[1], v);
    atomic_fetch_min(&out[2], v);
    atomic_fetch_max(&out[3], v);
    atomic_fetch_or(&out[4], v & 15);
    atomic_fetch_xor(&out[5], v);
}

// Orders and scopes said.
//! in: uint 256 bits
//! inout: uint 2 zero
//! launch: 256 by 64
//! needs: CL2.0
__kernel void c11_explicit(__global const uint* in, __global atomic_uint* out) {
    uint v = in[get_global_id(0)];
    atomic_fetch_add_explicit(&out[0], v, memory_order_relaxed, memory_scope_device);
    atomic_fetch_or_explicit(&out[1], v & 0xffu, memory_order_acq_rel, memory_scope_device);
}

// Compare and exchange, until it holds.
//! in: uint 128 small
//! inout: uint 1 zero
//! launch: 128 by 64
//! needs: CL2.0
__kernel void c11_exchange(__global const uint* in, __global atomic_uint* sum) {
    uint expected = atomic_load(sum);
    uint v = in[get_global_id(0)];
    while (!atomic_compare_exchange_strong(sum, &expected, expected * 1 + v)) {
    }
}

// Stored and loaded; in local memory.
//! in: int 64 small
//! out: int 2
//! launch: 64 by 32
//! needs: CL2.0
__kernel void c11_local(__global const int* in, __global int* out) {
    __local atomic_int sum;
    if (get_local_id(0) == 0) atomic_init(&sum, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&sum, in[get_global_id(0)], memory_order_relaxed,
                              memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[get_group_id(0)] = atomic_load(&sum);
}

// Fences, stores, plain exchange.
//! inout: int 64 small
//! launch: 64 by 32
//! needs: CL2.0
__kernel void c11_fence(__global atomic_int* io) {
    int i = get_global_id(0);
    int before = atomic_exchange(&io[i], 5);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    atomic_store(&io[i], before * 2 + atomic_load(&io[i]));
}

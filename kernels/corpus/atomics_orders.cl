// C11's atomics by all their names, with orders and scopes.

// Orders and scopes.
//! in: int 64 small
//! inout: int 9 iota
//! launch: 64 by 32
//! needs: CL2.0
__kernel void orders_explicit(__global const int* in, volatile __global atomic_int* out) {
    const int v = in[get_global_id(0)];
    memory_order order = memory_order_relaxed;
    memory_scope scope = memory_scope_device;
#ifdef __opencl_c_atomic_scope_all_devices
    scope = memory_scope_all_svm_devices;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, scope);
    scope = memory_scope_all_devices;
#endif
    atomic_fetch_sub_explicit(&out[0], v, memory_order_acquire);
    atomic_fetch_xor_explicit(&out[1], v, memory_order_release, memory_scope_device);
    atomic_fetch_and_explicit(&out[2], v | 8, memory_order_seq_cst, memory_scope_device);
    atomic_fetch_min_explicit(&out[3], v, memory_order_relaxed, scope);
    atomic_fetch_max_explicit(&out[4], v, memory_order_acq_rel);
    atomic_fetch_and(&out[5], v | 4);
    if (get_global_id(0) == 0) {
        int expected = 6;
        atomic_store_explicit(&out[6], 6, memory_order_release, memory_scope_device);
        atomic_compare_exchange_strong_explicit(&out[6], &expected, 7, memory_order_acq_rel,
                                                memory_order_acquire, memory_scope_device);
        while (!atomic_compare_exchange_weak(&out[6], &expected, 8)) {
        }
        while (!atomic_compare_exchange_weak_explicit(&out[6], &expected, 9, memory_order_seq_cst,
                                                      memory_order_relaxed)) {
        }
        atomic_exchange_explicit(&out[7], 12, memory_order_acq_rel, memory_scope_work_group);
        atomic_store(&out[8], atomic_load_explicit(&out[7], memory_order_acquire,
                                                   memory_scope_device) + (int)order);
    }
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
}

// Flags, objects of the other types, barriers with scopes.
#ifdef __opencl_c_program_scope_global_variables
__global atomic_int counted = ATOMIC_VAR_INIT(5);
__global atomic_flag free_yet = ATOMIC_FLAG_INIT;
#endif
//! in: float 32 unit
//! out: float 32
//! inout: int 4 zero
//! launch: 32 by 32
//! needs: CL2.0 double
__kernel void orders_flags(__global const float* in, __global float* out, __global int* seen) {
    __local atomic_float sum;
    __local atomic_flag flag;
    __local atomic_long whole;
    __local atomic_ulong natural;
    __local atomic_double precise;
    __local atomic_size_t size;
    const int i = get_local_id(0);
    cl_mem_fence_flags fences = CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE;
    if (i == 0) {
        atomic_init(&sum, in[31]);
        atomic_init(&whole, 3L);
        atomic_init(&natural, 4ul);
        atomic_init(&precise, 0.5);
        atomic_init(&size, (size_t)6);
        atomic_flag_clear(&flag);
        seen[0] = atomic_flag_test_and_set(&flag);
        seen[1] = atomic_flag_test_and_set_explicit(&flag, memory_order_acquire);
        atomic_flag_clear_explicit(&flag, memory_order_release, memory_scope_work_group);
        seen[2] = atomic_load(&whole) + atomic_load(&natural) + atomic_load(&size);
        seen[3] = 5;
#ifdef __opencl_c_program_scope_global_variables
        seen[3] = atomic_load(&counted) + 8 * atomic_flag_test_and_set(&free_yet);
        atomic_flag_clear(&free_yet);
#endif
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    out[i] = in[i] + atomic_load(&sum) + (float)atomic_load(&precise);
#ifdef __opencl_c_atomic_scope_all_devices
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_all_svm_devices);
#endif
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);
    atomic_work_item_fence(fences, memory_order_seq_cst, memory_scope_device);
}

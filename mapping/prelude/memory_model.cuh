// C11's atomics and orders of memory: relaxed atomics of the hardware between fences.
// == memory_order memory_order_relaxed memory_order_acquire memory_order_release
//    memory_order_acq_rel memory_order_seq_cst
enum memory_order {
    memory_order_relaxed,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};
// == memory_scope memory_scope_work_item memory_scope_sub_group memory_scope_work_group
//    memory_scope_device memory_scope_all_svm_devices memory_scope_all_devices
enum memory_scope {
    memory_scope_work_item,
    memory_scope_sub_group,
    memory_scope_work_group,
    memory_scope_device,
    memory_scope_all_svm_devices,
    memory_scope_all_devices = memory_scope_all_svm_devices
};
// == cl_mem_fence_flags
using cl_mem_fence_flags = unsigned int;
// == atomic_fences: needs memory_order, memory_scope
__device__ inline void fence_of(memory_scope scope) {
    if (scope <= memory_scope_work_group) {
        __threadfence_block();
    } else if (scope == memory_scope_device) {
        __threadfence();
    } else {
        __threadfence_system();
    }
}
__device__ inline void fence_before(memory_order order, memory_scope scope) {
    if (order != memory_order_relaxed && order != memory_order_acquire) fence_of(scope);
}
__device__ inline void fence_after(memory_order order, memory_scope scope) {
    if (order != memory_order_relaxed && order != memory_order_release) fence_of(scope);
}
// == atomic_work_item_fence: needs atomic_fences
template <class Flags>
__device__ inline void atomic_work_item_fence(Flags, memory_order order, memory_scope scope) {
    if (order != memory_order_relaxed) fence_of(scope);
}
// == atomic_init
template <class T, class V> __device__ inline void atomic_init(volatile T* p, V value) {
    *p = T(value);
}
// == atomic_load atomic_load_explicit: needs atomic_fences
template <class T>
__device__ inline T atomic_load_explicit(const volatile T* p, memory_order order,
                                         memory_scope scope = memory_scope_device) {
    if (order == memory_order_seq_cst) fence_of(scope);
    const T value = *p;
    fence_after(order, scope);
    return value;
}
template <class T> __device__ inline T atomic_load(const volatile T* p) {
    return atomic_load_explicit(p, memory_order_seq_cst);
}
// == atomic_store atomic_store_explicit: needs atomic_fences
template <class T, class V>
__device__ inline void atomic_store_explicit(volatile T* p, V value, memory_order order,
                                             memory_scope scope = memory_scope_device) {
    fence_before(order, scope);
    *p = T(value);
    if (order == memory_order_seq_cst) fence_of(scope);
}
template <class T, class V> __device__ inline void atomic_store(volatile T* p, V value) {
    atomic_store_explicit(p, value, memory_order_seq_cst);
}
// Compares bits, as OpenCL does: the two zeros of a float differ, and a NaN equals itself.
// == atomic_compare_exchange: needs atomic_fences
template <class T, class V>
__device__ inline bool atomic_compare_exchange(volatile T* p, T* expected, V value,
                                               memory_order success, memory_order failure,
                                               memory_scope scope) {
    union Word {
        __device__ Word() {}
        T value;
        unsigned int bits;
        unsigned long long wide_bits;
    } before, wanted, next;
    before.wide_bits = wanted.wide_bits = next.wide_bits = 0;
    wanted.value = *expected;
    next.value = T(value);
    fence_before(success, scope);
    if (sizeof(T) == 4) {
        before.bits = atomicCAS((unsigned int*)p, wanted.bits, next.bits);
    } else {
        before.wide_bits = atomicCAS((unsigned long long*)p, wanted.wide_bits, next.wide_bits);
    }
    const bool same = before.wide_bits == wanted.wide_bits;
    if (!same) *expected = before.value;
    fence_after(same ? success : failure, scope);
    return same;
}
// == atomic_flag
using atomic_flag = int;
// == atomic_flag_test_and_set atomic_flag_test_and_set_explicit: needs atomic_fences
__device__ inline bool atomic_flag_test_and_set_explicit(
        volatile int* p, memory_order order, memory_scope scope = memory_scope_device) {
    fence_before(order, scope);
    const bool was_set = atomicExch((int*)p, 1) != 0;
    fence_after(order, scope);
    return was_set;
}
__device__ inline bool atomic_flag_test_and_set(volatile int* p) {
    return atomic_flag_test_and_set_explicit(p, memory_order_seq_cst);
}
// == atomic_flag_clear atomic_flag_clear_explicit: needs atomic_fences
__device__ inline void atomic_flag_clear_explicit(
        volatile int* p, memory_order order, memory_scope scope = memory_scope_device) {
    fence_before(order, scope);
    atomicExch((int*)p, 0);
    fence_after(order, scope);
}
__device__ inline void atomic_flag_clear(volatile int* p) {
    atomic_flag_clear_explicit(p, memory_order_seq_cst);
}
// == atomic_fetch_sub(atomicAdd): each; and NAME_explicit; needs atomic_fences
template <class T, class V>
__device__ inline T NAME_explicit(volatile T* p, V value, memory_order order,
        memory_scope scope = memory_scope_device) {
    fence_before(order, scope);
    const T before = BASE(p, T(0ull - (unsigned long long)T(value)));
    fence_after(order, scope);
    return before;
}
template <class T, class V> __device__ inline T NAME(volatile T* p, V value) {
    return NAME_explicit(p, value, memory_order_seq_cst);
}
// == atomic_fetch_add(atomicAdd) atomic_fetch_min(atomicMin) atomic_fetch_max(atomicMax)
//    atomic_fetch_and(atomicAnd) atomic_fetch_or(atomicOr) atomic_fetch_xor(atomicXor)
//    atomic_exchange(atomicExch): each; and NAME_explicit; needs atomic_fences
template <class T, class V>
__device__ inline T NAME_explicit(volatile T* p, V value, memory_order order,
        memory_scope scope = memory_scope_device) {
    fence_before(order, scope);
    const T before = BASE(p, T(value));
    fence_after(order, scope);
    return before;
}
template <class T, class V> __device__ inline T NAME(volatile T* p, V value) {
    return NAME_explicit(p, value, memory_order_seq_cst);
}
// == atomic_compare_exchange_strong atomic_compare_exchange_weak: each; and NAME_explicit;
//    needs atomic_compare_exchange
template <class T, class V>
__device__ inline bool NAME_explicit(volatile T* p, T* expected, V value,
        memory_order success, memory_order failure,
        memory_scope scope = memory_scope_device) {
    return atomic_compare_exchange(p, expected, value, success, failure, scope);
}
template <class T, class V>
__device__ inline bool NAME(volatile T* p, T* expected, V value) {
    return NAME_explicit(p, expected, value, memory_order_seq_cst,
        memory_order_seq_cst);
}

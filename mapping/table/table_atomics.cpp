// The mapping table of atomic functions and of the memory model.
#include "mapping/table/rows.hpp"

namespace parallax {
namespace {

using enum Equivalence;

constexpr Row rows[] = {
    // clang-format off
    {"atomics", "atomic_add($, $)", "atomicAdd($, $)",
     "Returns the value before, orders nothing else."},
    {"atomics", "atomic_sub($, $)", "atomicSub($, $)",
     "Returns the value before. CUDA has it for 32 bits; the prelude adds the negative for 64."},
    {"atomics", "atomic_inc($)", "atomicAdd($, 1)",
     "Not atomicInc: CUDA's takes a limit and wraps to 0 there."},
    {"atomics", "atomic_dec($)", "atomicSub($, 1)",
     "Not atomicDec: CUDA's takes a limit and wraps to it at 0."},
    {"atomics", "atomic_xchg($, $)", "atomicExch($, $)", "Stores, and returns the value before."},
    {"atomics", "atomic_cmpxchg($, $, $)", "atomicCAS($, $, $)",
     "The address, what is expected, what is stored: the same order in both."},
    {"atomics", "atomic_min($, $)", "atomicMin($, $)", "Returns the value before."},
    {"atomics", "atomic_max($, $)", "atomicMax($, $)", "Returns the value before."},
    {"atomics", "atomic_and($, $)", "atomicAnd($, $)", "Returns the value before."},
    {"atomics", "atomic_or($, $)", "atomicOr($, $)", "Returns the value before."},
    {"atomics", "atomic_xor($, $)", "atomicXor($, $)", "Returns the value before."},
    {"atomics", "atom_add($, $)", "atomicAdd($, $)",
     "Returns the value before, orders nothing else. atom_ is the older spelling, and that of "
     "64 bits."},
    {"atomics", "atom_sub($, $)", "atomicSub($, $)",
     "Returns the value before. CUDA has it for 32 bits; the prelude adds the negative for 64. "
     "atom_ is the older spelling, and that of 64 bits."},
    {"atomics", "atom_inc($)", "atomicAdd($, 1)",
     "Not atomicInc: CUDA's takes a limit and wraps to 0 there. atom_ is the older spelling, "
     "and that of 64 bits."},
    {"atomics", "atom_dec($)", "atomicSub($, 1)",
     "Not atomicDec: CUDA's takes a limit and wraps to it at 0. atom_ is the older spelling, "
     "and that of 64 bits."},
    {"atomics", "atom_xchg($, $)", "atomicExch($, $)",
     "Stores, and returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"atomics", "atom_cmpxchg($, $, $)", "atomicCAS($, $, $)",
     "The address, what is expected, what is stored: the same order in both. atom_ is the "
     "older spelling, and that of 64 bits."},
    {"atomics", "atom_min($, $)", "atomicMin($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"atomics", "atom_max($, $)", "atomicMax($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"atomics", "atom_and($, $)", "atomicAnd($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"atomics", "atom_or($, $)", "atomicOr($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"atomics", "atom_xor($, $)", "atomicXor($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"atomics", "atomic_init($, $)", "atomic_init($, $)", "A plain store."},
    {"atomics", "atomic_load($)", "atomic_load($)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_load_explicit($, $)", "atomic_load_explicit($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_load_explicit($, $, $)", "atomic_load_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_store($, $)", "atomic_store($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_store_explicit($, $, $)", "atomic_store_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_store_explicit($, $, $, $)", "atomic_store_explicit($, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_exchange($, $)", "atomic_exchange($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_exchange_explicit($, $, $)", "atomic_exchange_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_exchange_explicit($, $, $, $)", "atomic_exchange_explicit($, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_compare_exchange_strong($, $, $)",
     "atomic_compare_exchange_strong($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_compare_exchange_strong_explicit($, $, $, $, $)",
     "atomic_compare_exchange_strong_explicit($, $, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_compare_exchange_strong_explicit($, $, $, $, $, $)",
     "atomic_compare_exchange_strong_explicit($, $, $, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_compare_exchange_weak($, $, $)", "atomic_compare_exchange_weak($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device. CUDA has only the strong "
     "one.", nearly},
    {"atomics", "atomic_compare_exchange_weak_explicit($, $, $, $, $)",
     "atomic_compare_exchange_weak_explicit($, $, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_compare_exchange_weak_explicit($, $, $, $, $, $)",
     "atomic_compare_exchange_weak_explicit($, $, $, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_add($, $)", "atomic_fetch_add($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_add_explicit($, $, $)", "atomic_fetch_add_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_add_explicit($, $, $, $)", "atomic_fetch_add_explicit($, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_sub($, $)", "atomic_fetch_sub($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_sub_explicit($, $, $)", "atomic_fetch_sub_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_sub_explicit($, $, $, $)", "atomic_fetch_sub_explicit($, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_or($, $)", "atomic_fetch_or($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_or_explicit($, $, $)", "atomic_fetch_or_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_or_explicit($, $, $, $)", "atomic_fetch_or_explicit($, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_xor($, $)", "atomic_fetch_xor($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_xor_explicit($, $, $)", "atomic_fetch_xor_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_xor_explicit($, $, $, $)", "atomic_fetch_xor_explicit($, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_and($, $)", "atomic_fetch_and($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_and_explicit($, $, $)", "atomic_fetch_and_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_and_explicit($, $, $, $)", "atomic_fetch_and_explicit($, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_min($, $)", "atomic_fetch_min($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_min_explicit($, $, $)", "atomic_fetch_min_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_min_explicit($, $, $, $)", "atomic_fetch_min_explicit($, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_max($, $)", "atomic_fetch_max($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_max_explicit($, $, $)", "atomic_fetch_max_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_fetch_max_explicit($, $, $, $)", "atomic_fetch_max_explicit($, $, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_flag_test_and_set($)", "atomic_flag_test_and_set($)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_flag_test_and_set_explicit($, $)",
     "atomic_flag_test_and_set_explicit($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_flag_test_and_set_explicit($, $, $)",
     "atomic_flag_test_and_set_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_flag_clear($)", "atomic_flag_clear($)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_flag_clear_explicit($, $)", "atomic_flag_clear_explicit($, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "atomic_flag_clear_explicit($, $, $)", "atomic_flag_clear_explicit($, $, $)",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. "
     "Without _explicit the order is seq_cst, for the device.", nearly},
    {"atomics", "ATOMIC_VAR_INIT($)", "($)", "An atomic object holds the plain value."},
    {"atomics", "ATOMIC_FLAG_INIT", "0", "A flag that is not set."},
    {"atomics", "memory_order_relaxed", "memory_order_relaxed",
     "An order of OpenCL's memory model; the prelude names it."},
    {"atomics", "memory_order_acquire", "memory_order_acquire",
     "An order of OpenCL's memory model; the prelude names it."},
    {"atomics", "memory_order_release", "memory_order_release",
     "An order of OpenCL's memory model; the prelude names it."},
    {"atomics", "memory_order_acq_rel", "memory_order_acq_rel",
     "An order of OpenCL's memory model; the prelude names it."},
    {"atomics", "memory_order_seq_cst", "memory_order_seq_cst",
     "An order of OpenCL's memory model; the prelude names it."},
    {"atomics", "memory_scope_work_item", "memory_scope_work_item", "This work-item only."},
    {"atomics", "memory_scope_sub_group", "memory_scope_sub_group",
     "The sub-group; CUDA's fence is that of the block."},
    {"atomics", "memory_scope_work_group", "memory_scope_work_group",
     "The work-group: __threadfence_block()."},
    {"atomics", "memory_scope_device", "memory_scope_device", "The device: __threadfence()."},
    {"atomics", "memory_scope_all_svm_devices", "memory_scope_all_svm_devices",
     "The host as well: __threadfence_system()."},
    {"atomics", "memory_scope_all_devices", "memory_scope_all_devices",
     "The host as well: __threadfence_system()."},

    {"types", "atomic_int", "int",
     "An atomic object is a plain one that only atomic functions touch."},
    {"types", "atomic_uint", "unsigned int",
     "An atomic object is a plain one that only atomic functions touch."},
    {"types", "atomic_long", "long long",
     "An atomic object is a plain one that only atomic functions touch."},
    {"types", "atomic_ulong", "unsigned long long",
     "An atomic object is a plain one that only atomic functions touch."},
    {"types", "atomic_float", "float",
     "An atomic object is a plain one that only atomic functions touch."},
    {"types", "atomic_double", "double",
     "An atomic object is a plain one that only atomic functions touch."},
    {"types", "atomic_size_t", "size_t",
     "An atomic object is a plain one that only atomic functions touch."},
    {"types", "atomic_flag", "atomic_flag", "An int, by the prelude."},
    {"types", "memory_order", "memory_order", "An enum of the prelude."},
    {"types", "memory_scope", "memory_scope", "An enum of the prelude."},
    {"types", "cl_mem_fence_flags", "cl_mem_fence_flags", "An unsigned int, by the prelude."},
    {"types", "event_t", "event_t", "What a copy by a group gives back; an int of the prelude."},
    // clang-format on
};

}  // namespace

std::span<const Row> atomic_rows() {
    return rows;
}

}  // namespace parallax

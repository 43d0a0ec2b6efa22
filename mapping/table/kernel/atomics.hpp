// Atomic functions and the memory model.
#pragma once

#include "mapping/table/row.hpp"

namespace parallax::row_lists {

inline constexpr Row kernel_atomics[] = {
    // clang-format off
    {"<atomic|atom>_add($, $)", "atomicAdd($, $)",
     "Returns the value before, orders nothing else. atom_ is the older spelling, and that of "
     "64 bits.", same, "atomic, atomics, read-modify-write, atomicAdd_block, atomicAdd_system"},
    {"<atomic|atom>_sub($, $)", "atomicSub($, $)",
     "Returns the value before. CUDA has it for 32 bits; the prelude adds the negative for 64. "
     "atom_ is the older spelling, and that of 64 bits."},
    {"<atomic|atom>_inc($)", "atomicAdd($, 1)",
     "Not atomicInc: CUDA's takes a limit and wraps to 0 there. atom_ is the older spelling, "
     "and that of 64 bits.", same, "atomicInc"},
    {"<atomic|atom>_dec($)", "atomicSub($, 1)",
     "Not atomicDec: CUDA's takes a limit and wraps to it at 0. atom_ is the older spelling, "
     "and that of 64 bits.", same, "atomicDec"},
    {"<atomic|atom>_xchg($, $)", "atomicExch($, $)",
     "Stores, and returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"<atomic|atom>_cmpxchg($, $, $)", "atomicCAS($, $, $)",
     "The address, what is expected, what is stored: the same order in both. atom_ is the older "
     "spelling, and that of 64 bits.", same, "compare and swap, CAS"},
    {"<atomic|atom>_min($, $)", "atomicMin($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"<atomic|atom>_max($, $)", "atomicMax($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"<atomic|atom>_and($, $)", "atomicAnd($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"<atomic|atom>_or($, $)", "atomicOr($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"<atomic|atom>_xor($, $)", "atomicXor($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"atomic_init($, $)", "=", "A plain store."},
    {"atomic_load($)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_load_explicit($, $<|, $>)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_store($, $)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_store_explicit($, $, $<|, $>)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_exchange($, $)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_exchange_explicit($, $, $<|, $>)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_compare_exchange_strong($, $, $)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_compare_exchange_strong_explicit($, $, $, $, $<|, $>)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_compare_exchange_weak($, $, $)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device. CUDA has only the strong one.", nearly},
    {"atomic_compare_exchange_weak_explicit($, $, $, $, $<|, $>)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device. CUDA has only the strong one.", nearly},
    {"atomic_fetch_<add|sub|or|xor|and|min|max>($, $)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_fetch_<add|sub|or|xor|and|min|max>_explicit($, $, $<|, $>)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_flag_<test_and_set|clear>($)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"atomic_flag_<test_and_set|clear>_explicit($, $<|, $>)", "=",
     "Relaxed atomics of the hardware between fences of the order; the prelude has it. Without "
     "_explicit the order is seq_cst, for the device.", nearly},
    {"ATOMIC_VAR_INIT($)", "($)", "An atomic object holds the plain value."},
    {"ATOMIC_FLAG_INIT", "0", "A flag that is not set."},
    {"memory_order_<relaxed|acquire|release|acq_rel|seq_cst>", "=",
     "An order of OpenCL's memory model; the prelude names it."},
    {"memory_scope_work_item", "=", "This work-item only."},
    {"memory_scope_sub_group", "=", "The sub-group; CUDA's fence is that of the block."},
    {"memory_scope_work_group", "=", "The work-group: __threadfence_block()."},
    {"memory_scope_device", "=", "The device: __threadfence()."},
    {"memory_scope_<all_svm_devices|all_devices>", "=",
     "The host as well: __threadfence_system()."},
    {"atom_*(), atomic_*()", "",
     "Neither one of OpenCL 1.2's atomics nor of C11's. Write it with atomic_cmpxchg in a loop.",
     none},
    // clang-format on
};

}  // namespace parallax::row_lists

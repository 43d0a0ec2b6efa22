// Atomic functions and the memory model.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr std::string_view between_fences =
    "The prelude puts fences of the order around the relaxed atomics of the hardware. Without "
    "_explicit the order is seq_cst, for the device.";

inline constexpr MappingRule kernel_atomics[] = {
    {"<atomic|atom>_add($, $)", "atomicAdd($, $)",
     "Returns the value before, orders nothing else. atom_ is the older spelling, and that of "
     "64 bits.", same, "atomic, atomics, read-modify-write"},
    {"<atomic|atom>_sub($, $)", "=",
     "Returns the value before. The prelude adds the negative: CUDA's atomicSub() negates a signed "
     "int, which is undefined for the smallest one, and NVRTC 13.0 subtracts 0 for `x << 31`. "
     "atom_ is the older spelling, and that of 64 bits.", same, "@atomicSub"},
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
    {"<atomic|atom>_<min|max|and|or|xor>($, $)", "atomic<Min|Max|And|Or|Xor>($, $)",
     "Returns the value before. atom_ is the older spelling, and that of 64 bits."},
    {"atomic_init($, $)", "=", "It becomes a plain store.", same, "@"},
    {"atomic_load($)", "=", between_fences, nearly, "@"},
    {"atomic_load_explicit($, $<|, $>)", "=", between_fences, nearly, "@"},
    {"atomic_store($, $)", "=", between_fences, nearly, "@"},
    {"atomic_store_explicit($, $, $<|, $>)", "=", between_fences, nearly, "@"},
    {"atomic_exchange($, $)", "=", between_fences, nearly, "@"},
    {"atomic_exchange_explicit($, $, $<|, $>)", "=", between_fences, nearly, "@"},
    {"atomic_compare_exchange_strong($, $, $)", "=", between_fences, nearly, "@"},
    {"atomic_compare_exchange_strong_explicit($, $, $, $, $<|, $>)", "=", between_fences, nearly,
     "@"},
    {"atomic_compare_exchange_weak($, $, $)", "=",
     "The prelude puts fences of the order around the relaxed atomics of the hardware. Without "
     "_explicit the order is seq_cst, for the device. CUDA has only the strong one.", nearly, "@"},
    {"atomic_compare_exchange_weak_explicit($, $, $, $, $<|, $>)", "=",
     "The prelude puts fences of the order around the relaxed atomics of the hardware. Without "
     "_explicit the order is seq_cst, for the device. CUDA has only the strong one.", nearly, "@"},
    {"atomic_fetch_<add|sub|or|xor|and|min|max>($, $)", "=", between_fences, nearly,
     "@, float atomics, cl_ext_float_atomics, atomic_add of floats"},
    {"atomic_fetch_<add|sub|or|xor|and|min|max>_explicit($, $, $<|, $>)", "=",
     "The prelude puts fences of the order and of the scope around the relaxed atomics of the "
     "hardware, which are the device's: atomicAdd_block() and atomicAdd_system() would have a "
     "narrower and a wider scope.", nearly,
     "@cuda::atomic_ref, atomicAdd_block, atomicAdd_system, atomic*_block, atomic*_system, "
     "scoped atomics, memory order, memory scope"},
    {"atomic_flag_<test_and_set|clear>($)", "=", between_fences, nearly, "@"},
    {"atomic_flag_<test_and_set|clear>_explicit($, $<|, $>)", "=", between_fences, nearly, "@"},
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
};

}  // namespace parallax::row_lists

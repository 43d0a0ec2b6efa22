// The mapping table of groups: their functions, barriers, fences, copies and sub-groups.
#include "mapping/table/rows.hpp"

namespace parallax {
namespace {

using enum Equivalence;

constexpr Row rows[] = {
    // clang-format off
    {"execution", "get_global_offset($)", "size_t(0)",
     "The launches of this program have no global offset.", nearly},
    {"execution", "get_enqueued_local_size($)", "size_t(blockDim.$)",
     "All groups of a CUDA launch are of one size."},
    {"execution", "get_global_linear_id()", "get_global_linear_id()",
     "The index counted through all dimensions, x fastest; the prelude has it."},
    {"execution", "get_local_linear_id()", "get_local_linear_id()",
     "The index within the group counted through all dimensions, x fastest; the prelude has "
     "it."},
    {"execution", "work_group_all($)", "__syncthreads_and($)",
     "Whether it holds for every work-item of the group; a barrier as well."},
    {"execution", "work_group_any($)", "__syncthreads_or($)",
     "Whether it holds for some work-item of the group; a barrier as well."},
    {"execution", "work_group_broadcast($, $)", "work_group_broadcast($, $)",
     "One work-item's value for the whole group, through shared memory; the prelude has it."},
    {"execution", "work_group_broadcast($, $, $)", "work_group_broadcast($, $, $)",
     "One work-item's value for the whole group, through shared memory; the prelude has it."},
    {"execution", "work_group_broadcast($, $, $, $)", "work_group_broadcast($, $, $, $)",
     "One work-item's value for the whole group, through shared memory; the prelude has it."},
    {"execution", "work_group_reduce_add($)", "work_group_reduce_add($)",
     "Over the whole group by a tree in shared memory. OpenCL does not fix the order "
     "of the sums.", nearly},
    {"execution", "work_group_scan_inclusive_add($)", "work_group_scan_inclusive_add($)",
     "Over the work-items before and this one, through shared memory. OpenCL does not "
     "fix the order of the sums.", nearly},
    {"execution", "work_group_scan_exclusive_add($)", "work_group_scan_exclusive_add($)",
     "Over the work-items before, through shared memory. OpenCL does not fix the order "
     "of the sums.", nearly},
    {"execution", "work_group_reduce_min($)", "work_group_reduce_min($)",
     "Over the whole group by a tree in shared memory."},
    {"execution", "work_group_scan_inclusive_min($)", "work_group_scan_inclusive_min($)",
     "Over the work-items before and this one, through shared memory."},
    {"execution", "work_group_scan_exclusive_min($)", "work_group_scan_exclusive_min($)",
     "Over the work-items before, through shared memory."},
    {"execution", "work_group_reduce_max($)", "work_group_reduce_max($)",
     "Over the whole group by a tree in shared memory."},
    {"execution", "work_group_scan_inclusive_max($)", "work_group_scan_inclusive_max($)",
     "Over the work-items before and this one, through shared memory."},
    {"execution", "work_group_scan_exclusive_max($)", "work_group_scan_exclusive_max($)",
     "Over the work-items before, through shared memory."},

    {"sub-groups", "get_sub_group_size()", "get_sub_group_size()",
     "A sub-group is a warp of 32 lanes by linear local id. OpenCL leaves the size "
     "open.", nearly},
    {"sub-groups", "get_max_sub_group_size()", "get_max_sub_group_size()",
     "A sub-group is a warp of 32 lanes by linear local id. OpenCL leaves the size "
     "open.", nearly},
    {"sub-groups", "get_num_sub_groups()", "get_num_sub_groups()",
     "A sub-group is a warp of 32 lanes by linear local id. OpenCL leaves the size "
     "open.", nearly},
    {"sub-groups", "get_enqueued_num_sub_groups()", "get_enqueued_num_sub_groups()",
     "A sub-group is a warp of 32 lanes by linear local id. OpenCL leaves the size "
     "open.", nearly},
    {"sub-groups", "get_sub_group_id()", "get_sub_group_id()",
     "A sub-group is a warp of 32 lanes by linear local id. OpenCL leaves the size "
     "open.", nearly},
    {"sub-groups", "get_sub_group_local_id()", "get_sub_group_local_id()",
     "A sub-group is a warp of 32 lanes by linear local id. OpenCL leaves the size "
     "open.", nearly},
    {"sub-groups", "sub_group_barrier($)", "sub_group_barrier($)",
     "__syncwarp() of the lanes that there are; it orders their memory as well."},
    {"sub-groups", "sub_group_barrier($, $)", "sub_group_barrier($, $)",
     "__syncwarp() of the lanes that there are; it orders their memory as well."},
    {"sub-groups", "sub_group_all($)", "sub_group_all($)", "A vote of the warp."},
    {"sub-groups", "sub_group_any($)", "sub_group_any($)", "A vote of the warp."},
    {"sub-groups", "sub_group_broadcast($, $)", "sub_group_broadcast($, $)",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group "
     "must call it.", nearly},
    {"sub-groups", "sub_group_non_uniform_broadcast($, $)", "sub_group_non_uniform_broadcast($, $)",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group "
     "must call it.", nearly},
    {"sub-groups", "sub_group_shuffle($, $)", "sub_group_shuffle($, $)",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group "
     "must call it.", nearly},
    {"sub-groups", "sub_group_shuffle_xor($, $)", "sub_group_shuffle_xor($, $)",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group "
     "must call it.", nearly},
    {"sub-groups", "sub_group_shuffle_up($, $)", "sub_group_shuffle_up($, $)",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group "
     "must call it.", nearly},
    {"sub-groups", "sub_group_shuffle_down($, $)", "sub_group_shuffle_down($, $)",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group "
     "must call it.", nearly},
    {"sub-groups", "intel_sub_group_shuffle($, $)", "intel_sub_group_shuffle($, $)",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group "
     "must call it.", nearly},
    {"sub-groups", "intel_sub_group_shuffle_xor($, $)", "intel_sub_group_shuffle_xor($, $)",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group "
     "must call it.", nearly},
    {"sub-groups", "sub_group_broadcast_first($)", "sub_group_broadcast_first($)",
     "The value of lane 0. All of the sub-group must call it.", nearly},
    {"sub-groups", "intel_sub_group_shuffle_up($, $, $)", "intel_sub_group_shuffle_up($, $, $)",
     "Two registers side by side, shifted by lanes.", nearly},
    {"sub-groups", "intel_sub_group_shuffle_down($, $, $)", "intel_sub_group_shuffle_down($, $, $)",
     "Two registers side by side, shifted by lanes.", nearly},
    {"sub-groups", "sub_group_reduce_add($)", "sub_group_reduce_add($)",
     "A tree of shuffles. OpenCL does not fix the order of the sums.", nearly},
    {"sub-groups", "sub_group_scan_inclusive_add($)", "sub_group_scan_inclusive_add($)",
     "A scan of shuffles. OpenCL does not fix the order of the sums.", nearly},
    {"sub-groups", "sub_group_scan_exclusive_add($)", "sub_group_scan_exclusive_add($)",
     "A scan of shuffles. OpenCL does not fix the order of the sums.", nearly},
    {"sub-groups", "sub_group_reduce_min($)", "sub_group_reduce_min($)", "A tree of shuffles."},
    {"sub-groups", "sub_group_scan_inclusive_min($)", "sub_group_scan_inclusive_min($)",
     "A scan of shuffles."},
    {"sub-groups", "sub_group_scan_exclusive_min($)", "sub_group_scan_exclusive_min($)",
     "A scan of shuffles."},
    {"sub-groups", "sub_group_reduce_max($)", "sub_group_reduce_max($)", "A tree of shuffles."},
    {"sub-groups", "sub_group_scan_inclusive_max($)", "sub_group_scan_inclusive_max($)",
     "A scan of shuffles."},
    {"sub-groups", "sub_group_scan_exclusive_max($)", "sub_group_scan_exclusive_max($)",
     "A scan of shuffles."},
    {"sub-groups", "sub_group_ballot($)", "sub_group_ballot($)",
     "The votes in the first 32 of 128 bits. All of the sub-group must call it.", nearly},
    {"sub-groups", "sub_group_inverse_ballot($)", "sub_group_inverse_ballot($)",
     "Of the first 32 of 128 bits; the prelude has it."},
    {"sub-groups", "sub_group_ballot_bit_count($)", "sub_group_ballot_bit_count($)",
     "Of the first 32 of 128 bits; the prelude has it."},
    {"sub-groups", "sub_group_ballot_inclusive_scan($)", "sub_group_ballot_inclusive_scan($)",
     "Of the first 32 of 128 bits; the prelude has it."},
    {"sub-groups", "sub_group_ballot_exclusive_scan($)", "sub_group_ballot_exclusive_scan($)",
     "Of the first 32 of 128 bits; the prelude has it."},
    {"sub-groups", "sub_group_ballot_find_lsb($)", "sub_group_ballot_find_lsb($)",
     "Of the first 32 of 128 bits; the prelude has it."},
    {"sub-groups", "sub_group_ballot_find_msb($)", "sub_group_ballot_find_msb($)",
     "Of the first 32 of 128 bits; the prelude has it."},
    {"sub-groups", "sub_group_ballot_bit_extract($, $)", "sub_group_ballot_bit_extract($, $)",
     "Of the first 32 of 128 bits; the prelude has it."},
    {"sub-groups", "get_sub_group_eq_mask()", "get_sub_group_eq_mask()",
     "The lanes that compare so with this one, in the first 32 of 128 bits."},
    {"sub-groups", "get_sub_group_ge_mask()", "get_sub_group_ge_mask()",
     "The lanes that compare so with this one, in the first 32 of 128 bits."},
    {"sub-groups", "get_sub_group_gt_mask()", "get_sub_group_gt_mask()",
     "The lanes that compare so with this one, in the first 32 of 128 bits."},
    {"sub-groups", "get_sub_group_le_mask()", "get_sub_group_le_mask()",
     "The lanes that compare so with this one, in the first 32 of 128 bits."},
    {"sub-groups", "get_sub_group_lt_mask()", "get_sub_group_lt_mask()",
     "The lanes that compare so with this one, in the first 32 of 128 bits."},

    {"memory", "async_work_group_copy($, $, $, $)", "async_work_group_copy($, $, $, $)",
     "The group copies in a loop, done for each work-item when it returns; "
     "wait_group_events is the barrier.", nearly},
    {"memory", "async_work_group_strided_copy($, $, $, $, $)",
     "async_work_group_strided_copy($, $, $, $, $)",
     "The group copies in a loop. The stride belongs to the side in global memory.", nearly},
    {"memory", "wait_group_events($, $)", "wait_group_events($, $)",
     "__syncthreads(): all work-items have copied their share."},
    {"memory", "prefetch($, $)", "((void)0)", "A hint without effect on results."},

    {"synchronisation", "barrier(CLK_LOCAL_MEM_FENCE)", "__syncthreads()",
     "All work-items of the group arrive before one goes on. CUDA's barrier orders "
     "global memory as well.", nearly},
    {"synchronisation", "barrier(CLK_GLOBAL_MEM_FENCE)", "__syncthreads()",
     "It orders global memory for this group only, in both languages. CUDA's barrier "
     "orders shared memory as well.", nearly},
    {"synchronisation", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "__syncthreads()",
     "Both kinds of memory, which is what CUDA's barrier always does."},
    {"synchronisation", "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)", "__syncthreads()",
     "The flags have no order."},
    {"synchronisation", "barrier($)", "__syncthreads()",
     "Whatever the flags are, 0 among them: CUDA's barrier orders both kinds of "
     "memory.", nearly},
    {"synchronisation", "work_group_barrier($)", "__syncthreads()",
     "OpenCL 2.0's name for barrier.", nearly},
    {"synchronisation", "work_group_barrier($, memory_scope_work_group)", "__syncthreads()",
     "The scope that a barrier has without one.", nearly},
    {"synchronisation", "work_group_barrier($, memory_scope_device)",
     "(__threadfence(), __syncthreads())",
     "The barrier, and what came before it is ordered for the whole device.", nearly},
    {"synchronisation", "work_group_barrier($, memory_scope_all_svm_devices)",
     "(__threadfence_system(), __syncthreads())",
     "The barrier, and what came before it is ordered for the host as well.", nearly},
    {"synchronisation", "work_group_barrier($, memory_scope_all_devices)",
     "(__threadfence_system(), __syncthreads())",
     "The barrier, and what came before it is ordered for the host as well.", nearly},
    {"synchronisation", "mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence_block()",
     "Orders this work-item's accesses as its group sees them; it waits for nobody."},
    {"synchronisation", "read_mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence_block()",
     "CUDA has no fence for loads alone; the full one is stronger.", nearly},
    {"synchronisation", "write_mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence_block()",
     "CUDA has no fence for stores alone; the full one is stronger.", nearly},
    {"synchronisation", "mem_fence($)", "__threadfence()",
     "OpenCL 1.2 does not say for whom it orders global memory; CUDA's orders both "
     "kinds for the whole device.", nearly},
    {"synchronisation", "read_mem_fence($)", "__threadfence()",
     "CUDA has no fence for loads alone; the full one, for the whole device, is "
     "stronger.", nearly},
    {"synchronisation", "write_mem_fence($)", "__threadfence()",
     "CUDA has no fence for stores alone; the full one, for the whole device, is "
     "stronger.", nearly},
    {"synchronisation", "atomic_work_item_fence($, $, $)", "atomic_work_item_fence($, $, $)",
     "CUDA's fence of the scope, for both kinds of memory; none for "
     "memory_order_relaxed.", nearly},
    {"synchronisation", "CLK_LOCAL_MEM_FENCE", "1u",
     "A flag outside of a barrier's parentheses. CUDA's fences do not ask for it."},
    {"synchronisation", "CLK_GLOBAL_MEM_FENCE", "2u",
     "A flag outside of a barrier's parentheses. CUDA's fences do not ask for it."},
    {"synchronisation", "CLK_IMAGE_MEM_FENCE", "4u",
     "A flag outside of a barrier's parentheses. CUDA's fences do not ask for it."},
    // clang-format on
};

}  // namespace

std::span<const Row> group_rows() {
    return rows;
}

}  // namespace parallax

// Barriers and fences.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_synchronisation[] = {
    {"barrier(CLK_LOCAL_MEM_FENCE)", "__syncthreads()",
     "All work-items of the group arrive before one goes on. CUDA's barrier orders global "
     "memory as well.", nearly, "block barrier, group barrier"},
    {"barrier(CLK_GLOBAL_MEM_FENCE)", "__syncthreads()",
     "It orders global memory for this group only, in both languages. CUDA's barrier orders "
     "shared memory as well.", nearly},
    {"barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "__syncthreads()",
     "Both kinds of memory, which is what CUDA's barrier always does."},
    {"barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)", "__syncthreads()",
     "The flags have no order."},
    {"barrier($)", "__syncthreads()",
     "Whatever the flags are, 0 among them: CUDA's barrier orders both kinds of memory.", nearly},
    {"work_group_barrier($)", "__syncthreads()", "OpenCL 2.0's name for barrier.", nearly},
    {"work_group_barrier($, memory_scope_work_group)", "__syncthreads()",
     "The scope that a barrier has without one.", nearly},
    {"work_group_barrier($, memory_scope_device)", "(__threadfence(), __syncthreads())",
     "The barrier, and what came before it is ordered for the whole device.", nearly},
    {"work_group_barrier($, memory_scope_all_<svm_devices|devices>)",
     "(__threadfence_system(), __syncthreads())",
     "The barrier, and what came before it is ordered for the host as well.", nearly},
    {"mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence_block()",
     "Orders this work-item's accesses as its group sees them; it waits for nobody."},
    {"<read|write>_mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence_block()",
     "CUDA has no fence for loads or for stores alone and takes the full one, which orders more.",
     nearly},
    {"mem_fence($)", "__threadfence()",
     "OpenCL 1.2 does not say for whom it orders global memory; CUDA's orders both kinds for "
     "the whole device.", nearly, "__threadfence, memory fence, fence"},
    {"<read|write>_mem_fence($)", "__threadfence()",
     "CUDA has no fence for loads or for stores alone and takes the full one for the whole device, "
     "which orders more.", nearly},
    {"atomic_work_item_fence($, $, $)", "=",
     "CUDA's fence of the scope, for both kinds of memory; none for memory_order_relaxed.", nearly,
     "@"},
    {"CLK_<LOCAL|GLOBAL|IMAGE>_MEM_FENCE", "<1u|2u|4u>",
     "A flag that stands outside of a barrier's parentheses. CUDA's fences do not ask for it."},
};

}  // namespace parallax::row_lists

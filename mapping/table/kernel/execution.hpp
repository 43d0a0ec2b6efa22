// Functions, work-items and work-groups, and their barriers and fences.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_execution[] = {
    {"__kernel", "extern \"C\" __global__",
     "A function that the host can launch. extern \"C\" keeps its name as written, so that the "
     "host finds it.", same, "kernel function, __global__, entry point"},
    {"kernel", "extern \"C\" __global__", "The same word without underscores."},
    {"__kernel f(), called", "__device__ f_called()",
     "OpenCL's kernels may call each other, CUDA's are launched only. What others call becomes a "
     "helper function, and the kernel of its name calls that."},
    {"T f()", "__device__ T f()",
     "A helper function. OpenCL C has only one side; CUDA must be told that a function is for "
     "the device.", same, "__device__, device function, __host__, __forceinline__, __noinline__"},
    {"get_global_id($)", "(size_t(blockIdx.$) * blockDim.$ + threadIdx.$)",
     "CUDA has no global index. blockIdx and blockDim are 32 bits wide and OpenCL's result is a "
     "size_t: without the conversion large indices wrap. CUDA's launches have no offset: where "
     "the host gives one, a manifest's 'offset' puts it into the text.", nearly, "blockIdx, threadIdx, global index, thread index"},
    {"get_local_id($)", "size_t(threadIdx.$)",
     "The index within the work-group (block). The conversion keeps arithmetic with it at 64 "
     "bits, as it is in OpenCL."},
    {"get_group_id($)", "size_t(blockIdx.$)",
     "The index of the work-group (block). Without the conversion blockIdx.x * TILE * width "
     "would be 32-bit arithmetic."},
    {"get_local_size($)", "size_t(blockDim.$)",
     "Work-items of a group (threads of a block) in one dimension."},
    {"get_num_groups($)", "size_t(gridDim.$)",
     "Work-groups (blocks) of the launch. OpenCL's host counts items, CUDA's counts blocks."},
    {"get_global_size($)", "(size_t(gridDim.$) * blockDim.$)",
     "Work-items of the whole launch in one dimension; CUDA keeps only the two factors.", same,
     "gridDim, grid-stride loop"},
    {"__attribute__((reqd_work_group_size($, $, $)))", "__launch_bounds__(($) * ($) * ($))",
     "Tells the compiler the size of a group so that it can spend registers accordingly. OpenCL "
     "demands exactly this shape, this word of CUDA any shape of at most as many threads; "
     "__block_size__((x, y, z)) demands it from compute capability 9.0 on.", nearly,
     "__launch_bounds__, __maxnreg__, __block_size__"},
    {"get_global_offset($)", "size_t(0)",
     "CUDA's launches have none: where the host gives one, a manifest's 'offset' puts it into the "
     "text.", nearly},
    {"get_enqueued_local_size($)", "size_t(blockDim.$)",
     "All groups of a CUDA launch are of one size."},
    {"get_global_linear_id()", "=",
     "The index counted through all dimensions, x fastest; the prelude has it.", same, "@"},
    {"get_local_linear_id()", "=",
     "The index within the group counted through all dimensions, x fastest; the prelude has it.",
     same, "@"},
    {"work_group_<all|any>($)", "__syncthreads_<and|or>($)",
     "Tells whether it holds for every or for some work-item of the group. CUDA's is a barrier as "
     "well, which OpenCL does not promise.", nearly, "__syncthreads_count"},
    {"work_group_broadcast($, $<|, $|, $, $>)", "=",
     "The prelude gives one work-item's value to the whole group, through shared memory.", same,
     "@"},
    {"work_group_reduce_add($)", "=",
     "The prelude adds the values of the whole group by a tree in shared memory. OpenCL does "
     "not fix the order of the sums.", nearly, "@"},
    {"work_group_scan_<inclusive|exclusive>_add($)", "=",
     "The prelude adds the values of the work-items before, for inclusive this one's as well, "
     "through shared memory. OpenCL does not fix the order of the sums.", nearly,
     "@cub::BlockScan"},
    {"work_group_reduce_<min|max>($)", "=",
     "The prelude finds it for the whole group by a tree in shared memory.", same, "@"},
    {"work_group_scan_<inclusive|exclusive>_<min|max>($)", "=",
     "The prelude finds it for the work-items before, for inclusive with this one, through shared "
     "memory.", same, "@cub::BlockScan"},
    {"get_work_dim()", "", "CUDA does not know it in a kernel; pass it as an argument. In a manifest the launch says "
     "it, and both sides get the number as a macro.", none},
    {"work_group_*()", "",
     "Only reductions, scans, broadcast, all and any of the group are translated. Write it with "
     "local memory and barriers.", none},
    {"__attribute__", "",
     "This attribute is not translated. Hints vanish; aligned, packed, reqd_work_group_size and "
     "opencl_unroll_hint have counterparts.", none},
    {"enqueue_kernel(), enqueue_marker(), get_default_queue(), queue_t, clk_event_t, ndrange_t, "
     "ndrange_*(), create_user_event(), retain_event(), release_event(), set_user_event_status(), "
     "capture_event_profiling_info(), is_valid_event(), get_kernel_*()", "",
     "Launching from the device is another model in CUDA: kernel<<<grid, block>>>() within a "
     "kernel, whose end nothing there can wait for. Launch from the host.", none,
     "dynamic parallelism, device-side enqueue, launch from the device, CDP, "
     "cudaStreamFireAndForget, cudaStreamTailLaunch, CL_DEVICE_MAX_ON_DEVICE_QUEUES"},
    {"pipe, reserve_id_t, read_pipe(), write_pipe(), reserve_read_pipe(), "
     "reserve_write_pipe(), commit_read_pipe(), commit_write_pipe(), get_pipe_*(), "
     "is_valid_reserve_id(), work_group_reserve_*(), work_group_commit_*(), "
     "sub_group_reserve_*(), sub_group_commit_*()", "",
     "CUDA has no pipes. Write a ring in global memory, with an atomic for each of its ends.",
     none},
};

/// Barriers and fences.
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

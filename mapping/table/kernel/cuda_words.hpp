// Words of CUDA that OpenCL C has in another form, or not at all.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr std::string_view written_out =
    "OpenCL C has no function for it: it is written out, as a function of its own.";

inline constexpr MappingRule kernel_cuda_words[] = {
    // Launches, work-groups and memory.
    {"", "<<<>>>",
     "A kernel of OpenCL C 1.2 launches none; enqueue_kernel() of 2.0 is optional, and few devices "
     "have it. Write what is to be done into a buffer, and let the host launch it, or let the groups "
     "that run take it from there by an atomic.", none,
     "dynamic parallelism, device-side launch, CDP, cudaStreamFireAndForget, cudaStreamTailLaunch, "
     "nested kernel launch"},
    {"", "cuda",
     "libcu++: cuda::atomic_ref is atomic_fetch_add_explicit and its like of OpenCL C 2.0, whose "
     "memory_scope_work_group is thread_scope_block; its barriers, pipelines and memcpy_async have "
     "no counterpart. Write atomicAdd() and its like, which are relaxed, __threadfence() and "
     "__syncthreads().", none,
     "cuda::atomic, cuda::atomic_ref, thread_scope_block, memory order, cuda::barrier, "
     "cuda::pipeline, cuda::memcpy_async, libcu++"},
    {"__global T* p", "__managed__ T data",
     "A parameter takes its place, as for __device__. That the host and the device touch the same "
     "memory is SVM in OpenCL 2.0 (clSVMAlloc), and fine-grained on few devices: elsewhere the host "
     "copies.", nearly, "managed memory, unified memory, __managed__"},
    {"", "__pipeline_*()",
     "Asynchronous copies into shared memory: OpenCL C has async_work_group_copy(), which all "
     "work-items of a group call alike and which no GPU does in hardware. Copy with plain loads and "
     "stores, and __syncthreads().", none,
     "cp.async, asynchronous copy, __pipeline_memcpy_async, memcpy_async, TMA"},
    {"", "nvcuda, wmma, mma",
     "Tensor cores have no word in OpenCL C. Multiply tiles in __shared__ memory; NVIDIA's OpenCL "
     "takes the same inline PTX (mma.sync) in a kernel that is written for it.", none,
     "tensor cores, wmma, mma, mma.sync, matrix multiply-accumulate"},
    {"T a", "__grid_constant__ T a",
     "A promise that nothing writes the parameter, so that its address may be taken. A parameter of "
     "OpenCL C is a copy of the work-item's own.", nearly, "__grid_constant__"},
    {"", "__nanosleep()", "OpenCL C cannot wait for a time. Leave it out: the loop around it tries again.",
     none, "sleep in a kernel, spin lock, back-off"},
    // Integers.
    {"f($)", "<__ffs|__ffsll|__brev|__brevll|__saturatef|__double2hiint|__double2loint>($)", written_out,
     same, "find first set, reverse bits, bit_reverse, integer intrinsics"},
    {"f($, $)", "__hiloint2double($, $)", written_out},
    {"f($, $, $)", "<__funnelshift_l|__funnelshift_r|__byte_perm|__dp4a>($, $, $)",
     "OpenCL C has no function for it: it is written out, as a function of its own. OpenCL's "
     "dot_4x8packed_ss_int is of an extension (cl_khr_integer_dot_product), and its shuffle2 chooses "
     "among components.", same,
     "integer dot product, permute bytes, funnel shift, dp4a, integer intrinsics"},
    {"", "__dp2a_*(), __vadd*(), __vsub*(), __vmin*(), __vmax*(), __vabs*(), __vavg*(), __vcmp*(), "
         "__vset*(), __sad(), __usad()",
     "Several numbers in one integer. OpenCL C has vectors of bytes and shorts with operators, "
     "add_sat, min and abs_diff. Write the parts one by one.", none,
     "SIMD within a register, video instructions, SIMD intrinsics"},
};

}  // namespace parallax::row_lists

// The execution model: launches, work-groups and warps.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule host_execution[] = {
    {"work-item", "thread",
     "Neither API promises an order among them: PoCL runs the items of a group one after "
     "another and so hides races that a GPU shows.", same,
     "item, CUDA thread, race, data race, Oclgrind"},
    {"work-group", "thread block, block",
     "Groups run in any order and need not run at the same time, so one that waits for another "
     "may wait for ever on both sides.", same,
     "group, CTA, cooperative thread array, local size, block size, inter-group "
     "synchronisation, deadlock"},
    {"NDRange", "grid",
     "The same cloud of items, counted differently: an NDRange has work-items, a grid has "
     "blocks.", nearly, "index space, gridDim, dim3, cl::NDRange, global work size",
     {{"backends/opencl/run.cpp", "cl::NDRange range_of(const Size& size) {"},
      {"backends/cuda/run.cpp", "dim3 dim3_of(const Size& size) {"}}},
    {"global_work_size, local_work_size", "<<<grid, block, shared bytes, stream>>>",
     "OpenCL counts items and CUDA counts blocks: global_work_size is grid times block, and "
     "taking one number for the other starts too much or too little without an error.", nearly,
     "execution configuration, launch configuration, launch parameters, <<<, cl::NullRange, "
     "cl::EnqueueArgs, global_work_size, local_work_size, cudaLaunchConfig_t, "
     "CL_INVALID_WORK_DIMENSION, grid size, number of blocks",
     {{"backends/opencl/run.cpp", "const Size all{geometry.groups.x * geometry.items.x"},
      {"backends/cuda/run.cpp", ".groups = dim3_of(dispatch.geometry.groups),"}}},
    {"local_work_size NULL", "cudaOccupancyMaxPotentialBlockSize",
     "OpenCL lets the driver choose the work-group size, which makes a comparison one of "
     "guesses, and since 3.1 tells which it would take; CUDA always wants a block size, and only "
     "proposes one.", nearly,
     "automatic group size, default group size, cl_khr_suggested_local_work_size, "
     "clGetKernelSuggestedLocalWorkSizeKHR"},
    {"global size that is no multiple of the group's", "if (i < n) in the kernel",
     "OpenCL 1.2 refuses it (CL_INVALID_WORK_GROUP_SIZE), 2.0 runs a smaller last group, and in "
     "3.0 that is optional; CUDA's blocks are all alike, so round up and let the kernel test its "
     "index.", nearly,
     "remainder, non-uniform work-group, rounding up, ceil division, uniform, "
     "CL_INVALID_GLOBAL_WORK_SIZE, -cl-uniform-work-group-size"},
    {"global_work_offset", "",
     "CUDA has no offset of the index, so pass it as an argument; in the PTX of NVIDIA's OpenCL "
     "it is %envreg3 to 5, which nothing fills when CUDA loads that PTX.", none,
     "global offset, envreg, CL_INVALID_GLOBAL_OFFSET"},
    {"sub-group", "warp",
     "A warp always has 32 threads; a sub-group is as large as the driver says, optional in "
     "OpenCL 3.0 and required from 3.1 on, and NVIDIA's OpenCL 3.0 has none, so shuffles there "
     "need inline PTX.", nearly,
     "warp, subgroup, wavefront, SIMD, SIMT, lane, warp-synchronous, __syncwarp, warp shuffle, "
     "warp-level, cl_khr_subgroups, CL_DEVICE_MAX_NUM_SUB_GROUPS, "
     "CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, clGetKernelSubGroupInfo"},
    {"CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE", "cudaDeviceProp::warpSize",
     "OpenCL answers for one kernel and as a hint; CUDA for the device and as a fact, also as "
     "warpSize within a kernel, where it is no compile-time constant.", nearly,
     "warp size, warpSize, CL_DEVICE_WARP_SIZE_NV, cudaDevAttrWarpSize, preferred multiple",
     {{"backends/opencl/compile.cpp", "CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE"},
      {"backends/cuda/code.cpp", "cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize"}}},
    {"CL_DEVICE_MAX_COMPUTE_UNITS", "cudaDeviceProp::multiProcessorCount",
     "A compute unit is a multiprocessor on NVIDIA's GPUs, a logical core on a CPU and "
     "something of another size elsewhere, so never compare the number across vendors.", same,
     "compute unit, multiprocessor, streaming multiprocessor, SM, number of cores, "
     "cudaDevAttrMultiProcessorCount",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()"},
      {"backends/cuda/cuda_backend.cpp", "static_cast<std::uint32_t>(p.multiProcessorCount);"}}},
    {"processing element", "CUDA core",
     "Neither API can count them: how many a multiprocessor has follows from the compute "
     "capability, and only NVIDIA's tables say it.", nearly,
     "PE, core, arithmetic unit, FP32 lanes"},
    {"divergent control flow", "warp divergence",
     "The paths of a warp run one after another, from compute capability 7.0 on in any mixture: "
     "only __syncwarp() says where they meet again; OpenCL has no word for the warp, and its "
     "text cannot say where divergence begins to cost.", nearly,
     "divergence, divergent, branch, predication, reconvergence, thread divergence, independent "
     "thread scheduling"},
    {"", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
     "OpenCL has no query of occupancy: it follows from registers and local bytes by the "
     "multiprocessor's rules, which 'parallax occupancy' applies to both sides.", none,
     "cudaOccupancy*, occupancy, active blocks, resident warps, latency hiding, "
     "cuOccupancyMaxActiveBlocksPerMultiprocessor",
     {{"backends/cuda/code.cpp", "cudaOccupancyMaxActiveBlocksPerMultiprocessor("}}},
    {"CL_KERNEL_WORK_GROUP_SIZE", "cudaFuncAttributes::maxThreadsPerBlock",
     "A larger group than this fails at the launch and not at the build, with "
     "CL_INVALID_WORK_GROUP_SIZE or cudaErrorLaunchOutOfResources.", same,
     "kernel group size limit, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK",
     {{"backends/opencl/compile.cpp",
       "kernel_.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device)"},
      {"backends/cuda/code.cpp", "static_cast<std::uint32_t>(attributes.maxThreadsPerBlock);"}}},
    {"CL_KERNEL_COMPILE_WORK_GROUP_SIZE", "",
     "OpenCL says the shape that reqd_work_group_size demands; CUDA's __launch_bounds__ shows "
     "only as a smaller maxThreadsPerBlock.", none, "required group size, launch bounds",
     {{"backends/opencl/compile.cpp", "CL_KERNEL_COMPILE_WORK_GROUP_SIZE"}}},
    {"", "cudaLaunchCooperativeKernel",
     "OpenCL has no barrier across groups: end the kernel and launch the next one; CUDA refuses "
     "the launch unless all blocks fit on the device at once "
     "(cudaErrorCooperativeLaunchTooLarge), and in a plain launch grid.sync() traps.",
     none,
     "cudaLaunchCooperativeKernelMultiDevice, grid sync, grid synchronisation, cooperative "
     "groups, cuLaunchCooperativeKernel, global barrier, this_grid, "
     "cudaErrorCooperativeLaunchTooLarge, cudaDevAttrCooperativeLaunch",
     {{"backends/cuda/run.cpp", "cudaLaunchCooperativeKernel(launch.kernel, launch.groups"}}},
    {"", "cudaLaunchKernelEx",
     "Clusters of blocks that read each other's shared memory (compute capability 9.0) and "
     "other launch attributes have no word in OpenCL.", none,
     "thread block cluster, cluster, distributed shared memory, __cluster_dims__, "
     "cudaLaunchAttribute*, cuLaunchKernelEx, programmatic dependent launch"},
    {"", "assert() and __trap() in a kernel",
     "OpenCL C has neither: write what is wrong into a buffer, and let the host look; in CUDA both "
     "end the kernel and leave a context that is dead.", none,
     "assert, __trap, device assertion, cudaErrorAssert, abort in a kernel, NDEBUG"},
    {"", "nvcuda::wmma",
     "Tensor cores have no word in portable OpenCL C; NVIDIA's compiler for it takes the same "
     "inline PTX.", none, "tensor core, tensor cores, wmma, matrix multiply-accumulate"},
    {"clEnqueueNativeKernel", "cudaLaunchHostFunc",
     "Few OpenCL drivers run native kernels (CL_DEVICE_EXECUTION_CAPABILITIES says so); a CUDA "
     "host function keeps its stream waiting and may call nothing of CUDA.", nearly,
     "native kernel, host function, cuLaunchHostFunc, CL_EXEC_NATIVE_KERNEL"},
};

}  // namespace parallax::row_lists

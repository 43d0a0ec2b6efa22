// The map's rows of the execution model: items and threads, groups and blocks, warps, occupancy.
#include "mapping/table/host_rows.hpp"

namespace parallax {
namespace {

using enum Equivalence;
constexpr std::string_view topic = "execution model";

}  // namespace

std::vector<MapRow> execution_rows() {
    return {
        {topic, "work-item", "thread", same,
         "Neither API promises an order among them: PoCL runs the items of a group one after "
         "another and so hides races that a GPU shows.",
         "item, CUDA thread, race, data race, Oclgrind"},
        {topic, "work-group", "thread block, block", same,
         "Groups run in any order and need not run at the same time, so one that waits for "
         "another may wait for ever on both sides.",
         "group, CTA, cooperative thread array, local size, block size, "
         "inter-group synchronisation, deadlock"},
        {topic,
         "NDRange",
         "grid",
         nearly,
         "The same cloud of items, counted differently: an NDRange has work-items, a grid has "
         "blocks.",
         "index space, gridDim, dim3, cl::NDRange, global work size",
         {{"backends/opencl/run.cpp", "cl::NDRange range_of(const Size& size) {"},
          {"backends/cuda/run.cpp", "dim3 dim3_of(const Size& size) {"}}},
        {topic,
         "global_work_size, local_work_size",
         "<<<grid, block, shared bytes, stream>>>",
         nearly,
         "OpenCL counts items and CUDA counts blocks: global_work_size is grid times block, and "
         "taking one number for the other starts too much or too little without an error.",
         "execution configuration, launch configuration, launch parameters, <<<, cl::NullRange, "
         "cl::EnqueueArgs, global_work_size, local_work_size, cudaLaunchConfig_t, "
         "CL_INVALID_WORK_DIMENSION, grid size, number of blocks",
         {{"backends/opencl/run.cpp", "const Size all{geometry.groups.x * geometry.items.x"},
          {"backends/cuda/run.cpp", ".groups = dim3_of(dispatch.geometry.groups),"}}},
        {topic, "local_work_size NULL", "cudaOccupancyMaxPotentialBlockSize", nearly,
         "OpenCL lets the driver choose the work-group size, which makes a comparison one of "
         "guesses; CUDA always wants a block size, and only proposes one.",
         "automatic group size, default group size, cl_khr_suggested_local_work_size, "
         "clGetKernelSuggestedLocalWorkSizeKHR"},
        {topic, "global size that is no multiple of the group's", "if (i < n) in the kernel",
         nearly,
         "OpenCL 1.2 refuses it (CL_INVALID_WORK_GROUP_SIZE) and 2.0 may run a smaller last "
         "group; CUDA's blocks are all alike, so round up and let the kernel test its index.",
         "remainder, non-uniform work-group, rounding up, ceil division, uniform, "
         "CL_INVALID_GLOBAL_WORK_SIZE, -cl-uniform-work-group-size"},
        {topic, "global_work_offset", "", none,
         "CUDA has no offset of the index, so pass it as an argument; in the PTX of NVIDIA's "
         "OpenCL it is %envreg0 to 5, which nothing fills when CUDA loads that PTX.",
         "global offset, envreg, CL_INVALID_GLOBAL_OFFSET"},
        {topic, "sub-group", "warp", nearly,
         "A warp always has 32 threads; a sub-group is as large as the driver says and optional "
         "in OpenCL 3.0, and NVIDIA's OpenCL has none, so shuffles there need inline PTX.",
         "warp, subgroup, wavefront, SIMD, SIMT, lane, warp-synchronous, __syncwarp, warp shuffle, "
         "warp-level, cl_khr_subgroups, CL_DEVICE_MAX_NUM_SUB_GROUPS, "
         "CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, clGetKernelSubGroupInfo"},
        {topic,
         "CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE",
         "cudaDeviceProp::warpSize",
         nearly,
         "OpenCL answers for one kernel and as a hint; CUDA for the device and as a fact, also as "
         "warpSize within a kernel, where it is no compile-time constant.",
         "warp size, warpSize, CL_DEVICE_WARP_SIZE_NV, cudaDevAttrWarpSize, preferred multiple",
         {{"backends/opencl/compile.cpp", "CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE"},
          {"backends/cuda/code.cpp", "cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize"}}},
        {topic,
         "CL_DEVICE_MAX_COMPUTE_UNITS",
         "cudaDeviceProp::multiProcessorCount",
         same,
         "A compute unit is a multiprocessor on NVIDIA's GPUs, a logical core on a CPU and "
         "something of another size elsewhere, so never compare the number across vendors.",
         "compute unit, multiprocessor, streaming multiprocessor, SM, number of cores, "
         "cudaDevAttrMultiProcessorCount",
         {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()"},
          {"backends/cuda/backend.cpp", "static_cast<std::uint32_t>(p.multiProcessorCount);"}}},
        {topic, "processing element", "CUDA core", nearly,
         "Neither API can count them: how many a multiprocessor has follows from the compute "
         "capability, and only NVIDIA's tables say it.",
         "PE, core, arithmetic unit, FP32 lanes"},
        {topic, "divergent control flow", "warp divergence", same,
         "The paths of a warp run one after another on both sides; OpenCL has no word for the "
         "warp, so its text cannot say where divergence begins to cost.",
         "divergence, divergent, branch, predication, reconvergence, thread divergence, "
         "independent thread scheduling"},
        {topic,
         "",
         "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
         none,
         "OpenCL has no query of occupancy: it follows from registers and local bytes by the "
         "multiprocessor's rules, which 'parallax occupancy' applies to both sides.",
         "cudaOccupancy*, "
         "occupancy, active blocks, resident warps, latency hiding, "
         "cuOccupancyMaxActiveBlocksPerMultiprocessor",
         {{"backends/cuda/code.cpp", "cudaOccupancyMaxActiveBlocksPerMultiprocessor("}}},
        {topic,
         "CL_KERNEL_WORK_GROUP_SIZE",
         "cudaFuncAttributes::maxThreadsPerBlock",
         same,
         "A larger group than this fails at the launch and not at the build, with "
         "CL_INVALID_WORK_GROUP_SIZE or cudaErrorLaunchOutOfResources.",
         "kernel group size limit, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK",
         {{"backends/opencl/compile.cpp",
           "kernel_.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device)"},
          {"backends/cuda/code.cpp",
           "static_cast<std::uint32_t>(attributes.maxThreadsPerBlock);"}}},
        {topic,
         "CL_KERNEL_COMPILE_WORK_GROUP_SIZE",
         "",
         none,
         "OpenCL says the shape that reqd_work_group_size demands; CUDA's __launch_bounds__ "
         "shows only as a smaller maxThreadsPerBlock.",
         "required group size, launch bounds",
         {{"backends/opencl/compile.cpp", "CL_KERNEL_COMPILE_WORK_GROUP_SIZE"}}},
        {topic, "", "cudaLaunchCooperativeKernel", none,
         "OpenCL has no barrier across groups: end the kernel and launch the next one; CUDA's "
         "grid.sync() hangs unless all blocks fit on the device at once and the launch says so.",
         "cudaLaunchCooperativeKernelMultiDevice, "
         "grid sync, grid synchronisation, cooperative groups, cuLaunchCooperativeKernel, "
         "global barrier, this_grid"},
        {topic, "", "cudaLaunchKernelEx", none,
         "Clusters of blocks that read each other's shared memory (compute capability 9.0) and "
         "other launch attributes have no word in OpenCL.",
         "thread block cluster, cluster, distributed shared memory, __cluster_dims__, "
         "cudaLaunchAttribute*, cuLaunchKernelEx, programmatic dependent launch"},
        {topic, "clEnqueueNativeKernel", "cudaLaunchHostFunc", nearly,
         "Few OpenCL drivers run native kernels (CL_DEVICE_EXECUTION_CAPABILITIES says so); a "
         "CUDA host function keeps its stream waiting and may call nothing of CUDA.",
         "native kernel, host function, cuLaunchHostFunc, CL_EXEC_NATIVE_KERNEL"},
    };
}

}  // namespace parallax

// Platforms, devices and their properties.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule host_platform[] = {
    {"clGetPlatformIDs", "",
     "The ICD loader lists the drivers that files in /etc/OpenCL/vendors name, and says -1001 "
     "(CL_PLATFORM_NOT_FOUND_KHR) where there is none; CUDA has one driver and nothing to "
     "choose.", none,
     "platform, ICD, installable client driver, ICD loader, vendor, cl_platform_id, "
     "cl::Platform, cl::Platform::get, CL_PLATFORM_*, clGetPlatformInfo, cl_khr_icd, cuInit",
     {{"backends/opencl/backend.cpp", "cl::Platform::get(&platforms);"}}},
    {"clGetDeviceIDs", "cudaGetDeviceCount",
     "Number 0 is not the same device on both sides: OpenCL counts within a platform, which may "
     "be a CPU's, and CUDA puts the fastest first unless CUDA_DEVICE_ORDER says PCI_BUS_ID, so "
     "take the UUID.", nearly,
     "cudaChooseDevice, cudaSetValidDevices, device, devices, cl_device_id, cl::Device, "
     "getDevices, CL_DEVICE_TYPE, CL_DEVICE_TYPE_*, CL_DEVICE_NOT_FOUND, CUdevice, cuDeviceGet, "
     "cuDeviceGetCount, CUDA_VISIBLE_DEVICES, CUDA_DEVICE_ORDER, device 0, device number, ordinal",
     {{"backends/opencl/backend.cpp", "platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);"},
      {"backends/cuda/cuda_backend.cpp", "cudaGetDeviceCount(&count)"}}},
    {"clCreateContext", "cudaSetDevice",
     "An OpenCL context is made by hand and its objects do not mix with another's; CUDA's "
     "runtime makes one primary context a device, which every library of the process shares.",
     nearly,
     "clGetContextInfo, context, primary context, cl_context, cl::Context, "
     "cl_context_properties, clCreateContextFromType, CL_CONTEXT_*, CL_INVALID_CONTEXT, "
     "CUcontext, cuCtxCreate, cuCtxSetCurrent, cuDevicePrimaryCtxRetain, cudaInitDevice",
     {{"backends/opencl/opencl_device.cpp", "shared_->context = cl::Context(device, properties"},
      {"backends/cuda/context.cpp", "CHECK(*this, cudaSetDevice(ordinal_));"}}},
    {"", "cudaGetDevice",
     "CUDA's current device belongs to the calling host thread, and a new thread begins with "
     "device 0; in OpenCL every queue, program and query names its device.", none,
     "current device, host thread, thread safety",
     {{"backends/cuda/context.hpp", "Makes the device current in the calling thread"}}},
    {"clReleaseContext", "cudaDeviceReset",
     "cudaDeviceReset destroys what every other part of the process has on the device, while an "
     "OpenCL context ends with its last reference and touches no other.", nearly,
     "clRetainContext, cuCtxDestroy, cuDevicePrimaryCtxRelease, reset"},
    {"clGetDeviceInfo", "cudaGetDeviceProperties, cudaDeviceGetAttribute",
     "cudaDeviceProp is one structure whose members change with the toolkit (the clocks left it "
     "with CUDA 13), and clGetDeviceInfo answers one question at a time, an unknown one with "
     "CL_INVALID_VALUE.", nearly,
     "device query, getInfo, cl_device_info, CL_DEVICE_*, cudaDeviceProp, cudaDevAttr*, "
     "cudaDeviceAttr, cuDeviceGetAttribute, CU_DEVICE_ATTRIBUTE_*, clGetPlatformInfo",
     {{"backends/opencl/query.cpp", "clGetDeviceInfo(device(), what, sizeof value"},
      {"backends/cuda/cuda_backend.cpp", "cudaGetDeviceProperties(&p, ordinal)"}}},
    {"CL_DEVICE_NAME", "cudaDeviceProp::name",
     "Two cards of one model have one name, and an OpenCL driver may call the device as it "
     "likes, so a name is no key: the UUID is.", nearly,
     "device name, CL_DEVICE_VENDOR, CL_DEVICE_VENDOR_ID, cuDeviceGetName",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_NAME>()"},
      {"backends/cuda/cuda_backend.cpp", "info.name = p.name;"}}},
    {"CL_DEVICE_UUID_KHR", "cudaDeviceProp::uuid",
     "Both are the same 16 bytes; OpenCL's needs the extension cl_khr_device_uuid, which older "
     "drivers and bindings lack, until 3.1 has it in the core.", same, "UUID, cl_khr_device_uuid, cuDeviceGetUuid, same device",
     {{"backends/opencl/query.cpp", "ask<Uuid>(device, device_uuid_khr)"},
      {"backends/cuda/cuda_backend.cpp", "std::memcpy(uuid.data(), p.uuid.bytes, sizeof uuid);"}}},
    {"CL_DEVICE_PCI_BUS_INFO_KHR", "cudaDeviceGetPCIBusId",
     "OpenCL gives four numbers and CUDA a text; slices of one GPU (MIG) share its PCI address, "
     "and only their UUIDs tell them apart.", nearly,
     "PCI, PCI address, bus id, cl_khr_pci_bus_info, CL_DEVICE_PCI_BUS_ID_NV, "
     "CL_DEVICE_PCI_SLOT_ID_NV, pciBusID, cudaDeviceGetByPCIBusId, MIG",
     {{"backends/opencl/query.cpp", "ask<Address>(device, device_pci_bus_info_khr)"},
      {"backends/cuda/cuda_backend.cpp", "cudaDeviceGetPCIBusId(pci, sizeof pci, ordinal)"}}},
    {"CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV",
     "cudaDeviceProp::major, cudaDeviceProp::minor",
     "Only NVIDIA's OpenCL has these (cl_nv_device_attribute_query): portable OpenCL asks for "
     "each feature and its limit instead of a number that stands for all.", same,
     "compute capability, cl_nv_device_attribute_query, sm_90, compute_90, "
     "cudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMinor, __CUDA_ARCH__",
     {{"backends/opencl/query.cpp", "const auto major = ask<cl_uint>(device"},
      {"backends/cuda/cuda_device.cpp", "cudaDevAttrComputeCapabilityMajor"}}},
    {"CL_DRIVER_VERSION, CL_DEVICE_VERSION", "cudaDriverGetVersion, cudaRuntimeGetVersion",
     "cudaDriverGetVersion says which CUDA the driver supports (13000 is 13.0) and not the "
     "driver's own number, which CL_DRIVER_VERSION says and CUDA leaves to NVML.", nearly,
     "driver version, CL_PLATFORM_VERSION, CL_DEVICE_OPENCL_C_VERSION, CUDART_VERSION, "
     "cuDriverGetVersion, nvrtcVersion, NVML, version",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DRIVER_VERSION>()"},
      {"backends/cuda/cuda_backend.cpp", "cudaRuntimeGetVersion(&runtime);"}}},
    {"CL_DEVICE_EXTENSIONS", "",
     "In OpenCL ask before use, since double, half, images and sub-groups are optional; in CUDA "
     "the compute capability implies them all.", none,
     "extension, extensions, optional feature, CL_DEVICE_EXTENSIONS_WITH_VERSION",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_EXTENSIONS>()"}}},
    {"CL_DEVICE_SINGLE_FP_CONFIG, CL_DEVICE_DOUBLE_FP_CONFIG", "",
     "An OpenCL device may lack double, denormals or correctly rounded division, and its bits "
     "say so; every CUDA device has them, at a speed that differs widely.", none,
     "CL_FP_*, CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config, double precision, "
     "singleToDoublePrecisionPerfRatio",
     {{"backends/opencl/query.cpp",
       "ask<cl_device_fp_config>(device, CL_DEVICE_SINGLE_FP_CONFIG)"}}},
    {"CL_DEVICE_MAX_CLOCK_FREQUENCY", "cudaDevAttrClockRate",
     "OpenCL counts in MHz and CUDA in kHz, and both say the highest clock and not the one at "
     "which a kernel ran.", nearly, "clock, clock rate, frequency, clockRate",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>()"},
      {"backends/cuda/cuda_backend.cpp",
       "cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, ordinal)"}}},
    {"CL_DEVICE_GLOBAL_MEM_SIZE", "cudaDeviceProp::totalGlobalMem",
     "It is what the device has and not what is free.", same,
     "memory size, device memory size, cuDeviceTotalMem",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>()"},
      {"backends/cuda/cuda_backend.cpp", "info.memory_bytes = p.totalGlobalMem;"}}},
    {"CL_DEVICE_GLOBAL_FREE_MEMORY_AMD", "cudaMemGetInfo",
     "OpenCL's core cannot ask how much memory is free, only AMD's drivers answer, in kilobytes; "
     "what either side says is a guess as soon as another process uses the device.", nearly,
     "free memory, cuMemGetInfo",
     {{"backends/cuda/cuda_device.cpp", "cudaMemGetInfo(&free, &total)"}}},
    {"CL_DEVICE_MAX_MEM_ALLOC_SIZE", "",
     "An OpenCL device need not give more than a quarter of its memory to one buffer, or more "
     "than 1 GiB where that is less; CUDA has no limit for one piece but what is free.", none,
     "largest buffer, allocation limit",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>()"}}},
    {"CL_DEVICE_GLOBAL_MEM_CACHE_SIZE", "cudaDeviceProp::l2CacheSize",
     "OpenCL does not say which of the caches it means, so read the number as the L2's only "
     "where CUDA says the same.", nearly,
     "L2, L2 cache, cache size, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, "
     "CL_DEVICE_GLOBAL_MEM_CACHE_TYPE",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>()"},
      {"backends/cuda/cuda_backend.cpp", "info.cache_bytes = size(p.l2CacheSize);"}}},
    {"CL_DEVICE_LOCAL_MEM_SIZE",
     "cudaDeviceProp::sharedMemPerBlock, cudaDeviceProp::sharedMemPerBlockOptin",
     "A CUDA block gets 48 KB without asking, and more only as dynamic shared memory after "
     "cudaFuncSetAttribute; OpenCL has no word to ask for more.", nearly,
     "local memory size, shared memory size, sharedMemPerMultiprocessor, "
     "CL_DEVICE_LOCAL_MEM_TYPE, cudaDevAttrMaxSharedMemoryPerBlock*",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>()"},
      {"backends/cuda/cuda_backend.cpp", "std::max(p.sharedMemPerBlock, p.sharedMemPerBlockOptin)"}}},
    {"CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE", "cudaDeviceProp::totalConstMem",
     "OpenCL's limit holds for one __constant argument, and CUDA's 64 KB for all __constant__ "
     "data of a module together.", nearly, "constant memory size, CL_DEVICE_MAX_CONSTANT_ARGS",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>()"},
      {"backends/cuda/cuda_backend.cpp", "info.constant_bytes = p.totalConstMem;"}}},
    {"CL_DEVICE_MAX_WORK_GROUP_SIZE", "cudaDeviceProp::maxThreadsPerBlock",
     "It is the device's limit: a kernel that needs many registers allows less, and says so "
     "when it is asked itself (CL_KERNEL_WORK_GROUP_SIZE, cudaFuncAttributes).", same,
     "group size limit, block size limit, maxThreadsPerMultiProcessor",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()"},
      {"backends/cuda/cuda_backend.cpp", "info.max_group_items = size(p.maxThreadsPerBlock);"}}},
    {"CL_DEVICE_MAX_WORK_ITEM_SIZES", "cudaDeviceProp::maxThreadsDim",
     "Both limit each dimension of one group, and the product is limited besides; CUDA allows "
     "only 64 in z.", same, "CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>()"},
      {"backends/cuda/cuda_backend.cpp", "info.max_items = extents(p.maxThreadsDim);"}}},
    {"", "cudaDeviceProp::maxGridSize",
     "A CUDA grid ends at 65535 blocks in y and z and at 2^31 - 1 in x, where OpenCL has no "
     "limit but that of size_t: put the longest dimension into x.", none,
     "grid limit, largest grid",
     {{"backends/cuda/cuda_backend.cpp", "info.max_groups = extents(p.maxGridSize);"}}},
    {"CL_DEVICE_PROFILING_TIMER_RESOLUTION", "",
     "OpenCL says its timer's tick in nanoseconds; CUDA's events have about half a microsecond, "
     "which only the documentation says.", none, "timer resolution, tick",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_PROFILING_TIMER_RESOLUTION>()"},
      {"backends/cuda/cuda_backend.cpp", "info.timer_tick_seconds = 0.5e-6;"}}},
    {"CL_DEVICE_HOST_UNIFIED_MEMORY", "cudaDeviceProp::integrated",
     "Both ask whether host and device share one physical memory; CUDA's unifiedAddressing is "
     "another thing, one range of addresses.", nearly,
     "integrated GPU, unifiedAddressing, unified addressing, shared physical memory",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>()"},
      {"backends/cuda/cuda_backend.cpp", "info.unified_memory = p.integrated != 0;"}}},
    {"CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE2D_MAX_WIDTH", "cudaDeviceProp::maxTexture2D",
     "Images are optional in OpenCL, and every CUDA device has textures.", nearly,
     "image support, largest image, CL_DEVICE_IMAGE2D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_*",
     {{"backends/opencl/query.cpp", "device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>()"},
      {"backends/cuda/cuda_backend.cpp", "info.max_image_width = size(p.maxTexture2D[0]);"}}},
    {"CL_DEVICE_IMAGE_MAX_BUFFER_SIZE", "cudaDevAttrMaxTexture1DLinearWidth",
     "Both count texels and not bytes, and no texel of a larger buffer can be reached as an "
     "image; CUDA's attribute is deprecated, and cudaDeviceGetTexture1DLinearMaxWidth answers "
     "for one format.", nearly,
     "buffer image limit, maxTexture1DLinear, cudaDeviceGetTexture1DLinearMaxWidth",
     {{"backends/opencl/query.cpp", "CL_DEVICE_IMAGE_MAX_BUFFER_SIZE).value_or(0);"},
      {"backends/cuda/cuda_backend.cpp", "cudaDevAttrMaxTexture1DLinearWidth"}}},
    {"CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT", "",
     "work_group_reduce_add and its kin are optional since OpenCL 3.0, and a compiler that "
     "takes them without the driver's word may compute nonsense; in CUDA they are a library "
     "(CUB).", none, "work-group functions, collective functions, CUB",
     {{"backends/opencl/query.cpp", "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT"}}},
    {"clCreateSubDevices", "cuGreenCtxCreate",
     "A program divides an OpenCL device itself where the driver allows it; NVIDIA's GPUs are "
     "divided by green contexts of the driver API, or from outside by MIG.", nearly,
     "sub-device, device fission, cl_device_partition_property, green context, MPS"},
    {"clEnqueueMigrateMemObjects", "cudaDeviceEnablePeerAccess, cudaMemcpyPeerAsync",
     "A buffer of an OpenCL context belongs to all of its devices and the driver moves it; a "
     "CUDA allocation lies on one device, and others reach it only after asking.", nearly,
     "cudaDeviceDisablePeerAccess, cudaDeviceGetP2PAttribute, multi-GPU, several devices, peer "
     "access, peer to peer, P2P, cudaMemcpyPeer, cudaDeviceCanAccessPeer, migrateMemObjects"},
};

}  // namespace parallax::row_lists

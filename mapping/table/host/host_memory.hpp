// The memory model, as the host sees it.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule host_memory[] = {
    {"global memory", "global memory, device memory",
     "A cl_mem is a handle and no address: there is no arithmetic with it on the host, and no "
     "pointer to another buffer can be stored in a buffer.", same,
     "device pointer, CUdeviceptr, cl_mem, buffer handle, DRAM, HBM"},
    {"local memory", "shared memory",
     "The words cross: OpenCL's local memory is CUDA's shared memory, and what CUDA calls local "
     "memory is a thread's own, lying in slow device memory.", same,
     "LDS, scratchpad, work-group memory, CL_LOCAL, on-chip memory, shared"},
    {"private memory", "registers, local memory",
     "What finds no register (spills, arrays with computed indices) lies in device memory on "
     "both sides; CUDA calls that local memory and OpenCL's private size counts it.", nearly,
     "register, spill, spills, spilling, register spilling, register pressure, stack frame, "
     "CL_KERNEL_PRIVATE_MEM_SIZE, numRegs, localSizeBytes, CL_DEVICE_REGISTERS_PER_BLOCK_NV, "
     "regsPerBlock, regsPerMultiprocessor, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES",
     {{"backends/opencl/compile.cpp",
       "narrow(kernel_.getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(device));"},
      {"backends/cuda/code.cpp", "resources.private_bytes = narrow(attributes.localSizeBytes);"}}},
    {"cl::Local, clSetKernelArg(kernel, i, bytes, NULL)",
     "third launch parameter, cudaFuncAttributeMaxDynamicSharedMemorySize",
     "OpenCL takes a size for each __local parameter; CUDA takes one for the whole launch, and "
     "above 48 KB the launch fails unless cudaFuncSetAttribute allowed it before.", nearly,
     "dynamic shared memory, dynamic local memory, cl::Local, dynamicSmemBytes, "
     "CL_KERNEL_LOCAL_MEM_SIZE, sharedSizeBytes, cudaFuncSetAttribute, "
     "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 48 KB, maxDynamicSharedSizeBytes",
     {{"backends/opencl/run.cpp", "kernel.setArg(index++, cl::Local(local->bytes));"},
      {"backends/cuda/code.cpp", "cudaFuncAttributeMaxDynamicSharedMemorySize"}}},
    {"", "cudaFuncAttributePreferredSharedMemoryCarveout",
     "How a multiprocessor's memory is split into L1 cache and shared memory can be asked for "
     "in CUDA, as a hint; OpenCL has no word for it.", none,
     "carve-out, carveout, cache split, cudaFuncSetCacheConfig, cudaSharedmemCarveout*, "
     "cudaDeviceSetCacheConfig, L1, L1 cache, cudaFuncCachePrefer*",
     {{"backends/cuda/code.cpp", "cudaFuncAttributePreferredSharedMemoryCarveout"}}},
    {"buffer as a __constant argument", "cudaMemcpyToSymbol",
     "OpenCL passes constant data as an argument like any other; CUDA's lies at file scope, is "
     "filled by name, and different words read by one warp come one after another.", nearly,
     "cudaMemcpyFromSymbol*, cudaGetSymbolSize, constant memory, constant cache, "
     "cuModuleGetGlobal, cudaLibraryGetGlobal, cudaMemcpyToSymbolAsync, cudaGetSymbolAddress, "
     "constSizeBytes, broadcast"},
    {"image", "texture",
     "An image is read through a sampler that the kernel names; a texture object holds memory, "
     "filter and address mode together and is passed as a number.", nearly,
     "texture memory, texture object, cudaTextureObject_t, cl::Image, CUtexObject, tex2D, "
     "tex1Dfetch, texture cache",
     {{"backends/opencl/api.hpp", "const cl::Image& handle() const {"},
      {"backends/cuda/cuda_device.hpp", "cudaTextureObject_t texture() const"}}},
    {"image that a kernel writes", "cudaCreateSurfaceObject",
     "write_imagef takes its column in texels, and CUDA's surf2Dwrite takes it in bytes and ends "
     "the kernel for one outside, unless it is told another boundary mode.", nearly,
     "cudaDestroySurfaceObject, surface, surface object, cudaSurfaceObject_t, surf2Dwrite, "
     "surf2Dread, writable image, cudaArraySurfaceLoadStore, cudaBoundaryMode*",
     {{"backends/opencl/opencl_device.cpp", "extents.is_written ? CL_MEM_READ_WRITE"},
      {"backends/cuda/image.cpp", "cudaCreateSurfaceObject(&made, &resource)"}}},
    {"CL_MEM_ALLOC_HOST_PTR with clEnqueueMapBuffer", "cudaHostAlloc, cudaMallocHost",
     "OpenCL has no word for page-locked memory: a buffer that NVIDIA's driver keeps on the "
     "host is page-locked while it is mapped, and only copies from that pointer are fast.",
     nearly,
     "page-locked, page-locked memory, pinned, pinned memory, pageable, cudaHostAllocDefault, "
     "cudaHostAllocPortable, cuMemHostAlloc, cuMemAllocHost, cudaFreeHost, transfer speed, "
     "staging buffer",
     {{"backends/opencl/opencl_device.cpp",
       "buffer_(shared_->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes),"},
      {"backends/cuda/cuda_device.cpp",
       "write_combined ? cudaHostAllocWriteCombined : cudaHostAllocDefault"}}},
    {"CL_MEM_USE_HOST_PTR", "cudaHostRegister",
     "CL_MEM_USE_HOST_PTR lets the driver work on a copy, so the host may look only while the "
     "buffer is mapped; cudaHostRegister locks the pages where they are.", nearly,
     "existing memory, cudaHostUnregister, cuMemHostRegister"},
    {"CL_MEM_ALLOC_HOST_PTR as a kernel's argument", "cudaHostAllocMapped",
     "CL_MEM_ALLOC_HOST_PTR promises no zero copy: NVIDIA's driver lets kernels read it at the "
     "speed of device memory, while CUDA's mapped memory is read over the link each time.",
     nearly,
     "zero copy, zero-copy, mapped memory, cudaHostGetDevicePointer, CL_MEM_ALLOC_HOST_PTR, "
     "canMapHostMemory, cudaDeviceMapHost, CL_MEM_SVM_FINE_GRAIN_BUFFER",
     {{"backends/opencl/opencl_device.cpp",
       "mapped ? CL_MEM_ALLOC_HOST_PTR : 0"},
      {"backends/cuda/cuda_device.cpp",
       "base_ = lock_host_memory(*context_, whole, cudaHostAllocMapped);"}}},
    {"", "cudaHostAllocWriteCombined",
     "The host reads write-combined memory very slowly, so only ever write there; OpenCL leaves "
     "to the driver how host memory is cached.", none,
     "write-combined, write-combined memory, write combining, CU_MEMHOSTALLOC_WRITECOMBINED",
     {{"backends/cuda/cuda_device.cpp", "write_combined ? cudaHostAllocWriteCombined"}}},
    {"clSVMAlloc", "cudaMallocManaged",
     "The host may touch coarse-grained SVM only between clEnqueueSVMMap and Unmap; managed "
     "memory moves page by page at a touch, in the kernel's time, where the device has "
     "concurrentManagedAccess, and as a whole at launches elsewhere.",
     nearly,
     "clEnqueueSVMFree, cudaMemRangeGet*, cudaMemDiscard*, concurrentManagedAccess, "
     "cudaStreamAttachMemAsync, SVM, shared virtual memory, unified memory, managed memory, "
     "clEnqueueSVMMap, clEnqueueSVMUnmap, clEnqueueSVMMemcpy, clSVMFree, clSetKernelArgSVMPointer, "
     "__managed__, cuMemAllocManaged, cudaMemAdvise"},
    {"CL_DEVICE_SVM_CAPABILITIES",
     "cudaDeviceProp::concurrentManagedAccess, cudaDeviceProp::pageableMemoryAccess",
     "Coarse-grained SVM is managed memory without concurrentManagedAccess, fine-grained buffers "
     "are such with it, and fine-grained system SVM is pageableMemoryAccess: any malloc of the "
     "host will do.", nearly,
     "CL_DEVICE_SVM_*, CL_MEM_SVM_ATOMICS, SVM capabilities, fine-grained, coarse-grained, "
     "managedMemory, hostNativeAtomicSupported, HMM, system memory"},
    {"", "cudaLimitPersistingL2CacheSize",
     "CUDA can keep a range of addresses in the L2 cache (an access policy window of a stream or a "
     "launch); OpenCL has no word for it.", none,
     "persisting L2, L2 persistence, access policy window, cudaAccessPolicyWindow, "
     "cudaCtxResetPersistingL2Cache"},
    {"rows with a pitch of one's own", "cudaMallocPitch",
     "OpenCL has no call that chooses a pitch for a buffer, so pad rows by hand; CUDA's is in "
     "bytes, and its address is computed on char before the cast.", nearly,
     "pitch, pitched, pitched memory, row pitch, padding, cudaPitchedPtr, cudaMalloc3D, "
     "cuMemAllocPitch, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, texturePitchAlignment, row_pitch"},
    {"coalesced access", "coalesced access",
     "Neither language shows it: neighbouring items must touch neighbouring words, and since "
     "index 0 runs fastest, get_global_id(0) and threadIdx.x belong on the innermost index.",
     same,
     "coalescing, coalesce, coalesced, strided access, stride, memory transaction, vector load"},
    {"bank conflict", "bank conflict",
     "Local memory has 32 banks of 4 bytes on NVIDIA's GPUs; items of a warp that touch "
     "different words of one bank wait for each other, and a spare column spreads them.", same,
     "cudaDeviceSetSharedMemConfig, cudaFuncSetSharedMemConfig, bank, banks, bank conflicts, "
     "shared memory banks, padding"},
    {"clCreateSubBuffer", "pointer arithmetic",
     "A sub-buffer has to begin at a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN, which counts "
     "bits, while p + n is a pointer like any other in CUDA.", nearly,
     "sub-buffer, createSubBuffer, cl_buffer_region, CL_BUFFER_CREATE_TYPE_REGION, "
     "CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_DEVICE_MEM_BASE_ADDR_ALIGN, alignment",
     {{"backends/opencl/opencl_device.cpp", "whole_.createSubBuffer("},
      {"backends/cuda/cuda_device.hpp", "return payload_ + offset;"}}},
    {"clEnqueueMigrateMemObjects, clEnqueueSVMMigrateMem", "cudaMemPrefetchAsync",
     "Both are hints that move memory before it is needed; CUDA's is for managed memory and "
     "since 13.0 takes a cudaMemLocation in place of a device's number, and an OpenCL driver may "
     "do nothing.", nearly, "prefetch to device, migration, page fault, cudaMemLocation"},
    {"", "malloc in a kernel",
     "OpenCL C cannot allocate within a kernel: give it one large buffer and take places from it "
     "by an atomic; CUDA's heap has 8 MB unless cudaDeviceSetLimit said so before the first "
     "launch.", none,
     "malloc in kernel, device malloc, free in a kernel, new in a kernel, device heap, heap, "
     "cudaLimitMallocHeapSize"},
};

}  // namespace parallax::row_lists

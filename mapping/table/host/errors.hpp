// Return codes and errors.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule host_errors[] = {
    {"CL_SUCCESS", "cudaSuccess",
     "Both are 0, but OpenCL's codes are negative and CUDA's positive, and calls that create an "
     "OpenCL object give the code through their last argument.", same,
     "error, error code, errors, return code, cl_int, cudaError_t, cudaError, CUresult, "
     "CUDA_SUCCESS, CUDA_ERROR_*, cudaError*, errcode_ret, CL_INVALID_VALUE, "
     "CL_INVALID_OPERATION, CL_INVALID_*, cudaErrorInvalidValue, CL_INVALID_PROPERTY, "
     "CL_INVALID_DEVICE, CL_INVALID_PLATFORM",
     {{"backends/opencl/error.cpp", "constexpr Named names[] = {"},
      {"backends/cuda/context.cpp", "if (result == cudaSuccess) return;"}}},
    {"", "cudaGetErrorName, cudaGetErrorString",
     "OpenCL has no function that names its codes, so a program brings its own table.", none,
     "error name, error text, cuGetErrorName, cuGetErrorString, nvrtcGetErrorString, error message",
     {{"backends/opencl/error.cpp", "std::string error_name(cl_int code) {"},
      {"backends/cuda/context.cpp", "cudaGetErrorName(code)"}}},
    {"", "cudaGetLastError, cudaPeekAtLastError",
     "kernel<<<...>>>() returns nothing: its refusal waits for cudaGetLastError, which a later "
     "check of something else may pick up; every OpenCL call returns its own code.", none,
     "last error, sticky error, cuda error checking, launch error",
     {{"backends/cuda/context.cpp", "Clears the runtime's last error"}}},
    {"cl::Error", "",
     "OpenCL's C++ bindings throw only where CL_HPP_ENABLE_EXCEPTIONS is defined before they "
     "are included; CUDA's runtime never does.", none,
     "exception, exceptions, cl::Error, CL_HPP_ENABLE_EXCEPTIONS, CL_HPP_*, CLHPP, C++ "
     "bindings, cl::BuildError",
     {{"backends/opencl/opencl_device.hpp", "} catch (const cl::Error& error) {"}}},
    {"pfn_notify of clCreateContext", "cudaLogsRegisterCallback",
     "The callback says in words what a code does not, from any thread and at any time, so it may "
     "only take notes; OpenCL's is one of a context, CUDA's (since 13.0) of the process, with "
     "errors only.", nearly,
     "context callback, notify, CL_CALLBACK, pfn_notify, driver message, error callback, "
     "cudaLogs*, cuLogsRegisterCallback",
     {{"backends/opencl/opencl_device.cpp", "void CL_CALLBACK take_word("}}},
    {"CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES", "cudaErrorMemoryAllocation",
     "OpenCL may report a lack of memory at the first use of a buffer, and NVIDIA's driver says "
     "CL_OUT_OF_RESOURCES for kernels that touch what they must not as well.", nearly,
     "out of memory, CL_OUT_OF_HOST_MEMORY, CUDA_ERROR_OUT_OF_MEMORY",
     {{"backends/opencl/opencl_device.cpp",
       "if (error.err() != CL_MEM_OBJECT_ALLOCATION_FAILURE) throw;"},
      {"backends/cuda/cuda_device.cpp", "if (code == cudaErrorMemoryAllocation) {", true}}},
    {"access outside a buffer", "cudaErrorIllegalAddress, cudaErrorLaunchFailure",
     "It comes back from whichever later call waits, and the context is dead from then on: "
     "NVIDIA's OpenCL says -9999 or CL_OUT_OF_RESOURCES, and CUDA needs a new process.", nearly,
     "illegal address, illegal memory access, segmentation fault, out of bounds, "
     "cudaErrorMisalignedAddress, cudaErrorInvalidAddressSpace, cudaErrorHardwareStackError, "
     "compute-sanitizer, cuda-memcheck, oclgrind, -9999, sticky",
     {{"backends/opencl/error.cpp", "{nvidias_own, \"NVIDIA's own error\"},"},
      {"backends/cuda/context.cpp", "The kernel reads or writes where it must not"}}},
    {"CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE",
     "cudaErrorInvalidConfiguration, cudaErrorLaunchOutOfResources",
     "CL_INVALID_WORK_GROUP_SIZE may mean too large, no divisor of the range, or not the shape "
     "that the kernel demands; CUDA has one code for what the device never allows and one for "
     "what this kernel's registers do not.", nearly,
     "too many threads, invalid launch, CL_INVALID_WORK_DIMENSION, CL_INVALID_GLOBAL_WORK_SIZE, "
     "cudaErrorLaunchTimeout",
     {{"backends/cuda/context.cpp", "case cudaErrorLaunchOutOfResources:"}}},
    {"CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS",
     "NVRTC_ERROR_COMPILATION, NVRTC_ERROR_INVALID_OPTION",
     "The code only says that it failed, and the log says where; options that NVIDIA's "
     "compilers do not know are refused by NVRTC, while some OpenCL drivers pass over them.",
     same,
     "compilation error, build error, nvrtcResult, NVRTC_SUCCESS, NVRTC_ERROR_*, "
     "CL_COMPILER_NOT_AVAILABLE, CL_COMPILE_PROGRAM_FAILURE, CL_LINK_PROGRAM_FAILURE, "
     "CL_INVALID_COMPILER_OPTIONS, CL_INVALID_LINKER_OPTIONS",
     {{"backends/opencl/compile.cpp",
       "code != CL_BUILD_PROGRAM_FAILURE && code != CL_INVALID_BUILD_OPTIONS"},
      {"backends/cuda/nvrtc.cpp", "if (result != NVRTC_SUCCESS) return output;"}}},
    {"CL_INVALID_BINARY", "cudaErrorNoKernelImageForDevice, cudaErrorInvalidPtx",
     "Machine code runs from its minor architecture on within its major one, PTX on all later "
     "ones unless it is for compute_90a or its like, so a program that carries no PTX ends on "
     "the next generation with cudaErrorNoKernelImageForDevice.", nearly,
     "no kernel image, cudaErrorInvalidKernelImage, cudaErrorUnsupportedPtxVersion, "
     "cudaErrorInvalidSource, cudaErrorUnsupportedDevSideSync, cudaErrorJitCompilerNotFound, "
     "forward compatibility",
     {{"backends/cuda/code.cpp", "case cudaErrorNoKernelImageForDevice:"}}},
    {"CL_PLATFORM_NOT_FOUND_KHR", "cudaErrorInsufficientDriver",
     "A CUDA program with the runtime linked statically starts without a driver and learns it "
     "here (35); one that is linked with libOpenCL does not start without the loader.", nearly,
     "no driver, driver missing, cudaErrorStubLibrary, cudaErrorCallRequiresNewerDriver, "
     "cudaErrorSystemNotReady, cudaErrorSystemDriverMismatch, cudaErrorInitializationError",
     {{"backends/opencl/backend.cpp", "if (error.err() != -1001) {"}}},
    {"CL_DEVICE_NOT_FOUND", "cudaErrorNoDevice",
     "clGetDeviceIDs says it of one platform and one type of device, cudaGetDeviceCount of all "
     "that CUDA_VISIBLE_DEVICES leaves.", nearly, "no device",
     {{"backends/cuda/cuda_backend.cpp", "if (code == cudaErrorNoDevice) {"}}},
    {"CL_DEVICE_NOT_AVAILABLE", "cudaErrorDevicesUnavailable",
     "The device is there and cannot be had now: another process holds it alone (compute mode), "
     "or its memory is used up.", nearly,
     "device busy, exclusive process, compute mode, CL_DEVICE_AVAILABLE, cudaComputeMode*"},
};

}  // namespace parallax::row_lists

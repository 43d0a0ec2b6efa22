// Programs, kernels and their arguments, and libraries.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule host_programs[] = {
    {"clCreateProgramWithSource", "nvrtcCreateProgram",
     "An OpenCL program belongs to a context and so needs a device; NVRTC needs neither device "
     "nor driver, and takes one text with the headers that it may include.", nearly,
     "program, program object, cl_program, cl::Program, nvrtcProgram, NVRTC, run-time compilation, "
     "nvrtcDestroyProgram, clReleaseProgram, CL_INVALID_PROGRAM",
     {{"backends/opencl/compile.cpp", "made.program = cl::Program(context, made.text);"},
      {"backends/cuda/nvrtc.cpp", "library_->create(&program, text.c_str(), name.c_str()"}}},
    {"clBuildProgram", "nvrtcCompileProgram",
     "clBuildProgram makes code for the devices of the context; NVRTC is told by "
     "--gpu-architecture, compiles C++, and mangles a kernel's name unless it is extern \"C\".",
     nearly,
     "clUnloadPlatformCompiler, clUnloadCompiler, build, compile, cl::Program::build, nvcc, "
     "nvrtcGetLoweredName, nvrtcAddNameExpression, name mangling, --gpu-architecture, "
     "CL_INVALID_PROGRAM_EXECUTABLE, nvrtcGetSupportedArchs, nvrtcGetNumSupportedArchs",
     {{"backends/opencl/compile.cpp", "opencl::build(built, shared_->device"},
      {"backends/cuda/nvrtc.cpp",
       "library_->compile(program, static_cast<int>(words.size()), words.data());"}}},
    {"clCompileProgram, clLinkProgram", "nvJitLinkComplete, cuLinkComplete",
     "Both link parts that were compiled apart; NVRTC's parts need --relocatable-device-code=true, "
     "and the linker is a library of its own or the driver's (cuLinkCreate).", nearly,
     "nvrtcGetLTOIR, nvrtcGetLTOIRSize, link, linking, nvJitLinkCreate, nvJitLinkAddData, "
     "cuLinkCreate, cuLinkAddData, separate compilation, -create-library, "
     "--relocatable-device-code"},
    {"CL_PROGRAM_BUILD_LOG", "nvrtcGetProgramLog",
     "A log may hold warnings after a success as well, and ptxas' report of registers and "
     "spills stands there only when it is asked for.", same,
     "build log, compiler log, error message, clGetProgramBuildInfo, getBuildInfo, "
     "nvrtcGetProgramLogSize, CL_PROGRAM_BUILD_STATUS, warnings",
     {{"backends/opencl/compile.cpp",
       "built.getBuildInfo<CL_PROGRAM_BUILD_LOG>(shared_->device)"},
      {"backends/cuda/nvrtc.cpp", "fetch(library_->log_size, library_->log, program)"}}},
    {"CL_PROGRAM_BINARIES", "nvrtcGetPTX, nvrtcGetCUBIN",
     "The binary of NVIDIA's OpenCL is PTX text that the driver assembles again; NVRTC gives "
     "PTX and machine code (a cubin), and the two assemblers are not the same one.", nearly,
     "binary, PTX, cubin, SASS, machine code, nvrtcGetPTXSize, nvrtcGetCUBINSize, "
     "CL_PROGRAM_BINARY_SIZES, clGetProgramInfo, fatbin",
     {{"backends/opencl/compile.cpp", "program.getInfo<CL_PROGRAM_BINARIES>();"},
      {"backends/cuda/nvrtc.cpp", "fetch(library_->cubin_size, library_->cubin, program)"}}},
    {"clCreateProgramWithBinary", "cudaLibraryLoadData, cuModuleLoadDataEx",
     "CUDA runs PTX of NVIDIA's OpenCL once its %envreg registers are replaced; OpenCL runs "
     "NVRTC's once pointers are declared .ptr .global, or the first launch kills the context.",
     nearly,
     "module, library, load code, cudaLibrary_t, CUmodule, cuModuleLoad, cuModuleLoadData, "
     "cuLibraryLoadData, cl::Program::Binaries, CL_INVALID_BINARY, cudaLibraryUnload, "
     "cuModuleUnload, cudaLibraryLoadFromFile, clCreateProgramWithBuiltInKernels",
     {{"backends/opencl/compile.cpp",
       "cl::Program::Binaries{{made.text.begin(), made.text.end()}}"},
      {"backends/cuda/code.cpp", "code = cudaLibraryLoadData("}}},
    {"clCreateProgramWithIL", "cudaLibraryLoadData",
     "SPIR-V on one side and PTX on the other are compiled for the device as they are loaded; a "
     "driver of OpenCL 3.0 may take no SPIR-V (CL_DEVICE_IL_VERSION says which), one of 3.1 has "
     "to.", nearly, "SPIR-V, intermediate language, CL_DEVICE_IL_VERSION, IL, spirv"},
    {"", "cudaJitOption",
     "What the driver's assembler is told when PTX is loaded (its logs, registers, "
     "optimisation) are options of the load in CUDA; OpenCL passes them with the build.", none,
     "JIT, just-in-time, assembler, ptxas, CU_JIT_*, CUjit_option, cudaJit*, lazy loading, "
     "CUDA_MODULE_LOADING",
     {{"backends/cuda/code.cpp", "std::array<cudaJitOption, 5> options{"}}},
    {"clCreateKernel", "cudaLibraryGetKernel, cuModuleGetFunction",
     "A cl_kernel keeps its arguments, so two threads that share one mix theirs; CUDA's handle "
     "has no state of a launch.", nearly,
     "clCloneKernel, cudaGetFuncBySymbol, kernel object, kernel handle, cl_kernel, cl::Kernel, "
     "cudaKernel_t, CUfunction, CUkernel, CL_INVALID_KERNEL_NAME, CL_INVALID_KERNEL, "
     "CL_INVALID_KERNEL_DEFINITION, clCreateKernelsInProgram, cudaErrorSymbolNotFound, "
     "cuLibraryGetKernel, clReleaseKernel",
     {{"backends/opencl/compile.cpp", "kernel_ = cl::Kernel(built, kernel.c_str());"},
      {"backends/cuda/code.cpp", "code = cudaLibraryGetKernel(&kernel_, library_"}}},
    {"clSetKernelArg", "void* arguments[]",
     "OpenCL takes each value with its size and checks that; CUDA takes an array of pointers "
     "and reads what the kernel declares, past the end of one that is short.", nearly,
     "argument, arguments, kernel arguments, setArg, argument array, kernelParams, "
     "clSetKernelArgSVMPointer, CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE, "
     "CL_INVALID_ARG_SIZE, CL_INVALID_KERNEL_ARGS, cudaSetupArgument",
     {{"backends/opencl/run.cpp", "kernel.setArg(index++, value.size(), value.data());"},
      {"backends/cuda/run.cpp", "launch.pointers.push_back(value.data());"}}},
    {"clEnqueueNDRangeKernel", "cudaLaunchKernel, cuLaunchKernel",
     "OpenCL is given the number of all work-items, CUDA the number of blocks; an impossible "
     "launch configuration is an error of this call, and a fault inside the kernel comes back from "
     "a later call.", nearly,
     "launch, kernel launch, enqueue a kernel, cl::KernelFunctor, "
     "cudaConfigureCall, asynchronous launch",
     {{"backends/opencl/run.cpp", "queue.enqueueNDRangeKernel(kernel_of(dispatch).handle(), cl::NullRange"},
      {"backends/cuda/run.cpp", "cudaLaunchKernel(launch.kernel, launch.groups"}}},
    {"clEnqueueTask", "launch of one block of one thread",
     "A launch of one work-item, which OpenCL deprecated with 2.0: a global size of 1 is the "
     "same.", same, "single work-item kernel, task"},
    {"clSetKernelExecInfo", "",
     "OpenCL has to be told of the SVM that a kernel reaches through pointers within its data "
     "(CL_KERNEL_EXEC_INFO_SVM_PTRS); a CUDA kernel may follow any pointer.", none,
     "indirect access, CL_KERNEL_EXEC_INFO_*"},
    {"clGetKernelWorkGroupInfo", "cudaFuncGetAttributes, cuFuncGetAttribute",
     "Registers are told by CUDA alone (numRegs); NVIDIA's OpenCL writes them into the build "
     "log under -cl-nv-verbose, and not for code that comes from its cache.", nearly,
     "clGetKernelInfo, kernel resources, getWorkGroupInfo, cudaFuncAttributes, CL_KERNEL_*, "
     "CL_KERNEL_LOCAL_MEM_SIZE, cuKernelGetAttribute, CU_FUNC_ATTRIBUTE_*, sharedSizeBytes",
     {{"backends/opencl/compile.cpp",
       "kernel_.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device)"},
      {"backends/cuda/code.cpp", "code = cudaFuncGetAttributes(&attributes, kernel_);"}}},
    {"clGetKernelArgInfo", "cudaFuncGetParamInfo, cuFuncGetParamInfo",
     "OpenCL tells names and types when the program was built with -cl-kernel-arg-info, CUDA "
     "only offsets and sizes.", nearly,
     "CL_KERNEL_ARG_*, -cl-kernel-arg-info, parameter information"},
    {"cl_uint, cl_long, cl_float4", "unsigned int, long long, float4",
     "OpenCL's host types have the kernel's sizes whatever the host is, and size_t is none of "
     "them: no kernel may take one as an argument in OpenCL, and any in CUDA.", nearly,
     "host types, cl_int, cl_long, cl_short, cl_char, cl_float, cl_double, cl_bool, cl_half, "
     "cl_float2, cl_int2, cl_int4, cl_uint4, cl_uchar, cl_ushort"},
    {"OpenCL C, a C99", "CUDA C++",
     "OpenCL C has no recursion, function pointers or templates: -D and macros take the place of "
     "template parameters; C++ for OpenCL (-cl-std=CLC++) has templates where a driver takes it.",
     nearly,
     "recursion, template, templates, lambda, lambdas, constexpr, function pointer, C++ for "
     "OpenCL, CLC++, overloading, virtual function"},
    {"clGetExtensionFunctionAddressForPlatform", "cudaGetDriverEntryPointByVersion",
     "An extension's functions come from the driver of one platform and not from the loader; "
     "CUDA's is for functions that a program's toolkit may not know.", nearly,
     "extension function, clGetExtensionFunctionAddress, cudaGetDriverEntryPoint, "
     "cuGetProcAddress, function pointer of an extension"},
    {"", "cudaLimitStackSize",
     "A thread's stack has a size that cudaDeviceSetLimit can raise where recursion needs it; "
     "OpenCL C has no recursion, so its compiler knows what a work-item needs.", none,
     "stack size, stack overflow, cudaDeviceGetLimit"},
    {"CL_DEVICE_PRINTF_BUFFER_SIZE", "cudaLimitPrintfFifoSize",
     "What printf in a kernel wrote appears when the queue is waited for; of what does not fit "
     "its buffer OpenCL may lose any, and CUDA writes over the oldest unless cudaDeviceSetLimit "
     "made it larger.", nearly,
     "printf, printf buffer, cudaDeviceSetLimit, cuCtxSetLimit, cl_arm_printf"},
};

/// Libraries that come with CUDA, and their OpenCL alternatives.
inline constexpr MappingRule host_libraries[] = {
    {"CLBlast", "cuBLAS",
     "No library comes with an OpenCL driver: CLBlast has the routines of BLAS for buffers with "
     "offsets, in row or column order, and is fast only where it was tuned for the device.", nearly,
     "cublas*, cublasSgemm, cublasDgemm, cublasGemmEx, cublasLt*, CLBlast*, CLBlastSgemm, clBLAS, "
     "BLAS, gemm, matrix library"},
    {"Boost.Compute", "Thrust, CUB",
     "OpenCL has no such library of its own: Boost.Compute has vectors and algorithms like "
     "Thrust's, and the suites reduction and scan of this program are kernels to begin with.",
     nearly,
     "thrust*, thrust::reduce, thrust::sort, thrust::device_vector, cub::*, cub::DeviceReduce, "
     "cub::DeviceScan, cub::BlockReduce, Bolt, standard algorithms, sort"},
    {"clFFT, VkFFT", "cuFFT",
     "Both have plans that are made once and run often; VkFFT is one source for OpenCL and CUDA.",
     nearly, "cufft*, cufftExecC2C, cufftPlan1d, FFT, Fourier transform"},
    {"Random123", "cuRAND",
     "Random123 computes each number from a counter and a key in the kernel itself, for both "
     "languages, and needs no states in memory.", nearly,
     "curand*, curand_init, curand_uniform, random numbers, Philox"},
    {"", "cuSPARSE, cuSOLVER, cuDNN",
     "OpenCL has no library of that extent: ViennaCL has sparse products and solvers, oneDNN some "
     "layers for Intel's GPUs, and otherwise you write the kernels.", none,
     "cusparse*, cusolver*, cudnn*, ViennaCL, oneDNN, sparse matrix, deep learning"},
    {"SYCL", "",
     "C++ for host and kernels, over OpenCL, CUDA and others: it is no API of this map, and its "
     "programs are captured through the OpenCL or CUDA that is below them.", none,
     "DPC++, dpcpp, oneAPI, AdaptiveCpp"},
    {"", "HIP",
     "AMD's API is CUDA's under other names, hipMalloc for cudaMalloc: look for CUDA's word, and "
     "let hipify rename a program.", none, "ROCm, hipify, hipcc"},
    {"", "NCCL",
     "OpenCL has no collective operations over several devices: copy through the host, or send "
     "buffers with MPI.", none, "ncclAllReduce, nccl*, NVSHMEM, allreduce, several GPUs"},
};

}  // namespace parallax::row_lists

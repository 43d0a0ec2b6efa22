// Libraries that come with CUDA, and their OpenCL alternatives.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

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

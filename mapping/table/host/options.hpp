// Options of the two compilers.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule host_options[] = {
    {"-DNAME=value", "-DNAME=value, --define-macro=NAME=value",
     "OpenCL's options are one string, in which drivers quote blanks differently; NVRTC takes "
     "one string an option and needs no quotes.", same,
     "clSetProgramSpecializationConstant, -D, --define-macro, define, macro, constant at build "
     "time, specialisation",
     {{"backends/opencl/compile.cpp", "options.push_back(fmt::format(\"-D{}={}\", constant.name"},
      {"backends/cuda/compile.cpp", "options.push_back(fmt::format(\"-D{}={}\", constant.name"}}},
    {"-I directory", "-Idirectory, --include-path=directory",
     "NVRTC finds no header by itself, not even cuda_fp16.h or stdint.h: their folders have to "
     "be named, or their text given to nvrtcCreateProgram.", same,
     "-I, --include-path, include, header, headers, cuda_fp16.h"},
    {"-cl-std=CL1.2", "--std=c++17",
     "Without it an OpenCL compiler takes the highest 1.x that it has, also under OpenCL 3.0, "
     "where CL3.0 promises few features; NVRTC compiles C++17 unless told otherwise.", nearly,
     "-cl-std, --std, language version, OpenCL C version, C++ standard, OpenCL C",
     {{"backends/opencl/compile.cpp", "options.push_back(\"-cl-std=\" + (program.standard.empty() ? \"CL1.2\""},
      {"backends/cuda/compile.cpp", "\"--std=c++17\","}}},
    {"", "--gpu-architecture",
     "OpenCL compiles for the devices of the context; NVRTC has to be told, sm_90 for machine "
     "code and compute_90 for PTX, and takes an old one otherwise.", none,
     "-arch, -gencode, architecture, target architecture, -cl-nv-arch, sm, virtual architecture",
     {{"backends/cuda/compile.cpp", "const std::string architecture = \"--gpu-architecture=\";"}}},
    {"#pragma OPENCL FP_CONTRACT OFF", "--fmad=false",
     "Contraction of a * b + c is on by default on both sides; OpenCL's text forbids it by the "
     "pragma, which NVRTC ignores: CUDA has the option and, in the text, __fmul_rn and "
     "__fadd_rn, which are never fused.", nearly,
     "contraction, FP_CONTRACT, fused multiply-add, FMA, --fmad, fmad, rounding, __fmul_rn, "
     "__fadd_rn",
     {{"backends/opencl/compile.cpp", "#pragma OPENCL FP_CONTRACT"},
      {"backends/cuda/compile.cpp", "\"--fmad={}\""}}},
    {"-cl-mad-enable", "--fmad=true",
     "-cl-mad-enable allows a multiply-add with less accuracy than two roundings, --fmad one "
     "with a single rounding, which is NVRTC's default.", nearly, "mad, multiply-add"},
    {"-cl-fast-relaxed-math", "--use_fast_math",
     "OpenCL's option also assumes that there is no NaN and no infinity, so tests for them may "
     "vanish; CUDA's does not; both flush denormals and take approximate division and "
     "functions.", nearly,
     "fast math, relaxed math, -use_fast_math, __FAST_RELAXED_MATH__, approximate functions",
     {{"backends/opencl/compile.cpp", "options.push_back(\"-cl-fast-relaxed-math\");"},
      {"backends/cuda/compile.cpp", "options.emplace_back(\"--use_fast_math\");"}}},
    {"-cl-finite-math-only, -cl-unsafe-math-optimizations, -cl-no-signed-zeros", "",
     "NVRTC has no option that forgets NaN, infinities or the sign of zero; in OpenCL "
     "-cl-unsafe-math-optimizations implies -cl-no-signed-zeros, -cl-mad-enable and "
     "-cl-denorms-are-zero.", none,
     "unsafe math, finite math, signed zero, -ffast-math"},
    {"-cl-fp32-correctly-rounded-divide-sqrt", "--prec-div=true, --prec-sqrt=true",
     "The defaults are opposite: OpenCL's division may err by 2.5 ULP unless this is said, and "
     "the driver may refuse it; NVRTC's is exact unless it is switched off.", same,
     "division, square root, correctly rounded, exact division, ULP, --prec-div, --prec-sqrt",
     {{"backends/opencl/compile.cpp",
       "options.push_back(\"-cl-fp32-correctly-rounded-divide-sqrt\");"},
      {"backends/cuda/compile.cpp", "\"--prec-div={}\""}}},
    {"-cl-denorms-are-zero", "--ftz=true",
     "OpenCL's is a permission that a driver may pass over and that covers double too; CUDA's "
     "flushes float and float only.", nearly,
     "denormal, denormals, denorm, subnormal, flush to zero, FTZ, --ftz",
     {{"backends/opencl/compile.cpp", "options.push_back(\"-cl-denorms-are-zero\");"},
      {"backends/cuda/compile.cpp", "\"--ftz={}\""}}},
    {"-cl-single-precision-constant", "",
     "1.0 is a double in both languages and makes float arithmetic slow; only OpenCL can read "
     "it as a float, so write 1.0f.", none, "double constant, stray double, literal"},
    {"-cl-nv-maxrregcount=N", "--maxrregcount=N",
     "Fewer registers let more groups be resident and may spill; CUDA passes over the number "
     "for kernels with __launch_bounds__.", same,
     "register cap, register limit, --maxrregcount, -cl-nv-maxrregcount, CU_JIT_MAX_REGISTERS"},
    {"-cl-nv-verbose", "--ptxas-options=-v",
     "The report of registers, spills and shared bytes goes to the build log, and OpenCL's is "
     "missing when the code came out of the driver's cache.", same,
     "ptxas report, resource usage, verbose, -Xptxas, --ptxas-options, cudaJitLogVerbose",
     {{"backends/opencl/compile.cpp",
       "if (info.has(\"ptx\")) options.push_back(\"-cl-nv-verbose\");"},
      {"backends/cuda/compile.cpp", "options.emplace_back(\"--ptxas-options=-v\");"}}},
    {"-cl-nv-opt-level=N", "--ptxas-options=-ON",
     "Both set the assembler's level, 3 unless told; NVRTC refuses a plain -O2.", nearly,
     "optimisation level, -O0, -O3, -cl-nv-opt-level"},
    {"-cl-opt-disable", "--device-debug",
     "CUDA's also writes debug information and makes code that is slower by far; neither is a "
     "fair base of a comparison.", nearly,
     "debug, -G, -g, --generate-line-info, -lineinfo, line information, no optimisation"},
    {"-w", "--disable-warnings",
     "-Werror is OpenCL's alone: NVRTC refuses the word, and makes one warning an error by its "
     "number (--diag-error=N).", same, "warnings off, -Werror, --diag-error, --diag-suppress"},
    {"cache of built programs", "cache of built programs",
     "A second build of the same text is only looked up: NVIDIA's drivers keep code in "
     "~/.nv/ComputeCache (CUDA_CACHE_DISABLE=1 forbids it, of NVRTC --no-cache too: 13.0 asks there "
     "for no float rules) and PoCL in its own (POCL_CACHE_DIR).",
     nearly,
     "kernel cache, ComputeCache, CUDA_CACHE_DISABLE, CUDA_CACHE_PATH, POCL_CACHE_DIR, "
     "POCL_KERNEL_CACHE, --no-cache, build time",
     {{"backends/opencl/driver_cache.cpp",
      "setenv(\"CUDA_CACHE_PATH\", folder.path().c_str(), 1);"}}},
};

}  // namespace parallax::row_lists

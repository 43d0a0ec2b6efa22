// The map's rows of build options, OpenCL's compilers against NVRTC.
#include "mapping/table/host_rows.hpp"

namespace parallax {
namespace {

using enum Equivalence;
constexpr std::string_view topic = "build options";

}  // namespace

std::vector<MapRow> option_rows() {
    return {
        {topic,
         "-DNAME=value",
         "-DNAME=value, --define-macro=NAME=value",
         same,
         "OpenCL's options are one string, in which drivers quote blanks differently; NVRTC takes "
         "one string an option and needs no quotes.",
         "clSetProgramSpecializationConstant, -D, --define-macro, define, macro, constant at build "
         "time, specialisation",
         {{"backends/opencl/compile.cpp",
           "options.push_back(fmt::format(\"-D{}={}\", constant.name"},
          {"backends/cuda/compile.cpp",
           "options.push_back(fmt::format(\"-D{}={}\", constant.name"}}},
        {topic, "-I directory", "-Idirectory, --include-path=directory", same,
         "NVRTC finds no header by itself, not even cuda_fp16.h or stdint.h: their folders have to "
         "be named, or their text given to nvrtcCreateProgram.",
         "-I, --include-path, include, header, headers, cuda_fp16.h"},
        {topic,
         "-cl-std=CL1.2",
         "--std=c++17",
         nearly,
         "Without it an OpenCL compiler takes the highest 1.x that it has, also under OpenCL 3.0, "
         "where CL3.0 promises few features; NVRTC compiles C++17 unless told otherwise.",
         "-cl-std, --std, language version, OpenCL C version, C++ standard, OpenCL C",
         {{"backends/opencl/compile.cpp", "options.push_back(\"-cl-std=CL1.2\");"},
          {"backends/cuda/compile.cpp", "\"--std=c++17\","}}},
        {topic,
         "",
         "--gpu-architecture",
         none,
         "OpenCL compiles for the devices of the context; NVRTC has to be told, sm_90 for machine "
         "code and compute_90 for PTX, and takes an old one otherwise.",
         "-arch, -gencode, architecture, target architecture, -cl-nv-arch, sm, "
         "virtual architecture",
         {{"backends/cuda/compile.cpp", "\"--gpu-architecture=\" + target.name(),"}}},
        {topic,
         "#pragma OPENCL FP_CONTRACT OFF",
         "--fmad=false",
         nearly,
         "Contraction of a * b + c is on by default on both sides; only the text can forbid it in "
         "OpenCL and only an option in CUDA, where NVRTC ignores the pragma.",
         "contraction, FP_CONTRACT, fused multiply-add, FMA, --fmad, fmad, rounding",
         {{"backends/opencl/compile.cpp", "#pragma OPENCL FP_CONTRACT"},
          {"backends/cuda/compile.cpp", "\"--fmad={}\""}}},
        {topic, "-cl-mad-enable", "--fmad=true", nearly,
         "-cl-mad-enable allows a multiply-add with less accuracy than two roundings, --fmad one "
         "with a single rounding, which is NVRTC's default.",
         "mad, multiply-add"},
        {topic,
         "-cl-fast-relaxed-math",
         "--use_fast_math",
         nearly,
         "OpenCL's option also assumes that there is no NaN and no infinity, so tests for them "
         "may vanish; CUDA's does not, but flushes denormals and takes approximate division and "
         "functions.",
         "fast math, relaxed math, -use_fast_math, __FAST_RELAXED_MATH__, approximate functions",
         {{"backends/opencl/compile.cpp", "options.push_back(\"-cl-fast-relaxed-math\");"},
          {"backends/cuda/compile.cpp", "options.emplace_back(\"--use_fast_math\");"}}},
        {topic, "-cl-finite-math-only, -cl-unsafe-math-optimizations, -cl-no-signed-zeros", "",
         none,
         "NVRTC has no option that forgets NaN, infinities or the sign of zero; in OpenCL "
         "-cl-unsafe-math-optimizations implies -cl-no-signed-zeros and -cl-mad-enable.",
         "unsafe math, finite math, signed zero, -ffast-math"},
        {topic,
         "-cl-fp32-correctly-rounded-divide-sqrt",
         "--prec-div=true, --prec-sqrt=true",
         same,
         "The defaults are opposite: OpenCL's division may err by 2.5 ULP unless this is said, "
         "and the driver may refuse it; NVRTC's is exact unless it is switched off.",
         "division, square root, correctly rounded, exact division, ULP, --prec-div, --prec-sqrt",
         {{"backends/opencl/compile.cpp",
           "options.push_back(\"-cl-fp32-correctly-rounded-divide-sqrt\");"},
          {"backends/cuda/compile.cpp", "\"--prec-div={}\""}}},
        {topic,
         "-cl-denorms-are-zero",
         "--ftz=true",
         nearly,
         "OpenCL's is a permission that a driver may pass over and that covers double too; CUDA's "
         "flushes float and float only.",
         "denormal, denormals, denorm, subnormal, flush to zero, FTZ, --ftz",
         {{"backends/opencl/compile.cpp", "options.push_back(\"-cl-denorms-are-zero\");"},
          {"backends/cuda/compile.cpp", "\"--ftz={}\""}}},
        {topic, "-cl-single-precision-constant", "", none,
         "1.0 is a double in both languages and makes float arithmetic slow; only OpenCL can read "
         "it as a float, so write 1.0f.",
         "double constant, stray double, literal"},
        {topic, "-cl-nv-maxrregcount=N", "--maxrregcount=N", same,
         "Fewer registers let more groups be resident and may spill; CUDA passes over the number "
         "for kernels with __launch_bounds__.",
         "register cap, register limit, --maxrregcount, -cl-nv-maxrregcount, CU_JIT_MAX_REGISTERS"},
        {topic,
         "-cl-nv-verbose",
         "--ptxas-options=-v",
         same,
         "The report of registers, spills and shared bytes goes to the build log, and OpenCL's is "
         "missing when the code came out of the driver's cache.",
         "ptxas report, resource usage, verbose, -Xptxas, --ptxas-options, cudaJitLogVerbose",
         {{"backends/opencl/compile.cpp",
           "if (info.has(\"ptx\")) options.push_back(\"-cl-nv-verbose\");"},
          {"backends/cuda/compile.cpp", "options.emplace_back(\"--ptxas-options=-v\");"}}},
        {topic, "-cl-nv-opt-level=N", "--ptxas-options=-ON", nearly,
         "Both set the assembler's level, 3 unless told; NVRTC refuses a plain -O2.",
         "optimisation level, -O0, -O3, -cl-nv-opt-level"},
        {topic, "-cl-opt-disable", "--device-debug", nearly,
         "CUDA's also writes debug information and makes code that is slower by far; neither is "
         "a fair base of a comparison.",
         "debug, -G, -g, --generate-line-info, -lineinfo, line information, no optimisation"},
        {topic, "-w", "--disable-warnings", same,
         "-Werror is OpenCL's alone: NVRTC refuses the word.", "warnings off, -Werror"},
        {topic,
         "cache of built programs",
         "cache of built programs",
         nearly,
         "A second build of the same text is only looked up: NVIDIA's drivers keep code in "
         "~/.nv/ComputeCache (CUDA_CACHE_DISABLE=1 forbids it) and PoCL in its own "
         "(POCL_CACHE_DIR).",
         "kernel cache, ComputeCache, CUDA_CACHE_DISABLE, CUDA_CACHE_PATH, POCL_CACHE_DIR, "
         "POCL_KERNEL_CACHE, --no-cache, build time",
         {{"backends/opencl/backend.cpp", "setenv(\"CUDA_CACHE_DISABLE\", \"1\", 0);"}}},
    };
}

}  // namespace parallax

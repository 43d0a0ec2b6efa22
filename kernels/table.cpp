// The mapping table of the language: work-items, memory, barriers, types, vectors.
#include "kernels/table.hpp"

#include <vector>

#include "kernels/rows.hpp"

namespace parallax {
namespace {

using enum Equivalence;

constexpr Row rows[] = {
    // clang-format off
    {"execution", "__kernel", "extern \"C\" __global__",
     "A function that the host can launch. extern \"C\" keeps its name as written, so that the "
     "host finds it."},
    {"execution", "kernel", "extern \"C\" __global__", "The same word without underscores."},
    {"execution", "T f()", "__device__ T f()",
     "A helper function. OpenCL C has only one side; CUDA must be told that a function is for the "
     "device."},
    {"execution", "get_global_id($)", "(size_t(blockIdx.$) * blockDim.$ + threadIdx.$)",
     "CUDA has no global index. blockIdx and blockDim are 32 bits wide and OpenCL's result is a "
     "size_t: without the conversion large indices wrap. The launches of this program have no "
     "global offset.", nearly},
    {"execution", "get_local_id($)", "size_t(threadIdx.$)",
     "The index within the work-group (block). The conversion keeps arithmetic with it at 64 bits, "
     "as it is in OpenCL."},
    {"execution", "get_group_id($)", "size_t(blockIdx.$)",
     "The index of the work-group (block). Without the conversion blockIdx.x * TILE * width would "
     "be 32-bit arithmetic."},
    {"execution", "get_local_size($)", "size_t(blockDim.$)",
     "Work-items of a group (threads of a block) in one dimension."},
    {"execution", "get_num_groups($)", "size_t(gridDim.$)",
     "Work-groups (blocks) of the launch. OpenCL's host counts items, CUDA's counts blocks."},
    {"execution", "get_global_size($)", "(size_t(gridDim.$) * blockDim.$)",
     "Work-items of the whole launch in one dimension; CUDA keeps only the two factors."},
    {"execution", "__attribute__((reqd_work_group_size($, $, $)))",
     "__launch_bounds__(($) * ($) * ($))",
     "Tells the compiler the size of a group so that it can spend registers accordingly. OpenCL "
     "demands exactly this shape, CUDA any shape of at most as many threads.", nearly},

    {"memory", "__global", "",
     "A CUDA pointer is generic: the hardware finds out which memory it points to, so the word "
     "vanishes."},
    {"memory", "global", "", "The same word without underscores."},
    {"memory", "__local", "__shared__",
     "One array for the work-group (block). A pointer to it is an ordinary pointer in CUDA and "
     "loses the word."},
    {"memory", "local", "__shared__", "The same word without underscores."},
    {"memory", "__local T* p)", "extern __shared__ unsigned char dynamic_local[]; T* p",
     "Local memory whose size the launch decides is a parameter in OpenCL and an extern array in "
     "CUDA. There is one such array a launch, so one such parameter, the last."},
    {"memory", "__constant", "__constant__",
     "At file scope, data that no launch changes. A parameter or pointer to it becomes a pointer "
     "to const, which CUDA may read through another cache.", nearly},
    {"memory", "constant", "__constant__", "The same word without underscores.", nearly},
    {"memory", "__private", "", "A work-item's own memory: the default in both languages."},
    {"memory", "private", "",
     "The same word without underscores. In C++ it would be a keyword of classes."},
    {"memory", "restrict", "__restrict__",
     "A promise that nothing else points there. With const, CUDA may use read-only loads for "
     "it.", nearly},
    {"memory", "__attribute__((aligned($)))", "__align__($)",
     "NVIDIA's OpenCL puts 4 bytes in front of local memory: an array that does not ask for 16 "
     "bytes cannot be read 128 bits at a time."},
    {"memory", "NULL", "nullptr", "The pointer to nothing; NVRTC has no header that defines NULL."},

    {"synchronisation", "barrier(CLK_LOCAL_MEM_FENCE)", "__syncthreads()",
     "All work-items of the group arrive before one goes on. CUDA's barrier orders global memory "
     "as well.", nearly},
    {"synchronisation", "barrier(CLK_GLOBAL_MEM_FENCE)", "__syncthreads()",
     "It orders global memory for this group only, in both languages. CUDA's barrier orders shared "
     "memory as well.", nearly},
    {"synchronisation", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "__syncthreads()",
     "Both kinds of memory, which is what CUDA's barrier always does."},
    {"synchronisation", "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)", "__syncthreads()",
     "The flags have no order."},
    {"synchronisation", "work_group_barrier(CLK_LOCAL_MEM_FENCE)", "__syncthreads()",
     "OpenCL 2.0's name for barrier.", nearly},
    {"synchronisation", "work_group_barrier(CLK_GLOBAL_MEM_FENCE)", "__syncthreads()",
     "OpenCL 2.0's name for barrier.", nearly},
    {"synchronisation", "mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence_block()",
     "Orders this work-item's accesses as its group sees them; it waits for nobody."},
    {"synchronisation", "read_mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence_block()",
     "CUDA has no fence for loads alone; the full one is stronger.", nearly},
    {"synchronisation", "write_mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence_block()",
     "CUDA has no fence for stores alone; the full one is stronger.", nearly},
    {"synchronisation", "mem_fence(CLK_GLOBAL_MEM_FENCE)", "__threadfence()",
     "OpenCL 1.2 does not say for whom it orders global memory; CUDA's orders it for the whole "
     "device.", nearly},
    {"synchronisation", "read_mem_fence(CLK_GLOBAL_MEM_FENCE)", "__threadfence()",
     "CUDA has no fence for loads alone; the full one is stronger.", nearly},
    {"synchronisation", "write_mem_fence(CLK_GLOBAL_MEM_FENCE)", "__threadfence()",
     "CUDA has no fence for stores alone; the full one is stronger.", nearly},

    {"types", "T", "T",
     "The element type of a run, float, double or int. The translator writes it out, and OpenCL "
     "gets it as -DT=float."},
    {"types", "T2", "T2", "The vector of 2 of the element type, written out: float2."},
    {"types", "T4", "T4", "The vector of 4 of the element type, written out: float4."},
    {"types", "bool", "bool",
     "Not for parameters of kernels: OpenCL does not say how large it is."},
    {"types", "char", "signed char",
     "Signed in OpenCL; in C++ the compiler's choice, so the sign is written out."},
    {"types", "signed char", "signed char", "The same, spelled out."},
    {"types", "uchar", "unsigned char", "CUDA has no short names for unsigned types."},
    {"types", "unsigned char", "unsigned char", "The same, spelled out."},
    {"types", "short", "short", "16 bits in both."},
    {"types", "ushort", "unsigned short", "16 bits in both."},
    {"types", "unsigned short", "unsigned short", "The same, spelled out."},
    {"types", "int", "int", "32 bits in both."},
    {"types", "uint", "unsigned int", "32 bits in both; NVRTC does not know the short name."},
    {"types", "unsigned int", "unsigned int", "The same, spelled out."},
    {"types", "unsigned", "unsigned", "unsigned int, for short."},
    {"types", "long", "long long",
     "Always 64 bits in OpenCL. CUDA's long follows the host compiler, 32 bits on Windows; long "
     "long is always 64."},
    {"types", "ulong", "unsigned long long",
     "Always 64 bits in OpenCL, as unsigned long long in CUDA."},
    {"types", "unsigned long", "unsigned long long", "The same, spelled out."},
    {"types", "1L", "1LL", "A literal of type long is 64 bits wide in OpenCL, as LL is in CUDA."},
    {"types", "float", "float", "IEEE 754 binary32 in both."},
    {"types", "double", "double", "IEEE 754 binary64. Optional in OpenCL, always there in CUDA."},
    {"types", "size_t", "size_t",
     "As wide as a pointer of the device: 64 bits here. In CUDA it is another type than unsigned "
     "long long, so min(size_t, ulong) needs a cast.", nearly},
    {"types", "ptrdiff_t", "ptrdiff_t", "The signed companion of size_t."},

    {"vectors", "float2", "float2", "8 bytes, aligned to 8, in both."},
    {"vectors", "float4", "float4", "16 bytes, aligned to 16, in both: one 128-bit load."},
    {"vectors", "double2", "double2", "16 bytes, aligned to 16, in both."},
    {"vectors", "double4", "double4_32a",
     "OpenCL aligns it to 32 bytes, CUDA's double4 to 16. CUDA 13 has double4_32a; for older ones "
     "the prelude defines it."},
    {"vectors", "int2", "int2", "8 bytes, aligned to 8, in both."},
    {"vectors", "int4", "int4", "16 bytes, aligned to 16, in both."},
    {"vectors", "uint2", "uint2", "8 bytes, aligned to 8, in both."},
    {"vectors", "uint4", "uint4", "16 bytes, aligned to 16, in both."},
    {"vectors", "(T2)($, $)", "make_T2($, $)",
     "Left as it is, C++ would read a cast of a comma expression and keep only the last value."},
    {"vectors", "(T4)($, $, $, $)", "make_T4($, $, $, $)",
     "Left as it is, C++ would read a cast of a comma expression and keep only the last value."},
    {"vectors", "(T2)($)", "splat_T2($)", "One scalar for all components; the prelude has it."},
    {"vectors", "(T4)($)", "splat_T4($)", "One scalar for all components; the prelude has it."},
    {"vectors", ".s0", ".x", "CUDA's vectors name their components x, y, z, w only."},
    {"vectors", ".s1", ".y", "CUDA's vectors name their components x, y, z, w only."},
    {"vectors", ".s2", ".z", "CUDA's vectors name their components x, y, z, w only."},
    {"vectors", ".s3", ".w", "CUDA's vectors name their components x, y, z, w only."},
    {"vectors", "T4 + T4", "T4 + T4",
     "CUDA's vectors have no arithmetic. The prelude defines those of + - * / and their "
     "assignments that a kernel uses, component by component."},

    {"compiler", "#pragma unroll", "#pragma unroll",
     "Asks for the loop to be written out in full."},
    {"compiler", "#pragma unroll $", "#pragma unroll $",
     "Asks for this many iterations at a time."},
    {"compiler", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable", "",
     "OpenCL 1.1 wanted to be asked for double; CUDA always has it."},
    // clang-format on
};

}  // namespace

std::span<const Row> language_rows() {
    return rows;
}

std::span<const Row> mapping_table() {
    static const std::vector<Row> all = [] {
        std::vector<Row> joined;
        for (const auto part : {language_rows(), function_rows(), refused_rows()}) {
            joined.insert(joined.end(), part.begin(), part.end());
        }
        return joined;
    }();
    return all;
}

}  // namespace parallax

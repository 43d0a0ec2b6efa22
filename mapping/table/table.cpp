// The mapping table of the language: work-items, memory, types, vectors.
#include "mapping/table/table.hpp"

#include <algorithm>
#include <vector>

#include "mapping/table/rows.hpp"

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
     "CUDA. There is one such array a launch: the first such parameter vanishes, each further one "
     "becomes a number, unsigned int p_at, where its part begins."},
    {"memory", "__constant", "__constant__",
     "At file scope, data that no launch changes. A parameter or pointer to it becomes a pointer "
     "to const, which CUDA may read through another cache.", nearly},
    {"memory", "constant", "__constant__", "The same word without underscores.", nearly},
    {"memory", "T data at file scope", "__device__ T",
     "Data that all work-items of all launches share lies in global memory in both. OpenCL C 1.2 "
     "knows only __constant there."},
    {"memory", "__private", "", "A work-item's own memory: the default in both languages."},
    {"memory", "private", "",
     "The same word without underscores. In C++ it would be a keyword of classes."},
    {"memory", "restrict", "__restrict__",
     "A promise that nothing else points there. With const, CUDA may use read-only loads for "
     "it.", nearly},
    {"memory", "__attribute__((aligned($)))", "__align__($)",
     "NVIDIA's OpenCL puts 4 bytes in front of local memory: an array that does not ask for 16 "
     "bytes cannot be read 128 bits at a time."},
    {"memory", "T* p = q", "T* p = (T*)(q)",
     "C converts a pointer to one to another type without a word, C++ only by a cast, which is "
     "written."},
    {"memory", "char* s = \"a\"", "char* s = (const signed char*)\"a\"",
     "A string is an array of char in both, but OpenCL's char is signed char in CUDA."},
    {"memory", "__restrict", "__restrict__", "The spelling of compilers for C."},
    {"memory", "register", "",
     "A hint that compilers have long ignored; C++17 no longer has the word."},
    {"memory", "volatile T4", "T4",
     "CUDA's vectors and the prelude's have no volatile copies, so the word vanishes: accesses may "
     "be merged or left out.", nearly},
    {"memory", "NULL", "nullptr", "The pointer to nothing; NVRTC has no header that defines NULL."},

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
    {"types", "signed", "signed", "signed int, for short."},
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
    {"types", "half", "half",
     "16 bits. CUDA's own half is in a header that run-time compilation does not find; the "
     "prelude's computes in float and rounds each result."},
    {"types", "size_t", "size_t",
     "As wide as a pointer of the device: 64 bits here. In CUDA it is another type than unsigned "
     "long long; the prelude's functions take both."},
    {"types", "ptrdiff_t", "ptrdiff_t", "The signed companion of size_t."},
    {"types", "intptr_t", "ptrdiff_t", "A pointer's bits; NVRTC does not define the name."},
    {"types", "uintptr_t", "size_t", "A pointer's bits; NVRTC does not define the name."},
    {"types", "1.0h", "half(1.0f)",
     "A literal of type half; CUDA has none, so it is made of a float."},
    {"types", "__const", "const", "The spelling of compilers for C."},
    {"types", "(struct S){$}", "S{$}",
     "A struct without a name. C++ has no such literal, but its own braces behind the type do the "
     "same."},
    {"types", "{.name = $}", "{$}",
     "A member's name in an initializer, which C++17 does not know: it vanishes where the order is "
     "that of the struct, and is refused elsewhere."},
    {"types", "sizeof(T < T)", "sizeof(int)",
     "A comparison is int in C and bool in C++; the type that it has in OpenCL C is written."},
    {"types", "T = pow(T, int)", "T = pow(T, (T)(int))",
     "With a whole number beside a float C++ chooses the function of double; a cast keeps it the "
     "function of T. So for fmod, atan2, fmax, fmin, copysign, hypot and their like."},
    {"types", "__attribute__((packed))", "__attribute__((packed))",
     "No gaps between the members. Behind a struct's members CUDA's compiler ignores attributes: "
     "they move in front of its name."},
    {"types", "'a'", "'a'",
     "An int in OpenCL C and a char in C++: the value is the same, and sizeof of it is refused."},
    {"types", "typedef T4 name", "typedef T4 name",
     "The new name is known as the vector's: literals and components of it are translated."},
    {"types", "typedef __global T* name", "typedef T* name",
     "The address space vanishes as it does elsewhere."},

    {"vectors", "char2", "char2", "2 bytes, aligned to 2, in both."},
    {"vectors", "char3", "char3_4a",
     "4 bytes in OpenCL, as many as a vector of 4; CUDA's has 3. The prelude defines this one."},
    {"vectors", "char4", "char4", "4 bytes, aligned to 4, in both."},
    {"vectors", "char8", "char8",
     "8 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "char16", "char16",
     "16 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "uchar2", "uchar2", "2 bytes, aligned to 2, in both."},
    {"vectors", "uchar3", "uchar3_4a",
     "4 bytes in OpenCL, as many as a vector of 4; CUDA's has 3. The prelude defines this one."},
    {"vectors", "uchar4", "uchar4", "4 bytes, aligned to 4, in both."},
    {"vectors", "uchar8", "uchar8",
     "8 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "uchar16", "uchar16",
     "16 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "short2", "short2", "4 bytes, aligned to 4, in both."},
    {"vectors", "short3", "short3_8a",
     "8 bytes in OpenCL, as many as a vector of 4; CUDA's has 6. The prelude defines this one."},
    {"vectors", "short4", "short4", "8 bytes, aligned to 8, in both."},
    {"vectors", "short8", "short8",
     "16 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "short16", "short16",
     "32 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "ushort2", "ushort2", "4 bytes, aligned to 4, in both."},
    {"vectors", "ushort3", "ushort3_8a",
     "8 bytes in OpenCL, as many as a vector of 4; CUDA's has 6. The prelude defines this one."},
    {"vectors", "ushort4", "ushort4", "8 bytes, aligned to 8, in both."},
    {"vectors", "ushort8", "ushort8",
     "16 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "ushort16", "ushort16",
     "32 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "int2", "int2", "8 bytes, aligned to 8, in both."},
    {"vectors", "int3", "int3_16a",
     "16 bytes in OpenCL, as many as a vector of 4; CUDA's has 12. The prelude defines this "
     "one."},
    {"vectors", "int4", "int4", "16 bytes, aligned to 16, in both."},
    {"vectors", "int8", "int8",
     "32 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "int16", "int16",
     "64 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "uint2", "uint2", "8 bytes, aligned to 8, in both."},
    {"vectors", "uint3", "uint3_16a",
     "16 bytes in OpenCL, as many as a vector of 4; CUDA's has 12. The prelude defines this "
     "one."},
    {"vectors", "uint4", "uint4", "16 bytes, aligned to 16, in both."},
    {"vectors", "uint8", "uint8",
     "32 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "uint16", "uint16",
     "64 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "long2", "longlong2", "16 bytes, aligned to 16, in both."},
    {"vectors", "long3", "longlong3_32a",
     "32 bytes in OpenCL, as many as a vector of 4; CUDA's has 24. The prelude defines this "
     "one."},
    {"vectors", "long4", "longlong4_32a",
     "OpenCL aligns it to 32 bytes, CUDA's longlong4 to 16. CUDA 13 has longlong4_32a; for "
     "older ones the prelude defines it."},
    {"vectors", "long8", "longlong8",
     "64 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "long16", "longlong16",
     "128 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "ulong2", "ulonglong2", "16 bytes, aligned to 16, in both."},
    {"vectors", "ulong3", "ulonglong3_32a",
     "32 bytes in OpenCL, as many as a vector of 4; CUDA's has 24. The prelude defines this "
     "one."},
    {"vectors", "ulong4", "ulonglong4_32a",
     "OpenCL aligns it to 32 bytes, CUDA's ulonglong4 to 16. CUDA 13 has ulonglong4_32a; for "
     "older ones the prelude defines it."},
    {"vectors", "ulong8", "ulonglong8",
     "64 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "ulong16", "ulonglong16",
     "128 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "half2", "half2", "4 bytes, aligned to as many; the prelude defines it."},
    {"vectors", "half3", "half3_8a",
     "8 bytes in OpenCL, as many as a vector of 4; CUDA's has 6. The prelude defines this one."},
    {"vectors", "half4", "half4", "8 bytes, aligned to as many; the prelude defines it."},
    {"vectors", "half8", "half8",
     "16 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "half16", "half16",
     "32 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "float2", "float2", "8 bytes, aligned to 8, in both."},
    {"vectors", "float3", "float3_16a",
     "16 bytes in OpenCL, as many as a vector of 4; CUDA's has 12. The prelude defines this "
     "one."},
    {"vectors", "float4", "float4", "16 bytes, aligned to 16, in both."},
    {"vectors", "float8", "float8",
     "32 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "float16", "float16",
     "64 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "double2", "double2", "16 bytes, aligned to 16, in both."},
    {"vectors", "double3", "double3_32a",
     "32 bytes in OpenCL, as many as a vector of 4; CUDA's has 24. The prelude defines this "
     "one."},
    {"vectors", "double4", "double4_32a",
     "OpenCL aligns it to 32 bytes, CUDA's double4 to 16. CUDA 13 has double4_32a; for older "
     "ones the prelude defines it."},
    {"vectors", "double8", "double8",
     "64 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "double16", "double16",
     "128 bytes, aligned to as many. CUDA's vectors end at 4 components; the prelude defines "
     "this one."},
    {"vectors", "(T2)($, $)", "make_T2($, $)",
     "Left as it is, C++ would read a cast of a comma expression and keep only the last value. "
     "So for every width; parts may be vectors, and the prelude puts them together."},
    {"vectors", "(T4)($, $, $, $)", "make_T4($, $, $, $)",
     "Left as it is, C++ would read a cast of a comma expression and keep only the last value. "
     "So for every width; parts may be vectors, and the prelude puts them together."},
    {"vectors", "(T2)($)", "splat_T2($)",
     "One scalar for all components, of any width; the prelude has it."},
    {"vectors", "(T4)($)", "splat_T4($)",
     "One scalar for all components, of any width; the prelude has it."},
    {"vectors", "(T4)x", "splat_T4(x)",
     "A cast of a scalar gives all components its value, in OpenCL C alone. So does a scalar that "
     "initializes, is assigned to, returned as or passed for a vector."},
    {"vectors", "T4 v = {$, $, $, $}", "T4 v = make_T4($, $, $, $)",
     "Braces around all components, or around vectors that make them up, become the same function "
     "as in a literal."},
    {"vectors", "vec_step(T4)", "4",
     "The number of components, 4 for a vector of 3: written as a number."},
    {"vectors", ".s0", ".x",
     "CUDA's vectors of up to 4 components name them x, y, z, w only; those of 8 and 16, which "
     "are the prelude's, s0 to sf."},
    {"vectors", ".s1", ".y",
     "CUDA's vectors of up to 4 components name them x, y, z, w only; those of 8 and 16, which "
     "are the prelude's, s0 to sf."},
    {"vectors", ".s2", ".z",
     "CUDA's vectors of up to 4 components name them x, y, z, w only; those of 8 and 16, which "
     "are the prelude's, s0 to sf."},
    {"vectors", ".s3", ".w",
     "CUDA's vectors of up to 4 components name them x, y, z, w only; those of 8 and 16, which "
     "are the prelude's, s0 to sf."},
    {"vectors", "T4.xz", "swizzle_xz(v)",
     "CUDA's vectors have no swizzles. The prelude makes a vector of the components that are "
     "named, .lo, .hi, .even, .odd and .s01 among them."},
    {"vectors", "T4.xz = T2", "set_xz(v, value)",
     "CUDA's vectors have no swizzles. The prelude assigns the components one by one."},
    {"vectors", "T4 + T4", "T4 + T4",
     "CUDA's vectors have no arithmetic. The prelude defines the operators and assignments "
     "that a kernel uses, component by component, for a scalar on either side as well."},
    {"vectors", "T4 < T4", "T4 < T4",
     "On vectors a comparison gives a vector of integers of the same size, -1 where it holds "
     "and 0 elsewhere; so do && and ||. The prelude defines those that a kernel uses."},
    {"vectors", "T4 ? T4 : T4", "choose(T4, T4, T4)",
     "By components, after the highest bit of each; the prelude has it."},
    {"vectors", "T << n", "shift_left(T, n)",
     "OpenCL masks the count by the width of the left side, CUDA's hardware clamps it. Where "
     "the count is no literal below the width, the prelude masks it; so for >>, <<= and >>=."},

    {"compiler", "#define NAME text", "#define NAME text",
     "Macros stay, and their text is translated. Where it cannot be read by itself, --expand runs "
     "the preprocessor first."},
    {"compiler", "#if NAME", "#if NAME",
     "All branches are translated. Macros of OpenCL that an #if asks for, like cl_khr_fp64, are "
     "defined in the prelude."},
    {"compiler", "#pragma unroll", "#pragma unroll",
     "Asks for the loop to be written out in full."},
    {"compiler", "#pragma unroll $", "#pragma unroll $",
     "Asks for this many iterations at a time."},
    {"compiler", "#pragma nounroll", "#pragma unroll 1", "Asks for the loop to stay one."},
    {"compiler", "__attribute__((opencl_unroll_hint($)))", "_Pragma(\"unroll $\")",
     "Asks for this many iterations at a time, in the place where an attribute stands."},
    {"compiler", "__attribute__((hint))", "",
     "Hints of optimisation, and what C++ does without being told (overloadable), vanish."},
    {"compiler", "#pragma clang", "",
     "What is for one compiler alone, and #pragma once, vanishes."},
    {"compiler", "_Pragma(\"clang ...\")", "",
     "The same within a line; one that begins with unroll stays."},
    {"compiler", "__inline", "inline", "The spelling of compilers for C."},
    {"compiler", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable", "",
     "OpenCL 1.1 wanted to be asked for double; CUDA always has it."},

    {"names", "class", "class_",
     "A keyword of C++ is a name like others in OpenCL C and gets an underscore, all but a "
     "kernel's: the host finds it by its name."},
    {"names", "saturate()", "saturate_()",
     "CUDA has a function of this name and OpenCL C has not: at file scope an own one gets an "
     "underscore, or C++ would take them for overloads of one function."},
    {"names", "make_float4", "make_float4_",
     "The translation writes this name itself, as it does threadIdx, splat_*, swizzle_*, set_*, "
     "choose and others: an own one gets an underscore."},
    // clang-format on
};

}  // namespace

std::span<const Row> language_rows() {
    return rows;
}

std::string_view name_of(Equivalence equivalence) {
    switch (equivalence) {
        case Equivalence::same: return "same";
        case Equivalence::nearly: return "nearly";
        case Equivalence::none: break;
    }
    return "none";
}

std::span<const Row> mapping_table() {
    static const std::vector<Row> all = [] {
        std::vector<Row> joined;
        std::vector<std::string_view> topics;
        for (const auto part :
             {language_rows(), group_rows(), function_rows(), math_rows(), integer_rows(),
              conversion_rows(), atomic_rows(), constant_rows(), image_rows(), refused_rows()}) {
            for (const Row& row : part) {
                if (std::ranges::find(topics, row.topic) == topics.end()) {
                    topics.push_back(row.topic);
                }
                joined.push_back(row);
            }
        }
        std::ranges::stable_sort(joined, {}, [&](const Row& row) {
            return std::ranges::find(topics, row.topic) - topics.begin();
        });
        return joined;
    }();
    return all;
}

}  // namespace parallax

// Macros, pragmas, attributes and other words for the compiler.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_compiler[] = {
    {"#define NAME text", "=",
     "Macros stay, and their text is translated. Where it cannot be read by itself, --expand "
     "runs the preprocessor first."},
    {"#if NAME", "=",
     "All branches are translated. Macros of OpenCL that an #if asks for are defined in the "
     "prelude where the table has them, like cl_khr_fp64; of another one that an OpenCL compiler "
     "may define, port says that it is not.", nearly},
    {"#pragma unroll", "=",
     "Asks for the loop to be written out in full.", same, "opencl_unroll_hint, loop unrolling"},
    {"#pragma unroll $", "=", "Asks for this many iterations at a time."},
    {"#pragma nounroll", "#pragma unroll 1", "Asks for the loop to stay one."},
    {"__attribute__((opencl_unroll_hint($)))", "_Pragma(\"unroll $\")",
     "Asks for this many iterations at a time, in the place where an attribute stands."},
    {"__attribute__((hint))", "",
     "Hints of optimisation, and what C++ does without being told (overloadable), vanish."},
    {"#pragma clang", "",
     "What is for one compiler alone, and #pragma once, vanishes; so does a line that no compiler "
     "of OpenCL C knows, and port says so."},
    {"_Pragma(\"clang ...\")", "", "The same within a line; one that begins with unroll stays."},
    {"<__inline|__inline__>", "inline", "The spelling of compilers for C."},
    {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable", "",
     "OpenCL 1.1 wanted to be asked for double; CUDA always has it."},
    {"<asm|__asm|__asm__>", "asm",
     "Inline PTX stays as it is: NVIDIA's two compilers take the same, and no other device any. An "
     "operand must not be a pointer to __local: in OpenCL that is a place in local memory alone.",
     same, "inline PTX, asm volatile, inline assembly"},
    {"#include", "",
     "The file was not put in before. Name its folder with -I; where a macro names the file, "
     "run the preprocessor first (--expand).", none},
    {"#pragma pack", "",
     "It would lay out structs otherwise, on one side alone. Write __attribute__((packed)).", none},
    {"#pragma push_macro", "",
     "Some compilers of OpenCL C give a macro its earlier text back, and the translation does not "
     "follow it; pop_macro likewise. Define two macros.", none},
    {"static", "",
     "Static data is not allowed in OpenCL C 1.2. Use __constant at file scope; functions may "
     "be static.", none},
};

}  // namespace parallax::row_lists

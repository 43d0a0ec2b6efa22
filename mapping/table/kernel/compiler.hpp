// Macros, pragmas, attributes and other words for the compiler; names; printf.
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

/// Predefined macros.
inline constexpr MappingRule kernel_macros[] = {
    {"__OPENCL_VERSION__", "300", "OpenCL 3.0, which both sides of a comparison speak."},
    {"__OPENCL_C_VERSION__", "120",
     "The version of -cl-std: 120 where a program is built without, as this program builds it with "
     "CL1.2 then; another program's compiler may take its newest.", nearly},
    {"CL_VERSION_<1_0|1_1|1_2|2_0|3_0>", "<100|110|120|200|300>", "The number of a version."},
    {"__ENDIAN_LITTLE__", "1", "As all of CUDA's devices are."},
    {"cl_khr_<fp64|byte_addressable_store>", "1", "The extension is there."},
    {"cl_khr_int64_<base|extended>_atomics", "1", "The extension is there."},
    {"cl_khr_<global|local>_int32_<base|extended>_atomics", "1", "The extension is there."},
    {"__IMAGE_SUPPORT__", "1", "Every CUDA device has textures; the OpenCL side's has images, or "
     "no kernel that takes one runs there.", nearly},
    {"cl_khr_3d_image_writes", "1", "write_imagef and its like take an image3d_t."},
    {"__opencl_c_int64", "1", "long is there."},
    {"__opencl_c_<fp64|images|3d_image_writes>", "1",
     "A feature of OpenCL C 3.0: defined where the program is built with -cl-std=CL3.0."},
    {"__opencl_c_<subgroups|work_group_collective_functions|program_scope_global_variables>", "1",
     "A feature of OpenCL C 3.0: defined where the program is built with -cl-std=CL3.0, whatever "
     "the OpenCL side's device says.", nearly},
    {"__opencl_c_atomic_<order_acq_rel|order_seq_cst|scope_device|scope_all_devices>", "1",
     "A feature of OpenCL C 3.0: defined where the program is built with -cl-std=CL3.0, whatever "
     "the OpenCL side's device says.", nearly},
    {"cl_khr_<fp16|subgroups|subgroup_shuffle|subgroup_shuffle_relative|subgroup_ballot>", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
};

/// Names that the translator changes.
inline constexpr MappingRule kernel_names[] = {
    {"class", "class_",
     "A keyword of C++ is a name like others in OpenCL C and gets an underscore, all but a "
     "kernel's: the host finds it by its name."},
    {"rcbrt()", "rcbrt_()",
     "CUDA has a function of this name and OpenCL C has not: at file scope an own one gets an "
     "underscore, or C++ would take them for overloads of one function."},
    {"make_float4", "make_float4_",
     "The translation writes this name itself, as it does threadIdx, splat_*, swizzle_*, set_*, "
     "choose and others: an own one gets an underscore."},
    {"struct S, S", "struct S_, ::S",
     "In C++ a struct's name is a type's, which hides a variable or is taken; and a member may not "
     "have the name of its type. The struct gets another name, the type is named from the top."},
};

/// printf.
inline constexpr MappingRule kernel_printing[] = {
    {"printf($<...>)", "=",
     "Lines of different work-items come in another order. OpenCL's %ld is CUDA's %lld.", nearly},
    {"%v", "", "CUDA's printf knows no vectors. Print the components one by one.", none},
};

}  // namespace parallax::row_lists

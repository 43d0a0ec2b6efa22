// Names that the translator changes.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_names[] = {
    {"class", "class_",
     "A keyword of C++ is a name like others in OpenCL C and gets an underscore, all but a "
     "kernel's: the host finds it by its name."},
    {"erfinv()", "erfinv_()",
     "CUDA has a function of this name and OpenCL C has not: at file scope an own one gets an "
     "underscore, or C++ would take them for overloads of one function."},
    {"make_float4", "make_float4_",
     "The translation writes this name itself, as it does threadIdx, splat_*, swizzle_*, set_*, "
     "choose and others: an own one gets an underscore."},
    {"struct S, S", "struct S_, ::S",
     "In C++ a struct's name is a type's, which hides a variable or is taken; and a member may not "
     "have the name of its type. The struct gets another name, the type is named from the top."},
};

}  // namespace parallax::row_lists

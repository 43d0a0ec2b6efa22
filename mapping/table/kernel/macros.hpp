// Predefined macros.
#pragma once

#include "mapping/table/row.hpp"

namespace parallax::row_lists {

inline constexpr Row kernel_macros[] = {
    {"__OPENCL_VERSION__", "300", "OpenCL 3.0, which both sides of a comparison speak."},
    {"__OPENCL_C_VERSION__", "120", "OpenCL C 1.2, the language's version without a build option."},
    {"CL_VERSION_<1_0|1_1|1_2|2_0|3_0>", "<100|110|120|200|300>", "The number of a version."},
    {"__ENDIAN_LITTLE__", "1", "As all of CUDA's devices are."},
    {"cl_khr_<fp64|byte_addressable_store>", "1", "The extension is there."},
    {"cl_khr_int64_<base|extended>_atomics", "1", "The extension is there."},
    {"cl_khr_<global|local>_int32_<base|extended>_atomics", "1", "The extension is there."},
    {"cl_khr_<fp16|subgroups|subgroup_shuffle|subgroup_shuffle_relative|subgroup_ballot>", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
};

}  // namespace parallax::row_lists

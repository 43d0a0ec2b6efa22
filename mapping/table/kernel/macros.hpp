// Predefined macros.
#pragma once

#include "mapping/table/row.hpp"

namespace parallax::row_lists {

inline constexpr Row kernel_macros[] = {
    // clang-format off
    {"__OPENCL_VERSION__", "300", "OpenCL 3.0, which both sides of a comparison speak."},
    {"__OPENCL_C_VERSION__", "120", "OpenCL C 1.2, the language's version without a build option."},
    {"CL_VERSION_1_0", "100", "The number of a version."},
    {"CL_VERSION_1_1", "110", "The number of a version."},
    {"CL_VERSION_1_2", "120", "The number of a version."},
    {"CL_VERSION_2_0", "200", "The number of a version."},
    {"CL_VERSION_3_0", "300", "The number of a version."},
    {"__ENDIAN_LITTLE__", "1", "As all of CUDA's devices are."},
    {"cl_khr_fp64", "1", "The extension is there."},
    {"cl_khr_fp16", "1", "The translation has it, whatever the OpenCL side's device says.", nearly},
    {"cl_khr_int64_base_atomics", "1", "The extension is there."},
    {"cl_khr_int64_extended_atomics", "1", "The extension is there."},
    {"cl_khr_global_int32_base_atomics", "1", "The extension is there."},
    {"cl_khr_global_int32_extended_atomics", "1", "The extension is there."},
    {"cl_khr_local_int32_base_atomics", "1", "The extension is there."},
    {"cl_khr_local_int32_extended_atomics", "1", "The extension is there."},
    {"cl_khr_byte_addressable_store", "1", "The extension is there."},
    {"cl_khr_subgroups", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
    {"cl_khr_subgroup_shuffle", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
    {"cl_khr_subgroup_shuffle_relative", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
    {"cl_khr_subgroup_ballot", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
    // clang-format on
};

}  // namespace parallax::row_lists

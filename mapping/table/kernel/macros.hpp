// Predefined macros.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

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

}  // namespace parallax::row_lists

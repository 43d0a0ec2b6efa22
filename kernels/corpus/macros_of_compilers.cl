// The macros that a compiler of OpenCL C defines: conditions take the same branches on both sides.

// What a device of this program's has; extensions that it may lack decide nothing here.
//! out: int 21
//! launch: 1 by 1
//! needs: double
//! wrong: NVIDIA Its compiler does not define __opencl_c_int64 for OpenCL C 1.2.
__kernel void macros_of_compilers(__global int* out) {
    for (int i = 0; i < 21; ++i) out[i] = -1;
    out[0] = __OPENCL_VERSION__ >= __OPENCL_C_VERSION__;
    out[1] = __OPENCL_C_VERSION__;
#if __ENDIAN_LITTLE__
    out[2] = __ENDIAN_LITTLE__;
#endif
#if __IMAGE_SUPPORT__
    out[3] = __IMAGE_SUPPORT__;
#endif
#if CL_VERSION_1_0
    out[4] = CL_VERSION_1_0;
#endif
#if CL_VERSION_1_1
    out[5] = CL_VERSION_1_1;
#endif
#if CL_VERSION_1_2
    out[6] = CL_VERSION_1_2;
#endif
#if CL_VERSION_2_0
    out[7] = CL_VERSION_2_0;
#endif
#if CL_VERSION_3_0
    out[8] = CL_VERSION_3_0;
#endif
#if cl_khr_fp64
    out[9] = cl_khr_fp64;
#endif
#if cl_khr_byte_addressable_store
    out[10] = cl_khr_byte_addressable_store;
#endif
#if cl_khr_3d_image_writes
    out[11] = cl_khr_3d_image_writes;
#endif
#if cl_khr_int64_base_atomics
    out[12] = cl_khr_int64_base_atomics;
#endif
#if cl_khr_int64_extended_atomics
    out[13] = cl_khr_int64_extended_atomics;
#endif
#if cl_khr_global_int32_base_atomics
    out[14] = cl_khr_global_int32_base_atomics;
#endif
#if cl_khr_global_int32_extended_atomics
    out[15] = cl_khr_global_int32_extended_atomics;
#endif
#if cl_khr_local_int32_base_atomics
    out[16] = cl_khr_local_int32_base_atomics;
#endif
#if cl_khr_local_int32_extended_atomics
    out[17] = cl_khr_local_int32_extended_atomics;
#endif
#ifdef __opencl_c_int64
    out[18] = __opencl_c_int64;
#endif
#if defined(cl_khr_fp16) && defined(cl_khr_subgroups) && defined(cl_khr_subgroup_shuffle) && \
    defined(cl_khr_subgroup_shuffle_relative) && defined(cl_khr_subgroup_ballot)
    out[19] = -1;
#endif
#if defined(__opencl_c_fp64) || defined(__opencl_c_images) || \
    defined(__opencl_c_3d_image_writes) || defined(__opencl_c_subgroups) || \
    defined(__opencl_c_work_group_collective_functions) || \
    defined(__opencl_c_program_scope_global_variables) || \
    defined(__opencl_c_atomic_order_acq_rel) || defined(__opencl_c_atomic_order_seq_cst) || \
    defined(__opencl_c_atomic_scope_device) || defined(__opencl_c_atomic_scope_all_devices)
    out[20] = 1;  // of OpenCL C 3.0 alone
#endif
}

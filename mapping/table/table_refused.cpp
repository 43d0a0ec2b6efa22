// The rows of the mapping table that have no counterpart: what is refused, why, and what to use.
#include "mapping/table/rows.hpp"

namespace parallax {
namespace {

constexpr auto none = Equivalence::none;

constexpr Row rows[] = {
    // clang-format off
    {"execution", "get_work_dim()", "",
     "CUDA does not know it in a kernel; pass it as an argument.", none},
    {"sub-groups", "sub_group_block_*(), intel_sub_group_block_*()", "",
     "Block reads and writes have no counterpart. Let each lane read its own element, at the "
     "sub-group's start plus its lane.", none},
    {"sub-groups", "sub_group_non_uniform_*(), sub_group_clustered_*(), sub_group_rotate*(), "
     "sub_group_elect(), sub_group_reduce_*(), sub_group_scan_*()", "",
     "Only add, min and max of the whole sub-group have rows. Write it with shuffles.", none},
    {"execution", "work_group_*()", "",
     "Only reductions, scans, broadcast, all and any of the group have rows. Write it with local "
     "memory and barriers.", none},
    {"execution", "__attribute__", "",
     "No row for this attribute. Hints vanish; aligned, packed, reqd_work_group_size and "
     "opencl_unroll_hint have counterparts.", none},
    {"execution", "enqueue_*(), queue_t, clk_event_t, ndrange_t, ndrange_*(), pipe, reserve_id_t, "
     "create_user_event(), is_valid_event(), is_valid_reserve_id()", "",
     "Launching from the device is another model in CUDA. Launch from the host.", none},
    {"printing", "%v", "",
     "CUDA's printf knows no vectors. Print the components one by one.", none},
    {"memory", "__generic, generic", "", "OpenCL 2.0 only; name the address space.", none},
    {"memory", "image*_t, sampler_t, read_image*(), write_image*(), get_image_*(), "
     "CLK_NORMALIZED_*, CLK_ADDRESS_*, CLK_FILTER_*, read_only, write_only, read_write, "
     "__read_only, __write_only, __read_write", "",
     "Images have rows where they are a read_only image2d_t or image1d_buffer_t and are read "
     "without a sampler: write read_imagef(image, (int2)(x, y)) with x and y held within the "
     "image, pass its sizes as arguments, and let the kernel write to a buffer.", none},
    {"memory", "CLK_*", "", "Only the flags of fences have rows. Pass the number.", none},
    {"types", "long long", "",
     "long long is reserved for 128 bits in OpenCL. Write long, which has 64.", none},
    {"types", "long double, quad, complex, imaginary", "",
     "Reserved in OpenCL, no type of it. Write double.", none},
    {"types", "\"a\"", "", "Only printf and arrays of char take a string. Remove it.", none},
    {"types", "sizeof", "",
     "A comparison is int in C and bool in C++, and what is compared here is not known. Write "
     "sizeof(type).", none},
    {"conversions", "as_*(), convert_*()", "",
     "No type of OpenCL C stands behind it. Write as_ or convert_ with one that does.", none},
    {"conversions", "vload*(), vstore*()", "",
     "No width of OpenCL C stands behind it. Write 2, 3, 4, 8 or 16.", none},
    {"functions", "native_*(), half_*(), fast_*()", "",
     "OpenCL C has no such function. Write the plain one.", none},
    {"atomics", "atom_*(), atomic_*()", "",
     "Neither one of OpenCL 1.2's atomics nor of C11's. Write it with atomic_cmpxchg in a "
     "loop.", none},
    {"compiler", "asm, __asm, __asm__", "",
     "Assembly for one device is no OpenCL C. Write it in OpenCL C.", none},
    {"compiler", "#include", "",
     "The file was not put in before. Name its folder with -I; where a macro names the file, run "
     "the preprocessor first (--expand).", none},
    {"compiler", "#pragma", "",
     "Only unroll has a row. Lines of OPENCL vanish, as float rules are build options here; remove "
     "others.", none},
    {"compiler", "static", "",
     "Static data is not allowed in OpenCL C 1.2. Use __constant at file scope; functions may be "
     "static.", none},
    {"memory", "__constant T* at file scope", "",
     "In CUDA a pointer in constant memory could not be told from one to constant memory. Write an "
     "array, or pass the pointer.", none},
    // clang-format on
};

}  // namespace

std::span<const Row> refused_rows() {
    return rows;
}

}  // namespace parallax

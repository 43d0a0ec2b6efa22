// The mapping table of constants and predefined macros, and of printf.
#include "mapping/table/rows.hpp"

namespace parallax {
namespace {

using enum Equivalence;

constexpr Row rows[] = {
    // clang-format off
    {"constants", "INFINITY", "__int_as_float(0x7f800000)", "NVRTC has no header that names it."},
    {"constants", "NAN", "__int_as_float(0x7fc00000)", "NVRTC has no header that names it."},
    {"constants", "HUGE_VALF", "__int_as_float(0x7f800000)", "Infinity as a float."},
    {"constants", "HUGE_VAL", "__longlong_as_double(0x7ff0000000000000)", "Infinity as a double."},
    {"constants", "MAXFLOAT", "0x1.fffffep127f", "FLT_MAX by another name."},
    {"constants", "FLT_MAX", "0x1.fffffep127f", "NVRTC has no header that names it."},
    {"constants", "FLT_MIN", "0x1.0p-126f", "The smallest normal number, in both."},
    {"constants", "FLT_EPSILON", "0x1.0p-23f", "NVRTC has no header that names it."},
    {"constants", "FLT_DIG", "6", "NVRTC has no header that names it."},
    {"constants", "FLT_MANT_DIG", "24", "NVRTC has no header that names it."},
    {"constants", "FLT_MAX_10_EXP", "38", "NVRTC has no header that names it."},
    {"constants", "FLT_MAX_EXP", "128", "NVRTC has no header that names it."},
    {"constants", "FLT_MIN_10_EXP", "(-37)", "NVRTC has no header that names it."},
    {"constants", "FLT_MIN_EXP", "(-125)", "NVRTC has no header that names it."},
    {"constants", "FLT_RADIX", "2", "NVRTC has no header that names it."},
    {"constants", "DBL_MAX", "0x1.fffffffffffffp1023", "NVRTC has no header that names it."},
    {"constants", "DBL_MIN", "0x1.0p-1022", "The smallest normal number, in both."},
    {"constants", "DBL_EPSILON", "0x1.0p-52", "NVRTC has no header that names it."},
    {"constants", "DBL_DIG", "15", "NVRTC has no header that names it."},
    {"constants", "DBL_MANT_DIG", "53", "NVRTC has no header that names it."},
    {"constants", "DBL_MAX_10_EXP", "308", "NVRTC has no header that names it."},
    {"constants", "DBL_MAX_EXP", "1024", "NVRTC has no header that names it."},
    {"constants", "DBL_MIN_10_EXP", "(-307)", "NVRTC has no header that names it."},
    {"constants", "DBL_MIN_EXP", "(-1021)", "NVRTC has no header that names it."},
    {"constants", "HALF_MAX", "65504.0f", "Of half; written as a float, which holds it."},
    {"constants", "HALF_MIN", "0x1.0p-14f", "Of half; written as a float, which holds it."},
    {"constants", "HALF_EPSILON", "0x1.0p-10f", "Of half; written as a float, which holds it."},
    {"constants", "HALF_DIG", "3", "NVRTC has no header that names it."},
    {"constants", "HALF_MANT_DIG", "11", "NVRTC has no header that names it."},
    {"constants", "HALF_MAX_EXP", "16", "NVRTC has no header that names it."},
    {"constants", "HALF_MIN_EXP", "(-13)", "NVRTC has no header that names it."},
    {"constants", "CHAR_BIT", "8", "NVRTC has no header that names it."},
    {"constants", "CHAR_MAX", "127", "char is signed in OpenCL."},
    {"constants", "CHAR_MIN", "(-127 - 1)", "char is signed in OpenCL."},
    {"constants", "SCHAR_MAX", "127", "NVRTC has no header that names it."},
    {"constants", "SCHAR_MIN", "(-127 - 1)", "NVRTC has no header that names it."},
    {"constants", "UCHAR_MAX", "255", "NVRTC has no header that names it."},
    {"constants", "SHRT_MAX", "32767", "NVRTC has no header that names it."},
    {"constants", "SHRT_MIN", "(-32767 - 1)", "NVRTC has no header that names it."},
    {"constants", "USHRT_MAX", "65535", "NVRTC has no header that names it."},
    {"constants", "INT_MAX", "0x7fffffff", "NVRTC has no header that names it."},
    {"constants", "INT_MIN", "(-0x7fffffff - 1)", "NVRTC has no header that names it."},
    {"constants", "UINT_MAX", "0xffffffffu", "NVRTC has no header that names it."},
    {"constants", "LONG_MAX", "0x7fffffffffffffffLL", "64 bits in OpenCL."},
    {"constants", "LONG_MIN", "(-0x7fffffffffffffffLL - 1)", "64 bits in OpenCL."},
    {"constants", "ULONG_MAX", "0xffffffffffffffffULL", "64 bits in OpenCL."},
    {"constants", "FP_ILOGB0", "(-0x7fffffff - 1)", "What CUDA's ilogb gives for 0.", nearly},
    {"constants", "FP_ILOGBNAN", "(-0x7fffffff - 1)", "What CUDA's ilogb gives for NaN.", nearly},
    {"constants", "M_E", "0x1.5bf0a8b145769p+1", "e as a double."},
    {"constants", "M_E_F", "0x1.5bf0a8p+1f", "e as a float; CUDA has no such name."},
    {"constants", "M_LOG2E", "0x1.71547652b82fep+0", "log2(e) as a double."},
    {"constants", "M_LOG2E_F", "0x1.715476p+0f", "log2(e) as a float; CUDA has no such name."},
    {"constants", "M_LOG10E", "0x1.bcb7b1526e50ep-2", "log10(e) as a double."},
    {"constants", "M_LOG10E_F", "0x1.bcb7b2p-2f", "log10(e) as a float; CUDA has no such name."},
    {"constants", "M_LN2", "0x1.62e42fefa39efp-1", "ln(2) as a double."},
    {"constants", "M_LN2_F", "0x1.62e430p-1f", "ln(2) as a float; CUDA has no such name."},
    {"constants", "M_LN10", "0x1.26bb1bbb55516p+1", "ln(10) as a double."},
    {"constants", "M_LN10_F", "0x1.26bb1cp+1f", "ln(10) as a float; CUDA has no such name."},
    {"constants", "M_PI", "0x1.921fb54442d18p+1", "Pi as a double."},
    {"constants", "M_PI_F", "0x1.921fb6p+1f", "Pi as a float; CUDA has no such name."},
    {"constants", "M_PI_2", "0x1.921fb54442d18p+0", "Pi / 2 as a double."},
    {"constants", "M_PI_2_F", "0x1.921fb6p+0f", "Pi / 2 as a float; CUDA has no such name."},
    {"constants", "M_PI_4", "0x1.921fb54442d18p-1", "Pi / 4 as a double."},
    {"constants", "M_PI_4_F", "0x1.921fb6p-1f", "Pi / 4 as a float; CUDA has no such name."},
    {"constants", "M_1_PI", "0x1.45f306dc9c883p-2", "1 / pi as a double."},
    {"constants", "M_1_PI_F", "0x1.45f306p-2f", "1 / pi as a float; CUDA has no such name."},
    {"constants", "M_2_PI", "0x1.45f306dc9c883p-1", "2 / pi as a double."},
    {"constants", "M_2_PI_F", "0x1.45f306p-1f", "2 / pi as a float; CUDA has no such name."},
    {"constants", "M_2_SQRTPI", "0x1.20dd750429b6dp+0", "2 / sqrt(pi) as a double."},
    {"constants", "M_2_SQRTPI_F", "0x1.20dd76p+0f",
     "2 / sqrt(pi) as a float; CUDA has no such name."},
    {"constants", "M_SQRT2", "0x1.6a09e667f3bcdp+0", "sqrt(2) as a double."},
    {"constants", "M_SQRT2_F", "0x1.6a09e6p+0f", "sqrt(2) as a float; CUDA has no such name."},
    {"constants", "M_SQRT1_2", "0x1.6a09e667f3bcdp-1", "1 / sqrt(2) as a double."},
    {"constants", "M_SQRT1_2_F", "0x1.6a09e6p-1f",
     "1 / sqrt(2) as a float; CUDA has no such name."},

    {"macros", "__OPENCL_VERSION__", "300", "OpenCL 3.0, which both sides of a comparison speak."},
    {"macros", "__OPENCL_C_VERSION__", "120",
     "OpenCL C 1.2, the language's version without a build option."},
    {"macros", "CL_VERSION_1_0", "100", "The number of a version."},
    {"macros", "CL_VERSION_1_1", "110", "The number of a version."},
    {"macros", "CL_VERSION_1_2", "120", "The number of a version."},
    {"macros", "CL_VERSION_2_0", "200", "The number of a version."},
    {"macros", "CL_VERSION_3_0", "300", "The number of a version."},
    {"macros", "__ENDIAN_LITTLE__", "1", "As all of CUDA's devices are."},
    {"macros", "cl_khr_fp64", "1", "The extension is there."},
    {"macros", "cl_khr_fp16", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
    {"macros", "cl_khr_int64_base_atomics", "1", "The extension is there."},
    {"macros", "cl_khr_int64_extended_atomics", "1", "The extension is there."},
    {"macros", "cl_khr_global_int32_base_atomics", "1", "The extension is there."},
    {"macros", "cl_khr_global_int32_extended_atomics", "1", "The extension is there."},
    {"macros", "cl_khr_local_int32_base_atomics", "1", "The extension is there."},
    {"macros", "cl_khr_local_int32_extended_atomics", "1", "The extension is there."},
    {"macros", "cl_khr_byte_addressable_store", "1", "The extension is there."},
    {"macros", "cl_khr_subgroups", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
    {"macros", "cl_khr_subgroup_shuffle", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
    {"macros", "cl_khr_subgroup_shuffle_relative", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},
    {"macros", "cl_khr_subgroup_ballot", "1",
     "The translation has it, whatever the OpenCL side's device says.", nearly},

    {"printing", "printf($)", "printf($)",
     "Lines of different work-items come in another order.", nearly},
    {"printing", "printf($, $)", "printf($, $)",
     "Lines of different work-items come in another order. OpenCL's %ld is CUDA's "
     "%lld.", nearly},
    {"printing", "printf($, $, $)", "printf($, $, $)",
     "Lines of different work-items come in another order. OpenCL's %ld is CUDA's "
     "%lld.", nearly},
    {"printing", "printf($, $, $, $)", "printf($, $, $, $)",
     "Lines of different work-items come in another order. OpenCL's %ld is CUDA's "
     "%lld.", nearly},
    {"printing", "printf($, $, $, $, $)", "printf($, $, $, $, $)",
     "Lines of different work-items come in another order. OpenCL's %ld is CUDA's "
     "%lld.", nearly},
    {"printing", "printf($, $, $, $, $, $)", "printf($, $, $, $, $, $)",
     "Lines of different work-items come in another order. OpenCL's %ld is CUDA's "
     "%lld.", nearly},
    {"printing", "printf($, $, $, $, $, $, $)", "printf($, $, $, $, $, $, $)",
     "Lines of different work-items come in another order. OpenCL's %ld is CUDA's "
     "%lld.", nearly},
    {"printing", "printf($, $, $, $, $, $, $, $)", "printf($, $, $, $, $, $, $, $)",
     "Lines of different work-items come in another order. OpenCL's %ld is CUDA's "
     "%lld.", nearly},
    // clang-format on
};

}  // namespace

std::span<const Row> constant_rows() {
    return rows;
}

}  // namespace parallax

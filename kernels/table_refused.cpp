// The rows of the mapping table that have no counterpart: what is refused, why, and what to use.
#include "kernels/rows.hpp"

namespace parallax {
namespace {

constexpr auto none = Equivalence::none;

constexpr Row rows[] = {
    // clang-format off
    {"execution", "get_global_offset(), get_work_dim(), get_global_linear_id(), "
     "get_local_linear_id(), get_enqueued_local_size()", "",
     "CUDA does not know it in a kernel; pass it as an argument.", none},
    {"execution", "sub_group_*(), get_sub_group_*(), get_num_sub_groups(), "
     "get_max_sub_group_size(), get_enqueued_num_sub_groups()", "",
     "Sub-groups are optional in OpenCL and NVIDIA's has none; CUDA's warp functions are another "
     "contract. Use local memory, or write a native kernel.", none},
    {"execution", "work_group_*()", "",
     "CUDA's language has no function of a whole group. Write the tree with local memory and "
     "barriers.", none},
    {"execution", "__attribute__", "",
     "No row for this attribute; only aligned and reqd_work_group_size have one.", none},
    {"execution", "printf()", "",
     "The two print in another order and with other formats. Write values to a buffer.", none},
    {"execution", "enqueue_*(), queue_t, clk_event_t, ndrange_t, ndrange_*(), pipe, reserve_id_t, "
     "create_user_event(), is_valid_*()", "",
     "Launching from the device is another model in CUDA. Launch from the host.", none},
    {"memory", "__generic, generic", "", "OpenCL 2.0 only; name the address space.", none},
    {"memory", "async_work_group_*(), wait_group_events(), event_t, prefetch()", "",
     "CUDA's asynchronous copies are another contract. Copy in a loop, then a barrier.", none},
    {"memory", "vload*(), vstore*()", "",
     "They read and write unaligned; CUDA's vectors cannot. Use a pointer to an aligned "
     "vector.", none},
    {"memory", "image*_t, sampler_t, read_image*(), write_image*(), get_image_*(), "
     "CLK_NORMALIZED_*, CLK_ADDRESS_*, CLK_FILTER_*, read_only, write_only, read_write, "
     "__read_only, __write_only, __read_write", "",
     "Images are texture objects in CUDA, bound in another way. Use a buffer.", none},
    {"synchronisation", "CLK_*", "",
     "A flag that stands only as the argument of a barrier or fence.", none},
    {"types", "half, half2, half3, half4, half8, half16, half_*()", "",
     "CUDA's half is a class of a header that run-time compilation does not find by itself. Use "
     "float.", none},
    {"types", "float3, double3, int3, uint3, char3, uchar3, short3, ushort3, long3, ulong3", "",
     "16 bytes for 3 floats in OpenCL, 12 in CUDA: arrays of it differ. Use a vector of 4, or "
     "three scalars.", none},
    {"types", "float8, float16, double8, double16, int8, int16, uint8, uint16, char8, char16, "
     "uchar8, uchar16, short8, short16, ushort8, ushort16, long8, long16, ulong8, ulong16", "",
     "CUDA's vectors end at 4 components. Use an array of vectors of 4.", none},
    {"types", "char2, char4, uchar2, uchar4, short2, short4, ushort2, ushort4, long2, long4, "
     "ulong2, ulong4", "",
     "Only vectors of float, double, int and uint have rows. Use scalars.", none},
    {"types", "long long", "",
     "long long is reserved for 128 bits in OpenCL. Write long, which has 64.", none},
    {"types", "long double, quad, quad*, complex, imaginary", "",
     "Reserved in OpenCL, no type of it. Write double.", none},
    {"types", "signed", "", "Write char, short, int or long, which are signed.", none},
    {"types", "intptr_t, uintptr_t", "",
     "NVRTC does not define it. Use ptrdiff_t, or size_t.", none},
    {"types", "typedef T4 name", "",
     "Behind a new name the translator would not see a vector literal. Write the vector type "
     "itself.", none},
    {"types", "typedef __global T* name", "",
     "Behind a new name the translator would not see the address space. Write it where it is "
     "used.", none},
    {"types", "'a'", "", "An int in OpenCL C and a char in C++. Write the number.", none},
    {"types", "\"a\"", "", "Only printf would take a string, and it has no row. Remove it.", none},
    {"types", "sizeof", "",
     "Of an expression it differs: comparisons are int in C and bool in C++. Write "
     "sizeof(type).", none},
    {"vectors", "(T4)x", "",
     "Neither one scalar nor all components: C++ would read a cast. Write (T4)(x), or every "
     "one.", none},
    {"vectors", ".xy, .xyzw, .lo, .hi, .even, .odd, .s01", "",
     "CUDA's vectors have no swizzles. Name one component: x, y, z or w.", none},
    {"vectors", "T4==T4, T4<T4, T4%T4, T4&T4, !T4", "",
     "On vectors only + - * / have a counterpart; OpenCL's comparisons give a vector of 0 and -1. "
     "Write it component by component.", none},
    {"operators", "<<, >>, <<=, >>=", "",
     "OpenCL masks the count by the width of the left side, CUDA's hardware clamps it. Write a "
     "literal below 32, or mask the count with & 31; for a left side cast to long or ulong below "
     "64, or & 63.", none},
    {"functions", "mad()", "", "OpenCL leaves its rounding open. Write fma, or a * b + c.", none},
    {"functions", "native_*(), fast_*()", "",
     "Its precision is each implementation's own. Use the plain function.", none},
    {"functions", "fract(), frexp(), modf(), remquo(), sincos(), lgamma_r(), vec_step(), select(), "
     "bitselect(), shuffle(), shuffle2(), any(), all(), isequal(), isnotequal(), isgreater(), "
     "isgreaterequal(), isless(), islessequal(), islessgreater(), isordered(), isunordered(), "
     "isnormal()", "", "No row. Write it out with operators and ?:, component by component.", none},
    {"functions", "dot(), cross(), length(), distance(), normalize(), mix(), step(), smoothstep(), "
     "sign(), degrees(), radians()", "",
     "No row: their roundings are not fixed. Write the formula.", none},
    {"functions", "abs_diff(), add_sat(), sub_sat(), hadd(), rhadd(), mad_hi(), mad_sat(), "
     "mul_hi(), rotate(), clz(), ctz(), popcount(), upsample()", "",
     "No row: what CUDA has depends on the type of the argument. Write it with shifts and "
     "masks.", none},
    {"functions", "acosh(), asinh(), atanh(), acospi(), asinpi(), atanpi(), atan2pi(), sinpi(), "
     "cospi(), tanpi(), tgamma(), lgamma(), ilogb(), logb(), pown(), powr(), rootn(), maxmag(), "
     "minmag(), nan()", "", "No row yet. Use a function that has one.", none},
    {"conversions", "as_*(), convert_*()", "",
     "Only as_float, as_int, as_uint and the convert_ functions of float, double, int, uint, long "
     "and ulong without a suffix have rows. Use one of those, or a cast.", none},
    {"atomics", "atom_*(), atomic_*()", "",
     "Only the 32-bit atomics of OpenCL 1.1 have rows. Use one of those, from atomic_add to "
     "atomic_xor.", none},
    {"compiler",
     "#define, #undef, #if, #ifdef, #ifndef, #else, #elif, #endif, #include, #line, #error, #", "",
     "The translator has no preprocessor. Constants come with -D, one text serves both.", none},
    {"compiler", "#pragma", "",
     "Only unroll and the cl_khr_fp64 extension have rows. Float rules are build options.", none},
    {"compiler", "static", "",
     "Static data is not allowed in OpenCL C 1.2. Use __constant at file scope; functions may be "
     "static.", none},
    {"compiler", "T data at file scope", "",
     "Data at file scope must be __constant: the languages put it in different memory otherwise. "
     "Write __constant, or use an enum.", none},
    {"names", "alignas, alignof, and, and_eq, asm, auto, bitand, bitor, catch, char8_t, char16_t, "
     "char32_t, class, compl, concept, const_cast, consteval, constexpr, constinit, co_await, "
     "co_return, co_yield, decltype, delete, dynamic_cast, explicit, export, extern, friend, "
     "mutable, namespace, new, noexcept, not, not_eq, nullptr, operator, or, or_eq, protected, "
     "public, register, reinterpret_cast, requires, static_assert, static_cast, template, this, "
     "thread_local, throw, try, typeid, typename, typeof, using, virtual, wchar_t, xor, xor_eq, "
     "std", "",
     "A keyword of C++, or without meaning in an OpenCL kernel. Choose another name.", none},
    {"names", "threadIdx, blockIdx, blockDim, gridDim, warpSize, dim3, make_*, cuda*, tex1D*, "
     "tex2D*, tex3D*, tex1D*(), surf1D*(), surf2D*(), surf3D*(), double4_16a, double4_32a, float1, "
     "double1, int1, uint1, char1, uchar1, short1, ushort1, long1, ulong1, longlong*, ulonglong*",
     "", "A name of CUDA, not of OpenCL. Write the OpenCL word, the table translates it.", none},
    {"names", "__*", "",
     "Names that begin with two underscores belong to the compilers. Choose another name.", none},
    {"names", "dynamic_local, splat_*, unsigned_abs", "",
     "The translation uses this name itself. Choose another one.", none},
    {"names", "atomicAdd(), atomicSub(), atomicExch(), atomicMin(), atomicMax(), atomicInc(), "
     "atomicDec(), atomicCAS(), atomicAnd(), atomicOr(), atomicXor(), syncthreads_*(), clock(), "
     "clock64(), malloc(), free(), memcpy(), memset(), assert(), alloca(), message(), abort(), "
     "acosf(), acoshf(), asinf(), asinhf(), atan2f(), atanf(), atanhf(), cbrtf(), ceilf(), "
     "copysignf(), cosf(), coshf(), cospif(), cyl_bessel_*(), dadd(), ddiv(), dmul(), dsub(), "
     "double2*(), erfcf(), erfcinv(), erfcinvf(), erfcx(), erfcxf(), erff(), erfinv(), erfinvf(), "
     "exp10f(), exp2f(), expf(), expm1f(), fabsf(), fdimf(), fdivide(), fdividef(), float2*(), "
     "floorf(), fmaf(), fmaxf(), fminf(), fmodf(), frexpf(), hypotf(), ilogbf(), int2*(), j0(), "
     "j0f(), j1(), j1f(), jn(), jnf(), labs(), ldexpf(), lgammaf(), ll2*(), llabs(), llmax(), "
     "llmin(), llrint(), llrintf(), llround(), llroundf(), log10f(), log1pf(), log2f(), logbf(), "
     "logf(), lrint(), lrintf(), lround(), lroundf(), modff(), nanf(), nearbyint(), nearbyintf(), "
     "nextafterf(), norm(), norm3d(), norm3df(), norm4d(), norm4df(), normcdf(), normcdff(), "
     "normcdfinv(), normcdfinvf(), normf(), powf(), powi(), powif(), rcbrt(), rcbrtf(), "
     "remainderf(), remquof(), rhypot(), rhypotf(), rintf(), rnorm(), rnorm3d(), rnorm3df(), "
     "rnorm4d(), rnorm4df(), rnormf(), roundf(), rsqrtf(), saturate(), scalbln(), scalblnf(), "
     "scalbn(), scalbnf(), sincosf(), sincospi(), sincospif(), sinf(), sinhf(), sinpif(), sqrtf(), "
     "tanf(), tanhf(), tgammaf(), truncf(), uint2*(), ull2*(), ullmax(), ullmin(), umax(), umin(), "
     "y0(), y0f(), y1(), y1f(), yn(), ynf()", "",
     "A function of CUDA, not of OpenCL: a helper of this name could be overloaded with it. Use "
     "OpenCL's function, or another name.", none},
    // clang-format on
};

}  // namespace

std::span<const Row> refused_rows() {
    return rows;
}

}  // namespace parallax

// Lists the names that CUDA C++ reserves.
#include "mapping/analyze/source_names.hpp"

#include <set>

#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

constexpr std::string_view keywords =
    "alignas alignof and and_eq bitand bitor catch char16_t char32_t char8_t class co_await "
    "co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete "
    "dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq protected public reinterpret_cast requires static_assert static_cast "
    "template this thread_local throw try typeid typename using virtual wchar_t xor xor_eq";

// Functions and variables of CUDA C++ that OpenCL C has not: an own function of the name would be
// an overload.
constexpr std::string_view cuda_functions =
    "abort acosf acoshf alloca asinf asinhf assert atan2f atanf atanhf atomicAdd atomicAnd "
    "atomicCAS atomicDec atomicExch atomicInc atomicMax atomicMin atomicOr atomicSub atomicXor "
    "cbrtf ceilf clock clock64 copysignf cosf coshf cospif dadd ddiv dmul dsub erfcf erfcinv "
    "erfcinvf erfcx erfcxf erff erfinv erfinvf exp10f exp2f expf expm1f fabsf fdimf fdivide "
    "fdividef floorf fmaf fmaxf fminf fmodf free frexpf hypotf ilogbf j0 j0f j1 j1f jn jnf labs "
    "ldexpf lgammaf llabs llmax llmin llrint llrintf llround llroundf log10f log1pf log2f logbf "
    "logf lrint lrintf lround lroundf malloc memcpy memset message modff nanf nearbyint "
    "nearbyintf nextafterf norm norm3d norm3df norm4d norm4df normcdf normcdff normcdfinv "
    "normcdfinvf normf powf powi powif rcbrt rcbrtf remainderf remquof rhypot rhypotf rintf rnorm "
    "rnorm3d rnorm3df rnorm4d rnorm4df rnormf roundf rsqrtf saturate scalbln scalblnf scalbn "
    "scalbnf sincosf sincospi sincospif sinf sinhf sinpif sqrtf tanf tanhf tgammaf truncf ullmax "
    "ullmin umax umin y0 y0f y1 y1f yn ynf threadIdx blockIdx blockDim gridDim warpSize";

// Types of CUDA C++ that OpenCL C has not.
constexpr std::string_view cuda_types =
    "char1 dim3 double1 double4_16a float1 int1 long1 longlong1 longlong2 longlong3 longlong4 "
    "longlong4_16a short1 uchar1 uint1 ulong1 ulonglong1 ulonglong2 ulonglong3 ulonglong4 "
    "ulonglong4_16a ushort1";

using Words = std::set<std::string_view>;

Words set_of(std::string_view list) {
    const auto words = split(list, " ");
    return {words.begin(), words.end()};
}

}  // namespace

bool is_cxx_keyword(std::string_view name) {
    static const Words words = set_of(keywords);
    return words.contains(name);
}

bool is_taken_at_file_scope(std::string_view name) {
    static const Words functions = set_of(cuda_functions), types = set_of(cuda_types);
    return functions.contains(name) || types.contains(name) || name == "std" ||
           (name.starts_with("__") && !name.ends_with("__")) ||
           starts_with_any(name, {"tex1D", "tex2D", "tex3D", "surf1D", "surf2D", "surf3D", "cuda"});
}

}  // namespace parallax

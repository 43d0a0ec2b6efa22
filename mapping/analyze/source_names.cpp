// Lists the names that CUDA C++ and the translation reserve.
#include "mapping/analyze/source_names.hpp"

#include <set>

#include "mapping/analyze/value_type.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/prelude/prelude.hpp"
#include "mapping/prelude/sections.hpp"

namespace parallax {
namespace {

constexpr std::string_view keywords =
    "alignas alignof and and_eq bitand bitor catch char16_t char32_t char8_t class co_await "
    "co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete "
    "dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq protected public reinterpret_cast requires static_assert static_cast "
    "template this thread_local throw try typeid typename using virtual wchar_t xor xor_eq";

// Functions of CUDA C++ that OpenCL C has not: an own one of the name would be an overload.
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
    "ullmin umax umin y0 y0f y1 y1f yn ynf";

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

/// `make_float4`, `splat_int2`, `ordered_float4`
bool names_vector(std::string_view name) {
    for (const std::string_view start : {"make_", "splat_", "ordered_"}) {
        if (!name.starts_with(start)) continue;
        std::string_view type = name.substr(start.size());
        type = type.substr(0, type.find('_'));
        if (type.starts_with("longlong") || type.starts_with("ulonglong")) return true;
        return value_type_named(type).value_or(ValueType{}).is_vector();
    }
    return false;
}

/// `swizzle_xy`, `set_lo`, `increment_xy`
bool selects(std::string_view name) {
    for (const std::string_view start :
         {"swizzle_", "set_", "increment_after_", "increment_", "decrement_after_", "decrement_"}) {
        if (name.starts_with(start))
            return components_of(name.substr(start.size()), 16).has_value();
    }
    return false;
}

}  // namespace

bool is_cxx_keyword(std::string_view name) {
    static const Words words = set_of(keywords);
    return words.contains(name);
}

bool is_taken_at_file_scope(std::string_view name) {
    static const Words functions = set_of(cuda_functions), types = set_of(cuda_types);
    return is_taken_everywhere(name) || functions.contains(name) || types.contains(name) ||
           name == "std" || (name.starts_with("__") && !name.ends_with("__")) ||
           starts_with_any(name,
                           {"tex1D", "tex2D", "tex3D", "surf1D", "surf2D", "surf3D", "cuda"}) ||
           in_prelude(name) || is_word_of_sections(name);
}

bool is_taken_everywhere(std::string_view name) {
    return is_one_of(name,
                     {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dynamic_local",
                      "choose", "volatile_load", "volatile_store", "volatile_copy"}) ||
           is_one_of(name,
                     {"__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block",
                      "__threadfence_system", "__sinf", "__cosf", "__tanf", "__expf", "__exp10f",
                      "__logf", "__log2f", "__log10f", "__powf", "__fdividef", "__int_as_float"}) ||
           starts_with_any(name, {"shift_left", "shift_right"}) || names_vector(name) ||
           selects(name);
}

}  // namespace parallax

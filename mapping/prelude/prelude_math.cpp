// The mathematical and common functions of the prelude.
#include "mapping/prelude/prelude_functions.hpp"

namespace parallax {
namespace {

constexpr std::string_view floats = "fdh", both = "fd", single = "f";
constexpr std::string_view all = "cCsSiIlLfdh", with_min = "iIlLfd";

constexpr Family families[] = {
    {"acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi erf erfc exp exp2 exp10 expm1 fabs "
     "floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma "
     "trunc",
     floats, "v:v", both},
    {"atan2 copysign fdim fmod hypot pow remainder", floats, "v:vv", both},
    // The next half is not the next float.
    {"nextafter", both, "v:vv", both},
    {"fmax fmin", floats, "v:vv v:vs", both},
    {"fma", floats, "v:vvv", both},
    {"ldexp", floats, "v:vi v:vk", both},
    {"ilogb", floats, "i:v", both},
    {"frexp", floats, "v:vI", both},
    {"modf", floats, "v:vV", both},

    {"acospi", floats, "v:v", "", "acos(a) / ($t)(3.141592653589793)"},
    {"asinpi", floats, "v:v", "", "asin(a) / ($t)(3.141592653589793)"},
    {"atanpi", floats, "v:v", "", "atan(a) / ($t)(3.141592653589793)"},
    {"atan2pi", floats, "v:vv", "", "atan2(a, b) / ($t)(3.141592653589793)"},
    {"tanpi", floats, "v:v", "", "sinpi(a) / cospi(a)"},
    {"fract", both, "v:vV", "",
     R"({
    const $t whole = floor(a);
    *b = whole;
    if (isnan(a)) return a;
    if (isinf(a)) return copysign(($t)(0), a);
    return fmin(a - whole, ($t)(1) - ($t)($e));
})"},
    {"fract", "h", "v:vV", "",
     R"({
    float whole;
    const float rest = fract(float(a), &whole);
    *b = half(whole);
    return half(fmin(rest, 0x1.ffcp-1f));
})"},
    {"lgamma_r", floats, "v:vI", "",
     R"({
    const $t whole = floor(a);
    *b = a < 0 && whole != a && fmod(whole, ($t)(2)) != 0 ? -1 : 1;
    return lgamma(a);
})"},
    {"mad", floats, "v:vvv", "", "a * b + c"},
    {"maxmag", floats, "v:vv", "", "fabs(a) > fabs(b) ? a : fabs(b) > fabs(a) ? b : fmax(a, b)"},
    {"minmag", floats, "v:vv", "", "fabs(a) < fabs(b) ? a : fabs(b) < fabs(a) ? b : fmin(a, b)"},
    {"nan", "IL", "f:v", "", "$n"},
    // An int beyond 2^24 is no float, and its last bit decides the sign.
    {"pown", floats, "v:vi", "",
     R"({
    const bool small = b >= -16777216 && b <= 16777216;
    const $t power = small ? pow(fabs(a), ($t)(b)) : ($t)(pow(double(fabs(a)), double(b)));
    return b & 1 ? copysign(power, a) : power;
})"},
    {"powr", floats, "v:vv", "",
     R"({
    const bool unclear = a < 0 || isnan(a) || isnan(b) || (b == 0 && (a == 0 || isinf(a))) ||
                         (a == 1 && isinf(b));
    return unclear ? ($t)(__int_as_float(0x7fc00000)) : pow(fabs(a), b);
})"},
    // CUDA keeps three bits of the quotient, OpenCL seven.
    {"remquo", floats, "v:vvI", "",
     R"({
    *c = 0;
    if (isnan(a) || isnan(b) || isinf(a) || b == 0 || isinf(b)) return remainder(a, b);
    const $t y = fabs(b);
    $t x = isinf(128 * y) ? fabs(a) : fmod(fabs(a), 128 * y);
    int quotient = 0;
    for (int power = 64; power > 0; power /= 2) {
        const bool fits = x >= power * y;
        if (fits) x -= power * y;
        quotient += fits ? power : 0;
    }
    if (x > y - x || (x == y - x && (quotient & 1))) ++quotient;
    quotient &= 127;
    *c = signbit(a) != signbit(b) ? -quotient : quotient;
    return remainder(a, b);
})"},
    // The rounding error of 1 / b is put right: a^(y + e) is about a^y * (1 + e * log(a)).
    {"rootn", floats, "v:vi", "",
     R"({
    if (b == 0 || (a < 0 && !(b & 1))) return ($t)(__int_as_float(0x7fc00000));
    const $t y = 1 / ($t)(b), x = fabs(a);
    $t root = pow(x, y);
    const bool plain = x > 0 && !isinf(x) && !isinf(root);
    if (plain) root = fma(root, fma(-($t)(b), y, ($t)(1)) / ($t)(b) * log(x), root);
    return b & 1 ? copysign(root, a) : root;
})"},
    {"sincos", floats, "v:vV", "",
     R"({
    $t sine;
    sincos(a, &sine, b);
    return sine;
})"},

    {"half_cos", single, "v:v", "", "cos(a)"},
    {"half_divide", single, "v:vv", "", "a / b"},
    {"half_exp", single, "v:v", "", "exp(a)"},
    {"half_exp2", single, "v:v", "", "exp2(a)"},
    {"half_exp10", single, "v:v", "", "exp10(a)"},
    {"half_log", single, "v:v", "", "log(a)"},
    {"half_log2", single, "v:v", "", "log2(a)"},
    {"half_log10", single, "v:v", "", "log10(a)"},
    {"half_powr", single, "v:vv", "", "pow(a, b)"},
    {"half_recip", single, "v:v", "", "1.0f / a"},
    {"half_rsqrt", single, "v:v", "", "rsqrt(a)"},
    {"half_sin", single, "v:v", "", "sin(a)"},
    {"half_sqrt", single, "v:v", "", "sqrt(a)"},
    {"half_tan", single, "v:v", "", "tan(a)"},
    {"native_cos", single, "v:v", "", "__cosf(a)"},
    {"native_divide", single, "v:vv", "", "__fdividef(a, b)"},
    {"native_exp", single, "v:v", "", "__expf(a)"},
    {"native_exp2", single, "v:v", "",
     "{\n    float power;\n    asm(\"ex2.approx.f32 %0, %1;\" : \"=f\"(power) : \"f\"(a));\n"
     "    return power;\n}"},
    {"native_exp10", single, "v:v", "", "__exp10f(a)"},
    {"native_log", single, "v:v", "", "__logf(a)"},
    {"native_log2", single, "v:v", "", "__log2f(a)"},
    {"native_log10", single, "v:v", "", "__log10f(a)"},
    {"native_powr", single, "v:vv", "", "__powf(a, b)"},
    {"native_recip", single, "v:v", "", "__fdividef(1.0f, a)"},
    {"native_rsqrt", single, "v:v", "", "rsqrtf(a)"},
    {"native_sin", single, "v:v", "", "__sinf(a)"},
    {"native_sqrt", single, "v:v", "",
     "{\n    float root;\n    asm(\"sqrt.approx.f32 %0, %1;\" : \"=f\"(root) : \"f\"(a));\n"
     "    return root;\n}"},
    {"native_tan", single, "v:v", "", "__tanf(a)"},

    {"min", all, "v:vv v:vs", with_min, "($t)(b < a ? b : a)"},
    {"max", all, "v:vv v:vs", with_min, "($t)(a < b ? b : a)"},
    {"clamp", all, "v:vvv v:vss", "", "($t)(min(max(a, b), c))"},
    {"degrees", floats, "v:v", "", "a * ($t)(57.29577951308232)"},
    {"radians", floats, "v:v", "", "a * ($t)(0.017453292519943295)"},
    {"mix", floats, "v:vvv v:vvs", "", "a + (b - a) * c"},
    {"sign", floats, "v:v", "", "a > 0 ? ($t)(1) : a < 0 ? ($t)(-1) : a == 0 ? a : ($t)(0)"},
    {"step", floats, "v:vv v:sv", "", "b < a ? ($t)(0) : ($t)(1)"},
    {"smoothstep", floats, "v:vvv v:ssv", "",
     R"({
    const $t t = fmin(fmax((c - a) / (b - a), ($t)(0)), ($t)(1));
    return t * t * (3 - 2 * t);
})"},
};

}  // namespace

std::span<const Family> math_families() {
    return families;
}

}  // namespace parallax

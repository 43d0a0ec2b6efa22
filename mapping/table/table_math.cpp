// The mapping table of the functions whose error is bounded.
#include "mapping/table/rows.hpp"

namespace parallax {
namespace {

using enum Equivalence;

constexpr Row rows[] = {
    // clang-format off
    {"mathematics", "sqrt($)", "sqrt($)",
     "CUDA rounds correctly unless told otherwise. OpenCL allows 3 ULP for float "
     "unless the build says -cl-fp32-correctly-rounded-divide-sqrt.", nearly},
    {"mathematics", "rsqrt($)", "rsqrt($)", "OpenCL allows 2 ULP for float; CUDA 2.", nearly},
    {"mathematics", "cbrt($)", "cbrt($)", "OpenCL allows 2 ULP for float; CUDA 1.", nearly},
    {"mathematics", "hypot($, $)", "hypot($, $)", "OpenCL allows 4 ULP for float; CUDA 3.", nearly},
    {"mathematics", "exp($)", "exp($)", "OpenCL allows 3 ULP for float; CUDA 2.", nearly},
    {"mathematics", "exp2($)", "exp2($)", "OpenCL allows 3 ULP for float; CUDA 2.", nearly},
    {"mathematics", "exp10($)", "exp10($)", "OpenCL allows 3 ULP for float; CUDA 2.", nearly},
    {"mathematics", "expm1($)", "expm1($)", "OpenCL allows 3 ULP for float; CUDA 1.", nearly},
    {"mathematics", "log($)", "log($)", "OpenCL allows 3 ULP for float; CUDA 1.", nearly},
    {"mathematics", "log2($)", "log2($)", "OpenCL allows 3 ULP for float; CUDA 1.", nearly},
    {"mathematics", "log10($)", "log10($)",
     "OpenCL allows 3 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "log1p($)", "log1p($)", "OpenCL allows 2 ULP for float; CUDA 1.", nearly},
    {"mathematics", "pow($, $)", "pow($, $)",
     "OpenCL allows 16 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "sin($)", "sin($)", "OpenCL allows 4 ULP for float; CUDA 2.", nearly},
    {"mathematics", "cos($)", "cos($)", "OpenCL allows 4 ULP for float; CUDA 2.", nearly},
    {"mathematics", "tan($)", "tan($)", "OpenCL allows 5 ULP for float; CUDA 4.", nearly},
    {"mathematics", "asin($)", "asin($)",
     "OpenCL allows 4 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "acos($)", "acos($)",
     "OpenCL allows 4 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "atan($)", "atan($)", "OpenCL allows 5 ULP for float; CUDA 2.", nearly},
    {"mathematics", "atan2($, $)", "atan2($, $)", "OpenCL allows 6 ULP for float; CUDA 3.", nearly},
    {"mathematics", "sinh($)", "sinh($)", "OpenCL allows 4 ULP for float; CUDA 3.", nearly},
    {"mathematics", "cosh($)", "cosh($)", "OpenCL allows 4 ULP for float; CUDA 2.", nearly},
    {"mathematics", "tanh($)", "tanh($)",
     "OpenCL allows 5 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "asinh($)", "asinh($)",
     "OpenCL allows 4 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "acosh($)", "acosh($)",
     "OpenCL allows 4 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "atanh($)", "atanh($)",
     "OpenCL allows 5 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "sinpi($)", "sinpi($)",
     "OpenCL allows 4 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "cospi($)", "cospi($)",
     "OpenCL allows 4 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "erf($)", "erf($)",
     "OpenCL allows 16 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "erfc($)", "erfc($)",
     "OpenCL allows 16 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "tgamma($)", "tgamma($)",
     "OpenCL allows 16 ULP for float; CUDA states its own bound.", nearly},
    {"mathematics", "acospi($)", "acospi($)",
     "OpenCL allows 5 ULP for float; CUDA states its own bound. The prelude divides "
     "the angle by pi.", nearly},
    {"mathematics", "asinpi($)", "asinpi($)",
     "OpenCL allows 5 ULP for float; CUDA states its own bound. The prelude divides "
     "the angle by pi.", nearly},
    {"mathematics", "atanpi($)", "atanpi($)",
     "OpenCL allows 5 ULP for float; CUDA states its own bound. The prelude divides "
     "the angle by pi.", nearly},
    {"mathematics", "atan2pi($, $)", "atan2pi($, $)",
     "OpenCL allows 6 ULP for float; CUDA states its own bound. The prelude divides "
     "the angle by pi.", nearly},
    {"mathematics", "tanpi($)", "tanpi($)",
     "OpenCL allows 6 ULP for float; CUDA states its own bound. The prelude divides "
     "sinpi by cospi.", nearly},
    {"mathematics", "powr($, $)", "powr($, $)",
     "OpenCL allows 16 ULP for float; CUDA states its own bound. pow for bases from 0 "
     "on, NaN elsewhere; the prelude has it.", nearly},
    {"mathematics", "pown($, $)", "pown($, $)",
     "OpenCL allows 16 ULP for float; CUDA states its own bound. pow with an int; the "
     "prelude takes the sign from its last bit.", nearly},
    {"mathematics", "rootn($, $)", "rootn($, $)",
     "OpenCL allows 16 ULP for float; CUDA states its own bound. The prelude takes "
     "pow(x, 1 / n) and puts the rounding of 1 / n right.", nearly},
    {"mathematics", "sincos($, $)", "sincos($, $)",
     "OpenCL allows 4 ULP for float; CUDA 2. The sine comes back, the cosine goes "
     "through the pointer; CUDA's own has two pointers.", nearly},
    {"mathematics", "lgamma($)", "lgamma($)",
     "OpenCL does not bound its error; CUDA does.", nearly},
    {"mathematics", "lgamma_r($, $)", "lgamma_r($, $)",
     "OpenCL does not bound its error. The sign through the pointer; the prelude has "
     "it.", nearly},
    {"mathematics", "half_cos($)", "half_cos($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_divide($, $)", "half_divide($, $)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_exp($)", "half_exp($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_exp2($)", "half_exp2($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_exp10($)", "half_exp10($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_log($)", "half_log($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_log2($)", "half_log2($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_log10($)", "half_log10($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_powr($, $)", "half_powr($, $)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_recip($)", "half_recip($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_rsqrt($)", "half_rsqrt($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_sin($)", "half_sin($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_sqrt($)", "half_sqrt($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "half_tan($)", "half_tan($)",
     "half_ allows 8192 ULP and a smaller range. The plain function of float is meant "
     "to be enough.", nearly},
    {"mathematics", "native_cos($)", "native_cos($)",
     "Precision and range are each implementation's own; CUDA's side is __cosf.", nearly},
    {"mathematics", "native_divide($, $)", "native_divide($, $)",
     "Precision and range are each implementation's own; CUDA's side is __fdividef.", nearly},
    {"mathematics", "native_exp($)", "native_exp($)",
     "Precision and range are each implementation's own; CUDA's side is __expf.", nearly},
    {"mathematics", "native_exp2($)", "native_exp2($)",
     "Precision and range are each implementation's own; CUDA's side is ex2.approx.", nearly},
    {"mathematics", "native_exp10($)", "native_exp10($)",
     "Precision and range are each implementation's own; CUDA's side is __exp10f.", nearly},
    {"mathematics", "native_log($)", "native_log($)",
     "Precision and range are each implementation's own; CUDA's side is __logf.", nearly},
    {"mathematics", "native_log2($)", "native_log2($)",
     "Precision and range are each implementation's own; CUDA's side is __log2f.", nearly},
    {"mathematics", "native_log10($)", "native_log10($)",
     "Precision and range are each implementation's own; CUDA's side is __log10f.", nearly},
    {"mathematics", "native_powr($, $)", "native_powr($, $)",
     "Precision and range are each implementation's own; CUDA's side is __powf.", nearly},
    {"mathematics", "native_recip($)", "native_recip($)",
     "Precision and range are each implementation's own; CUDA's side is __fdividef(1, "
     "x).", nearly},
    {"mathematics", "native_rsqrt($)", "native_rsqrt($)",
     "Precision and range are each implementation's own; CUDA's side is rsqrtf.", nearly},
    {"mathematics", "native_sin($)", "native_sin($)",
     "Precision and range are each implementation's own; CUDA's side is __sinf.", nearly},
    {"mathematics", "native_sqrt($)", "native_sqrt($)",
     "Precision and range are each implementation's own; CUDA's side is sqrt.approx.", nearly},
    {"mathematics", "native_tan($)", "native_tan($)",
     "Precision and range are each implementation's own; CUDA's side is __tanf.", nearly},
    // clang-format on
};

}  // namespace

std::span<const Row> math_rows() {
    return rows;
}

}  // namespace parallax

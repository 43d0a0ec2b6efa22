// Mathematical functions, whose error has a bound.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_mathematics[] = {
    {"sqrt($)", "=",
     "CUDA rounds correctly unless told otherwise. OpenCL allows 3 ULP for float unless the "
     "build says -cl-fp32-correctly-rounded-divide-sqrt.", nearly},
    {"rsqrt($)", "=", "OpenCL allows 2 ULP for float; CUDA 2.", nearly},
    {"<cbrt|log1p>($)", "=", "OpenCL allows 2 ULP for float; CUDA 1.", nearly},
    {"hypot($, $)", "=", "OpenCL allows 4 ULP for float; CUDA 3.", nearly},
    {"<exp|exp2|exp10>($)", "=", "OpenCL allows 3 ULP for float; CUDA 2.", nearly},
    {"<expm1|log|log2>($)", "=", "OpenCL allows 3 ULP for float; CUDA 1.", nearly},
    {"log10($)", "=", "OpenCL allows 3 ULP for float; CUDA states its own bound.", nearly},
    {"pow($, $)", "=", "OpenCL allows 16 ULP for float; CUDA states its own bound.", nearly},
    {"<sin|cos|cosh>($)", "=", "OpenCL allows 4 ULP for float; CUDA 2.", nearly},
    {"tan($)", "=", "OpenCL allows 5 ULP for float; CUDA 4.", nearly},
    {"<asin|acos|asinh|acosh|sinpi|cospi>($)", "=",
     "OpenCL allows 4 ULP for float; CUDA states its own bound.", nearly},
    {"atan($)", "=", "OpenCL allows 5 ULP for float; CUDA 2.", nearly},
    {"atan2($, $)", "=", "OpenCL allows 6 ULP for float; CUDA 3.", nearly},
    {"sinh($)", "=", "OpenCL allows 4 ULP for float; CUDA 3.", nearly},
    {"<tanh|atanh>($)", "=", "OpenCL allows 5 ULP for float; CUDA states its own bound.", nearly},
    {"<erf|erfc|tgamma>($)", "=",
     "OpenCL allows 16 ULP for float; CUDA states its own bound.", nearly},
    {"<acospi|asinpi|atanpi>($)", "=",
     "OpenCL allows 5 ULP for float; CUDA states its own bound. The prelude divides the angle "
     "by pi.", nearly, "@"},
    {"atan2pi($, $)", "=",
     "OpenCL allows 6 ULP for float; CUDA states its own bound. The prelude divides the angle "
     "by pi.", nearly, "@"},
    {"tanpi($)", "=",
     "OpenCL allows 6 ULP for float; CUDA states its own bound. The prelude divides sinpi by "
     "cospi.", nearly, "@"},
    {"powr($, $)", "=",
     "OpenCL allows 16 ULP for float; CUDA states its own bound. pow for bases from 0 on, NaN "
     "elsewhere; the prelude has it.", nearly, "@"},
    {"pown($, $)", "=",
     "OpenCL allows 16 ULP for float; CUDA states its own bound. pow with an int; the prelude "
     "takes the sign from its last bit.", nearly, "@"},
    {"rootn($, $)", "=",
     "OpenCL allows 16 ULP for float; CUDA states its own bound. The prelude takes pow(x, 1 / "
     "n) and puts the rounding of 1 / n right.", nearly, "@"},
    {"sincos($, $)", "=",
     "OpenCL allows 4 ULP for float; CUDA 2. The sine comes back, the cosine goes through the "
     "pointer; CUDA's own has two pointers.", nearly},
    {"lgamma($)", "=", "OpenCL does not bound its error; CUDA does.", nearly},
    {"lgamma_r($, $)", "=",
     "OpenCL does not bound its error. The sign through the pointer; the prelude has it.", nearly,
     "@"},
    {"half_<cos|exp|exp2|exp10|log|log2|log10|recip|rsqrt|sin|sqrt|tan>($)", "=",
     "OpenCL allows half_ functions 8192 ULP and a smaller range. CUDA has none: the plain "
     "function of float does better than is asked for.", nearly, "@"},
    {"half_<divide|powr>($, $)", "=",
     "OpenCL allows half_ functions 8192 ULP and a smaller range. CUDA has none: the plain "
     "function of float does better than is asked for.", nearly, "@"},
    {"native_<cos|exp|exp10|log|log2|log10|sin|tan>($)", "=",
     "Each implementation has its own precision and range; CUDA's functions are __cosf, __expf, "
     "__exp10f, __logf, __log2f, __log10f, __sinf and __tanf.", nearly,
     "@__cosf, @__expf, @__exp10f, @__logf, @__log2f, @__log10f, @__sinf, @__tanf, "
     "intrinsic, fast approximation"},
    {"native_divide($, $)", "=",
     "Precision and range are each implementation's own; CUDA's side is __fdividef.", nearly,
     "@__fdividef"},
    {"native_<exp2|rsqrt|sqrt>($)", "=",
     "Precision and range are each implementation's own; CUDA's side is ex2.approx, rsqrtf and "
     "sqrt.approx.", nearly, "@"},
    {"native_powr($, $)", "=",
     "Precision and range are each implementation's own; CUDA's side is __powf.", nearly,
     "@__powf"},
    {"native_recip($)", "=",
     "Precision and range are each implementation's own; CUDA's side is __fdividef(1, x).", nearly,
     "@"},
};

}  // namespace parallax::row_lists

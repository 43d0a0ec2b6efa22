// Conversions between types.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_conversions[] = {
    {"as_<type>($)", "=",
     "The prelude takes the same bits for another type; no value is converted.", same,
     "@__float_as_int, @__int_as_float, reinterpret, bit cast"},
    {"convert_<integer>($)", "((<type in CUDA>)($))",
     "Towards zero, as the cast rounds. For values that do not fit OpenCL lets the "
     "implementation choose the result.", nearly},
    {"convert_<half|float|double>($)", "((<type in CUDA>)($))",
     "Rounds to nearest even, as the cast does."},
    {"convert_<type>_<rte|rtz|rtp|rtn>($)", "=",
     "_rte rounds to nearest even, _rtz towards zero, _rtp up and _rtn down; by the prelude.",
     same, "@__float2int_rn, rounding mode of a conversion"},
    {"convert_<integer>_sat<|_rte|_rtz|_rtp|_rtn>($)", "=",
     "A value beyond the type becomes its largest or smallest one, and NaN becomes 0; _rte, "
     "_rtz, _rtp and _rtn round as without _sat. By the prelude.", same, "@"},
    {"as_*(), convert_*()", "",
     "No type of OpenCL C stands behind it. Write as_ or convert_ with one that does.", none},
    {"vload*(), vstore*()", "",
     "No width of OpenCL C stands behind it. Write 2, 3, 4, 8 or 16.", none},
};

}  // namespace parallax::row_lists

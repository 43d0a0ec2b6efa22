// printf.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_printing[] = {
    {"printf($<...>)", "=",
     "Lines of different work-items come in another order. OpenCL's %ld is CUDA's %lld.", nearly},
    {"%v", "", "CUDA's printf knows no vectors. Print the components one by one.", none},
};

}  // namespace parallax::row_lists

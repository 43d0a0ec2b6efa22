// Names that a compiler of OpenCL C may define by itself.
#pragma once

#include <string_view>

#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {

/// Whether the standard, or the rules for names that implementations make, leave room for such a
/// macro: those that the preprocessor takes for granted are among them.
inline bool may_be_predefined(std::string_view name) {
    return starts_with_any(name,
                           {"__", "cl_", "CL_", "CLK_", "M_", "FLT_", "DBL_", "HALF_", "FP_"}) ||
           ends_with_any(name, {"_MAX", "_MIN", "_BIT"}) ||
           is_one_of(name, {"NAN", "INFINITY", "HUGE_VAL", "HUGE_VALF", "MAXFLOAT", "NULL"});
}

/// Whether it is a word of OpenCL C that compilers may have as a macro, as Clang's header has: a
/// condition finds it defined there.
inline bool may_be_macro(std::string_view name) {
    return name.starts_with("CLK_") || type_of_bits(name) ||
           is_one_of(name, {"NULL", "ATOMIC_VAR_INIT", "ATOMIC_FLAG_INIT", "kernel_exec"});
}

}  // namespace parallax

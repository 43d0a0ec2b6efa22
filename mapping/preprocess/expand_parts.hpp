// Steps of the preprocessor in files of their own.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace parallax {

/// Whether the condition holds: its numbers are signed where they fit and have no `u`. A name is 0.
/// @param tokens  after macros and `defined`, without blanks
/// @returns nothing for what is no such expression, overflows, divides by 0, or is otherwise in 64
/// bits, as in CUDA C++, than in 128, as Clang has them in OpenCL C
std::optional<bool> condition_value(std::span<const std::string> tokens);

/// Does `work` in a child of this process, and returns its text. The child is killed after 20
/// seconds of a processor's time, and when this process ends.
/// @throws Refused with the message of what `work` throws; Refused with `gave_up` when it runs out
/// of time, memory or stack; Error when there can be no child.
std::string isolated(const std::function<std::string()>& work, const std::string& gave_up);

/// The text with GNU's named variable arguments (`#define F(a, rest...)`) in the standard's
/// spelling, `#elifdef` as an `#elif`, and an #undef before each #define of the names in `again`,
/// behind which `#line` keeps the count of lines.
std::string with_plain_defines(std::string_view text, const std::set<std::string>& again);

}  // namespace parallax

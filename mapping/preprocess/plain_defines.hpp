// Rewrites directives that the preprocessor does not know in the words of C99.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace parallax {

/// The text with GNU's named variable arguments (`#define F(a, rest...)`) in the standard's
/// spelling, `#elifdef` as an `#elif`, and an #undef before each #define of the names in `again`,
/// behind which `#line` keeps the count of lines.
std::string with_plain_defines(std::string_view text, const std::set<std::string>& again);

}  // namespace parallax

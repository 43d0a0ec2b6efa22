// Computes the size of a source after macro expansion without expanding it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"

namespace parallax {

/// The maximum number of tokens after macro expansion, which each compiler repeats.
inline constexpr std::uint64_t most_macro_tokens = std::uint64_t{1} << 22;
/// The limit of nested macros, and of nested macro calls.
inline constexpr unsigned most_macro_depth = 200;

/// Refuses a text of which a preprocessor could make more than `most_macro_tokens`. Conditions are
/// not looked at: of several definitions of a name each may be the one.
/// @param file     its name, for messages
/// @param defines  as `-D` gives them
/// @throws Refused; also for what `lex` refuses
void check_macro_growth(std::string_view file, std::string_view source,
                        const std::vector<Define>& defines);

}  // namespace parallax

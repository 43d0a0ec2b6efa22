// Parses one line of a result file into JSON, and rejects everything else.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "records/json_fwd.hpp"

namespace parallax {

/// Maximum length of a line; the longest written ones have some ten kilobytes.
inline constexpr std::size_t most_line_bytes = std::size_t{16} << 20;
/// Maximum nesting of objects and lists; a record has six.
inline constexpr std::size_t most_depth = 32;
/// Maximum number of members of an object; a record has some thirty.
inline constexpr std::size_t most_members = 1000;

/// The result of parsing a line.
struct ParsedLine {
    Json json;            ///< null if there is a problem
    std::string problem;  ///< the rest of a sentence that begins with the line
    std::size_t line = 0;  ///< of the problem in the text, from 1; 0: it has no place
    /// Truncated, like a line that a killed program was writing.
    bool cut = false;
};

/// Parses the text of one line, without its end. Accepts any bytes; invalid or ambiguous JSON
/// (duplicate keys) is a problem with its position. `problems_of` checks whether it is a record.
/// @param left_out  members to skip, `check` or `timing.samples`, if only a part is needed
ParsedLine parse_line(std::string_view text, std::span<const std::string_view> left_out = {});

}  // namespace parallax

// One line of a result file, from text to JSON, with everything refused that no such line holds.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "records/json_fwd.hpp"

namespace parallax {

/// No line that is read is longer; the longest that is written has some ten kilobytes.
inline constexpr std::size_t most_line_bytes = std::size_t{16} << 20;
/// Objects and lists within each other; a record has six.
inline constexpr std::size_t most_depth = 32;
/// Members of one object; a record has some thirty at most.
inline constexpr std::size_t most_members = 1000;

/// What a line's text stands for.
struct ParsedLine {
    Json json;            ///< null where there is a problem
    std::string problem;  ///< what is wrong, as the rest of a sentence that begins with the line
    /// It ends in the middle, as a line does that a killed program was writing.
    bool cut = false;
};

/// Reads the text of one line, without its end. Any bytes will do; what is no JSON, or JSON that
/// two readers could take for two things (a key that stands twice in an object), is a problem that
/// names the place within the line. Whether it is a record is another question: `problems_of`.
/// @param left_out  members that are read over, `check` or `timing.samples`, for who needs little
/// of a line
ParsedLine parse_line(std::string_view text, std::span<const std::string_view> left_out = {});

}  // namespace parallax

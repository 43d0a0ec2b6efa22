// Splits a text into lines.
#pragma once

#include <string_view>
#include <vector>

namespace parallax {

/// The lines without their ends (LF or CR LF), as views. The last line may lack an end; there is no
/// empty line after a final end.
inline std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        if (end == text.npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// The first line that contains `word`; empty: none does.
inline std::string_view first_line_with(std::string_view text, std::string_view word) {
    for (const std::string_view line : lines_of(text)) {
        if (line.find(word) != line.npos) return line;
    }
    return {};
}

}  // namespace parallax

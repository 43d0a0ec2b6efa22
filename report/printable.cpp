// Texts of several lines, safe to print.
#include <algorithm>

#include "common/text.hpp"
#include "report/words.hpp"

namespace parallax {

std::vector<std::string> report::printable_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        std::string spaced;
        for (const char c : line) spaced += c == '\t' ? std::string("    ") : std::string(1, c);
        lines.push_back(printable(spaced));
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

}  // namespace parallax

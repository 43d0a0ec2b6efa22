// Texts of several lines, safe to print.
#include "common/text.hpp"
#include "common/text_lines.hpp"
#include "report/words.hpp"

namespace parallax {

std::vector<std::string> report::printable_lines(std::string_view text) {
    std::vector<std::string> lines;
    for (const std::string_view line : lines_of(text)) {
        std::string spaced;
        for (const char c : line) spaced += c == '\t' ? std::string("    ") : std::string(1, c);
        lines.push_back(printable(spaced));
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

}  // namespace parallax

// Escapes data for pages and makes lines of code safe to show.
#include "report/texts/html_words.hpp"

#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"

namespace parallax {

std::string html_text(std::string_view text) {
    std::string shown;
    for (const char c : text) {
        switch (c) {
            case '&': shown += "&amp;"; break;
            case '<': shown += "&lt;"; break;
            case '>': shown += "&gt;"; break;
            case '"': shown += "&quot;"; break;
            case '\'': shown += "&#39;"; break;
            default: shown += c;
        }
    }
    return shown;
}

std::string shown_line(std::string_view line, std::size_t column) {
    constexpr std::size_t tab_width = 4;
    std::string shown;
    for (;;) {
        const std::size_t tab = line.find('\t');
        const std::string text = printable(line.substr(0, tab));
        shown += text;
        if (tab == line.npos) return shown;
        column += columns_of(text);
        const std::size_t blanks = tab_width - column % tab_width;
        shown.append(blanks, ' ');
        column += blanks;
        line.remove_prefix(tab + 1);
    }
}

std::string shown_lines(std::string_view text) {
    std::string lines;
    for (const std::string_view line : lines_of(text)) lines += shown_line(line) + '\n';
    return lines;
}

}  // namespace parallax

// Keeps data from being taken for HTML, XML or Markdown, and makes lines of code safe to show.
#include "report/markup.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

namespace parallax::report {
namespace {

bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string out;
    const auto reference = [&](char c) { out += fmt::format("&#{};", static_cast<int>(c)); };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const char before = i > 0 ? text[i - 1] : ' ',
                   after = i + 1 < text.size() ? text[i + 1] : ' ';
        switch (c) {
            case '@':
            case '#':
                reference(c);
                if (is_word(after)) out += "&#8203;";  // a space without width
                break;
            case '_':
                // Within a word it never is markup.
                is_word(before) && is_word(after) ? void(out += c) : reference(c);
                break;
            case ':': text.substr(i, 3) == "://" ? reference(c) : void(out += c); break;
            case 'w': text.substr(i, 4) == "www." ? reference(c) : void(out += c); break;
            case '-':
            case '+':
            case '=':
                // At the start of a line it makes a list, or a rule.
                i == 0 && (after == ' ' || text.find_first_not_of(c) == text.npos) ? reference(c)
                                                                                   : void(out += c);
                break;
            case '.':
            case ')':
                // At the start of a line, between digits and a space, it makes a list.
                text.find_first_not_of("0123456789") == i&& after == ' ' ? reference(c)
                                                                         : void(out += c);
                break;
            default:
                std::string_view("&<>|`*[]\\~$").find(c) != std::string_view::npos ? reference(c)
                                                                                   : void(out += c);
        }
    }
    return out;
}

std::string escaped_cell(std::string_view text) {
    constexpr std::string_view before = "x ";
    return escaped(std::string(before) + std::string(text)).substr(before.size());
}

std::string row(const std::vector<std::string>& cells) {
    return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string head_row(const std::vector<std::string>& cells) {
    return row(cells) + row(std::vector<std::string>(cells.size(), "---"));
}

std::string fenced(std::string_view language, std::string_view lines) {
    std::size_t ticks = 2, run = 0;
    for (const char c : lines) {
        run = c == '`' ? run + 1 : 0;
        ticks = std::max(ticks, run);
    }
    const std::string fence(ticks + 1, '`');
    return fmt::format("{}{}\n{}{}\n", fence, language, lines, fence);
}

}  // namespace parallax::report

// Writes two sources next to each other for a terminal.
#include <algorithm>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "report/markup.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace parallax {
namespace {

/// Text and, for each of its bytes, how it is shown.
struct Styled {
    std::string text, style;

    void add(std::string_view more, char how) {
        text += more;
        style.append(more.size(), how);
    }
    Styled part(std::size_t at, std::size_t bytes = std::string::npos) const {
        return {text.substr(at, bytes), style.substr(at, bytes)};
    }
    void add(const Styled& more) {
        text += more.text;
        style += more.style;
    }
    void trim() {
        while (text.ends_with(' ')) {
            text.pop_back();
            style.pop_back();
        }
    }
};

constexpr char plain = ' ', differs = 'd', nearly = 'n', faint = 'f';

std::string_view code_of(char style) {
    return style == differs ? "1;36" : style == nearly ? "4" : "2";
}

/// With the sequences that a terminal takes for colours; blanks get none.
std::string painted(const Styled& row, bool colour) {
    if (!colour) return row.text;
    std::string text;
    char now = plain;
    for (std::size_t i = 0; i < row.text.size(); ++i) {
        const char wanted = row.text[i] == ' ' && now != row.style[i] ? plain : row.style[i];
        if (wanted != now) {
            if (now != plain) text += "\x1b[0m";
            if (wanted != plain) text += fmt::format("\x1b[{}m", code_of(wanted));
            now = wanted;
        }
        text += row.text[i];
    }
    return now == plain ? text : text + "\x1b[0m";
}

/// Bytes of the character that begins at `at`: all continuation bytes of UTF-8 belong to it.
std::size_t character_bytes(std::string_view text, std::size_t at) {
    std::size_t bytes = 1;
    while (at + bytes < text.size() &&
           (static_cast<unsigned char>(text[at + bytes]) & 0xc0) == 0x80) {
        ++bytes;
    }
    return bytes;
}

/// Pieces of at most `width` columns, cut behind a blank where there is one; pieces after the first
/// are indented like the line and a little more.
std::vector<Styled> folded(Styled line, std::size_t width) {
    line.trim();
    std::vector<Styled> pieces;
    const std::size_t own_indent = std::min(line.text.find_first_not_of(' '), line.text.size());
    const std::size_t indent = std::min(own_indent + 4, width / 2);
    Styled piece;
    std::size_t begin = 0;  // of the text after the last piece
    std::size_t taken = 0, left = columns_of(line.text);
    while (taken + left > width) {
        std::size_t end = begin, blank = 0;
        for (std::size_t columns = taken; columns < width; ++columns) {
            end += character_bytes(line.text, end);
            const bool is_blank = end < line.text.size() && line.text[end] == ' ';
            if (is_blank && end > begin + own_indent) blank = end;
        }
        const std::size_t cut = blank > 0 ? blank : end;
        piece.add(line.part(begin, cut - begin));
        pieces.push_back(std::move(piece));
        const std::size_t next = std::min(line.text.size(), line.text.find_first_not_of(' ', cut));
        left -= columns_of(std::string_view(line.text).substr(begin, next - begin));
        begin = next;
        piece = {};
        piece.add(std::string(indent, ' '), plain);
        taken = indent;
    }
    piece.add(line.part(begin));
    pieces.push_back(std::move(piece));
    return pieces;
}

std::vector<Styled> folded(std::string_view line, std::size_t width, char style) {
    Styled styled;
    styled.add(line, style);
    return folded(std::move(styled), width);
}

bool is_nearly(const LinePart& part, const std::vector<Reason>& reasons) {
    return std::ranges::any_of(part.reasons, [&](std::size_t one) {
        return reasons[one].row->equivalence != Equivalence::same;
    });
}

Styled styled(const LinePair& line, const std::vector<Reason>& reasons,
              std::string LinePart::*side) {
    Styled text;
    std::size_t column = 0;
    for (const LinePart& part : line.parts) {
        const char style = part.differs() ? differs : is_nearly(part, reasons) ? nearly : plain;
        const std::string shown = shown_line(part.*side, column);
        column += columns_of(shown);
        text.add(shown, style);
    }
    return text;
}

}  // namespace

std::string text_of(const SideBySide& view, unsigned width, bool colour) {
    unsigned largest = 1;
    for (const LinePair& line : view.lines) largest = std::max({largest, line.left, line.right});
    const std::size_t digits = std::to_string(largest).size();
    // number, blank, text, ` | `, number, blank, text
    const std::size_t column = (std::max<std::size_t>(width, 40) - 2 * (digits + 1) - 3) / 2;

    std::string out;
    const auto number = [&](unsigned n) {
        return n == 0 ? std::string(digits + 1, ' ') : fmt::format("{:>{}} ", n, digits);
    };
    const auto write = [&](unsigned left, const std::vector<Styled>& a, char mark, unsigned right,
                           const std::vector<Styled>& b) {
        for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
            Styled row;
            row.add(number(k == 0 ? left : 0), faint);
            if (k < a.size()) row.add(a[k]);
            const std::size_t taken = columns_of(row.text), room = digits + 1 + column;
            row.add(std::string(taken < room ? room - taken : 0, ' '), plain);
            row.add(fmt::format(" {} ", mark), plain);
            row.add(number(k == 0 ? right : 0), faint);
            if (k < b.size()) row.add(b[k]);
            row.trim();
            out += painted(row, colour) + '\n';
        }
    };
    const auto title = [&](const std::string& text) {
        return folded(shown_line(text), column, plain);
    };
    write(0, title(view.left_title), ' ', 0, title(view.right_title));
    const auto rule = folded(std::string(column, '-'), column, faint);
    write(0, rule, ' ', 0, rule);
    for (const LinePair& line : view.lines) {
        const char mark = line.right == 0 ? '<' : line.left == 0 ? '>' : line.differs() ? '|' : ' ';
        write(line.left, folded(styled(line, view.reasons, &LinePart::left), column), mark,
              line.right, folded(styled(line, view.reasons, &LinePart::right), column));
    }
    return out;
}

std::string reasons_text(const SideBySide& view, unsigned width, bool colour) {
    const std::size_t columns = std::max(width, 40U);
    std::string out;
    bool changes = true;
    for (std::size_t i = 0; i < view.reasons.size(); ++i) {
        const Reason& reason = view.reasons[i];
        if (i == 0 || reason.changes != changes) {
            changes = reason.changes;
            if (!out.empty()) out += '\n';
            out += changes ? "What changes, by the rows of the mapping table:\n"
                           : "Spelt alike on both sides:\n";
        }
        Styled head;
        const LinePart words = words_of(reason);
        const auto word = [](const std::string& text) {
            return text.empty() ? "(nothing)" : shown_line(text);
        };
        head.add("  " + word(words.left), changes ? differs : plain);
        if (changes) {
            head.add("  ->  ", plain);
            head.add(word(words.right), differs);
        }
        for (const Styled& row : folded(head, columns)) out += painted(row, colour) + '\n';
        const std::string why = fmt::format("{}, {}: {}", name_of(reason.row->equivalence),
                                            lines_in_words(reason.lines), reason.row->rationale);
        out += "      " + wrapped(why, columns - 1, 6, 6) + '\n';
    }
    return out;
}

}  // namespace parallax

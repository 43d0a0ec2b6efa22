// Writes two sources next to each other as a part of a page.
#include <algorithm>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "report/markup.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace parallax {
namespace {

class Html {
public:
    Html(const SideBySide& view, std::string_view prefix) : view_(view), prefix_(prefix) {}

    std::string text() {
        out_ = fmt::format(
            "<table class=\"pair\">\n<colgroup><col class=\"n\"><col><col "
            "class=\"n\"><col></colgroup>\n<thead><tr><th colspan=\"2\">{}</th><th "
            "colspan=\"2\">{}</th></tr></thead>\n<tbody>\n",
            html_text(shown_line(view_.left_title)), html_text(shown_line(view_.right_title)));
        for (const LinePair& line : view_.lines) write(line);
        out_ += "</tbody>\n</table>\n";
        if (!view_.reasons.empty()) write_reasons();
        return std::move(out_);
    }

private:
    static bool is_nearly(const MappingRule& row) { return row.equivalence != Equivalence::same; }

    void write(const LinePair& line) {
        out_ += line.differs() ? "<tr class=\"differs\"" : "<tr";
        if (line.left != 0) out_ += fmt::format(" id=\"{}line-{}\"", prefix_, line.left);
        out_ += ">";
        write_side(line.left, line, &LinePart::left, "a");
        write_side(line.right, line, &LinePart::right, "b");
        out_ += "</tr>\n";
    }

    void write_side(unsigned number, const LinePair& line, std::string LinePart::*side,
                    std::string_view name) {
        out_ += fmt::format("<td class=\"n {}\">{}</td><td class=\"code {}\"><code>", name,
                            number == 0 ? "" : std::to_string(number), name);
        std::size_t column = 0;
        for (const LinePart& part : line.parts) {
            const std::string shown = shown_line(part.*side, column);
            column += columns_of(shown);
            write_part(part, shown);
        }
        out_ += "</code></td>";
    }

    void write_part(const LinePart& part, const std::string& shown) {
        const bool nearly = std::ranges::any_of(
            part.reasons, [this](std::size_t one) { return is_nearly(*view_.reasons[one].row); });
        // Blanks next to a word are no part of it.
        const std::size_t first = shown.find_first_not_of(' ');
        if (first == shown.npos || (!part.differs() && !nearly)) {
            out_ += html_text(shown);
            return;
        }
        const std::size_t last = shown.find_last_not_of(' ') + 1;
        const std::string word = html_text(shown.substr(first, last - first));
        const std::string_view kind = part.differs() ? "mark" : "mark alike";
        out_ += shown.substr(0, first);
        if (part.reasons.empty()) {
            out_ += fmt::format("<span class=\"{}\">{}</span>", kind, word);
        } else {
            std::string title;
            for (const std::size_t one : part.reasons) {
                const LinePart words = words_of(view_.reasons[one]);
                if (!title.empty()) title += "\n";
                title += fmt::format("{} \u2192 {}: {}", shown_line(words.left),
                                     words.right.empty() ? "nothing" : shown_line(words.right),
                                     view_.reasons[one].row->rationale);
            }
            out_ += fmt::format("<a class=\"{}\" href=\"#{}why-{}\" title=\"{}\">{}</a>", kind,
                                prefix_, part.reasons.front() + 1, html_text(title), word);
        }
        out_ += shown.substr(last);
    }

    void write_reasons() {
        out_ += "<ol class=\"reasons\">\n";
        for (std::size_t i = 0; i < view_.reasons.size(); ++i) {
            const Reason& reason = view_.reasons[i];
            const MappingRule& row = *reason.row;
            const LinePart words = words_of(reason);
            const std::string cuda =
                !reason.changes ? "as it is"
                : words.right.empty()
                    ? "nothing"
                    : fmt::format("<code>{}</code>", html_text(shown_line(words.right)));
            out_ += fmt::format(
                "<li id=\"{}why-{}\"><p><code>{}</code> \u2192 {} "
                "<span class=\"level {}\">{}</span></p><p>{}</p><p class=\"muted\">{}",
                prefix_, i + 1, html_text(shown_line(words.left)), cuda, name_of(row.equivalence),
                is_nearly(row) ? "means nearly the same" : "means the same",
                html_text(shown_line(row.rationale)), reason.lines.size() == 1 ? "Line" : "Lines");
            for (const unsigned line : reason.lines) {
                out_ += fmt::format(" <a href=\"#{}line-{}\">{}</a>", prefix_, line, line);
            }
            out_ += "</p></li>\n";
        }
        out_ += "</ol>\n";
    }

    const SideBySide& view_;
    std::string_view prefix_;
    std::string out_;
};

}  // namespace

std::string html_code(std::string_view text) {
    return "<pre class=\"texts\"><code>" + html_text(shown_lines(text)) + "</code></pre>\n";
}

std::string html_of(const SideBySide& view, const std::string& prelude, std::string_view prefix) {
    std::string html;
    if (!prelude.empty()) {
        html = "<details><summary>Prelude of the CUDA source</summary>" + html_code(prelude) +
               "</details>\n";
    }
    if (!view.reasons.empty()) {
        html +=
            "<p class=\"muted\">A marked word says why it is another one: on hover, and as a link "
            "to the list below the texts.</p>\n";
    }
    return html + Html(view, prefix).text();
}

}  // namespace parallax

// Writes changes as a difference for a terminal, as Markdown and as a part of a page.
#include <fmt/format.h>

#include "common/text/text.hpp"
#include "report/markdown_words.hpp"
#include "report/texts/html_words.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace parallax {
namespace {

using Kind = ChangedLine::Kind;

std::string header_of(const Hunk& hunk) {
    return fmt::format("@@ -{},{} +{},{} @@", hunk.old_first, hunk.old_count, hunk.new_first,
                       hunk.new_count);
}

char mark_of(Kind kind) {
    return kind == Kind::removed ? '-' : kind == Kind::added ? '+' : ' ';
}

}  // namespace

std::string text_of(const Changes& all, bool colour) {
    const auto in = [colour](std::string_view code, const std::string& text) {
        return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
    };
    std::string text;
    for (const Hunk& hunk : all.hunks) {
        text += in("36", header_of(hunk)) + '\n';
        for (const ChangedLine& line : hunk.lines) {
            const std::string shown = mark_of(line.kind) + shown_line(line.text);
            text += line.kind == Kind::both      ? shown
                    : line.kind == Kind::removed ? in("31", shown)
                                                 : in("32", shown);
            text += '\n';
        }
    }
    return text;
}

std::string markdown_of(const Changes& all) {
    return all.hunks.empty() ? "" : report::fenced("diff", text_of(all, false));
}

std::string html_of(const Changes& all) {
    if (all.hunks.empty()) return {};
    std::string text =
        "<table class=\"changes\">\n<colgroup><col class=\"n\"><col class=\"n\"><col "
        "class=\"sign\"><col></colgroup>\n<thead class=\"hidden\"><tr><th>Old line</th>"
        "<th>New line</th><th>Change</th><th>Text</th></tr></thead>\n";
    const auto number = [](unsigned line) { return line == 0 ? "" : std::to_string(line); };
    for (const Hunk& hunk : all.hunks) {
        text += fmt::format("<tbody>\n<tr class=\"hunk\"><td colspan=\"4\">{}</td></tr>\n",
                            header_of(hunk));
        for (const ChangedLine& line : hunk.lines) {
            text += fmt::format(
                "<tr{}><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"sign\">{}</td>"
                "<td class=\"code\"><code>{}</code></td></tr>\n",
                line.kind == Kind::removed ? " class=\"removed\""
                : line.kind == Kind::added ? " class=\"added\""
                                           : "",
                number(line.old_line), number(line.new_line),
                line.kind == Kind::both ? ' ' : mark_of(line.kind),
                html_text(shown_line(line.text)));
        }
        text += "</tbody>\n";
    }
    return text + "</table>\n";
}

}  // namespace parallax

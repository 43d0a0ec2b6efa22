// Writes what `parallax show` prints as text, Markdown and HTML.
#include "report/texts/show_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "mapping/search/find.hpp"
#include "mapping/search/sources.hpp"
#include "report/map/map_view.hpp"
#include "report/markup.hpp"
#include "report/report.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace parallax::cli {

namespace {

std::vector<Found> found(const ShownPage& page) {
    std::vector<Found> found;
    for (const MappingRule* row : page.rows) found.push_back({row, Match::exact});
    return found;
}

}  // namespace

std::string text_of(const ShownPage& page, bool why, unsigned width, bool colour) {
    if (!page.only.empty()) return page.only;
    std::string text;
    for (const std::string& paragraph : page.paragraphs) text += printable(paragraph) + "\n";
    if (!page.prelude.empty()) {
        text += "\nPrelude of the CUDA source:\n" + shown_lines(page.prelude) + "\n";
    }
    if (!text.empty() && (page.view || page.changed)) text += "\n";
    if (page.changed) text += parallax::text_of(*page.changed, colour);
    if (page.view) text += parallax::text_of(*page.view, width, colour);
    if (!page.rest.empty()) text += "\n" + page.rest + "\n";
    if (!page.rows.empty() && why) {
        text += "\n" + rows_as_text(found(page), width, 0);
    } else if (page.view && why) {
        const std::string reasons = reasons_text(*page.view, width, colour);
        text += "\n" + (reasons.empty() ? "Both texts were written by hand: no row made one of "
                                          "the other.\n"
                                        : reasons);
    }
    return text;
}

std::string markdown_of(const ShownPage& page) {
    std::string text = "# " + report::escaped(page.title) + "\n\n";
    for (const std::string& paragraph : page.paragraphs) {
        text += report::escaped(paragraph) + "\n\n";
    }
    if (!page.prelude.empty()) {
        text += "Prelude of the CUDA source:\n\n" + report::fenced("cuda", page.prelude) + "\n";
    }
    if (!page.only.empty()) text += report::fenced("c", page.only);
    if (page.changed) text += parallax::markdown_of(*page.changed);
    if (page.view) text += parallax::markdown_of(*page.view);
    if (!page.rows.empty()) text += "\n" + rows_as_markdown(found(page));
    return text;
}

std::string html_of(const ShownPage& page) {
    std::string body;
    for (const std::string& paragraph : page.paragraphs) {
        body += "<p>" + html_text(printable(paragraph)) + "</p>\n";
    }
    if (!page.only.empty()) body += html_code(page.only);
    if (page.changed) body += parallax::html_of(*page.changed);
    if (page.view) body += parallax::html_of(*page.view, page.prelude);
    if (!page.rows.empty()) body += rows_as_html(found(page));
    return html_text_page(printable(page.title), body);
}

namespace {

std::string file_of(const std::string& backend) {
    return fmt::format("docs/examples/host/saxpy_{}.cpp", backend);
}

}  // namespace

std::string host_text(const std::string& backend) {
    return std::string(source_text(file_of(backend)).value());
}

ShownPage host_page() {
    ShownPage page{.title = "host"};
    page.paragraphs = {
        "host: a whole program through each API, station by station, with nothing of Parallax",
        "docs/examples/host has both files. The tests build them, and run them where a device is."};
    page.view =
        side_by_side(file_of("opencl"), host_text("opencl"), file_of("cuda"), host_text("cuda"));
    for (const LinePair& line : page.view->lines) {
        const std::string left = line.left_text(), right = line.right_text();
        for (const auto& [code, beside] : {std::pair(left, right), std::pair(right, left)}) {
            for (const MappingRule* row : rows_for_code(code, beside, true))
                add_once(page.rows, row);
        }
    }
    // A topic has one heading, where its first row comes.
    std::vector<std::string> topics;
    for (const MappingRule* row : page.rows) add_once(topics, topic_of(*row));
    std::ranges::stable_sort(page.rows, {}, [&](const MappingRule* row) {
        return std::ranges::find(topics, topic_of(*row)) - topics.begin();
    });
    return page;
}

}  // namespace parallax::cli

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

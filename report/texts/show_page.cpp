// Writes what `parallax show` prints as text, Markdown and HTML.
#include "report/texts/show_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
#include "mapping/search/find.hpp"
#include "mapping/search/sources.hpp"
#include "report/map/map_view.hpp"
#include "report/markdown_words.hpp"
#include "report/report.hpp"
#include "report/texts/html_words.hpp"
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

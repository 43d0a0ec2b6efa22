// Writes what `parallax show` prints as text, Markdown and HTML.
#include "report/texts/show_page.hpp"

#include "common/text/text.hpp"
#include "report/map/map_view.hpp"
#include "report/markdown_words.hpp"
#include "report/report.hpp"
#include "report/texts/changes_texts.hpp"
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

}  // namespace parallax::cli

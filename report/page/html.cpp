// Writes the pages that show a diff or a sweep in a browser and need nothing but themselves.
#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <md4c-html.h>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "report/markup.hpp"
#include "report/page/page.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace parallax {
namespace {

/// The sources of all kernel files; the page shows the selected one.
std::string kernels_html(const std::vector<KernelTexts>& kernels) {
    std::string html;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        html += fmt::format("<article data-file=\"{}\" hidden>\n{}</article>\n",
                            html_text(printable(kernels[i].file)),
                            html_of(kernels[i].texts, kernels[i].prelude, fmt::format("f{}x", i)));
    }
    return html;
}

/// The sources of a policy for inline parts of a page.
std::string hashes_of(std::initializer_list<std::string_view> names) {
    std::string hashes;
    for (const EmbeddedFile& part : embedded_page()) {
        if (std::ranges::find(names, part.name) == names.end()) continue;
        hashes += fmt::format("{}'{}'", hashes.empty() ? "" : " ", part.hash);
    }
    return hashes;
}

}  // namespace

void require(std::string_view library, std::string_view name, std::string_view package) {
    if (!library.empty()) return;
    throw UsageError(fmt::format(
        "This program was built without {0}, which the HTML report needs. Install it (Debian: "
        "apt-get install {1}; elsewhere, name a folder that has it with meson's option "
        "javascript_root), configure and build again: meson setup --reconfigure build && ninja -C "
        "build. The formats text, md, json and junit need no library.",
        name, package));
}

std::string_view page_part(std::string_view name) {
    const auto parts = embedded_page();
    const auto found = std::ranges::find(parts, name, &EmbeddedFile::name);
    return found == parts.end() ? std::string_view{} : found->text;
}

std::string filled(std::string_view page,
                   const std::vector<std::pair<std::string_view, std::string_view>>& made) {
    // Only the template's own {{words}} are replaced, never those within what replaces them.
    std::string out;
    std::size_t at = 0;
    for (;;) {
        const std::size_t open = page.find("{{", at);
        out.append(page, at, open - at);
        if (open == std::string_view::npos) return out;
        const std::size_t close = page.find("}}", open);
        if (close == std::string_view::npos) throw std::logic_error("a template: {{ without }}");
        const std::string_view word = page.substr(open + 2, close - open - 2);
        std::string_view text = page_part(word);
        for (const auto& [name, value] : made) {
            if (name == word) text = value;
        }
        out.append(text);
        at = close + 2;
    }
}

std::string framed(const PageFrame& frame, std::string_view body) {
    const std::string scripts = hashes_of({"theme.js", "chart.js", "highlight.js", frame.code});
    const std::string styles = hashes_of({frame.style});
    return filled(page_part("frame.html"), {{"title", frame.title},
                                            {"scripts", scripts},
                                            {"styles", styles},
                                            {"style", page_part(frame.style)},
                                            {"code", page_part(frame.code)},
                                            {"images", frame.images},
                                            {"body", body}});
}

std::string json_for_script(std::string_view json) {
    std::string out;
    out.reserve(json.size() + json.size() / 64);
    std::size_t kept = 0;  // everything before it is in `out`
    const auto replace = [&](std::size_t at, std::size_t length, std::string_view by) {
        out.append(json, kept, at - kept).append(by);
        kept = at + length;
    };
    for (std::size_t i = 0; i < json.size(); ++i) {
        switch (json[i]) {
            case '<': replace(i, 1, "\\u003c"); break;
            case '>': replace(i, 1, "\\u003e"); break;
            case '&': replace(i, 1, "\\u0026"); break;
            case '\xe2':
                if (json.substr(i, 3) == "\u2028") replace(i, 3, "\\u2028");
                if (json.substr(i, 3) == "\u2029") replace(i, 3, "\\u2029");
                break;
            default: break;
        }
    }
    out.append(json, kept);
    return out;
}

std::string script_json(const Json& json) {
    return json_for_script(json.dump(-1, ' ', true, Json::error_handler_t::replace));
}

PageLibraries page_libraries() {
    return {.chart = page_part("chart.js"), .highlight = page_part("highlight.js")};
}

std::string html_report(const Diff& diff, const std::vector<KernelTexts>& kernels,
                        const PageLibraries& libraries) {
    require(libraries.chart, "Chart.js", "libjs-chart.js");
    if (!kernels.empty()) require(libraries.highlight, "highlight.js", "libjs-highlight.js");
    const std::string diff_json = script_json(to_json(diff));
    const std::string page_json = script_json(report::page_data(diff));
    const std::string details_json = script_json(report::details_data(diff, kernels));
    const std::string texts = kernels_html(kernels);
    const std::vector<std::pair<std::string_view, std::string_view>> made{
        {"diff", diff_json},
        {"data", page_json},
        {"details", details_json},
        {"kernels", texts},
        {"chart.js", libraries.chart},
        {"highlight.js", kernels.empty() ? std::string_view{} : libraries.highlight},
    };
    return framed({.title = "Parallax", .style = "diff.css", .code = "page.js"},
                  filled(page_part("page.html"), made));
}

std::string html_sweep(const SweepResult& sweep, const PageLibraries& libraries) {
    require(libraries.chart, "Chart.js", "libjs-chart.js");
    const std::string json = script_json(report::sweep_data(sweep));
    return framed(
        {.title = "Parallax: a sweep", .style = "page.css", .code = "sweep.js"},
        filled(page_part("sweep.html"), {{"sweep", json}, {"chart.js", libraries.chart}}));
}

std::string html_text_page(std::string_view title, std::string_view body) {
    const std::string shown = html_text(title);
    // Colours are all that highlight.js is for here: without it the page is still whole.
    return framed(
        {.title = shown, .style = "texts.css", .code = "text_page.js"},
        filled(page_part("texts.html"),
               {{"title", shown}, {"body", body}, {"highlight.js", page_libraries().highlight}}));
}

std::string html_course(std::string_view markdown) {
    const PageLibraries libraries = page_libraries();
    require(libraries.highlight, "highlight.js", "libjs-highlight.js");
    std::string html;
    const auto take = [](const MD_CHAR* text, MD_SIZE size, void* to) {
        static_cast<std::string*>(to)->append(text, size);
    };
    if (md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), take, &html,
                MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH, 0) != 0) {
        throw std::runtime_error("The Markdown of the course could not be read.");
    }
    return framed({.title = "Parallax: OpenCL and CUDA, each from the other",
                   .style = "course.css",
                   .code = "course.js",
                   .images = "data:"},
                  filled(page_part("course.html"),
                         {{"course", html}, {"highlight.js", libraries.highlight}}));
}

}  // namespace parallax

// Lays out rows of the map: columns for a terminal, tables for a page.
#include "report/map/map_view.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "mapping/search/search_words.hpp"
#include "report/markup.hpp"

namespace parallax::cli {
namespace {

constexpr std::string_view no_counterpart = "(no counterpart)", refused = "(refused)",
                           vanishes = "(nothing)", no_function = "(no function of its own)";
constexpr std::size_t label_columns = 10;  // `  nearly  `

std::string_view opencl_of(const Found& one) {
    if (!one.spelling.opencl.empty()) return one.spelling.opencl;
    if (one.row->opencl.empty()) return one.row->from_cuda ? refused : no_counterpart;
    return one.row->opencl;
}

std::string_view written_cuda_of(const Found& one) {
    if (!one.spelling.cuda.empty()) return one.spelling.cuda;
    const MappingRule& row = *one.row;
    if (!row.kernel_language) return row.cuda.empty() ? no_counterpart : row.cuda;
    if (row.equivalence == Equivalence::none && !row.from_cuda) return refused;
    return row.cuda.empty() ? vanishes : row.cuda;
}

/// CUDA's own names where the translation calls a function of the prelude; otherwise empty.
std::string own_names_of(const Found& one) {
    const std::vector<std::string_view> names = names_in_cuda(*one.row);
    if (names.empty() && is_by_prelude(*one.row)) return std::string(no_function);
    const std::vector<Spelling> all = spellings_of(*one.row);
    const auto at = std::ranges::find(all, one.spelling);
    if (names.size() == all.size() && at != all.end()) {
        return std::string(names[static_cast<std::size_t>(at - all.begin())]);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string cuda_of(const Found& one) {
    const std::string own = own_names_of(one);
    return own.empty() ? std::string(written_cuda_of(one)) : own;
}

std::string labelled(std::string_view label, std::string_view text, std::size_t width) {
    return fmt::format("  {:<{}}{}\n", label, label_columns - 2,
                       wrapped(text, width, label_columns, label_columns));
}

/// Lines without the blanks that all of them begin with, wrapped where they are longer than the
/// width.
std::string code(const std::vector<SourceLine>& lines, std::size_t indent, std::size_t width) {
    constexpr std::size_t further = 4;
    const auto start_of = [](const SourceLine& line) {
        return std::min(line.text.find_first_not_of(' '), line.text.size());
    };
    std::size_t common = std::string::npos;
    for (const SourceLine& line : lines) common = std::min(common, start_of(line));
    std::string text;
    for (const SourceLine& line : lines) {
        const std::size_t at = indent + start_of(line) - common;
        text += std::string(at, ' ') + wrapped(line.text, width, at + further, at) + "\n";
    }
    return text;
}

std::string lines_as_text(std::string_view label, const std::vector<SourceLine>& lines,
                          std::size_t width) {
    const std::string name = fmt::format("{}:{}", lines.front().file, lines.front().number);
    return labelled(label, name, width) + code(lines, label_columns + 2, width);
}

/// With code, whole statements of the example programs, or the lines of this program's own.
std::string places_as_text(const MappingRule& row, std::size_t width, bool with_code) {
    std::string text;
    if (with_code) {
        const Example example = example_of(row);
        if (!example.opencl.empty() && !example.cuda.empty()) {
            text = lines_as_text("example", example.opencl, width) +
                   lines_as_text("", example.cuda, width);
            with_code = false;
        }
    }
    std::vector<std::string> names;
    std::string_view label = "here";
    for (const Place& place : row.places) {
        const std::vector<SourceLine> lines = lines_of(place);
        if (lines.empty()) continue;
        const std::string name = fmt::format("{}:{}", lines.front().file, lines.front().number);
        if (with_code) {
            text += lines_as_text(label, lines, width);
            label = "";
        } else {
            names.push_back(name);
        }
    }
    if (!names.empty()) text += labelled(label, fmt::format("{}", fmt::join(names, ", ")), width);
    return text;
}

/// Between backticks, for a cell of a table.
std::string code_cell(std::string_view text) {
    std::string out = "`";
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out + "`";
}

std::string spelling_cell(std::string_view text) {
    const bool is_remark =
        text == no_counterpart || text == refused || text == vanishes || text == no_function;
    return is_remark ? std::string(text) : code_cell(text);
}

/// One word of a sentence, between backticks where it is a name or could be taken for markup.
std::string word_of_sentence(std::string_view word) {
    std::size_t start = word.find_first_not_of('(');
    if (start == word.npos) start = 0;
    std::size_t end = word.find_last_not_of(".,;:") + 1;
    std::string_view name = word.substr(start, end > start ? end - start : 0);
    // A bracket that is not the name's own.
    while (name.ends_with(')') && std::ranges::count(name, ')') > std::ranges::count(name, '(')) {
        name.remove_suffix(1);
    }
    const bool is_markup = name.find_first_of("_*<>[]|#~&$\\") != name.npos;
    if (!is_markup && !looks_like_api(name)) return std::string(word);
    return std::string(word.substr(0, start)) + code_cell(name) +
           std::string(word.substr(start + name.size()));
}

std::string sentence_cell(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (!out.empty()) out += ' ';
        out += word_of_sentence(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

std::string cuda_cell(const Found& one) {
    const std::string own = own_names_of(one);
    if (own.empty()) return spelling_cell(written_cuda_of(one));
    return fmt::format("{}, by {} of the prelude", spelling_cell(own),
                       code_cell(written_cuda_of(one)));
}

std::string places_cell(const MappingRule& row) {
    std::string cell;
    for (const Place& place : row.places) {
        if (!cell.empty()) cell += "<br>";
        cell += fmt::format("[{0}](../{0}): {1}", place.file, code_cell(place.text));
    }
    return cell;
}

/// Calls `heading` where a topic begins, then `show`.
template <class Heading, class Show>
void by_topic(std::span<const Found> rows, const Heading& heading, const Show& show) {
    std::string topic;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (std::string next = topic_of(*rows[i].row); next != topic) {
            topic = std::move(next);
            heading(topic, *rows[i].row);
        }
        show(*rows[i].row, rows[i], i);
    }
}

}  // namespace

std::string rows_as_text(std::span<const Found> rows, std::size_t width, std::size_t codes) {
    std::string text;
    by_topic(
        rows,
        [&](const std::string& topic, const MappingRule&) {
            if (!text.empty()) text += "\n";
            text += topic + "\n";
        },
        [&](const MappingRule& row, const Found& one, std::size_t i) {
            const std::string opencl = labelled("OpenCL", opencl_of(one), width),
                              cuda = labelled("CUDA", cuda_of(one), width);
            text += "\n" + (row.from_cuda ? cuda + opencl : opencl + cuda) +
                    (own_names_of(one).empty() ? std::string()
                                               : labelled("prelude", written_cuda_of(one), width)) +
                    labelled(name_of(row.equivalence), row.rationale, width) +
                    places_as_text(row, width, i < codes);
        });
    return text;
}

std::string line_as_text(const NamedLine& named, std::size_t width) {
    std::string text;
    const auto add = [&](const SourceLine& line) {
        text += fmt::format("{}:{}\n", line.file, line.number) + code({line}, 4, width);
    };
    add(named.line);
    if (named.other) add(*named.other);
    if (named.is_prelude) {
        text += wrapped("It belongs to what the translation puts before the kernel's own text.",
                        width, 0) +
                "\n";
    }
    return text;
}

std::string rows_as_markdown(std::span<const Found> rows) {
    std::string text;
    bool has_places = false;
    by_topic(
        rows,
        [&](const std::string& topic, const MappingRule& first) {
            if (!text.empty()) text += "\n";
            has_places = !first.kernel_language;
            std::vector<std::string> head{"OpenCL", "CUDA", "", "what to know"};
            if (first.from_cuda) std::swap(head[0], head[1]);
            if (has_places) head.push_back("in this program");
            text += fmt::format("## {}\n\n{}", topic, report::head_row(head));
        },
        [&](const MappingRule& row, const Found& one, std::size_t) {
            std::vector<std::string> cells{spelling_cell(opencl_of(one)), cuda_cell(one),
                                           std::string(name_of(row.equivalence)),
                                           sentence_cell(row.rationale)};
            if (row.from_cuda) std::swap(cells[0], cells[1]);
            if (has_places) cells.push_back(places_cell(row));
            text += report::row(cells);
        });
    return text;
}

std::string rows_as_html(std::span<const Found> rows) {
    std::string html;
    const auto code = [](std::string_view spelling) {
        return fmt::format("<td><code>{}</code></td>", html_text(spelling));
    };
    by_topic(
        rows,
        [&](const std::string& topic, const MappingRule& first) {
            if (!html.empty()) html += "</table>\n";
            html += fmt::format(
                "<h2>{}</h2>\n<table class=\"rows\"><tr><th>{}</th><th>{}</th><th></th>"
                "<th>what to know</th></tr>\n",
                html_text(topic), first.from_cuda ? "CUDA" : "OpenCL",
                first.from_cuda ? "OpenCL" : "CUDA");
        },
        [&](const MappingRule& row, const Found& one, std::size_t) {
            std::string opencl = code(opencl_of(one)), cuda = code(cuda_of(one));
            if (row.from_cuda) std::swap(opencl, cuda);
            html += fmt::format("<tr>{}{}<td>{}</td><td>{}</td></tr>\n", opencl, cuda,
                                name_of(row.equivalence), html_text(row.rationale));
        });
    return html.empty() ? html : html + "</table>\n";
}

}  // namespace parallax::cli

// `parallax published`: what documents published of the same algorithms, beside today's figures.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/published_view.hpp"
#include "common/error.hpp"
#include "common/text.hpp"
#include "report/markdown_words.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;

constexpr std::size_t text_width = 96;

constexpr std::string_view reading =
    "A factor (1.4x) says how many times as fast a variant is as the one before it, under the same "
    "circumstances. Today's figures are the medians of stored records: the newest run of the "
    "published size, or of the largest that most variants have where none was published, and the "
    "rate follows from the "
    "suite's own model of the work.";

bool concerns(const PublishedRow& row, const std::string& word) {
    return row.name == word || std::ranges::any_of(row.members, [&](const RowMember& member) {
               return member.suite == word;
           });
}

std::vector<const PublishedRow*> rows_for(const std::optional<std::string>& word) {
    std::vector<const PublishedRow*> rows;
    std::vector<std::string> known;
    for (const PublishedRow& row : published_rows()) {
        known.push_back(row.name);
        if (!word || concerns(row, *word)) rows.push_back(&row);
    }
    if (!rows.empty()) return rows;
    throw UsageError(
        fmt::format("No published row and no suite of one is called '{}'. The rows are: {}.", *word,
                    fmt::join(known, ", ")));
}

/// What to do for the figures that are not there; empty: none lacks.
std::string advice(const RowView& view) {
    if (view.lines.empty()) return "It has no figure to measure: the commands show it.";
    if (!view.has_today) return "There is no record of it yet: the commands above make them.";
    if (view.lacks_some)
        return "Where a figure is missing there is no record of it: the commands above make one.";
    return {};
}

std::string joined(const FigureCell& cell) {
    return cell.step.empty() ? cell.figure : fmt::format("{} ({})", cell.figure, cell.step);
}

void print_text(const RowView& view, std::ostream& out) {
    const PublishedRow& row = *view.row;
    const auto paragraph = [&](const std::string& text) {
        if (!text.empty()) out << "  " << wrapped(text, text_width, 2, 2) << "\n";
    };
    out << fmt::format("{}: {}\n", row.name, row.title);
    paragraph(row.shows);
    paragraph(row.note);
    for (const std::string& command : row.commands) out << "    " << command << "\n";
    using enum Table::Align;
    Table table({left, left, right, left});
    for (std::size_t i = 0; i < view.lines.size(); ++i) {
        std::string label = view.lines[i];
        for (const FigureColumn& column : view.columns) {
            const FigureCell& cell = column.cells[i];
            if (cell.figure.empty()) continue;
            table.add({label, column.title, cell.figure, cell.step});
            label.clear();
        }
        // Without any figure the variant is named all the same.
        if (!label.empty()) table.add({label});
    }
    if (!view.lines.empty()) out << "\n" << table.text(4) << "\n";
    for (const std::string& also : view.also) paragraph("Published of " + also + ".");
    for (const std::string& remark : view.remarks) paragraph(remark);
    paragraph(advice(view));
    for (const std::string& reference : view.references) paragraph("From: " + reference + ".");
    out << "\n";
}

/// Data in a cell, which never stands at the start of a line, where figures could make a list.
std::string in_cell(const std::string& text) {
    constexpr std::string_view start = "x ";
    return report::escaped(std::string(start) + text).substr(start.size());
}

void print_markdown(const RowView& view, std::ostream& out) {
    const PublishedRow& row = *view.row;
    out << fmt::format("## {}\n\n{}\n\n", row.title, row.shows);
    if (!row.note.empty()) out << row.note << "\n\n";
    out << "```sh\n" << fmt::format("{}\n", fmt::join(row.commands, "\n")) << "```\n\n";
    if (!view.lines.empty()) {
        std::vector<std::string> head{"variant"};
        for (const FigureColumn& column : view.columns) {
            head.push_back(in_cell(column.title));
        }
        out << report::head_row(head);
        for (std::size_t i = 0; i < view.lines.size(); ++i) {
            std::vector<std::string> cells{"`" + view.lines[i] + "`"};
            for (const FigureColumn& column : view.columns) {
                cells.push_back(in_cell(joined(column.cells[i])));
            }
            out << report::row(cells);
        }
        out << "\n";
    }
    for (const std::string& also : view.also) out << "- Published of " << also << ".\n";
    for (const std::string& remark : view.remarks) out << "- " << report::escaped(remark) << "\n";
    if (!view.also.empty() || !view.remarks.empty()) out << "\n";
    if (const std::string text = advice(view); !text.empty()) out << text << "\n\n";
    if (!view.references.empty()) {
        out << fmt::format("From: {}.\n\n", fmt::join(view.references, "; "));
    }
}

std::optional<TodaysRecords> records_for(const std::optional<std::string>& folder) {
    if (folder) return TodaysRecords(*folder);
    std::error_code error;
    if (!std::filesystem::is_directory("results", error)) return {};
    return TodaysRecords("results");
}

int run(const Values& values, World& world) {
    const std::string format = parse_choice(
        "--format", value_of<std::string>(values, "format").value_or("text"), {"text", "md"});
    const auto word = value_of<std::string>(values, "row");
    const std::vector<const PublishedRow*> rows = rows_for(word);
    const std::optional<TodaysRecords> records =
        records_for(value_of<std::string>(values, "results"));
    if (!records) {
        world.err << "There is no folder 'results' here: 'parallax run' makes it, --results names "
                     "another.\n";
    }
    std::ostringstream page;
    if (format == "md" && !word) {
        page << "# What was published, and what it is today\n\n"
                "Made by `parallax published --format md --results results`; `meson compile "
                "-C build published-page` renews it.\n\n"
             << reading << "\n\n";
    }
    for (const PublishedRow* row : rows) {
        const RowView view = view_of(*row, records ? &*records : nullptr);
        if (format == "md") {
            print_markdown(view, page);
        } else {
            print_text(view, page);
        }
    }
    if (format == "text") page << wrapped(std::string(reading), text_width, 0) << "\n";
    std::string text = page.str();
    while (text.ends_with("\n\n")) text.pop_back();
    world.out << text;
    return exit_ok;
}

}  // namespace

Command published_command() {
    return {.name = "published",
            .arguments = "[ROW or SUITE] [--results DIR] [--format text|md]",
            .summary = "what was published of the same algorithms, beside today's figures",
            .about =
                "Shows the systems that the documents behind this project published, each with "
                "the commands that run it, the published figures with the device and the document "
                "they come from, and today's figures on each device and backend, taken from stored "
                "records. It looks at no device and measures nothing.",
            .examples = {"parallax published", "parallax published matvec",
                         "parallax published multiply_ladder --results results",
                         "parallax published --format md > published.md"},
            .positional = {"row"},
            .options =
                [](auto add) {
                    add("row", po::value<std::string>(), "the row, or a suite that belongs to one");
                    add("results", po::value<std::string>(),
                        "folder with a folder of records for each device (default: results, where "
                        "it is there)");
                    add("format", po::value<std::string>(), "text (default) or md (Markdown)");
                },
            .run = run};
}

}  // namespace parallax::cli

// `parallax published`: what documents published of the same algorithms, beside today's figures.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/published_print.hpp"
#include "common/error.hpp"
#include "common/text.hpp"

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

/// How the shapes are judged.
std::string judging() {
    return fmt::format(
        "A published step is 'kept' where it still gains at least {:.0f} % of what it gained (1.4x "
        "gains 0.4; of several cards the smallest gain counts), or still makes no difference; "
        "'kept, smaller' where it gains less; 'gone' where it is within {:.0f} % of no gain; "
        "'reversed' where it loses. Where there was no difference and is one now, it is a 'new "
        "gain' or a 'new loss'. Below a shape that is not kept stand experiments: the command "
        "that makes their records, and what these show. All of it is worked out of the records.",
        100 * kept_share, 100 * (no_difference - 1));
}

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
    std::vector<RowView> views;
    for (const PublishedRow* row : rows)
        views.push_back(view_of(*row, records ? &*records : nullptr));
    std::ostringstream page;
    if (format == "md") {
        if (!word) {
            page << "# What was published, and what it is today\n\n"
                    "Made by `parallax published --format md --results results`; `meson compile "
                    "-C build published-page` renews it.\n\n"
                 << reading << "\n\n"
                 << judging() << "\n\n";
            print_outcomes_markdown(views, page);
        }
        for (const RowView& view : views) print_markdown(view, page);
    } else {
        for (const RowView& view : views) print_text(view, page);
        if (!word) print_outcomes_text(views, page);
        page << wrapped(std::string(reading), text_width, 0) << "\n"
             << wrapped(judging(), text_width, 0) << "\n";
    }
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
                "records. Every order and factor that a document states is judged by these: kept, "
                "kept but smaller, gone or reversed; where one is not kept, experiments say why. "
                "What has no record is named with the command that makes it. It looks at no device "
                "and measures nothing.",
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

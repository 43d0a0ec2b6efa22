// `parallax published`: what documents published of the same algorithms, beside today's figures.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "common/error.hpp"
#include "common/text.hpp"
#include "report/published/published_print.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;

constexpr std::size_t text_width = 96;

constexpr std::string_view how_to_read =
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
        "gain' or a 'new loss'.",
        100 * kept_share, 100 * (no_difference - 1));
}

/// The same for whole rows.
std::string judging_with_experiments() {
    return judging() +
           " Below a shape that is not kept stand experiments: the command that makes their "
           "records, and what these show. All of it is worked out of the records.";
}

bool concerns(const PublishedRow& row, const std::string& word) {
    return row.name == word || std::ranges::any_of(row.members, [&](const RowMember& member) {
               return member.suite == word;
           });
}

/// @param word  nothing: all
std::vector<const PublishedRow*> rows_for(const std::optional<std::string>& word) {
    std::vector<const PublishedRow*> rows;
    std::vector<std::string> known;
    for (const PublishedRow& row : published_rows()) {
        known.push_back(row.name);
        if (!word || concerns(row, *word)) rows.push_back(&row);
    }
    if (!rows.empty()) return rows;
    throw UsageError(
        fmt::format("No published row and no suite of one is called '{}'. The rows are: {}; 'all' "
                    "names all of them.",
                    *word, fmt::join(known, ", ")));
}

constexpr std::string_view how_to_ask =
    "'parallax published ROW' shows a row: its commands, the published figures beside today's, its "
    "shapes step by step, and experiments where one is not kept. A suite names the rows that it "
    "belongs to, and 'all' names all rows.";

void print_overview(const std::vector<RowView>& views, bool markdown, std::ostream& page) {
    if (markdown) {
        page << "# What was published, and what became of it\n\n" << how_to_ask << "\n\n";
        print_rows_markdown(views, page);
        page << judging() << "\n\n";
        print_outcomes_markdown(views, page);
    } else {
        print_rows_text(views, page);
        print_outcomes_text(views, page);
        page << wrapped(judging(), text_width, 0) << "\n"
             << wrapped(how_to_ask, text_width, 0) << "\n";
    }
}

/// @param all  whether these are all rows
void print_rows(const std::vector<RowView>& views, bool all, bool markdown, std::ostream& page) {
    if (markdown) {
        if (all) {
            page << "# What was published, and what it is today\n\n"
                    "Made by `parallax published all --format md --results results`; `meson "
                    "compile -C build published-page` renews it.\n\n"
                 << how_to_read << "\n\n"
                 << judging_with_experiments() << "\n\n";
            print_outcomes_markdown(views, page);
        }
        for (const RowView& view : views) print_markdown(view, page);
    } else {
        for (const RowView& view : views) print_text(view, page);
        if (all) print_outcomes_text(views, page);
        page << wrapped(how_to_read, text_width, 0) << "\n"
             << wrapped(judging_with_experiments(), text_width, 0) << "\n";
    }
}

std::optional<TodaysRecords> records_for(const std::optional<std::string>& folder) {
    if (folder) return TodaysRecords(*folder);
    std::error_code error;
    if (!std::filesystem::is_directory("results", error)) return {};
    return TodaysRecords("results");
}

int show_published(const Values& values, World& world) {
    const std::string format = parse_choice(
        "--format", value_of<std::string>(values, "format").value_or("text"), {"text", "md"});
    const auto word = value_of<std::string>(values, "row");
    const bool all = word == "all";
    const std::vector<const PublishedRow*> rows = rows_for(all ? std::nullopt : word);
    const std::optional<TodaysRecords> records =
        records_for(value_of<std::string>(values, "results"));
    if (!records) {
        world.err << "There is no folder 'results' here: 'parallax run' makes it, --results names "
                     "another.\n";
    }
    std::vector<RowView> views;
    for (const PublishedRow* row : rows) {
        views.push_back(view_of(*row, records ? &*records : nullptr));
    }
    std::ostringstream page;
    if (word) {
        print_rows(views, all, format == "md", page);
    } else {
        print_overview(views, format == "md", page);
    }
    std::string text = page.str();
    while (text.ends_with("\n\n")) text.pop_back();
    world.out << text;
    return exit_ok;
}

}  // namespace

Command published_command() {
    return {.name = "published",
            .arguments = "[ROW|SUITE|all] [--results DIR] [--format text|md]",
            .summary = "what was published of the same algorithms, beside today's figures",
            .about =
                "Lists the systems that the documents behind this project published, a row each, "
                "and what became of every order and factor that a document states, judged by "
                "stored records: kept, kept but smaller, gone or reversed. A row that is named, or "
                "'all', is shown whole: the commands that run it, the published figures with the "
                "device and the document they come from, today's figures on each device and "
                "backend, and, where a shape is not kept, experiments that say why. What has no "
                "record is named with the command that makes it. It looks at no device and "
                "measures nothing.",
            .examples = {"parallax published", "parallax published matvec",
                         "parallax published multiply_ladder --results results",
                         "parallax published all --format md > published.md"},
            .positional = {"row"},
            .options =
                [](auto add) {
                    add("row", po::value<std::string>(),
                        "the row, a suite that belongs to one, or 'all'; without it, an overview");
                    add("results", po::value<std::string>(),
                        "folder with a folder of records for each device (default: results, where "
                        "it is there)");
                    add("format", po::value<std::string>(), "text (default) or md (Markdown)");
                },
            .run = show_published};
}

}  // namespace parallax::cli

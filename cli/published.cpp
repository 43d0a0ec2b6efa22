// `parallax published`: compares today's results with published ones of the same algorithms.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/option_values.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "common/text/install_paths.hpp"
#include "report/published/published_report.hpp"

namespace parallax::cli {
namespace {

/// Whether the word is the row's name, or a suite that one of its lines is measured with.
bool concerns(const PublishedRow& row, const std::string& word) {
    return row.name == word || std::ranges::any_of(row.claims, [&](const Claim& claim) {
               return std::ranges::any_of(claim.steps, [&](const PublishedStep& step) {
                   return step.fast.suite == word || step.slow.suite == word;
               });
           });
}

/// @param word  nothing: all rows
std::vector<const PublishedRow*> rows_for(const std::optional<std::string>& word) {
    std::vector<const PublishedRow*> rows;
    std::vector<std::string_view> known;
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

int show_published(const Values& values, CommandContext& context) {
    const std::string word_of_format = value_of<std::string>(values, "format").value_or("text");
    const PublishedFormat format = word_of_format == "md"     ? PublishedFormat::markdown
                                   : word_of_format == "json" ? PublishedFormat::json
                                                              : PublishedFormat::text;
    const auto word = value_of<std::string>(values, "row");
    const bool all = word == "all";
    const std::vector<const PublishedRow*> rows = rows_for(all ? std::nullopt : word);
    const auto folder = value_of<std::string>(values, "results");
    std::error_code error;
    std::vector<Record> records;
    if (folder || fs::is_directory(here_or_installed("results"), error)) {
        records = records_of_devices(folder.value_or("results"));
    } else {
        context.err
            << "There is no folder 'results' here: 'parallax run' makes it, --results names "
               "another.\n";
    }
    const Today today(std::move(records));
    std::vector<ThenAndNow> views;
    for (const PublishedRow* row : rows) views.push_back(then_and_now(*row, today));
    const std::size_t width = table_width(context.out);
    std::string text =
        word ? published_page(views, all, format, width) : published_overview(views, format, width);
    while (text.ends_with("\n\n")) text.pop_back();
    context.out << text;
    return exit_ok;
}

}  // namespace

Command published_command() {
    return {.name = "published",
            .arguments = "[ROW|SUITE|all] [--results DIR] [--format text|md|json]",
            .summary = "published results of the same algorithms, next to today's",
            .about =
                "Lists the systems that the documents behind this project published, a row each, "
                "and what became of every order and factor that a document states, judged by "
                "stored records. A row that is named, or 'all', is shown whole: the commands that "
                "run it, and a table of the published results, today's on each device through each "
                "API, and whether the published gain is kept. The command opens no device and "
                "measures nothing.",
            .examples = {"parallax published", "parallax published matvec",
                         "parallax published multiply_ladder --results results",
                         "parallax published all --format md > published.md"},
            .positional = {"row"},
            .options =
                [](auto add) {
                    add("row", po::value<std::string>(),
                        "the row, a suite that belongs to one, or 'all'; without it, an overview");
                    add("results", settable<std::string>(Setting::path),
                        "folder with a folder of records for each device (default: results, where "
                        "it is there)");
                    add("format", settable<std::string>(), "text (default), md (Markdown) or json");
                },
            .run = show_published,
            .choices = {{"format", {"text", "md", "json"}}}};
}

}  // namespace parallax::cli

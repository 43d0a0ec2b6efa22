// `parallax map`: searches the table of rules between OpenCL and CUDA by word or source line.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/option_values.hpp"
#include "cli/terminal.hpp"
#include "common/text/text.hpp"
#include "mapping/search/search_answer.hpp"
#include "mapping/search/search_words.hpp"
#include "report/json_listings.hpp"
#include "report/map/map_view.hpp"

namespace parallax::cli {
namespace {

/// Most rules without the exact word that are shown: next to those with it, and without any.
constexpr std::size_t most_beside = 4, most_alone = 12;
constexpr std::size_t longest_word = 60;  // in messages
constexpr std::size_t most_words = 20;

constexpr std::string_view reading =
    "Each row has OpenCL's word, CUDA's word, how far they mean the same (same, nearly, none), and "
    "the trap. $ stands for an argument, T, T2 and T4 for an element type and its vectors, "
    "`<min|max>` for either word, `<type>` for any scalar type. The rows of the kernel language "
    "are the table that the translator goes by.";

std::vector<Found> all_rows() {
    std::vector<Found> rows;
    for (const MappingRule& row : whole_map()) rows.push_back({&row, Match::topic});
    return rows;
}

bool has_word(const Found& one) {
    return one.match <= Match::topic;
}

/// The shown rules: all with the word, and others up to a limit. A word of an API selects its
/// rules; internal rules of the translator are shown only if nothing else matches.
std::vector<Found> shown_of(std::vector<Found> rows, const std::string& word) {
    const auto is_own = [](const Found& one) { return is_about_translator(*one.row); };
    if (!is_own(rows.front())) std::erase_if(rows, is_own);
    const auto having = static_cast<std::size_t>(std::ranges::count_if(rows, has_word));
    const std::size_t most = having > 0 ? std::max(having, most_beside) : most_alone;
    rows.resize(having > 0 && looks_like_api(word) ? having : std::min(rows.size(), most));
    return rows;
}

/// Puts rules with the same word under one heading, in order of the first.
void gather(std::span<Found> rows) {
    const auto with_word =
        std::ranges::find_if(rows, [](const Found& one) { return one.match > Match::form; });
    for (auto at = rows.begin(); at != with_word;) {
        const std::string topic = topic_of(*at->row);
        at = std::stable_partition(at, with_word,
                                   [&](const Found& one) { return topic_of(*one.row) == topic; });
    }
}

void print_unknown(const Answer& answer, CommandContext& context) {
    for (const UnknownWord& one : answer.unknown) {
        const std::string word = printable(one.word, longest_word);
        context.err << (one.nearest.empty() ? fmt::format("No row speaks of '{}'.\n", word)
                                            : fmt::format("No row speaks of '{}'; nearest: '{}'.\n",
                                                          word, fmt::join(one.nearest, "', '")));
    }
}

void print_page(std::ostream& out) {
    out << "# The map between OpenCL and CUDA\n\n"
           "Made by `parallax map --format md`. `parallax map WORD` finds a word of either side, a "
           "misspelt one, a concept, or the "
           "words of a line of code, and shows this program's own lines.\n\n"
        << reading << "\n\n"
        << rows_as_markdown(all_rows());
}

int map(const Values& values, CommandContext& context) {
    const std::string format = value_of<std::string>(values, "format").value_or("text");
    const std::string word = fmt::format("{}", fmt::join(words_of(values, "word"), " "));
    const std::size_t width = terminal_width();
    if (values.count("word") == 0) {
        if (format == "json") {
            context.out << rows_json(all_rows());
        } else if (format == "md") {
            print_page(context.out);
        } else {
            context.out << rows_as_text(all_rows(), width, 0);
        }
        return exit_ok;
    }
    const Answer answer = answer_to(word);
    print_unknown(answer, context);
    std::vector<Found> rows = values.count("all") > 0 ? answer.found : shown_of(answer.found, word);
    if (!answer.line) gather(rows);
    if (format == "json") {
        context.out << rows_json(rows);
    } else if (format == "md") {
        context.out << rows_as_markdown(rows);
    } else {
        if (answer.line) context.out << line_as_text(*answer.line, width) << "\n";
        const auto with_code = static_cast<std::size_t>(
            std::ranges::count_if(rows, [](const Found& one) { return one.match <= Match::form; }));
        context.out << rows_as_text(rows, width, with_code);
    }
    if (rows.size() < answer.found.size()) {
        const std::size_t more = answer.found.size() - rows.size();
        context.err << fmt::format(
            "{} it: --all shows {}.\n",
            more == 1 ? "Another row speaks of" : fmt::format("{} more rows speak of", more),
            more == 1 ? "it" : "them");
    }
    return exit_ok;
}

}  // namespace

Command map_command() {
    return {
        .name = "map",
        .arguments = "[WORD...] [--all] [--format text|md|json]",
        .summary = "what a word of OpenCL is in CUDA and the other way round, with the trap",
        .about =
            "Shows the map between OpenCL and CUDA: platforms and devices, execution model, memory "
            "model, queues, programs, buffers, errors, build options, and the table of the kernel "
            "language that the translator goes by. Each row has OpenCL's word, CUDA's word, how "
            "far they mean the same (same, nearly, none), the trap, and where this program does "
            "both. $ stands for an argument.\n\n"
            "WORD is a word of either API (any case, with or without cl, cuda, cu or __; the C++ "
            "bindings' too), a concept, a topic, a line of code, or FILE:LINE of a kernel or of a "
            "backend of this program. A misspelt word finds the nearest one, and the program says "
            "so.",
        .examples = {"parallax map", "parallax map cudaStreamWaitEvent", "parallax map zero copy",
                     "parallax map memory model", "parallax map -- --fmad",
                     "parallax map 'cudaMemcpyAsync(p, q, n, cudaMemcpyHostToDevice, s);'",
                     "parallax map kernels/cuda/transpose.cu:24",
                     "parallax map backends/opencl/run.cpp:143"},
        .positional = std::vector<std::string>(most_words, "word"),
        .options =
            [](auto add) {
                add("word", po::value<std::vector<std::string>>(),
                    "a word or phrase of either side, a line of code, or FILE:LINE");
                add("all", settable_flag(), "also rows that only mention the word");
                add("format", settable<std::string>(), "text (default), md (Markdown) or json");
            },
        .run = map,
        .choices = {{"format", {"text", "md", "json"}}}};
}

}  // namespace parallax::cli

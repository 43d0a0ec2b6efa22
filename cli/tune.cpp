// `parallax tune`: searches the best constants of a case on a device within a budget.
#include "studies/tune/tune.hpp"

#include <algorithm>
#include <limits>
#include <ostream>

#include <fmt/format.h>

#include "cli/measure_points.hpp"
#include "cli/option_values.hpp"
#include "cli/request.hpp"
#include "cli/terminal.hpp"
#include "cli/tuned_options.hpp"
#include "common/error.hpp"
#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
#include "records/write_file.hpp"
#include "report/sweep/sweep_report.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;

constexpr std::uint64_t usual_trials = 100;

const std::vector<std::string> strategies{"basin", "random", "all"};

std::string rendered(const std::vector<TuneResult>& results, const std::string& format) {
    if (format == "json") {
        return tune_json(results);
    }
    const report::Document document = tune_document(results);
    return format == "md" ? markdown_of(document) : text_of(document, terminal_width(), false);
}

TuneRequest tune_request(const Values& values, const CommandContext& context) {
    TuneRequest request;
    request.what = sweep_request(values, context);
    const Request within = request_within(values, request.budget_seconds);
    request.budget_seconds = within.budget_seconds;
    request.seed = within.seed;
    const std::string strategy = value_of<std::string>(values, "strategy").value_or("basin");
    request.strategy =
        static_cast<Strategy>(std::ranges::find(strategies, strategy) - strategies.begin());
    constexpr auto most = std::numeric_limits<std::uint32_t>::max();
    const auto trials = value_of<std::string>(values, "trials");
    request.most_trials = trials ? parse_number("--trials", *trials, 1, most)
                          : request.strategy == Strategy::all ? most
                                                              : usual_trials;
    return request;
}

/// Stores the result if possible, and reports that.
/// @param is_named  the file is given by --keep: --tuned does not read it
void keep(const std::vector<TuneResult>& results, const CasePick& pick,
          const std::vector<Record>& records, const RunInfo& info,
          const std::filesystem::path& file, bool is_named, bool quiet, CommandContext& context) {
    if (file.empty()) return;
    bool any = false;
    for (const TuneResult& result : results) {
        if (const std::optional<Tuned> found = tuned_of(result, records, info)) {
            keep_tuned(file, *found);
            any = true;
        }
    }
    if (any && !quiet) {
        context.err << fmt::format(
            "the best is kept in {}: 'parallax run -s {}/{} --tuned{}' takes it\n", file.string(),
            word_for(*pick.suite), pick.variant->name, is_named ? "-from " + file.string() : "");
    }
}

/// Searches the records of a file, for each device that has some.
int search_file(const TuneRequest& request, const std::string& file, const Values& values,
                const std::filesystem::path& keep_file, const RunInfo& info,
                const std::string& format, CommandContext& context) {
    const ResultSet set = kept_records(values, file, tune_from);
    std::vector<std::string> devices;
    std::vector<Record> own;
    for (const Record& record : set.records) {
        const bool is_own = record.key.suite == request.what.pick.suite->name &&
                            record.key.variant == request.what.pick.variant->name &&
                            record.key.type == name_of(request.what.type);
        if (!is_own) continue;
        add_once(devices, record.device);
        own.push_back(record);
    }
    std::vector<TuneResult> results;
    for (const std::string& device : devices) {
        std::vector<Record> records = own;
        std::erase_if(records, [&](const Record& record) { return record.device != device; });
        TuneResult result = tune_records(request, records, [](std::string_view name) {
            return kernel_source(name, std::nullopt);
        });
        if (!result.found.devices.empty() && result.best()) results.push_back(std::move(result));
    }
    if (results.empty()) {
        context.err << fmt::format("parallax: {} holds none of these candidates.\n", file);
        return exit_nothing;
    }
    context.out << rendered(results, format) << std::flush;
    keep(results, request.what.pick, own, info, keep_file, true, values.count("quiet") > 0,
         context);
    return exit_ok;
}

int tune_command_line(const Values& values, CommandContext& context) {
    const std::string format = value_of<std::string>(values, "format").value_or("text");
    const TuneRequest request = tune_request(values, context);
    const auto named = value_of<std::string>(values, "keep");
    if (named && named->empty()) throw UsageError("--keep names no file.");
    if (named) check_writable(*named, {});
    const auto folder = value_of<std::string>(values, "kernels");
    RunInfo info = run_info(context, request.seed);
    if (const auto file = value_of<std::string>(values, "from")) {
        return search_file(request, *file, values, named.value_or(""), info, format, context);
    }
    // Reports impossible requests before a device is opened.
    const TuneSpace space = tune_space(
        request.what, [&](std::string_view name) { return kernel_source(name, folder); });
    const std::filesystem::path file = named ? std::filesystem::path(*named) : tuned_file(context);
    if (!file.empty()) read_tuned(file);
    std::vector<TuneResult> results;
    return measure_and_keep(values, context,
                            {.kind = "tune",
                             .first = *space.candidates.points.front().the_case,
                             .seed = request.seed,
                             .measure =
                                 [&](const std::vector<Entry>& entries, const RunConfig& config,
                                     const RunInfo& run, const Listener& listener) {
                                     info = run;
                                     Totals totals;
                                     results =
                                         tune(request, entries, config, run, listener, totals);
                                     return totals;
                                 },
                             .show =
                                 [&](const std::vector<Record>& records) {
                                     if (results.empty()) return;
                                     context.out << rendered(results, format) << std::flush;
                                     keep(results, request.what.pick, records, info, file,
                                          named.has_value(), values.count("quiet") > 0, context);
                                 }});
}

}  // namespace

Command tune_command() {
    return {
        .name = "tune",
        .arguments = "SUITE/VARIANT [--over NAME=LIST]... [-d DEVICE]... [--budget S]",
        .summary = "the best constants of a kernel on a device, searched within a budget",
        .about =
            "Searches the constants that a suite or a manifest declares values for (and those of "
            "--over) for the fastest choice on each device. Every candidate goes through the "
            "checks of 'parallax run'; one with a wrong answer is named and never the best. All "
            "candidates are tried where trials and budget suffice; else the search goes downhill "
            "from neighbour to neighbour and jumps out of where no neighbour is faster. What is "
            "called best is so by the intervals. The best is kept for the device's model and the "
            "class of the size, and 'run', 'diff' and 'explain' take it with --tuned.",
        .examples = {"parallax tune multiply/streamed -d cuda --budget 300",
                     "parallax tune reduction/items --over GROUP=32..1024 -n 2^26",
                     "parallax tune transpose/tiled --strategy all -o space.jsonl",
                     "parallax tune transpose/tiled --from space.jsonl --trials 20 --seed 7",
                     "parallax tune mine.json --trials 50 --keep tuned.jsonl",
                     "parallax run -s multiply/streamed --tuned"},
        .positional = {"case"},
        .options =
            [](auto add) {
                using Words = std::vector<std::string>;
                add("case", po::value<std::string>(),
                    "SUITE/VARIANT; a word with .json is a manifest of your own kernel");
                add("over", settable<Words>(),
                    "NAME=LIST: a constant and the values to try, in place of those declared; "
                    "again and again");
                add("device,d", settable<Words>(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all, one after the other");
                add("trials", settable<std::string>(),
                    "candidates to try at most on each device (default 100; with --strategy all "
                    "no limit)");
                add("strategy", settable<std::string>(),
                    "basin (default), random, or all: each in the order of the list");
                add("keep", settable<std::string>(Setting::file),
                    "file that the best is kept in (default: tuned.jsonl in the cache folder)");
                add_point_options(add);
                add("from", settable<std::string>(Setting::path),
                    "searches among the records of a file, and measures nothing");
                add("format", settable<std::string>(), "text (default), md or json");
            },
        .run = tune_command_line,
        .choices = {{"format", {"text", "md", "json"}}, {"strategy", strategies}}};
}

}  // namespace parallax::cli

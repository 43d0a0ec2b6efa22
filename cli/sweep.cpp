// `parallax sweep` measures one case over the values of a constant or a size; `parallax tune`
// searches the best constants of a case on a device within a budget.
#include <algorithm>
#include <functional>
#include <limits>
#include <ostream>

#include <fmt/format.h>

#include "cli/chosen_devices.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_table.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/request.hpp"
#include "cli/result_writers.hpp"
#include "cli/supervisor.hpp"
#include "cli/terminal.hpp"
#include "cli/tuned_options.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "measure/session.hpp"
#include "records/result_set.hpp"
#include "records/write_file.hpp"
#include "report/report.hpp"
#include "report/sweep/sweep_report.hpp"
#include "studies/tune/tune.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// A measurement of variations of one case.
struct Measured {
    std::string kind;  ///< of the files in results/DEVICE without -o
    Case first;        ///< one of the measured cases
    std::uint64_t seed = 0;
    std::function<Totals(const std::vector<Entry>&, const RunConfig&, const RunInfo&,
                         const Listener&)>
        measure;
    /// Receives all records, also when the measurement ended early.
    std::function<void(const std::vector<Record>&)> show;
};

constexpr std::uint64_t usual_trials = 100;

const std::vector<std::string> strategies{"basin", "random", "all"};

/// The points that -n, --type, --define, --over and the case on the command line define.
SweepRequest sweep_request(const Values& values, const CommandContext& context) {
    SweepRequest request;
    request.pick = parse_variant(value_of<std::string>(values, "case"), context.permissions);
    request.over = words_of(values, "over");
    for (const std::string& define : words_of(values, "define")) {
        request.defines.push_back(parse_define(define, {request.pick}));
    }
    if (const auto size = value_of<std::string>(values, "size")) request.shape = parse_shape(*size);
    request.type = type_for(request.pick, value_of<std::string>(values, "type"));
    return request;
}

/// Measures on the devices of -d, and stores the records in `writers`.
int measure_in_this_process(const Values& values, CommandContext& context, const Measured& what,
                            const RunInfo& info, ResultWriters& writers) {
    const bool quiet = values.count("quiet") > 0;
    RunConfig config = run_config(context, what.seed, value_of<std::string>(values, "kernels"));
    take_timing_options(values, config);
    // Reports a missing kernel file before a device is opened.
    program_of(what.first, config);
    const std::vector<Entry> entries = entries_for(words_of(values, "device"), quiet, context);
    if (entries.empty()) throw no_device("to run on");
    refuse_untimed(entries);
    if (!quiet) warn_of_environment(info, entries, context);

    const InterruptGuard interrupt;
    ProgressLine line(context.err, quiet);
    std::vector<Record> records;
    const auto finish = [&] {
        line.clear();
        if (!records.empty()) what.show(records);
        if (!quiet) writers.print_places(context.err);
    };
    try {
        const Totals totals =
            what.measure(entries, config, info,
                         {.progress = [&](const Progress& progress) { line.show(progress); },
                          .record =
                              [&](const Record& record) {
                                  writers.add(record, record.where.name);
                                  records.push_back(record);
                              },
                          .trouble = line.trouble()});
        finish();
        return exit_code(totals);
    } catch (const Interrupted&) {
        line.clear();
        context.err << "parallax: Interrupted.\n";
        finish();
        throw;
    } catch (const Error&) {
        finish();
        throw;
    }
}

/// Measures on the devices of -d under supervision, and stores the records according to -o.
/// @returns the exit code
int measure_and_keep(const Values& values, CommandContext& context, const Measured& what) {
    const RunInfo info = run_info(context, what.seed);
    ResultWriters writers(value_of<std::string>(values, "output"), what.kind, "-o");
    return run_supervised(values, writers, context, [&] {
        return measure_in_this_process(values, context, what, info, writers);
    });
}

/// The records of the file of --from, restricted to the devices of -d.
ResultSet kept_records(const Values& values, const std::string& file, StoredData data) {
    refuse_unheeded(values, data);
    ResultSet set = read_result_set(file);
    const std::vector<std::string> wanted = words_of(values, "device");
    if (!wanted.empty()) {
        std::erase_if(set.records, [&](const Record& record) {
            return std::ranges::none_of(wanted, [&](const std::string& word) {
                return record.device == word || record.where.backend == word;
            });
        });
    }
    return set;
}

/// Options of both commands.
void add_point_options(po::options_description_easy_init& add) {
    add("case", po::value<std::string>(),
        "SUITE/VARIANT; a word with .json is a manifest of your own kernel");
    add("size,n", settable<std::string>(),
        "size of the problem: 2^20, 64M, 1024x777; none: one that suits the device");
    add("type", settable<std::string>(),
        "float, double or int; none: the first that the suite or the variant is written for");
    add("define", settable<Words>(), "NAME=VALUE: another constant of the kernels");
    add("output,o", settable<std::string>(Setting::file), "file that the records are appended to");
    add("seed", settable<std::string>(), "of the inputs; none: drawn, and recorded");
    add("budget", settable<double>(),
        "seconds for all of it (default 100); what it does not reach is skipped");
    add_timing_options(add);
    add("kernels", po::value<std::string>(),
        "folder of kernel files to use instead, named as the program's own");
    add_allow_options(add);
    add_watch_options(add);
    add("quiet", settable_flag(), "only the report; no progress, no remarks");
}

/// In the terminal's text, or as Markdown.
std::string drawn(const report::Document& document, const std::string& format) {
    return format == "md" ? markdown_of(document) : text_of(document, terminal_width(), false);
}

std::string rendered(const SweepResult& result, const std::string& format) {
    if (format == "json") return sweep_json(result);
    return format == "html" ? html_sweep(result) : drawn(sweep_document(result), format);
}

std::string rendered(const std::vector<TuneResult>& results, const std::string& format) {
    return format == "json" ? tune_json(results) : drawn(tune_document(results), format);
}

int sweep(const Values& values, CommandContext& context) {
    const std::string format = value_of<std::string>(values, "format").value_or("text");
    const SweepPoints points = sweep_points(sweep_request(values, context));
    // Errors of the page are reported before the measurement.
    if (format == "html") html_sweep({});
    const auto result_of = [&](const std::vector<Record>& records) {
        return sweep_result(points, records, values.count("occupancy") > 0);
    };
    if (const auto file = value_of<std::string>(values, "from")) {
        const SweepResult result = result_of(kept_records(values, *file, sweep_from).records);
        const bool any = std::ranges::any_of(
            result.devices, [](const SweepDevice& device) { return device.highest.has_value(); });
        if (!any) {
            context.err << fmt::format("parallax: {} holds none of these points.\n", *file);
            return exit_nothing;
        }
        context.out << rendered(result, format) << std::flush;
        return exit_ok;
    }
    Request request = request_within(values, 100);
    request.points = points.cases();
    if (request.points.empty()) throw UsageError(points.points.front().refusal);
    return measure_and_keep(values, context,
                            {.kind = "sweep",
                             .first = request.points.front(),
                             .seed = request.seed,
                             .measure =
                                 [&](const std::vector<Entry>& entries, const RunConfig& config,
                                     const RunInfo& info, const Listener& listener) {
                                     return run_session(request, entries, config, info, listener);
                                 },
                             .show =
                                 [&](const std::vector<Record>& records) {
                                     context.out << rendered(result_of(records), format)
                                                 << std::flush;
                                 }});
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
          const std::vector<Record>& records, const RunInfo& info, const fs::path& file,
          bool is_named, bool quiet, CommandContext& context) {
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
                const fs::path& keep_file, const RunInfo& info, const std::string& format,
                CommandContext& context) {
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
    const SweepPoints space = tune_points(
        request.what, [&](std::string_view name) { return kernel_source(name, folder); });
    const fs::path file = named ? fs::path(*named) : tuned_file(context);
    if (!file.empty()) read_tuned(file);
    std::vector<TuneResult> results;
    return measure_and_keep(values, context,
                            {.kind = "tune",
                             .first = *space.points.front().the_case,
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

Command sweep_command() {
    return {
        .name = "sweep",
        .arguments = "SUITE/VARIANT --over NAME=LIST [--over NAME=LIST] [-d DEVICE]...",
        .summary = "a constant or a size over many values: table, curve, and which is best",
        .about =
            "Runs one case at every value of a constant (the size of a group, elements an item, "
            "...) or of an extent of its shape, verified and timed as by 'parallax run'. A list "
            "looks like 32,64,128, like 32..1024 (doubled from the first on, as far as the last) "
            "or like 32..256+32 (in steps); 'size' is every extent at once. Values that the suite "
            "or a device does not take are shown as such, and the sweep goes on. What is called "
            "best, or within 2 % of it, is so by the intervals of this run. All points have one "
            "size: -n, or the smallest that suits one of them. --occupancy shows next to the speed "
            "how many warps a multiprocessor holds, what limits that, and what the API says. "
            "Records are kept as those of 'run'; --from shows the curve of such a file again.",
        .examples = {"parallax sweep reduction/items --over GROUP=32..1024",
                     "parallax sweep stencil1d/staged --over GROUP=32..1024+32 -d cuda -n 2^26",
                     "parallax sweep reduction/items --over ITEMS=4..256 --over GROUP=64,256",
                     "parallax sweep reduction/items --over GROUP=32..1024+32 --occupancy",
                     "parallax sweep transpose/padded --over size=512..8192 --format html > t.html",
                     "parallax sweep mine.json --over ITEMS=1..16 -o mine.jsonl",
                     "parallax sweep mine.json --over ITEMS=1..16 --from mine.jsonl --format md"},
        .positional = {"case"},
        .options =
            [](auto add) {
                add("over", settable<Words>(),
                    "NAME=LIST: a constant or an extent and its values; twice: all pairs");
                add("device,d", settable<Words>(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all");
                add_point_options(add);
                add("occupancy", settable_flag(),
                    "shows the occupancy of each point next to its speed");
                add("from", settable<std::string>(Setting::path),
                    "shows the points that a file of records holds, and measures nothing");
                add("format", settable<std::string>(), "text (default), md, html or json");
            },
        .run = sweep,
        .choices = {{"format", {"text", "md", "html", "json"}}}};
}

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
                add("keep", settable<std::string>(Setting::report),
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

// `parallax run`: builds, verifies, times and stores every selected case.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "cli/all_devices.hpp"
#include "cli/chosen_devices.hpp"
#include "cli/host_trials.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_table.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/repeated_runs.hpp"
#include "cli/replay_request.hpp"
#include "cli/request.hpp"
#include "cli/result_writers.hpp"
#include "cli/supervisor.hpp"
#include "cli/terminal.hpp"
#include "cli/timing_option.hpp"
#include "cli/tuned_options.hpp"
#include "common/error.hpp"
#include "common/process/job_place.hpp"
#include "common/process/watchdog.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "measure/ceilings.hpp"
#include "measure/verification.hpp"
#include "records/result_store.hpp"
#include "records/results.hpp"
#include "records/write_file.hpp"
#include "report/run/run_table.hpp"
#include "report/sarif.hpp"
#include "report/wording.hpp"
#include "studies/diff/pairing.hpp"
#include "suites/case_words.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// Seconds for all suites, with --full, and with a GPU among the devices.
constexpr double overview_budget = 100, full_budget = 600, gpu_overview_budget = 55;

/// Manifests with a table each; of more, each has a line.
constexpr std::size_t most_tables = 2;

/// @param left_out  number of missing captured launches
std::string summary_of(const Totals& totals, std::size_t left_out = 0) {
    std::string text = fmt::format("{} ok", totals.ok);
    if (totals.doubtful) text += fmt::format(", {} doubtful", totals.doubtful);
    text += fmt::format(", {} wrong, {} failed", totals.wrong, totals.failed);
    if (totals.refused) text += fmt::format(", {} refused", totals.refused);
    if (totals.unsupported) text += fmt::format(", {} unsupported", totals.unsupported);
    if (totals.skipped) text += fmt::format(", {} skipped", totals.skipped);
    if (left_out > 0) text += fmt::format(", {} left out", left_out);
    return text;
}

/// Runs each repetition in its own process, all with one result file.
int run_repeatedly(const Processes& processes, const std::string& file, bool quiet,
                   CommandContext& context) {
    const auto print_places = [&] {
        if (!quiet && fs::exists(file)) context.err << "kept in " << file << "\n";
    };
    try {
        const int code = run_processes(processes, context);
        print_places();
        return code;
    } catch (const Error&) {
        print_places();
        throw;
    }
}

/// Runs one process per device, all concurrently.
int run_on_all_devices(const Values& values, bool quiet, bool with_names, CommandContext& context) {
    const auto folder = value_of<std::string>(values, "output");
    if (!folder || folder->empty()) {
        throw UsageError(
            "--all-devices writes a file for each device: name the folder for them with -o "
            "FOLDER.");
    }
    std::error_code error;
    if (fs::exists(*folder, error) && !fs::is_directory(*folder, error)) {
        throw UsageError(
            fmt::format("-o {} is no folder, and --all-devices writes a file for each "
                        "device.",
                        *folder));
    }
    const std::vector<Entry> entries = entries_for(words_of(values, "device"), quiet, context);
    if (entries.empty()) throw no_device("to run on");
    const std::string& host = job_place().host;
    return run_all_devices(device_processes(entries, context.words, *folder, host), *folder, host,
                           quiet, with_names, context);
}

/// The number of records that a later one of the same case and device replaces.
std::size_t older_ones(const std::vector<Record>& records) {
    std::set<
        std::tuple<std::string, std::string, std::string, char, CaseKey, std::vector<std::string>>>
        seen;
    for (const Record& one : records) {
        seen.emplace(one.device, one.where.name, one.where.uuid, one.side, one.asked().sorted(),
                     one.program.edits);
    }
    return records.size() - seen.size();
}

std::string summary_of(const std::vector<Record>& records, Totals& totals) {
    std::size_t broken = 0;
    const auto ceilings = static_cast<std::size_t>(std::ranges::count(
        records, ceiling_suite, [](const Record& one) { return one.key.suite; }));
    for (const Record& one : records) {
        if (is_broken_on_purpose(one)) {
            ++broken;
            continue;
        }
        const bool is_asked_for = one.key.suite != ceiling_suite || ceilings == records.size() ||
                                  one.status == Status::checked;
        totals.add(one, is_asked_for);
    }
    std::vector<std::string> among;
    const auto add = [&](std::size_t number, std::string_view what) {
        if (number > 0) among.push_back(fmt::format("{} {}", number, what));
    };
    add(broken, "broken on purpose");
    add(ceilings, "of ceilings");
    add(older_ones(records), "older measurements of the same case");
    return fmt::format("{}; {} shown{}{}", summary_of(totals),
                       report::counted(records.size(), "record"), among.empty() ? "" : ", ",
                       fmt::join(among, ", "));
}

/// Writes the files of --junit and --sarif, if they were asked for.
void write_tests(const Values& values, const std::vector<Record>& records,
                 CommandContext& context) {
    context.has_reported = true;
    for (const auto& [option, draw] :
         {std::pair("junit", &report::junit_text), std::pair("sarif", &report::sarif_text)}) {
        if (const auto file = value_of<std::string>(values, option))
            write_file(*file,
                       harmless(draw(report::run_tests(records, values.count("strict") > 0))));
    }
}

bool asks_for_ceilings(const Request& request) {
    return std::ranges::any_of(request.picks,
                               [](const CasePick& pick) { return pick.suite->is_ceiling; });
}

/// The exit code, and what --strict says of it.
int end_with_code(const Totals& totals, const Values& values, CommandContext& context) {
    const bool is_strict = values.count("strict") > 0;
    if (is_strict) print_strict_failures(totals.not_strict, context);
    return exit_code(totals, is_strict);
}

/// Prints stored records as `run` does. @param path  of a file or a folder
int show_stored(const Values& values, const std::string& path, const std::string& format,
                CommandContext& context) {
    refuse_unheeded(values, run_from);
    const Request request = request_of(values, context, overview_budget, full_budget);
    const std::vector<fs::path> files = result_files(path);
    std::vector<Record> records;
    std::size_t others = 0;
    for (const fs::path& file : files) {
        const ReadSummary summary = read_results(file, [&](ResultEntry&& line, unsigned) {
            auto* record = std::get_if<Record>(&line);
            if (record && stands_for(request, record->key)) {
                records.push_back(std::move(*record));
            } else if (record) {
                ++others;
            }
        });
        if (summary.cut_short && values.count("quiet") == 0) {
            context.err << fmt::format(
                "parallax: A line of {} ends in the middle, and was left out.\n", file.string());
        }
    }
    if (records.empty()) {
        throw UsageError(
            others > 0
                ? fmt::format("{} holds no record that -s, --type and -n leave, of {}.", path,
                              others)
                : fmt::format("{} holds no record. 'parallax run -o FILE' writes them.", path));
    }
    Totals totals;
    const std::string summary = summary_of(records, totals);
    RunTable report(context.out, table_width(context.out), RunTables::as_they_come,
                    asks_for_ceilings(request));
    std::vector<std::pair<std::string, std::vector<const Record*>>> suites;
    for (const Record& record : records) at_key(suites, record.key.suite).push_back(&record);
    for (const auto& [name, of_suite] : suites) {
        for (const Record* record : of_suite) {
            if (format == "json") {
                context.out << text_of(*record) << "\n";
            } else {
                report.add(*record);
            }
        }
    }
    report.finish();
    write_tests(values, records, context);
    if (values.count("quiet") == 0) context.err << summary << "\n";
    return end_with_code(totals, values, context);
}

/// The record of --again, if given. Options that the record defines must not be given.
std::optional<ReplayRequest> again_of(const Values& values, const Request& request) {
    const auto word = value_of<std::string>(values, "again");
    if (!word) return {};
    refuse_unheeded(values, run_again);
    std::vector<const Suite*> with;
    for (const Request::Pick& pick : request.picks) with.push_back(pick.suite);
    ReplayRequest again = read_again(*word, with);
    std::error_code none;
    if (const auto output = value_of<std::string>(values, "output");
        output && fs::equivalent(*output, again.file, none)) {
        throw UsageError("-o names the file whose case is repeated. Name another one.");
    }
    return again;
}

/// Reports that a folder's own ceilings are not used for shares, if it has any.
void print_own_ceilings(const std::string& folder, CommandContext& context) {
    const Suite* const suite = suite_of_ceilings();
    if (!suite || !fs::exists(fs::path(folder) / suite->source)) return;
    if (kernel_source(suite->source, folder) == kernel_source(suite->source, std::nullopt)) return;
    context.err << fmt::format(
        "{} of {} is not used: ceilings are measured with the program's own. -s {} runs it.\n",
        suite->source, folder, suite->name);
}

/// A run: its request, and where its results go.
class RunOfCases {
public:
    RunOfCases(const Values& values, CommandContext& context)
        : values_(values),
          context_(context),
          time_(values),
          request_(request_of(values, context, overview_budget, full_budget)) {
        request_.only_check = values.count("check") > 0;
        again_ = again_of(values, request_);
        if (again_) {
            const Record& then = again_->then.back();
            request_.picks.clear();
            request_.points = {again_->the_case};
            request_.seed = then.run.seed;
            request_.only_check = request_.only_check || then.status == Status::checked;
        } else {
            expand(request_);  // reports impossible requests before a device is opened
            print_notices(request_.picks, context);
        }
        tuning_.emplace(values, context);
        request_.tuned = tuning_->hook();
        info_ = run_info(context, request_.seed);
    }

    int run() {
        for (const char* report : {"junit", "sarif"}) {
            const auto file = value_of<std::string>(values_, report);
            if (!file) continue;
            for (const char* option : {"processes", "all-devices"}) {
                if (values_.count(option) == 0) continue;
                throw UsageError(
                    fmt::format("--{0} reports one process, and --{1} starts several. 'parallax "
                                "run --from FILE --{0} FILE' reports what they have kept.",
                                report, option));
            }
            check_writable(*file, {});
        }
        if (values_.count("all-devices") > 0)
            return run_on_all_devices(values_, quiet_, !as_json_, context_);
        const auto processes = value_of<std::string>(values_, "processes");
        const auto count =
            processes ? static_cast<unsigned>(parse_number("--processes", *processes, 1, 100)) : 0;
        ResultWriters writers(value_of<std::string>(values_, "output"), "run", "-o");
        if (count > 0) return start_processes(count, writers);
        return run_supervised(values_, writers, context_, [&] { return measure(writers); });
    }

private:
    /// The devices of -d, or of the repeated record.
    std::vector<Entry> devices() {
        std::vector<Entry> entries =
            entries_for(words_of(values_, "device"),
                        quiet_ || !process_.empty() || supervision().continues_run, context_);
        if (again_ && !entries.empty() && !is_given(values_, "device"))
            entries = entries_for(*again_, find_devices(context_.backends).entries);
        return entries;
    }

    int start_processes(unsigned count, const ResultWriters& writers) {
        const std::vector<Entry> entries = devices();
        if (entries.empty()) throw no_device("to run on");
        const std::string file = writers.path_for(entries);
        const std::string seed = values_.count("seed") ? "" : std::to_string(request_.seed);
        return run_repeatedly(
            {.count = count,
             .words = words_for_process(context_.words, seed, values_.count("output") ? "" : file),
             .show_all = as_json_},
            file, quiet_, context_);
    }

    RunConfig config() const {
        const auto folder = value_of<std::string>(values_, "kernels");
        const bool own_ceilings = folder && asks_for_ceilings(request_);
        RunConfig made = run_config(context_, request_.seed, folder, own_ceilings);
        made.checks_one_size = values_.count("one-size") > 0;
        if (!made.checks_one_size) {
            made.host_trials = std::make_shared<HostTrialProcesses>(context_);
        }
        if (const auto save = value_of<std::string>(values_, "save")) {
            std::error_code error;
            fs::create_directories(*save, error);
            if (!fs::is_directory(*save, error)) {
                throw UsageError(
                    fmt::format("Cannot make the folder {}. Choose another with --save.", *save));
            }
            made.saved_outputs = *save;
        }
        if (folder && !own_ceilings && !quiet_) print_own_ceilings(*folder, context_);
        made.floats = again_ ? FloatChoice{again_->then.back().program.floats} : floats_of(values_);
        take_timing_options(values_, made);
        // Runs in several processes shall be independent.
        if (!process_.empty()) made.fresh_ceilings = true;
        return made;
    }

    int measure(ResultWriters& writers) {
        const std::vector<Entry> entries = devices();
        if (entries.empty()) throw no_device("to run on");
        if (request_.is_overview() && values_.count("budget") == 0 &&
            std::ranges::any_of(entries, [](const Entry& entry) { return entry.info.is_gpu; })) {
            request_.budget_seconds = gpu_overview_budget;
        }
        const InterruptGuard interrupt;
        ProgressLine line(context_.err, quiet_);
        const bool is_short = values_.count("verbose") == 0 &&
                              std::ranges::any_of(request_.picks, [](const CasePick& pick) {
                                  return !pick.suite->manifest.empty();
                              });
        const bool has_lines_for_suites =
            is_short && suites_of(request_.picks, false).size() > most_tables;
        RunTable report(context_.out, table_width(context_.out),
                        has_lines_for_suites            ? RunTables::overview
                        : !request_.is_overview()       ? RunTables::as_they_come
                        : values_.count("verbose") == 0 ? RunTables::overview
                                                        : RunTables::all_at_the_end,
                        asks_for_ceilings(request_), is_short);
        const auto end_table = [&] {
            line.clear();
            report.finish();
            context_.tests = report::run_tests(records_, values_.count("strict") > 0).tests;
        };
        try {
            const Totals totals =
                run_session(request_, entries, config(), info_, listener(writers, line, report));
            end_table();
            write_tests(values_, records_, context_);
            return finish(totals, entries, writers);
        } catch (const Interrupted&) {
            end_table();
            context_.err << "parallax: Interrupted.\n";
            print_places(writers);
            throw;
        } catch (const Error&) {
            end_table();
            print_places(writers);
            throw;
        }
    }

    Listener listener(ResultWriters& writers, ProgressLine& line, RunTable& report) {
        return {.progress = [&](const Progress& progress) { line.show(progress, process_); },
                .record =
                    [&](const Record& record) {
                        writers.add(record, record.where.name);
                        if (keeps_records_ && is_asked_for(record)) records_.push_back(record);
                        if (again_ && record.key == key_of(again_->the_case))
                            changes_ += changes_since(*again_, record);
                        line.clear();
                        if (as_json_) {
                            context_.out << text_of(record) << std::endl;
                        } else {
                            report.add(record);
                        }
                    },
                .trouble = line.trouble()};
    }

    /// Prints the summary below the table. @returns the exit code
    int finish(const Totals& totals, const std::vector<Entry>& entries, ResultWriters& writers) {
        tuning_->say();
        (as_json_ ? context_.err : context_.out) << changes_;
        std::size_t left_out = 0;
        for (const Suite* suite : suites_of(request_.picks, true))
            left_out += print_refused(*suite, context_.err);
        time_.finish(info_, writers, entries.front().info.name, context_);
        if (!quiet_) {
            context_.err << (process_.empty() ? "" : fmt::format("process {}: ", process_))
                         << summary_of(totals, left_out) << "\n";
        }
        print_places(writers);
        const int code = end_with_code(totals, values_, context_);
        return code == exit_ok && left_out > 0 ? int{exit_wrong} : code;
    }

    /// Ceilings are measured for the others' sake, unless they were selected.
    bool is_asked_for(const Record& record) const {
        return record.key.suite != ceiling_suite || asks_for_ceilings(request_);
    }

    void print_places(const ResultWriters& writers) const {
        if (!quiet_ && process_.empty()) writers.print_places(context_.err);
    }

    const Values& values_;
    CommandContext& context_;
    TimeKeeper time_;
    Request request_;
    const bool quiet_ = values_.count("quiet") > 0;
    const bool as_json_ = value_of<std::string>(values_, "format") == "json";
    /// With --processes: which process this is; the parent reports missing devices.
    const std::string process_ = which_process();
    const bool keeps_records_ = values_.count("junit") + values_.count("sarif") > 0;
    std::vector<Record> records_ = {};  ///< for the report to CI
    std::optional<ReplayRequest> again_ = {};
    std::optional<Tuning> tuning_ = {};
    RunInfo info_ = {};
    std::string changes_ = {};  ///< since the repeated record
};

int run_suites(const Values& values, CommandContext& context) {
    if (const auto from = value_of<std::string>(values, "from")) {
        return show_stored(values, *from, value_of<std::string>(values, "format").value_or("text"),
                           context);
    }
    return RunOfCases(values, context).run();
}

}  // namespace

Command run_command() {
    return {
        .name = "run",
        .arguments = "[-s SUITE[/VARIANT]]... [-d DEVICE]... [-o FILE] | MANIFEST.json ...",
        .summary = "builds, checks and measures; keeps the results",
        .about =
            "Runs the suites on the devices. Each case is built, verified on inputs that expose "
            "errors, and timed only if all results are right. Results are stored, one line of JSON "
            "per case, in results/DEVICE/ unless -o names a file. Sizes suit the device unless -n "
            "sets them. Without -s the most important cases of every suite run, built once each; "
            "with -s all variants of a suite and its sweeps, built three times; with --full all "
            "types, sizes and choices, too.",
        .examples = {"parallax run", "parallax run -s transpose -d cuda -d opencl:1",
                     "parallax run -s reduction/vector -n 2^28 --type double --define OP=max",
                     "parallax run --full --budget 600 -o all.jsonl",
                     "parallax run mine.json --check --junit results.xml",
                     "parallax run -s stencil1d --processes 5 -o before.jsonl",
                     "parallax run -s transpose -n 1000x777 --format json",
                     "parallax run mine.json --define ITEMS=8 -n 2^24",
                     "parallax run --all-devices -o records",
                     "parallax run --from results/nvidia-h100-80gb-hbm3/run.jsonl",
                     "parallax run --from results/nvidia-h200 -s transpose/padded",
                     "parallax run --again before.jsonl:transpose/tiled"},
        .positional = std::vector<std::string>(100, "suite"),
        .options =
            [](auto add) {
                add("device,d", settable<Words>(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all");
                add("output,o", settable<std::string>(Setting::file),
                    "file that the records are appended to");
                add_case_options(add, "100; with --full 600; of all suites on a GPU 55");
                add("check", settable_flag(),
                    "only checks the answers and times nothing; a case that is right is `checked`");
                add_strict_option(add);
                add("junit", settable<std::string>(Setting::report),
                    "FILE for CI, in JUnit's XML: a test per case; what is not right says why");
                add("sarif", settable<std::string>(Setting::report),
                    "FILE for code scanning, in SARIF: the places in sources of what is not right");
                add("save", po::value<std::string>(),
                    "FOLDER for what each case writes at its own size, as it is in memory: "
                    "DEVICE/SUITE/VARIANT_TYPE_SIZE/NAME.bin");
                add("one-size", "checks the size -n alone, and none of those that are listed");
                add("processes", settable<std::string>(),
                    "repeat the run in this number of fresh processes (1 to 100), one after "
                    "another, with one seed and into one file: some effects vary only between "
                    "processes");
                add("all-devices",
                    "all GPUs of this machine at once, a process and a file in the folder -o for "
                    "each; 'parallax fleet FOLDER' reports");
                add("from", settable<std::string>(Setting::path),
                    "FILE or FOLDER: shows stored records as they were printed, those of -s, "
                    "--type and -n where they are given, and runs nothing");
                add("again", po::value<std::string>(),
                    "FILE or FILE:CASE: repeats a record's case on its device, or on that of -d, "
                    "and says what differs; CASE is SUITE/VARIANT or more of what it is called");
                add_tuned_options(add);
                add_watch_options(add);
                add("verbose,v", settable_flag(),
                    "the tables of all variants and all remarks, and no line for each suite");
                add("quiet", settable_flag(), "only the tables; no progress, no remarks");
                add("format", settable<std::string>(), "text (default) or json, one record a line");
                add_timing_option(add);
            },
        .run = run_suites,
        .choices = {{"format", {"text", "json"}}}};
}

}  // namespace parallax::cli

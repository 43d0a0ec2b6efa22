// `parallax diff`: two devices or two kernels alternately, two recordings, or two result files; the
// report in every format.
#include "studies/diff/diff.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "cli/diff_output.hpp"
#include "cli/explain_runner.hpp"
#include "cli/host_trials.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_table.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/request.hpp"
#include "cli/result_writers.hpp"
#include "cli/sides.hpp"
#include "cli/supervisor.hpp"
#include "cli/timing_option.hpp"
#include "cli/tuned_options.hpp"
#include "common/error.hpp"
#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/live_diff.hpp"
#include "studies/diff/stored_diff.hpp"
#include "studies/diff/two_kernels.hpp"
#include "studies/explain/diff_explain.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

const std::vector<std::string> diff_formats{"text", "md", "html", "json", "csv", "junit", "sarif"};

/// Keeps only the records that match the picks, types and sizes of the command line.
void narrow(ResultSet& set, const Request& request) {
    std::erase_if(set.records, [&](const Record& record) {
        return record.key.suite != "ceiling" && !stands_for(request, record.key);
    });
    if (std::ranges::all_of(set.records,
                            [](const Record& r) { return r.key.suite == "ceiling"; })) {
        const bool has_words =
            !request.picks.empty() || !request.types.empty() || !request.shapes.empty();
        const std::string_view why =
            has_words ? " that -s, --type and -n leave. 'parallax run --from FILE' shows what a "
                        "file holds."
                      : ". 'parallax run -o FILE' measures cases and keeps them.";
        throw NothingToCompare(fmt::format("{} holds no case{}", set.name, why));
    }
}

class DiffCommand {
public:
    DiffCommand(const Values& values, CommandContext& context)
        : values_(values),
          context_(context),
          sides_(words_of(values, "sides")),
          folder_(value_of<std::string>(values, "kernels")),
          floats_(floats_of(values)),
          quiet_(values.count("quiet") > 0) {
        for (const char* tuned : {"tuned", "tuned-from"}) {
            if (values.count(tuned) == 0 || values.count("explain") == 0) continue;
            throw UsageError(
                fmt::format("--explain looks into one kernel on both sides, and with --{} each may "
                            "have its own constants. Leave one of them out.",
                            tuned));
        }
        if (floats_.as_shipped && values.count("explain") > 0) {
            throw UsageError(
                "--explain looks into one kernel on both sides, and --floats as-shipped builds it "
                "by other rules on each. Leave one of them out.");
        }
        judgement_.margin = margin_of(values);
        if (const auto word = value_of<std::string>(values, "max-slowdown")) {
            judgement_.by_noise = *word == "noise";
            judgement_.max_slowdown =
                judgement_.by_noise
                    ? judgement_.margin
                    : parse_share("--max-slowdown", *word, ", or 'noise' with --baseline FILE");
        }
        judgement_.strict = values.count("strict") > 0;
        baseline_ = value_of<std::string>(values, "baseline");
        if (judgement_.by_noise && !baseline_) {
            throw UsageError(
                "--max-slowdown noise is what the runs of a baseline differ by. Name it with "
                "--baseline.");
        }
        if (sides_.size() > 2) throw UsageError("A diff has two sides.");
        request_ = request_of(values, context, 120, 1200);
        if (!take_recordings()) take_kernels();
        std::vector<std::string> inputs;
        for (const std::string& side : sides_) {
            if (is_file(side, context)) inputs.push_back(side);
        }
        for (const auto& more : {baseline_, value_of<std::string>(values, "data")}) {
            if (more) inputs.push_back(*more);
        }
        outputs_ = outputs_of(values, inputs, diff_formats);
    }

    int run() {
        const auto files = std::ranges::count_if(
            sides_, [&](const std::string& side) { return is_file(side, context_); });
        if (files == 1 && sides_.size() == 2) {
            throw UsageError(fmt::format(
                "'{}' and '{}': a device and a file. Two devices are measured alternately, "
                "two files are compared as they are. 'parallax run -d DEVICE -o FILE' "
                "makes a file of a device.",
                sides_[0], sides_[1]));
        }
        return files > 0 ? compare_files() : compare_devices();
    }

private:
    /// Sides that are recordings of two programs.
    bool take_recordings() {
        const std::vector<std::string> pairs = words_of(values_, "pair");
        if (sides_.size() != 2 || !std::ranges::all_of(sides_, is_captured)) {
            const bool has_file = std::ranges::any_of(
                sides_, [&](const std::string& side) { return is_file(side, context_); });
            if (!pairs.empty() && !has_file)
                throw UsageError("--pair is for two recordings: 'parallax diff cl/ cuda/'.");
            return false;
        }
        if (!request_.picks.empty() || !request_.shapes.empty() || baseline_) {
            throw UsageError(
                "Two recordings are compared as they are, without -s, -n and --baseline.");
        }
        const Both<std::string> folders{sides_[0], sides_[1]};
        const RecordedPair recorded = recorded_pair(folders, context_.permissions);
        two_programs_ = pair_programs({read_capture(folders.a), read_capture(folders.b)}, recorded,
                                      pairs_of(pairs));
        two_programs_->names = folders;
        refused_ = recorded.refused;
        for (const bool is_b : {false, true}) {
            if (const std::string& why = recorded.why_none.of(is_b); !why.empty())
                why_no_launches_ =
                    fmt::format("{} has no launch to replay: {}.", folders.of(is_b), why);
        }
        for (const KernelPair& kernel : two_programs_->kernels) {
            if (!(recorded.why_none.a + recorded.why_none.b).empty()) break;
            for (const auto& [names, seconds] : kernel.variants) {
                launches_.push_back({&variant_named(*recorded.suite, names.a),
                                     &variant_named(*recorded.suite, names.b)});
                request_.picks.push_back({recorded.suite, launches_.back().a});
            }
        }
        sides_.clear();
        return true;
    }

    /// `--pair A=B`, again and again.
    static std::vector<Both<std::string>> pairs_of(const std::vector<std::string>& words) {
        std::vector<Both<std::string>> pairs;
        for (const std::string& word : words) {
            const std::size_t at = word.find('=');
            if (at == word.npos || at == 0 || at + 1 == word.size()) {
                throw UsageError(fmt::format(
                    "--pair {}: write the kernel of the first recording, '=', and the second's: "
                    "'--pair find_neighbours=search'.",
                    word));
            }
            pairs.push_back({word.substr(0, at), word.substr(at + 1)});
        }
        return pairs;
    }

    /// Launches that cannot be read are named: a damaged folder is no success.
    void add_refused(Diff& diff) const {
        for (const bool is_b : {false, true}) {
            for (const RefusedCase& one : refused_.of(is_b)) {
                ++diff.lost_launches;
                diff.warnings.push_back(fmt::format(
                    "{}/{} is left out: {}", two_programs_->names.of(is_b), one.name, one.why));
            }
        }
    }

    /// The report on two recordings of which nothing can be replayed.
    int without_replay(const std::string& why) {
        Diff diff;
        diff.a.name = two_programs_->names.a;
        diff.b.name = two_programs_->names.b;
        diff.strict = judgement_.strict;
        diff.two_programs = two_programs_;
        diff.two_programs->no_replay = why;
        add_refused(diff);
        return finish(std::move(diff), {});
    }

    /// Sides that are kernels: two of one suite, or one word for what -s says.
    void take_kernels() {
        const auto is_kernel = [&](const std::string& word) {
            return names_kernel(word, context_);
        };
        if (std::ranges::none_of(sides_, is_kernel)) return;
        for (const std::string& word : sides_) {
            if (!is_kernel(word)) {
                throw UsageError(fmt::format(
                    "'{}' is no kernel, and the other side names one, or a folder with its "
                    "manifest. Name two kernels, and the device with -d: 'parallax diff "
                    "mine.json/base mine.json/candidate -d cuda:0'.",
                    word));
            }
        }
        if (!request_.picks.empty()) {
            throw UsageError("Kernels are named as sides or with -s, not both.");
        }
        std::vector<CasePick> picks;
        for (const std::string& word : sides_) {
            picks.push_back(parse_pick(word, context_.permissions));
        }
        for (const CasePick& pick : picks) {
            if (picks.size() < 2 || pick.variant) continue;
            throw UsageError(fmt::format("A side is one kernel: write {0}/VARIANT. {0} has: {1}.",
                                         word_for(*pick.suite),
                                         fmt::join(names(pick.suite->variants), ", ")));
        }
        request_.picks = {picks.front()};
        sides_.clear();
        if (picks.size() < 2) return;
        check_same_problem(picks[0], picks[1]);
        kernels_ = std::move(picks);
    }

    Diff judged(Sides sides) {
        if (two_programs_) {
            sides.a.name = two_programs_->names.a;
            sides.b.name = two_programs_->names.b;
        }
        Diff diff = build_diff(sides, judgement_);
        if (two_programs_) {
            diff.two_programs = two_programs_;
            add_replays(*diff.two_programs, diff);
            add_refused(diff);
        } else {
            add_programs(diff);
        }
        if (!baseline_) return diff;
        const ResultSet set = read_result_set(*baseline_);
        const Diff baseline =
            build_diff(sides_within(set, words_of(values_, "device")), {judgement_.margin, {}});
        try {
            judge_against(diff, baseline, *baseline_);
        } catch (const NothingToCompare&) {
            // The measured part is shown in any case.
            write_reports(diff, outputs_, context_, folder_);
            throw;
        }
        return diff;
    }

    /// Adds causes of gaps between the two APIs from this program's own results.
    static void add_causes(Diff& diff) {
        if (!are_apis(side_names(diff)) || std::ranges::none_of(diff.cases, has_gap_to_explain))
            return;
        add_known_causes(diff, stored_explanations());
    }

    /// Adds the report of each selected captured folder.
    void add_programs(Diff& diff) const {
        for (const Suite* suite : suites_of(request_.picks, false)) {
            if (!is_captured(suite->manifest)) continue;
            std::vector<std::pair<std::string, std::string>> refused;
            for (const RefusedCase& one : refused_cases(*suite)) {
                refused.emplace_back(one.name, one.why);
            }
            try {
                const bool is_cuda = std::ranges::all_of(suite->variants, [](const Variant& one) {
                    return one.for_cuda || !one.natives.empty();
                });
                diff.programs.push_back(program_verdict(read_capture(suite->manifest), diff,
                                                        suite->name, is_cuda, refused));
            } catch (const UsageError& error) {
                // Its launches are compared; only the report about the program is missing.
                diff.warnings.emplace_back(error.what());
            }
        }
        for (const Suite* suite : suites_of(request_.picks, true))
            diff.lost_launches += refused_cases(*suite).size();
    }

    int finish(Diff diff, const std::vector<const ResultSet*>& sets) {
        for (const ResultSet* set : sets) {
            if (!set->cut_short) continue;
            diff.warnings.push_back(
                fmt::format("{} holds a broken line, as of a run that was killed; it was left out.",
                            set->name));
        }
        add_causes(diff);
        write_reports(diff, outputs_, context_, folder_);
        if (diff.strict) {
            const auto is_failure = [](const CaseDiff& c) { return !strict_failure(c).empty(); };
            print_strict_failures(
                static_cast<std::size_t>(std::ranges::count_if(diff.cases, is_failure)), context_);
        }
        return exit_code(diff);
    }

    int compare_files() {
        refuse_unheeded(values_, diff_files);
        const std::vector<std::string> devices = words_of(values_, "device");
        if (devices.size() > 2) throw UsageError("A diff has two sides: -d can be given twice.");
        ResultSet a = read_result_set(sides_[0]);
        narrow(a, request_);
        if (sides_.size() == 1) {
            // One file of one run is compared with the baseline.
            if (baseline_ && !holds_two_sides(a)) return compare_with_baseline(a, devices);
            return finish(judged(sides_within(a, devices)), {&a});
        }
        ResultSet b = read_result_set(sides_[1]);
        narrow(b, request_);
        return finish(judged(sides_of(a, b, devices)), {&a, &b});
    }

    int compare_with_baseline(const ResultSet& b, const std::vector<std::string>& devices) {
        ResultSet a = read_result_set(*baseline_);
        narrow(a, request_);
        Diff diff = build_diff(sides_of(a, b, devices), judgement_);
        return finish(std::move(diff), {&a, &b});
    }

    std::pair<Entry, Entry> entries(const Devices& devices) const {
        std::vector<CasePick> kernels = kernels_;
        if (!launches_.empty()) {
            const Suite* suite = request_.picks.front().suite;
            kernels = {{suite, launches_.front().a}, {suite, launches_.front().b}};
        }
        if (!kernels.empty()) {
            const std::vector<std::string> named = words_of(values_, "device");
            if (named.empty()) {
                return entries_for_kernels(devices, kernels[0], kernels[1], !launches_.empty());
            }
            if (named.size() > 2) throw UsageError("A diff has two sides: -d A -d B.");
            return {one_entry(devices, named.front()), one_entry(devices, named.back())};
        }
        if (sides_.empty()) {
            try {
                return entries_to_compare(devices);
            } catch (const NothingToCompare& error) {
                throw NothingToCompare(error.what() + words_for_two_sources());
            }
        }
        if (sides_.size() == 1) {
            throw UsageError(fmt::format(
                "'{}' is one side. Name the other too: 'parallax diff {} DEVICE', or '{}' twice to "
                "try the clock.",
                sides_[0], sides_[0], sides_[0]));
        }
        return {one_entry(devices, sides_[0]), one_entry(devices, sides_[1])};
    }

    /// The command that compares the first pair of sources without a second device.
    std::string words_for_two_sources() const {
        for (const CasePick& pick : request_.picks) {
            std::vector<std::string> sides;  // each alone, after those with both
            for (const Variant& one : pick.suite->variants) {
                if (one.by_name_only && sides.size() < 2) sides.push_back(one.name);
            }
            if (pick.suite->manifest.empty() || sides.size() < 2) continue;
            return fmt::format(
                " 'parallax diff {0}/{1} {0}/{2}' compares the answers of its two sources.",
                pick.suite->manifest, sides[0], sides[1]);
        }
        return {};
    }

    int compare_devices() {
        if (values_.count("device") > 0 && kernels_.empty() && !two_programs_) {
            throw UsageError(
                "-d chooses among the devices of files. Name devices as sides: 'parallax diff "
                "opencl:nvidia cuda'.");
        }
        if (two_programs_ && launches_.empty()) return without_replay(why_no_launches_);
        TimeKeeper time(values_);
        expand(request_);  // reports impossible requests before a device is opened
        print_notices(request_.picks, context_);
        if (baseline_) {
            // Errors are reported before the measurement, not an hour later.
            const ResultSet set = read_result_set(*baseline_);
            build_diff(sides_within(set, {}), judgement_);
        }
        Tuning tuning(values_, context_);
        request_.tuned = tuning.hook();
        const RunInfo info = run_info(context_, request_.seed);
        ResultWriters writers(value_of<std::string>(values_, "data"), "diff", "--data");
        return run_supervised(values_, writers, context_,
                              [&] { return measure_devices(info, tuning, writers, time); });
    }

    int measure_devices(const RunInfo& info, const Tuning& tuning, ResultWriters& writers,
                        TimeKeeper& time) {
        const InterruptGuard interrupt;
        const Devices devices = find_devices(context_.backends);
        std::pair<Entry, Entry> chosen;
        try {
            chosen = entries(devices);
        } catch (const NothingToCompare& error) {
            if (!two_programs_) throw;
            return without_replay(error.what());
        }
        LiveRequest live{request_, chosen.first, chosen.second, judgement_};
        live.has_own_data = two_programs_.has_value();
        for (const auto& [a, b] : launches_) live.kernels.push_back({a, b});
        if (!kernels_.empty() && kernels_[0].variant != kernels_[1].variant) {
            live.kernels = {{kernels_[0].variant, kernels_[1].variant}};
        }
        ResultSet set;
        set.name = "this diff";
        ProgressLine line(context_.err, quiet_);
        const auto print_places = [&] {
            if (!quiet_) writers.print_places(context_.err);
        };
        const LiveListener listener{
            .progress = [&](const Progress& progress) { line.show(progress); },
            .keep =
                [&](const ResultEntry& made) {
                    writers.add(made, chosen.first.info.name);
                    set.take(made);
                },
            .trouble = line.trouble()};
        std::string_view missing = "cases that are missing did not run";
        try {
            RunConfig config = run_config(context_, request_.seed, folder_);
            config.floats = floats_;
            take_timing_options(values_, config);
            config.host_trials = std::make_shared<HostTrialProcesses>(context_);
            run_live(live, config, info, listener);
            line.clear();
            if (values_.count("explain") > 0) {
                missing = "explanations that are missing were not made";
                explain(set, live, listener);
            }
        } catch (const Interrupted&) {
            line.clear();
            context_.err << "parallax: Interrupted.\n";
            print_places();
            if (holds_two_sides(set)) {
                Diff part = judged(sides_within(set, {}));
                part.warnings.push_back(fmt::format("Interrupted: the {}.", missing));
                finish(std::move(part), {});
            }
            throw;
        } catch (const Error&) {
            line.clear();
            print_places();
            throw;
        }
        line.clear();
        tuning.say();
        const int code = finish(judged(sides_within(set, {})), {});
        time.finish(info, writers, chosen.first.info.name, context_);
        print_places();
        return code;
    }

    void explain(const ResultSet& set, const LiveRequest& live, const LiveListener& listener) {
        const Diff diff = build_diff(sides_within(set, {}), judgement_);
        const auto gaps = std::ranges::count_if(diff.cases, has_gap_to_explain);
        if (gaps > 0 && !quiet_) {
            context_.err << fmt::format(
                "{} to explain, the largest gap first, at most {:.0f} s each and {:.0f} s in all\n",
                gaps == 1 ? "1 case" : fmt::format("{} cases", gaps), gap_seconds,
                all_gaps_seconds);
        }
        ExplainRunner explaining(context_, request_.seed, folder_, quiet_, floats_);
        explain_gaps(
            diff,
            {.a = live.a, .b = live.b, .margin = judgement_.margin},
            [&](const ExplainRequest& request) {
                const CaseKey key = key_of(request.the_case);
                if (const Explanation* made = context_.earlier.explanation(key)) return *made;
                return explaining.explain(request, [](const ResultEntry&) {});
            },
            [&](const Explanation& explanation) { listener.keep(explanation); }, listener.trouble);
    }

    const Values& values_;
    CommandContext& context_;
    std::vector<std::string> sides_;
    std::optional<std::string> folder_;
    FloatChoice floats_;
    bool quiet_;
    Judgement judgement_;
    std::optional<std::string> baseline_;
    Request request_;
    std::vector<CasePick> kernels_;               ///< the sides, where they are two kernels
    std::optional<ProgramPair> two_programs_;     ///< the sides, where they are two recordings
    Both<std::vector<RefusedCase>> refused_;      ///< of these
    std::string why_no_launches_ = "no kept launches of the two do the same work.";
    std::vector<Both<const Variant*>> launches_;  ///< of these, that are replayed
    std::vector<Output> outputs_;
};

int diff(const Values& values, CommandContext& context) {
    return DiffCommand(values, context).run();
}

}  // namespace

Command diff_command() {
    return {
        .name = "diff",
        .arguments =
            "[A B | KERNEL KERNEL | RECORDING RECORDING | FILE [FILE]] [--format FORMAT] [-o "
            "FILE]...",
        .summary = "same kernel? same answer? same speed?",
        .about =
            "Compares two devices, two kernels, or two result files, case by case, and asks in "
            "this order: is it the same kernel, does it give the same answer, is it as fast. A "
            "later question is answered only where the earlier ones allow it. Two devices (without "
            "any: the entries that are one physical device) are measured alternately, in one "
            "process, until the interval of the ratio lies on one side of the margin; the data are "
            "kept. A ratio is B's time divided by A's: above 1, B is slower. Of two files the "
            "first is A, the second B: the old and the new. One file: a live diff's data, or a run "
            "on two entries of one device. Two kernels (SUITE/VARIANT, MANIFEST/VARIANT, and of a "
            "manifest with two sources MANIFEST/opencl and MANIFEST/cuda) get the same inputs, and "
            "their answers are compared with the reference and with each other; -d names their "
            "device, or A's and B's. Of two folders of 'parallax capture' (one program's OpenCL "
            "and CUDA version) the kernels are paired by what they read and wrote, and timed "
            "alternately. With --explain, the cases in which one side is slower are then looked "
            "into as 'parallax explain' does, the largest gap first, for a minute.",
        .examples = {"parallax diff", "parallax diff opencl:nvidia cuda -s transpose -o page.html",
                     "parallax diff opencl:nvidia cuda -s multiply --explain -o why.html",
                     "parallax diff mine.json/opencl mine.json/cuda",
                     "parallax diff mine.json/base mine.json/candidate -d cuda:0",
                     "parallax diff cl/ cuda/ -o two-programs.html",
                     "parallax diff old.jsonl new.jsonl --max-slowdown 5% -o report.xml",
                     "parallax diff results/nvidia-h100-80gb-hbm3/diff.jsonl --format md",
                     "parallax diff opencl:nvidia cuda --baseline diff.jsonl --max-slowdown 5%"},
        .positional = {"sides", "sides"},
        .options =
            [](auto add) {
                add("sides", settable<Words>(Setting::path),
                    "two devices (BACKEND, BACKEND:INDEX, BACKEND:NAME), two kernels "
                    "(SUITE/VARIANT, MANIFEST/VARIANT), or one file or two; one manifest: as with "
                    "-s");
                add("format", settable<std::string>(),
                    "text (default), md, html, json, csv, junit or sarif, on standard output");
                add("output,o", settable<Words>(Setting::report),
                    "file for a report, again and again; its end says the format: .txt, .md, "
                    ".html, .json, .csv, .xml, .sarif");
                add("data", settable<std::string>(Setting::file),
                    "file that a live diff's records and pairs are appended to (default: "
                    "results/DEVICE/diff-TIME.jsonl)");
                add("margin", settable<std::string>(),
                    "ratios this near to 1 are the SAME (default 2%)");
                add("max-slowdown", settable<std::string>(),
                    "asks for a decision: exit code 3 when B is slower than this, 4 when that "
                    "cannot be told; noise: than the runs of --baseline differ by");
                add_strict_option(add);
                add("baseline", settable<std::string>(Setting::file),
                    "earlier data of the same two sides: slower is what is slower than it was "
                    "then; with one file of a run: the file to compare it with");
                add_tuned_options(add);
                add("explain", settable_flag(),
                    "why a side is slower, found by experiment, the largest gap first: up to 20 s "
                    "for each case and a minute in all, beyond the budget");
                add("pair", settable<Words>(),
                    "A=B of two recordings: these kernels are counterparts; can be repeated");
                add("device,d", settable<Words>(),
                    "of files and of kernels: the device, or A's and B's");
                add_case_options(add, "120; with --full 1200");
                add_watch_options(add);
                add("verbose,v", settable_flag(),
                    "all that was found: each case, why, what was checked and not, how it was "
                    "measured");
                add("quiet", settable_flag(), "only the report; no progress, no remarks");
                add_timing_option(add);
            },
        .run = diff,
        .choices = {{"format", diff_formats}}};
}

}  // namespace parallax::cli

// `parallax explain`: finds why one side of a case is slower, and what closes the gap.
#include "studies/explain/explain.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/chosen_devices.hpp"
#include "cli/diff_output.hpp"
#include "cli/explain_runner.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_table.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/request.hpp"
#include "cli/result_writers.hpp"
#include "cli/sides.hpp"
#include "cli/supervisor.hpp"
#include "cli/terminal.hpp"
#include "cli/timing_option.hpp"
#include "cli/tuned_options.hpp"
#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "report/report.hpp"
#include "studies/case_of.hpp"
#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/live_diff.hpp"
#include "studies/diff/stored_diff.hpp"
#include "studies/diff/two_kernels.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/planted_gaps.hpp"
#include "suites/manifest/captured.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

const std::vector<std::string> explain_formats{"text", "md", "html", "json", "causes"};

class ExplainCommand {
public:
    ExplainCommand(const Values& values, CommandContext& context)
        : values_(values),
          context_(context),
          words_(words_of(values, "what")),
          folder_(value_of<std::string>(values, "kernels")),
          quiet_(values.count("quiet") > 0) {
        request_.margin = margin_of(values);
        request_.all_knobs = values.count("all-knobs") > 0;
        request_.budget_seconds = value_of<double>(values, "budget").value_or(20);
        if (!(request_.budget_seconds > 0) || !std::isfinite(request_.budget_seconds)) {
            throw UsageError("--budget is a number of seconds greater than 0.");
        }
        if (const auto side = value_of<std::string>(values, "try-exchange")) {
            parse_choice("--try-exchange", *side, {"a", "b"});
        }
        seed_ = seed_of(values);
        std::vector<std::string> inputs;
        for (const std::string& word : words_) {
            if (is_data(word)) inputs.push_back(word);
        }
        files_ = inputs;
        if (const auto data = value_of<std::string>(values, "data")) inputs.push_back(*data);
        outputs_ = outputs_of(values, inputs, explain_formats);
    }

    int run() {
        if (!files_.empty()) return show_files();
        if (values_.count("planted") > 0) return explain_planted();
        return explain_case();
    }

private:
    // A suite and variant contains a '/', too.
    static bool is_data(const std::string& word) {
        if (names_manifest(word)) return false;
        std::error_code error;
        return word.ends_with(".jsonl") || fs::is_regular_file(word, error);
    }

    int show_files() {
        if (files_.size() != words_.size()) {
            const auto other =
                std::ranges::find_if(words_, [](const std::string& w) { return !is_data(w); });
            throw UsageError(fmt::format(
                "'{}' is no file of results, and files are shown as they are. Name files only, or "
                "a case and two devices.",
                *other));
        }
        refuse_unheeded(values_, explain_files);
        std::vector<Explanation> all;
        for (const std::string& file : files_) {
            const ResultFile read = read_results(fs::path(file));
            if (read.cut_short && !quiet_) {
                context_.err << fmt::format(
                    "parallax: The last line of {} is cut off, and was left out.\n", file);
            }
            all.insert(all.end(), read.explanations.begin(), read.explanations.end());
        }
        if (all.empty()) {
            throw UsageError(fmt::format(
                "No explanation is in {}. 'parallax explain SUITE/VARIANT --data FILE' makes one.",
                fmt::join(files_, ", ")));
        }
        // An older program said it in other words, and did not name the constants.
        for (Explanation& e : all) {
            e.answer = answer_in_words(e);
            e.title = with_changed_constants(e.title, e.key);
        }
        write(all, {});
        return exit_ok;
    }

    void write(const std::vector<Explanation>& all, const ResultSet& set) {
        write_outputs(outputs_, context_, [&](const Output& output) -> std::string {
            if (output.format == "md") return markdown_report(all);
            if (output.format == "causes") {
                return causes_page(all, fmt::format("parallax {}", fmt::join(context_.words, " ")));
            }
            if (output.format == "json") {
                return json_report(all);
            }
            if (output.format == "html") {
                ResultSet from_files;
                from_files.name = fmt::format("{}", fmt::join(files_, ", "));
                for (const std::string& file : files_) {
                    read_results(file, [&](ResultEntry&& line, unsigned number) {
                        from_files.take(std::move(line), number);
                    });
                }
                from_files.check_pairs();
                const ResultSet& shown = files_.empty() ? set : from_files;
                if (!holds_two_sides(shown)) {
                    throw UsageError(
                        "A page needs the records of both sides, which are not there: those of "
                        "gaps that were planted are not kept. Choose another --format.");
                }
                const std::vector<std::string> devices =
                    files_.empty() ? std::vector<std::string>() : words_of(values_, "device");
                return rendered(build_diff(sides_within(shown, devices), {request_.margin, {}}),
                                output, context_, folder_);
            }
            return text_report(all, output.file ? 100 : terminal_width(),
                               !output.file && wants_colour(context_.out));
        });
    }

    /// The two sides: the named ones, the two of one physical device, or one device twice.
    std::pair<Entry, Entry> sides(const std::vector<std::string>& named) {
        const Devices devices = find_devices(context_.backends);
        if (named.size() == 2) {
            const std::array two{one_entry(devices, named[0]), one_entry(devices, named[1])};
            refuse_untimed(two);
            return {two[0], two[1]};
        }
        if (named.size() == 1) {
            const Entry entry = one_entry(devices, named[0]);
            refuse_untimed({&entry, 1});
            return {entry, entry};
        }
        if (!kernels_.empty()) {
            const auto [a, b] =
                entries_for_kernels(devices, kernels_[0], kernels_[1], is_of_recordings_);
            refuse_untimed(std::array{a, b});
            return {a, b};
        }
        try {
            return entries_to_compare(devices);
        } catch (const NothingToCompare& error) {
            const std::vector<Entry> all = chosen_entries(devices, {});
            if (all.size() != 1) throw;
            const Entry& only = all.front();
            if (!quiet_)
                context_.err << fmt::format(
                    "parallax: {} is here through one API only: it is both sides, there is no "
                    "gap, and what the knobs do to it is shown.\n",
                    only.info.id());
            return {only, only};
        }
    }

    /// A second kernel is side B.
    void take_other_kernel() {
        if (words_.size() < 2 || !names_kernel(words_[1], context_)) return;
        CasePick first = parse_pick(words_[0], context_.permissions),
                 second = parse_pick(words_[1], context_.permissions);
        if (!first.variant || !second.variant) {
            throw UsageError(
                fmt::format("'{}' and '{}': write SUITE/VARIANT for both.", words_[0], words_[1]));
        }
        is_of_recordings_ = are_of_recordings(first, second);
        if (is_of_recordings_) {
            take_common_suite(first, second);
        } else {
            check_same_problem(first, second);
        }
        words_.erase(words_.begin() + 1);
        kernels_ = {first, second};
        if (first.variant != second.variant) request_.other_kernel = second.variant;
    }

    /// Launches of two recordings become variants of one suite, each with its own data.
    void take_common_suite(CasePick& first, CasePick& second) {
        const Both<std::string> folders{first.suite->manifest, second.suite->manifest};
        const RecordedPair recorded = recorded_pair(folders, context_.permissions);
        for (const bool is_b : {false, true}) {
            CasePick& pick = is_b ? second : first;
            const auto& launches = recorded.launches.of(is_b);
            const auto launch =
                std::ranges::find(launches, pick.variant->name, &RecordedLaunch::name);
            if (launch == launches.end()) {
                throw UsageError(fmt::format("{}/{} cannot be replayed beside another recording.",
                                             folders.of(is_b), pick.variant->name));
            }
            pick = {recorded.suite, &variant_named(*recorded.suite, launch->variant)};
        }
        request_.stages = false;  // they would move the buffers of one side through the other
    }

    /// Devices are named after the case, or with -d as for `diff`.
    void take_devices() {
        const std::vector<std::string> devices = words_of(values_, "device");
        if (devices.empty() || words_.empty()) return;
        if (words_.size() > 1 || devices.size() > 2) {
            throw UsageError(
                "A case has two sides at most: -d A -d B, or both after the case: 'parallax "
                "explain SUITE/VARIANT opencl:nvidia cuda'.");
        }
        words_.insert(words_.end(), devices.begin(), devices.end());
    }

    int explain_case() {
        TimeKeeper time(values_);
        take_other_kernel();
        take_devices();
        if (words_.empty() || words_.size() > 3) {
            throw UsageError(
                "What is to be explained? 'parallax explain SUITE/VARIANT', with two devices after "
                "it, or files of results. 'parallax list' shows suites and variants.");
        }
        request_.the_case = is_of_recordings_ ? case_of(kernels_.front(), values_)
                                              : open_case(values_, context_, words_.front());
        program_of(request_.the_case, run_config(context_, seed_, folder_));
        ResultWriters writers(value_of<std::string>(values_, "data"), "explain", "--data");
        if (value_of<std::string>(values_, "try-exchange")) return measure_case(writers, time);
        return run_supervised(values_, writers, context_, [&] {
            if (supervision().continues_run) {
                request_.budget_seconds =
                    std::max(1.0, request_.budget_seconds - seconds_since(supervision().begun));
            }
            return measure_case(writers, time);
        });
    }

    int measure_case(ResultWriters& writers, TimeKeeper& time) {
        const InterruptGuard interrupt;
        std::tie(request_.a, request_.b) = sides({words_.begin() + 1, words_.end()});
        if (const auto side = value_of<std::string>(values_, "try-exchange")) {
            const std::string reason =
                try_exchange(request_, run_config(context_, seed_, folder_), *side == "b");
            context_.out << reason << std::flush;
            return reason.empty() ? exit_ok : exit_wrong;
        }
        Tuning tuning(values_, context_);
        request_.tuned = tuning.hook();
        if (!quiet_) {
            warn_of_environment(run_info(context_, seed_), {request_.a, request_.b}, context_);
        }
        ExplainRunner explaining(context_, seed_, folder_, quiet_);
        ResultSet set;
        set.name = "this explanation";
        Explanation found;
        try {
            found = explaining.explain(request_, [&](const ResultEntry& line) {
                writers.add(line, request_.a.info.name);
                set.take(line);
            });
        } catch (const Interrupted&) {
            print_interrupted(writers);
            throw;
        } catch (const Error&) {
            print_places(writers);
            throw;
        }
        tuning.say();
        write({found}, set);
        time.finish(found.run, writers, request_.a.info.name, context_);
        print_places(writers);
        return exit_ok;
    }

    void print_places(const ResultWriters& writers) const {
        if (!quiet_) writers.print_places(context_.err);
    }

    void print_interrupted(const ResultWriters& writers) const {
        context_.err << "parallax: Interrupted; what was found until then is kept.\n";
        print_places(writers);
    }

    int explain_planted() {
        const std::string which = value_of<std::string>(values_, "planted").value_or("all");
        std::vector<const PlantedGap*> gaps;
        if (which == "all") {
            for (const PlantedGap& gap : planted_gaps()) gaps.push_back(&gap);
        } else {
            gaps.push_back(&planted_gap_named(which));
        }
        ResultWriters writers(value_of<std::string>(values_, "data"), "explain", "--data");
        return run_supervised(values_, writers, context_,
                              [&] { return measure_gaps(gaps, writers); });
    }

    int measure_gaps(const std::vector<const PlantedGap*>& gaps, ResultWriters& writers) {
        const InterruptGuard interrupt;
        std::tie(request_.a, request_.b) = sides(words_);
        const auto& one = request_.a.info.backend;
        if (one == request_.b.info.backend) {
            throw NothingToCompare(fmt::format(
                "Gaps are planted in one side of a case that runs through OpenCL and through CUDA, "
                "and both sides here are of {}. 'parallax doctor' says what is missing.",
                one));
        }
        ExplainRunner explaining(context_, seed_, folder_, quiet_);
        std::vector<Explanation> all;
        PlantedTally tally;
        request_.stages = false;
        request_.origin = false;
        for (const PlantedGap* gap : gaps) {
            request_.planted = gap;
            request_.the_case = case_of(*gap);
            try {
                all.push_back(explaining.explain(request_, [&](const ResultEntry& line) {
                    writers.add(line, request_.a.info.name);
                }));
                tally.add(*gap, all.back());
            } catch (const NothingToExplain& error) {
                tally.add(*gap, error.what());
            } catch (const Interrupted&) {
                print_interrupted(writers);
                throw;
            } catch (const Error&) {
                print_places(writers);
                throw;
            }
        }
        print_places(writers);
        if (value_of<std::string>(values_, "format") || !words_of(values_, "output").empty()) {
            write(all, {});
        }
        context_.out << tally.text() << std::flush;
        return tally.missed() > tally.planted() / 12 ? exit_wrong : exit_ok;
    }

    const Values& values_;
    CommandContext& context_;
    std::vector<std::string> words_, files_;
    std::optional<std::string> folder_;
    bool quiet_;
    ExplainRequest request_;
    std::vector<CasePick> kernels_;  ///< the sides, where they are two kernels
    bool is_of_recordings_ = false;  ///< these are launches of two recordings
    std::uint64_t seed_ = 0;
    std::vector<Output> outputs_;
};

int explain_command_line(const Values& values, CommandContext& context) {
    try {
        return ExplainCommand(values, context).run();
    } catch (const NothingToExplain& error) {
        context.err << "parallax: " << error.what() << "\n";
        if (!error.log.empty()) {
            context.err << "The compiler says: " << error.log << "\n";
        }
        // Skipped: both are right, but could not be timed.
        if (error.status == Status::skipped) return exit_open;
        if (error.status == Status::wrong) return exit_wrong;
        return error.status == Status::failed ? exit_failed : exit_nothing;
    }
}

}  // namespace

Command explain_command() {
    return {
        .name = "explain",
        .arguments = "SUITE/VARIANT [SUITE/VARIANT] [A B] | FILE...",
        .summary = "why one side is slower, and what closes the gap",
        .about =
            "Measures the gap between two sides of a case (without any: the entries that are one "
            "physical device), and looks for its cause by experiments: where the time goes, what "
            "the compilers made of the source, how each side's code runs when the other API loads "
            "it, and what every knob does to the gap: alignment, registers, unrolling, widths of "
            "indices, float rules, options and others, or the host's queues, memory and transfers "
            "where the gap is not in the kernel, one at a time and together, each verified and "
            "timed alternately. The answer comes first, the evidence after it. A second kernel is "
            "side B. With files, stored explanations are shown again.",
        .examples = {"parallax explain multiply/blocked --define ALIGN=4",
                     "parallax explain transpose/naive opencl:1 cuda:0 -o why.html",
                     "parallax explain multiply/blocked opencl:0",
                     "parallax explain results/nvidia-h100-80gb-hbm3/explain.jsonl --format md",
                     "parallax explain --planted all"},
        .positional = std::vector<std::string>(100, "what"),
        .options =
            [](auto add) {
                add("what", po::value<Words>()->composing(),
                    "a case and two devices, one device (it is both sides), or files");
                add("device,d", settable<Words>(),
                    "the device of a case, or A's and B's; of files that hold several pairs: the "
                    "two sides that a page shows");
                add("format", settable<std::string>(),
                    "text (default), md, html, json, or causes: a page of all causes found");
                add("output,o", settable<Words>(Setting::report),
                    "file for a report, again and again; its end says the format: .txt, .md, "
                    ".html, .json");
                add("data", settable<std::string>(Setting::file),
                    "file that records, pair and explanation are appended to (default: "
                    "results/DEVICE/explain-TIME.jsonl)");
                add("size,n", settable<std::string>(),
                    "size of the problem: 2^20, 64M, 1024x777; none: the one that diff chooses");
                add("type", settable<std::string>(),
                    "float, double or int; none: the first that the suite or the variant is "
                    "written for");
                add("define,D", settable<Words>(),
                    "NAME=VALUE: a constant of the kernels; with --source a macro of the files");
                add_source_options(add);
                add("margin", settable<std::string>(),
                    "ratios this near to 1 are the SAME (default 2%)");
                add("budget", settable<double>(), "seconds for all of it (default 20)");
                add("seed", settable<std::string>(), "of the inputs; none: drawn, and recorded");
                add("kernels", po::value<std::string>(),
                    "folder of kernel files to use instead, named as the program's own");
                add_allow_options(add);
                add("all-knobs", settable_flag(),
                    "turn every knob, even when one has explained the gap");
                add("planted", settable<std::string>(),
                    "NAME or all: gaps put in on purpose, and whether their causes are named");
                add("try-exchange", po::value<std::string>(),
                    "a or b: only tries the other side's code on this side, in this process");
                add_tuned_options(add);
                add_lock_option(add);
                add_watch_options(add);
                add("quiet", settable_flag(), "only the report; no progress, no remarks");
                add_timing_option(add);
            },
        .run = explain_command_line,
        .choices = {{"format", explain_formats}}};
}

}  // namespace parallax::cli

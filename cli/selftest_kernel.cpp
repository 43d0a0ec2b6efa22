// Scores the checks of a manifest in child processes of this program, and finds kept scores.
#include "cli/selftest_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include "cli/chosen_devices.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/request.hpp"
#include "common/error.hpp"
#include "common/version.hpp"
#include "report/selftest/score_report.hpp"
#include "studies/mutation/deal.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

constexpr double default_budget = 60;
/// Processes that use one GPU, and processes on a CPU: each has a compiler's memory.
constexpr unsigned most_on_gpu = 2, most_on_cpu = 8;

/// The user's file of scores. Empty: there is no place for it
fs::path scores_file_beside(const fs::path& ceilings_file) {
    return ceilings_file.empty() ? fs::path() : ceilings_file.parent_path() / "scores.jsonl";
}

class OwnChecks {
public:
    OwnChecks(const Values& values, CommandContext& context)
        : values_(values),
          context_(context),
          word_(*value_of<std::string>(values, "manifest")),
          is_judge_(value_of<std::string>(values, "judge").has_value()) {
        refuse_given(values, {"trials", "planted", "margin", "seed", "busy", "data"},
                     "--{} is of the program's own self-test, and not of your kernel's.");
        const CasePick pick = parse_pick(word_, context.permissions);
        if (pick.suite->manifest.empty()) {
            throw UsageError(
                fmt::format("'{}' is no manifest and no captured folder: the program's own suites "
                            "are tested by 'parallax selftest'.",
                            word_));
        }
        task_.suite = pick.suite;
        task_.only = pick.variant;
        task_.permissions = context.permissions;
        task_.config = run_config(context, 1, {});
        task_.config.check_interrupt = {};
        task_.config.score_of_checks = {};
        task_.compiler = device_free_compiler(context.backends);
    }

    int run() {
        if (is_judge_) return judge();
        const auto required = value_of<std::string>(values_, "require-score");
        const double least = required ? parse_share("--require-score", *required) : 0;
        if (least > 1) throw UsageError("--require-score is at most 100%.");
        task_.budget_seconds = value_of<double>(values_, "budget").value_or(default_budget);
        if (!(task_.budget_seconds > 0) || !std::isfinite(task_.budget_seconds))
            throw UsageError("--budget is a number of seconds greater than 0.");
        if (context_.program.empty()) throw Error("This program cannot start itself again.");
        const auto entry = chosen_entry();
        if (!entry) throw no_device("to try it on");
        task_.entry = *entry;
        task_.program = context_.program;
        task_.words = words();
        const unsigned cores = usable_cores();
        task_.jobs = std::min(cores, entry->info.is_gpu ? most_on_gpu : most_on_cpu);
        share_cores(task_.jobs);
        const bool quiet = values_.count("quiet") > 0;
        ProgressLine line(context_.err, quiet);
        task_.tell = [&](const std::string& what) {
            Progress progress;
            progress.what = what;
            line.show(progress);
        };
        const InterruptGuard interrupt;
        task_.is_stopped = is_interrupted;
        const std::vector<ChecksScore> scores = score_checks(task_);
        line.clear();
        const int code = tell(scores, least);
        if (!is_interrupted()) return code;
        context_.err << "parallax: Interrupted; this is of what was tried until then.\n";
        return exit_interrupted;
    }

private:
    static bool is_interrupted() {
        try {
            InterruptGuard::check();
            return false;
        } catch (const Interrupted&) {
            return true;
        }
    }

    int judge() const {
        ScoreTask task = task_;
        task.longer = values_.count("longer") > 0;
        const std::vector<std::string> named = words_of(values_, "device");
        if (named.size() != 1) throw UsageError("--judge needs one device: name it with -d.");
        task.entry = entry_alone(context_.backends, named.front());
        const auto device = task.entry.open();
        const auto number = [&](const char* name) {
            return parse_number(fmt::format("--{}", name),
                                value_of<std::string>(values_, name).value_or(""), 0, 1'000'000);
        };
        return judge_places(task, *device, static_cast<long>(number("judge")),
                            static_cast<int>(number("places")));
    }

    /// The first device that takes a kernel, GPUs before others; the host where there is none.
    std::optional<Entry> chosen_entry() const {
        const std::vector<std::string> named = words_of(values_, "device");
        const bool quiet = values_.count("quiet") > 0;
        std::vector<Entry> entries = entries_for(named, quiet, context_);
        if (!named.empty() && entries.size() > 1)
            throw UsageError("One device tries the changed kernels: name one with -d.");
        std::ranges::stable_partition(entries, [](const Entry& one) { return one.info.is_gpu; });
        const auto takes = [&](const Entry& one) {
            return !kernels_under_test(*task_.suite, task_.only, one.info, task_.config).empty();
        };
        auto found = std::ranges::find_if(entries, takes);
        if (found != entries.end()) return *found;
        if (!named.empty()) return entries.front();  // the study reports missing devices
        const bool has_host = std::ranges::any_of(
            context_.backends, [](const auto& one) { return one->name() == "host"; });
        if (!has_host) return {};
        entries = entries_for({"host:0"}, quiet, context_);
        found = std::ranges::find_if(entries, takes);
        return found == entries.end() ? std::optional<Entry>() : *found;
    }

    std::vector<std::string> words() const {
        std::vector<std::string> all{"selftest", word_, "-d", task_.entry.info.id()};
        for (const fs::path& folder : task_.permissions.folders)
            all.insert(all.end(), {"--allow", folder.string()});
        if (task_.permissions.commands == CommandUse::allowed) all.emplace_back("--allow-command");
        return all;
    }

    int tell(const std::vector<ChecksScore>& scores, double least) const {
        bool fails = false, is_tried = false, is_open = false;
        for (const ChecksScore& score : scores) {
            is_tried = is_tried || score.changed() > 0;
            fails = fails || !score.problem.empty() || score.share() < least;
            is_open = is_open || score.least_share() < least;
            for (const std::string& name : score.variants) {
                keep_score(scores_file_beside(context_.ceilings_file), score,
                           checks_digest(*task_.suite, variant_named(*task_.suite, name),
                                         task_.config, program_version));
            }
        }
        const bool as_json = value_of<std::string>(values_, "format") == "json";
        context_.out << (as_json ? score_json(scores, !fails && !is_open)
                                 : score_text(scores, task_.suite->manifest));
        if (fails) return exit_wrong;
        if (!is_tried) return exit_nothing;
        if (is_open) {
            context_.err << fmt::format(
                "parallax: Too few were tried to say that a score is {:g} %: give more with "
                "--budget.\n",
                100 * least);
        }
        return is_open ? exit_open : exit_ok;
    }

    const Values& values_;
    CommandContext& context_;
    std::string word_;
    bool is_judge_;
    ScoreTask task_;
};

}  // namespace

int score_own_checks(const Values& values, CommandContext& context) {
    return OwnChecks(values, context).run();
}

std::function<std::string(const Case&)> kept_scores(const fs::path& ceilings_file) {
    const fs::path file = scores_file_beside(ceilings_file);
    std::error_code error;
    if (file.empty() || !fs::exists(file, error)) return {};
    return [file](const Case& c) -> std::string {
        if (c.suite->manifest.empty()) return {};
        try {
            // In a run of two kernels or sources the score is each one's own.
            const Variant& variant = variant_named(*c.suite, c.variant->name);
            const Suite& suite = *c.suite;
            // A size of the command line's is another check, and other constants make another
            // kernel.
            if (c.type != suite.types.front() ||
                std::ranges::find(shapes_of(suite, variant), c.shape) ==
                    shapes_of(suite, variant).end() ||
                c.constants != make_case(suite, variant, c.shape, c.type).constants)
                return {};
            std::vector<std::string> sizes{to_string(c.shape)};
            for (const Shape& shape : suite.check_shapes) sizes.push_back(to_string(shape));
            return score_sentence(file, checks_digest(suite, variant, {}, program_version), sizes,
                                  suite.manifest);
        } catch (const Error&) {  // a file is gone
            return {};
        }
    };
}

}  // namespace parallax::cli

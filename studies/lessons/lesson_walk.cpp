// Runs the cases of a lesson in the ordinary session, and verifies its broken kernels.
#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/version.hpp"
#include "measure/device_lock.hpp"
#include "measure/sizing.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax {
namespace {

/// One lesson on the devices of a walk.
class LessonWalk {
public:
    LessonWalk(const Lesson& lesson, const WalkRequest& request, double budget_seconds,
               const WalkHelp& help, WalkTotals& totals)
        : lesson_(lesson),
          request_(request),
          budget_seconds_(budget_seconds),
          help_(help),
          totals_(totals) {
        // A case that two lessons show is measured for each of them.
        run_ = help.run;
        run_.id += "-" + lesson.name;
    }

    /// @param walked  planned
    /// @return whether it was interrupted
    bool run(WalkedLesson& walked) {
        bool interrupted = false;
        const auto until_interrupted = [&](const auto& work) {
            if (interrupted) return;
            try {
                work();
            } catch (const Interrupted&) {
                interrupted = true;
            }
        };
        until_interrupted([&] { measure(walked.cases()); });
        walked.take(store_);
        for (std::size_t i = 0; i < walked.steps.size(); ++i) {
            until_interrupted([&] { add_rest(lesson_.steps[i], walked, walked.steps[i]); });
        }
        return interrupted;
    }

private:
    void measure(std::vector<Case> cases) {
        Request session;
        session.points = std::move(cases);
        if (session.points.empty()) return;
        if (budget_seconds_ <= 0) {
            totals_.cases += session.points.size();
            return;
        }
        session.seed = request_.seed;
        session.budget_seconds = budget_seconds_;
        RunConfig config = help_.config;
        config.is_brief = true;
        config.most_for_ceilings = 0.25;
        config.rule.rounds = 1;
        config.rule.most_seconds = 0.2;
        run_session(session, request_.entries, config, run_,
                    {.progress = help_.progress,
                     .record =
                         [&](const Record& record) {
                             store_.add(record);
                             help_.keep(record);
                             const bool is_ceiling = suite_named(record.key.suite).is_ceiling;
                             totals_.cases += !is_ceiling;
                             totals_.ok += !is_ceiling && record.status == Status::ok;
                             totals_.wrong += record.status == Status::wrong;
                             totals_.failed += record.status == Status::failed;
                         },
                     .trouble = help_.trouble});
    }

    // Adds everything except the records of the suites' own kernels to a step.
    void add_rest(const LessonStep& step, const WalkedLesson& walked, WalkedStep& found) {
        if (clock_.elapsed() > budget_seconds_) return;
        if (step.kind == LessonStep::Kind::broken) {
            found.broken = run_broken(step, *walked.steps[step.breaks].the_case);
            totals_.missed += std::ranges::none_of(
                found.broken, [](const BrokenRun& run) { return run.status == "wrong"; });
        } else if (step.kind == LessonStep::Kind::command) {
            CommandOutput output = help_.command(step.command);
            found.output = std::move(output.text);
            totals_.failed_commands += !output.ok;
        }
    }

    // Each device is reopened: the error may corrupt it.
    std::vector<BrokenRun> run_broken(const LessonStep& step, const Case& c) {
        RunConfig config = help_.config;
        const std::string& file = portable_source(*c.suite, *c.variant);
        config.kernel_source = [&](std::string_view name) {
            return name == file ? broken_text(step, file) : help_.config.kernel_source(name);
        };
        const bool is_of_program =
            std::ranges::any_of(lessons(), [&](const Lesson& one) { return &one == &lesson_; });
        if (!is_of_program) config.files = SourceFiles{};
        ReferenceCache references(host_memory_bytes() / 4);
        config.references = &references;
        references.set_reference_provider(references_among(request_.entries, config));
        std::vector<BrokenRun> runs;
        for (const Entry& entry : request_.entries) {
            Outcome outcome;
            outcome.the_case = c;
            try {
                const auto device = entry.open();
                outcome = build_and_verify(*device, c, {}, config);
            } catch (const Interrupted&) {
                throw;
            } catch (const std::exception& error) {
                outcome.status = Status::failed;
                outcome.reason = error.what();
            }
            Record record = to_record(outcome, entry.info, run_);
            // An answer that passed verification has no time here, and so is no `ok`.
            if (record.status == Status::ok) {
                record.status = Status::skipped;
                record.reason = passed_all_the_same;
            }
            record.program.edits = {name_of_edit(lesson_.name, step.name)};
            help_.keep(record);
            runs.push_back({record.device, std::string(name_of(record.status)), record.reason});
        }
        return runs;
    }

    const Lesson& lesson_;
    const WalkRequest& request_;
    const BudgetClock clock_;
    const double budget_seconds_;
    const WalkHelp& help_;
    WalkTotals& totals_;
    RunInfo run_;
    ResultStore store_;
};

bool has_any(WalkedLesson& lesson) {
    return std::ranges::any_of(lesson.all(), [](const WalkedStep* step) {
        return !step->broken.empty() || !step->output.empty() ||
               std::ranges::any_of(step->points,
                                   [](const auto& point) { return !point.records.empty(); });
    });
}

}  // namespace

std::string name_of_edit(const std::string& lesson, const std::string& step) {
    return fmt::format("{}{}: {}", broken_edit, lesson, step);
}

Walk walk_through(const WalkRequest& request, const WalkHelp& help, WalkTotals& totals) {
    Walk walk{.program = std::string(program_version),
              .started = help.run.started,
              .devices = {},
              .lessons = {}};
    for (const Entry& entry : request.entries) {
        walk.devices.push_back({.id = entry.info.id(),
                                .name = entry.info.name,
                                .backend = entry.info.backend,
                                .is_gpu = entry.info.is_gpu,
                                .physical = entry.physical});
    }
    const BudgetClock clock;
    auto to_do = static_cast<double>(request.lessons.size());
    for (const Lesson* lesson : request.lessons) {
        WalkedLesson walked = planned_lesson(*lesson);
        const double left = request.budget_seconds - clock.elapsed();
        const double most = std::min(left, std::max(left / to_do--, seconds_a_lesson));
        walk.interrupted = LessonWalk(*lesson, request, most, help, totals).run(walked);
        if (!walk.interrupted || has_any(walked)) walk.lessons.push_back(std::move(walked));
        if (walk.interrupted) break;
    }
    return walk;
}

}  // namespace parallax

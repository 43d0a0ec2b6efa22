// Hands the cases of a lesson to the session that runs all cases, and its broken kernels to the
// gate.
#include "studies/lessons/lesson_walk.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/request.hpp"
#include "cli/run_report.hpp"
#include "common/error.hpp"
#include "common/version.hpp"
#include "measure/sizing.hpp"
#include "records/stored.hpp"
#include "studies/lessons/lesson_plan.hpp"
#include "studies/lessons/step_texts.hpp"

namespace parallax::cli {
namespace {

/// A kernel with an error in it, on each device: a fresh one each time, since the error may have
/// ruined the one before.
std::vector<BrokenRun> run_broken(const LessonStep& step, const PlannedRun& plan,
                                  const WalkRequest& request, const World& world) {
    RunContext context = run_context(world, request.seed, std::nullopt);
    const auto original = context.kernel_text;
    const Case c = make_case(*plan.pick.suite, *plan.pick.variant,
                             shapes_of(*plan.pick.suite, *plan.pick.variant).front(), plan.type,
                             plan.constants);
    const std::string& file = source_of(c);
    context.kernel_text = [&](std::string_view name) {
        std::string text = original(name);
        return name == file ? replaced(std::move(text), step.replacements, name) : text;
    };
    Workloads workloads(host_memory_bytes() / 4);
    context.workloads = &workloads;
    workloads.set_witnesses(witnesses_among(request.entries, context));
    std::vector<BrokenRun> runs;
    for (const Entry& entry : request.entries) {
        BrokenRun run{.device = entry.info.id(), .status = {}, .said = {}};
        try {
            const auto device = entry.open();
            const Outcome outcome = check_case_on(*device, c, {}, context);
            run.status = name_of(outcome.status);
            run.said = outcome.reason;
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& error) {
            run.status = name_of(Status::failed);
            run.said = error.what();
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

using Records = std::vector<std::pair<CaseKey, Json>>;

/// @param records  gets those of the cases, and keeps them whatever is thrown
/// @throws Interrupted
void measure(const std::vector<Case>& cases, const WalkRequest& request, const RunInfo& info,
             World& world, WalkTotals& totals, Records& records) {
    Request session;
    session.points = cases;
    session.seed = request.seed;
    session.budget_seconds = request.budget_seconds;
    RunContext context = run_context(world, request.seed, std::nullopt);
    context.is_brief = true;
    context.rule.rounds = 1;
    context.rule.most_seconds = 0.2;
    ProgressLine line(world.err, !request.quiet && is_terminal(world.err));
    run_session(session, request.entries, context,
                {.progress = [&](const Progress& progress) { line.show(progress); },
                 .outcome =
                     [&](const Outcome& outcome, const Entry& entry) {
                         records.emplace_back(key_of(outcome.the_case),
                                              to_record(outcome, entry.info, info));
                         const bool is_ceiling = outcome.the_case.suite->is_ceiling;
                         totals.cases += !is_ceiling;
                         totals.ok += !is_ceiling && outcome.status == Status::ok;
                         totals.wrong +=
                             outcome.status == Status::wrong || outcome.status == Status::failed;
                     },
                 .trouble =
                     [&](const std::string& what) {
                         line.clear();
                         world.err << "parallax: " << harmless(what) << "\n";
                     }});
}

bool has_any(const WalkedLesson& lesson) {
    const auto any_of = [](const std::vector<WalkedStep>& steps) {
        return std::ranges::any_of(steps, [](const WalkedStep& step) {
            return !step.broken.empty() || !step.output.empty() ||
                   std::ranges::any_of(step.points, [](const WalkedPoint& point) {
                       return !point.records.empty();
                   });
        });
    };
    return any_of(lesson.steps) || any_of(lesson.exercises);
}

/// What a step has beside records. @throws Interrupted
void add_rest(const LessonStep& step, const PlannedLesson& plan, const WalkRequest& request,
              World& world, WalkedStep& found, WalkTotals& totals) {
    if (step.kind == LessonStep::Kind::broken) {
        found.broken = run_broken(step, *plan.steps[step.breaks], request, world);
        totals.missed += std::ranges::none_of(
            found.broken, [](const BrokenRun& run) { return run.status == "wrong"; });
    } else if (step.kind == LessonStep::Kind::command) {
        int code = exit_ok;
        found.output = output_of(step.command, world, code);
        totals.failed_commands += code != exit_ok;
    }
}

}  // namespace

Walk walk_through(const WalkRequest& request, World& world, WalkTotals& totals) {
    const RunInfo info = run_info(world, request.seed);
    Walk walk{.program = std::string(program_version),
              .started = info.started,
              .devices = {},
              .lessons = {}};
    for (const Entry& entry : request.entries) {
        walk.devices.push_back({.id = entry.info.id(),
                                .name = entry.info.name,
                                .backend = entry.info.backend,
                                .is_gpu = entry.info.is_gpu,
                                .physical = entry.physical});
    }
    for (const Lesson* lesson : request.lessons) {
        const PlannedLesson plan(*lesson);
        const std::vector<Case> cases = plan.cases();
        Records records;
        const auto until_interrupted = [&](const auto& work) {
            if (walk.interrupted) return;
            try {
                work();
            } catch (const Interrupted&) {
                walk.interrupted = true;
            }
        };
        until_interrupted([&] {
            if (!cases.empty()) measure(cases, request, info, world, totals, records);
        });
        WalkedLesson walked =
            walked_lesson(*lesson, plan, records, [&](const LessonStep& step, WalkedStep& found) {
                until_interrupted([&] { add_rest(step, plan, request, world, found, totals); });
            });
        if (!walk.interrupted || has_any(walked)) walk.lessons.push_back(std::move(walked));
        if (walk.interrupted) break;
    }
    return walk;
}

}  // namespace parallax::cli

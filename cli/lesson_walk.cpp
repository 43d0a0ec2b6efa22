// Hands the cases of a lesson to the session that runs all cases, and its broken kernels to the
// gate.
#include "cli/lesson_walk.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/request.hpp"
#include "cli/run_report.hpp"
#include "cli/sweep_points.hpp"
#include "common/error.hpp"
#include "common/sizing.hpp"
#include "common/version.hpp"
#include "diff/stored.hpp"
#include "lessons/step_texts.hpp"

namespace parallax::cli {
namespace {

/// One point of a step, and the case that measures it.
struct PlannedPoint {
    std::string label;
    std::optional<Case> the_case;  ///< its shape may be open; nothing: it cannot be
};

/// What a step's words stand for.
struct PlannedRun {
    Request::Pick pick;
    ElementType type = ElementType::f32;
    std::vector<Constant> constants;  ///< all of the suite, but for those of `over`
    std::vector<PlannedPoint> points;
};

PlannedRun planned(const LessonRun& run) {
    PlannedRun plan{.pick = parse_pick(run.what), .type = {}, .constants = {}, .points = {}};
    if (!plan.pick.variant) throw UsageError(fmt::format("'{}' is no SUITE/VARIANT.", run.what));
    const Suite& suite = *plan.pick.suite;
    const Variant& variant = *plan.pick.variant;
    plan.type = type_for(suite, run.type.empty() ? std::nullopt : std::optional(run.type));
    std::vector<Constant> defines;
    for (const std::string& define : run.defines) {
        defines.push_back(parse_define(define, {plan.pick}));
    }
    std::optional<Shape> shape;
    if (!run.size.empty()) shape = parse_shape(run.size);
    plan.constants = constants_of(suite, variant, defines);
    if (!run.over.empty()) {
        const SweepPoints sweep = sweep_points({.pick = plan.pick,
                                                .over = run.over,
                                                .defines = defines,
                                                .shape = shape,
                                                .type = plan.type});
        for (const Point& point : sweep.points) {
            plan.points.push_back({sweep.label(point), point.the_case});
        }
        for (const Axis& axis : sweep.axes) {
            std::erase_if(plan.constants, [&](const Constant& c) { return c.name == axis.name; });
        }
        return plan;
    }
    Case c = make_case(suite, variant, shape.value_or(shapes_of(suite, variant).front()), plan.type,
                       defines);
    if (!shape && !suite.is_ceiling) c.shape = {};
    plan.points.push_back({"", c});
    return plan;
}

/// Whether a record's case is the planned one.
bool is_of(const Case& c, const CaseKey& key) {
    CaseKey own = key_of(c);
    // Ceilings choose their size themselves, as all cases do whose shape is open.
    if (c.shape.extents.empty() || c.suite->is_ceiling) own.shape = key.shape;
    if (c.suite->is_ceiling) own.constants = key.constants;
    return own == key;
}

/// All that a lesson runs.
struct PlannedLesson {
    std::vector<std::optional<PlannedRun>> steps, exercises;

    explicit PlannedLesson(const Lesson& lesson) {
        for (const LessonStep& step : lesson.steps) {
            steps.emplace_back();
            if (step.kind == LessonStep::Kind::run) steps.back() = planned(step.run);
        }
        for (const Exercise& exercise : lesson.exercises) {
            exercises.emplace_back();
            if (exercise.run) exercises.back() = planned(*exercise.run);
        }
    }

    std::vector<Case> cases() const {
        std::vector<Case> all;
        for (const auto* list : {&steps, &exercises}) {
            for (const auto& plan : *list) {
                if (!plan || plan->pick.suite->is_ceiling) continue;
                for (const PlannedPoint& point : plan->points) {
                    if (!point.the_case) continue;
                    const CaseKey key = key_of(*point.the_case);
                    const bool known =
                        std::ranges::any_of(all, [&](const Case& c) { return key_of(c) == key; });
                    if (!known) all.push_back(*point.the_case);
                }
            }
        }
        return all;
    }
};

WalkedStep walked_step(const std::string& name, const std::optional<PlannedRun>& plan,
                       const std::vector<std::pair<CaseKey, Json>>& records) {
    WalkedStep step{.name = name};
    if (!plan) return step;
    step.type = name_of(plan->type);
    for (const Constant& c : plan->constants) step.constants.emplace_back(c.name, c.value);
    for (const PlannedPoint& planned_point : plan->points) {
        WalkedPoint point{.label = planned_point.label, .records = {}};
        for (const auto& [key, record] : records) {
            if (planned_point.the_case && is_of(*planned_point.the_case, key)) {
                point.records.push_back(record);
            }
        }
        step.points.push_back(std::move(point));
    }
    return step;
}

/// A kernel with an error in it, on each device: a fresh one each time, since the error may have
/// ruined the one before.
std::vector<BrokenRun> run_broken(const LessonStep& step, const PlannedRun& plan,
                                  const WalkRequest& request, const World& world) {
    RunContext context = run_context(world, request.seed, std::nullopt);
    const auto original = context.kernel_text;
    const Case c = make_case(*plan.pick.suite, *plan.pick.variant,
                             shapes_of(*plan.pick.suite, *plan.pick.variant).front(), plan.type,
                             plan.constants);
    const std::string file = c.variant->source.empty() ? c.suite->source : c.variant->source;
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

std::string output_of(const std::vector<std::string>& words, World& world, WalkTotals& totals) {
    std::ostringstream out, err;
    const int code = run_program(words, {out, err, world.backends, {}, world.program});
    if (code != exit_ok) {
        ++totals.failed_commands;
        return out.str() + err.str() + fmt::format("(exit code {})\n", code);
    }
    return out.str();
}

std::vector<std::pair<CaseKey, Json>> measured(const std::vector<Case>& cases,
                                               const WalkRequest& request, const RunInfo& info,
                                               World& world, WalkTotals& totals) {
    Request session;
    session.points = cases;
    session.seed = request.seed;
    session.budget_seconds = request.budget_seconds;
    RunContext context = run_context(world, request.seed, std::nullopt);
    context.is_brief = true;
    context.rule.rounds = 2;
    context.rule.most_seconds = 0.4;
    ProgressLine line(world.err, !request.quiet && is_terminal(world.err));
    std::vector<std::pair<CaseKey, Json>> records;
    run_session(session, request.entries, context,
                {.progress = [&](const Progress& progress) { line.show(progress); },
                 .outcome =
                     [&](const Outcome& outcome, const Entry& entry) {
                         records.emplace_back(key_of(outcome.the_case),
                                              to_record(outcome, entry.info, info));
                         totals.ok += outcome.status == Status::ok;
                         totals.wrong +=
                             outcome.status == Status::wrong || outcome.status == Status::failed;
                     },
                 .trouble =
                     [&](const std::string& what) {
                         line.clear();
                         world.err << "parallax: " << harmless(what) << "\n";
                     }});
    return records;
}

}  // namespace

void check_lesson(const Lesson& lesson) {
    try {
        const PlannedLesson plan(lesson);
        for (const LessonStep& step : lesson.steps) {
            if (step.kind == LessonStep::Kind::command) {
                const auto& all = commands();
                if (std::ranges::find(all, step.command.front(), &Command::name) == all.end()) {
                    throw UsageError(fmt::format("step '{}': there is no command '{}'.", step.name,
                                                 step.command.front()));
                }
            }
            if (step.kind != LessonStep::Kind::broken) continue;
            const Variant& variant = *plan.steps[step.breaks]->pick.variant;
            if (!variant.natives.empty()) {
                throw UsageError(fmt::format(
                    "step '{}' breaks a native variant, which has no common text.", step.name));
            }
            const std::string& file = variant.source.empty()
                                          ? plan.steps[step.breaks]->pick.suite->source
                                          : variant.source;
            replaced(kernel_text(file, std::nullopt), step.replacements, file);
        }
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("Lesson {}: {}", lesson.name, error.what()));
    }
}

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
        std::vector<std::pair<CaseKey, Json>> records;
        if (!cases.empty()) records = measured(cases, request, info, world, totals);
        WalkedLesson walked{.name = lesson->name, .steps = {}, .exercises = {}};
        for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
            const LessonStep& step = lesson->steps[i];
            WalkedStep found = walked_step(step.name, plan.steps[i], records);
            if (step.kind == LessonStep::Kind::broken) {
                found.broken = run_broken(step, *plan.steps[step.breaks], request, world);
                totals.missed += std::ranges::none_of(
                    found.broken, [](const BrokenRun& run) { return run.status == "wrong"; });
            }
            if (step.kind == LessonStep::Kind::command) {
                found.output = output_of(step.command, world, totals);
            }
            walked.steps.push_back(std::move(found));
        }
        for (std::size_t i = 0; i < lesson->exercises.size(); ++i) {
            walked.exercises.push_back(
                walked_step(lesson->exercises[i].title, plan.exercises[i], records));
        }
        walk.lessons.push_back(std::move(walked));
    }
    return walk;
}

}  // namespace parallax::cli

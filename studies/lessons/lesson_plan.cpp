// Makes cases of the words of a lesson.
#include "studies/lessons/lesson_plan.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/preprocess/directives.hpp"
#include "studies/lessons/step_texts.hpp"
#include "studies/sweep/sweep_points.hpp"
#include "suites/case_words.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {
namespace {

PlannedRun planned(const LessonRun& run) {
    if (names_manifest(run.what)) {
        throw UsageError(
            fmt::format("'{}' is a file; a lesson runs the program's own suites.", run.what));
    }
    PlannedRun plan{.pick = parse_pick(run.what), .type = {}, .constants = {}, .points = {}};
    if (!plan.pick.variant) throw UsageError(fmt::format("'{}' is no SUITE/VARIANT.", run.what));
    const Suite& suite = *plan.pick.suite;
    const Variant& variant = *plan.pick.variant;
    plan.type = type_for(plan.pick, run.type.empty() ? std::nullopt : std::optional(run.type));
    std::vector<Constant> defines;
    for (const std::string& define : run.defines) {
        defines.push_back(parse_define(define, {plan.pick}));
    }
    std::optional<Shape> shape;
    if (!run.size.empty()) shape = parse_shape(run.size);
    plan.constants = constants_of(suite, variant, defines);
    // Constants that follow from the size were not chosen.
    for (const ConstantSpec& spec : suite.constants) {
        if (!spec.follows) continue;
        std::erase_if(plan.constants, [&](const Constant& c) { return c.name == spec.name; });
    }
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

/// Whether a word, or what stands in it before a line or behind an option's '=', is a file here.
bool names_file(std::string_view word) {
    const auto is_file = [](std::string_view part) {
        std::error_code error;
        const auto kind = std::filesystem::status(part, error).type();
        return kind != std::filesystem::file_type::not_found &&
               kind != std::filesystem::file_type::directory;
    };
    const std::string_view value = word.substr(word.find('=') + 1);  // npos + 1 is 0
    return is_file(word) || is_file(value) || is_file(word.substr(0, word.rfind(':')));
}

/// Whether a command only prints, the same on every machine.
bool is_harmless(const std::vector<std::string>& words) {
    constexpr std::array<std::string_view, 4> known{"list", "map", "occupancy", "show"};
    if (std::ranges::find(known, words.front()) == known.end()) return false;
    return std::ranges::none_of(words, [](const std::string& word) {
        return names_manifest(word) || names_file(word) || word.starts_with("--kernels") ||
               word.starts_with("--allow") || word.starts_with("-o") || word.starts_with("--o") ||
               word.starts_with("-d") || word.starts_with("--device");
    });
}

WalkedStep walked_step(const std::string& name, const std::optional<PlannedRun>& plan,
                       const ResultStore& store) {
    WalkedStep step{.name = name};
    if (!plan) return step;
    step.type = name_of(plan->type);
    step.constants = plan->constants;
    for (const PlannedPoint& point : plan->points) {
        WalkedPoint& walked = step.points.emplace_back(WalkedPoint{.label = point.label});
        for (const Records& of_device : point.by_device(store)) {
            walked.records.push_back(*chosen(of_device, SelectionPolicy::best));
        }
    }
    return step;
}

}  // namespace

CaseKey PlannedPoint::key() const {
    CaseKey key = key_of(*the_case);
    // Ceilings choose size and constants themselves.
    if (the_case->suite->is_ceiling) {
        key.shape.clear();
        key.constants.clear();
    }
    return key;
}

std::vector<Records> PlannedPoint::by_device(const ResultStore& store) const {
    Records all = the_case ? store.of(key()) : Records{};
    std::vector<Records> devices;
    for (const Record* record : all) {
        auto known = std::ranges::find(
            devices, record->device,
            [](const Records& one) -> auto& { return one.front()->device; });
        if (known == devices.end()) known = devices.insert(known, Records{});
        known->push_back(record);
    }
    for (Records& records : devices) {
        const auto is_named = [&](const Record* record) {
            return std::ranges::find(named_sizes, record->key.shape) != named_sizes.end();
        };
        if (!std::ranges::all_of(records, is_named)) std::erase_if(records, is_named);
    }
    return devices;
}

PlannedLesson::PlannedLesson(const Lesson& lesson) {
    const auto planned_of = [](const std::string& what, const LessonRun& run) {
        try {
            return planned(run);
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("{}: {}", what, error.what()));
        }
    };
    for (const LessonStep& step : lesson.steps) {
        steps.emplace_back();
        if (step.kind == LessonStep::Kind::run) {
            steps.back() = planned_of(fmt::format("step '{}'", step.name), step.run);
        }
    }
    for (const Exercise& exercise : lesson.exercises) {
        exercises.emplace_back();
        if (exercise.run) {
            exercises.back() =
                planned_of(fmt::format("exercise '{}'", exercise.title), *exercise.run);
        }
    }
    for (auto* list : {&steps, &exercises}) {
        for (auto& run : *list) {
            if (!run) continue;
            for (PlannedPoint& point : run->points) note_named_sizes(point);
        }
    }
}

void PlannedLesson::note_named_sizes(PlannedPoint& point) const {
    if (!point.the_case || !point.the_case->shape.extents.empty()) return;
    for (const PlannedRun* run : runs()) {
        for (const PlannedPoint& other : run->points) {
            if (!other.the_case || other.the_case->shape.extents.empty()) continue;
            const CaseKey key = key_of(*other.the_case);
            if (is_case(key, point.key())) point.named_sizes.push_back(key.shape);
        }
    }
}

std::vector<const PlannedRun*> PlannedLesson::runs() const {
    std::vector<const PlannedRun*> all;
    for (const auto* list : {&steps, &exercises}) {
        for (const auto& run : *list) {
            if (run) all.push_back(&*run);
        }
    }
    return all;
}

std::vector<Case> PlannedLesson::cases() const {
    std::vector<Case> all;
    // A budget that ends leaves out the points of curves first, and exercises before steps.
    std::vector<const PlannedRun*> ordered = runs();
    const auto exercises_begin =
        ordered.begin() + std::ranges::count_if(steps, [](const auto& run) { return !!run; });
    std::stable_partition(ordered.begin(), exercises_begin,
                          [](const PlannedRun* run) { return run->points.size() == 1; });
    for (const PlannedRun* run : ordered) {
        if (run->pick.suite->is_ceiling) continue;
        for (const PlannedPoint& point : run->points) {
            if (!point.the_case) continue;
            const CaseKey key = key_of(*point.the_case);
            const bool known =
                std::ranges::any_of(all, [&](const Case& c) { return key_of(c) == key; });
            if (!known) all.push_back(*point.the_case);
        }
    }
    return all;
}

WalkedLesson walked_lesson(const Lesson& lesson, const PlannedLesson& plan,
                           const std::vector<Record>& records, const AddToStep& add) {
    WalkedLesson walked{.name = lesson.name, .steps = {}, .exercises = {}};
    ResultStore store;
    for (const Record& record : records) store.add(record);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        walked.steps.push_back(walked_step(lesson.steps[i].name, plan.steps[i], store));
        add(lesson.steps[i], walked.steps.back());
    }
    for (std::size_t i = 0; i < lesson.exercises.size(); ++i) {
        walked.exercises.push_back(
            walked_step(lesson.exercises[i].title, plan.exercises[i], store));
    }
    return walked;
}

std::string broken_text(const LessonStep& step, const std::string& file) {
    return edited_source(kernel_source(file, std::nullopt), step.edits, file);
}

void check_lesson(const Lesson& lesson) {
    try {
        const PlannedLesson plan(lesson);
        for (const LessonStep& step : lesson.steps) {
            if (step.kind == LessonStep::Kind::command) {
                if (!is_harmless(step.command)) {
                    throw UsageError(fmt::format(
                        "step '{}': a lesson can show what list, map, occupancy and show print; "
                        "they may name no file and no device, and measure nothing.",
                        step.name));
                }
            }
            if (step.kind != LessonStep::Kind::broken) continue;
            const Variant& variant = *plan.steps[step.breaks]->pick.variant;
            if (!variant.natives.empty()) {
                throw UsageError(fmt::format(
                    "step '{}' breaks a native variant, which has no common text.", step.name));
            }
            const std::string& file =
                portable_source(*plan.steps[step.breaks]->pick.suite, variant);
            const auto directives = directives_of(broken_text(step, file)).all;
            if (std::ranges::find(directives, "include", &DirectiveLine::name) !=
                directives.end()) {
                throw UsageError(fmt::format(
                    "step '{}' includes a file, which no kernel here does.", step.name));
            }
        }
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("Lesson {}: {}", lesson.name, error.what()));
    }
}

}  // namespace parallax

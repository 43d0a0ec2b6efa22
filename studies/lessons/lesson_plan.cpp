// Makes cases of the words of a lesson, and finds the records of each.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/preprocess/directives.hpp"
#include "studies/lessons/walk.hpp"
#include "studies/sweep/sweep_points.hpp"
#include "suites/case_words.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {
namespace {

void plan(const LessonRun& run, WalkedStep& step) {
    if (names_manifest(run.what)) {
        throw UsageError(
            fmt::format("'{}' is a file; a lesson runs the program's own suites.", run.what));
    }
    const CasePick pick = parse_pick(run.what);
    if (!pick.variant) throw UsageError(fmt::format("'{}' is no SUITE/VARIANT.", run.what));
    const Suite& suite = *pick.suite;
    const Variant& variant = *pick.variant;
    const ElementType type =
        type_for(pick, run.type.empty() ? std::nullopt : std::optional(run.type));
    std::vector<Constant> defines;
    for (const std::string& define : run.defines) {
        defines.push_back(parse_define(define, {pick}));
    }
    const Shape smallest = shapes_of(suite, variant).front();
    std::optional<Shape> shape;
    if (!run.size.empty()) shape = parse_shape(run.size);
    if (run.over.empty()) {
        Case c = make_case(suite, variant, shape.value_or(smallest), type, defines);
        if (!shape && !suite.is_ceiling) c.shape = {};
        step.points.push_back({"", c});
    } else {
        const SweepPoints sweep = sweep_points(
            {.pick = pick, .over = run.over, .defines = defines, .shape = shape, .type = type});
        for (const Point& point : sweep.points) {
            step.points.push_back({sweep.label(point), point.the_case});
        }
    }
    step.the_case = make_case(suite, variant, smallest, type, defines);
}

/// Whether a word names a file here, alone, before a line number or after an option's '='.
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
    constexpr std::array<std::string_view, 6> others{"--kernels", "--allow", "-o",
                                                     "--o",       "-d",      "--device"};
    if (std::ranges::find(known, words.front()) == known.end()) return false;
    return std::ranges::none_of(words, [&](const std::string& word) {
        return names_manifest(word) || names_file(word) ||
               std::ranges::any_of(others, [&](auto option) { return word.starts_with(option); });
    });
}

void note_named_sizes(WalkedLesson& lesson) {
    for (WalkedStep* step : lesson.all()) {
        for (WalkedPoint& point : step->points) {
            if (!point.the_case || !point.the_case->shape.extents.empty()) continue;
            for (const WalkedStep* other : lesson.all()) {
                for (const WalkedPoint& named : other->points) {
                    if (!named.the_case || named.the_case->shape.extents.empty()) continue;
                    const CaseKey key = key_of(*named.the_case);
                    if (is_case(key, point.key())) point.named_sizes.push_back(key.shape);
                }
            }
        }
    }
}

}  // namespace

CaseKey WalkedPoint::key() const {
    CaseKey key = key_of(*the_case);
    // Ceilings choose size and constants themselves.
    if (the_case->suite->is_ceiling) {
        key.shape.clear();
        key.constants.clear();
    }
    return key;
}

std::vector<Records> WalkedPoint::by_device(const ResultStore& store) const {
    std::vector<Records> devices;
    for (const Record* record : the_case ? store.of(key()) : Records{}) {
        auto known = std::ranges::find(
            devices, record->device,
            [](const Records& one) -> auto& { return one.front()->device; });
        if (known == devices.end()) known = devices.insert(known, Records{});
        known->push_back(record);
    }
    for (Records& of_device : devices) {
        const auto is_named = [&](const Record* record) {
            return std::ranges::find(named_sizes, record->key.shape) != named_sizes.end();
        };
        if (!std::ranges::all_of(of_device, is_named)) std::erase_if(of_device, is_named);
    }
    return devices;
}

std::vector<WalkedStep*> WalkedLesson::all() {
    std::vector<WalkedStep*> list;
    for (auto* part : {&steps, &exercises}) {
        for (WalkedStep& step : *part) list.push_back(&step);
    }
    return list;
}

std::vector<Case> WalkedLesson::cases() const {
    std::vector<Case> all;
    const auto add = [&](const std::vector<WalkedStep>& list, bool curves, bool others) {
        for (const WalkedStep& step : list) {
            if (!step.the_case || step.the_case->suite->is_ceiling) continue;
            if (!(step.points.size() == 1 ? others : curves)) continue;
            for (const WalkedPoint& point : step.points) {
                if (!point.the_case) continue;
                const CaseKey key = key_of(*point.the_case);
                const bool known =
                    std::ranges::any_of(all, [&](const Case& c) { return key_of(c) == key; });
                if (!known) all.push_back(*point.the_case);
            }
        }
    };
    // A budget that ends leaves out the points of curves first, and exercises before steps.
    add(steps, false, true);
    add(steps, true, false);
    add(exercises, true, true);
    return all;
}

bool WalkedLesson::take(const ResultStore& store) {
    // Cases whose variants share their shapes are shown at one size.
    std::map<const std::vector<Shape>*, std::vector<Records>> together;
    const auto shapes_for = [](const WalkedStep& step) {
        return &shapes_of(*step.the_case->suite, *step.the_case->variant);
    };
    const auto each_point = [&](const auto& visit) {
        for (WalkedStep* step : all()) {
            for (WalkedPoint& point : step->points) {
                visit(point, together[shapes_for(*step)], point.by_device(store));
            }
        }
    };
    each_point([](WalkedPoint&, std::vector<Records>& same_shapes, std::vector<Records> found) {
        std::ranges::move(found, std::back_inserter(same_shapes));
    });
    bool any = false;
    each_point([&](WalkedPoint& point, const std::vector<Records>& same_shapes,
                   const std::vector<Records>& found) {
        for (const Records& records : found) {
            CaseKey wanted = point.key();
            wanted.shape = common_size(same_shapes);
            point.records.push_back(*chosen(records, SelectionPolicy::best, wanted));
            any = true;
        }
    });
    return any;
}

bool Walk::any_cpu() const {
    return std::ranges::any_of(devices, [](const WalkDevice& d) { return !d.is_gpu; });
}

bool Walk::only_cpus() const {
    return std::ranges::none_of(devices, &WalkDevice::is_gpu);
}

WalkedLesson planned_lesson(const Lesson& lesson) {
    WalkedLesson planned{.name = lesson.name, .steps = {}, .exercises = {}};
    const auto add = [](std::vector<WalkedStep>& list, std::string_view kind,
                        const std::string& name, const LessonRun* run) {
        list.push_back({.name = name, .the_case = {}});
        try {
            if (run) plan(*run, list.back());
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("{} '{}': {}", kind, name, error.what()));
        }
    };
    for (const LessonStep& step : lesson.steps) {
        const bool runs = step.kind == LessonStep::Kind::run;
        add(planned.steps, "step", step.name, runs ? &step.run : nullptr);
    }
    for (const Exercise& one : lesson.exercises) {
        add(planned.exercises, "exercise", one.title, one.run ? &*one.run : nullptr);
    }
    note_named_sizes(planned);
    return planned;
}

std::string broken_text(const LessonStep& step, const std::string& file) {
    return edited_source(kernel_source(file, std::nullopt), step.edits, file);
}

void check_lesson(const Lesson& lesson) {
    try {
        const WalkedLesson plan = planned_lesson(lesson);
        for (const LessonStep& step : lesson.steps) {
            const auto refuse_if = [&](bool is_wrong, std::string_view why) {
                if (is_wrong) throw UsageError(fmt::format("step '{}'{}", step.name, why));
            };
            refuse_if(step.kind == LessonStep::Kind::command && !is_harmless(step.command),
                      ": a lesson can show what list, map, occupancy and show print; they may name "
                      "no file and no device, and measure nothing.");
            if (step.kind != LessonStep::Kind::broken) continue;
            const Case& c = *plan.steps[step.breaks].the_case;
            refuse_if(!c.variant->natives.empty(),
                      " breaks a native variant, which has no common text.");
            const std::string text = broken_text(step, portable_source(*c.suite, *c.variant));
            const auto directives = directives_of(text).all;
            refuse_if(
                std::ranges::find(directives, "include", &DirectiveLine::name) != directives.end(),
                " includes a file, which no kernel here does.");
        }
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("Lesson {}: {}", lesson.name, error.what()));
    }
}

}  // namespace parallax

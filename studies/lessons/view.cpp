// Puts a lesson and what a walk found together.
#include "studies/lessons/view.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
#include "studies/lessons/lesson_numbers.hpp"
#include "studies/published/published.hpp"

namespace parallax {
namespace {

std::vector<std::string> remarks_of(const std::vector<Figure>& figures) {
    GroupedMessages said;
    for (const Figure& figure : figures) {
        const Record& r = figure.record;
        if (!r.reason.empty()) said.add(printable(r.reason, 500), r.device);
        for (const std::string& note : remarks_of(r.notes, r.doubts))
            said.add(printable(note, 500), r.device);
    }
    return said.sentences();
}

/// `GROUP=32 4096x4096: 23.3 GFLOP/s`
std::string published_figure(const Published& p) {
    const std::string words = words_of(p.key), name = p.key.name();
    return words == name ? p.text : fmt::format("{}: {}", words.substr(name.size() + 1), p.text);
}

/// A sentence for each variant, device, kind of figure and document.
/// @param said  those that the lesson has shown already
std::vector<std::string> published_of(const std::vector<Figure>& figures,
                                      std::set<const Published*>& said) {
    std::vector<std::pair<const Published*, std::vector<std::string>>> groups;
    for (const Figure& figure : figures) {
        CaseKey key = figure.record.key;
        key.shape.clear();
        for (const Published* p : published_for(key)) {
            if (!said.insert(p).second) continue;
            auto group = std::ranges::find_if(groups, [&](const auto& one) {
                return one.first->key.variant == p->key.variant && one.first->device == p->device &&
                       one.first->figure == p->figure && one.first->document == p->document;
            });
            if (group == groups.end()) group = groups.insert(groups.end(), {p, {}});
            group->second.push_back(published_figure(*p));
        }
    }
    std::vector<std::string> sentences;
    for (const auto& [p, list] : groups) {
        sentences.push_back(
            fmt::format("{}{} {}, on {} ({}).", p->key.variant,
                        p->figure.empty() ? "" : ", " + p->figure, fmt::join(list, "; "),
                        p->device.empty() ? "a GPU that is not named" : p->device, p->document));
    }
    return sentences;
}

void show_run(const Lesson& lesson, std::size_t place, const WalkedLesson& walked, const Walk& walk,
              const KernelSource& kernel_source, std::set<const Published*>& said, StepView& view) {
    const LessonStep& step = lesson.steps[place];
    const WalkedStep& own = walked.steps[place];
    const LessonStep* before = step.against ? &lesson.steps[*step.against] : nullptr;
    const WalkedStep* other = before ? &walked.steps[*step.against] : nullptr;
    show_texts(step, *own.the_case, before, other ? &*other->the_case : nullptr, kernel_source,
               view);
    const std::vector<Figure> figures = figures_of(own, walk);
    const bool is_curve = own.points.size() > 1;
    const std::vector<Figure> against = other && other->points.size() == 1 && !is_curve
                                            ? figures_of(*other, walk)
                                            : std::vector<Figure>{};
    view.figures = is_curve ? curve_table(own, walk)
                            : one_point_table(figures, against, before ? before->name : "",
                                              shows_error(*own.the_case));
    if (step.predict.of) note_answers(step.predict, own, figures, against, walk, view);
    if (!is_curve && step.predict.of != Prediction::Quantity::ratio) {
        for (const Measured& ratio : ratios_of(figures)) {
            view.remarks.push_back(
                fmt::format("{}: {:.3f} times the time.", ratio.where, ratio.value));
        }
    }
    std::vector<std::string> missing;
    for (const WalkedPoint& point : own.points) {
        if (point.records.empty()) missing.push_back(point.label);
    }
    if (!missing.empty()) {
        view.remarks.push_back(
            is_curve ? fmt::format("There is no record of {}.", fmt::join(missing, ", "))
                     : "There is no record of it.");
    }
    std::ranges::move(remarks_of(figures), std::back_inserter(view.remarks));
    view.published = published_of(figures, said);
}

void show_broken(const WalkedStep& own, StepView& view) {
    if (own.broken.empty()) view.remarks.push_back("This walk did not try it.");
    for (const BrokenRun& run : own.broken) {
        const std::string said = printable(run.said, 600);
        if (run.status == "wrong") {
            view.remarks.push_back(fmt::format("{}: verification caught it. {}", run.device, said));
        } else if (run.said == passed_all_the_same) {
            view.remarks.push_back(
                fmt::format("{}: every answer was right this time. The order in which this device "
                            "runs the items hides the error.",
                            run.device));
        } else {
            view.remarks.push_back(fmt::format("{}: {}. {}", run.device, run.status, said));
        }
    }
}

/// The first of a text's lines. @param count  0: all
std::string first_lines(const std::string& text, std::size_t count) {
    std::size_t end = 0;
    for (std::size_t i = 0; count > 0 && i < count; ++i) {
        end = text.find('\n', end);
        if (end == std::string::npos || ++end == text.size()) return text;
    }
    return count == 0 ? text : text.substr(0, end) + "...\n";
}

/// What each suite says of its variants together, by device.
std::vector<std::string> conclusions(const WalkedLesson& walked, const Walk& walk) {
    using Key = std::pair<std::string, std::string>;  // suite and device
    std::vector<std::pair<Key, Seconds>> medians;
    for (const WalkedStep& step : walked.steps) {
        if (step.points.size() != 1) continue;
        for (const Figure& figure : figures_of(step, walk)) {
            const Record& r = figure.record;
            if (figure.ran()) {
                at_key(medians, Key{r.key.suite, r.device}).emplace(r.key.variant, r.seconds());
            }
        }
    }
    std::vector<std::string> sentences;
    for (const auto& [key, seconds] : medians) {
        const Suite& suite = suite_named(key.first);
        if (!suite.conclude) continue;
        const std::vector<std::string> said = suite.conclude(seconds);
        if (!said.empty()) {
            sentences.push_back(fmt::format("{}: {}", key.second, fmt::join(said, " ")));
        }
    }
    return sentences;
}

}  // namespace

LessonView view_of(const Lesson& lesson, const WalkedLesson& walked, const Walk& walk,
                   const KernelSource& kernel_source) {
    LessonView view{.is_from_cuda = false,
                    .name = lesson.name,
                    .title = lesson.title,
                    .description = lesson.description,
                    .introduction = lesson.introduction,
                    .on_cpu = walk.any_cpu() ? lesson.on_cpu : "",
                    .from = lesson.from,
                    .steps = {},
                    .exercises = {},
                    .together = conclusions(walked, walk)};
    std::set<const Published*> said;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        const WalkedStep& own = walked.steps[i];
        StepView& one = view.steps.emplace_back(StepView{.title = step.title, .idea = step.idea});
        one.ask = step.predict.ask;
        one.choices = step.predict.choices;
        one.then = step.then;
        if (!step.then_cpu.empty() && walk.any_cpu()) {
            one.then_cpu = step.then_cpu;
            if (walk.only_cpus()) one.then.clear();
        }
        if (!step.predict.of) {
            one.right = {step.predict.right};
            one.answers.push_back(fmt::format("Choice {} is right.", step.predict.right + 1));
        }
        if (step.kind == LessonStep::Kind::run) {
            show_run(lesson, i, walked, walk, kernel_source, said, one);
        } else if (step.kind == LessonStep::Kind::broken) {
            show_edits(step, lesson.steps[step.breaks].title, *walked.steps[step.breaks].the_case,
                       kernel_source, one);
            show_broken(own, one);
        } else {
            one.output = {fmt::format("parallax {}", fmt::join(step.command, " ")), "text",
                          first_lines(own.output, step.lines)};
            if (own.output.empty()) one.remarks.push_back("This walk did not run it.");
        }
    }
    for (std::size_t i = 0; i < lesson.exercises.size(); ++i) {
        const Exercise& exercise = lesson.exercises[i];
        ExerciseView& one = view.exercises.emplace_back(ExerciseView{.title = exercise.title,
                                                                     .task = exercise.task,
                                                                     .solution = exercise.solution,
                                                                     .hints = exercise.hints,
                                                                     .solved = {}});
        if (!exercise.run) continue;
        const WalkedStep& own = walked.exercises[i];
        show_whole(*own.the_case, kernel_source, one.solved);
        const std::vector<Figure> figures = figures_of(own, walk);
        if (!figures.empty()) one.solved.figures = one_point_table(figures, {}, "", false);
        one.solved.remarks = remarks_of(figures);
    }
    return view;
}

}  // namespace parallax

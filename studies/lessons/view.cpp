// Puts a lesson and what a walk found together.
#include "studies/lessons/view.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "studies/published/published.hpp"

namespace parallax {
namespace {

/// A record of a walk and the device that it is of.
struct Figure {
    const WalkDevice* device;
    const Record& record;

    bool ran() const { return record.timing.has_value(); }
    /// Whether it decides which choice of a prediction is right.
    bool decides() const { return ran() && record.timing->has_interval(); }
};

/// A result of the predicted quantity, and its origin.
struct Measured {
    std::string where;
    double value = 0, low = 0, high = 0;  ///< and what the intervals of its times allow
};

using Figures = std::vector<Figure>;
using Quantity = Prediction::Quantity;

/// `48.2 us ±0.2 %`: the median, and half of its interval; `48.2 us n=1`.
std::string time_of(const Figure& figure) {
    const Record& r = figure.record;
    if (!figure.ran()) return std::string(name_of(r.status));
    return duration(r.seconds()) + " " + r.timing->uncertainty_text();
}

/// The result of the same size on a device that ran; null: there is none.
const Figure* counterpart(const Figures& figures, const Figure& of) {
    const auto found = std::ranges::find(figures, of.device, &Figure::device);
    const bool fits =
        found != figures.end() && found->ran() && found->record.key.shape == of.record.key.shape;
    return fits ? &*found : nullptr;
}

/// The comparison with the step before: its time over this step's.
std::string against_cell(const Figure& figure, const Figures& against) {
    const Figure* other = counterpart(against, figure);
    if (!figure.ran() || !other) return "";
    const double speedup = other->record.seconds() / figure.record.seconds();
    return speedup >= 1 ? fmt::format("{:.2f}x as fast", speedup)
                        : fmt::format("{:.2f}x as long", 1 / speedup);
}

/// One time over another.
Measured quotient(std::string where, const Record& over, const Record& under) {
    return {std::move(where), over.seconds() / under.seconds(), over.low() / under.high(),
            over.high() / under.low()};
}

/// Slowest over fastest point on a device. Where a point between the first and the last was not
/// tried, it goes by the others; where one of these two was not, only the highest choice is
/// decided: it can only be more.
std::optional<Measured> spread_of(const WalkedStep& step, const WalkDevice& device,
                                  const Prediction& p) {
    const Record *least = nullptr, *most = nullptr;
    bool first = false, last = false;
    for (const WalkedPoint& point : step.points) {
        const auto record = std::ranges::find(point.records, device.id, &Record::device);
        const bool found = record != point.records.end();
        last = found && record->status != Status::skipped &&
               (!record->timing || record->timing->has_interval());
        first = first || (last && &point == &step.points.front());
        if (!last || !record->timing) continue;
        if (!least || record->seconds() < least->seconds()) least = &*record;
        if (!most || record->seconds() > most->seconds()) most = &*record;
    }
    if (!least) return {};
    const Measured spread = quotient(device.id, *most, *least);
    const bool is_highest = choice_of(p, spread.value) + 1 == p.choices.size();
    if (!(first && last) && !is_highest) return {};
    return spread;
}

/// CUDA's time divided by OpenCL's for each physical device that has both.
std::vector<Measured> ratios_of(const Figures& figures) {
    std::vector<Measured> found;
    for (const Figure& a : figures) {
        for (const Figure& b : figures) {
            const bool is_pair = a.device->backend == "cuda" && b.device->backend == "opencl" &&
                                 a.device->physical == b.device->physical;
            if (!is_pair || !a.decides() || !b.decides()) continue;
            found.push_back(quotient(fmt::format("{} over {}", a.device->id, b.device->id),
                                     a.record, b.record));
        }
    }
    return found;
}

/// One for each device that decides it, or for each two of a ratio.
std::vector<Measured> measured(const Prediction& p, const WalkedStep& step, const Figures& figures,
                               const Figures& against, const Walk& walk) {
    const Quantity of = *p.of;
    if (of == Quantity::ratio) return ratios_of(figures);
    std::vector<Measured> found;
    if (of == Quantity::spread) {
        for (const WalkDevice& device : walk.devices) {
            if (const auto spread = spread_of(step, device, p)) found.push_back(*spread);
        }
        return found;
    }
    for (const WalkDevice& device : walk.devices) {
        const auto figure = std::ranges::find(figures, &device, &Figure::device);
        if (figure == figures.end() || !figure->decides()) continue;
        const Record& r = figure->record;
        const double share = r.share.share;
        if (of == Quantity::share && share > 0) {
            found.push_back(
                {device.id, share, share * r.seconds() / r.high(), share * r.seconds() / r.low()});
        }
        const Figure* other = of == Quantity::share ? nullptr : counterpart(against, *figure);
        if (!other || !other->decides()) continue;
        found.push_back(of == Quantity::speedup ? quotient(device.id, other->record, r)
                                                : quotient(device.id, r, other->record));
    }
    return found;
}

std::string value_text(Quantity of, double value) {
    if (of == Quantity::share) return percent(value);
    if (of == Quantity::ratio) return fmt::format("{:.3f}", value);
    if (of == Quantity::speedup) return fmt::format("{:.2f} times as fast", value);
    if (of == Quantity::slowdown) return fmt::format("{:.2f} times as long", value);
    return fmt::format("{:.2f} times", value);
}

/// The results of all points of a step, on the devices of the walk.
Figures figures_of(const WalkedStep& step, const Walk& walk) {
    Figures figures;
    for (const WalkedPoint& point : step.points) {
        for (const Record& record : point.records) {
            const auto device = std::ranges::find(walk.devices, record.device, &WalkDevice::id);
            if (device != walk.devices.end()) figures.push_back({&*device, record});
        }
    }
    return figures;
}

/// One row per result.
/// @param against       results of the step that it is compared with; empty: none
/// @param against_name  that step's name
/// @param with_error  whether the case is about the size of errors
FigureTable one_point_table(const Figures& figures, const Figures& against,
                            const std::string& against_name, bool with_error) {
    const bool with_share =
        std::ranges::any_of(figures, [](const Figure& f) { return f.record.share.share > 0; });
    const bool compared = std::ranges::any_of(
        figures, [&](const Figure& f) { return !against_cell(f, against).empty(); });
    FigureTable table{.head = {"device", "size", "time", "rate"}, .rows = {}, .bars = {}};
    if (with_error) table.head.emplace_back("error");
    if (with_share) table.head.emplace_back("of the ceiling");
    if (compared) table.head.push_back("against " + against_name);
    for (const Figure& figure : figures) {
        const Record& r = figure.record;
        std::vector<std::string> cells{r.device, to_string(Shape{r.key.shape}), time_of(figure),
                                       r.rate_text()};
        if (with_error)
            cells.push_back(figure.ran() ? fmt::format("{:.2g} ULP", r.check->worst_ulp) : "");
        if (with_share) {
            const bool in_cache = r.timing && r.timing->in_cache;
            cells.push_back(r.share.share > 0 ? fmt::format("{} of {}{}", percent(r.share.share),
                                                            printable(r.share.of, 40),
                                                            beyond_text(r.share.share, in_cache))
                                              : "");
            table.bars.push_back(r.share.share);
        }
        if (compared) cells.push_back(against_cell(figure, against));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

/// One row per point, device after device; the longest time has the longest bar.
FigureTable curve_table(const WalkedStep& step, const Walk& walk) {
    FigureTable table{.head = {"device", "at", "time", "rate"}, .rows = {}, .bars = {}};
    for (const WalkDevice& device : walk.devices) {
        for (const WalkedPoint& point : step.points) {
            for (const Record& r : point.records) {
                if (r.device != device.id) continue;
                table.rows.push_back(
                    {device.id, point.label, time_of({&device, r}), r.rate_text()});
                table.bars.push_back(r.seconds());
            }
        }
    }
    const double longest = table.bars.empty() ? 0 : std::ranges::max(table.bars);
    for (double& bar : table.bars) bar = longest > 0 ? bar / longest : 0;
    return table;
}

/// Says which choices are right, and where; or that nothing decides it. A value whose interval
/// spans several choices makes none of them right.
/// @param p        that has a quantity (`Prediction::of`)
void note_answers(const Prediction& p, const WalkedStep& step, const Figures& figures,
                  const Figures& against, const Walk& walk, StepView& view) {
    bool scatters = false;
    for (const Measured& m : measured(p, step, figures, against, walk)) {
        const auto text = [&](double value) { return value_text(*p.of, value); };
        const std::size_t choice = choice_of(p, m.value);
        if (!m.where.starts_with(p.api)) {
            view.answers.push_back(
                fmt::format("On {}, which was not asked about: {}.", m.where, text(m.value)));
        } else if (choice_of(p, m.low) != choice_of(p, m.high)) {
            // A prediction is not graded when the interval contains a bound.
            view.answers.push_back(
                fmt::format("On {}: {}, but the times scatter: it may be {} to {}, which decides "
                            "no choice.",
                            m.where, text(m.value), text(m.low), text(m.high)));
            scatters = true;
        } else {
            view.right.insert(choice);
            view.answers.push_back(
                fmt::format("On {}: {}. That is choice {}.", m.where, text(m.value), choice + 1));
        }
    }
    if (!view.right.empty() || scatters) return;
    view.answers.push_back(
        p.of == Quantity::ratio
            ? "Nothing decides it here: it takes OpenCL and CUDA on one device."
            : "Nothing decides it here: the figures that it takes were not measured, or only once "
              "(n=1).");
}

std::vector<std::string> remarks_of(const Figures& figures) {
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

/// One sentence per variant, device, quantity and document.
/// @param said  sentences that the lesson has shown already
std::vector<std::string> published_of(const Figures& figures, std::set<const Published*>& said) {
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
    const Figures figures = figures_of(own, walk);
    const bool is_curve = own.points.size() > 1;
    const Figures against =
        other && other->points.size() == 1 && !is_curve ? figures_of(*other, walk) : Figures{};
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
    if (own.broken.empty()) view.remarks.push_back("It was not tried in this run of the lesson.");
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

/// The conclusions of each suite from all its variants, by device.
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
            if (own.output.empty()) one.remarks.push_back("This run of the lesson left it out.");
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
        const Figures figures = figures_of(own, walk);
        if (!figures.empty()) one.solved.figures = one_point_table(figures, {}, "", false);
        one.solved.remarks = remarks_of(figures);
    }
    return view;
}

}  // namespace parallax

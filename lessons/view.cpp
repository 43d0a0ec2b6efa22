// Puts a lesson and what a walk found together.
#include "lessons/view.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text.hpp"
#include "diff/stored.hpp"
#include "lessons/step_texts.hpp"
#include "report/words.hpp"
#include "suites/published.hpp"

namespace parallax {
namespace {

using Quantity = Prediction::Quantity;

/// A record and the device that it is of.
struct Figure {
    const WalkDevice* device = nullptr;
    StoredRecord record;

    bool ran() const { return record.median > 0; }
};

std::vector<Figure> figures_of(const WalkedPoint& point, const Walk& walk) {
    std::vector<Figure> figures;
    for (const Json& json : point.records) {
        StoredRecord record = stored_record(json);
        const auto device = std::ranges::find(walk.devices, record.device, &WalkDevice::id);
        if (device != walk.devices.end()) figures.push_back({&*device, std::move(record)});
    }
    return figures;
}

std::vector<Figure> figures_of(const WalkedStep* step, const Walk& walk) {
    std::vector<Figure> all;
    for (const WalkedPoint& point : step ? step->points : std::vector<WalkedPoint>{}) {
        std::ranges::move(figures_of(point, walk), std::back_inserter(all));
    }
    return all;
}

const Figure* of_device(const std::vector<Figure>& figures, const WalkDevice* device) {
    const auto found = std::ranges::find(figures, device, &Figure::device);
    return found == figures.end() || !found->ran() ? nullptr : &*found;
}

std::string rate_of(const StoredRecord& r) {
    const bool by_operations = r.share_of == "fma" || (r.share_of.empty() && !r.work.moves_much());
    const double work = by_operations ? r.work.operations : r.work.bytes;
    if (work <= 0 || r.median <= 0) return "";
    const std::string_view unit =
        !by_operations ? "B" : (r.key.type == "float" || r.key.type == "double" ? "FLOP" : "OP");
    return rate(work / r.median, unit);
}

std::string shape_of(const StoredRecord& r) {
    return fmt::format("{}", fmt::join(r.key.shape, "x"));
}

/// How the step is compared with the one before: time of that over its own.
std::string against_cell(const Figure& figure, const std::vector<Figure>& against) {
    const Figure* other = of_device(against, figure.device);
    if (!figure.ran() || !other) return "";
    if (other->record.key.shape != figure.record.key.shape) return "";
    const double speedup = other->record.median / figure.record.median;
    return speedup >= 1 ? fmt::format("{:.2f}x as fast", speedup)
                        : fmt::format("{:.2f}x as long", 1 / speedup);
}

/// @param with_error  whether the size of errors is what the case is about
FigureTable one_point_table(const std::vector<Figure>& figures, const std::vector<Figure>& against,
                            const std::string& against_name, bool with_error) {
    const bool with_share =
        std::ranges::any_of(figures, [](const Figure& f) { return f.record.share > 0; });
    const bool compared = std::ranges::any_of(
        figures, [&](const Figure& f) { return !against_cell(f, against).empty(); });
    FigureTable table{.head = {"device", "size", "time", "rate"}, .rows = {}, .bars = {}};
    if (with_error) table.head.emplace_back("error");
    if (with_share) table.head.emplace_back("of the ceiling");
    if (compared) table.head.push_back("against " + against_name);
    for (const Figure& figure : figures) {
        const StoredRecord& r = figure.record;
        const std::string time = figure.ran() ? duration(r.median) : std::string(name_of(r.status));
        std::vector<std::string> cells{r.device, shape_of(r), time, rate_of(r)};
        if (with_error) cells.push_back(figure.ran() ? fmt::format("{:.2g} ULP", r.worst_ulp) : "");
        if (with_share) {
            cells.push_back(
                r.share > 0 ? fmt::format("{} of {}", report::percent(r.share), r.share_of) : "");
            table.bars.push_back(r.share);
        }
        if (compared) cells.push_back(against_cell(figure, against));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

/// A row a point, for each device in turn: what is longest has the longest bar.
FigureTable curve_table(const WalkedStep& step, const Walk& walk) {
    FigureTable table{.head = {"device", "at", "time", "rate"}, .rows = {}, .bars = {}};
    double longest = 0;
    for (const WalkDevice& device : walk.devices) {
        for (const WalkedPoint& point : step.points) {
            for (const Figure& figure : figures_of(point, walk)) {
                if (figure.device->id != device.id) continue;
                const StoredRecord& r = figure.record;
                table.rows.push_back(
                    {device.id, point.label,
                     figure.ran() ? duration(r.median) : std::string(name_of(r.status)),
                     rate_of(r)});
                table.bars.push_back(r.median);
                longest = std::max(longest, r.median);
            }
        }
    }
    for (double& bar : table.bars) bar = longest > 0 ? bar / longest : 0;
    return table;
}

/// A figure of the prediction's quantity, and where it is from.
struct Measured {
    std::string where;
    double value = 0;
};

void add_ratios(const std::vector<Figure>& figures, std::vector<Measured>& found) {
    for (const Figure& a : figures) {
        for (const Figure& b : figures) {
            if (a.device->backend != "opencl" || b.device->backend != "cuda") continue;
            if (a.device->physical != b.device->physical || !a.ran() || !b.ran()) continue;
            found.push_back({fmt::format("{} over {}", a.device->id, b.device->id),
                             a.record.median / b.record.median});
        }
    }
}

/// Slowest over fastest point on a device. Where a point between the first and the last was not
/// tried, it goes by the others; where one of these two was not, only the highest choice is
/// decided: it can only be more.
std::optional<double> spread_of(const WalkedStep& step, const WalkDevice& device, const Walk& walk,
                                const Prediction& p) {
    double least = 0, most = 0;
    bool first = false, last = false;
    for (const WalkedPoint& point : step.points) {
        const std::vector<Figure> figures = figures_of(point, walk);
        const auto figure = std::ranges::find(figures, &device, &Figure::device);
        last = figure != figures.end() && figure->record.status != Status::skipped;
        first = first || (last && &point == &step.points.front());
        if (!last || !figure->ran()) continue;
        least = least > 0 ? std::min(least, figure->record.median) : figure->record.median;
        most = std::max(most, figure->record.median);
    }
    if (least <= 0) return {};
    const bool is_highest = choice_of(p, most / least) + 1 == p.choices.size();
    if (!(first && last) && !is_highest) return {};
    return most / least;
}

std::vector<Measured> measured(const Prediction& p, const WalkedStep& step,
                               const std::vector<Figure>& figures,
                               const std::vector<Figure>& against, const Walk& walk) {
    const Quantity of = *p.of;
    std::vector<Measured> found;
    if (of == Quantity::ratio) {
        add_ratios(figures, found);
        return found;
    }
    for (const WalkDevice& device : walk.devices) {
        if (of == Quantity::spread) {
            if (const auto spread = spread_of(step, device, walk, p)) {
                found.push_back({device.id, *spread});
            }
            continue;
        }
        const Figure* figure = of_device(figures, &device);
        if (!figure) continue;
        if (of == Quantity::share) {
            if (figure->record.share > 0) found.push_back({device.id, figure->record.share});
            continue;
        }
        const Figure* other = of_device(against, &device);
        if (!other || other->record.key.shape != figure->record.key.shape) continue;
        const double speedup = other->record.median / figure->record.median;
        found.push_back({device.id, of == Quantity::speedup ? speedup : 1 / speedup});
    }
    return found;
}

std::string value_text(Quantity of, double value) {
    if (of == Quantity::share) return report::percent(value);
    if (of == Quantity::ratio) return fmt::format("{:.3f}", value);
    if (of == Quantity::speedup) return fmt::format("{:.2f} times as fast", value);
    if (of == Quantity::slowdown) return fmt::format("{:.2f} times as long", value);
    return fmt::format("{:.2f} times", value);
}

void note_answers(const Prediction& p, const std::vector<Measured>& found, StepView& view) {
    for (const Measured& m : found) {
        const std::size_t choice = choice_of(p, m.value);
        view.right.insert(choice);
        view.answers.push_back(fmt::format("On {}: {}. That is choice {}.", m.where,
                                           value_text(*p.of, m.value), choice + 1));
    }
    if (!found.empty()) return;
    view.answers.push_back(
        p.of == Quantity::ratio
            ? "Nothing decides it here: it takes OpenCL and CUDA on one device."
            : "Nothing decides it here: the figures that it takes were not measured.");
}

/// What is said of several devices or points is said once.
class Said {
public:
    void add(const std::string& who, const std::string& what) {
        auto found = std::ranges::find(all_, what, [](const auto& one) { return one.first; });
        if (found == all_.end()) found = all_.insert(all_.end(), {what, {}});
        if (std::ranges::find(found->second, who) == found->second.end()) {
            found->second.push_back(who);
        }
    }
    std::vector<std::string> sentences() const {
        std::vector<std::string> list;
        for (const auto& [what, who] : all_) {
            list.push_back(fmt::format("{}: {}", fmt::join(who, ", "), what));
        }
        return list;
    }

private:
    std::vector<std::pair<std::string, std::vector<std::string>>> all_;
};

std::vector<std::string> remarks_of(const std::vector<Figure>& figures) {
    Said said;
    for (const Figure& figure : figures) {
        const StoredRecord& r = figure.record;
        if (!r.reason.empty()) said.add(r.device, printable(r.reason, 500));
        for (const std::string& note : r.notes) said.add(r.device, printable(note, 500));
    }
    return said.sentences();
}

/// `GROUP=32 4096x4096: 23.3 GFLOP/s`
std::string published_figure(const Published& p) {
    std::vector<std::string> words;
    for (const Constant& c : p.constants) words.push_back(fmt::format("{}={}", c.name, c.value));
    if (!p.shape.empty()) words.push_back(fmt::format("{}", fmt::join(p.shape, "x")));
    const std::string what = fmt::format("{}", fmt::join(words, " "));
    return what.empty() ? text_of(p) : fmt::format("{}: {}", what, text_of(p));
}

/// A sentence for each variant, device, kind of figure and document.
/// @param said  those that the lesson has shown already
std::vector<std::string> published_of(const std::vector<Figure>& figures,
                                      std::set<const Published*>& said) {
    std::vector<std::pair<const Published*, std::vector<std::string>>> groups;
    for (const Figure& figure : figures) {
        std::vector<Constant> constants;
        for (const auto& [name, value] : figure.record.constants) {
            constants.push_back({name, value});
        }
        const CaseKey& key = figure.record.key;
        for (const Published* p : published_for(key.suite, key.variant, constants)) {
            if (!said.insert(p).second) continue;
            auto group = std::ranges::find_if(groups, [&](const auto& one) {
                return one.first->variant == p->variant && one.first->device == p->device &&
                       one.first->figure == p->figure && one.first->document == p->document;
            });
            if (group == groups.end()) group = groups.insert(groups.end(), {p, {}});
            group->second.push_back(published_figure(*p));
        }
    }
    std::vector<std::string> sentences;
    for (const auto& [p, list] : groups) {
        sentences.push_back(fmt::format(
            "{}{} {}, on {} ({}).", p->variant, p->figure.empty() ? "" : ", " + p->figure,
            fmt::join(list, "; "), p->device.empty() ? "a GPU that is not named" : p->device,
            reference_of(*p->document)));
    }
    return sentences;
}

void show_run(const Lesson& lesson, const LessonStep& step, const WalkedLesson& walked,
              const Walk& walk, const KernelText& kernel_text, std::set<const Published*>& said,
              StepView& view) {
    const WalkedStep* own = walked.step(step.name);
    const LessonStep* before = step.against ? &lesson.steps[*step.against] : nullptr;
    const WalkedStep* other = before ? walked.step(before->name) : nullptr;
    show_texts(step, own, before, other, kernel_text, view);
    if (!own) {
        view.remarks.push_back("This walk has no figures of the step.");
        return;
    }
    const std::vector<Figure> figures = figures_of(own, walk);
    const bool is_curve = own->points.size() > 1;
    const std::vector<Figure> against = other && other->points.size() == 1 && !is_curve
                                            ? figures_of(other, walk)
                                            : std::vector<Figure>{};
    view.figures = is_curve ? curve_table(*own, walk)
                            : one_point_table(figures, against, before ? before->name : "",
                                              shows_error(case_for(step.run, own)));
    if (step.predict.of) {
        note_answers(step.predict, measured(step.predict, *own, figures, against, walk), view);
    }
    std::vector<Measured> ratios;
    if (!is_curve && step.predict.of != Quantity::ratio) add_ratios(figures, ratios);
    for (const Measured& ratio : ratios) {
        view.remarks.push_back(fmt::format("{}: {:.3f} times the time.", ratio.where, ratio.value));
    }
    std::vector<std::string> missing;
    for (const WalkedPoint& point : own->points) {
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

void show_broken(const LessonStep& step, const Lesson& lesson, const WalkedLesson& walked,
                 const KernelText& kernel_text, StepView& view) {
    show_replacements(step, lesson.steps[step.breaks], walked.step(lesson.steps[step.breaks].name),
                      kernel_text, view);
    const WalkedStep* own = walked.step(step.name);
    if (!own) {
        view.remarks.push_back("This walk did not try it.");
        return;
    }
    for (const BrokenRun& run : own->broken) {
        const std::string said = printable(run.said, 600);
        if (run.status == "wrong") {
            view.remarks.push_back(fmt::format("{}: the gate caught it. {}", run.device, said));
        } else if (run.status == "ok") {
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
std::vector<std::string> conclusions(const Lesson& lesson, const WalkedLesson& walked,
                                     const Walk& walk) {
    std::map<std::pair<std::string, std::string>, Seconds> medians;  // of suite and device
    std::vector<std::pair<std::string, std::string>> order;
    for (const LessonStep& step : lesson.steps) {
        const WalkedStep* own = walked.step(step.name);
        if (!own || own->points.size() != 1) continue;
        for (const Figure& figure : figures_of(own, walk)) {
            if (!figure.ran()) continue;
            const std::pair key{figure.record.key.suite, figure.record.device};
            if (!medians.contains(key)) order.push_back(key);
            medians[key].emplace(figure.record.key.variant, figure.record.median);
        }
    }
    std::vector<std::string> sentences;
    for (const auto& key : order) {
        const Suite& suite = suite_named(key.first);
        if (!suite.conclude) continue;
        const std::vector<std::string> said = suite.conclude(medians[key]);
        if (!said.empty()) {
            sentences.push_back(fmt::format("{}: {}", key.second, fmt::join(said, " ")));
        }
    }
    return sentences;
}

}  // namespace

LessonView view_of(const Lesson& lesson, const WalkedLesson& walked, const Walk& walk,
                   const KernelText& kernel_text) {
    LessonView view{.name = lesson.name,
                    .title = lesson.title,
                    .teaches = lesson.teaches,
                    .introduction = lesson.introduction,
                    .on_cpu = walk.any_cpu() ? lesson.on_cpu : "",
                    .from = lesson.from,
                    .steps = {},
                    .exercises = {},
                    .together = conclusions(lesson, walked, walk)};
    std::set<const Published*> said;
    for (const LessonStep& step : lesson.steps) {
        StepView one{.title = step.title, .idea = step.idea};
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
        switch (step.kind) {
            case LessonStep::Kind::run:
                show_run(lesson, step, walked, walk, kernel_text, said, one);
                break;
            case LessonStep::Kind::broken:
                show_broken(step, lesson, walked, kernel_text, one);
                break;
            case LessonStep::Kind::command: {
                const WalkedStep* own = walked.step(step.name);
                one.output = {fmt::format("parallax {}", fmt::join(step.command, " ")), "text",
                              first_lines(own ? own->output : "", step.lines)};
                break;
            }
        }
        view.steps.push_back(std::move(one));
    }
    for (const Exercise& exercise : lesson.exercises) {
        ExerciseView one{.title = exercise.title,
                         .task = exercise.task,
                         .solution = exercise.solution,
                         .hints = exercise.hints,
                         .texts = {},
                         .cuda_texts = {},
                         .figures = {},
                         .remarks = {}};
        if (exercise.run) {
            const WalkedStep* own = walked.exercise(exercise.title);
            WholeTexts whole = whole_texts(case_for(*exercise.run, own), kernel_text);
            one.texts = std::move(whole.texts);
            one.cuda_texts = std::move(whole.cuda_texts);
            const std::vector<Figure> figures = figures_of(own, walk);
            if (!figures.empty()) one.figures = one_point_table(figures, {}, "", false);
            one.remarks = remarks_of(figures);
        }
        view.exercises.push_back(std::move(one));
    }
    return view;
}

std::vector<std::string> devices_of(const Walk& walk) {
    std::vector<std::string> lines;
    for (const WalkDevice& device : walk.devices) {
        lines.push_back(fmt::format("{}  {}{}", device.id, printable(device.name, 200),
                                    device.is_gpu ? "" : " (a CPU)"));
    }
    return lines;
}

}  // namespace parallax

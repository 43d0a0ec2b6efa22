// Works out what the figures of a walk say to a prediction.
#include "studies/lessons/predictions.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "common/text/text.hpp"

namespace parallax {
namespace {

using Quantity = Prediction::Quantity;

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
        last = figure != figures.end() && figure->record.status != Status::skipped &&
               (figure->decides() || !figure->ran());
        first = first || (last && &point == &step.points.front());
        if (!last || !figure->ran()) continue;
        least = least > 0 ? std::min(least, figure->record.seconds()) : figure->record.seconds();
        most = std::max(most, figure->record.seconds());
    }
    if (least <= 0) return {};
    const bool is_highest = choice_of(p, most / least) + 1 == p.choices.size();
    if (!(first && last) && !is_highest) return {};
    return most / least;
}

std::string value_text(Quantity of, double value) {
    if (of == Quantity::share) return percent(value);
    if (of == Quantity::ratio) return fmt::format("{:.3f}", value);
    if (of == Quantity::speedup) return fmt::format("{:.2f} times as fast", value);
    if (of == Quantity::slowdown) return fmt::format("{:.2f} times as long", value);
    return fmt::format("{:.2f} times", value);
}

}  // namespace

void add_ratios(const std::vector<Figure>& figures, std::vector<Measured>& found) {
    for (const Figure& a : figures) {
        for (const Figure& b : figures) {
            if (a.device->backend != "cuda" || b.device->backend != "opencl") continue;
            if (a.device->physical != b.device->physical || !a.decides() || !b.decides()) {
                continue;
            }
            found.push_back({fmt::format("{} over {}", a.device->id, b.device->id),
                             a.record.seconds() / b.record.seconds()});
        }
    }
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
        if (!figure || !figure->decides()) continue;
        if (of == Quantity::share) {
            const double share = figure->record.share.share;
            if (share > 0) found.push_back({device.id, share});
            continue;
        }
        const Figure* other = of_device(against, &device);
        if (!other || !other->decides() || other->record.key.shape != figure->record.key.shape)
            continue;
        const double speedup = other->record.seconds() / figure->record.seconds();
        const Estimate& mine = figure->record.timing->estimate;
        const Estimate& others = other->record.timing->estimate;
        const double low = others.low / mine.high, high = others.high / mine.low;
        found.push_back(of == Quantity::speedup
                            ? Measured{device.id, speedup, Interval{low, high}}
                            : Measured{device.id, 1 / speedup, Interval{1 / high, 1 / low}});
    }
    return found;
}

void note_answers(const Prediction& p, const std::vector<Measured>& found, StepView& view) {
    for (const Measured& m : found) {
        if (!m.where.starts_with(p.api)) {
            view.answers.push_back(fmt::format("On {}, which was not asked about: {}.", m.where,
                                               value_text(*p.of, m.value)));
            continue;
        }
        const std::size_t choice = choice_of(p, m.value);
        view.right.insert(choice);
        std::string answer = fmt::format("On {}: {}. That is choice {}", m.where,
                                         value_text(*p.of, m.value), choice + 1);
        const auto [low, high] = m.between.value_or(Interval{m.value, m.value});
        if (choice_of(p, low) != choice_of(p, high)) {
            // A choice that the measurement allows is not wrong.
            view.right.insert({choice_of(p, low), choice_of(p, high)});
            answer += fmt::format(", but the times scatter: it may be {} to {}",
                                  value_text(*p.of, low), value_text(*p.of, high));
        }
        view.answers.push_back(answer + ".");
    }
    if (!view.right.empty()) return;
    view.answers.push_back(
        p.of == Quantity::ratio
            ? "Nothing decides it here: it takes OpenCL and CUDA on one device."
            : "Nothing decides it here: the figures that it takes were not measured, or only once "
              "(n=1).");
}

}  // namespace parallax

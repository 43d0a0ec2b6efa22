// Works out what the figures of a walk say to a prediction.
#include "studies/lessons/predictions.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "common/text/text.hpp"

namespace parallax {
namespace {

using Quantity = Prediction::Quantity;

const Estimate& estimate_of(const Figure& figure) {
    return figure.record.timing->estimate;
}

/// One time over another.
Measured quotient(std::string where, const Estimate& over, const Estimate& under) {
    return {std::move(where),
            over.median / under.median,
            {over.low / under.high, over.high / under.low}};
}

/// Slowest over fastest point on a device. Where a point between the first and the last was not
/// tried, it goes by the others; where one of these two was not, only the highest choice is
/// decided: it can only be more.
std::optional<Measured> spread_of(const WalkedStep& step, const WalkDevice& device,
                                  const Walk& walk, const Prediction& p) {
    std::optional<Estimate> least, most;
    bool first = false, last = false;
    for (const WalkedPoint& point : step.points) {
        const std::vector<Figure> figures = figures_of(point, walk);
        const auto figure = std::ranges::find(figures, &device, &Figure::device);
        last = figure != figures.end() && figure->record.status != Status::skipped &&
               (figure->decides() || !figure->ran());
        first = first || (last && &point == &step.points.front());
        if (!last || !figure->ran()) continue;
        const Estimate& time = figure->record.timing->estimate;
        if (!least || time.median < least->median) least = time;
        if (!most || time.median > most->median) most = time;
    }
    if (!least) return {};
    const Measured spread = quotient(device.id, *most, *least);
    const bool is_highest = choice_of(p, spread.value) + 1 == p.choices.size();
    if (!(first && last) && !is_highest) return {};
    return spread;
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
            found.push_back(quotient(fmt::format("{} over {}", a.device->id, b.device->id),
                                     estimate_of(a), estimate_of(b)));
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
                found.push_back(*spread);
            }
            continue;
        }
        const Figure* figure = of_device(figures, &device);
        if (!figure || !figure->decides()) continue;
        if (of == Quantity::share) {
            const double share = figure->record.share.share;
            const Estimate& time = estimate_of(*figure);
            if (share > 0) {
                found.push_back(
                    {device.id,
                     share,
                     {share * time.median / time.high, share * time.median / time.low}});
            }
            continue;
        }
        const Figure* other = of_device(against, &device);
        if (!other || !other->decides() || other->record.key.shape != figure->record.key.shape)
            continue;
        found.push_back(of == Quantity::speedup
                            ? quotient(device.id, estimate_of(*other), estimate_of(*figure))
                            : quotient(device.id, estimate_of(*figure), estimate_of(*other)));
    }
    return found;
}

void note_answers(const Prediction& p, const std::vector<Measured>& found, StepView& view) {
    bool scatters = false;
    for (const Measured& m : found) {
        if (!m.where.starts_with(p.api)) {
            view.answers.push_back(fmt::format("On {}, which was not asked about: {}.", m.where,
                                               value_text(*p.of, m.value)));
            continue;
        }
        const std::string value = value_text(*p.of, m.value);
        // An interval that holds a bound grades nobody.
        if (choice_of(p, m.between.low) != choice_of(p, m.between.high)) {
            view.answers.push_back(
                fmt::format("On {}: {}, but the times scatter: it may be {} to {}, which decides "
                            "no choice.",
                            m.where, value, value_text(*p.of, m.between.low),
                            value_text(*p.of, m.between.high)));
            scatters = true;
            continue;
        }
        const std::size_t choice = choice_of(p, m.value);
        view.right.insert(choice);
        view.answers.push_back(
            fmt::format("On {}: {}. That is choice {}.", m.where, value, choice + 1));
    }
    if (!view.right.empty() || scatters) return;
    view.answers.push_back(
        p.of == Quantity::ratio
            ? "Nothing decides it here: it takes OpenCL and CUDA on one device."
            : "Nothing decides it here: the figures that it takes were not measured, or only once "
              "(n=1).");
}

}  // namespace parallax

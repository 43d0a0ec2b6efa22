// Makes figures of the records of a walk, tables of figures, and answers to predictions.
#include "studies/lessons/lesson_numbers.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"

namespace parallax {
namespace {

using Figures = std::vector<Figure>;
using Quantity = Prediction::Quantity;

/// `48.2 us ±0.2 %`: the median, and half of its interval; `48.2 us n=1`.
std::string time_of(const Figure& figure) {
    const Record& r = figure.record;
    if (!figure.ran()) return std::string(name_of(r.status));
    return duration(r.seconds()) + " " + r.timing->uncertainty_text();
}

/// The figure of a device that ran, of the same size; null: there is none.
const Figure* counterpart(const Figures& figures, const Figure& of) {
    const auto found = std::ranges::find(figures, of.device, &Figure::device);
    const bool fits =
        found != figures.end() && found->ran() && found->record.key.shape == of.record.key.shape;
    return fits ? &*found : nullptr;
}

/// How the step is compared with the one before: time of that over its own.
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

}  // namespace

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
            cells.push_back(r.share.share > 0 ? fmt::format("{} of {}", percent(r.share.share),
                                                            printable(r.share.of, 40))
                                              : "");
            table.bars.push_back(r.share.share);
        }
        if (compared) cells.push_back(against_cell(figure, against));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

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
            // An interval that holds a bound grades nobody.
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

}  // namespace parallax

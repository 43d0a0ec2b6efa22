// Makes figures of the records of a walk, and tables of figures.
#include "studies/lessons/lesson_numbers.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"

namespace parallax {
namespace {

/// `48.2 us ±0.2 %`: the median, and half of its interval; `48.2 us n=1`.
std::string time_of(const Figure& figure) {
    const Record& r = figure.record;
    if (!figure.ran()) return std::string(name_of(r.status));
    return duration(r.seconds()) + " " + r.timing->uncertainty_text();
}

std::string shape_of(const Record& r) {
    return fmt::format("{}", fmt::join(r.key.shape, "x"));
}

/// How the step is compared with the one before: time of that over its own.
std::string against_cell(const Figure& figure, const std::vector<Figure>& against) {
    const Figure* other = of_device(against, figure.device);
    if (!figure.ran() || !other) return "";
    if (other->record.key.shape != figure.record.key.shape) return "";
    const double speedup = other->record.seconds() / figure.record.seconds();
    return speedup >= 1 ? fmt::format("{:.2f}x as fast", speedup)
                        : fmt::format("{:.2f}x as long", 1 / speedup);
}

}  // namespace

std::vector<Figure> figures_of(const WalkedPoint& point, const Walk& walk) {
    std::vector<Figure> figures;
    for (const Record& record : point.records) {
        const auto device = std::ranges::find(walk.devices, record.device, &WalkDevice::id);
        if (device != walk.devices.end()) figures.push_back({&*device, record});
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

FigureTable one_point_table(const std::vector<Figure>& figures, const std::vector<Figure>& against,
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
        std::vector<std::string> cells{r.device, shape_of(r), time_of(figure), r.rate_text()};
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
    double longest = 0;
    for (const WalkDevice& device : walk.devices) {
        for (const WalkedPoint& point : step.points) {
            for (const Figure& figure : figures_of(point, walk)) {
                if (figure.device->id != device.id) continue;
                const Record& r = figure.record;
                table.rows.push_back({device.id, point.label, time_of(figure), r.rate_text()});
                table.bars.push_back(r.seconds());
                longest = std::max(longest, r.seconds());
            }
        }
    }
    for (double& bar : table.bars) bar = longest > 0 ? bar / longest : 0;
    return table;
}

}  // namespace parallax

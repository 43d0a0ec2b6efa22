// Takes the numbers of charts from a diff and from a sweep.
#include "report/page/charts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/rate_unit.hpp"
#include "common/text.hpp"
#include "report/diff/cases.hpp"
#include "report/words.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t least_values = 3;
constexpr double giga = 1e9, tera = 1e12, many_giga = 1e13;

ChartUnit unit_for(std::string_view what, double largest) {
    if (what == "B" || largest < many_giga) return {fmt::format("G{}/s", what), giga};
    return {fmt::format("T{}/s", what), tera};
}

std::string_view unit_of(const CaseDiff& c, bool operations) {
    return rate_unit(operations, element_type_named(c.type).value_or(ElementType::i32));
}

/// `2^20`, `65536`: large values in few letters.
std::string short_value(std::int64_t value) {
    const bool is_power = value >= 4096 && (value & (value - 1)) == 0;
    if (!is_power) return std::to_string(value);
    return fmt::format("2^{}", static_cast<int>(std::lround(std::log2(value))));
}

/// What of a case is swept, and what holds still.
struct Swept {
    std::string name;
    std::int64_t value = 0;
    std::string shape;               ///< with `*` for what is swept; empty where all of it is
    std::vector<std::string> fixed;  ///< constants that hold still, `TILE=32`
};

std::vector<Swept> swept_of(const CaseDiff& c) {
    const std::string shape = fmt::format("{}", fmt::join(c.shape, " x "));
    const auto fixed = [&](const std::string* without) {
        std::vector<std::string> words;
        for (const auto& [name, value] : c.constants) {
            if (&name != without) words.push_back(fmt::format("{}={}", printable(name), value));
        }
        return words;
    };
    std::vector<Swept> swept;
    for (const auto& [name, value] : c.constants) {
        swept.push_back({printable(name), value, shape, fixed(&name)});
    }
    for (std::size_t i = 0; i < c.shape.size(); ++i) {
        std::vector<std::string> words;
        for (std::size_t k = 0; k < c.shape.size(); ++k) {
            words.push_back(k == i ? "*" : std::to_string(c.shape[k]));
        }
        const bool only = c.shape.size() == 1;
        swept.push_back({only ? "size" : fmt::format("extent {}", i + 1),
                         static_cast<std::int64_t>(c.shape[i]),
                         only ? "" : fmt::format("{}", fmt::join(words, " x ")), fixed(nullptr)});
    }
    const bool is_square = c.shape.size() > 1 && std::ranges::all_of(c.shape, [&](auto size) {
                               return size == c.shape.front();
                           });
    if (is_square) {
        swept.push_back({"size", static_cast<std::int64_t>(c.shape.front()), "", fixed(nullptr)});
    }
    return swept;
}

struct Group {
    std::string suite, variant, type;
    Swept what;
    bool operations = false;
    std::map<std::int64_t, const CaseDiff*> cases;
};

double rate_of(const Side& side, bool operations) {
    return operations ? side.operations_per_second() : side.bytes_per_second();
}

std::vector<Group> groups_of(const Diff& diff) {
    std::vector<Group> groups;
    std::map<std::vector<std::string>, std::size_t> places;
    for (const CaseDiff& c : diff.cases) {
        const bool operations = counts_operations(c);
        if (!(rate_of(c.a, operations) > 0) && !(rate_of(c.b, operations) > 0)) continue;
        for (Swept& swept : swept_of(c)) {
            std::vector<std::string> key{c.suite,    c.variant,   c.type,
                                         swept.name, swept.shape, operations ? "operations" : ""};
            key.insert(key.end(), swept.fixed.begin(), swept.fixed.end());
            const auto [place, is_new] = places.try_emplace(std::move(key), groups.size());
            const std::int64_t value = swept.value;
            if (is_new) {
                groups.push_back({c.suite, c.variant, c.type, std::move(swept), operations, {}});
            }
            groups[place->second].cases.try_emplace(value, &c);
        }
    }
    std::erase_if(groups, [](const Group& group) { return group.cases.size() < least_values; });
    return groups;
}

/// Constants that have one value in all cases that have them: `TILE=32`.
std::set<std::string> shared_constants(const Diff& diff) {
    std::map<std::string, std::set<std::int64_t>> values;
    for (const CaseDiff& c : diff.cases) {
        for (const auto& [name, value] : c.constants) values[name].insert(value);
    }
    std::set<std::string> shared;
    for (const auto& [name, all] : values) {
        if (all.size() == 1) shared.insert(fmt::format("{}={}", printable(name), *all.begin()));
    }
    return shared;
}

Curve curve_of_group(const Group& group, const std::set<std::string>& shared) {
    std::vector<std::string> note{printable(group.type), group.what.shape};
    for (const std::string& word : group.what.fixed) {
        if (!shared.contains(word)) note.push_back(word);
    }
    std::erase(note, "");
    double largest = 0;
    for (const auto& [value, c] : group.cases) {
        largest =
            std::max({largest, rate_of(c->a, group.operations), rate_of(c->b, group.operations)});
    }
    const ChartUnit unit =
        unit_for(unit_of(*group.cases.begin()->second, group.operations), largest);
    Curve curve{.title = fmt::format("{}/{} over {}", printable(group.suite),
                                     printable(group.variant), group.what.name),
                .note = fmt::format("{}", fmt::join(note, ", ")),
                .name = group.what.name,
                .unit = unit.name,
                .lines = {{"A"}, {"B"}}};
    for (const auto& [value, c] : group.cases) {
        curve.values.push_back(static_cast<double>(value));
        curve.labels.push_back(short_value(value));
        for (const bool is_b : {false, true}) {
            const double rate = rate_of(is_b ? c->b : c->a, group.operations);
            if (!(rate > 0)) continue;
            curve.lines[is_b].points.push_back(
                {static_cast<double>(value), rate / unit.size,
                 fmt::format("{}: {}", is_b ? "B" : "A", speed_text(rate, group.operations, *c))});
        }
    }
    return curve;
}

bool on_roofline(const Side& side) {
    return side.seconds > 0 && side.bytes > 0 && side.operations > 0 &&
           side.copy_bytes_per_second > 0 && side.fma_operations_per_second > 0;
}

}  // namespace

std::vector<Curve> curves_of(const Diff& diff) {
    const std::set<std::string> shared = shared_constants(diff);
    std::vector<Curve> curves;
    for (const Group& group : groups_of(diff)) curves.push_back(curve_of_group(group, shared));
    return curves;
}

Curve curve_of(const cli::SweepResult& result) {
    const cli::SweepPoints& points = result.points;
    double largest = 0;
    for (const cli::SweepDevice& device : result.devices) {
        for (const cli::SweepCell& cell : device.cells) {
            largest = std::max(largest, result.figure(cell));
        }
    }
    const ChartUnit unit = result.by_time
                               ? ChartUnit{"runs/s", 1}
                               : unit_for(rate_unit(result.by_operations, points.type), largest);
    Curve curve{.title = result.title() + ": a line for each device", .unit = unit.name};
    if (points.axes.empty()) return curve;
    curve.name = points.axes[0].name;
    for (const std::int64_t value : points.axes[0].values) {
        curve.values.push_back(static_cast<double>(value));
        curve.labels.push_back(short_value(value));
    }
    const bool has_second = points.axes.size() > 1;
    const std::vector<std::int64_t> others =
        has_second ? points.axes[1].values : std::vector<std::int64_t>{0};
    for (const cli::SweepDevice& device : result.devices) {
        for (const std::int64_t other : others) {
            CurveLine line{printable(device.id)};
            if (has_second) {
                line.label +=
                    fmt::format(", {}={}", points.axes[1].name, points.axes[1].label(other));
            }
            for (std::size_t i = 0; i < device.cells.size(); ++i) {
                const cli::Point& point = points.points[i];
                const cli::SweepCell& cell = device.cells[i];
                if (!cell.ran() || (has_second && point.values[1] != other)) continue;
                line.points.push_back(
                    {static_cast<double>(point.values[0]), result.figure(cell) / unit.size,
                     fmt::format("{}: {}", line.label, result.figure_text(cell))});
            }
            curve.lines.push_back(std::move(line));
        }
    }
    return curve;
}

Roofline roofline_of(const Diff& diff) {
    double largest = 0;
    std::set<std::string> units;
    for (const CaseDiff& c : diff.cases) {
        for (const Side* side : {&c.a, &c.b}) {
            if (!on_roofline(*side)) continue;
            largest =
                std::max({largest, side->operations_per_second(), side->fma_operations_per_second});
            units.emplace(unit_of(c, true));
        }
    }
    std::vector<std::string> names;
    double size = giga;
    for (const std::string& unit : units) {
        const ChartUnit chart = unit_for(unit, largest);
        names.push_back(chart.name);
        size = chart.size;
    }
    Roofline chart{.unit = fmt::format("{}", fmt::join(names, " or "))};
    std::map<std::pair<bool, std::string>, std::size_t> places;
    std::vector<std::pair<double, double>> ceilings;  // of each roof, copy and fma
    std::vector<const CaseDiff*> first;
    for (std::size_t i = 0; i < diff.cases.size(); ++i) {
        const CaseDiff& c = diff.cases[i];
        for (const bool is_b : {false, true}) {
            const Side& side = is_b ? c.b : c.a;
            if (!on_roofline(side)) continue;
            const auto [place, is_new] = places.try_emplace({is_b, c.type}, chart.roofs.size());
            const std::size_t roof = place->second;
            if (is_new) {
                chart.roofs.push_back({.is_b = is_b});
                ceilings.emplace_back();
                first.push_back(&c);
            }
            ceilings[roof].first = std::max(ceilings[roof].first, side.copy_bytes_per_second);
            ceilings[roof].second = std::max(ceilings[roof].second, side.fma_operations_per_second);
            std::string says = fmt::format("{}: {}: {}, {}", is_b ? "B" : "A", title_of(c),
                                           speed_text(side.operations_per_second(), true, c),
                                           speed_text(side.bytes_per_second(), false, c));
            if (side.share > 0) {
                says += fmt::format(", {} of {}", percent(side.share), printable(side.share_of));
            }
            chart.points.push_back({i, is_b, side.operations / side.bytes,
                                    side.operations_per_second() / size, roof, std::move(says)});
        }
    }
    for (std::size_t i = 0; i < chart.roofs.size(); ++i) {
        const auto [copy, fma] = ceilings[i];
        chart.roofs[i].slope = copy / size;
        chart.roofs[i].top = fma / size;
        chart.roofs[i].says = fmt::format(
            "{} {}: copy {}, fma {}", chart.roofs[i].is_b ? "B" : "A", printable(first[i]->type),
            speed_text(copy, false, *first[i]), speed_text(fma, true, *first[i]));
    }
    return chart;
}

Rates rates_of(const Diff& diff) {
    Rates rates;
    for (std::size_t i = 0; i < diff.cases.size(); ++i) {
        const CaseDiff& c = diff.cases[i];
        const auto moves_only = [](const Side& side) {
            return side.bytes_per_second() > 0 && !(side.operations > 0) &&
                   side.copy_bytes_per_second > 0;
        };
        if (!moves_only(c.a) && !moves_only(c.b)) continue;
        const auto says = [&](const char* name, const Side& side) {
            return fmt::format("{}: {}", name, speed_text(side.bytes_per_second(), false, c));
        };
        rates.bars.push_back({i, c.a.bytes_per_second() / giga, c.b.bytes_per_second() / giga,
                              says("A", c.a), says("B", c.b)});
        rates.ceiling_a = std::max(rates.ceiling_a, c.a.copy_bytes_per_second / giga);
        rates.ceiling_b = std::max(rates.ceiling_b, c.b.copy_bytes_per_second / giga);
    }
    std::vector<std::string> ceilings;
    if (rates.ceiling_a > 0) ceilings.push_back("A " + rate(rates.ceiling_a * giga, "B"));
    if (rates.ceiling_b > 0) ceilings.push_back("B " + rate(rates.ceiling_b * giga, "B"));
    rates.note = fmt::format(
        "Cases of the table that only move data. The lines are the sides' measured copy ceilings: "
        "{}.",
        fmt::join(ceilings, ", "));
    return rates;
}

}  // namespace parallax::report

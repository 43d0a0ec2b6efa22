// Tables and curves of the occupancy calculator, and its predictions for kernels.
#include "report/occupancy/occupancy_report.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/text/curve.hpp"
#include "common/text/grouped_messages.hpp"
#include "common/text/text.hpp"
#include "report/json_text.hpp"
#include "report/sweep/sweep_json.hpp"

namespace parallax {
namespace {

Occupancy occupancy_of_use(const UnitLimits& limits, const KernelUse& use) {
    return occupancy_of(limits, use.registers, use.local_bytes, use.items);
}

struct OccupancyLimit {
    std::string name, takes;
    std::uint64_t groups = 0;
    bool binds = false;
};

std::vector<OccupancyLimit> limits_on(const UnitLimits& l, const KernelUse& use) {
    const GroupNeeds n = needs_of(l, use.registers, use.local_bytes, use.items);
    std::vector<OccupancyLimit> list{
        {"warps", fmt::format("{} of {}", n.warps, l.warps), n.by_warps},
        {"registers", fmt::format("{} of {}", n.registers, l.registers), n.by_registers},
        {"local memory", fmt::format("{} of {} bytes", n.local_bytes, l.local_bytes),
         n.by_local_memory},
        {"groups", fmt::format("1 of {}", l.groups), n.by_groups}};
    const std::uint64_t least = std::ranges::min(list, {}, &OccupancyLimit::groups).groups;
    for (OccupancyLimit& limit : list) limit.binds = limit.groups == least;
    return list;
}

struct OccupancyCurve {
    std::string name, unit;
    std::vector<std::pair<std::uint64_t, Occupancy>> points;
};

/// `values` and the value that is asked for, which is shown among them.
OccupancyCurve curve_over(std::string name, std::string unit, std::vector<std::uint64_t> values,
                          std::uint64_t now, const std::function<Occupancy(std::uint64_t)>& at) {
    values.push_back(now);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    OccupancyCurve curve{std::move(name), std::move(unit), {}};
    for (const std::uint64_t value : values) curve.points.emplace_back(value, at(value));
    return curve;
}

std::vector<std::uint64_t> steps(std::uint64_t first, std::uint64_t last, std::uint64_t step) {
    std::vector<std::uint64_t> values;
    for (std::uint64_t value = first; value <= last; value += step) values.push_back(value);
    return values;
}

std::vector<OccupancyCurve> curves_of(const UnitLimits& l, const KernelUse& use) {
    const auto with = [&](auto KernelUse::*member) {
        return [&l, use, member](std::uint64_t value) {
            KernelUse changed = use;
            changed.*member =
                static_cast<std::remove_reference_t<decltype(changed.*member)>>(value);
            return occupancy_of_use(l, changed);
        };
    };
    return {curve_over("items of a group", "", steps(64, l.group_items, 64), use.items,
                       with(&KernelUse::items)),
            curve_over("registers of a work-item", "",
                       steps(8, std::min<std::uint64_t>(l.item_registers, 128), 8), use.registers,
                       with(&KernelUse::registers)),
            curve_over(
                "local memory of a group", " bytes",
                steps(0, l.group_local_bytes, std::max(512U, l.group_local_bytes / 16 / 512 * 512)),
                use.local_bytes, with(&KernelUse::local_bytes))};
}

std::uint64_t value_on(std::size_t curve, const KernelUse& use) {
    return std::array<std::uint64_t, 3>{use.items, use.registers, use.local_bytes}.at(curve);
}

}  // namespace

std::string calculator_text(const UnitLimits& l, const KernelUse& use) {
    using enum Table::Align;
    const Occupancy o = occupancy_of_use(l, use);
    std::string out = fmt::format(
        "compute capability {}: groups of {} work-items, {} registers each, {} bytes of local "
        "memory a group\n\n",
        l.compute_capability, use.items, use.registers, use.local_bytes);
    Table table({left, right});
    table.add({"active work-items", std::to_string(std::min<std::uint64_t>(
                                        std::uint64_t{o.groups} * use.items, l.items()))});
    table.add({"active warps", fmt::format("{} of {}", o.warps, o.most_warps)});
    table.add({"active groups", std::to_string(o.groups)});
    table.add({"occupancy", fmt::format("{:.0f} %", 100 * o.share())});
    out += table.text(2) + "\n";
    Table limits({left, right, right, left});
    limits.add({"limit", "a group takes", "groups it allows", ""});
    for (const OccupancyLimit& limit : limits_on(l, use)) {
        limits.add({limit.name, limit.takes,
                    limit.groups == UINT64_MAX ? "any" : std::to_string(limit.groups),
                    limit.binds ? "<- limits" : ""});
    }
    out += limits.text(2);
    if (o.groups == 0) {
        out +=
            fmt::format("\n  Such a group does not run at all: its {} are more than there are.\n",
                        o.limited_by);
    }
    return out;
}

std::string calculator_curves(const UnitLimits& l, const KernelUse& use, unsigned width) {
    std::string out;
    const std::vector<OccupancyCurve> curves = curves_of(l, use);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        out += fmt::format("\n  active warps over {}\n", curves[i].name);
        std::vector<Bar> bars;
        for (const auto& [value, o] : curves[i].points) {
            bars.push_back({.label = fmt::format("{:>6}{}", value, curves[i].unit),
                            .value = o.share(),
                            .text = fmt::format("{} ({:.0f} %){}", o.warps, 100 * o.share(),
                                                value == value_on(i, use) ? " <- here" : "")});
        }
        out += bars_text(bars, 1, width, 2);
    }
    return out;
}

std::string calculator_json(const UnitLimits& l, const KernelUse& use) {
    const Occupancy o = occupancy_of_use(l, use);
    Json limits = Json::array();
    for (const OccupancyLimit& limit : limits_on(l, use)) {
        limits.push_back({{"name", limit.name},
                          {"groups", limit.groups == UINT64_MAX ? Json("any") : Json(limit.groups)},
                          {"binds", limit.binds}});
    }
    Json curves = Json::array();
    for (const OccupancyCurve& curve : curves_of(l, use)) {
        Json points = Json::array();
        for (const auto& [value, at] : curve.points) {
            points.push_back({{"value", value}, {"warps", at.warps}, {"share", at.share()}});
        }
        curves.push_back({{"over", curve.name}, {"points", points}});
    }
    return report::printed({{"compute_capability", l.compute_capability},
                            {"items", use.items},
                            {"registers", use.registers},
                            {"local_bytes", use.local_bytes},
                            {"groups", o.groups},
                            {"warps", o.warps},
                            {"most_warps", o.most_warps},
                            {"occupancy", o.share()},
                            {"limits", limits},
                            {"curves", curves}});
}

std::string predictions_text(const BuiltCase& made) {
    using enum Table::Align;
    std::string out = fmt::format(
        "  {}{}\n", printable(made.where),
        made.capability.empty() ? "" : fmt::format(", compute capability {}", made.capability));
    const auto indented = [](const std::string& text) {
        return "    " + wrapped(printable(text), 92, 4, 4) + "\n";
    };
    if (!made.outcome.reason.empty()) return out + indented(made.outcome.reason);
    const auto count = [](const std::optional<std::uint32_t>& value) {
        return value ? std::to_string(*value) : "-";
    };
    Table table({left, right, right, right, left, left, left});
    table.add({"kernel", "items", "registers", "local bytes", "predicted, of a unit", "limited by",
               "the API says"});
    std::vector<std::string> remarks;
    for (const OccupancyPrediction& p : predictions_of(made)) {
        table.add({p.kernel, std::to_string(p.items), count(p.registers), count(p.local_bytes),
                   p.prediction_text(), p.predicted ? p.predicted->limited_by : "-", p.api_text()});
        if (!p.why_not.empty()) add_once(remarks, p.why_not);
    }
    out += table.text(4);
    for (const std::string& remark : remarks) out += indented(remark);
    return out;
}

std::string predictions_json(const Case& c, const std::vector<BuiltCase>& all) {
    Json list = Json::array();
    for (const BuiltCase& made : all) {
        Json kernels = Json::array();
        for (const OccupancyPrediction& p : predictions_of(made)) kernels.push_back(to_json(p));
        Json& one = list.emplace_back(Json{{"where", made.where},
                                           {"compute_capability", made.capability},
                                           {"kernels", std::move(kernels)}});
        if (!made.outcome.reason.empty()) one["problem"] = made.outcome.reason;
    }
    return report::printed({{"case", c.title()}, {"on", std::move(list)}});
}

}  // namespace parallax

// Tables and curves of the occupancy calculator, and its predictions for kernels.
#include "report/occupancy/occupancy_report.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "report/json_text.hpp"
#include "report/sweep/sweep_report.hpp"

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

report::Document calculator_document(const UnitLimits& l, const KernelUse& use) {
    using namespace report;
    const Occupancy o = occupancy_of_use(l, use);
    const std::uint64_t items = std::min<std::uint64_t>(o.groups * use.items, l.items());
    Grid facts{.title = {}, .columns = {"", {"", "", true}}};
    facts.rows = {{.cells = {"active work-items", std::to_string(items)}},
                  {.cells = {"active warps", fmt::format("{} of {}", o.warps, o.most_warps)}},
                  {.cells = {"active groups", std::to_string(o.groups)}},
                  {.cells = {"occupancy", fmt::format("{:.0f} %", 100 * o.share())}}};
    Grid limits{
        .title = {},
        .columns = {"limit", {"a group takes", "", true}, {"groups it allows", "", true}, ""}};
    for (const OccupancyLimit& limit : limits_on(l, use)) {
        limits.rows.push_back(
            {.cells = {limit.name, limit.takes,
                       limit.groups == UINT64_MAX ? "any" : std::to_string(limit.groups),
                       limit.binds ? "<- limits" : ""}});
    }
    if (o.groups == 0) {
        limits.below = fmt::format(
            "Such a group does not run at all: its {} are more than there are.", o.limited_by);
    }
    Section all{
        .title = fmt::format("compute capability {}: groups of {} work-items, {} registers "
                             "each, {} bytes of local memory a group",
                             l.compute_capability, use.items, use.registers, use.local_bytes),
        .blocks = {std::move(facts), Section{.title = {}, .blocks = {std::move(limits)}}}};
    const std::vector<OccupancyCurve> curves = curves_of(l, use);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        Grid bars{.title = "active warps over " + curves[i].name,
                  .columns = {{"", "", true}, "", ""},
                  .is_picture = true};
        bars.columns[1].scale = Scale{.low = 0, .high = 1};
        for (const auto& [value, at] : curves[i].points) {
            bars.rows.push_back(
                {.cells = {fmt::format("{}{}", value, curves[i].unit),
                           {"", {}, {}, Range{at.share(), at.share(), at.share()}},
                           fmt::format("{} ({:.0f} %){}", at.warps, 100 * at.share(),
                                       value == value_on(i, use) ? " <- here" : "")}});
        }
        all.blocks.emplace_back(Section{.title = {}, .blocks = {std::move(bars)}});
    }
    return {.title = {}, .blocks = {std::move(all)}};
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

report::Section predictions_section(const BuiltCase& made) {
    using namespace report;
    Section section{.title = printable(made.where)};
    if (!made.capability.empty()) section.title += ", compute capability " + made.capability;
    if (!made.outcome.reason.empty()) {
        section.blocks.emplace_back(Paragraph{printable(made.outcome.reason)});
        return section;
    }
    const auto count = [](const std::optional<std::uint32_t>& value) {
        return value ? std::to_string(*value) : "-";
    };
    Grid grid{.title = {},
              .columns = {"kernel",
                          {"items", "", true},
                          {"registers", "", true},
                          {"local bytes", "", true},
                          "predicted, of a unit",
                          "limited by",
                          "the API says"},
              .is_compared = true};
    List remarks;
    for (const OccupancyPrediction& p : predictions_of(made)) {
        grid.rows.push_back({.cells = {p.kernel, std::to_string(p.items), count(p.registers),
                                       count(p.local_bytes), p.prediction_text(),
                                       p.predicted ? p.predicted->limited_by : "-", p.api_text()}});
        if (!p.why_not.empty()) add_once(remarks.items, printable(p.why_not));
    }
    section.blocks = {std::move(grid), std::move(remarks)};
    return section;
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

// How the speeds of a fleet spread, case by case, and OpenCL's against CUDA's.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "common/suite/rate_unit.hpp"
#include "common/text/text.hpp"
#include "report/fleet/fleet_parts.hpp"
#include "report/wording.hpp"

namespace parallax {
namespace {

using namespace report;

std::string quantile_text(double logarithm, bool is_ratio) {
    return is_ratio ? decimal(std::exp(logarithm)) : deviation_text(logarithm);
}

/// The quantiles that fit next to the name of a case; programs get all.
constexpr std::array<std::size_t, 5> shown_quantiles{0, 1, 3, 5, 6};

std::string fleet_rate_text(const FleetCase& one, double seconds) {
    const double done = one.by_operations ? one.work.operations : one.work.bytes;
    if (!(done > 0)) return duration(seconds);
    const ElementType type = element_type_named(one.key.type).value_or(ElementType::f32);
    return rate(done / seconds, rate_unit(one.by_operations, type));
}

/// `transpose/padded float 4096x4096`, of a title that ends in the backend.
std::string without_backend(const std::string& title) {
    return title.substr(0, title.find(" (opencl)"));
}

}  // namespace

void add_quantiles(GridRow& row, const FleetQuantiles& values, bool is_ratio, bool with_median) {
    for (const std::size_t i : shown_quantiles) {
        if (i == 3 && !with_median) continue;
        row.cells.emplace_back(quantile_text(values[i], is_ratio), values[i]);
    }
}

std::vector<Column> with_quantiles(std::vector<Column> columns, bool with_median) {
    for (const std::size_t i : shown_quantiles) {
        if (i == 3 && !with_median) continue;
        const double share = fleet_quantile_shares[i];
        columns.emplace_back(i == 0   ? "least"
                             : i == 3 ? "median"
                             : i == 6 ? "most"
                                      : fmt::format("{:.0f} %", 100 * share),
                             "", true);
    }
    return columns;
}

Section spreads_section(const FleetView& view) {
    Section section{"Spread of each case"};
    Grid grid{"", with_quantiles({"case", {"devices", "", true}, {"median", "", true}}, false)};
    std::size_t alone = 0;
    for (const FleetSpread& one : view.report.spreads) {
        if (one.devices < 2) {
            ++alone;
            continue;
        }
        GridRow row{.cells = {with_peers(title_of(view.fleet, one.the_case), view.fleet, one.peers),
                              Cell(std::to_string(one.devices), static_cast<double>(one.devices)),
                              fleet_rate_text(view.fleet.cases[one.the_case], one.median_seconds)},
                    .note = {}};
        add_quantiles(row, one.speeds, false, false);
        grid.rows.push_back(std::move(row));
    }
    if (!grid.rows.empty()) {
        section.say(
            "Speeds of devices against their median: quantiles of each one's median over its "
            "runs.");
    }
    if (alone > 0) {
        section.say(fmt::format("{} measured on one device alone, and not shown here.",
                                count_text(alone, "case was", "cases were")));
    }
    if (section.empty()) section.say("No case was measured.");
    section.blocks.emplace_back(std::move(grid));
    return section;
}

Section ratios_section(const FleetView& view) {
    Section section{"OpenCL against CUDA"};
    Grid grid{"", with_quantiles({"case", {"devices", "", true}}, true)};
    grid.columns.emplace_back("largest on");
    for (const FleetRatio& one : view.report.ratios) {
        GridRow row{.cells = {with_peers(without_backend(title_of(view.fleet, one.the_case)),
                                         view.fleet, one.peers),
                              Cell(std::to_string(one.devices), static_cast<double>(one.devices))}};
        add_quantiles(row, one.ratios, true, true);
        row.cells.emplace_back(place_of(view.fleet, one.most));
        grid.rows.push_back(std::move(row));
    }
    if (grid.rows.empty()) return section;
    section.say(
        "CUDA's time divided by OpenCL's of the same case on the same device: above 1, CUDA is "
        "slower.");
    section.blocks.emplace_back(std::move(grid));
    return section;
}

}  // namespace parallax

// The report of a fleet: the same sections as text, Markdown and a page, and for programs.
#pragma once

#include <string>

#include "report/document.hpp"
#include "report/report.hpp"
#include "studies/fleet/fleet_verdicts.hpp"

namespace parallax {

/// The input of all formats.
struct FleetView {
    const FleetRecords& fleet;
    const FleetReport& report;
};

/// The numbers of devices, nodes and records, and the recommended steps.
report::Sentences fleet_headline(const FleetView&);

inline constexpr std::string_view map_section_title = "Map of nodes and slots";

/// Errors, missing devices, other users, outliers, differences, changes, spreads, what was read: in
/// this order, with a sentence for an empty section.
/// @param most_rows  of a grid; a sentence gives the number of further ones
std::vector<report::Section> fleet_sections(const FleetView&, std::size_t most_rows);

/// A device or a gap on the map of nodes by slots.
struct FleetMapCell {
    std::optional<std::uint32_t> device;  ///< nothing: one that was expected
    std::string state;                    ///< `wrong`, `failed`, `missing`, `busy`; empty: none
    bool is_outlier = false;              ///< it or its node
    std::array<std::optional<double>, fleet_classes.size()> deviations;  ///< by class
    /// The farthest of them from its peers.
    std::optional<double> farthest() const;
};
struct FleetMapRow {
    std::string host;
    std::vector<std::vector<FleetMapCell>> slots;  ///< parts of one card share a slot
};
/// All nodes, in their natural order.
std::vector<FleetMapRow> fleet_map(const FleetView&);

report::Document fleet_document(const FleetView&);
/// docs/reference/reports.md lists its members.
std::string fleet_json(const FleetView&);
/// A suite for each model, a test for each device.
std::string fleet_junit(const FleetView&);
/// One page that opens offline.
std::string fleet_page(const FleetView&);

/// `-3.1 %`: of a logarithm.
std::string deviation_text(double logarithm);
/// `others used up to 43 % of it in 12 of 40 records`
std::string busy_text(const FleetDevice&);

}  // namespace parallax

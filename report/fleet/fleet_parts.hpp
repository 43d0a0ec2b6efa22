// The parts of a fleet's report, and the words that they share.
#pragma once

#include <string_view>

#include "report/fleet/fleet_report.hpp"

namespace parallax {

/// Nodes that are named of a list.
inline constexpr std::size_t most_named = 8;

/// `1 line ends`, `2 lines end`
std::string count_text(std::size_t, std::string_view one, std::string_view several);
/// A name out of a record, without what steers a terminal, at most 120 characters.
std::string shown_name(const std::string&);
std::string place_of(const FleetRecords&, std::uint32_t device);
/// `UUID 4823...`, or what stands for it.
std::string identity_of(const FleetRecords&, std::uint32_t device);
std::string title_of(const FleetRecords&, std::uint32_t the_case);
std::string peers_title(const FleetRecords&, std::uint32_t peers);
/// `others used up to 43 % of it in 12 of 40 records`
std::string busy_text(const FleetDevice&);
/// The title, with the peers where there are several.
std::string with_peers(std::string title, const FleetRecords&, std::uint32_t peers);

/// A row for each device and case.
report::Grid troubles_grid(const std::string& title, const std::vector<FleetTrouble>&,
                           const FleetRecords&);
/// The outliers among the figures, the slowest first.
report::Grid figures_grid(const FleetView&, const std::string& title, bool is_node,
                          const std::vector<FleetFigure>&);
/// Appends those columns of quantiles that fit next to the name of a case.
/// @param with_median  the column in the middle is there: of spreads it would be 0
std::vector<report::Column> with_quantiles(std::vector<report::Column>, bool with_median);
/// Their cells. @param is_ratio  else they are deviations
void add_quantiles(report::GridRow&, const FleetQuantiles&, bool is_ratio, bool with_median);

report::Section wrong_section(const FleetView&);
report::Section missing_section(const FleetView&);
/// Empty where others used no device.
report::Section busy_section(const FleetView&);
report::Section outliers_section(const FleetView&);
report::Section differences_section(const FleetView&);
/// Empty without a baseline.
report::Section changes_section(const FleetView&);
/// The map as far as there is something to see.
report::Section map_section(const FleetView&);
report::Section spreads_section(const FleetView&);
/// Empty where no case ran through both APIs.
report::Section ratios_section(const FleetView&);

}  // namespace parallax

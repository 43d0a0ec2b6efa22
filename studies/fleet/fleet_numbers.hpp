// Figures of devices and nodes, as judging one fleet and comparing two make them.
#pragma once

#include "studies/fleet/fleet_verdicts.hpp"

namespace parallax {

/// A logarithm for each device, peers and case; more is faster.
using FleetValues = std::map<std::array<std::uint32_t, 3>, double>;

/// The median over runs of each device that is not busy.
FleetValues speeds_of(const FleetRecords&);

/// Devices and values of each pair of peers and case.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, double>>>
by_peers_and_case(const FleetValues&);

/// A figure for each device and class: the median over its cases of how far it is from the median
/// of its peers. Cases of fewer than `least_peers` devices are left out.
std::vector<FleetFigure> device_figures(const FleetRecords&, const FleetValues&);

/// A figure for each node and class with two devices or more: the median of their figures,
/// of two the one that is nearer to the peers.
std::vector<FleetFigure> node_figures(const FleetRecords&, const std::vector<FleetFigure>& devices);

/// Finds the outliers of both; the error is split over all of their figures. @returns how many
std::size_t judge_figures(std::vector<FleetFigure>& devices, std::vector<FleetFigure>& nodes);

}  // namespace parallax

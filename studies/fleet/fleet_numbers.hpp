// Deviations of devices and nodes, for judging one fleet and for comparing two, and what is
// missing.
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

/// The deviation of each device and class: the median over its cases of its distance from the
/// median of its peers. Cases with fewer than `least_peers` devices are left out.
std::vector<FleetFigure> device_figures(const FleetRecords&, const FleetValues&);

/// The deviation of each node and class with two or more devices: the median of their deviations;
/// of two, the one nearer to the peers.
std::vector<FleetFigure> node_figures(const FleetRecords&, const std::vector<FleetFigure>& devices);

/// Devices that are expected and missing, that are there and not expected, and remarks on both.
void find_missing(const FleetRecords&, const FleetExpectation&, FleetReport&);
/// Nodes that have fewer devices of a model than most nodes have that have any.
void find_fewer(const FleetRecords&, FleetReport&);

/// Finds the outliers of both; the error is split over all deviations. @returns how many
std::size_t judge_figures(std::vector<FleetFigure>& devices, std::vector<FleetFigure>& nodes);

}  // namespace parallax

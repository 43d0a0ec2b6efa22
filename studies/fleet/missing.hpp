// Missing devices and nodes of a fleet.
#pragma once

#include "studies/fleet/fleet_verdicts.hpp"

namespace parallax {

/// Devices that are expected and missing, that are there and not expected, and remarks on both.
void find_missing(const FleetRecords&, const FleetExpectation&, FleetReport&);

/// Nodes that have fewer devices of a model than most nodes have that have any.
void find_fewer(const FleetRecords&, FleetReport&);

}  // namespace parallax

// Fleets that were never measured: devices vary as real ones do, and what is wrong is known.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "studies/fleet/fleet_verdicts.hpp"

namespace parallax {

/// The kind of difference between devices of one model.
enum class FleetVariety {
    normal,
    heavy_tailed,  ///< Student's t with 3 degrees of freedom, of the same middle half
    two_batches    ///< every fifth node has cards of a batch that is three spreads slower
};

/// A fleet whose parts are equal except for the planted faults. Shares are of the speed.
struct SimulatedFleet {
    unsigned nodes = 16, devices = 4, runs = 3;
    FleetVariety variety = FleetVariety::normal;
    double memory_spread = 0.004, compute_spread = 0.012;  ///< from device to device
    double run_spread = 0.0015;                            ///< from run to run of one
    std::uint64_t seed = 1;
    /// By number of the device, counted through all nodes: how much slower it is.
    std::map<unsigned, double> slow_memory = {}, slow_compute = {};
    /// By number of the node: all of its devices in all classes.
    std::map<unsigned, double> slow_node = {};
    /// Changes a record before it is read; the number of its device and of its run.
    std::function<void(Record&, unsigned device, unsigned run)> change = {};

    /// Its records, one after the other: of each device and run four of memory and two of compute.
    void write(const std::function<void(Record&&)>& take) const;
    /// Read as files would be.
    FleetRecords read() const;
};

}  // namespace parallax

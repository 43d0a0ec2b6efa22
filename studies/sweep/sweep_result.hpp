// The results of a sweep, as plain data made of records: everything that a report of it shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/result_set.hpp"
#include "studies/occupancy/prediction.hpp"
#include "studies/sweep/sweep_points.hpp"

namespace parallax {

/// The result of one point on one device.
struct SweepCell {
    std::string status;  ///< as in records; `refused`: the suite does not take it; `missing`
    std::string reason;
    std::vector<std::uint64_t> shape;
    double seconds = 0, low = 0, high = 0;  ///< median of a run of the plan; its interval
    bool has_interval = false;              ///< there was more than one sample
    Work work;
    double share = 0;  ///< of the device's ceiling; 0: not known
    std::string share_of;
    bool in_cache = false;  ///< as Timing::in_cache
    std::vector<std::string> notes;
    std::vector<OccupancyPrediction> kernels = {};  ///< where occupancy was asked for

    bool ran() const { return seconds > 0; }
};

/// A column of the sweep, and the conclusions that its intervals allow.
struct SweepDevice {
    std::string id, name;
    std::vector<SweepCell> cells;        ///< one of each point
    std::optional<std::size_t> highest;  ///< the point with the highest result; none ran: nothing
    std::vector<std::size_t> tied;       ///< whose intervals reach into that of the highest
    /// Points at most `near_share` below the highest, by the far ends of both intervals.
    std::vector<std::size_t> near;

    /// Whether the highest is one of several that ran, and above all others by its interval.
    bool has_best() const;
};

/// All of it.
struct SweepResult {
    static constexpr double near_share = 0.02;

    SweepPoints points;
    bool by_operations = false;        ///< the result counts operations, not bytes
    bool by_time = false;              ///< the suite counts neither: runs a second
    std::vector<SweepDevice> devices;  ///< in the order of the records
    bool with_occupancy = false;       ///< the cells have it

    double figure(const SweepCell&) const;  ///< per second, at the median; 0: not measured
    double least(const SweepCell&) const;   ///< at the interval's ends
    double most(const SweepCell&) const;
    /// `2.91 TB/s`
    std::string figure_text(const SweepCell&) const;
    /// The differences between the best points of two devices, a sentence each; empty: there are
    /// none.
    std::vector<std::string> differences() const;
    /// One line for each device: which is best, and which are near it; and, with occupancy, where
    /// the best has not the highest.
    std::vector<std::string> claims() const;
    /// Reasons and notes, each once, with the points and devices that they are about.
    std::vector<std::string> remarks() const;
    std::string title() const;  ///< `reduction/vector over GROUP, float`
};

/// The cells of the points from records; the best where a case has several
/// (records/result_store.hpp).
/// @throws UsageError when the size was left open and the records of a device have several
SweepResult sweep_result(const SweepPoints&, const std::vector<Record>&,
                         bool with_occupancy = false);

}  // namespace parallax

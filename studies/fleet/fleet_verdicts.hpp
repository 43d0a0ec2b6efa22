// Conclusions from the records of a fleet.
#pragma once

#include "studies/fleet/fleet.hpp"

namespace parallax {

/// A device's answers to a case that were not right.
struct FleetTrouble {
    std::uint32_t device = 0, the_case = 0;
    FleetAnswers answers;
};

/// A host's devices in the expectation that have no record.
struct FleetMissing {
    std::string host;
    std::size_t expected = 0, found = 0;
    std::vector<std::string> uuids;    ///< of those that the expectation names
    std::vector<std::uint32_t> slots;  ///< that other nodes have, and this one has not
};

/// A device or a node among its peers, in one class of cases.
struct FleetFigure {
    std::vector<std::uint32_t> devices;  ///< one, or those of a node
    std::uint32_t peers = 0;
    FleetClass kind = FleetClass::memory;
    double deviation = 0;   ///< logarithm of its speed over its peers'; below 0: slower
    double z = 0;           ///< deviation over the spread of its peers
    double limit = 0;       ///< of |z|; 0: too few peers to judge
    std::size_t cases = 0;  ///< that it is the median of
    bool is_outlier = false;

    bool is_slow() const { return is_outlier && deviation < 0; }
};

/// Devices of one model whose settings or software are not all the same.
struct FleetDifference {
    std::string model, fact;
    struct Value {
        std::string value;  ///< several of one device are joined by ` and `
        std::vector<std::uint32_t> devices;
    };
    std::vector<Value> values;  ///< what most have is first
};

/// Logarithms at 0, 5, 25, 50, 75, 95 and 100 %.
using FleetQuantiles = std::array<double, 7>;
inline constexpr std::array fleet_quantile_shares{0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

/// The spread of a case's speed over devices.
struct FleetSpread {
    std::uint32_t peers = 0, the_case = 0;
    std::size_t devices = 0;
    double median_seconds = 0;
    FleetQuantiles speeds{};  ///< over the median's
};

/// CUDA's time divided by OpenCL's of the same case, device by device.
struct FleetRatio {
    std::uint32_t peers = 0, the_case = 0;  ///< of OpenCL
    std::size_t devices = 0;
    FleetQuantiles ratios{};
    std::uint32_t least = 0, most = 0;  ///< devices
};

/// Differences between a later set of records and an earlier one.
struct FleetChange {
    struct Fact {
        std::string model, fact, before, now;
        std::vector<std::uint32_t> devices;
    };
    std::vector<Fact> facts;
    struct Case {
        std::uint32_t peers = 0, the_case = 0;
        std::size_t devices = 0;
        FleetQuantiles speeds{};  ///< now over before, device by device
        bool is_slower() const;   ///< in the median, by more than `least_deviation`
    };
    std::vector<Case> cases;
    std::vector<FleetFigure> figures;     ///< that changed otherwise than their peers
    std::vector<std::uint32_t> appeared;  ///< devices
    std::vector<FleetDevice> disappeared;
    std::vector<FleetTrouble> newly_wrong;  ///< cases that were right on the device
    std::size_t cured = 0;                  ///< the other way round
    std::size_t compared = 0;               ///< devices that are in both
};

struct FleetReport {
    std::vector<std::uint32_t> busy;     ///< devices that others used, by host and slot
    std::vector<FleetTrouble> troubles;  ///< by host and slot
    bool has_expectation = false;
    std::vector<FleetMissing> missing;
    std::vector<std::uint32_t> unexpected;    ///< devices that are not in the list
    std::vector<FleetMissing> fewer;          ///< nodes with fewer than most of their model
    std::vector<FleetFigure> devices, nodes;  ///< all deviations
    std::size_t judged = 0;                   ///< deviations that the error of 5 % is split over
    std::vector<FleetDifference> differences;
    std::vector<FleetSpread> spreads;
    std::vector<FleetRatio> ratios;
    std::vector<std::string> remarks;
    std::optional<FleetChange> change;

    std::size_t missing_devices() const;
};

/// A device is an outlier that is farther from its peers than this share, a node than half of it.
inline constexpr double least_deviation = 0.02;
/// The spread of peers is taken for no less.
inline constexpr double least_spread = 0.0025;
/// The probability that any device or node of a healthy fleet is called an outlier.
inline constexpr double fleet_error = 0.05;
/// Fewer are not judged.
inline constexpr std::size_t least_peers = 4;

FleetReport judge_fleet(const FleetRecords&, const std::optional<FleetExpectation>& = {});

/// The differences from an earlier set of records.
FleetChange compare_fleets(const FleetRecords& before, const FleetRecords& now);

/// Quantiles of logarithms, in any order, at least one.
FleetQuantiles quantiles_of(std::vector<double> values);

/// The limit of |z| where `count` deviations are judged among `peers` peers: Student's t, since the
/// spread is known from the peers alone.
double outlier_limit(std::size_t count, std::size_t peers);

}  // namespace parallax

// Which record of today stands beside a published case, on each device and through each API.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/suite.hpp"
#include "studies/published/published.hpp"
#include "studies/published/records_at_hand.hpp"

namespace parallax {

/// A device, and the API that it was reached by.
struct DeviceAndApi {
    std::string device, backend;
    bool operator==(const DeviceAndApi&) const = default;
    std::string title() const;  ///< `NVIDIA H100 80GB HBM3, opencl`
};

/// The records at hand, and the choice of one for a case.
class Today {
public:
    /// Leaves out what was not made of the suites' own kernels.
    explicit Today(const std::vector<RecordAtHand>& records);

    /// Devices and APIs with records: ordered by device, OpenCL before CUDA.
    const std::vector<DeviceAndApi>& places() const { return places_; }

    /// The record that shows the case best: with the constants that the case names and the suite's
    /// first type; then of the case's shape; then with as few unusual constants as can be; then the
    /// largest; then of the newest run. What was skipped counts only where there is nothing else.
    /// A case without a shape gets the one that most of `together` have a record of on this device;
    /// of several the largest. Null: there is no record.
    const RecordAtHand* best(const PublishedCase&, const DeviceAndApi&,
                             std::span<const PublishedCase> together) const;

    /// How many times as fast `fast` is as `slow`, by the work that each does in a second; nothing:
    /// one was not measured, or they cannot be compared, since their sizes or constants that
    /// neither names differ.
    std::optional<double> faster(const PublishedCase& slow, const PublishedCase& fast,
                                 const DeviceAndApi&,
                                 std::span<const PublishedCase> together) const;

    /// Constants of the record that the case does not name and that have other values than the
    /// suite and the variant give them.
    static std::vector<Constant> unusual(const RecordAtHand&, const PublishedCase&);

private:
    /// Those that show the case on the device, of any shape.
    std::vector<const RecordAtHand*> all_of(const PublishedCase&, const std::string& device) const;
    std::vector<std::uint64_t> common_shape(const std::string& suite, const std::string& device,
                                            std::span<const PublishedCase> together) const;

    std::map<std::pair<std::string, std::string>, std::vector<RecordAtHand>> records_;
    std::vector<DeviceAndApi> places_;
};

/// Elements of a problem.
double size_of_problem(const std::vector<std::uint64_t>& shape);

}  // namespace parallax

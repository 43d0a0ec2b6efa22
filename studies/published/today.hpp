// Selects today's record for a published case, on each device and through each API.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "records/result_store.hpp"
#include "studies/published/published.hpp"

namespace parallax {

/// A device, and the API that it was reached by.
struct DeviceAndApi {
    std::string device, backend;
    bool operator==(const DeviceAndApi&) const = default;
    std::string title() const;  ///< `NVIDIA H100 80GB HBM3, opencl`
};

/// Records, and the choice of one for a published case.
class Today {
public:
    /// Leaves out what was not made of the suites' own kernels.
    explicit Today(std::vector<Record> records);

    /// Devices and APIs with records: ordered by device, OpenCL before CUDA.
    const std::vector<DeviceAndApi>& places() const { return places_; }

    /// The best record of the case (records/result_store.hpp), of the suite's first type. A case
    /// without a shape gets the one that most of `together` have a record of on this device. Null:
    /// there is no record.
    const Record* best(const CaseKey&, const DeviceAndApi&,
                       std::span<const CaseKey> together) const;

    /// How many times as fast `fast` is as `slow`, by the work that each does in a second; nothing:
    /// one was not measured, or they cannot be compared, since their sizes or constants that
    /// neither names differ.
    std::optional<double> faster(const CaseKey& slow, const CaseKey& fast, const DeviceAndApi&,
                                 std::span<const CaseKey> together) const;

private:
    /// Those that show the case on the device, of any shape.
    Records all_of(CaseKey, const std::string& device) const;

    ResultStore store_;
    std::vector<DeviceAndApi> places_;
};

}  // namespace parallax

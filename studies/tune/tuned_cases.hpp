// Gives cases the constants that a search has found for them, and says which got some.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "common/suite/suite.hpp"
#include "records/tuned.hpp"
#include "studies/sweep/sweep_points.hpp"

namespace parallax {

/// Applies stored constants to cases. Thread-safe.
class TunedCases {
public:
    TunedCases(std::vector<Tuned> entries, KernelSource text)
        : entries_(std::move(entries)), text_(std::move(text)) {}

    /// The case with the constants that were stored for a device of this model and API and for its
    /// class of sizes. The case stays unchanged where nothing was stored, where its source has
    /// changed since, or where its suite does not accept the values. Explicitly set constants stay
    /// as they are.
    /// @param c  its shape is known
    Case of(const Case& c, const DeviceInfo&);

    /// Which cases got which constants, and which could not: a sentence each, in order, once.
    std::vector<std::string> said() const;

private:
    std::vector<Tuned> entries_;
    KernelSource text_;
    mutable std::mutex mutex_;
    std::vector<std::string> said_;
};

}  // namespace parallax

// Inputs and right answers of a case, made once and shared by variants and devices.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "common/suite.hpp"

namespace parallax {

/// The inputs of one case, and what must come out.
struct Workload {
    std::vector<HostArray> inputs;
    std::vector<Expected> expected;
    std::uint64_t bytes() const;
};

/// Keeps the workloads that were asked for last, up to a number of bytes.
class Workloads {
public:
    /// @param limit_bytes of host memory to keep for later; one workload is always kept
    explicit Workloads(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

    /// The workload of this case, shared with the other variants of the same problem.
    std::shared_ptr<const Workload> get(const Case&, const Filling&, std::uint64_t seed);

private:
    struct Entry {
        std::string key;
        std::shared_ptr<const Workload> workload;
    };
    std::uint64_t limit_;
    std::list<Entry> entries_;  // the one used last is in front
};

}  // namespace parallax

// What all who measure have in common.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "measure/run_case.hpp"

namespace parallax {

/// Cases that are prepared together, at most.
inline constexpr std::size_t most_in_block = 12;

/// The workloads of a run with who answers for suites without a reference, a crew that works ahead,
/// its workshop, and batches that are long enough for every device's clock. It has to end before
/// the devices do that are measured.
class Setup {
public:
    /// @param compared  the devices that are measured
    Setup(RunContext context, const std::vector<Entry>& compared);

    RunContext context;

    /// How many cases of a list, from its first on, are prepared together and timed then: many, so
    /// that the crew is seldom stopped, and no more than have their inputs and references in the
    /// host's memory at once.
    /// @param wanted  so many at least, without a crew too
    std::size_t block_of(std::span<const Case>, std::size_t wanted = 1) const;

    /// Lets the crew build this case for a device. Does nothing where the device lacks what the
    /// case needs.
    void ask_build(Device&, const Case&);
    /// Lets the crew make all inputs and right answers that checking and timing this case needs on
    /// a device; its shape must be known.
    void ask_workloads(const DeviceInfo&, const Case&);

    /// Makes the inputs and right answers that timing needs, before the crew rests; what goes wrong
    /// becomes the outcome's status and reason.
    void get_workload(const DeviceInfo&, Outcome&);

private:
    void ask_all(const DeviceInfo&, const Case&);

    std::unique_ptr<Workloads> own_workloads_;
    std::unique_ptr<Workshop> workshop_;
    std::unique_ptr<Crew> crew_;
};

}  // namespace parallax

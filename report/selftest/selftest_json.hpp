// What a self-test found, for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "studies/selftest/selftest.hpp"

namespace parallax {

/// All that a self-test found; what was not tried is not there.
struct SelfTestFound {
    struct OnDevice {
        std::string device, name;
        std::optional<SelfTestReport> clock;
        std::optional<VerificationTally> gate;
    };
    double margin = 0;
    unsigned simulated_trials = 0;
    std::vector<SimulatedRow> simulated;
    std::vector<OnDevice> devices;
};

/// docs/results/accuracy.md says what its counts are.
/// @param right  whether the self-test was passed
std::string selftest_json(const SelfTestFound&, bool right);

}  // namespace parallax

// The score of a user's kernel's checks: as text, as JSON, and as stored for later reports.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "studies/mutation/checks_score.hpp"
#include "studies/selftest/selftest.hpp"

namespace parallax {

/// A paragraph for each kernel.
/// @param word  the manifest as it is named on the command line
std::string score_text(const std::vector<ChecksScore>&, std::string_view word);

/// One object. @param enough  whether each reaches the required score, and could be judged
std::string score_json(const std::vector<ChecksScore>&, bool enough);

/// Keeps a score, so that score_sentence() finds it, unless one of which less was not tried is
/// there already. Where the file cannot be written nothing is kept.
/// @param digest  checks_digest()
void keep_score(const std::filesystem::path& file, const ChecksScore&, const std::string& digest);

/// A sentence with the kept score of that digest; empty: none is known.
/// @param sizes  that these checks have: the score's own must be one of them
/// @param word   as above, for the advice
std::string score_sentence(const std::filesystem::path& file, const std::string& digest,
                           const std::vector<std::string>& sizes, std::string_view word);

/// All that a self-test found; what was not tried is not there.
struct SelfTestFound {
    struct OnDevice {
        std::string device, name;
        std::optional<SelfTestReport> clock;
        std::optional<VerificationTally> gate;
    };
    double margin = 0;
    std::vector<OnDevice> devices;
};

/// docs/results/accuracy.md says what its counts are.
/// @param right  whether the self-test was passed
std::string selftest_json(const SelfTestFound&, bool right);

}  // namespace parallax

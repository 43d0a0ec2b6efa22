// The records that published figures are compared with: the one place that knows how they are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/program.hpp"
#include "records/record.hpp"

namespace parallax {

/// What a record says that matters beside a published figure.
struct RecordAtHand {
    std::string suite, variant, type;
    std::vector<std::uint64_t> shape;
    std::vector<Constant> constants;
    std::string backend, device;  ///< `opencl`, `NVIDIA H100 80GB HBM3`
    bool is_of_the_suite = true;  ///< the kernel is the suite's own, under its own float rules
    Status status = Status::skipped;
    std::string reason;
    double seconds = 0;                ///< of one run; 0: not measured
    double bytes = 0, operations = 0;  ///< of one run, by the suite's own model
    std::string started;               ///< of its run, UTC
};

/// All records of FOLDER/*/*.jsonl, file by file.
/// @throws UsageError when the folder or a file in it cannot be read
std::vector<RecordAtHand> records_at_hand(const std::filesystem::path& folder);

}  // namespace parallax

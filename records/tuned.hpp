// The constants that suit a device best, kept in a file: a line for each case, device and class of
// sizes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// What a search found for a case. docs/reference/records.md lists its members.
struct Tuned {
    CaseKey key;  ///< with the size that was tuned, and the constants that were searched, no others
    std::string device, backend, driver;    ///< the device's model, its API, and its driver then
    std::string source_hash;                ///< of the kernel's text as written
    double seconds = 0, low = 0, high = 0;  ///< median of a run, and its interval
    double own_seconds = 0;  ///< of a run with the variant's own constants; 0: they did not run
    std::uint64_t tried = 0, candidates = 0;
    RunInfo run;  ///< that found it
};

/// The class of a size: of each extent the power of two that is not above it, as an exponent.
std::vector<unsigned> shape_class(const std::vector<std::uint64_t>& shape);

/// Whether both are of one suite, variant, type, class of sizes, device model and API.
bool is_for_the_same(const Tuned&, const Tuned&);

/// What a file of them holds.
struct TunedFile {
    std::vector<Tuned> entries;
    /// Each line that is none, with file, line and what is wrong, in a sentence.
    std::vector<std::string> problems;
};

/// Reads such a file; one that is not there has no entries.
/// @throws UsageError when it is there and cannot be read
TunedFile read_tuned(const std::filesystem::path&);

/// Puts an entry in the place of those that are for the same; all other lines stay as they are,
/// damaged ones too. The file is replaced in one step, and of several processes that do so at once
/// each waits for its turn.
/// @throws UsageError when it cannot be read or written
void keep_tuned(const std::filesystem::path&, const Tuned&);

}  // namespace parallax

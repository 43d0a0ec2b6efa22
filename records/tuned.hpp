// The best constants per device, stored in a file: a line for each case, device and size class.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "records/record.hpp"

namespace parallax {

inline constexpr std::string_view tuned_schema = "parallax.tuned";
inline constexpr int tuned_version = 1;

/// The result of a search for a case. docs/reference/record-members.md lists its members.
struct Tuned {
    CaseKey key;                          ///< with the tuned size, and only the searched constants
    std::string device, backend, driver;  ///< the device's model, its API, and its driver at that
                                          ///< time
    std::string source_hash;              ///< of the kernel's source as written
    double seconds = 0, low = 0, high = 0;  ///< median of a run, and its interval
    double own_seconds = 0;  ///< of a run with the variant's own constants; 0: not measured
    std::uint64_t tried = 0, candidates = 0;
    RunInfo run;  ///< that found it
};

/// The class of a size: for each extent the exponent of the largest power of two not above it.
std::vector<unsigned> shape_class(const std::vector<std::uint64_t>& shape);

/// Whether both have the same suite, variant, type, size class, device model and API.
bool is_for_the_same(const Tuned&, const Tuned&);

/// The content of such a file.
struct TunedFile {
    std::vector<Tuned> entries;
    /// A sentence for each invalid line, with file, line and error.
    std::vector<std::string> problems;
};

/// Reads such a file; a missing file is empty.
/// @throws UsageError when it exists and cannot be read
TunedFile read_tuned(const std::filesystem::path&);

/// Replaces entries for the same purpose by this one; all other lines stay unchanged, damaged ones
/// too. The file is replaced atomically, and concurrent processes wait for each other.
/// @throws UsageError when it cannot be read or written
void keep_tuned(const std::filesystem::path&, const Tuned&);

}  // namespace parallax

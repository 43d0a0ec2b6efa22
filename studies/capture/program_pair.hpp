// Two recordings of one problem side by side: which kernels are counterparts, whether they agree,
// and what the difference of the two programs' times consists of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/statistics/ratio.hpp"
#include "records/capture.hpp"
#include "records/explanation.hpp"

namespace parallax {

struct Diff;
struct RecordedPair;

/// What shows that two kernels are counterparts, the strongest first.
enum class PairedBy {
    hand,     ///< the user said so
    bytes,    ///< they left the same bytes
    values,   ///< they left the same numbers within the tolerance of captured programs
    inputs,   ///< they began with the same bytes, and left as many
    name,     ///< their names are alike
    position  ///< both programs have as many kernels between two known pairs
};
std::string_view name_of(PairedBy);

/// What two counterparts left for the same input.
enum class Agreement { unknown, bits, tolerance, differs };

/// A kernel of each program.
struct KernelPair {
    Both<std::string> kernel;  ///< without C++'s mangling
    PairedBy by = PairedBy::name;
    Both<std::uint64_t> launches;
    Both<double> seconds;  ///< of the device, in the programs' own runs
    Agreement agreement = Agreement::unknown;
    std::size_t agreeing = 0, compared = 0;  ///< kept launches of the same work
    std::string remark;                      ///< in what they differ, or why that is unknown
    /// Kept launches of the same work, as variants of the common suite, with their seconds in A's
    /// run: those that took longest first.
    std::vector<std::pair<Both<std::string>, double>> variants;
    /// B's time over A's, of replays that were timed alternately; nothing: `why_no_ratio` says why.
    std::optional<Ratio> ratio;
    std::string why_no_ratio;
};

/// A kernel that the other program has no counterpart of.
struct LoneKernel {
    bool is_b = false;
    std::string kernel;
    std::uint64_t launches = 0;
    double seconds = 0;
    std::string why;  ///< none of its launches is kept; empty: some are
};

/// A part of the difference between the two programs' times.
struct TimePart {
    std::string name;      ///< `find_neighbours`, `transfers`
    Both<double> seconds;  ///< of the device, or of the host; below 0 where parts overlap
    bool is_kernel = false;
};

/// The result.
struct ProgramPair {
    Both<std::string> names;  ///< of the folders
    Both<std::string> apis;   ///< `OpenCL`, `CUDA`
    Both<double> seconds;     ///< of the programs, without the storing of contents
    Both<double> kernel_seconds;
    std::vector<KernelPair> kernels;  ///< those that took longest first
    std::vector<LoneKernel> alone;
    /// Kernels, transfers, builds and the rest: the seconds of each side add up to its time.
    std::vector<TimePart> parts;
    std::string no_replay;  ///< why nothing was timed alternately; empty: it was
    std::string replayed_on;  ///< `opencl:0 and cuda:0`

    /// The share of a side's kernel time that is in pairs with evidence in their data.
    double share_paired_by_data(bool is_b) const;
};

/// Pairs the kernels of two recordings.
/// @param by_hand  kernels that are counterparts, by name or a part of it that only one has
/// @throws UsageError for a name that selects no kernel, or several
ProgramPair pair_programs(Both<Capture>, const RecordedPair&,
                          const std::vector<Both<std::string>>& by_hand);

/// Adds the ratios of replays, which are cases of a diff over the common suite.
void add_replays(ProgramPair&, const Diff&);

/// `The OpenCL version takes 1.31 times as long: 0.24 of it in find_neighbours, 0.05 in transfers.`
std::string sentence_of(const ProgramPair&);

/// `OpenCL` and `CUDA`, or the folders' names where both use one API.
Both<std::string> version_names(const ProgramPair&);

}  // namespace parallax

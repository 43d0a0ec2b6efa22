// The result for a captured program as a whole, from the comparison of its launches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/statistics/ratio.hpp"
#include "records/capture.hpp"

namespace parallax {

struct Diff;

/// One kernel of the program: all its launches.
struct KernelVerdict {
    std::string kernel;
    std::uint64_t launches = 0;
    double seconds = 0;  ///< of the device in the program's own run
    double share = 0;    ///< of all its kernels
    /// Time of the side that the program does not use over that of its own, over the kinds of
    /// launches that were judged, each with its own time; nothing: none was.
    std::optional<Ratio> ratio;
    /// EQUAL or WITHIN TOLERANCE: all kinds that were kept were compared by their answers alone.
    std::optional<Verdict> answers;
    bool same_bits = true;              ///< both sides' answers were, of all that was judged
    std::string why_not;                ///< it was not judged, or not all of it
    std::vector<std::string> variants;  ///< of the captured suite: its kinds, the longest first
};

/// The program, as if the other side ran its kernels and nothing else changed.
struct ProgramVerdict {
    std::string name;                    ///< of the folder
    std::string through;                 ///< the other side: B, unless that is the program's API
    double seconds = 0;                  ///< of the program, from its first call of OpenCL
    double kernel_seconds = 0;           ///< of these, what kernels take
    std::vector<KernelVerdict> kernels;  ///< the longest first
    std::size_t judged = 0;
    double judged_share = 0;  ///< of the kernels' time
    /// The judged kernels' time on the other side over that on the program's own. The rest of them
    /// is taken as unchanged.
    std::optional<Ratio> ratio;
    /// The program's time over what it is: at best, since transfers, builds and the host stay.
    std::optional<Ratio> program;
};

/// @param name     of the suite, as the diff has it
/// @param is_cuda  the program launched its kernels through CUDA
/// @param refused  cases that could not be read, with the reason
ProgramVerdict program_verdict(const Capture&, const Diff&, const std::string& name, bool is_cuda,
                               const std::vector<std::pair<std::string, std::string>>& refused);

/// `62.9 %`: the kernels' part of the program's time, which is the most that a port can gain.
/// Empty: it is not known.
std::string kernel_share(double kernel_seconds, double seconds);

/// `kernels take 3.21 s of 5.10 s; ...`: the verdict in one sentence.
std::string sentence_of(const ProgramVerdict&);

}  // namespace parallax

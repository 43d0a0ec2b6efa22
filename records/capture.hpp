// The timeline of a captured program: the file capture.json of the folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/process/capture_counters.hpp"

namespace parallax {

/// Commands of one kind. The device time of `timed` of them is known, `seconds` in total.
struct CaptureSum {
    std::uint64_t count = 0, timed = 0, bytes = 0;
    double seconds = 0;

    /// Extrapolated to all of them.
    double all_seconds() const {
        return timed == 0 ? 0 : seconds * static_cast<double>(count) / static_cast<double>(timed);
    }
};

/// Launches of a kernel that do the same work.
struct CapturedKind {
    std::string name;     ///< of the kept case; empty: none
    std::string why_not;  ///< reason for none
    CaptureSum sum;
};

struct CapturedKernel {
    std::string kernel, options, program;  ///< the last is the hash of its source
    CaptureSum sum;                        ///< over all launches
    std::vector<CapturedKind> kinds;
    std::map<std::string, std::uint64_t> left_out;  ///< launches without a case, by reason
    std::uint64_t first = 0;  ///< number of its first launch in the program; 0: unknown

    /// Launches without a case, by reason.
    std::map<std::string, std::uint64_t> not_kept() const;
};

struct Capture {
    std::size_t processes = 1;  ///< number of those that called OpenCL
    std::string process;        ///< its ID: a process may write several such files
    std::vector<std::string> command;
    bool complete = false;        ///< the program ended by itself
    double started = 0;           ///< seconds since the epoch; 0: unknown
    double seconds = 0;           ///< from the first call of OpenCL to the end
    double snapshot_seconds = 0;  ///< the part spent on reading and storing contents
    bool has_contents = false;
    bool only_hashes = false;                    ///< of contents: nothing can be replayed
    std::map<std::string, std::string> devices;  ///< names with their drivers
    CaptureSum builds, to_device, from_device, on_device, mapped;
    /// Over all devices: time in which one was busy, in which at least one kernel ran, as far as
    /// known (0: unknown), and gaps between commands, without the time for storing contents.
    double busy_seconds = 0, some_kernel_seconds = 0, gap_seconds = 0;
    std::uint64_t launches = 0;
    std::vector<CapturedKernel> kernels;
    std::map<std::string, std::uint64_t> left_out;  ///< other objects, by kind
    std::vector<std::string> problems;              ///< errors of the layer itself

    /// The program's duration without the storing of contents: at least the time of its kernels,
    /// since threads may continue meanwhile.
    double program_seconds() const;
    /// Time in which kernels ran: concurrent ones count once.
    double kernel_seconds() const;
    /// Sum of the times of all launches, also of concurrent ones.
    double launch_seconds() const;
    /// Time in which all devices were idle between commands, at most the rest of the run.
    double idle_seconds() const;
    /// Launches that no case represents.
    std::uint64_t launches_not_kept() const;
    /// Number of kept cases.
    std::size_t cases() const;
};

/// Parses the text of such a file. @param file  for messages
/// @param live  newer counters of the same process, if it could not write its final results
/// @throws UsageError
Capture capture_from(const std::string& file, std::string_view text,
                     const std::optional<LiveCounts>& live = {});

/// Merges the captures of two processes of one program.
Capture together(Capture, const Capture&);

/// Reads the capture of a folder, of all its processes. @throws UsageError
Capture read_capture(const std::filesystem::path& folder);

}  // namespace parallax

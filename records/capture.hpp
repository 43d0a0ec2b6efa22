// What a captured program did with its time: the file capture.json of the folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/process/live_counts.hpp"

namespace parallax {

/// Commands of one sort. Of `timed` of them the device's time is known, `seconds` in all.
struct CaptureSum {
    std::uint64_t count = 0, timed = 0, bytes = 0;
    double seconds = 0;

    /// Of all of them, as if the others were like those that are known.
    double all_seconds() const {
        return timed == 0 ? 0 : seconds * static_cast<double>(count) / static_cast<double>(timed);
    }
};

/// Launches of a kernel that do the same work.
struct CapturedKind {
    std::string name;     ///< of the case that was kept of them; empty: none was
    std::string why_not;  ///< it was not
    CaptureSum sum;
};

struct CapturedKernel {
    std::string kernel, options, program;  ///< the last: hash of its text
    CaptureSum sum;                        ///< of all launches
    std::vector<CapturedKind> kinds;
    std::map<std::string, std::uint64_t> left_out;  ///< launches that were not kept, by the reason

    /// Launches that no case stands for, by the reason.
    std::map<std::string, std::uint64_t> not_kept() const;
};

struct Capture {
    std::size_t processes = 1;  ///< that called OpenCL
    std::string process;        ///< which one it is of: a process may write several such files
    std::vector<std::string> command;
    bool complete = false;        ///< the program ended by itself
    double started = 0;           ///< seconds since the epoch; 0: not said
    double seconds = 0;           ///< from the first call of OpenCL to the end
    double snapshot_seconds = 0;  ///< of these, what reading and keeping contents took
    bool has_contents = false;
    std::map<std::string, std::string> devices;  ///< their names and drivers
    CaptureSum builds, to_device, from_device, on_device, mapped;
    /// Over all devices: in which one did something, in which a kernel ran at least, as far as it
    /// is known (0: not said), and between commands while nothing was kept.
    double busy_seconds = 0, some_kernel_seconds = 0, gap_seconds = 0;
    std::uint64_t launches = 0;
    std::vector<CapturedKernel> kernels;
    std::map<std::string, std::uint64_t> left_out;  ///< other things, by what they are
    std::vector<std::string> problems;              ///< of the layer itself

    /// What the program would have taken without its contents being kept.
    /// Threads may have gone on meanwhile, and no less than what its kernels took.
    double program_seconds() const;
    /// In which kernels ran: those that ran at the same time count once.
    double kernel_seconds() const;
    /// All launches' added up, whatever ran at the same time.
    double launch_seconds() const;
    /// In which no device did anything between its commands: no more than is left of the program.
    double idle_seconds() const;
    /// Launches that no case stands for.
    std::uint64_t launches_not_kept() const;
    /// Cases that were kept.
    std::size_t cases() const;
};

/// Reads the text of such a file. @param file  for messages
/// @param live  newer counts of the same process, if it could not write its last words
/// @throws UsageError
Capture capture_from(const std::string& file, std::string_view text,
                     const std::optional<LiveCounts>& live = {});

/// Both together: what two processes of one program did.
Capture together(Capture, const Capture&);

/// Reads that of a folder, of all processes that it was written by. @throws UsageError
Capture read_capture(const std::filesystem::path& folder);

}  // namespace parallax

// What Oclgrind reports in a process that it has started.
#pragma once

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace parallax {

/// What it is told before the program's name. The kernels are not optimised: Oclgrind 21.10 crashes
/// over vectors whose components LLVM left undefined, and an optimiser may remove what races.
inline constexpr std::array<std::string_view, 5> simulator_words{
    "--data-races", "--uniform-writes", "--uninitialized", "--build-options", "-cl-opt-disable"};

/// They go to a file without a name. Made before a device is looked for. A process is told of a
/// thousand, and of none beyond.
class Reports {
public:
    Reports() : file_(::memfd_create("reports", 0)) {
        setenv("OCLGRIND_LOG", fmt::format("/proc/self/fd/{}", file_).c_str(), 1);
    }
    /// Since this was asked last.
    bool grew() {
        struct stat now {};
        const off_t before = std::exchange(size_, ::fstat(file_, &now) == 0 ? now.st_size : 0);
        return size_ > before;
    }

private:
    int file_;
    off_t size_ = 0;
};

}  // namespace parallax

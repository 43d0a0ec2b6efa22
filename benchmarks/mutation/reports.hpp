// What Oclgrind reports in a process that it has started.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace parallax {

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

// Counts Oclgrind's reports in a process that it has started.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace parallax {

/// They go to an anonymous file. Must be created before devices are opened. Oclgrind reports at
/// most a thousand per process.
class Reports {
public:
    Reports() : file_(::memfd_create("reports", 0)) {
        setenv("OCLGRIND_LOG", fmt::format("/proc/self/fd/{}", file_).c_str(), 1);
    }
    /// Whether there were reports since the last call.
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

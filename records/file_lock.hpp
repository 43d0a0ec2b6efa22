// Locks a file that several processes change.
#pragma once

#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace parallax {

/// Prevents other processes from replacing the file. Without lock support nothing waits.
class FileLock {
public:
    explicit FileLock(const std::filesystem::path& file) {
        std::error_code error;
        if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
        file_ = ::open((file.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                       0666);
        if (file_ >= 0) ::flock(file_, LOCK_EX);
    }
    ~FileLock() {
        if (file_ >= 0) ::close(file_);
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int file_ = -1;
};

}  // namespace parallax

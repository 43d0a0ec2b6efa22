// Checks and writes the files of -o.
#include "records/write_file.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <random>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/error.hpp"
#include "records/results.hpp"

namespace parallax {

namespace fs = std::filesystem;

namespace {

bool write_all(int file, std::string_view text) {
    while (file >= 0 && !text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return file >= 0;
}

/// Writes into a device file or a pipe, which must not be replaced.
void write_in_place(const fs::path& named, const std::string& text) {
    const bool is_pipe = fs::is_fifo(named);
    // Opening a pipe without a reader would block.
    const int file =
        ::open(named.c_str(), O_WRONLY | O_CLOEXEC | (is_pipe ? O_NONBLOCK : O_APPEND));
    if (file < 0 && errno == ENXIO && is_pipe) {
        throw UsageError(
            fmt::format("The pipe {} has no reader: the report is lost, and what was measured is "
                        "not. 'parallax diff' on the data shows it again.",
                        named.string()));
    }
    if (is_pipe && file >= 0) {
        ::fcntl(file, F_SETFL, 0);
        std::signal(SIGPIPE, SIG_IGN);  // a disappearing reader becomes a reportable error
    }
    const bool is_whole = write_all(file, text);
    if (file >= 0) ::close(file);
    if (!is_whole) throw UsageError(fmt::format("Cannot write {}. Is it full?", named.string()));
}

/// A new file next to the target; removed unless it replaces the target.
class Part {
public:
    explicit Part(const fs::path& beside) {
        struct stat old {};
        const bool replaces = ::stat(beside.c_str(), &old) == 0;
        // Other users of the folder must not guess the name, or have created it.
        std::random_device random;
        path_ = fmt::format("{}.{:08x}{:08x}.part", beside.string(), random(), random());
        file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                       replaces ? 0600 : 0666);
        if (file_ < 0) fails();
        if (file_ >= 0 && replaces) keep_rights(old);
    }
    ~Part() {
        if (file_ >= 0) ::close(file_);
        if (!path_.empty()) ::unlink(path_.c_str());
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    bool write(std::string_view text) {
        const bool written = file_ >= 0 && write_all(file_, text);
        return written || fails();
    }
    bool takes_the_place_of(const fs::path& file) {
        const bool closed = ::close(std::exchange(file_, -1)) == 0;
        if (!closed || ::rename(path_.c_str(), file.c_str()) != 0) return fails();
        path_.clear();
        return true;
    }
    /// The first error number.
    int reason() const { return reason_; }

private:
    /// Copies the permissions of the replaced file.
    void keep_rights(const struct stat& old) {
        mode_t mode = old.st_mode & 0777;
        const bool same_group =
            ::fchown(file_, old.st_uid, old.st_gid) == 0 || ::fchown(file_, -1, old.st_gid) == 0;
        if (!same_group) mode &= ~S_IRWXG;
        if (::fchmod(file_, mode) != 0) fails();
    }
    bool fails() {
        if (reason_ == 0) reason_ = errno;
        return false;
    }

    std::string path_;
    int file_ = -1, reason_ = 0;
};

}  // namespace

void check_writable(const fs::path& file, const std::vector<std::string>& inputs) {
    std::error_code error;
    if (fs::is_directory(file, error)) {
        throw UsageError(fmt::format("Cannot write {}: it is a folder.", file.string()));
    }
    for (const std::string& input : inputs) {
        // A pipe or a terminal may be both read and written.
        const bool same = fs::equivalent(file, input, error) && fs::is_regular_file(file, error);
        if (!same && file != fs::path(input)) continue;
        throw UsageError(
            fmt::format("-o {} would replace the data in {}. Choose another file with -o.",
                        file.string(), input));
    }
    if (fs::exists(file, error) && !fs::is_regular_file(file, error)) return;
    try_to_write(file);
}

bool may_be_replaced(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) return true;
    if (!fs::is_regular_file(file, error)) return false;
    std::string text(std::size_t{64} << 10, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (stream.bad() || text.empty()) return !stream.bad() && fs::file_size(file, error) == 0;
    constexpr std::string_view marks[] = {"<testsuites name=\"parallax ", "<title>Parallax",
                                          "\"schema\": \"parallax.",      "\"schema\":\"parallax.",
                                          "title,suite,variant,",         "\nSame kernel?\n",
                                          "<summary>Same kernel?",        "\"name\": \"parallax "};
    return std::ranges::any_of(marks,
                               [&](std::string_view mark) { return text.find(mark) != text.npos; });
}

void write_file(const fs::path& named, const std::string& text) {
    std::error_code error;
    if (fs::exists(named, error) && !fs::is_regular_file(named, error)) {
        return write_in_place(named, text);
    }
    // Replaces atomically, so that the old file stays when the disk is full. A link stays a link.
    const fs::path target = fs::weakly_canonical(named, error);
    const fs::path file = error ? named : target;
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
    Part part(file);
    if (!part.write(text) || !part.takes_the_place_of(file)) {
        throw UsageError(
            fmt::format("Cannot write {}: {}.", named.string(), std::strerror(part.reason())));
    }
}

}  // namespace parallax

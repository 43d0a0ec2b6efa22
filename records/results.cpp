// Writes result files, one record per line.
#include "records/results.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, std::string_view what, int error) {
    throw UsageError(fmt::format(
        "{} {}: {}. Choose another file with -o or --data.", what, path.string(),
        error == ENXIO ? "this pipe has no reader; start one first" : std::strerror(error)));
}

void write_all(int file, std::string_view text, const fs::path& path) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path, "Cannot write", errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// Whether the file's last line is incomplete.
bool ends_in_the_middle(int file) {
    const off_t size = ::lseek(file, 0, SEEK_END);
    char last = '\n';
    return size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

/// Opens a pipe that has a reader. Opened for reading as well, it would swallow the data.
int open_pipe(const fs::path& path) {
    std::signal(SIGPIPE, SIG_IGN);  // a disappearing reader becomes a reportable error
    const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0) ::fcntl(file, F_SETFL, O_APPEND);
    return file;
}

/// @param flags  in addition to those for every result file
int open_file(const fs::path& path, int flags) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) return open_pipe(path);
    const int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | flags, 0644);
    if (file >= 0 || errno == ENOENT || errno == EEXIST) return file;
    // A terminal may be writable but not readable.
    return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0644);
}

/// Whether the first line that is not blank is a result, or a truncated one.
bool begins_like_results(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const bool is_whole = text.find('\n') != text.npos;
    text = text.substr(0, text.find('\n'));
    std::string line;  // without the blanks that other programs write
    std::ranges::copy_if(text, std::back_inserter(line), [](char c) { return c != ' '; });
    const auto has = [&](std::string_view schema) {
        const std::string member = fmt::format("\"schema\":\"{}\"", schema);
        return line.find(member) != line.npos || (!is_whole && ("{" + member).starts_with(line));
    };
    return line.empty() ||
           (line.starts_with('{') && (has(record_schema) || has(pair_schema) ||
                                      has(explanation_schema) || has(time_spent_schema)));
}

void make_folders(const fs::path& path) {
    if (!path.has_parent_path()) return;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) fail(path.parent_path(), "Cannot make the folder", error.value());
}

/// Creates the file, and removes it and its new folders again.
/// @throws UsageError when it cannot be created.
void try_to_make(const fs::path& path) {
    std::vector<fs::path> missing;
    std::error_code error;
    for (fs::path folder = path.parent_path();
         !folder.empty() && !fs::exists(folder, error) && folder != folder.parent_path();
         folder = folder.parent_path()) {
        missing.push_back(folder);
    }
    int file = -1;
    const auto undo = [&] {
        if (file >= 0) {
            ::close(file);
            ::unlink(path.c_str());
        }
        // Folders that another process has filled meanwhile are not empty, and stay.
        for (const fs::path& folder : missing) ::rmdir(folder.c_str());
    };
    try {
        make_folders(path);
        file = open_file(path, O_CREAT | O_EXCL);
        if (file < 0 && errno != EEXIST) fail(path, "Cannot write", errno);
    } catch (...) {
        undo();
        throw;
    }
    undo();
}

/// Like open_file(); -1 where there is none and one can be created. @throws UsageError
int open_existing(const fs::path& path) {
    const int file = open_file(path, 0);
    if (file >= 0) return file;
    if (errno != ENOENT && errno != ENOTDIR) fail(path, "Cannot write", errno);
    try_to_make(path);
    return -1;
}

}  // namespace

void try_to_write(const fs::path& path) {
    const int file = open_existing(path);
    if (file >= 0) ::close(file);
}

ResultWriter::ResultWriter(fs::path path) : path_(std::move(path)) {
    file_ = open_existing(path_);
    check_holds_results();
}

ResultWriter::~ResultWriter() {
    if (file_ >= 0) ::close(file_);
}

void ResultWriter::check_holds_results() {
    struct stat status {};
    if (file_ < 0 || ::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) return;
    std::string text(std::size_t{1} << 20, '\0');
    const ssize_t size = ::pread(file_, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (size < 0 || begins_like_results(without_mark(std::move(text)))) return;
    ::close(std::exchange(file_, -1));
    throw UsageError(fmt::format(
        "{} is no result file: its first line is no record. Choose another file with -o or --data.",
        path_.string()));
}

void ResultWriter::begin() {
    // The existing file may have been a probe of another program, or may be gone by now.
    struct stat status {};
    if (file_ >= 0 && ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_nlink == 0) {
        ::close(file_);
        file_ = -1;
    }
    if (file_ < 0) {
        make_folders(path_);
        file_ = open_file(path_, O_CREAT);
        if (file_ < 0) fail(path_, "Cannot write", errno);
    }
    check_holds_results();
    if (ends_in_the_middle(file_)) write_all(file_, "\n", path_);
    begun_ = true;
}

void ResultWriter::add(const ResultEntry& line) {
    if (!begun_) begin();
    write_all(file_, text_of(line) + "\n", path_);
    if (::fdatasync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) {
        fail(path_, "Cannot write", errno);
    }
}

std::string folder_name(std::string_view device_name) {
    std::string name;
    for (const char letter : device_name) {
        const auto byte = static_cast<unsigned char>(letter);
        if (std::isalnum(byte) && byte < 0x80) {
            name += static_cast<char>(std::tolower(byte));
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.empty() ? "device" : name;
}

}  // namespace parallax

// Writes and reads result files, a record a line.
#include "common/results.hpp"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/error.hpp"

namespace parallax {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what, int error) {
    throw UsageError(fmt::format("{} {}: {}. Choose another file with -o.", what, path.string(),
                                 std::strerror(error)));
}

void write_all(int file, std::string_view text, const std::filesystem::path& path) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path, "Cannot write", errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// Whether the file's last line has no end.
bool ends_in_the_middle(int file) {
    const off_t size = ::lseek(file, 0, SEEK_END);
    char last = '\n';
    return size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

ResultWriter::ResultWriter(std::filesystem::path path) : path_(std::move(path)) {
    if (path_.has_parent_path()) {
        std::error_code error;
        std::filesystem::create_directories(path_.parent_path(), error);
        if (error) fail(path_.parent_path(), "Cannot make the folder", error.value());
    }
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    // A pipe or a terminal can be written but not read back.
    if (file_ < 0) file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file_ < 0) fail(path_, "Cannot write", errno);
    if (ends_in_the_middle(file_)) write_all(file_, "\n", path_);
}

ResultWriter::~ResultWriter() {
    if (file_ >= 0) ::close(file_);
}

void ResultWriter::add(const Json& record) {
    // Texts from compilers may hold any bytes: what is not UTF-8 is replaced.
    write_all(file_, record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n", path_);
    if (::fdatasync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) {
        fail(path_, "Cannot write", errno);
    }
}

ResultFile read_results(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path)) {
        throw UsageError(fmt::format("Cannot read {}: {}.", path.string(),
                                     in ? "it is a folder" : std::strerror(errno)));
    }
    ResultFile file;
    std::string line;
    for (unsigned number = 1; std::getline(in, line); ++number) {
        const bool complete = !in.eof();
        if (line.empty()) continue;
        const Json record = Json::parse(line, nullptr, false);
        const bool parsed = !record.is_discarded();
        // Another run may have gone on behind a line that a killed one left.
        if (!parsed && (!complete || line.front() == '{')) {
            file.cut_short = true;
            continue;
        }
        const std::vector<std::string> problems =
            parsed ? problems_of(record) : std::vector<std::string>{"it is not JSON"};
        if (!problems.empty()) {
            throw UsageError(
                fmt::format("{}:{}: not a record: {}. Result files are written by "
                            "'parallax run -o FILE'.",
                            path.string(), number, problems.front()));
        }
        file.records.push_back(record);
    }
    return file;
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

// Names temporary folders after their process, and removes those of ended processes.
#include "common/process/process_folders.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text/hash.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view start_of_all = "parallax-";

/// Identifies the boot and PID namespace in which process IDs are valid: another machine or
/// container may share the folder. Empty: not known.
std::string numbering() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string boot;
    std::error_code error;
    const fs::path space = fs::read_symlink("/proc/self/ns/pid", error);
    if (error || !(file >> boot)) return {};
    return hash_of(boot + space.string()).substr(0, 12);
}

/// Checks the three last dotted parts of `parallax-host-4711.80023.1f2e3d4c5b6a-AbCdEf`.
bool has_ended(std::string_view name, const std::string& here) {
    const std::size_t last = name.rfind('-');
    const std::size_t first = last == name.npos || last == 0 ? last : name.rfind('-', last - 1);
    if (!name.starts_with(start_of_all) || first == name.npos) return false;
    const std::string_view maker = name.substr(first + 1, last - first - 1);
    pid_t process = 0;
    unsigned long long begun = 0;
    const char* const end = maker.data() + maker.size();
    const auto number = std::from_chars(maker.data(), end, process);
    if (number.ec != std::errc{} || number.ptr == end || *number.ptr != '.') return false;
    const auto ticks = std::from_chars(number.ptr + 1, end, begun);
    if (ticks.ec != std::errc{} || ticks.ptr == end || *ticks.ptr != '.') return false;
    return std::string_view(ticks.ptr + 1, end) == here && begun > 0 &&
           start_time(process) != begun;
}

}  // namespace

unsigned long long start_time(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    // The program's name, in parentheses, may hold anything; the time is the 20th word after it.
    std::size_t at = text.rfind(')');
    if (at != text.npos && at + 2 < text.size() && text[at + 2] == 'Z') return 0;
    for (int word = 0; word < 20 && at != text.npos; ++word) at = text.find(' ', at + 1);
    unsigned long long ticks = 0;
    if (at != text.npos) std::from_chars(&text[at + 1], text.data() + text.size(), ticks);
    return ticks;
}

std::filesystem::path user_cache_folder(const char* cache_home, const char* home) {
    fs::path folder = cache_home ? cache_home : "";
    if (!folder.is_absolute()) folder = fs::path(home ? home : "") / ".cache";
    return folder.is_absolute() ? folder / "parallax" : "";
}

std::filesystem::path user_cache_folder() {
    return user_cache_folder(std::getenv("XDG_CACHE_HOME"), std::getenv("HOME"));
}

fs::path place_of_temporary_folders() {
    std::error_code none;
    fs::path place = fs::temp_directory_path(none);
    return none ? "/tmp" : place;
}

bool is_of_python_object(std::string_view path) {
    return path.starts_with((place_of_temporary_folders() / "parallax-python-").string());
}

std::string start_of_process_folder(std::string_view start) {
    const pid_t own = ::getpid();
    return fmt::format("{}{}.{}.{}-", start, own, start_time(own), numbering());
}

void remove_folders_of_ended_processes() {
    const std::string here = numbering();
    if (here.empty()) return;
    std::error_code error;
    std::vector<fs::path> left;
    for (fs::directory_iterator at(place_of_temporary_folders(), error), end; !error && at != end;
         at.increment(error)) {
        if (has_ended(at->path().filename().string(), here)) left.push_back(at->path());
    }
    for (const fs::path& folder : left) {
        struct stat its {};
        const bool is_own =
            ::lstat(folder.c_str(), &its) == 0 && S_ISDIR(its.st_mode) && its.st_uid == ::geteuid();
        std::error_code ignored;
        if (is_own) fs::remove_all(folder, ignored);
    }
}

}  // namespace parallax

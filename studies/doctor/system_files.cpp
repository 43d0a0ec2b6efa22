// Reads files, links and rights of a system below a root.
#include "studies/doctor/system_files.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <set>

#include <fcntl.h>
#include <unistd.h>

#include "common/text/text.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_text = std::size_t{1} << 20;

}  // namespace

SystemFiles::SystemFiles(const DoctorView& view) : view_(view) {
    if (const auto own = variable("LD_LIBRARY_PATH")) add_folders(*own);
    for (const std::string& name : names("/etc/ld.so.conf.d")) {
        std::string list = text("/etc/ld.so.conf.d/" + name).value_or("");
        std::ranges::replace(list, '\n', ':');
        add_folders(list);
    }
    add_folders(
        "/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu:/usr/lib64:"
        "/lib64:/usr/lib:/lib:/usr/local/lib:/usr/local/nvidia/lib64:/usr/local/nvidia/lib:"
        "/usr/local/cuda/lib64:/usr/local/cuda/targets/x86_64-linux/lib:/.singularity.d/libs");
}

void SystemFiles::add_folders(std::string_view list) {
    while (!list.empty()) {
        const std::string_view one = list.substr(0, list.find(':'));
        list.remove_prefix(std::min(list.size(), one.size() + 1));
        if (one.starts_with('/')) library_folders_.push_back(at(one));
    }
}

fs::path SystemFiles::at(std::string_view path) const {
    return view_.root / fs::path(path).relative_path();
}

bool SystemFiles::has(std::string_view path) const {
    std::error_code error;
    return fs::exists(at(path), error);
}

std::optional<std::string> SystemFiles::text(std::string_view path) const {
    // A pipe would be waited for.
    std::error_code error;
    if (!fs::is_regular_file(at(path), error)) return {};
    std::ifstream file(at(path), std::ios::binary);
    std::string text(most_text, '\0');
    if (!file) return {};
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

std::vector<std::string> SystemFiles::names(std::string_view folder) const {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(at(folder), error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        names.push_back(entry->path().filename());
    }
    std::ranges::sort(names);
    return names;
}

std::optional<fs::path> SystemFiles::library(std::string_view begin) const {
    std::error_code error;
    if (begin.starts_with('/')) {
        return fs::exists(at(begin), error) ? std::optional(at(begin)) : std::nullopt;
    }
    for (const fs::path& folder : library_folders_) {
        if (fs::exists(folder / begin, error)) return folder / begin;
        fs::directory_iterator entry(folder, error);
        for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
            // A dangling link is no library.
            std::error_code gone;
            if (entry->path().filename().string().starts_with(begin) &&
                fs::exists(entry->path(), gone)) {
                return entry->path();
            }
        }
    }
    return {};
}

std::vector<fs::path> SystemFiles::libraries(std::string_view name) const {
    std::vector<fs::path> found;
    std::set<fs::path> known;
    for (const fs::path& folder : library_folders_) {
        std::error_code error;
        const fs::path whole = fs::canonical(folder / name, error);
        if (!error && known.insert(whole).second) found.push_back(folder / name);
    }
    return found;
}

std::optional<std::string> SystemFiles::variable(const char* name) const {
    const char* value = view_.variable ? view_.variable(name) : nullptr;
    return value ? std::optional<std::string>(value) : std::nullopt;
}

bool SystemFiles::has_rights(const struct stat& status, mode_t wanted) const {
    const bool in_group =
        std::ranges::find(view_.user.groups, status.st_gid) != view_.user.groups.end();
    const mode_t mine = status.st_uid == view_.user.user ? status.st_mode >> 6
                        : in_group                       ? status.st_mode >> 3
                                                         : status.st_mode;
    return view_.user.user == 0 || (mine & wanted) == wanted;
}

bool SystemFiles::may_be_made(const std::string& folder) const {
    struct stat status {};
    fs::path there = fs::path(folder).is_absolute() ? at(folder) : fs::path(folder);
    while (::stat(there.c_str(), &status) != 0) {
        // Only a directory can contain anything.
        if (errno != ENOENT) return false;
        if (there == there.parent_path()) return true;
        there = there.has_parent_path() ? there.parent_path() : ".";
    }
    constexpr mode_t write_and_enter = 03;
    return S_ISDIR(status.st_mode) && has_rights(status, write_and_enter);
}

std::string SystemFiles::why_closed(std::string_view path) const {
    struct stat status {};
    const fs::path file = at(path);
    if (::stat(file.c_str(), &status) != 0) return "refused";
    constexpr mode_t read_and_write = 06;
    if (!has_rights(status, read_and_write)) return "mode";
    const int opened = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0) return errno == EPERM || errno == EACCES ? "refused" : "";
    ::close(opened);
    return {};
}

void Examination::find(std::string_view api, std::string_view name, std::string what,
                       std::string cure, bool keeps_away) {
    report.findings.push_back(
        {std::string(api), std::string(name), std::move(what), std::move(cure), keeps_away});
}

std::string shown_value(std::string_view text) {
    return printable(text, 100);
}

std::string stripped(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

std::optional<unsigned> number_in(std::string_view text) {
    unsigned number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc{} ? std::optional(number) : std::nullopt;
}

std::vector<std::string> listed(std::string_view text) {
    std::vector<std::string> words;
    for (;;) {
        words.push_back(stripped(text.substr(0, text.find(','))));
        if (text.find(',') == text.npos) return words;
        text.remove_prefix(text.find(',') + 1);
    }
}

FileUser own_user() {
    FileUser user{.user = ::geteuid(), .groups = {::getegid()}};
    const int count = ::getgroups(0, nullptr);
    if (count <= 0) return user;
    std::vector<gid_t> more(static_cast<std::size_t>(count));
    if (::getgroups(count, more.data()) == count) {
        user.groups.insert(user.groups.end(), more.begin(), more.end());
    }
    return user;
}

}  // namespace parallax

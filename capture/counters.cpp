// Maintains the memory-mapped counters, and identifies their process.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/state.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax::capture {
namespace {

namespace fs = std::filesystem;

/// The process ID and its start time, since IDs are reused.
std::string own_process() {
    std::ifstream in("/proc/self/stat");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    // The 20th word after the command, which is in parentheses and may hold anything.
    const auto words =
        split(std::string_view(text).substr(std::min(text.rfind(')'), text.size())), " ");
    return fmt::format("{}-{}", ::getpid(), words.size() > 20 ? words[20] : "");
}

/// Marks the program that this one replaced by exec as ended, which it could not do itself.
void end_the_one_before(const fs::path& folder, const std::string& process) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".live") continue;
        std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
        decltype(LiveCounts::process) other{};
        file.seekg(offsetof(LiveCounts, process));
        file.read(other.data(), other.size());
        if (!file || other.data() != process) continue;
        const decltype(LiveCounts::ended) yes = 1;
        file.seekp(offsetof(LiveCounts, ended));
        file.write(reinterpret_cast<const char*>(&yes), sizeof(yes));
    }
}

}  // namespace

void begin_live(const fs::path& file) {
    State& s = state();
    const std::string process = own_process();
    std::error_code error;
    end_the_one_before(file.parent_path(), process);
    void* place = MAP_FAILED;
    const NoFileSizeSignal no_signal;
    const int made = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    // Allocates all pages: writing to one without disk space would crash the program.
    if (made >= 0 && ::posix_fallocate(made, 0, sizeof(LiveCounts)) == 0) {
        place = ::mmap(nullptr, sizeof(LiveCounts), PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    }
    if (made >= 0) ::close(made);
    if (place == MAP_FAILED) {
        fs::remove(file, error);
        s.live = new LiveCounts;
    } else {
        s.live = new (place) LiveCounts;
    }
    process.copy(s.live->process.data(), s.live->process.size() - 1);
}

Sum& live_sum() {
    LiveCounts& live = *state().live;
    return live.used < LiveCounts::most ? live.sums.at(live.used++) : *new Sum;
}

std::optional<std::size_t> place_of(const Sum& sum) {
    const LiveCounts& live = *state().live;
    const bool is_there = &sum >= live.sums.data() && &sum < live.sums.data() + live.sums.size();
    return is_there ? std::optional(static_cast<std::size_t>(&sum - live.sums.data()))
                    : std::nullopt;
}

void publish() {
    State& s = state();
    s.live->launches = s.launches;
    s.live->seconds = seconds_since(s.start);
    s.live->snapshot_seconds = s.snapshot_seconds;
    s.live->builds = s.builds;
    s.live->to_device = s.to_device;
    s.live->from_device = s.from_device;
    s.live->on_device = s.on_device;
    s.live->mapped = s.mapped;
}

}  // namespace parallax::capture

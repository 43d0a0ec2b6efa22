// Keeps launches of either API: the first of each kind with its contents.
#include "capture/keep.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace parallax::capture {
namespace {

using Json = nlohmann::ordered_json;

/// Maximum length of a kernel's name in a file name: file systems allow no more than 255.
constexpr std::size_t most_name = 200;
/// Attempts to keep a kind while other threads interfere.
constexpr unsigned most_tries = 8;

bool is_wanted(const std::string& kernel, std::uint64_t number) {
    const Settings& settings = state().settings;
    return (settings.kernels.empty() ||
            std::ranges::find(settings.kernels, kernel) != settings.kernels.end()) &&
           (settings.launch == 0 || settings.launch == number) &&
           (settings.first == 0 || number <= settings.first);
}

/// Adds up the time of keeping contents, without waits: these are the program's own time.
class SnapshotTime {
public:
    SnapshotTime() = default;
    SnapshotTime(const SnapshotTime&) = delete;
    SnapshotTime& operator=(const SnapshotTime&) = delete;
    ~SnapshotTime() {
        const std::scoped_lock lock(state().mutex);
        state().snapshot_seconds += seconds_since(start_);
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::string hex(const std::vector<std::byte>& bytes) {
    std::string digits;
    for (const std::byte one : bytes) digits += fmt::format("{:02x}", static_cast<unsigned>(one));
    return digits;
}

std::string write_case(const std::string& wanted, Json& json) {
    const Store& store = *state().store;
    // As late as possible: an earlier failure leaves no empty file of that name.
    const std::string name = state().store->claim(wanted.substr(0, most_name), '-');
    json["name"] = name;
    try {
        store.write(name + ".json",
                    json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    } catch (...) {
        std::error_code error;
        std::filesystem::remove(store.folder() / (name + ".json"), error);
        throw;
    }
    return name;
}

void leave_out(Noted& noted, const std::string& reason) {
    ++noted.tally->left_out[reason];
    if (noted.kind) noted.kind->why_not = reason;
    noted.contents.reset();
}

void let_go(Noted& noted, const std::string& reason, bool stays) {
    if (noted.kind->is_late) {
        give_up_late(*noted.tally, *noted.kind);
        noted.contents.reset();
        return;
    }
    if (reason == Store::too_much)
        state().refused_bytes = std::min(state().refused_bytes, noted.contents->bytes());
    leave_out(noted, reason);
    if (stays) noted.kind->tries = most_tries;
}

void choose(Noted& noted, std::uint64_t number) {
    const LaunchContents& contents = *noted.contents;
    const std::string key = contents.key();
    noted.kind = choose_kind(*noted.tally, key);
    if (noted.kind) {
        noted.kind->global = contents.global();
        noted.kind->form = contents.form();
    }
    if (const std::string why_not = contents.why_not(); !why_not.empty()) {
        return leave_out(noted, why_not);
    }
    if (!is_wanted(noted.tally->kernel, number)) {
        return leave_out(noted, "not asked for (--kernel, --launch, --first)");
    }
    const std::uint64_t bytes = contents.bytes();
    if (std::shared_ptr<Kind> late = late_kind(*noted.tally, key, bytes)) {
        late->global = contents.global();
        late->form = contents.form();
        noted.kind = std::move(late);
        return;
    }
    if (!noted.kind) return leave_out(noted, "more than 64 kinds of launches of one kernel");
    Kind& kind = *noted.kind;
    if (!kind.name.empty()) {
        noted.contents.reset();
    } else if (const std::string why_not = why_not_kept(*noted.tally, kind, bytes);
               !why_not.empty()) {
        leave_out(noted, why_not);
    } else if (kind.tries >= most_tries) {
        leave_out(noted, std::string(kind.why_not));
    } else {
        ++kind.tries;
    }
}

Sum& count(Noted& noted) {
    static Sum nobody;
    if (!noted.tally) return nobody;
    noted.is_first = ++noted.tally->sum.count == 1;
    if (noted.is_first) noted.tally->first = state().launches;
    if (!noted.kind) return noted.tally->sum;
    ++noted.kind->sum.count;
    return noted.kind->sum;
}

void take_before(Noted& noted, std::unique_lock<std::mutex>& alone) {
    if (!noted.contents) return;
    alone = std::unique_lock(state().snapshot);
    try {
        if (const std::string why_not = noted.contents->wait(); !why_not.empty()) {
            const std::scoped_lock lock(state().mutex);
            let_go(noted, why_not, false);
            return;
        }
        {
            const SnapshotTime time;
            noted.contents->before();
        }
        const std::scoped_lock lock(state().mutex);
        noted.kind->before = noted.contents->files(false);
        if (noted.kind->is_late && is_kept_already(*noted.tally, *noted.kind, noted.kind->before)) {
            let_go(noted, {}, true);
        }
    } catch (const std::exception& error) {
        const std::scoped_lock lock(state().mutex);
        let_go(noted, error.what(), true);
    }
}

void take_after(Noted& noted, std::uint64_t commands) {
    std::string name, why_not;
    try {
        noted.contents->wait_for_end();
        const SnapshotTime time;
        name = noted.contents->after();
    } catch (const std::exception& error) {
        why_not = error.what();
    }
    const bool disturbed = state().commands != commands;
    if (disturbed && !name.empty()) {
        std::error_code error;
        std::filesystem::remove(state().store->folder() / (name + ".json"), error);
    }
    const std::scoped_lock lock(state().mutex);
    if (!why_not.empty()) {
        let_go(noted, why_not, true);
    } else if (!disturbed) {
        noted.kind->name = name;
        noted.kind->local = noted.contents->local();
        noted.kind->why_not.clear();
        noted.kind->files = noted.contents->files(true);
        keep_case(*noted.tally, noted.kind);
        harvest();  // a program may end without waiting for it
    } else {
        let_go(noted, "other threads enqueued commands at the same time", false);
    }
}

}  // namespace parallax::capture

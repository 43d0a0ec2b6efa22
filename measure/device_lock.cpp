// Locks one file for each GPU.
#include "measure/device_lock.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/profile.hpp"

namespace parallax {
namespace {

constexpr auto between_attempts = std::chrono::milliseconds(50);
constexpr std::size_t most_said = 200;

std::atomic<double>& waited() {
    static std::atomic<double> seconds = 0;
    return seconds;
}

/// An open lock file; the destructor closes and unlocks it.
class LockFile {
public:
    explicit LockFile(const std::filesystem::path& path) {
        constexpr mode_t for_all = 0666;
        // In a sticky shared folder O_CREAT fails on another user's file, so it is tried second.
        file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (file_ >= 0 || errno != ENOENT) return;
        file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_CREAT, for_all);
        if (file_ >= 0) ::fchmod(file_, for_all);  // independent of the umask
    }
    ~LockFile() {
        if (file_ < 0) return;
        // Clears the description of this process; if that fails, it names an ended process.
        if (has_lock_ && ::ftruncate(file_, 0) != 0) has_lock_ = false;
        ::close(file_);
    }
    LockFile(const LockFile&) = delete;
    LockFile& operator=(const LockFile&) = delete;

    bool is_open() const { return file_ >= 0; }
    /// @returns false: another process has the lock
    bool lock() {
        has_lock_ = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
        return has_lock_ || errno != EWOULDBLOCK;
    }

    void say(const std::string& who) {
        if (::ftruncate(file_, 0) == 0 &&
            ::pwrite(file_, who.data(), std::min(who.size(), most_said), 0) < 0) {
            // Waiting runs then cannot name this process.
        }
    }
    /// Another user may have written it: non-printable characters are removed.
    std::string who() const {
        std::array<char, most_said> room{};
        const ssize_t read = ::pread(file_, room.data(), room.size(), 0);
        std::string text(room.data(), static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
        std::erase_if(text, [](char one) { return one < ' ' || one > '~'; });
        return text;
    }

private:
    int file_ = -1;
    bool has_lock_ = false;
};

std::shared_ptr<const void> wait_for(const DeviceInfo& info, const DeviceLockRule& rule) {
    auto lock = std::make_shared<LockFile>(rule.folder /
                                           fmt::format("parallax-{}.lock", to_string(*info.uuid)));
    if (!lock->is_open()) return nullptr;
    HostClock::time_point last = HostClock::now();
    const InPhase phase(Phase::waiting);
    // Added up while waiting, since other threads check budgets meanwhile.
    const auto note_wait = [&] {
        const HostClock::time_point now = HostClock::now();
        waited() += std::chrono::duration<double>(now - std::exchange(last, now)).count();
    };
    for (bool has_told = false; !lock->lock(); std::this_thread::sleep_for(between_attempts)) {
        note_wait();
        if (!std::exchange(has_told, true)) {
            const std::string who = lock->who();
            const std::string busy =
                fmt::format("{} ({}) is being timed by {}", info.id(), info.name,
                            who.empty() ? "another run of parallax" : who);
            if (!rule.waits) {
                throw DeviceBusy(busy +
                                 ". Run it again when that has ended, or without --no-wait.");
            }
            if (rule.tell) rule.tell(busy + "; this run waits until that has ended.");
        }
        if (rule.check_interrupt) rule.check_interrupt();
    }
    note_wait();
    lock->say(fmt::format("process {} ({})", getpid(), fmt::join(rule.command, " ")));
    return lock;
}

}  // namespace

DeviceLocks lock_devices(std::vector<DeviceInfo> devices, const DeviceLockRule& rule) {
    static std::mutex mutex;
    static std::map<Uuid, std::weak_ptr<const void>> taken;
    DeviceLocks locks;
    if (rule.folder.empty()) return locks;
    // All runs lock in the same order, so that there is no deadlock.
    std::erase_if(devices, [](const DeviceInfo& info) { return !info.is_gpu || !info.uuid; });
    std::ranges::sort(devices, {}, [](const DeviceInfo& info) { return *info.uuid; });
    const std::scoped_lock lock(mutex);
    for (const DeviceInfo& info : devices) {
        std::weak_ptr<const void>& known = taken[*info.uuid];
        std::shared_ptr<const void> held = known.lock();
        if (!held) known = held = wait_for(info, rule);
        locks.push_back(std::move(held));
    }
    return locks;
}

DeviceLocks lock_device(const DeviceInfo& info, const DeviceLockRule& rule) {
    return lock_devices({info}, rule);
}

double seconds_waited() {
    return waited();
}

}  // namespace parallax

// Processes that compile beside this one, into the driver's cache that all of them read.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include "backends/opencl/platforms.hpp"
#include "common/device/device.hpp"

namespace parallax::opencl {

/// A process that builds programs for one device.
class BuilderProcess {
public:
    /// Forks off, once, the process that all of them are forked from later: while this one has a
    /// single thread, and before the loader's first call. Without it, or where it fails, there are
    /// none.
    /// @param icds  what they load
    static void prepare(const std::vector<Icd>& icds);
    static bool is_prepared();

    /// Returns at once; the process opens its context meanwhile. @throws Error
    explicit BuilderProcess(const DeviceInfo&);
    /// Ends it, and waits until nothing is left of it on the device.
    ~BuilderProcess();
    BuilderProcess(const BuilderProcess&) = delete;
    BuilderProcess& operator=(const BuilderProcess&) = delete;

    /// Builds there. @returns what the compiler said; nothing: it is no program, or the process has
    /// ended, which `is_alive` tells
    std::optional<std::string> build(const std::string& text, const std::string& options);
    bool is_alive() const { return is_alive_; }
    pid_t number() const { return number_; }

private:
    int socket_ = -1;
    pid_t number_ = -1;
    bool is_alive_ = true;
};

/// This process and those that build beside it for one device. NVIDIA's compiler serves one thread
/// of a process after the other: 48 texts take 10 s alone, and 2.8 s in eight processes, of which 1
/// is for opening contexts (H100, driver 580). Five that were idle disturbed nothing there: with
/// and without them copies took 181 us, launches 4.2 us, a product 406 us. Thread-safe.
class Builders {
public:
    explicit Builders(DeviceInfo info);

    /// So many builds wait: as many processes may be started as they are worth; 0: none, and those
    /// that build end with what they do. @returns how many builds go on side by side
    unsigned expect(std::size_t builds);

    /// Sees to it that the driver's cache has the text, unless it is known to be there, and calls
    /// `here`, which builds it in this process.
    /// @returns what the compiler said if another process has built it
    std::optional<std::string> build(const std::string& text, const std::string& options,
                                     const std::function<void()>& here);

private:
    using Process = std::unique_ptr<BuilderProcess>;
    std::optional<std::string> build_elsewhere(Process, const std::string& text,
                                               const std::string& options);
    bool may_start() const { return started_ < allowed_; }

    const DeviceInfo info_;
    const std::size_t most_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_here_busy_ = false;
    std::size_t allowed_ = 0, started_ = 0;  ///< processes
    std::vector<Process> idle_;
    std::set<std::string> under_way_, done_;  ///< hashes of options and text
};

}  // namespace parallax::opencl

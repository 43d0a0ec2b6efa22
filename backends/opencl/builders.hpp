// Processes that compile concurrently with this one, into the driver's shared cache.
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
#include "common/text/path_sandbox.hpp"

namespace parallax::opencl {

/// A source to be built.
struct Build {
    const std::string& text;
    const std::string& options;
    const std::optional<PathSandbox>& reach;  ///< as `confined` takes it
};

/// A process that builds programs for one device.
class BuilderProcess {
public:
    /// Forks the process from which all of them are forked later: must be called while this process
    /// has a single thread, and before the loader's first call. Without it there are none.
    /// @param icds  the drivers that they load
    static void prepare(const std::vector<Icd>& icds);
    static bool is_prepared();

    /// Returns at once; the process opens its context meanwhile. @throws Error
    explicit BuilderProcess(const DeviceInfo&);
    /// Ends it, and waits until it has left the device.
    ~BuilderProcess();
    BuilderProcess(const BuilderProcess&) = delete;
    BuilderProcess& operator=(const BuilderProcess&) = delete;

    /// Builds there. @returns the compiler's log; nothing: the build failed, or the process has
    /// ended, which `is_alive` tells
    std::optional<std::string> build(const Build&);
    bool is_alive() const { return is_alive_; }
    pid_t number() const { return number_; }

private:
    int socket_ = -1;
    pid_t number_ = -1;
    bool is_alive_ = true;
};

/// This process and those that build for one device. NVIDIA's compiler serves one thread per
/// process at a time: 48 sources take 10 s in one process, and 2.8 s in eight, 1 s of which is for
/// opening contexts (H100, driver 580). Five idle ones disturbed nothing there: with and without
/// them copies took 181 us, launches 4.2 us, a product 406 us. Thread-safe.
class Builders {
public:
    explicit Builders(DeviceInfo info);

    /// Announces waiting builds, and allows a suitable number of processes; 0: none, and busy ones
    /// end after their build. @returns how many builds run in parallel
    unsigned expect(std::size_t builds);

    /// Ensures that the driver's cache has the source, unless it is known to be there, and calls
    /// `here`, which builds it in this process.
    /// @returns the compiler's log if another process built it
    std::optional<std::string> build(const Build&, const std::function<void()>& here);

private:
    using Process = std::unique_ptr<BuilderProcess>;
    std::optional<std::string> build_elsewhere(Process, const Build&);
    bool may_start() const { return started_ < allowed_; }

    const DeviceInfo info_;
    const std::size_t most_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_here_busy_ = false;
    std::size_t allowed_ = 0, started_ = 0;  ///< number of processes
    std::vector<Process> idle_;
    std::set<std::string> under_way_, done_;  ///< hashes of options and source
};

}  // namespace parallax::opencl

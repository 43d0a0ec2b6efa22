// Tries kernels of the user on host:1 in child processes of this program.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "cli/command.hpp"
#include "measure/host_trials.hpp"

namespace parallax::cli {

/// Each kernel is tried at the smallest size that it is checked at. While something is timed, the
/// process is stopped. A running one is killed when this object ends.
class HostTrialProcesses final : public HostTrials {
public:
    explicit HostTrialProcesses(const CommandContext&);
    HostTrialProcesses(const HostTrialProcesses&) = delete;
    HostTrialProcesses& operator=(const HostTrialProcesses&) = delete;
    ~HostTrialProcesses() override;

    void ask(const Case&, bool is_timed) override;
    std::optional<HostTrial> result(const Case&) override;
    void pause(bool is_paused) override;

private:
    struct Task {
        std::string name, size;
        std::vector<std::string> words;
        bool is_timed = false;
    };
    void work();
    HostTrial tried(const Task&);
    bool is_stopped() const { return is_paused_ && waiting_ == 0; }
    void stop_or_continue();

    const fs::path program_;
    const ManifestPermissions permissions_;
    std::atomic<pid_t> group_ = 0;

    std::mutex mutex_;  ///< of the following members
    std::condition_variable changed_;
    std::deque<Task> to_do_;
    std::map<std::string, std::optional<HostTrial>> results_;  ///< by Task::name; nothing: not yet
    bool is_paused_ = false, has_ended_ = false;
    unsigned waiting_ = 0;
    double seconds_to_wait_ = 0;
    std::jthread thread_;
};

}  // namespace parallax::cli

// Starts the trials on host:1, stops them while something is timed, and reads what they say.
#include "cli/host_trials.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>

#include <fmt/format.h>

#include "cli/one_case.hpp"
#include "common/error.hpp"
#include "common/process/spawn.hpp"
#include "common/text/text.hpp"
#include "records/results.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// Seconds of one trial, and those that all cases of a run together wait for theirs.
constexpr double most_seconds = 20, all_waits = 20, all_waits_of_timed = 0.4;
constexpr int idle_niceness = 19;

/// The smallest size that the case is checked at, if possible of several work-groups; else the
/// smallest that is timed.
Case smallest(const Case& c) {
    const auto checked = on_smallest_check_shape(c);
    return checked ? *checked : with_shape(c, shapes_of(*c.suite, *c.variant).front());
}

ManifestPermissions with_whole_paths(ManifestPermissions permissions) {
    for (fs::path& folder : permissions.folders) {
        folder = fs::absolute(folder);
    }
    return permissions;
}

/// The case as host:1 runs it.
Case on_host(const Case& c) {
    return on_backend(c, "host");
}

/// One kernel is tried once, whatever the size and the side that ask. Empty: it is impossible, and
/// its verification says why.
std::string name_of_trial(const Case& c) {
    try {
        const CaseKey key = key_of(smallest(c));
        return fmt::format("{} {}", to_string(key), static_cast<const void*>(c.variant));
    } catch (const Error&) {
        return {};
    }
}

/// The result of a trial, from its only record.
HostTrial said_by(const Record& record, std::string size) {
    HostTrial trial{.size = std::move(size), .found = {}, .why_not = {}};
    const bool was_built = !record.program.build_seconds.empty();
    if (record.status == Status::wrong || (record.status == Status::failed && was_built)) {
        trial.found = record.reason;
    } else if (!is_right(record.status)) {
        trial.why_not = fmt::format("it is {}: {}", name_of(record.status), record.reason);
        if (trial.why_not.ends_with('.')) trial.why_not.pop_back();
    }
    return trial;
}

}  // namespace

HostTrialProcesses::HostTrialProcesses(const CommandContext& context)
    : program_(context.program), permissions_(with_whole_paths(context.permissions)) {}

HostTrialProcesses::~HostTrialProcesses() {
    {
        const std::scoped_lock lock(mutex_);
        has_ended_ = true;
        if (const pid_t group = group_) ::kill(-group, SIGKILL);
    }
    changed_.notify_all();
}

void HostTrialProcesses::ask(const Case& asked, bool is_timed) {
    const std::string name = name_of_trial(on_host(asked));
    if (program_.empty() || name.empty()) return;
    const Case c = smallest(on_host(asked));
    Task task{.name = name, .size = to_string(c.shape), .words = {}, .is_timed = is_timed};
    const fs::path kernel = fs::absolute(word_for(*c.suite)) / asked.variant->name;
    task.words = {"run",  "--check", "-d",         "host:1",     "-s", kernel.string(),
                  "-n",   task.size, "--one-size", "--watchdog", "0",  "--format",
                  "json", "--quiet", "-o",         "/dev/null"};
    std::ranges::move(options_for(c, permissions_, {}), std::back_inserter(task.words));
    if (permissions_.commands == CommandUse::allowed) task.words.emplace_back("--allow-command");
    const std::scoped_lock lock(mutex_);
    seconds_to_wait_ = is_timed ? all_waits_of_timed : all_waits;
    if (!results_.try_emplace(name).second) return;
    to_do_.push_back(std::move(task));
    if (!thread_.joinable()) thread_ = std::jthread([this] { work(); });
    changed_.notify_all();
}

std::optional<HostTrial> HostTrialProcesses::result(const Case& c) {
    // The side has a source that host:1 does not take.
    if (on_host(c).variant != c.variant) return {};
    std::unique_lock lock(mutex_);
    const auto found = results_.find(name_of_trial(c));
    if (found == results_.end()) return {};
    ++waiting_;
    stop_or_continue();
    const auto begin = std::chrono::steady_clock::now();
    const std::chrono::duration<double> most(seconds_to_wait_);
    changed_.wait_for(lock, most, [&] { return found->second.has_value(); });
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
    seconds_to_wait_ = std::max(0.0, seconds_to_wait_ - waited.count());
    --waiting_;
    stop_or_continue();
    return found->second.value_or(
        HostTrial{.size = {}, .found = {}, .why_not = "its trial had not ended"});
}

void HostTrialProcesses::pause(bool is_paused) {
    const std::scoped_lock lock(mutex_);
    is_paused_ = is_paused;
    stop_or_continue();
}

void HostTrialProcesses::stop_or_continue() {
    if (const pid_t group = group_) ::kill(-group, is_stopped() ? SIGSTOP : SIGCONT);
    changed_.notify_all();
}

void HostTrialProcesses::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return has_ended_ || (!to_do_.empty() && !is_stopped()); });
        if (has_ended_) return;
        const Task task = std::move(to_do_.front());
        to_do_.pop_front();
        lock.unlock();
        HostTrial trial = tried(task);
        lock.lock();
        results_[task.name] = std::move(trial);
        changed_.notify_all();
    }
}

HostTrial HostTrialProcesses::tried(const Task& task) {
    HostTrial trial{.size = task.size, .found = {}, .why_not = {}};
    try {
        const MemoryFile out, err;
        const ExitStatus ending = spawn({.program = program_,
                                         .words = task.words,
                                         .most_seconds = most_seconds,
                                         .out = out.file(),
                                         .err = err.file(),
                                         .group = &group_,
                                         .niceness = task.is_timed ? idle_niceness : 0,
                                         // No parallax.toml: it would change the request.
                                         .folder = "/"});
        read_results(fmt::format("/proc/self/fd/{}", out.file()),
                     [&](ResultEntry&& line, unsigned) {
                         const auto* record = std::get_if<Record>(&line);
                         if (record) trial = said_by(*record, task.size);
                     });
        if (!out.text().empty()) return trial;
        trial.why_not = ending.signal != 0
                            ? fmt::format("its trial did not end within {} s", most_seconds)
                            : "it was not tried: " + printable(err.text(), 200);
    } catch (const Error& error) {
        trial.why_not = fmt::format("it was not tried: {}", error.what());
    }
    return trial;
}

}  // namespace parallax::cli

// Requests trials on the device that checks races and bounds, and uses their results.
#include "measure/host_trials.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "measure/run_case.hpp"

namespace parallax {

void ask_host_trials(const RunConfig& config, std::span<const Case> cases,
                     std::span<const Entry> entries) {
    const auto makes_them = [](const Entry& entry) { return entry.info.has("sanitizers"); };
    // Without a pool nothing would stop the process while a case is timed.
    const bool may_run = config.only_checks || config.pool;
    if (!config.host_trials || !may_run || std::ranges::any_of(entries, makes_them)) return;
    const bool is_timed = std::ranges::any_of(
        entries, [&](const Entry& entry) { return is_timed_on(entry.info, config); });
    for (const Case& c : cases) {
        // Expected data are a device's results, for example from a capture; the host may round
        // differently.
        if (!c.suite->manifest.empty() && c.suite->reference_name != expected_data)
            config.host_trials->ask(c, is_timed);
    }
}

void note_host_trial(const RunConfig& config, Outcome& o) {
    if (!config.host_trials || !is_right(o.status)) return;
    o.host_trial = config.host_trials->result(o.the_case);
    if (!o.host_trial || o.host_trial->found.empty()) return;
    o.doubts.push_back({DoubtKind::wrong_on_host,
                        fmt::format("at size {} host:1, which checks races and bounds, says: {}",
                                    o.host_trial->size, o.host_trial->found)});
}

}  // namespace parallax

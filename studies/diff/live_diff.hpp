// A live diff: every case on two devices alternately, within a budget, everything kept as it is
// made.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/device/devices.hpp"
#include "measure/session.hpp"
#include "records/result_lines.hpp"
#include "studies/diff/stored_diff.hpp"

namespace parallax {

/// Options of a live comparison.
struct LiveRequest {
    Request what;  ///< cases, seed, budget
    Entry a, b;    ///< may be one entry twice
    Judgement judgement;
    /// The kernels that side B runs in place of side A's, by A's; empty: both sides run one kernel.
    std::vector<Both<const Variant*>> kernels = {};
    /// They are launches of two programs, each with its own data: what one leaves is not compared
    /// with what the other does.
    bool has_own_data = false;

    /// What side B runs for A's kernel.
    const Variant& on_b(const Variant& of_a) const;
    /// What side A runs where B runs this one.
    const Variant& on_a(const Variant& of_b) const;
};

/// Callbacks of a live diff.
struct LiveListener {
    std::function<void(const Progress&)> progress;
    /// A record or a pair, as soon as it is made.
    std::function<void(const ResultEntry& line)> keep;
    std::function<void(const std::string&)> trouble;
};

/// Runs every case on both devices: both through verification; where both are right, both
/// alternately, else the one that is right alone. Ceilings go before, and some cases are run
/// against themselves on each side.
/// @throws UsageError for a request that cannot be on either device; DeviceError when a device
/// cannot be opened; Interrupted
void run_live(const LiveRequest&, const RunConfig&, const RunInfo&, const LiveListener&);

/// The two entries to compare when none were named: the first two of one physical device and two
/// backends.
/// @throws NothingToCompare when there are none, listing the entries and advice
std::pair<Entry, Entry> entries_to_compare(const Devices&);

}  // namespace parallax

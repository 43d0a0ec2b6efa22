// The best constants of a case on a device: candidates are checked, timed and compared within a
// budget.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/session.hpp"
#include "records/tuned.hpp"
#include "studies/sweep/sweep_result.hpp"
#include "studies/tune/search.hpp"

namespace parallax {

/// Options of a search.
struct TuneRequest {
    SweepRequest what;  ///< `over` may be empty, the shape open: then one that suits the device
    Strategy strategy = Strategy::basin;
    std::size_t most_trials = 100;  ///< on each device
    std::uint64_t seed = 0;         ///< of the search and of the inputs
    double budget_seconds = 100;    ///< for all devices, each of which gets the same part
};

/// The result of a search on one device.
struct TuneResult {
    SweepResult found;  ///< of the candidates that were tried, in their order; its one device
    std::size_t candidates = 0;
    Strategy strategy = Strategy::basin;
    std::uint64_t seed = 0;
    Search::End end = Search::End::all;

    const SweepDevice& device() const { return found.devices.front(); }
    /// The place of the variant's own constants among those tried.
    std::optional<std::size_t> own() const { return found.points.own; }
    /// The index of the point to keep: the highest result among those whose interval is above that
    /// of the variant's own constants; these constants where there is none; the highest of all
    /// where they did not run. Nothing: none ran.
    std::optional<std::size_t> best() const;
    /// The speedup over the variant's own constants; nothing: these did not run.
    std::optional<double> gain() const;
    /// The result, the share of points that were tried, and the wrong answers: a sentence each.
    std::vector<std::string> sentences() const;
};

/// Searches on each device, one after the other. Every candidate goes through verification, and
/// what is tried next is built ahead.
/// @returns a result for each device on which a candidate was tried
/// @throws UsageError as tune_points() does; Interrupted
std::vector<TuneResult> tune(const TuneRequest&, const std::vector<Entry>&, const RunConfig&,
                             const RunInfo&, const Listener&, Totals& totals);

/// The same search among kept records in the place of a device: a candidate without one is of no
/// use. @param records  of one device, at one size
TuneResult tune_records(const TuneRequest&, const std::vector<Record>& records,
                        const KernelSource&);

/// The stored part of a result. Nothing: there is no best point.
/// @param records  the records of the result
std::optional<Tuned> tuned_of(const TuneResult&, const std::vector<Record>& records,
                              const RunInfo&);

}  // namespace parallax

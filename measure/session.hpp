// A run: many cases on many devices, in an order that shares inputs, within a time budget.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/device/devices.hpp"
#include "common/suite/pick.hpp"
#include "common/suite/suite.hpp"
#include "measure/progress.hpp"
#include "measure/run_case.hpp"
#include "records/record.hpp"

namespace parallax {

/// Options of a run.
struct Request {
    using Pick = CasePick;
    std::vector<Pick> picks;         ///< empty: all suites
    std::vector<Shape> shapes;       ///< empty: one that suits the device
    std::vector<ElementType> types;  ///< empty: the suite's first
    std::vector<Constant> defines;   ///< for suites and variants that have the constant
    /// Exactly these cases instead of the selection above, to be compared with each other. Points
    /// of open shape with the same choice of shapes get one shape that suits them all; a point that
    /// fits nowhere is `unsupported`.
    std::vector<Case> points;
    /// Returns a case of known shape with the constants that tuning found for a device
    /// (Case::default_constants has the others); empty: each case has its own.
    std::function<Case(const Case&, const DeviceInfo&)> tuned = {};
    bool only_check = false;  ///< verification only: no timing, no ceilings
    bool full = false;        ///< all types, all named choices of constants, all shapes
    std::uint64_t seed = 0;
    double budget_seconds = 100;

    /// Whether nothing is selected: the most important cases of every suite run.
    bool is_overview() const { return picks.empty() && points.empty() && !full; }
};

/// Callbacks of a run.
struct Listener {
    std::function<void(const Progress&)> progress;
    /// Called when a case has ended, including ceilings.
    std::function<void(const Record&)> record;
    /// Called with a full sentence when, for instance, a device could not be opened.
    std::function<void(const std::string&)> trouble;
};

/// All cases of the request on one kind of device. `Case::shape` is empty where the device decides.
/// @throws UsageError for a type, shape or constant that no selected suite has.
std::vector<Case> expand(const Request&);

/// The last case of each suite, which is the most important one, then the rest: a budget that ends
/// early still covers every suite.
std::vector<Case> by_worth(std::vector<Case>);

/// Runs everything on every entry.
/// @param run  information about the run for all records
/// @throws UsageError for a request that is impossible on all devices; Interrupted.
Totals run_session(const Request&, const std::vector<Entry>&, const RunConfig&, const RunInfo& run,
                   const Listener&);

}  // namespace parallax

// A run: many cases on many devices, in an order that shares inputs, within a budget of time.
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

/// What to run.
struct Request {
    using Pick = CasePick;
    std::vector<Pick> picks;         ///< empty: all suites
    std::vector<Shape> shapes;       ///< empty: one that suits the device
    std::vector<ElementType> types;  ///< empty: the suite's first
    std::vector<Constant> defines;   ///< over suites and variants that have the constant
    /// Exactly these instead of what all of the above stands for, to be compared with each other:
    /// those whose shape is open get one that suits all with the same choice of shapes, and one
    /// that fits nowhere is `unsupported` as any other.
    std::vector<Case> points;
    /// Gives a case, whose shape is known, the constants that were found for a device by tuning
    /// (Case::untuned); empty: each has its own.
    std::function<Case(const Case&, const DeviceInfo&)> tuned = {};
    bool only_check = false;  ///< verification alone: nothing is timed, no ceilings are measured
    bool full = false;        ///< all types, all named choices of constants, all shapes
    std::uint64_t seed = 0;
    double budget_seconds = 100;

    /// Whether it asks for nothing in particular: a look at every suite, at what matters most in
    /// it.
    bool is_overview() const { return picks.empty() && points.empty() && !full; }
};

/// Who listens.
struct Listener {
    std::function<void(const Progress&)> progress;
    /// As soon as a case has ended, ceilings among them.
    std::function<void(const Record&)> record;
    /// A device could not be opened, or the like: a full sentence.
    std::function<void(const std::string&)> trouble;
};

/// All cases that the request stands for on one kind of device, shapes left open where the device
/// decides: `Case::shape` is then empty.
/// @throws UsageError for a type, shape or constant that no picked suite has.
std::vector<Case> expand(const Request&);

/// The last case of each suite, which is what the others lead to, and then the rest: when a budget
/// ends before all are done, every suite has had its turn.
std::vector<Case> by_worth(std::vector<Case>);

/// Runs everything on every entry.
/// @param run  what all records say of the run
/// @throws UsageError for a request that cannot be on any of the devices; Interrupted.
Totals run_session(const Request&, const std::vector<Entry>&, const RunConfig&, const RunInfo& run,
                   const Listener&);

}  // namespace parallax

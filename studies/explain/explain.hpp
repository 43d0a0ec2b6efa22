// Why one side of a case is slower: evidence, and experiments made on the spot.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "measure/session.hpp"
#include "records/result_lines.hpp"
#include "studies/explain/case_bench.hpp"
#include "studies/explain/planted_gaps.hpp"
#include "studies/explain/stages.hpp"

namespace parallax {

/// A side cannot do the case, or its answer is not right: there is no speed to explain.
struct NothingToExplain : Error {
    NothingToExplain(const std::string& what, Status how, std::string compiler_log = {})
        : Error(what), status(how), log(std::move(compiler_log)) {}
    Status status;    ///< of the side
    std::string log;  ///< of its compiler, where the build failed
};

/// Options of an explanation.
struct ExplainRequest {
    Case the_case;  ///< without extents: at the size that `diff` chooses
    Entry a, b;     ///< may be one entry twice
    double margin = 0.02;
    double budget_seconds = 20;
    bool stages = true;      ///< measure where the time goes
    bool origin = true;      ///< load one side's code on the other
    bool all_knobs = false;  ///< turn the rest, too, when one explains the gap
    /// As Request::tuned: both sides get the constants that were found for A.
    std::function<Case(const Case&, const DeviceInfo&)> tuned = {};
    /// Settings of knobs that are turned first: what explained the case elsewhere.
    std::vector<std::string> candidates = {};
    const PlantedGap* planted = nullptr;  ///< put in on purpose; null: nothing
    /// Side B's kernel, as LiveRequest::kernels. Null: both sides run one kernel.
    const Variant* other_kernel = nullptr;
};

/// Helpers and callbacks; all may be missing.
struct ExplainHelp {
    std::function<void(const std::string& what)> tell;
    /// Takes the records of both sides and their pair, and the explanation.
    std::function<void(const ResultEntry& line)> keep;
    /// As StageRequest::build_times; none: the stages are not measured.
    std::function<BuildTimes(const Entry&, const Case&)> build_times;
    /// Tries the other side's code on this side in a process of its own, which may die.
    /// @returns why it cannot be done, in one sentence; empty: it went well
    /// May be called by two threads, one for each side.
    std::function<std::string(const Case&, bool is_b)> try_exchange;
};

/// Both sides through verification and alternately; where the time goes; static evidence; each
/// side's code on the other; every knob on the slower side, and where that does not explain the
/// gap, on the other side and in combinations.
/// @throws NothingToExplain; DeviceError when a device cannot be opened; Interrupted
Explanation explain(const ExplainRequest&, const RunConfig&, const RunInfo&, const ExplainHelp&);

/// Builds the other side's code for this side and verifies it, in the process that
/// `ExplainHelp::try_exchange` starts.
/// @returns why it cannot be done, in one sentence; empty: it succeeded
std::string try_exchange(const ExplainRequest&, const RunConfig&, bool is_b);

}  // namespace parallax

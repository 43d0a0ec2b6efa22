// Two sides on which a case can be built in any way, verified, and timed alternately.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/device_session.hpp"
#include "measure/paired.hpp"
#include "measure/paired_timer.hpp"
#include "measure/run_case.hpp"
#include "records/explanation.hpp"
#include "studies/explain/knobs.hpp"

namespace parallax {

/// How one side is built and run.
struct Configuration {
    Program program;
    std::vector<Constant> constants;  ///< over the case's
    std::string dynamic_local;        ///< as in KnobChange
    OpenOptions opened = {};          ///< the queues
    /// Done to the case's plan, one after the other.
    std::vector<PlanChange> plan_changes = {};
    bool by_driver = false;
    /// Done to the PTX, one after the other.
    std::vector<std::string (*)(const std::string&)> ptx_changes = {};
    /// Kernels of the file that the case does not launch are left out, which builds sooner.
    bool lean = false;
    /// PTX to be used instead of the program, by kernel; empty: the program's own.
    std::map<std::string, std::string> ptx;
    /// The PTX was right before: it runs on the side's own device, and not on one for such code.
    bool is_tried = false;
};

/// One side, built, and checked or not.
struct Built {
    Outcome outcome;
    std::shared_ptr<const Variant> variant;  ///< the case's own, where it differs from the suite's
    Device* device = nullptr;
    bool is_b = false;
    unsigned generation = 0;  ///< of the side's devices when it was built
    bool ok() const { return outcome.status == Status::ok; }
};

/// Whether the compilers made the same of both: the same machine code, or the same PTX where that
/// is all that is known and `after_ptx` is false; launched the same way.
bool same_code(const Outcome& a, const Outcome& b, bool after_ptx);

class CaseBench {
public:
    /// Opens both devices in sessions of the context, which outlives it.
    CaseBench(MeasurementContext&, const Entry& a, const Entry& b);

    /// Sets the case that build() builds on each side.
    void set_cases(const Both<Case>& cases) { cases_ = cases; }

    DeviceSession& session(bool is_b) const { return *sides_.of(is_b).session; }
    const DeviceInfo& info(bool is_b) const { return session(is_b).entry.info; }
    Device& device(bool is_b) { return session(is_b).device(); }

    /// Lets the pool build what will be built.
    void ask(bool is_b, const Configuration&);
    /// Builds and does not verify: the status is `skipped`, or gives with the reason what failed.
    Built build(bool is_b, const Configuration&);
    /// Verification for what was built: all of it, or, before code that was changed is launched at
    /// full size, Verifier::is_first_look.
    enum class Check { whole, first_look };
    void check(bool is_b, Built&, Check = Check::whole);
    /// Rebuilds what was built before its side's devices were reopened.
    void refresh(Built&, const Configuration&);

    /// Seconds of one run, of some the least: a first look at what passed verification.
    double seconds_of_a_run(const Built&) const;

    /// Two that passed verification, of whichever sides, alternately: the ratio is y's time over
    /// x's.
    /// @param looks_further  as PairedTimer::look_no_further() where it is false
    /// @returns nothing when one of them failed: its outcome says why
    std::optional<PairTiming> time_paired(Built& x, const Configuration& setup_x, Built& y,
                                          const Configuration& setup_y, const PairRule&,
                                          bool looks_further = true);

private:
    struct OneSide {
        DeviceSession* session = nullptr;
        Uploaded inputs;  ///< on its device for timing, of this reference data
        std::shared_ptr<const ReferenceData> inputs_of;
    };
    Device& device_for(bool is_b, const Configuration&);
    /// The inputs on its device, kept from one comparison to the next; empty: there is no room.
    Uploaded kept_inputs(const Built&);
    void forget_inputs(bool is_b);
    Case case_for(bool is_b, const Configuration&, std::shared_ptr<const Variant>& own) const;
    /// The configuration with the program that is built: its outcome says what of.
    Configuration prepared(bool is_b, const Configuration&, Built&);
    Codes codes_for(Device&, const Configuration&, const Plan&) const;

    Both<OneSide> sides_;
    Both<Case> cases_;
    const RunConfig& config_;
};

}  // namespace parallax

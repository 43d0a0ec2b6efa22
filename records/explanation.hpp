// Why one side of a case is slower, as plain data for reports.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "common/statistics/ratio.hpp"
#include "records/record.hpp"

namespace parallax {

/// A value for each side, A's first.
template <class T>
struct Both {
    T a{}, b{};
    T& of(bool is_b) { return is_b ? b : a; }
    const T& of(bool is_b) const { return is_b ? b : a; }
};

/// One cost of a case between source and result, measured over the same scope on both sides.
struct Stage {
    std::string name;   ///< `build, cold`, `build, warm`, `launch`, `to the device, pageable`, ...
    std::string scope;  ///< the timed operations, in one sentence
    Both<std::optional<double>> seconds;  ///< empty: not on this side; `note` says why
    bool in_whole = false;  ///< the parts with this flag add up to one use of the case from scratch
    std::string note;       ///< names of caches, sizes, why something is missing
};

/// Classes of instructions in PTX and machine code.
enum class InstructionClass {
    global_load_32,  ///< at most 32 bits per work-item
    global_load_64,
    global_load_128,
    global_store,
    shared_load_32,
    shared_load_64,
    shared_load_128,
    shared_store,
    local_memory,  ///< loads and stores of private memory: stack, spills
    constant_load,
    fused_multiply_add,  ///< for floating-point numbers
    float_arithmetic,    ///< other arithmetic with at most 32 bits
    double_arithmetic,   ///< 64-bit arithmetic, including fused multiply-adds
    division,            ///< division, square root, reciprocal and other special functions
    conversion,
    integer,
    integer_64,
    comparison,  ///< setting predicates, selecting
    branch,
    barrier,
    atomic,
    warp,  ///< shuffles, votes, matches
    move,
    other,
    count_  ///< number of classes
};
/// `128-bit shared loads`, ...
std::string_view name_of(InstructionClass);

/// Instructions in a kernel's code (static count).
struct InstructionMix {
    std::array<std::uint32_t, static_cast<std::size_t>(InstructionClass::count_)> count{};
    std::uint32_t& operator[](InstructionClass c) { return count[static_cast<std::size_t>(c)]; }
    std::uint32_t operator[](InstructionClass c) const {
        return count[static_cast<std::size_t>(c)];
    }
    std::uint32_t total() const;
    bool operator==(const InstructionMix&) const = default;
};

/// How many work-groups fit on a compute unit, and the limiting resource.
struct Occupancy {
    std::uint32_t groups = 0;  ///< work-groups per compute unit
    std::uint32_t warps = 0, most_warps = 0;
    std::string
        limited_by;  ///< `registers`, `local memory`, `warps`, `groups`; with ` and ` between
    double share() const { return most_warps > 0 ? static_cast<double>(warps) / most_warps : 0; }
    bool operator==(const Occupancy&) const = default;
};

/// Static information about one kernel.
struct KernelEvidence {
    std::string kernel;
    std::vector<std::string> options;  ///< for the compiler
    Resources resources;
    std::optional<Occupancy> occupancy;  ///< calculated; empty: no table for this device
    std::string why_no_occupancy;
    std::optional<InstructionMix> ptx, machine;  ///< empty: not available
    std::string ptx_text, machine_text;  ///< normalised, one instruction per line; may be empty
    std::string machine_source;          ///< the origin of the machine code, or why it is missing
};

/// A step between both sides, by loading one side's code on the other.
struct OriginStep {
    std::string name;            ///< `run-time and back end`, `front end`, `back end`
    std::string what;            ///< the two compared versions, in one sentence
    std::optional<Ratio> ratio;  ///< in the direction of the whole gap, B over A
    std::string reason;          ///< why it is missing
    /// Share of the logarithm of the gap; below 0: it works against it. Empty without a ratio.
    std::optional<double> share;
};

/// The side on which a knob is changed.
enum class KnobSide { a, b, both };
std::string_view name_of(KnobSide);  ///< `A`, `B`, `both`

/// The result of changing a knob.
enum class TrialStatus {
    measured,
    no_effect,    ///< the compiled code is the same: nothing to measure
    wrong,        ///< a result was wrong with it: no remedy, and not measured
    unsupported,  ///< the device, the compiler or the translator does not support it
    failed,       ///< it did not build or run
    skipped       ///< no budget left, or it failed in a launch on the other side
};
std::string_view name_of(TrialStatus);  ///< `measured`, `no effect`, ...
std::optional<TrialStatus> trial_status_named(std::string_view);

/// One change or a combination of several, on one or both sides, and its effect.
struct Trial {
    std::vector<std::string> knobs;  ///< one, or several for a combination
    std::string setting;             ///< the changed values: `ALIGN=16`
    KnobSide side = KnobSide::a;
    TrialStatus status = TrialStatus::skipped;
    std::string reason;          ///< unless measured
    std::optional<Ratio> ratio;  ///< time of B over time of A with it
    /// Share of the logarithm of the gap that it closes, with its interval: 1 closes it, 0 has no
    /// effect, below 0 widens it. Making the slower side faster and making the faster side slower
    /// count equally.
    double closes = 0, closes_low = 0, closes_high = 0;
    /// Time with over time without the change, on the changed side (the slower one for both).
    std::optional<double> own_change;
    bool closed = false;  ///< the sides are SAME with it
    /// Changed resources and instructions of the changed side: `registers 96 -> 128`.
    std::vector<std::string> consequences;
};

/// The cause according to the experiments.
struct Conclusion {
    bool has_gap = false;  ///< the sides are not SAME
    /// A trial closes at least `explained_share` of the gap, and makes the slower side faster.
    bool explained = false;
    /// Indices in Explanation::trials of the trials that explain it, the best first, which is
    /// reported as the cause.
    std::vector<std::size_t> by;
    std::string cause;   ///< one or two sentences; empty: none found
    std::string remedy;  ///< in imperative form; empty: none
    /// Knobs without an effect, each with the evidence: `restrict: the same code`.
    std::vector<std::string> ruled_out;
    /// Changes that were not tried, and why.
    std::vector<std::string> not_tried;
    /// Where no cause was found: a change that makes the faster side as slow as the other, or how
    /// the PTX of both sides differs; empty: unknown.
    std::string where = {};
    /// Indices in Explanation::trials of changes that make one side faster and are not the cause,
    /// each verified and measured twice, the largest gain first.
    std::vector<std::size_t> gains = {};
};

/// A trial that closes at least this share of the gap explains it.
inline constexpr double explained_share = 0.95;
/// A trial that closes at least this share, but less than explained_share, explains a part of it.
inline constexpr double partial_share = 0.5;
/// A trial that closes less than this has done nothing that is worth a word.
inline constexpr double little_share = 0.2;

/// A trial that closes more than this is an improvement of its own, unrelated to the gap.
inline constexpr double most_share = 1.25;

/// All findings about one case on two devices.
struct Explanation {
    CaseKey key;
    RunInfo run;
    std::string title;              ///< `transpose/tiled float 4096x4096`
    std::string answer;             ///< in at most 60 words
    Both<std::string> device;       ///< `opencl:1`
    Both<std::string> device_name;  ///< `NVIDIA H100 80GB HBM3`
    Both<std::string> kernel;       ///< variants, where the sides are two; else empty
    Both<std::string> planted;      ///< the planted change; empty: none
    Both<double> seconds;           ///< median of one run of the plan
    Ratio gap;                      ///< time of B over time of A
    Verdict verdict = Verdict::undecided;
    bool launching = false;  ///< shorter than two empty launches
    std::vector<Stage> stages;
    Both<std::vector<KernelEvidence>> evidence;
    std::vector<OriginStep> origin;
    std::string why_no_origin;  ///< why code could not be exchanged
    std::vector<Trial> trials;  ///< single knobs and combinations, the most effective first
    Conclusion conclusion;
    double took_seconds = 0;
    /// About the budget in which nothing would have been skipped; 0: nothing was, or it is not
    /// known.
    double needed_seconds = 0;

    bool b_is_slower() const { return gap.value > 1; }
    /// Whether both sides are one kernel on one device.
    bool is_one_side() const { return device.a == device.b && kernel.a == kernel.b; }
};

}  // namespace parallax

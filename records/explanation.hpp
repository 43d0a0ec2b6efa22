// Why one side of a case is slower, as plain data: all that any report of it shows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/device.hpp"
#include "common/statistics/ratio.hpp"
#include "records/record.hpp"

namespace parallax {

/// A value of each side, A's first.
template <class T>
struct Both {
    T a{}, b{};
    T& of(bool is_b) { return is_b ? b : a; }
    const T& of(bool is_b) const { return is_b ? b : a; }
};

/// One part of what a case costs from its text to its answer, measured over the same scope on both
/// sides.
struct Stage {
    std::string name;   ///< `build, cold`, `build, warm`, `launch`, `to the device, pageable`, ...
    std::string scope;  ///< from where to where, in one sentence
    Both<std::optional<double>> seconds;  ///< nothing: this side has no such part; `note` says why
    bool in_whole = false;  ///< the parts with this set add up to one use of the case from scratch
    std::string note;       ///< caches by their names, sizes, why something is missing
};

/// Classes of instructions, as PTX and machine code have them.
enum class InstructionClass {
    global_load_32,  ///< 32 bits an item or fewer
    global_load_64,
    global_load_128,
    global_store,
    shared_load_32,
    shared_load_64,
    shared_load_128,
    shared_store,
    local_memory,  ///< loads and stores of an item's own memory: stack, spills
    constant_load,
    fused_multiply_add,  ///< of floating-point numbers
    float_arithmetic,    ///< other arithmetic of 32 bits or fewer
    double_arithmetic,   ///< any of 64 bits, fused multiply-adds too
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
    count_  ///< how many there are
};
/// `128-bit shared loads`, ...
std::string_view name_of(InstructionClass);

/// Instructions in a kernel's text, not as often as they run.
struct InstructionMix {
    std::array<std::uint32_t, static_cast<std::size_t>(InstructionClass::count_)> count{};
    std::uint32_t& operator[](InstructionClass c) { return count[static_cast<std::size_t>(c)]; }
    std::uint32_t operator[](InstructionClass c) const {
        return count[static_cast<std::size_t>(c)];
    }
    std::uint32_t total() const;
    bool operator==(const InstructionMix&) const = default;
};

/// How much of a compute unit a kernel can keep busy, and what limits it.
struct Occupancy {
    std::uint32_t groups = 0;  ///< work-groups per compute unit
    std::uint32_t warps = 0, most_warps = 0;
    std::string
        limited_by;  ///< `registers`, `local memory`, `warps`, `groups`; with ` and ` between
    double share() const { return most_warps > 0 ? static_cast<double>(warps) / most_warps : 0; }
    bool operator==(const Occupancy&) const = default;
};

/// What is known of one kernel without running it.
struct KernelEvidence {
    std::string kernel;
    std::vector<std::string> options;  ///< of the compiler
    Resources resources;
    std::optional<Occupancy> occupancy;  ///< calculated; nothing: not a device with a table
    std::string why_no_occupancy;
    std::optional<InstructionMix> ptx, machine;  ///< nothing: there is no such text
    std::string ptx_text, machine_text;          ///< normalised, a line an instruction; empty: none
    std::string machine_source;  ///< how the machine code was come by, or why it was not
};

/// A step of the way from one side to the other by loading one side's code on the other.
struct OriginStep {
    std::string name;            ///< `run-time and back end`, `front end`, `back end`
    std::string what;            ///< the two that were compared, in one sentence
    std::optional<Ratio> ratio;  ///< in the direction of the whole gap, B over A
    std::string reason;          ///< why there is none
    /// Of the logarithm of the gap; below 0: it works against it. Nothing where there is no ratio.
    std::optional<double> share;
};

/// Where a knob is turned.
enum class KnobSide { a, b, both };
std::string_view name_of(KnobSide);  ///< `A`, `B`, `both`

/// What came of turning a knob.
enum class TrialStatus {
    measured,
    no_effect,    ///< the compilers made the same code of it as before: nothing to measure
    wrong,        ///< an answer was wrong with it: no remedy, and not measured
    unsupported,  ///< the device, the compiler or the translator does not take it
    failed,       ///< it did not build or run
    skipped       ///< the budget had ended
};
std::string_view name_of(TrialStatus);  ///< `measured`, `no effect`, ...
std::optional<TrialStatus> trial_status_named(std::string_view);

/// One change or a combination of several, on one side or both, and what it did.
struct Trial {
    std::vector<std::string> knobs;  ///< one, or several for a combination
    std::string setting;             ///< what was changed to what: `ALIGN=16`
    KnobSide side = KnobSide::a;
    TrialStatus status = TrialStatus::skipped;
    std::string reason;          ///< of any status but measured
    std::optional<Ratio> ratio;  ///< time of B over time of A with it
    /// Share of the logarithm of the gap that it takes away, with its interval: 1 closes it, 0 does
    /// nothing, below 0 makes it worse. It counts a change of the slower side that makes it faster
    /// and a change of the faster side that makes it slower alike.
    double closes = 0, closes_low = 0, closes_high = 0;
    /// Its own time over that without the change, of the changed side (of the slower one for both).
    std::optional<double> own_change;
    bool closed = false;  ///< with it the two are SAME
    /// What changed in resources and instructions of the changed side: `registers 96 -> 128`.
    std::vector<std::string> consequences;
};

/// Why, as far as the experiments say.
struct Conclusion {
    bool has_gap = false;    ///< the sides are not SAME
    bool explained = false;  ///< a trial closes at least `explained_share` of the gap
    /// Places in Explanation::trials of the trials that explain it, the best first. The first one
    /// is the cause that is named.
    std::vector<std::size_t> by;
    std::string cause;   ///< one or two sentences; empty: none was found
    std::string remedy;  ///< what to do; empty where there is none
    /// Knobs that were tried and did nothing, each with how it is known: `restrict: the same code`.
    std::vector<std::string> ruled_out;
    /// What was not tried, and why.
    std::vector<std::string> not_tried;
    /// How the two PTX differ, where no cause was found; empty: not known.
    std::string where = {};
};

/// A trial that closes this share of the gap explains it.
inline constexpr double explained_share = 0.95;
/// A trial that closes this much and less than explained_share explains a part of it.
inline constexpr double partial_share = 0.2;

/// A trial that takes away more than this made a gain of its own: it is not what the gap is about.
inline constexpr double most_share = 1.25;

/// All that was found out about one case on two devices.
struct Explanation {
    CaseKey key;
    RunInfo run;
    std::string title;              ///< `transpose/tiled float 4096x4096`
    std::string answer;             ///< all of it in words, a paragraph
    Both<std::string> device;       ///< `opencl:1`
    Both<std::string> device_name;  ///< `NVIDIA H100 80GB HBM3`
    Both<std::string> planted;      ///< what was put in on purpose; empty: nothing
    Both<double> seconds;           ///< median of one run of the plan
    Ratio gap;                      ///< time of B over time of A
    Verdict verdict = Verdict::undecided;
    bool launching = false;  ///< shorter than twice an empty launch
    std::vector<Stage> stages;
    Both<std::vector<KernelEvidence>> evidence;
    std::vector<OriginStep> origin;
    std::string why_no_origin;  ///< why code could not be exchanged
    std::vector<Trial> trials;  ///< single knobs and combinations, what closes most first
    Conclusion conclusion;
    double took_seconds = 0;

    bool b_is_slower() const { return gap.value > 1; }
};

}  // namespace parallax

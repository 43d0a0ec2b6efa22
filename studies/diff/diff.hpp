// The results of a comparison of two sides, as plain data: everything that a report of it shows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/statistics/ratio.hpp"
#include "records/explanation.hpp"
#include "records/pair.hpp"
#include "records/record.hpp"
#include "studies/capture/program_pair.hpp"
#include "studies/capture/program_verdict.hpp"

namespace parallax {

/// One thing in which the two sides differ.
struct Difference {
    std::string what;  ///< `kernel source`, `driver`, `build options`, ...
    std::string a, b;  ///< as each side has it
    /// The speeds of two sides that differ so must not be compared as one kernel's.
    bool forbids = false;
    /// The runs of one side differ so among themselves, which `what` names.
    bool within_side = false;
    bool operator==(const Difference&) const = default;
};

/// First question: is it the same kernel?
struct KernelAnswer {
    bool same = false;  ///< no difference forbids, and constants do not differ
    std::vector<Difference> differences;
    /// Two sources that were written separately, or two variants: their speeds are compared as
    /// those of two kernels.
    bool two_kernels = false;
};

/// Second question: is it the same answer?
struct SameAnswer {
    bool right_a = false, right_b = false;  ///< against the reference
    /// Nothing says what is right: `right_a` and `right_b` mean that answers agree with others.
    bool only_agree = false;
    double ulp_a = 0, ulp_b = 0;                     ///< largest distance from the reference
    double rms_ulp_a = 0, rms_ulp_b = 0;             ///< over all elements; 0: not known, or none
    std::optional<bool> repeatable_a, repeatable_b;  ///< every launch gave the same bits
    /// The two sides against each other; nothing: not compared (other inputs, or stored files
    /// without a hash of the outputs).
    std::optional<bool> identical;
    /// Live only: distances between the two sides' elements.
    std::optional<AnswerDistances> distance;
};

/// One side of a case.
struct Side {
    std::optional<Status> status;  ///< nothing: this side has no such case
    std::string reason;
    std::string file;                  ///< of its kernel: `transpose.cl`
    std::string log;                   ///< the compiler's, of a failed build
    std::optional<FloatRules> floats;  ///< that it was built by; nothing: it has no answer
    std::size_t runs = 0;              ///< independent runs that were read
    double seconds = 0;        ///< median time of one run of the plan; geometric mean over runs
    double low = 0, high = 0;  ///< of the median within a run; extremes over runs
    double bytes = 0, operations = 0;  ///< work of one run, by the suite's own model
    double share = 0;                  ///< of the ceiling it is nearer to; 0: not known
    std::string share_of;              ///< `copy`, `fma`; empty: not known
    double copy_bytes_per_second = 0, fma_operations_per_second = 0;  ///< ceilings; 0: not known
    std::vector<std::string> options;                                 ///< of the compiler
    std::vector<LaunchRecord> launches;                               ///< configuration, resources
    Constants tuned;  ///< the constants, where tuning gave them; empty: those of the case
    std::vector<std::string> notes;
    Doubts doubts;                         ///< why a right answer needs a human look
    std::string_view strict_failure = {};  ///< of its record (records/record.hpp)
    std::vector<std::string> unchecked;    ///< Check::unchecked

    double bytes_per_second() const { return seconds > 0 ? bytes / seconds : 0; }
    double operations_per_second() const { return seconds > 0 ? operations / seconds : 0; }
};

/// The outcome of a requested decision.
enum class Decision { none, pass, fail, undecided };

/// One case, seen from both sides.
struct CaseDiff {
    CaseKey key;
    std::string lane;           ///< which devices, where a side has several: `cuda on NVIDIA H100`
    std::string other_variant;  ///< of side B, where it is another kernel than side A's
    /// `suite/variant`; of two kernels `suite/variant against other`.
    std::string name() const {
        return other_variant.empty() ? key.name()
                                     : key.suite + "/" + other_variant + " against " + key.variant;
    }
    std::string file;         ///< of the kernel: `transpose.cl`
    std::string source_hash;  ///< of its source on side A (B where A has none)
    Side a, b;
    KernelAnswer kernel;
    SameAnswer answer;
    std::optional<Ratio> ratio;  ///< third question; only where the first two allow it
    Verdict verdict = Verdict::not_comparable;
    std::string reason;      ///< of the verdict: one or more sentences, never empty
    bool native = false;     ///< in one API's own language: not meant for the other
    bool launching = false;  ///< shorter than twice an empty launch: it tells about launching
    bool in_cache = false;   ///< the last-level cache holds more than half of the buffers
    /// The ratio decides nothing: its measurement was disturbed, or its baseline is of no use.
    bool doubted = false;
    std::optional<double> least_visible;    ///< one run per side: the smallest change that would be
                                            ///< significant, as a ratio
    std::optional<Ratio> against_baseline;  ///< this ratio over the baseline's
    bool knows_noise = false;               ///< its interval has what the baseline's runs differ by
    Decision decision = Decision::none;
    std::optional<Explanation> explanation;  ///< why; nothing: none was made
    std::string known_cause;                 ///< found on such a device before; empty: none

    /// `reduction/vector float 1048576 OP=0`; constants only where cases of the report differ in
    /// them.
    std::string title;
};

/// A case measured against itself: two device objects, own buffers, own builds.
struct SelfCheck {
    std::string device;  ///< `opencl:1`
    std::string title;
    double seconds = 0;
    Ratio ratio;
    Verdict verdict = Verdict::undecided;

    bool is_lie() const { return is_gap(verdict); }
};

/// The environment of one side. For stored sides: the values that all of its records share; values
/// that differ are joined, as `A | B`.
struct Environment {
    std::string name;  ///< the user's name for it: `opencl:1`, a file
    std::vector<std::pair<std::string, std::string>> facts;  ///< `device`: `NVIDIA H100`, ...
    std::size_t records = 0, runs = 0;
};

/// The ratios of some cases: their median, and the range of the middle 80 %.
struct RatioSpread {
    std::size_t cases = 0;
    double median = 0, low = 0, high = 0;
    /// With few cases `low` and `high` are the extremes.
    bool is_whole() const { return cases < 10; }
};

/// Numbers for all cases.
struct Summary {
    /// Cases by verdict, in the order of Verdict.
    std::array<std::size_t, verdict_count> count{};
    std::size_t decided = 0, measured = 0;
    std::size_t doubtful = 0;  ///< cases with a right answer that a person has to look at

    std::size_t of(Verdict verdict) const { return count[static_cast<std::size_t>(verdict)]; }
    RatioSpread kernels;    ///< of the measured cases that are neither of the next two
    RatioSpread launching;  ///< of those that are about launching
    RatioSpread in_cache;   ///< of the others whose data the last-level cache holds
    /// Geometric mean of the ratios of all measured cases, with its interval. One case can decide
    /// it.
    std::optional<Ratio> mean;
};

/// All of it.
struct Diff {
    bool live = false;
    Environment a, b;
    std::vector<Difference> environment;   ///< differences between the two environments
    std::vector<std::string> never_equal;  ///< what can never be equal between the two
    double margin = 0.02;
    std::optional<double> max_slowdown;  ///< 0.05: B may take 5 % longer
    /// In place of it: B may be slower than in the baseline by no more than the margin, or than the
    /// baseline's runs differ by.
    bool by_noise = false;
    bool strict = false;                 ///< a doubtful or rejected case is no success
    std::string baseline;                ///< the file; empty: none
    std::vector<CaseDiff> cases;
    std::vector<SelfCheck> self;  ///< A against A, B against B
    Summary summary;
    /// Some cases have constants that were found by tuning: each side at its best. Else both have
    /// the same.
    bool each_at_its_best = false;
    /// Live: the words of the command line that measured it.
    std::vector<std::string> command;
    std::uint64_t seed = 0;                   ///< live: of the inputs
    std::vector<std::string> warnings;        ///< what a reader should know before anything else
    double measuring_seconds = 0;             ///< spent in timed batches; 0: stored
    std::vector<ProgramVerdict> programs;     ///< those whose captured launches these cases are
    std::optional<ProgramPair> two_programs;  ///< the sides are recordings of these
    std::size_t lost_launches = 0;            ///< captured ones that their folders no longer hold
};

/// Whether a side passed the checks, and a person has to look at it all the same.
bool is_doubtful(const Side&);
/// Whether either side is.
bool is_doubtful(const CaseDiff&);
/// As strict_failure(const Record&), of the side that it names first. Of two kernels the first
/// needs no reference: it is the second's.
std::string_view strict_failure(const CaseDiff&);

/// Counts, and the medians of the ratios.
Summary summary_of(const Diff&);

/// `OpenCL` of `opencl:1`; the word itself where its backend is no API of its own: `host`.
std::string api_of(std::string_view device);

/// Printable, and not the same: `OpenCL` and `CUDA` where one physical device is both, else the
/// devices or the files (`opencl:0`, `new.jsonl`).
Both<std::string> side_names(const Diff&);

/// Whether these are `OpenCL` and `CUDA`.
bool are_apis(const Both<std::string>& names);

/// The fact of this name (`device`, `entry`) in a side's environment; empty: not known.
std::string fact_of(const Environment&, std::string_view name);

}  // namespace parallax

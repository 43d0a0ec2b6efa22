// The share of single-token errors in a user's kernel that the checks of its manifest detect.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "measure/run_case.hpp"
#include "studies/mutation/mutant_judge.hpp"
#include "suites/manifest/permissions.hpp"
#include "suites/manifest/trial_edits.hpp"

namespace parallax {

/// A kernel source of a user's suite, with all changes of it, and the variants that launch it: the
/// launches of a capture may share one.
struct KernelUnderTest {
    std::string name;  ///< of its first variant
    std::vector<const Variant*> variants;
    std::vector<Mutant> mutants;
    /// The cases of each variant: a small size, and the largest one, too, which may be as fast to
    /// verify: the manifest does not say how many operations it takes.
    std::vector<JudgedCase> cases, longer_cases;
    /// Timed sizes that would take too long, and those beyond `longer_cases`.
    std::vector<Shape> left_out, longer_left_out;
    bool may_be_longer = false;  ///< whether these cases differ
};

/// The kernels of a suite, or of a variant, as a device gets them. Those in machine code have no
/// source to change, and are left out. The same in every process.
std::vector<KernelUnderTest> kernels_under_test(const Suite&, const Variant* only,
                                                const DeviceInfo&, const RunConfig&);

/// A mutant that passed the checks, and the edit that would detect it. With `is` and `was` empty it
/// is the unchanged kernel, whose answers differ from the reference's with `edit`.
struct UnnoticedMutant {
    std::string file, function, was, is;
    unsigned line = 0, column = 0;
    std::string edit,
        path;  ///< ManifestEdit::line and path; empty: nothing that was tried shows it
};

/// The score of a kernel's checks.
struct ChecksScore {
    std::string suite, kernel;
    std::vector<std::string> variants;
    std::string device, device_name;
    std::string against;      ///< VerificationResult::against of the kernel as it is
    std::size_t noticed = 0;  ///< a wrong answer, a refused launch, or the end of its process
    std::size_t same_code = 0, not_built = 0, not_tried = 0;
    std::string size;  ///< of the first variant's own case; other sizes are the checked ones
    std::vector<std::string> left_out_sizes;  ///< timed ones that would take too long
    /// Notes and doubts of the kernel as it is, in sentences.
    std::vector<std::string> notes;
    std::vector<UnnoticedMutant> unnoticed;
    bool could_compare_code = false;  ///< whether a compiler was there to prove equal code
    /// Why the unchanged kernel cannot be judged, and what to do; empty: it can.
    std::string problem;
    bool fails = false;  ///< with a problem: it does not pass its checks

    /// The number of mutants that compile.
    std::size_t changed() const { return noticed + same_code + unnoticed.size(); }
    /// The share of those that are not proven equal; 1 where there is none.
    double share() const;
    /// A lower 95 % confidence bound (Wilson) for the share if all were tried.
    double least_share() const;
};

/// The changes of one kernel that are tried in the child processes of a score, and how.
struct ScoreTask {
    const Suite* suite = nullptr;
    const Variant* only = nullptr;  ///< empty: all variants
    ManifestPermissions permissions;
    RunConfig config;
    Entry entry;
    const Backend* compiler = nullptr;
    std::filesystem::path program;  ///< that calls judge_places()
    /// Its command line, before `--judge SECONDS [--longer] --places FILE`.
    std::vector<std::string> words;
    unsigned jobs = 1;
    double budget_seconds = 60;
    std::function<void(const std::string&)> tell;  ///< is called with the current step; empty: not
                                                   ///< called
    std::function<bool()> is_stopped;  ///< called often: true ends it with the results so far
    bool longer = false;               ///< judges KernelUnderTest::longer_cases
};

/// Tries mutants of each kernel, in an order whose beginning is spread over all of the source, and
/// searches for changes of the manifest that catch those that pass. The kernels share the budget.
std::vector<ChecksScore> score_checks(const ScoreTask&);

/// A child process: judges one place after the other (deal.hpp), and prints the result of each.
/// @param seconds  limit_time() of one build or launch
/// @returns the exit code: 1 if the device must not be used any more
int judge_places(const ScoreTask&, Device&, long seconds, int file);

/// A hash of all that a score depends on: the manifest, the sources, the data, the program.
std::string checks_digest(const Suite&, const Variant&, const RunConfig&,
                          std::string_view program_version);

}  // namespace parallax

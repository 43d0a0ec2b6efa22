// Verifies the results of a case before it is timed, and after.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite/suite.hpp"
#include "measure/binding.hpp"
#include "measure/reference_data.hpp"
#include "records/record.hpp"

namespace parallax {

/// The number of elements that differ from some other value, and of those for which that value
/// would pass.
struct Passing {
    std::uint64_t elements = 0, passing = 0;
};

struct OwnRanges;

/// The common contents of a buffer in all verified launches.
struct SeenContents {
    bool all_zero = true, all_alike = true;  ///< in each launch, all of its elements
    /// The common value of all elements so far; empty: no element was seen, or launches differ.
    std::optional<std::vector<std::byte>> number = std::vector<std::byte>();
    std::uint64_t most_elements = 0;
    void add(const HostArray&, const BufferSpec&);
};

/// The results of verification.
struct VerificationResult {
    unsigned trials = 0;                          ///< verified launches
    std::string against;                          ///< ReferenceData::against
    std::vector<Shape> shapes;                    ///< that were tried
    std::map<std::string, std::string> too_slow;  ///< that were not, and why
    std::vector<std::string> patterns;
    double worst_share = 0;  ///< Comparison's, over all trials
    double worst_ulp = 0;
    double squared_ulp = 0;      ///< of random inputs: the sum of squares of their errors in ULP
    std::uint64_t elements = 0;  ///< of these
    unsigned changed = 0;        ///< launches on inputs that took the place of others
    /// An answer to such inputs, held against that of another launch, is the one from before.
    bool is_kept_answer = false;
    /// Hashes of all outputs of a launch, by `output_key`, from the first launch with these inputs.
    std::map<std::string, std::string> output_hashes;
    /// The same of inputs with a key of their own (InputPattern::key).
    std::map<std::string, std::string> keyed_hashes;
    std::vector<std::string> untold;  ///< what could not be found out, each a sentence
    /// Whether all launches with equal inputs were bitwise identical; empty: none was repeated.
    std::optional<bool> repeatable;
    std::optional<Failure> failure;  ///< the first; empty: all results are right
    /// For a manifest's outputs: whether some launch changed the bytes.
    std::map<std::string, bool> altered;
    /// For a manifest's outputs: the most elements in all shapes.
    std::map<std::string, std::uint64_t> lengths;
    /// For a manifest's outputs: by name, by the value that would pass (`zeros`, `NaN`, an input's
    /// name) and by input pattern; of a race, by none.
    std::map<std::array<std::string, 3>, Passing> passing;
    /// Hashes, by `output_key`, of each of a manifest's outputs by name, and of all inputs (their
    /// beginnings) by the empty name.
    std::map<std::string, std::map<std::string, std::string>> held;
    /// For a manifest's buffers, by name: initial contents of launches, and expected contents after
    /// them.
    std::map<std::string, SeenContents> inputs_seen, answers_seen;
    /// On answers that vary on the program's own side, too (within_own_range()).
    AnswerRemarks variations;
    std::shared_ptr<const OwnRanges> own_ranges;  ///< what these were seen by, while it is checked
    bool right() const { return !failure; }
    /// The hash of the outputs for these inputs; empty: there was no such launch.
    std::string hash_of(const Shape&, const InputPattern&) const;
};

/// Remarks on right answers. Doubts: outputs that keep their fill, that do not depend on the
/// inputs, or where another value would pass for a large part. A note: answers that are compared
/// with expected data vary.
AnswerRemarks remarks_of(const VerificationResult&);

/// The key of launches with equal inputs.
std::string output_key(const Shape&, std::string_view pattern);

std::string output_key(const Shape&, const InputPattern&);

/// `the inputs 'integers', 'random'`, or `your data` where these come with the expected ones.
/// @param against  VerificationResult::against
std::string words_of_inputs(std::string_view against, const std::vector<std::string>& patterns);

/// The tolerance for these inputs: exact where all partial results are and the case's own tolerance
/// is only for rounding.
Tolerance tolerance_for(const Case&, const InputPattern&);

/// Every input pattern that verification tries on this case, `integers` and `random` first.
std::vector<InputPattern> input_patterns_of(const Case&);

/// Compares the outputs of `binding` with the reference data, and detects damage. Adds to
/// `checked`.
void compare_outputs(const Binding&, const Case&, const InputPattern&, std::uint64_t seed,
                     const ReferenceData&, VerificationResult& checked);

/// The same after timed launches. These accumulate in Role::in_out buffers and all that depends on
/// them: there only damage is detected.
void verify_after_timing(const Binding&, const Case&, const InputPattern&, std::uint64_t seed,
                         const ReferenceData&, VerificationResult& checked);

/// One trial of verification.
struct VerificationTrial {
    Case the_case;  ///< with the tried shape
    InputPattern pattern;
};

/// All trials of a case, in order: every input pattern on the suite's check shapes, then `integers`
/// and `random` on the case's own shape. A timed case's `random` is verified after timing, and is
/// tried here only if launches change their inputs. Then Suite::tried_once, on a shape of their own
/// or on the last check shape and, where nothing is timed, on the case's own.
/// @param is_brief  for a quick check of many cases: edge-case patterns on the last check shape
/// only, and nothing on the case's own shape
/// @param leaves_own_shape  to PairedTimer, where there are check shapes
std::vector<VerificationTrial> trials_of(const Case&, bool is_brief, bool is_timed,
                                         bool leaves_own_shape = false);

/// The case on the smallest of its check shapes, if possible with its own constants and of several
/// work-groups, so that errors between them show. Nothing: it has none.
std::optional<Case> on_smallest_check_shape(const Case&);

/// Verifies cases on a device.
struct Verifier {
    Device& device;
    ReferenceCache& references;
    std::uint64_t seed = 1;
    /// Called before each trial; it may throw to stop.
    std::function<void()> check_interrupt = {};
    bool is_brief = false, is_timed = true, leaves_own_shape = false;  ///< as for trials_of()
    bool is_one_size = false;             ///< only the trials on the case's own shape
    /// Only `integers` and `random` on the smallest check shape, for code that may do harm.
    bool is_first_look = false;
    bool is_ordinary = false;             ///< the program may assume finite numbers, no denormals
    /// Receives NAME.bin of each output after the first launch at the case's own size, also of
    /// wrong ones; empty: nothing is written.
    std::filesystem::path saved_outputs = {};
    std::optional<Binding> binding = {};  ///< of the last launch, used again for the same plan

    /// The whole verification: trials_of(). Ends at the first failure.
    /// @param program  the program of `codes`: it is rebuilt for a shape on which constants depend
    VerificationResult verify(const Case&, const Program& program, const Codes&);
    /// Runs and verifies one launch of the plan: loads inputs, poisons outputs and scratch, fills
    /// guard zones, then compares outputs, inputs and guard zones. Adds to `checked`.
    void launch(const Case&, const Codes&, const InputPattern&, VerificationResult& checked);
};

/// Adds a launch with these inputs to what was seen, as of the case's own shape.
void note_launch(const Case&, const InputPattern&, VerificationResult& checked);

/// The plan of a case. @throws Error when it refers to a missing buffer or step.
Plan plan_of(const Case&);

}  // namespace parallax

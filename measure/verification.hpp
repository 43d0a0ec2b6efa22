// Verification: no figure without a check.
#pragma once

#include <array>
#include <cstdint>
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

/// Elements of an output that are not what something else is, and those of them for which that
/// would pass.
struct Passing {
    std::uint64_t elements = 0, passing = 0;
};

struct OwnRanges;

/// What verification saw.
struct VerificationResult {
    unsigned trials = 0;        ///< launches checked
    std::string against;        ///< ReferenceData::against
    std::vector<Shape> shapes;  ///< that were tried
    std::vector<std::string> patterns;
    double worst_share = 0;  ///< Comparison's, over all trials
    double worst_ulp = 0;
    /// Of all outputs of a launch, by `output_key`; the first launch with these inputs.
    std::map<std::string, std::string> output_hashes;
    /// Whether all launches with equal inputs gave the same bits; nothing: none was repeated.
    std::optional<bool> repeatable;
    std::optional<Failure> failure;  ///< the first; none: all were right
    /// Of a manifest's outputs: whether some launch left other bytes than those before it.
    std::map<std::string, bool> altered;
    /// Of a manifest's outputs: by name, by what would pass (`zeros`, `NaN`, an input's name) and
    /// by filling.
    std::map<std::array<std::string, 3>, Passing> passing;
    /// Of each of a manifest's outputs by its name, and of all inputs (their beginnings) by none:
    /// what they held, by `output_key`.
    std::map<std::string, std::map<std::string, std::string>> held;
    /// On answers that vary on the program's own side, too (within_own_range()).
    AnswerRemarks variations;
    std::shared_ptr<const OwnRanges> own_ranges;  ///< what these were seen by, while it is checked
    bool right() const { return !failure; }
};

/// What is to be said of right answers. Doubts: outputs that stay as they were filled, that do not
/// depend on the inputs, or for a good part of which something else would pass. A note: answers
/// held against expected data vary.
AnswerRemarks remarks_of(const VerificationResult&);

/// What launches with equal inputs have in common.
std::string output_key(const Shape&, std::string_view pattern);

/// What a launch with these inputs is held to: exact where all partial results are, and the case's
/// own tolerance is but one of rounding.
Tolerance tolerance_for(const Case&, const InputPattern&);

/// Every kind of inputs that verification tries on this case, `integers` and `random` first.
std::vector<InputPattern> input_patterns_of(const Case&);

/// Runs and checks one launch of the plan: inputs loaded, outputs and scratch poisoned, guard zones
/// filled, and after it outputs, inputs and guard zones compared. Adds to `checked`.
void verify_launch(Device&, const Case&, const Codes&, const InputPattern&, std::uint64_t seed,
                   ReferenceCache&, VerificationResult& checked);

/// Compares the outputs of `binding` with the reference data's and looks for damage. Adds to
/// `checked`.
void compare_outputs(const Binding&, const Case&, const InputPattern&, std::uint64_t seed,
                     const ReferenceData&, VerificationResult& checked);

/// The same after launches that were timed. What they leave in a buffer that is Role::in_out, and
/// in all that follows from it, is the work of many launches: there only damage is looked for.
void verify_after_timing(const Binding&, const Case&, const InputPattern&, std::uint64_t seed,
                         const ReferenceData&, VerificationResult& checked);

/// One trial of verification.
struct VerificationTrial {
    Case the_case;  ///< with the shape that is tried
    InputPattern pattern;
};

/// All that verification tries on a case, in order: every filling on the suite's check shapes, then
/// `integers` and `random` on the case's own shape. Where it is timed, `random` is what the timed
/// launches compute, which are checked as well, and is tried here only if they change their inputs.
/// @param is_brief  for a look at many cases: hostile fillings on the last of the check shapes
/// only, and nothing on the case's own shape
std::vector<VerificationTrial> trials_of(const Case&, bool is_brief, bool is_timed);

/// The whole gate: trials_of(). Ends at the first failure.
/// @param program  what `codes` were built from: for a shape that constants follow it is built anew
/// @param between called before each trial; it may throw to stop
VerificationResult verify_case(Device&, const Case&, const Program& program, const Codes&,
                               std::uint64_t seed, ReferenceCache&,
                               const std::function<void()>& between = {}, bool is_brief = false,
                               bool is_timed = true);

/// The plan of a case. @throws Error when it names what is not there.
Plan plan_of(const Case&);

}  // namespace parallax

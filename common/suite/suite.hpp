// A suite as plain data: its question, variants, launches and expected results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/program.hpp"
#include "common/device/types.hpp"
#include "common/suite/answer.hpp"
#include "common/suite/case.hpp"
#include "common/suite/drawing.hpp"
#include "common/suite/plan.hpp"

namespace parallax {

/// A constant of a suite's kernels.
struct ConstantSpec {
    std::string name;
    std::int64_t value = 0;  ///< unless a variant or `--define` says otherwise
    std::int64_t least = 0, most = 0;
    std::string meaning;
    std::vector<std::string> choices =
        {};                       ///< names of the values 0, 1, ...; empty: it is a number
    bool changes_answer = false;  ///< the reference depends on it
    bool is_argument = false;     ///< passed to the kernel by the plan: one build serves all values
    /// Computes its value from the case's shape and other constants: each size has its own build.
    /// Empty: the same value for all sizes.
    std::function<std::int64_t(const Case&)> follows = {};
    /// Values that `parallax tune` tries in addition to the variant's; empty: not tuned. In a
    /// built-in suite never for a constant that changes the result.
    std::vector<std::int64_t> tuning_values = {};
};

/// The constant with ConstantSpec::tuning_values.
inline ConstantSpec searched(ConstantSpec one, std::vector<std::int64_t> tuning_values) {
    one.tuning_values = std::move(tuning_values);
    return one;
}

/// Work-group sizes that are worth trying on any device.
inline const std::vector<std::int64_t> group_sizes{32, 64, 128, 256, 512, 1024};

/// A constant and the values over which a variant is swept.
struct Sweep {
    std::string constant = {};  ///< empty: none
    std::vector<std::int64_t> values = {};
    std::vector<std::int64_t> all_values = {};  ///< with `--full`
};

/// A source in one backend's own language.
struct NativeSource {
    std::string backend;                    ///< the host device uses those of `cuda`
    std::string source;                     ///< file name
    std::string feature = {};               ///< as Variant::feature
    std::vector<std::string> options = {};  ///< required build options
    std::string library = {};               ///< vendor library: `cuBLAS`; empty: a kernel
    Language language = Language::native;   ///< of `source`; `library` has its own
    /// Program::name_expressions
    std::vector<std::string> name_expressions = {};
    std::vector<Constant> constants = {};  ///< values on this side, in place of the case's
};

/// One implementation.
struct Variant {
    std::string name;
    std::string description;               ///< one line for `list`
    std::vector<Constant> constants = {};  ///< where they differ from the suite's
    std::function<Plan(const Case&)> plan = {};
    /// Longest chain of roundings (Tolerance::depth).
    std::function<double(const Case&)> depth = {};
    std::string source = {};  ///< file name of its portable source; empty: the suite's
    /// Native sources, one per backend. A variant with native sources has no portable one, runs on
    /// these backends only, and is never compared as the same kernel.
    std::vector<NativeSource> natives = {};
    /// The same kernel, written separately in CUDA: on devices of `cuda` and `host` it replaces
    /// this variant (on_backend). It has the variant's name, and is native. Null: none.
    std::shared_ptr<const Variant> for_cuda = {};
    std::string no_opencl = {};           ///< why it has no OpenCL C; empty: it needs no reason
    std::string feature = {};             ///< required in DeviceInfo::features; empty: none
    std::vector<ElementType> types = {};  ///< supported types; empty: the suite's
    std::vector<Shape> shapes = {};       ///< to be timed; empty: the suite's
    bool by_name_only = false;            ///< runs only when it is named itself
    Sweep sweep = {};
    /// Variants of one problem have the same inputs and expected results. Empty in nearly all
    /// suites: all variants solve one problem.
    std::string problem = {};
    /// Fixed floating-point rules; empty: those requested.
    std::optional<FloatRules> floats = {};
    std::string standard = {};  ///< Program::standard
};

/// Seconds by variant: medians on one device, for one shape, type and set of constants. Variants
/// that did not run are missing.
using Seconds = std::map<std::string, double, std::less<>>;

/// A question to devices: one kernel file, several variants, one reference.
struct Suite {
    std::string name;
    std::string question;
    std::string source;                   ///< file name of the kernels
    std::vector<std::string> dimensions;  ///< names of the extents
    std::vector<ElementType> types;       ///< the first is the default
    std::vector<ConstantSpec> constants;
    std::vector<Variant> variants;
    std::vector<Shape> shapes;  ///< to be timed, the smallest first
    std::vector<Shape>
        check_shapes;  ///< small and odd ones that verification uses in addition to the timed one
    std::vector<InputPattern> edge_cases = {};  ///< in addition to `integers` and `random`
    /// Tried on one or two shapes only, after all others: other random inputs, of which
    /// `drawn_again` is there where inputs can be drawn again.
    std::vector<InputPattern> tried_once = {};
    /// Inputs that no pattern has at these sizes, in sentences; empty: of none it is known.
    std::function<std::vector<std::string>(const Case&, const std::vector<Shape>&)> untried = {};
    /// Variants, by name, that run only when the suite is selected by name.
    std::vector<std::string> opt_in = {};
    bool is_ceiling = false;  ///< measures a limit of the device; run first

    /// The manifest file as given; empty: a built-in suite. In a manifest's sources `T` is an
    /// ordinary name.
    std::string manifest = {};
    /// Returns its kernel sources, by `source`; only with `manifest`.
    std::function<std::string(std::string_view file)> text = {};
    /// The source as its author wrote it, where `text` is the preprocessor's output.
    std::function<std::optional<WrittenSource>(std::string_view file)> written = {};
    std::vector<Define> defines = {};
    std::optional<SourceFiles> files = {};  ///< of its sources, as in `Program`
    /// The changes of its sources before compilation, in one sentence; empty: none.
    std::string notice = {};
    /// Why its right answers need a human look, whatever verification sees; empty: they need none.
    std::string doubt = {};
    /// The name of the reference where `reference` gives the expected answers.
    std::string reference_name = "reference";
    /// Without `reference`: the kernel whose results on a device are the reference; its buffers are
    /// those of the variants, by name. Without both, devices are compared with each other.
    std::shared_ptr<const Variant> reference_kernel = {};

    /// One array for each initialised buffer of the plan; deterministic.
    std::function<std::vector<HostArray>(const Case&, const InputPattern&, std::uint64_t seed)>
        inputs;
    /// The generation of a case's `random` inputs on a device, for each initialised buffer of the
    /// plan: the seed is the key. Empty: only the host generates them.
    std::function<std::vector<DrawnBuffer>(const Case&)> drawing = {};
    /// One for each compared buffer of the plan.
    std::function<std::vector<Expected>(const Case&, const std::vector<HostArray>&)> reference;
    std::function<Tolerance(const Case&)> tolerance;
    std::function<Work(const Case&)> work;
    /// Why this case is impossible, in one sentence; empty: it is possible.
    std::function<std::string(const Case&)> refuse = {};
    /// Conclusions from the times of the variants, in full sentences.
    std::function<std::vector<std::string>(const Seconds&)> conclude = {};
    /// Remarks about right results: sentences, one per line; may be empty.
    std::function<std::string(const Case&, const std::vector<Expected>&)> summarize = {};
};

/// All built-in suites, in the order of display.
const std::vector<Suite>& suites();

/// The names of the elements that have one, in order.
template <class Items>
std::vector<std::string> names(const Items& items) {
    std::vector<std::string> list;
    for (const auto& item : items) list.push_back(item.name);
    return list;
}

/// @throws UsageError with the available names.
const Suite& suite_named(std::string_view name);
const Variant& variant_named(const Suite&, std::string_view name);

/// The file of the variant's portable source.
const std::string& portable_source(const Suite&, const Variant&);

/// The variant's native source for a backend; null: none.
const NativeSource* native_source(const Variant&, std::string_view backend);
/// The case of another kernel of its suite: of the same size and type, with that variant's
/// constants.
Case with_kernel(const Case&, const Variant&, const std::vector<Constant>& defines);

/// The case with the variant that replaces its own on devices of a backend (Variant::for_cuda).
Case on_backend(Case, std::string_view backend);
/// Whether the case's kernel replaces one that other backends run.
bool is_written_separately(const Case&);
/// The feature that a device of `backend` needs for the variant, as Variant::feature.
std::string_view feature_for(const Variant&, std::string_view backend);
/// `opencl, cuda`: the backends that the variant has native sources for.
std::string native_backends(const Variant&);

/// A case with the suite's constants, overridden by the variant's, then by `defines`.
/// @throws UsageError for an invalid type, shape or constant.
Case make_case(const Suite&, const Variant&, Shape, ElementType,
               const std::vector<Constant>& defines = {});

/// The case with this shape, and the constants that follow from it.
Case with_shape(Case, Shape);

/// The case with other values of some constants (the last one of duplicates), and those that follow
/// from them.
/// @throws UsageError as make_case does
Case with_constants(const Case&, const std::vector<Constant>& values);

/// All constants of the suite in its order: its values, overridden by the variant's, then by
/// `defines`.
std::vector<Constant> constants_of(const Suite&, const Variant&,
                                   const std::vector<Constant>& defines);

/// Whether a case is about the size of errors other than rounding errors.
bool shows_error(const Case&);

/// The timed shapes of the variant, the smallest first.
const std::vector<Shape>& shapes_of(const Suite&, const Variant&);

/// Bytes of all device buffers of the plan, and of the largest buffer.
struct Footprint {
    std::uint64_t total = 0, largest = 0;
};
Footprint footprint(const Plan&);

/// Why the case's constant ALIGN, the alignment of local arrays, is invalid; empty: it is valid.
std::string refuse_alignment(const Case&);

/// The number of work-groups of `per_group` that cover `count`.
constexpr std::uint64_t divide_up(std::uint64_t count, std::uint64_t per_group) {
    return count / per_group + (count % per_group != 0);
}

/// The suite's first type, or the variant's own first where it does not support that.
inline ElementType default_type(const Suite& suite, const Variant& variant) {
    const ElementType first = suite.types.front();
    const bool is_written =
        variant.types.empty() || std::ranges::find(variant.types, first) != variant.types.end();
    return is_written ? first : variant.types.front();
}

}  // namespace parallax

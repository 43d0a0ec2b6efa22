// A suite as plain data: its question, its variants, what they launch, and what is right.
#pragma once

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
    /// Its value for the case's shape, of the other constants: each size has a build of its own.
    /// Empty: the same value for all sizes.
    std::function<std::int64_t(const Case&)> follows = {};
    /// Values that `parallax tune` tries, beside the one that a variant has; empty: it leaves the
    /// constant alone. Never of one that changes the answer.
    std::vector<std::int64_t> tuning_values = {};
};

/// The constant with ConstantSpec::worth.
inline ConstantSpec searched(ConstantSpec one, std::vector<std::int64_t> tuning_values) {
    one.tuning_values = std::move(tuning_values);
    return one;
}

/// Sizes of a group that are worth trying on any device.
inline const std::vector<std::int64_t> group_sizes{32, 64, 128, 256, 512, 1024};

/// A constant that a variant is shown over a range of.
struct Sweep {
    std::string constant = {};  ///< empty: none
    std::vector<std::int64_t> values = {};
    std::vector<std::int64_t> all_values = {};  ///< with `--full`
};

/// A text in one backend's own language.
struct NativeSource {
    std::string backend;                    ///< the host takes those of `cuda`
    std::string source;                     ///< file name
    std::string feature = {};               ///< as Variant::feature
    std::vector<std::string> options = {};  ///< build options that it cannot do without
    std::string library = {};               ///< whose calls it is: `cuBLAS`; empty: it is a kernel
};

/// One way to do it.
struct Variant {
    std::string name;
    std::string description;               ///< one line for `list`
    std::vector<Constant> constants = {};  ///< where they differ from the suite's
    std::function<Plan(const Case&)> plan = {};
    /// Longest chain of roundings (Tolerance::depth).
    std::function<double(const Case&)> depth = {};
    std::string source = {};  ///< file name of its portable text; empty: the suite's
    /// Native texts, one a backend. Where there are any the variant has no portable text, runs on
    /// these backends only, and is never compared as the same kernel.
    std::vector<NativeSource> natives = {};
    std::string feature = {};  ///< DeviceInfo::features must have it; empty: nothing special
    std::vector<ElementType> types = {};  ///< that it is written for; empty: the suite's
    std::vector<Shape> shapes = {};       ///< to be timed; empty: the suite's
    Sweep sweep = {};
    /// Variants of one problem have the same inputs and the same right answers. Nearly always all
    /// of a suite are: empty.
    std::string problem = {};
    /// What it is built with, whatever is asked for; nothing: what is asked for.
    std::optional<FloatRules> floats = {};
    std::string standard = {};  ///< Program::standard
};

/// Seconds that variants took, by name: medians on one device, of one shape, type and choice of
/// constants. What did not run is not there.
using Seconds = std::map<std::string, double, std::less<>>;

/// A question put to devices: one kernel file, several variants, one reference.
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
        check_shapes;  ///< small and odd ones that verification tries beside the timed one
    std::vector<InputPattern> edge_cases;  ///< beside `integers` and `random`
    /// Variants, by name, that are left out where all suites are run at once: they are for who asks
    /// for the suite.
    std::vector<std::string> opt_in = {};
    bool is_ceiling = false;  ///< measures what the device can do at most; run first

    /// The file that it was read from, as it was named; empty: it is the program's own. `T` is a
    /// name like others in such a suite's texts.
    std::string manifest = {};
    /// Its kernel sources, by `source`; only with `manifest`.
    std::function<std::string(std::string_view file)> text = {};
    std::vector<Define> defines = {};
    /// What was done to its texts before they are compiled, in one sentence; empty: nothing.
    std::string notice = {};
    /// Why its right answers need a human look, whatever verification sees; empty: they need none.
    std::string doubt = {};
    /// What the answers are held against where `reference` gives them.
    std::string reference_name = "reference";
    /// Without `reference`: what gives the right answers when a device runs it; its buffers are
    /// those of the variants, by name. Without both, devices are compared with each other.
    std::shared_ptr<const Variant> reference_kernel = {};

    /// One array for each buffer of the plan that is loaded, the same for the same arguments.
    std::function<std::vector<HostArray>(const Case&, const InputPattern&, std::uint64_t seed)>
        inputs;
    /// One for each buffer of the plan whose content is an answer.
    std::function<std::vector<Expected>(const Case&, const std::vector<HostArray>&)> reference;
    std::function<Tolerance(const Case&)> tolerance;
    std::function<Work(const Case&)> work;
    /// Why this case cannot be, in one sentence; empty: it can.
    std::function<std::string(const Case&)> refuse = {};
    /// What the times of the variants say together, in full sentences.
    std::function<std::vector<std::string>(const Seconds&)> conclude = {};
    /// What follows from right answers and a reader would like to know: sentences, each on a line
    /// of its own; empty: nothing.
    std::function<std::string(const Case&, const std::vector<Expected>&)> summarize = {};
};

/// All suites that this program was built with, in the order in which they are shown.
const std::vector<Suite>& suites();

/// The names of things that have one, in order.
template <class Items>
std::vector<std::string> names(const Items& items) {
    std::vector<std::string> list;
    for (const auto& item : items) list.push_back(item.name);
    return list;
}

/// @throws UsageError naming what there is.
const Suite& suite_named(std::string_view name);
const Variant& variant_named(const Suite&, std::string_view name);

/// The file of the variant's portable text.
const std::string& portable_source(const Suite&, const Variant&);
/// The files of the suite's portable texts, its own first.
std::vector<std::string> portable_sources(const Suite&);

/// The variant's native text for a backend; null: it has none.
const NativeSource* native_source(const Variant&, std::string_view backend);
/// What a device of `backend` must have for the variant, as Variant::feature.
std::string_view feature_for(const Variant&, std::string_view backend);
/// `opencl, cuda`: the backends that the variant has native texts for.
std::string native_backends(const Variant&);

/// A case with the suite's constants, the variant's over them and `defines` over those.
/// @throws UsageError for a type, shape or constant that cannot be.
Case make_case(const Suite&, const Variant&, Shape, ElementType,
               const std::vector<Constant>& defines = {});

/// The case on a problem of this shape, with the constants that follow from it.
Case with_shape(Case, Shape);

/// The case with other values of some constants, of one that is there twice the later, and with
/// those that follow from these.
/// @throws UsageError as make_case does
Case with_constants(const Case&, const std::vector<Constant>& values);

/// All constants of the suite in its order: its values, the variant's over them, `defines` over
/// those.
std::vector<Constant> constants_of(const Suite&, const Variant&,
                                   const std::vector<Constant>& defines);

/// Whether the size of errors is what a case is about, and not that of rounding.
bool shows_error(const Case&);

/// The shapes that the variant is timed on, the smallest first.
const std::vector<Shape>& shapes_of(const Suite&, const Variant&);

/// Bytes of all buffers of the plan that are on the device, and of the largest of all.
struct Footprint {
    std::uint64_t total = 0, largest = 0;
};
Footprint footprint(const Plan&);

/// Why the case's constant ALIGN, the alignment of local arrays, cannot be; empty: it can.
std::string refuse_alignment(const Case&);

/// Groups of `per_group` that cover `count`.
constexpr std::uint64_t divide_up(std::uint64_t count, std::uint64_t per_group) {
    return count / per_group + (count % per_group != 0);
}

}  // namespace parallax

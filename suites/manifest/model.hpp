// A manifest as written: parsed and checked for its form, but not for consistency.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/device/build_options.hpp"
#include "common/device/program.hpp"
#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "common/text/path_sandbox.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::manifest {

/// The largest integers that formulas, in double precision, hold exactly.
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

/// The initial content of a buffer.
struct InputPattern {
    enum class Kind {
        none,
        zeros,
        iota,
        integers,
        random,
        sorted,
        permutation,
        csr_offsets,
        csr_columns,
        value,
        file,
        formula
    };
    Kind kind = Kind::none;
    /// For random and sorted: half-open range. For csr_offsets: elements and columns.
    std::optional<std::pair<double, double>> range;
    std::array<std::string, 2> bounds;  ///< the formulas of `range`, unless they are numbers
    bool special = false;               ///< of random: NaN, infinities, ... are tried, too
    std::string offsets;                ///< for csr_columns: the buffer with the rows' offsets
    std::string formula;                ///< for the element `i`
    double value = 0;
    std::string file;

    /// Whether verification tries other values than these.
    bool varies() const { return kind >= Kind::integers && kind <= Kind::csr_columns; }
    /// Whether numbers of both signs are drawn.
    bool has_signs() const {
        return kind == Kind::random && range && range->first < 0 && range->second > 0;
    }
};

/// The name of verification's third pattern where a buffer has numbers of both signs: `integers`
/// are then negative.
inline constexpr const char* above_zero = "above 0";

/// One argument of a kernel.
struct ArgumentSpec {
    enum class Kind { value, buffer, local, same } kind = Kind::value;
    std::string name;                 ///< empty: the parameter's
    std::optional<ValueType> said;    ///< as given in the manifest
    ValueType type;                   ///< as given, or the parameter's
    std::string opaque;               ///< the parameter's type if it is not numeric
    std::vector<std::string> values;  ///< formulas, one for each component (value)
    std::vector<std::byte> bytes;     ///< instead of `values`
    /// An address within `bytes`: of a place in the buffer of another argument.
    struct Pointer {
        std::size_t at = 0;
        std::string to;  ///< the argument's name
        std::uint64_t offset = 0;
        std::size_t place = 0;  ///< of the argument
    };
    std::vector<Pointer> pointers;
    /// Whether it is such an address and nothing else: a pointer that leads into a buffer.
    bool is_address() const { return pointers.size() == 1 && bytes.size() == 8; }
    bool is_null = false;               ///< a null pointer, of these bytes
    bool is_constant = false;           ///< a `__constant` buffer
    std::string count;                  ///< formula: elements of `type` (buffer, local)
    bool counts_bytes = false;          ///< `count` is in bytes
    std::optional<ImageExtents> image;  ///< of a buffer that is an image
    /// Formulas of its width, height and depth; empty: no such extent.
    std::array<std::string, 3> texels;
    std::optional<Sampler> sampler;  ///< how CUDA's texture of the image is read
    bool is_sampler = false;         ///< `bytes` are its bits
    std::size_t same_as = 0;         ///< the earlier argument with the same buffer (same)
    InputPattern fill;
    std::string after;  ///< file: the expected content after the kernel
    Role role = Role::input;
    bool is_role_said = false;
    Order order = Order::given;
    std::string row = "1";  ///< formula: elements of `type` that stay together (Order::any)
    std::string path;       ///< position in the JSON, for messages
    std::string only;       ///< `opencl` or `cuda`: the side that has it; empty: both
    /// Members of a struct; `struct_name` is then its type's name, and `type` is unused.
    std::vector<ArgumentSpec> members;
    std::string struct_name;
    unsigned elements = 1;  ///< of an array member
    bool is_array = false;
};

/// The OpenCL memory layout of an argument's element.
struct Layout {
    struct Part {
        const ArgumentSpec* member;
        std::uint64_t offset;
    };
    std::uint64_t bytes = 0, alignment = 1;  ///< of one element
    ElementType scalar{};                    ///< the type for comparing the bytes
    std::vector<Part> parts;                 ///< of a struct: its members, including nested ones
};
Layout layout_of(const ArgumentSpec&);

/// The maximum extent of an image in a manifest, whatever the device.
constexpr std::uint64_t most_texels(std::size_t axis, const ImageExtents& image) {
    if (axis == 2) return 16384;
    return axis == 0 && image.height == 0 ? std::uint64_t{1} << 30 : std::uint64_t{1} << 17;
}

/// A kernel and its launch.
struct LaunchSpec {
    std::string kernel;
    std::vector<std::size_t> arguments;      ///< indices in `KernelSource::arguments`
    std::vector<std::string> items, groups;  ///< formulas; `groups` counts work-items if
                                             ///< `is_global`
    bool is_global = false;
    std::vector<std::uint64_t> offset;  ///< of the work-items' indices; empty: 0
    bool is_cooperative = false;        ///< its work-groups wait for each other
    std::string path;
};

/// Successive kernels of one source, and their shared arguments.
struct KernelSource {
    std::string name, description, source;
    /// Language of `source`: OpenCL C, CUDA C++ (native), PTX or cubin.
    Language language = Language::portable;
    std::vector<ArgumentSpec> arguments;
    std::vector<LaunchSpec> launches;
    /// Whether the launches refer to arguments by name; else one launch uses all in order.
    bool is_list = false;
    std::vector<Constant> constants;
    std::string path;
    /// Whether it does not have the argument, which is the other side's alone.
    bool leaves_out(const ArgumentSpec& one) const {
        return one.only == (language == Language::portable ? "cuda" : "opencl");
    }

    /// The same kernels, written separately in CUDA; null: none.
    std::shared_ptr<KernelSource> cuda = {};
    // Only of a source that is not OpenCL C:
    std::vector<std::string> options = {};            ///< of NVRTC
    std::optional<FloatRules> floats = {};            ///< that `options` say
    std::vector<Constant> own_constants = {};         ///< in place of the case's values
    std::map<std::string, std::string> symbols = {};  ///< variables of the source, by argument
};

struct Model {
    std::string file;              ///< as given, for messages
    std::filesystem::path folder;  ///< base of relative file names
    PathSandbox reach{{}};         ///< the files that it may read
    std::string name, question;
    std::vector<std::string> dimensions;
    std::vector<Shape> timed, checked;
    std::vector<Constant> constants;
    std::map<std::string, std::string> following;  ///< formulas of size-dependent constants
    std::map<std::string, std::vector<std::int64_t>>
        tuning_values;  ///< of constants: ConstantSpec::tuning_values
    std::vector<Define> defines;
    std::vector<std::string> include;
    std::optional<BuildOptions> options;
    std::vector<std::string> check;  ///< sentences of --init; empty: reviewed
    bool expand = false;             ///< the preprocessor is run first, with `defines`
    std::vector<KernelSource> variants;
    std::string bytes = "0", operations = "0";
    std::optional<Tolerance> tolerance;
    std::optional<KernelSource> reference;
    std::map<std::string, std::string> data;  ///< files of expected data, by buffer
    bool is_captured = false;                 ///< `after` gives these files
    std::map<std::string, std::string> texts;  ///< kernel files that are not on the disk
    std::vector<std::string> command;         ///< of the reference program: its words
    std::vector<double> literals;             ///< of the sources: literals_in()
    std::int64_t command_seconds = 60;        ///< time limit
    bool is_mixed = false;                    ///< texels are interpolated

    /// A type's name after expansion of the manifest's macros.
    std::string resolved(const std::string& type) const;
    /// An error message: file, position, error.
    std::string complaint(std::string_view path, std::string_view what) const;
    /// Throws it as a UsageError.
    [[noreturn]] void fail(std::string_view path, std::string_view what) const;
    /// The full path of a file or a folder that it names at `path`.
    /// @throws UsageError when it is outside of the allowed folders
    std::filesystem::path place_of(std::string_view path, const std::string& file_name) const;
    /// Where includes are searched for, besides the including file's folder.
    std::vector<std::string> include_folders() const;
};

/// The name of the variant that is one source alone of a kernel with two: `cuda` where the manifest
/// has one kernel, else `NAME.cuda`.
/// @param side  `opencl` or `cuda`
std::string side_name(const Model&, const KernelSource&, std::string_view side);
/// The model's kernel of a variant, which may be one source alone, or replace another variant
/// (Variant::for_cuda).
const KernelSource& source_of(const Model&, const Variant&);

/// Calls `what`; its errors get file and position, and the sizes concerned.
template <class F>
auto told_at(const Model& model, const std::string& path, const Case& c, F&& what) {
    try {
        return what();
    } catch (const UsageError& error) {
        model.fail(path, fmt::format("{} (with {} = {})", error.what(),
                                     fmt::join(model.dimensions, " x "), to_string(c.shape)));
    }
}

/// Every key that a manifest can have, of all its objects.
const std::vector<std::string>& all_keys();

/// Parses a manifest.
/// @param file     its name; relative file names refer to its folder
/// @param allowed  other folders that it may read
/// @throws UsageError with file, position in the JSON, error and advice
Model read_model(const std::string& file, std::string_view text,
                 const std::vector<std::filesystem::path>& allowed);

/// The preprocessed source with new names for kernels of `launches` whose names are reserved in
/// CUDA C++; the launches get the names too.
/// @throws Refused for a source with lexical errors
std::string with_free_names(std::string source, const std::vector<LaunchSpec*>& launches);

/// A struct's members as the source declares them, an array of structs as that many members; empty
/// where the layout is unknown.
std::optional<std::vector<ArgumentSpec>> struct_members(const std::vector<Member>& declared);

/// Adds the names, types and uses that follow from the kernel's source.
void complete(Model&, KernelSource&, const LaunchSpec&, const Signature&);

/// Notes what captured launches of the kernel left, which is what is right.
void take_captured(Model&, const KernelSource&);

/// The default tolerance: equal, except images of normalized numbers by one step, since their
/// rounding is unspecified. Captured results use captured_tolerance().
Tolerance tolerance_unless_told(const Model&, const Plan&);

/// The plan of a kernel for the case's shape and constants.
/// @throws UsageError with file and position where a formula has an invalid value
Plan plan_of(const Model&, const KernelSource&, const Case&);

/// The names for formulas: sizes, constants, and the kernel's arguments whose values follow from
/// these.
std::map<std::string, double, std::less<>> names_of(const Model&, const KernelSource&, const Case&);

/// The value of a constant in `Model::following` for the case's size.
std::int64_t following_value(const Model&, const std::string& constant, const Case&);

/// The scalar in memory, and the number of scalars in an element.
ElementType scalar_type(ValueType);
std::uint64_t slots(ValueType);

/// The least whole number of a type, or that a double holds exactly, and the one behind the
/// largest.
std::pair<double, double> ends_of(ElementType);

/// A capture's data file is missing, damaged, of another size or not accessible: its case fails.
struct BadContent : Error {
    using Error::Error;
};

/// One array for each initialised buffer of the kernel.
/// @throws BadContent; UsageError for a manifest that is no capture
std::vector<HostArray> inputs_of(const Model&, const KernelSource&, const Case&,
                                 const parallax::InputPattern&, std::uint64_t seed);

/// Suite::drawing
std::vector<DrawnBuffer> drawing_of(const Model&, const KernelSource&, const Case&);

/// The raw little-endian elements of a data file, of exactly this number.
/// @throws BadContent; UsageError for a manifest that is no capture
HostArray read_elements(const Model&, std::string_view path, const std::string& file, ElementType,
                        std::uint64_t elements);

/// The expected results from the manifest's command, one for each compared buffer. It gets the
/// inputs as files, in a folder of its own.
/// @throws Error if the command fails, or may not run
std::vector<Expected> command_answers(const Model&, const KernelSource&, const Case&,
                                      const std::vector<HostArray>& inputs, bool may_run);

/// The source of a kernel file with its includes; preprocessed, if the manifest requires it.
/// @throws UsageError
std::string read_source(const Model&, std::string_view path, const std::string& file);

/// Whether its file, or one that it includes, has the word; true where a macro names an included
/// one. False: it cannot be read.
bool mentions(const Model&, const KernelSource&, std::string_view word);

/// The file as its author wrote it, with what it includes by name.
/// @throws Error when it cannot be read
WrittenSource read_written(const Model&, const KernelSource&);

/// The content of a CUDA source, PTX or cubin. Headers that are not there stay for the compiler.
/// @throws UsageError
std::string read_cuda(const Model&, const KernelSource&);

}  // namespace parallax::manifest

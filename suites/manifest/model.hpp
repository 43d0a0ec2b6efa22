// A manifest as it was written: what the JSON says, checked for its form and not yet for its sense.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
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

/// What formulas, which calculate in double, hold exactly.
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

/// What a buffer holds at first.
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
    /// Of random and sorted: from, up to and not including. Of csr_offsets: elements and columns.
    std::optional<std::pair<double, double>> range;
    std::array<std::string, 2> bounds;  ///< the formulas of `range`, where they are no numbers
    std::string offsets;                ///< of csr_columns: the buffer where the rows begin
    std::string formula;                ///< of the element `i`
    double value = 0;
    std::string file;

    /// Whether verification tries other values than these.
    bool varies() const { return kind >= Kind::integers && kind <= Kind::csr_columns; }
    /// Whether numbers on both sides of 0 are drawn.
    bool has_signs() const {
        return kind == Kind::random && range && range->first < 0 && range->second > 0;
    }
};

/// What verification's third filling is called, where a buffer has numbers on both sides of 0:
/// `integers` are then below it.
inline constexpr const char* from_zero = "from 0";

/// One argument of a kernel.
struct ArgumentText {
    enum class Kind { value, buffer, local, same } kind = Kind::value;
    std::string name;                   ///< empty: as the parameter
    std::optional<ValueType> said;      ///< what the manifest says of it
    ValueType type;                     ///< said, or the parameter's
    std::string opaque;                 ///< the parameter's type where it is none of a number
    std::vector<std::string> values;    ///< formulas, one for each component (value)
    std::vector<std::byte> bytes;       ///< of it, in place of `values`
    bool is_null = false;               ///< a pointer to nothing, of these bytes
    bool is_constant = false;           ///< a buffer that a kernel takes as `__constant`
    std::string count;                  ///< formula: elements of `type` (buffer, local)
    bool counts_bytes = false;          ///< `count` does
    std::optional<ImageExtents> image;  ///< of a buffer that is one
    /// Formulas of its width, height and depth; empty: it has no such extent.
    std::array<std::string, 3> texels;
    bool is_sampler = false;  ///< `bytes` are its bits
    std::size_t same_as = 0;  ///< the argument before whose buffer it is (same)
    InputPattern fill;
    std::string after;  ///< file: what is right in it when the kernel has ended
    Role role = Role::input;
    bool is_role_said = false;
    Order order = Order::given;
    std::string row = "1";  ///< formula: elements of `type` that stay together (Order::any)
    std::string path;       ///< where it stands in the JSON, for messages
    /// Of a struct: its members; `struct_name` is then its type's name, and `type` says nothing.
    std::vector<ArgumentText> members;
    std::string struct_name;
    unsigned elements = 1;  ///< of a member that is an array
    bool is_array = false;
};

/// How OpenCL lays out what an argument has one of, or many.
struct Layout {
    struct Part {
        const ArgumentText* member;
        std::uint64_t offset;
    };
    std::uint64_t bytes = 0, alignment = 1;  ///< of one element
    ElementType scalar{};                    ///< that the bytes are compared as
    std::vector<Part> parts;                 ///< of a struct: its members, those of structs within
};
Layout layout_of(const ArgumentText&);

/// The most texels that a manifest may give an image along an axis, whatever a device takes.
constexpr std::uint64_t most_texels(std::size_t axis, const ImageExtents& image) {
    if (axis == 2) return 16384;
    return axis == 0 && image.height == 0 ? std::uint64_t{1} << 30 : std::uint64_t{1} << 17;
}

/// A kernel and how it is launched.
struct LaunchText {
    std::string kernel;
    std::vector<std::size_t> arguments;      ///< places in `KernelSource::arguments`
    std::vector<std::string> items, groups;  ///< formulas; `groups` counts items if `is_global`
    bool is_global = false;
    std::vector<std::uint64_t> offset;  ///< of the work-items' indices; empty: 0
    std::string path;
};

/// Kernels of one text that are launched in a row, and what they share.
struct KernelSource {
    std::string name, description, source;
    std::vector<ArgumentText> arguments;
    std::vector<LaunchText> launches;
    /// Whether the launches name the arguments; else there is one, which has them in its order.
    bool is_list = false;
    std::vector<Constant> constants;
    std::string path;
};

struct Model {
    std::string file;              ///< as it was named, for messages
    std::filesystem::path folder;  ///< that names of files are relative to
    PathSandbox reach{{}};         ///< what it may read
    std::string name, question;
    std::vector<std::string> dimensions;
    std::vector<Shape> timed, checked;
    std::vector<Constant> constants;
    std::map<std::string, std::string> following;  ///< formulas of constants that follow the size
    std::map<std::string, std::vector<std::int64_t>>
        tuning_values;  ///< of constants: ConstantSpec::worth
    std::vector<Define> defines;
    std::vector<std::string> include;
    std::optional<BuildOptions> options;
    std::vector<std::string> check;  ///< sentences of --init; empty: somebody has looked it over
    bool expand = false;             ///< the preprocessor is run first, with `defines`
    std::vector<KernelSource> variants;
    std::string bytes = "0", operations = "0";
    std::optional<Tolerance> tolerance;
    std::optional<KernelSource> reference;
    std::map<std::string, std::string> data;  ///< files of expected data, by buffer
    bool is_captured = false;                 ///< `after` gives these files
    std::vector<std::string> command;         ///< that says what is right: its words
    std::int64_t command_seconds = 60;        ///< after which it is ended
    bool is_mixed = false;                    ///< texels are mixed with their neighbours

    /// A type's name with the macros of the manifest in their places.
    std::string resolved(const std::string& type) const;
    /// A complaint: file, place, what is wrong.
    std::string complaint(std::string_view path, std::string_view what) const;
    /// Throws it as a UsageError.
    [[noreturn]] void fail(std::string_view path, std::string_view what) const;
    /// The whole path of a file or a folder that it names at `path`.
    /// @throws UsageError when it leads where the manifest may not read
    std::filesystem::path place_of(std::string_view path, const std::string& file_name) const;
};

/// Does `what`; its complaint gets file and place, and the sizes that it is true for.
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

/// Reads the text of a manifest.
/// @param file     its name; files that it names lie in its folder
/// @param allowed  other folders that it may read
/// @throws UsageError naming the file, the place in the JSON, what was found and what to write
Model read_model(const std::string& file, std::string_view text,
                 const std::vector<std::filesystem::path>& allowed);

/// The preprocessed source with other names for the kernels of `launches` that CUDA C++ has a
/// meaning of its own for; the launches get them too.
/// @throws Refused for a source that does not lex
std::string with_free_names(std::string source, const std::vector<LaunchText*>& launches);

/// Gives a launch's arguments the names, types and uses that only the kernel's text says.
void complete(Model&, KernelSource&, const LaunchText&, const Signature&);

/// Of answers that the manifest has no tolerance for: equal, and images of normalized numbers a
/// step apart, since the specification leaves their rounding open. What was captured is held to
/// captured_tolerance().
Tolerance tolerance_unless_told(const Model&, const Plan&);

/// What a kernel does on a problem of the case's shape, with the case's constants.
/// @throws UsageError naming file and place where a formula has no sensible value there
Plan plan_of(const Model&, const KernelSource&, const Case&);

/// What formulas know of a case: sizes, constants, and those arguments of the kernel whose values
/// follow from these.
std::map<std::string, double, std::less<>> names_of(const Model&, const KernelSource&, const Case&);

/// The value of one of `Model::following` for the case's size.
std::int64_t following_value(const Model&, const std::string& constant, const Case&);

/// The scalar that memory holds, and how many of them an element of the type takes.
ElementType scalar_type(ValueType);
std::uint64_t slots(ValueType);

/// A file of a capture's data is missing, damaged, of another size or out of reach: a case that
/// needs it fails.
struct BadContent : Error {
    using Error::Error;
};

/// One array for each buffer of the kernel that is loaded.
/// @throws BadContent; UsageError where the manifest is no capture's
std::vector<HostArray> inputs_of(const Model&, const KernelSource&, const Case&,
                                 const parallax::InputPattern&, std::uint64_t seed);

/// The raw little-endian elements of a file beside the manifest, exactly so many.
/// @throws BadContent; UsageError where the manifest is no capture's
HostArray read_elements(const Model&, std::string_view path, const std::string& file, ElementType,
                        std::uint64_t elements);

/// What the manifest's command says is right, one for each buffer that is compared. It gets the
/// inputs as files, in a folder of its own.
/// @throws Error saying how it failed, or that it may not run
std::vector<Expected> command_answers(const Model&, const KernelSource&, const Case&,
                                      const std::vector<HostArray>& inputs, bool may_run);

/// The text of a kernel file beside the manifest with what it includes; with its macros worked
/// out, where the manifest says so.
/// @throws UsageError
std::string read_source(const Model&, std::string_view path, const std::string& file);

}  // namespace parallax::manifest

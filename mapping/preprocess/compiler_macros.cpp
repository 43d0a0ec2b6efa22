// Chooses those of the rows about macros that hold for a version of the language.
#include "mapping/preprocess/compiler_macros.hpp"

#include <array>
#include <deque>

#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/preprocess/predefined.hpp"
#include "mapping/table/table.hpp"

namespace parallax {
namespace {

constexpr std::string_view version_macro = "__OPENCL_C_VERSION__", feature = "__opencl_c_";
constexpr std::array<std::string_view, 2> versions[] = {
    {"CL1.0", "100"}, {"CL1.1", "110"}, {"CL2.0", "200"}, {"CL3.0", "300"}};

/// The spellings of the rows, made once.
const std::deque<Spelling>& macro_rows() {
    static const std::deque<Spelling> all = [] {
        std::deque<Spelling> made;
        for (const MappingRule& row : mapping_table()) {
            if (row.topic != "macros") continue;
            for (Spelling& one : spellings_of(row)) made.push_back(std::move(one));
        }
        return made;
    }();
    return all;
}

}  // namespace

std::map<std::string_view, std::string_view> compiler_macros(std::string_view standard) {
    std::map<std::string_view, std::string_view> all;
    for (const Spelling& one : macro_rows()) {
        // Whole numbers of 64 bits are no option of 1.2, which says so by this macro as well.
        const bool of_any_version =
            !one.opencl.starts_with(feature) || one.opencl == "__opencl_c_int64";
        if (of_any_version || standard == "CL3.0") all.emplace(one.opencl, one.cuda);
    }
    for (const auto& [name, number] : versions) {
        if (standard == name) all[version_macro] = number;
    }
    return all;
}

bool differs_by_device(std::string_view name) {
    // The options that this program gives decide these, and what all devices are alike in.
    if (is_one_of(name,
                  {"__OPENCL_C_VERSION__", "CL_VERSION_1_0", "CL_VERSION_1_1", "CL_VERSION_1_2",
                   "__ENDIAN_LITTLE__", "__FAST_RELAXED_MATH__", "__LINE__", "__FILE__"})) {
        return false;
    }
    // Names that C leaves to compilers, extensions, and constants of optional types.
    // Built-in functions are macros of some, `assert` of CUDA's.
    const bool is_reserved = name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z';
    return is_reserved ||
           starts_with_any(name, {"__", "cl_", "cles_", "CL_", "FP_FAST_FMA", "HALF_", "POCL_"}) ||
           may_be_macro(name) || is_builtin_function(name) ||
           is_one_of(name, {"assert", "bool", "false", "linux", "true", "unix"}) ||
           (name.starts_with("M_") && name.ends_with("_H"));
}

}  // namespace parallax

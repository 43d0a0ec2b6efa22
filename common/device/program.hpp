// A kernel source with all options that its compiler gets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/types.hpp"
#include "common/text/path_sandbox.hpp"

namespace parallax {

/// A compile-time constant, spelled `-DNAME=value` for both compilers.
struct Constant {
    std::string name;
    std::int64_t value = 0;
    bool operator==(const Constant&) const = default;
};

/// A macro without parameters, passed as `-DNAME=VALUE`: any OpenCL C tokens, `1` by default.
struct Define {
    std::string name, value = "1";
    bool operator==(const Define&) const = default;
};

/// Whether the value stays on the line of its `#define`.
bool is_macro_value(std::string_view value);

/// Floating-point rules, passed explicitly to both compilers and stored in every record.
///
/// - contract: OpenCL `#pragma OPENCL FP_CONTRACT ON/OFF`; CUDA `--fmad=`.
/// - exact_division: `-cl-fp32-correctly-rounded-divide-sqrt`; `--prec-div=` and `--prec-sqrt=`.
/// - flush_denormals: `-cl-denorms-are-zero`; `--ftz=`.
/// - relaxed: `-cl-fast-relaxed-math`; `--use_fast_math`, which affects functions only on NVRTC,
///   since the three rules above are passed explicitly.
struct FloatRules {
    bool contract = false;
    bool exact_division = true;
    bool flush_denormals = false;
    /// Results need not follow IEEE 754: OpenCL's compiler may assume finite numbers, reorder sums
    /// and use faster functions; CUDA's uses faster functions (`__sinf` for `sin`).
    bool relaxed = false;
    bool operator==(const FloatRules&) const = default;

    /// All rules that permit faster code.
    static constexpr FloatRules fast() { return {true, false, true, true}; }
};

/// A change of a kernel's source: the one occurrence of `find` becomes `replace`.
struct SourceEdit {
    std::string find, replace;
    std::string name = {};  ///< for messages and records
    bool operator==(const SourceEdit&) const = default;
};

/// The language of a kernel source.
enum class Language {
    portable,  ///< OpenCL C as `kernels/*.cl`; the CUDA backend translates it by the mapping table
    native,    ///< the backend's own language, compiled as it is
    ptx,       ///< NVIDIA's assembly text
    cubin,     ///< NVIDIA's machine code, as in a .cubin file
    library    ///< calls of a vendor's library, compiled into the program; the source shows them
};

/// Files that the compilers of an external source may open, and their include directories.
struct SourceFiles {
    PathSandbox reach{{}};
    std::vector<std::string> folders = {};
    bool operator==(const SourceFiles&) const = default;
};

/// OpenCL C as its author wrote it, where `Program::source` is the output of this program's
/// preprocessor.
struct WrittenSource {
    std::string source;  ///< with all that it includes
    std::vector<Define> defines = {};
    std::vector<std::string> undefined = {};  ///< macros that `-U` takes away
    bool operator==(const WrittenSource&) const = default;
};

/// One kernel source and its compilers' options. A value: equal programs build equal code.
struct Program {
    std::string name;    ///< file name, for messages and `#line`: `reduction.cl`
    std::string source;  ///< before `edits`
    Language language = Language::portable;
    /// The type behind `T`, `T2`, `T4`; empty: these are ordinary names.
    std::optional<ElementType> type = ElementType::f32;
    std::vector<Constant> constants;
    std::vector<Define> defines;  ///< of portable sources only
    FloatRules floats;
    std::string standard = {};  ///< OpenCL's `-cl-std=` of a portable source: `CL2.0`; empty: CL1.2
    std::vector<std::string> options;  ///< further build options, verbatim, in order
    /// For a user's CUDA source: its kernels as name expressions, `saxpy<float, 256>`, since they
    /// may have C++ names. Empty: kernels are extern "C".
    std::vector<std::string> name_expressions = {};
    std::vector<SourceEdit> edits;
    /// The input of OpenCL's compiler in place of `source`, unless there are edits.
    std::optional<WrittenSource> written = {};
    /// PTX of another API's compiler: a launch may kill the context, so only for a process of its
    /// own.
    bool foreign = false;
    std::optional<SourceFiles> files = {};  ///< nothing: the source is this program's own
    bool operator==(const Program&) const = default;

    /// `written`, where it replaces `source`.
    const WrittenSource* as_written() const {
        return written && edits.empty() ? &*written : nullptr;
    }
    std::optional<PathSandbox> reach() const;
    /// `files->folders`, where the source may still ask its compiler for one of their files.
    std::vector<std::string> include_folders() const;

    /// Whether it is for one backend only and is never translated.
    bool is_native() const { return language != Language::portable && !foreign; }
};

/// `source` with these edits made, in order.
/// @param file  its name, for messages
/// @throws UsageError when an edit's text occurs not at all or more than once.
std::string edited_source(std::string source, const std::vector<SourceEdit>& edits,
                          std::string_view file);
inline std::string edited_source(const Program& program) {
    return edited_source(program.source, program.edits, program.name);
}

/// 32 hex digits, equal for equal programs only, wherever their files are.
std::string digest_of(const Program& program);

}  // namespace parallax

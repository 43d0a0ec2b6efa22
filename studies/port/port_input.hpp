// The kernel file for `parallax port`, with the compiler options for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "mapping/from_cuda/to_opencl.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax {

/// `NAME` or `NAME=VALUE`, as -D takes it. @throws UsageError for what names no macro
Define parse_macro(std::string_view word);

/// A kernel file, ready to be translated.
struct PortInput {
    std::string file;             ///< as the user named it; `<stdin>` for `-`
    std::vector<Define> defines;  ///< of -D, in order
    std::vector<std::string> folders;
    SourceFiles files = {};   ///< that its compilers may open
    bool expand = false;      ///< --expand, or prepare() has a reason
    std::string text;         ///< with all that it includes; after the preprocessor, with `expand`
    std::string reason = {};  ///< that prepare() gave, without --expand
    std::string failure = {};
    from_cuda::Dialect dialect = from_cuda::Dialect::portable;  ///< of `text` where it is made
    /// The CUDA program that `text` is translated from; nothing: `text` is the user's own.
    std::optional<Program> original = {};

    /// The same text for both compilers. What --expand has put in its place is not defined again.
    Program program() const;
    /// Its CUDA source.
    /// @throws Refused
    Translation translated() const;
    /// The CUDA source that --expand would give, with these -D and -I; nothing: it is given
    /// already, or would give none.
    std::optional<Translation> expanded_translation() const;
    /// `// Translated from mine.cl by parallax port; -D N=4`, one line with its end.
    std::string head() const;
};

/// The words about it.
struct PortWords {
    std::string file;                  ///< `-`: standard input
    std::vector<std::string> defines;  ///< as parse_macro reads them
    std::vector<std::string> folders;
    bool expand = false;
    std::vector<std::string> allowed = {};  ///< further folders that includes may use
    from_cuda::Dialect dialect = from_cuda::Dialect::portable;
};

/// Reads the file.
/// @throws UsageError, Refused (an include, the preprocessor), Unsupported (no preprocessor)
PortInput port_input(const PortWords&);

/// Whether the name of the file says CUDA C++.
bool is_cuda_file(std::string_view file);

/// The same for a CUDA source, with the files that it includes, as far as they are found.
PortInput cuda_input(const PortWords&);

/// A CUDA source, translated to OpenCL C.
struct PortFromCuda {
    PortInput input;  ///< its source is the translation
    OpenClTranslation translation;
};

/// @param kernels  by name, or `scale<float, 256>`; none: all
/// @throws as cuda_input() and to_opencl()
PortFromCuda port_from_cuda(const PortWords&, const std::vector<std::string>& kernels);

}  // namespace parallax

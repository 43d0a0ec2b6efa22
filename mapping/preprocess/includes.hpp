// Replaces a kernel file's includes by their contents, without a preprocessor.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "common/text/path_sandbox.hpp"

namespace parallax {

/// Largest size of a kernel source, alone and with everything that it includes.
inline constexpr std::size_t most_text_bytes = std::size_t{16} << 20;
/// The limit of nested includes.
inline constexpr unsigned most_include_depth = 64;

/// A text with all that it includes.
struct Included {
    /// `#line N "NAME"` is on a line of its own before and after each included file.
    std::string text;
    std::vector<std::string> files;  ///< that were put in, each once, in order, by their paths
};

/// The log of a compiler that heeds no `#line`, as NVIDIA's for OpenCL: it writes `<kernel>:7:3`
/// for line 7 of all it was given. @returns it with the places that the text's `#line`s give:
/// `x.cl:2:3`
std::string with_own_places(const std::string& log, std::string_view text);

/// The name in an `#include`.
struct IncludeName {
    std::string name;
    bool quoted = true;  ///< `"x.h"`, and not `<x.h>`
};

/// The path of an included file: the including file's folder, then `folders` in order; for `<x.h>`
/// `folders` first. Only regular files within reach count.
std::optional<std::filesystem::path> find_include(const IncludeName&,
                                                  const std::filesystem::path& folder,
                                                  const std::vector<std::string>& folders,
                                                  const PathSandbox& reach);

/// Why `find_include` finds nothing: part of a sentence, which does not say whether a file is there
/// that is out of reach.
std::string why_not_found(const IncludeName&, const std::filesystem::path& folder,
                          const std::vector<std::string>& folders, const PathSandbox& reach);

/// The bytes of an included file.
/// @throws Error, one sentence without a place, when it cannot be read, has more than
/// `most_text_bytes` or a NUL byte.
std::string included_text(const std::filesystem::path&);

/// Replaces includes recursively. Conditions are ignored: an `#include` within an `#if` is replaced
/// where its file is found, and stays where it is not. `#pragma once` is obeyed and removed.
/// @param file     its path, for messages and for relative includes; need not exist
/// @param folders  to search, as `-I` names them
/// @param reach    files that may be read
/// @param leaves_unknown  whether a name that is not found stays for a compiler that has its own
/// folders, unless it is absolute or leads upwards
/// @throws Refused, one line a place: a file that is not found, that includes itself, or is nested
/// deeper than `most_include_depth`, or is out of reach; a name that comes from a macro; a source
/// that grows too large.
Included with_includes(std::string_view file, std::string_view source,
                       const std::vector<std::string>& folders, const PathSandbox& reach,
                       bool leaves_unknown = false);

}  // namespace parallax

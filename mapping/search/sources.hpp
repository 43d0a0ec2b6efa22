// The program's own sources that the map refers to: both backends and the kernels in both
// languages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/kernel_texts.hpp"
#include "mapping/table/table.hpp"

namespace parallax {

/// The files, by their paths from the project's root: `backends/cuda/run.cpp`,
/// `kernels/transpose.cl`, `kernels/cuda/transpose.cu`.
std::span<const EmbeddedFile> mapped_sources();

/// The file's text; nothing: there is none of that name.
std::optional<std::string_view> source_text(std::string_view file);

/// A line of a source.
struct SourceLine {
    std::string_view file;
    std::size_t number = 0;  ///< from 1
    std::string_view text;
};

/// The line that `FILE:LINE` names, and the line of the kernel's other language.
struct NamedLine {
    SourceLine line;
    std::optional<SourceLine> other;
    bool is_prelude = false;  ///< of the prelude of a translation
    bool is_host_code = false;
};

/// The line that `word` names. FILE may be shortened to its last parts, or lengthened by folders
/// before; a column behind the line (`run.cpp:88:5`) is passed over.
/// @returns nothing when the word is no such name
/// @throws UsageError when there is no such file or line, or several files are meant
std::optional<NamedLine> named_line(std::string_view word);

/// The lines that a place of a row names: the one with the text and those up to the statement's
/// end, four at most. Empty: the text is not there.
std::vector<SourceLine> lines_of(const Place&);

/// Whole statements of the two example programs for the host that do what a row of the host's
/// words says. Either is empty: that program does not.
struct Example {
    std::vector<SourceLine> opencl, cuda;
};
Example example_of(const MappingRule&);

}  // namespace parallax

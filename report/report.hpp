// The reports: one diff in five formats.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/diff.hpp"

namespace parallax {

/// For a terminal: the portability matrix, what matters first, a bar for each ratio.
/// @param width  columns, at least 60
/// @param colour  ANSI colours for verdicts
std::string text_report(const Diff&, unsigned width, bool colour);

/// For a pull request.
std::string markdown_report(const Diff&);

/// For CI: a suite for each suite, a test for each case.
std::string junit_report(const Diff&);

/// Both texts of a kernel file.
struct KernelTexts {
    std::string file;
    std::string opencl, cuda;  ///< `cuda` may be empty: not translated
    std::string source_hash;   ///< of the OpenCL text
};

/// One page that needs nothing else: it opens offline.
/// @throws UsageError when the program was built without the page's libraries
std::string html_report(const Diff&, const std::vector<KernelTexts>&);

}  // namespace parallax

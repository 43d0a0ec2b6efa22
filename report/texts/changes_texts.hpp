// Changes from one kernel source to another in the formats that people read.
#pragma once

#include <string>

#include "mapping/sidebyside/line_changes.hpp"

namespace parallax {

/// Lines that begin with `-`, `+` or a blank, and a line `@@ -4,7 +4,9 @@` before each hunk; for a
/// terminal: control characters are spelt out.
std::string text_of(const Changes&, bool colour);
/// The same as a block of code of the language `diff`. Empty: there are no changes.
std::string markdown_of(const Changes&);
/// A part of a page: a table with the numbers of both texts. Its style is in report/page/texts.css,
/// which html_text_page() brings. Empty: there are no changes.
std::string html_of(const Changes&);

}  // namespace parallax

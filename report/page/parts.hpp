// The page's parts that are embedded in the program.
#pragma once

#include <span>
#include <string_view>

#include "common/embedded_file.hpp"

namespace parallax {

/// A part by the name of its file: `page.css`, `chart.js`; `page.js` is all of the page's own code.
/// Empty: there is no such part.
std::string_view page_part(std::string_view name);

/// All of them.
std::span<const EmbeddedFile> embedded_page();

}  // namespace parallax

// The page's parts that are embedded in the program.
#pragma once

#include <string_view>

namespace parallax {

/// A part by the name of its file: `page.css`, `chart.js`; `page.js` is all of the page's own code.
/// Empty: there is no such part.
std::string_view page_part(std::string_view name);

}  // namespace parallax

// A file that is part of the program; common/embed.py makes lists of them.
#pragma once

#include <span>
#include <string_view>

namespace parallax {

struct EmbeddedFile {
    std::string_view name;  ///< `reduction.cl`
    std::string_view text;
    std::string_view hash;  ///< of the text, as a page's policy names it: `sha256-...`
};

}  // namespace parallax

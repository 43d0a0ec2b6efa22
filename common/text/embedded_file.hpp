// A file embedded in the program; common/embed.py generates lists of them.
#pragma once

#include <span>
#include <string_view>

namespace parallax {

struct EmbeddedFile {
    std::string_view name;  ///< `reduction.cl`
    std::string_view text;
    std::string_view hash;  ///< of the content, as in a page's security policy: `sha256-...`
};

}  // namespace parallax

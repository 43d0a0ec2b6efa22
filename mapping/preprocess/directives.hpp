// Finds the preprocessor's lines in a text without running a preprocessor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// One preprocessor line, with the lines that continue it.
struct DirectiveLine {
    std::size_t begin = 0, end = 0;  ///< bytes of the text: its `#`, and the line's end behind it
    unsigned line = 1;               ///< of its `#`; 1 is the first
    unsigned last_line = 1;          ///< on which it ends
    std::string name;                ///< `include`, `if`, ...; empty where no word follows the `#`
    std::string rest;  ///< behind the name: comments are a blank, no blanks at either end
};

/// All directives of a text, in order; those of inactive parts are among them.
struct Directives {
    std::vector<DirectiveLine> all;
    unsigned open_comment = 0;  ///< line where a comment without an end begins; 0: there is none
};

/// Accepts any bytes, C or not.
Directives directives_of(std::string_view text);

}  // namespace parallax

// The mark that some editors put in front of a text in UTF-8.
#pragma once

#include <string>

namespace parallax {

/// The text without it.
inline std::string without_mark(std::string text) {
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    return text;
}

}  // namespace parallax

// Removes the UTF-8 byte order mark that some editors write.
#pragma once

#include <string>

namespace parallax {

/// The text without it.
inline std::string without_mark(std::string text) {
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    return text;
}

}  // namespace parallax

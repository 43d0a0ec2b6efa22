// Iterates over the comments of a source in a language of C's family.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

namespace parallax {

/// Calls `change` with the characters of each comment, between its marks.
template <class F>
void for_comments(std::string& text, F&& change) {
    const auto is_at = [&](std::size_t i, const char* mark) {
        return text.compare(i, 2, mark) == 0;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"' || text[i] == '\'') {
            const char mark = text[i];
            for (++i; i < text.size() && text[i] != mark && text[i] != '\n'; ++i) {
                if (text[i] == '\\') ++i;
            }
        } else if (is_at(i, "//") || is_at(i, "/*")) {
            const bool is_line = text[i + 1] == '/';
            std::size_t end = i + 2;
            while (end < text.size() && !(is_line ? text[end] == '\n' : is_at(end, "*/"))) {
                // A continued line.
                if (is_line && text[end] == '\\' && end + 1 < text.size()) ++end;
                ++end;
            }
            end = std::min(end, text.size());
            change(std::span(text).subspan(i + 2, end - i - 2));
            i = is_line ? end : end + 1;
        }
    }
}

}  // namespace parallax

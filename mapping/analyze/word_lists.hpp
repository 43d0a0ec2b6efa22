// Searches and splits lists of words.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/text/characters.hpp"

namespace parallax {

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

/// A literal of a whole number, with its suffix; nothing: it is another one.
inline std::optional<double> whole_number(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (error != std::errc() || rest.find_first_not_of("uUlL") != rest.npos) return {};
    return static_cast<double>(value);
}

inline bool starts_with_any(std::string_view word, std::initializer_list<std::string_view> starts) {
    return std::ranges::any_of(starts, [&](auto start) { return word.starts_with(start); });
}

inline bool ends_with_any(std::string_view word, std::initializer_list<std::string_view> ends) {
    return std::ranges::any_of(ends, [&](auto end) { return word.ends_with(end); });
}

/// What follows the name on a directive's line, without blanks around it; nothing: it is another
/// line.
inline std::optional<std::string_view> after_directive(std::string_view line,
                                                       std::string_view name) {
    line = trimmed(line);
    if (!line.starts_with('#')) return {};
    line = trimmed(line.substr(1));
    if (!line.starts_with(name)) return {};
    return trimmed(line.substr(name.size()));
}

/// The parts of `list` between occurrences of `between`, trimmed; empty ones are left out.
inline std::vector<std::string_view> split(std::string_view list, std::string_view between) {
    std::vector<std::string_view> parts;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(between), list.size());
        if (const auto part = trimmed(list.substr(0, end)); !part.empty()) parts.push_back(part);
        list.remove_prefix(std::min(end + between.size(), list.size()));
    }
    return parts;
}

/// `text` with every `what` replaced by `with`.
inline std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
    std::string made(text);
    for (std::size_t at = made.find(what); at != made.npos;
         at = made.find(what, at + with.size())) {
        made.replace(at, what.size(), with);
    }
    return made;
}

}  // namespace parallax

// Draws bars with Unicode block characters.
#include "common/text/curve.hpp"

#include <algorithm>

#include "common/text/text.hpp"

namespace parallax {

std::string bars_text(const std::vector<Bar>& bars, double most, unsigned width, unsigned indent) {
    constexpr std::size_t least_room = 10, gaps = 2;
    std::size_t label = 0, text = 0;
    for (const Bar& one : bars) {
        label = std::max(label, columns_of(one.label));
        text = std::max(text, columns_of(one.text));
    }
    const std::size_t taken = indent + label + gaps + text;
    const std::size_t room = std::max(least_room, width > taken ? width - taken : 0);
    std::string out;
    for (const Bar& one : bars) {
        const std::string drawn =
            most > 0 ? bar(one.value / most, static_cast<unsigned>(room)) : std::string{};
        out += std::string(indent, ' ') + one.label +
               std::string(label - columns_of(one.label) + 1, ' ') + drawn +
               (drawn.empty() ? "" : " ") + one.text + "\n";
    }
    return out;
}

}  // namespace parallax

// Puts edited sources together.
#include "mapping/analyze/edited_source.hpp"

namespace parallax {

std::string EditedSource::between(std::size_t first, std::size_t last) const {
    std::string text;
    for (std::size_t i = first; i < last; ++i) {
        text += outline_[i].space;
        text += outline_[i].text;
    }
    return text;
}

std::optional<std::string> EditedSource::result() const {
    std::string text = edited_source(std::span(outline_.tokens).first(outline_.end + 1), edits_);
    if (text == source_) return {};
    return text;
}

}  // namespace parallax

// Puts edited tokens together.
#include "studies/explain/edited_tokens.hpp"

namespace parallax {

EditedTokens::EditedTokens(std::string_view source)
    : source_(source), outline_(outline_of("the kernel", source)), edits_(outline_.tokens.size()) {}

std::string EditedTokens::between(std::size_t first, std::size_t last) const {
    std::string text;
    for (std::size_t i = first; i < last; ++i) {
        text += outline_[i].space;
        text += outline_[i].text;
    }
    return text;
}

std::optional<std::string> EditedTokens::result() const {
    std::string text;
    text.reserve(source_.size() + source_.size() / 8);
    for (std::size_t i = 0; i <= outline_.end; ++i) {
        const Edit& edit = edits_[i];
        text += outline_[i].space;
        text += edit.text ? std::string_view(*edit.text) : outline_[i].text;
        text += edit.after;
    }
    if (text == source_) return {};
    return text;
}

}  // namespace parallax

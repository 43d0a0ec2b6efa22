// A kernel's source as tokens that can be replaced, removed and added to.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/token_edits.hpp"

namespace parallax {

/// The source lives elsewhere, for as long as this.
class EditedSource {
public:
    /// @throws Refused as outline_of does.
    explicit EditedSource(std::string_view source, SourceLanguage language = SourceLanguage::opencl)
        : source_(source),
          is_cuda_(language == SourceLanguage::cuda),
          outline_(outline_of("the kernel", source, language)) {}

    bool is_cuda() const { return is_cuda_; }

    /// The number of tokens, without the empty one at the end.
    std::size_t size() const { return outline_.end; }
    const Token& operator[](std::size_t i) const { return outline_.tokens[i]; }
    const std::vector<Item>& items() const { return outline_.items; }
    std::vector<ParameterRange> parameters(const Item& item) const {
        return outline_.parameters(item);
    }
    /// The counterpart of the bracket at `i`.
    std::size_t match(std::size_t i) const { return outline_.match[i]; }
    const Outline& outline() const { return outline_; }
    /// Whether the token is within the definition of a struct or a union.
    bool is_member(std::size_t i) const {
        for (std::size_t k = 0; k < i; ++k) {
            if (!outline_[k].is_one_of({"struct", "union", "class"})) continue;
            if (k > 0 && outline_[k - 1].is_one_of({"<", ","})) continue;  // template <class T>
            std::size_t open = k + 1;
            while (open < i && !outline_[open].is_one_of({"{", ";", ")", "="})) {
                open = outline_[open].is("(") ? match(open) + 1 : open + 1;
            }
            if (open < i && outline_[open].is("{") && i < match(open)) return true;
        }
        return false;
    }
    /// The text of [first, last) as it was.
    std::string between(std::size_t first, std::size_t last) const {
        return text_of(outline_.tokens, first, last);
    }

    void replace(std::size_t i, std::string_view text) { edits_.instead(i, text); }
    /// The blanks and line ends before it stay.
    void remove(std::size_t i) { edits_.leave_out(i, i); }
    /// After what was inserted there before.
    void insert_after(std::size_t i, std::string_view text) { edits_[i].after += text; }

    /// The whole source with all edits, or nothing where it is as it was.
    std::optional<std::string> result() const {
        std::string text = edited_source(std::span(outline_.tokens).first(size() + 1), edits_);
        return text == source_ ? std::nullopt : std::optional(std::move(text));
    }

private:
    std::string_view source_;
    bool is_cuda_ = false;
    Outline outline_;
    TokenEdits edits_;
};

}  // namespace parallax

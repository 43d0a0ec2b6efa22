// Edits of a source by tokens: text before, after and in place of each token.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/table/table.hpp"

namespace parallax {

/// Tokens [first, last) that an edit repeats as they are written, with the edits of their own.
struct Quote {
    std::size_t first = 0, last = 0;
    /// Sizes of the parts of `before` and `after` at the first and the last token that belong to
    /// their surroundings.
    std::size_t outer_before = 0, outer_after = 0;
};

/// The replacement of one token, and the mapping rules that require it. In `before` and `instead`
/// each `quote_mark` is replaced by the next of `quotes`.
struct TokenEdit {
    static constexpr char quote_mark = '\1';
    static constexpr char own_mark = '\2';  ///< before a word of the file in such a text
    std::string before, after;
    std::optional<std::string> instead;
    RowList before_rows = {}, after_rows = {}, instead_rows = {};
    std::string_view row = {};  ///< a rule's result for a call, in macros
    bool opens = false;         ///< the first of the removed tokens: the blanks before it stay
    std::vector<Quote> quotes = {};
};

/// Edits by token index. Outer expressions come first: text before a token is appended to the text
/// that is there already, text after a token is put in front of it.
class TokenEdits {
public:
    void before(std::size_t i, std::string_view text, const RowList& rows = {});
    void after(std::size_t i, std::string_view text, const RowList& rows = {});
    void instead(std::size_t i, std::string_view text, const RowList& rows = {});
    /// Removes the tokens from `first` to `last`, and keeps the blanks before them.
    void leave_out(std::size_t first, std::size_t last, const RowList& rows = {});
    /// Sets the next `quote_mark` of the token `i`: the tokens [first, last), without the text
    /// around them so far.
    void quote(std::size_t i, std::size_t first, std::size_t last);
    /// Replaces the tokens [first, last) by `text`.
    void replace(std::size_t first, std::size_t last, std::string_view text);

    TokenEdit& operator[](std::size_t i) { return edits_[i]; }
    /// Null: the token stays as it is.
    const TokenEdit* find(std::size_t i) const {
        const auto found = edits_.find(i);
        return found == edits_.end() ? nullptr : &found->second;
    }
    /// From the first edited token to behind the last one; there must be an edit.
    ParameterRange range() const { return {edits_.begin()->first, edits_.rbegin()->first + 1}; }

private:
    std::map<std::size_t, TokenEdit> edits_;
};

/// The source from the token `first` to before `last`, with the blanks between.
std::string text_of(std::span<const Token> tokens, std::size_t first, std::size_t last);

/// The source that the tokens are of, edited. Line ends and comments stay.
std::string edited_source(std::span<const Token> tokens, const TokenEdits& edits);

/// Whether there are only blanks, and no line end.
bool is_only_blanks(std::string_view space);

}  // namespace parallax

// Collects edits by tokens, and applies them.
#include "mapping/analyze/token_edits.hpp"

namespace parallax {

void TokenEdits::before(std::size_t i, std::string_view text, const RowList& rows) {
    TokenEdit& edit = edits_[i];
    edit.before += text;
    add_rows(edit.before_rows, rows);
}

void TokenEdits::after(std::size_t i, std::string_view text, const RowList& rows) {
    TokenEdit& edit = edits_[i];
    edit.after.insert(0, text);
    add_rows(edit.after_rows, rows);
}

void TokenEdits::instead(std::size_t i, std::string_view text, const RowList& rows) {
    TokenEdit& edit = edits_[i];
    edit.instead = std::string(text);
    add_rows(edit.instead_rows, rows);
}

void TokenEdits::leave_out(std::size_t first, std::size_t last, const RowList& rows) {
    for (std::size_t i = first; i <= last; ++i) instead(i, "", rows);
    edits_[first].opens = true;
}

void TokenEdits::quote(std::size_t i, std::size_t first, std::size_t last) {
    edits_[i].quotes.push_back(
        {first, last, edits_[first].before.size(), edits_[last - 1].after.size()});
}

void TokenEdits::replace(std::size_t first, std::size_t last, std::string_view text) {
    leave_out(first, last - 1);
    instead(first, text);
}

bool is_only_blanks(std::string_view space) {
    return space.find_first_not_of(" \t") == space.npos;
}

std::string text_of(std::span<const Token> tokens, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t i = first; i < last; ++i) {
        if (i > first) text += tokens[i].space;
        text += tokens[i].text;
    }
    return text;
}

std::string edited_source(std::span<const Token> tokens, const TokenEdits& edits) {
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const TokenEdit* edit = edits.find(i);
        const bool vanishes = edit && edit->instead && edit->instead->empty() && !edit->opens;
        if (!vanishes || !is_only_blanks(tokens[i].space)) text += tokens[i].space;
        if (edit) text += edit->before;
        text += edit && edit->instead ? std::string_view(*edit->instead) : tokens[i].text;
        if (edit) text += edit->after;
    }
    return text;
}

}  // namespace parallax

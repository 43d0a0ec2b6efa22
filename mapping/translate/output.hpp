// A translation while it is written, with the place in the source that each part comes from.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "mapping/analyze/outline.hpp"
#include "mapping/table/table.hpp"
#include "mapping/translate/pieces.hpp"

namespace parallax {

/// Appends copies of tokens and what is written for them.
class Output {
public:
    /// @param source  begins where offsets are 0; both must live as long as this
    Output(const Outline& outline, std::string_view source) : outline_(outline), source_(source) {}

protected:
    const Token& at(std::size_t i) const { return outline_[i]; }
    std::size_t offset(std::string_view in_source) const {
        return static_cast<std::size_t>(in_source.data() - source_.data());
    }
    std::size_t start_of(std::size_t i) const { return offset(at(i).text); }
    std::size_t end_of(std::size_t i) const { return start_of(i) + at(i).text.size(); }

    /// Writes a part of the source as it is.
    void copy(std::string_view in_source, const RowList& rows = {});
    /// Writes `text` for the bytes from `from` to `from_end` of the source. Its words are noted as
    /// the translation's, except marked ones.
    void put(std::string_view text, std::size_t from, std::size_t from_end, const RowList& rows);
    /// Writes `text` before the token `i`, behind its blanks.
    void write_before(std::size_t i, std::string_view text, const RowList& rows);
    void write_space(std::size_t i);
    /// Keeps the line ends and comments of what is not written.
    void keep_layout(std::size_t i);
    void keep_layout(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i <= last; ++i) keep_layout(i);
    }
    /// The output of `write` for the tokens from `first` on, in one line, apart from the rest.
    /// @param rows  the applied rules are added
    std::string apart(std::size_t first, RowList& rows, const std::function<void()>& write);

    /// Notes the words of the translation's own in `text`: those that a variable of the source
    /// would take over, and all, which a macro would.
    void note_words(std::string_view text);

    const Outline& outline_;
    std::string_view source_;
    std::set<std::string, std::less<>> words_, all_words_;  // that put() wrote
    std::string out_;
    PieceLog log_;                                       // of out_
    std::size_t spaced_ = static_cast<std::size_t>(-1);  // the space of this token is written
    bool swallow_ = false;                               // blanks before the next token

private:
    bool is_apart_ = false;  // out_ is a part that will be put elsewhere, in one line
    RowList rows_apart_;     // that were applied in it
};

}  // namespace parallax

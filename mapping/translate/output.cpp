// Appends to a translation, and notes where it is from.
#include "mapping/translate/output.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/text/characters.hpp"
#include "mapping/analyze/token_edits.hpp"

namespace parallax {

void Output::copy(std::string_view in_source, const RowList& rows) {
    if (is_apart_) {
        add_rows(rows_apart_, rows);
    } else {
        log_.copied(offset(in_source), out_.size(), in_source.size(), rows);
    }
    if (is_apart_ && !in_source.empty() && is_letter(in_source.front()))
        out_ += TokenEdit::own_mark;
    out_ += in_source;
}

void Output::put(std::string_view text, std::size_t from, std::size_t from_end,
                 const RowList& rows) {
    note_words(text);
    if (is_apart_) {
        add_rows(rows_apart_, rows);
        out_ += text;
        return;
    }
    const std::size_t before = out_.size();
    std::ranges::copy_if(text, std::back_inserter(out_),
                         [](char c) { return c != TokenEdit::own_mark; });
    log_.made(from, from_end, before, out_.size(), rows);
}

void Output::note_words(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t start = i;
        if (const char quote = text[i]; quote == '"' || quote == '\'') {
            for (++i; i < text.size() && text[i] != quote; ++i) i += text[i] == '\\';
            continue;
        }
        while (i < text.size() && is_word_character(text[i])) ++i;
        const char before = start > 0 ? text[start - 1] : out_.empty() ? ' ' : out_.back();
        if (i == start || before == TokenEdit::own_mark || is_digit(text[start])) continue;
        const std::string_view word = text.substr(start, i-- - start);
        all_words_.emplace(word);
        if (before != '.' && before != '>') words_.emplace(word);
    }
}

void Output::write_before(std::size_t i, std::string_view text, const RowList& rows) {
    write_space(i);
    put(text, start_of(i), start_of(i), rows);
    spaced_ = i;
}

void Output::write_space(std::size_t i) {
    const std::string_view space = at(i).space;
    if (is_apart_) {
        if (!space.empty() && !swallow_ && !out_.empty() && i != spaced_) out_ += ' ';
    } else if (!(swallow_ && is_only_blanks(space)) && i != spaced_) {
        copy(space);
    }
    swallow_ = false;
}

void Output::keep_layout(std::size_t i) {
    if (!is_apart_ && !is_only_blanks(at(i).space)) copy(at(i).space);
}

std::string Output::apart(std::size_t first, RowList& rows, const std::function<void()>& write) {
    std::string text = std::exchange(out_, {});
    RowList applied = std::exchange(rows_apart_, {});
    const std::size_t spaced = std::exchange(spaced_, first);
    const bool was_apart = std::exchange(is_apart_, true);
    write();
    is_apart_ = was_apart;
    spaced_ = spaced;
    swallow_ = false;
    std::swap(applied, rows_apart_);
    add_rows(rows, applied);
    std::swap(text, out_);
    return text;
}

}  // namespace parallax

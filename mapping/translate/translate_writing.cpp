// Appends to the translation, and notes where it is from.
#include <utility>

#include <fmt/format.h>

#include "mapping/translate/translator.hpp"

namespace parallax {

std::string Translator::words_of(const TokenEdits& edits, std::size_t first,
                                 std::size_t last) const {
    std::string words;
    for (std::size_t i = first; i <= last; ++i) {
        const TokenEdit* edit = edits.find(i);
        if (!edit) continue;
        const bool stays = !edit->instead || *edit->instead == at(i).text;
        if (stays && edit->before.empty() && edit->after.empty() && edit->row.empty()) continue;
        words += fmt::format("{} {}\1{}\1{}\1{}\n", i, edit->before,
                             stays ? at(i).text : *edit->instead, edit->after, edit->row);
    }
    return words;
}

std::string Translator::written(std::size_t first, std::size_t last, RowList& rows) {
    std::string text;
    std::swap(text, out_);
    const bool flat = std::exchange(flat_, true);
    const std::size_t spaced = std::exchange(spaced_, first);
    const bool apart = std::exchange(apart_, true);
    RowList applied;
    std::swap(applied, rows_apart_);
    write(first, last);
    std::swap(applied, rows_apart_);
    add_rows(rows, applied);
    apart_ = apart;
    flat_ = flat;
    spaced_ = spaced;
    swallow_ = false;
    std::swap(text, out_);
    return text;
}

void Translator::copy(std::string_view in_source, const RowList& rows) {
    if (apart_) {
        add_rows(rows_apart_, rows);
    } else {
        log_.copied(offset(in_source), out_.size(), in_source.size(), rows);
    }
    out_ += in_source;
}

void Translator::put(std::string_view text, std::size_t from, std::size_t from_end,
                     const RowList& rows) {
    if (apart_) {
        add_rows(rows_apart_, rows);
    } else {
        log_.made(from, from_end, out_.size(), out_.size() + text.size(), rows);
    }
    out_ += text;
}

void Translator::write_before(std::size_t i, std::string_view text, std::string_view row) {
    write_space(i);
    put(text, start_of(i), start_of(i), by(row));
    spaced_ = i;
}

void Translator::write_space(std::size_t i) {
    const std::string_view space = at(i).space;
    if (flat_) {
        if (!space.empty() && !swallow_ && !out_.empty() && i != spaced_) out_ += ' ';
    } else if (!(swallow_ && is_only_blanks(space)) && i != spaced_) {
        copy(space);
    }
    swallow_ = false;
}

void Translator::keep_layout(std::size_t i) {
    if (!flat_ && !is_only_blanks(at(i).space)) copy(at(i).space);
}

std::size_t Translator::plain(std::size_t i, std::string_view text, RowList rows) {
    write_space(i);
    if (text == at(i).text) {
        if (const auto noted = notes_.find(i); noted != notes_.end()) {
            add_rows(rows, noted->second);
        }
        copy(at(i).text, rows);
    } else {
        put(text, start_of(i), end_of(i), rows);
    }
    return i + 1;
}

std::size_t Translator::drop(std::size_t i, const RowList& rows) {
    write_space(i);
    put("", start_of(i), end_of(i), rows);
    swallow_ = true;
    return i + 1;
}

}  // namespace parallax

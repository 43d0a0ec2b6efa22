// Appends to a translation, and notes where it is from.
#include "mapping/translate/output.hpp"

#include <utility>

#include "mapping/analyze/token_edits.hpp"

namespace parallax {

void Output::copy(std::string_view in_source, const RowList& rows) {
    if (is_apart_) {
        add_rows(rows_apart_, rows);
    } else {
        log_.copied(offset(in_source), out_.size(), in_source.size(), rows);
    }
    out_ += in_source;
}

void Output::put(std::string_view text, std::size_t from, std::size_t from_end,
                 const RowList& rows) {
    if (is_apart_) {
        add_rows(rows_apart_, rows);
    } else {
        log_.made(from, from_end, out_.size(), out_.size() + text.size(), rows);
    }
    out_ += text;
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

// Writes tokens with their edits: numbers, marks and strings, and what edits quote.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "common/device/half.hpp"
#include "mapping/translate/writer.hpp"

namespace parallax {

void Writer::write(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to;) i = write_token(i, to);
}

std::string Writer::written(std::size_t first, std::size_t last, RowList& rows) {
    return apart(first, rows, [&] { write(first, last); });
}

std::size_t Writer::write_token(std::size_t i, std::size_t to) {
    if (!dynamic_.empty()) {
        if (const std::size_t next = write_dynamic_parameter(i)) return next;
    }
    if (made_.inner_types.contains(i) && in_front_.insert(i).second) write_inner_types(i);
    if (const auto found = made_.enum_declarations.find(i);
        found != made_.enum_declarations.end() && in_front_.insert(i).second) {
        return write_enum(found->second);
    }
    if (made_.reordered.contains(i)) return write_reordered(i);
    if (attributes_.contains(i)) return pass_attributes(i);
    if (const TokenEdit* edit = made_.edits.find(i)) return write_edited(i, to, *edit);
    const std::size_t next = write_unedited(i, to);
    // A row may have written several tokens at once.
    if (next > i + 1) write_text_after(next - 1);
    return next;
}

std::size_t Writer::write_edited(std::size_t i, std::size_t to, const TokenEdit& edit) {
    if (!edit.instead) {
        write_space(i);
        write_text_before(i, edit);
        spaced_ = i;
        const std::size_t next = write_unedited(i, to);
        write_text_after(next - 1);
        return next;
    }
    const bool vanishes = edit.instead->empty();
    if (edit.opens || !(vanishes || edit.instead->starts_with(","))) {
        write_space(i);
    } else {
        keep_layout(i);
    }
    write_text_before(i, edit);
    if (*edit.instead == at(i).text) {
        copy(at(i).text, edit.instead_rows);
    } else {
        RowList rows = edit.instead_rows;
        const std::string text = with_quotes(*edit.instead, 0, edit, rows);
        put(text, start_of(i), end_of(i), rows);
    }
    write_text_after(i);
    swallow_ = (edit.opens && vanishes) || edit.instead->starts_with(", ");
    return i + 1;
}

void Writer::write_text_before(std::size_t i, const TokenEdit& edit) {
    const std::size_t from = quote_ && quote_->first == i ? quote_->outer_before : 0;
    if (edit.before.size() == from) return;
    RowList rows = edit.before_rows;
    const std::string text = with_quotes(edit.before, from, edit, rows);
    put(text, start_of(i), start_of(i), rows);
}

void Writer::write_text_after(std::size_t i) {
    const TokenEdit* edit = made_.edits.find(i);
    if (!edit) return;
    const std::size_t outer = quote_ && quote_->last == i + 1 ? quote_->outer_after : 0;
    const std::string_view text = edit->after;
    if (text.size() == outer) return;
    put(text.substr(0, text.size() - outer), end_of(i), end_of(i), edit->after_rows);
}

std::string Writer::with_quotes(std::string_view text, std::size_t from, const TokenEdit& edit,
                                RowList& rows) {
    auto next =
        edit.quotes.begin() + std::ranges::count(text.substr(0, from), TokenEdit::quote_mark);
    std::string made;
    for (const char c : text.substr(from)) {
        if (c != TokenEdit::quote_mark) {
            made += c;
            continue;
        }
        const Quote* outer = std::exchange(quote_, &*next++);
        made += written(quote_->first, quote_->last, rows);
        quote_ = outer;
    }
    return made;
}

std::size_t Writer::write_unedited(std::size_t i, std::size_t to) {
    const Token& token = at(i);
    switch (token.kind) {
        case TokenKind::identifier: return write_word(i, to);
        case TokenKind::number: return write_number(i);
        case TokenKind::directive: return write_directive(i);
        case TokenKind::string: return write_string(i);
        case TokenKind::punctuator: return write_punctuator(i);
        case TokenKind::character:
        case TokenKind::end: break;
    }
    return plain(i, token.text);
}

std::size_t Writer::plain(std::size_t i, std::string_view text, RowList rows) {
    write_space(i);
    if (text == at(i).text) {
        if (const auto noted = made_.notes.find(i); noted != made_.notes.end()) {
            add_rows(rows, noted->second);
        }
        copy(at(i).text, rows);
    } else {
        put(text, start_of(i), end_of(i), rows);
    }
    return i + 1;
}

std::size_t Writer::write_name(std::size_t i) {
    return plain(i, written_name(resolved(i)), declared_.renaming(resolved(i)));
}

std::size_t Writer::drop(std::size_t i, const RowList& rows) {
    write_space(i);
    put("", start_of(i), end_of(i), rows);
    swallow_ = true;
    return i + 1;
}

std::size_t Writer::write_number(std::size_t i) {
    const std::string_view text = at(i).text;
    if (number_type(text).value.element == "half") {
        prelude_.key("half");
        const bool is_data = !in_define_ && item_ && item_->kind == Item::Kind::data;
        if (is_data) {
            // Data at file scope takes no function.
            const Half value(std::strtod(std::string(text).c_str(), nullptr));
            return plain(
                i, fmt::format("__builtin_bit_cast(half, (unsigned short)0x{:04x})", value.bits),
                by("1.0h"));
        }
        return plain(i, fmt::format("half({}f)", text.substr(0, text.size() - 1)), by("1.0h"));
    }
    const std::string written = number(text);
    return plain(i, written, written == text ? RowList{} : by("1L"));
}

std::string Writer::number(std::string_view text) {
    const auto suffix = std::min(text.find_first_of("lL"), text.size());
    std::string result(text);
    if (suffix < text.size() &&
        (suffix + 1 == text.size() || (text[suffix + 1] != 'l' && text[suffix + 1] != 'L'))) {
        result.insert(suffix, 1, text[suffix]);
    }
    // A number of 64 bits is a long without saying so.
    const std::string_view element = number_type(text).value.element;
    if (suffix == text.size() && (element == "long" || element == "ulong")) {
        const bool says_unsigned = text.find_first_of("uU") != text.npos;
        result += element == "long" || says_unsigned ? "LL" : "ULL";
    }
    return result;
}

std::size_t Writer::write_punctuator(std::size_t i) {
    if (at(i).is("...")) {
        complain(i,
                 "a range of values, an extension that CUDA's compiler does not take; write each "
                 "of them");
    } else if (at(i).is("(") && at(i + 1).is("{")) {
        complain(i,
                 "statements within an expression, an extension that CUDA's compiler does not "
                 "take; write a function");
    }
    const std::size_t next = plain(i, at(i).text);
    if (item_ && i == item_->body && !dynamic_.empty() && i > 0) write_dynamic_local();
    return next;
}

std::size_t Writer::write_string(std::size_t i) {
    if (!made_.formats.contains(i)) {
        // Strings of what could not be read are refused here.
        if (!made_.strings.contains(i) && !in_define_) refuse(i, "\"a\"");
        return plain(i, at(i).text);
    }
    std::string text;
    const std::string_view format = at(i).text;
    for (std::size_t k = 0; k < format.size(); ++k) {
        text += format[k];
        if (format[k] != '%') continue;
        std::size_t end = k + 1;
        while (end < format.size() &&
               std::string_view("-+ #0123456789.*").find(format[end]) != std::string_view::npos) {
            ++end;
        }
        text += format.substr(k + 1, end - k - 1);
        if (format.substr(end, 1) == "v" || format.substr(end, 2) == "hl") {
            refuse(i, "%v");
        }
        // OpenCL's long has 64 bits wherever it runs.
        if (format.substr(end, 1) == "l" && format.substr(end, 2) != "ll") text += 'l';
        k = end - 1;
        if (format.substr(end, 1) == "%") {
            text += '%';
            k = end;
        }
    }
    return plain(i, text, text == format ? RowList{} : by("printf($, $)"));
}

}  // namespace parallax

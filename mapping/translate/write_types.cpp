// Writes enums as C has them, types in front of those around them, and initializers in order.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/translate/writer.hpp"

namespace parallax {
namespace {

constexpr std::string_view variable_row = "enum E e", constants_row = "enum { A }",
                           inner_row = "struct S { struct R { T a; } b; }";

}  // namespace

void Writer::check_front(std::size_t i) {
    std::size_t first = made_.declaration_of(i);
    if (item_ && first == item_->first) {
        const bool is_constant = outline_.has(*item_, {"__constant", "constant"});
        if (!item_->is_function() && (item_->kind != Item::Kind::data || is_constant)) return;
    } else {
        do --first;
        while (at(first).kind == TokenKind::directive);
        if (at(first).is_one_of({";", "{", "}"})) return;
    }
    complain(i, "a type that is defined within a declaration; write it in front of that");
}

void Writer::write_inner_types(std::size_t i) {
    check_front(i);
    RowList rows = by(inner_row);
    std::string text;
    for (const std::size_t word : made_.inner_types.at(i)) {
        moving_ = word;
        const Parser::Enum* one = made_.parser.enum_at(word);
        const std::size_t last = one ? one->last : outline_.match[made_.brace_of(word)];
        text += written(word, last + 1, rows) + "; ";
    }
    moving_ = 0;
    write_before(i, text, rows);
}

std::size_t Writer::write_moved_record(std::size_t i) {
    const std::size_t open = made_.brace_of(i), past = outline_.match[open] + 1;
    std::size_t left_out = i;
    // Where no member follows, the type alone was declared.
    if (at(past).is(";")) {
        write_space(i);
    } else {
        plain(i, at(i).text);
        write_word(open - 1, open);
        left_out = open;
    }
    put("", start_of(left_out), end_of(past - 1), by(inner_row));
    for (std::size_t k = left_out; k < past; ++k) keep_layout(k);
    return past;
}

std::size_t Writer::write_enum(std::size_t i) {
    const Parser::Enum* one = made_.parser.enum_at(i);
    const std::size_t first = made_.declaration_of(i);
    const bool is_moved = made_.moved.contains(i);
    // Without variables, what no int holds does not compile.
    const bool has_variables =
        !one || one->open == 0 || is_moved || first != i || !at(one->last + 1).is(";");
    if (!one || (has_variables && !one->type.known()) || (one->open != 0 && in_define_)) {
        complain(
            i,
            "an enum whose values macros or #if decide, so that its type is not known here; run "
            "the preprocessor first (--expand), or write numbers");
        return plain(i, at(i).text);
    }
    const std::string type = cuda_name(one->type.value);
    if (one->open == 0 || (is_moved && moving_ != i)) {
        write_space(i);
        const bool declares = !is_moved || !at(one->last + 1).is(";");
        put(declares ? type : "", start_of(i), end_of(one->last), by(variable_row));
        keep_layout(i + 1, one->last);
        return one->last + 1;
    }
    RowList rows = by(constants_row);
    std::string words;
    if (!is_moved && first != i) {
        write_space(first);
        words = written(first, i, rows) + ' ';
        keep_layout(first + 1, i);
    } else {
        write_space(i);
    }
    const std::size_t close = outline_.match[one->open];
    const std::string first_type =
        one->type.known() ? cuda_name(one->enumerators.front().type.value) : "int";
    put(fmt::format("enum : {} ", first_type), start_of(first), start_of(one->open), rows);
    keep_layout(i + 1, one->open);
    spaced_ = one->open;
    write(one->open, close + 1);
    const std::size_t past = one->last + 1;
    if (past > close + 1) {
        put("", start_of(close + 1), end_of(one->last), rows);
        for (std::size_t k = close + 1; k < past; ++k) keep_layout(k);
    }
    if (is_moved || at(past).is(";")) return past;
    // The enum is a declaration of its own; what was declared with it comes behind.
    check_front(i);
    put("; " + words + type, end_of(close), end_of(close), by(variable_row));
    return past;
}

std::size_t Writer::write_record_word(std::size_t i) {
    if (made_.moved.contains(i) && i != moving_) return write_moved_record(i);
    plain(i, at(i).text);
    std::size_t open = i + 1;
    while (at(open).is("__attribute__") && at(open + 1).is("(")) {
        open = std::max(open + 1, outline_.match[open + 1]) + 1;
    }
    if (at(open).kind == TokenKind::identifier) ++open;
    if (!at(open).is("{") || outline_.match[open] < open) return i + 1;
    if (i > 0 && at(i - 1).is("(")) {
        complain(i, "a type that is defined within an expression; declare it in front of that");
    }
    std::size_t after = outline_.match[open] + 1;
    if (after == open + 2) {
        complain(i, "without members it has no size in OpenCL C, and one byte in C++; remove it");
    }
    // An attribute may also follow the new name of a typedef.
    if (i > 0 && at(i - 1).is("typedef") && at(after).kind == TokenKind::identifier &&
        at(after + 1).is("__attribute__")) {
        ++after;
    }
    while (at(after).is("__attribute__") && at(after + 1).is("(")) {
        const std::size_t close = std::max(after + 1, outline_.match[after + 1]);
        RowList rows;
        if (const std::string text = attributes_text(after, rows); !text.empty()) {
            put(' ' + text, end_of(i), end_of(i), rows);
        }
        attributes_[after] = {close + 1, rows};
        after = close + 1;
    }
    return i + 1;
}

std::size_t Writer::write_reordered(std::size_t open) {
    const auto [parts, filler] = made_.reordered.at(open);
    RowList rows = by("{.name = $}");
    std::string text;
    for (const auto [first, last] : parts) {
        if (!text.empty()) text += ", ";
        text += first == last ? filler : written(first, last, rows);
    }
    const std::size_t close = outline_.match[open];
    write_space(open);
    copy(at(open).text);
    put(text, end_of(open), end_of(close - 1), rows);
    for (std::size_t i = open + 1; i <= close; ++i) keep_layout(i);
    copy(at(close).text);
    return close + 1;
}

void Writer::write_volatile_copies(const Item& item) {
    for (const int record : made_.volatile_copies) {
        const std::size_t end = made_.parser.end_of(record);
        if (end < item.first || end > item.last) continue;
        const std::string name = made_.record_name(record);
        std::string body;
        for (const auto& [member, type] : made_.parser.copied_members(record)) {
            const std::string as = declared_.own_word(member);
            const bool is_pointer = type.pointers > 0 && !made_.parser.is_array(record, member);
            const bool plain = is_pointer || type.is_scalar();
            body += plain && type.value.element != "half"
                        ? fmt::format("to.{0} = from.{0}; ", as)
                        : fmt::format("volatile_copy(to.{0}, from.{0}); ", as);
        }
        for (const auto& [to, from] : {std::pair("", "const volatile "), {"volatile ", "const "}}) {
            put(fmt::format(" __device__ inline void volatile_copy({0}{1}& to, {2}{1}& from) {{ "
                            "{3}}}",
                            to, name, from, body),
                end_of(item.last), end_of(item.last), by("volatile T4"));
        }
    }
}

}  // namespace parallax

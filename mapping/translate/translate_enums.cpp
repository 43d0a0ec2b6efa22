// Writes enums as C has them, and types that are defined within others in front of those.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/translate/translator.hpp"
#include "mapping/translate/word_lists.hpp"

namespace parallax {
namespace {

constexpr std::string_view variable_row = "enum E e", constants_row = "enum { A }",
                           inner_row = "struct S { struct R { T a; } b; }";

bool begins_declaration(const Token& word) {
    return word.kind == TokenKind::word &&
           (is_qualifier(word.text) || is_address_space(word.text) ||
            word.is_one_of({"typedef", "static", "extern", "register", "inline"}));
}

/// The `{` of the struct, union or enum whose word stands at `i`, or 0.
std::size_t brace_of(const Outline& outline, std::size_t i) {
    for (++i; outline[i].kind == TokenKind::word; ++i) {
        if (outline[i].is("__attribute__")) i = std::max(i, outline.match[i + 1]);
    }
    return outline[i].is("{") && outline.match[i] > i ? i : 0;
}

}  // namespace

std::size_t Translator::declaration_of(std::size_t i) const {
    while (i > 0 && begins_declaration(at(i - 1))) --i;
    return i;
}

void Translator::check_front(std::size_t i) {
    std::size_t first = declaration_of(i);
    if (item_ && first == item_->first) {
        const bool is_constant = item_has(*item_, {"__constant", "constant"});
        if (!item_->is_function() && (item_->kind != Item::Kind::data || is_constant)) return;
    } else {
        do --first;
        while (at(first).kind == TokenKind::directive);
        if (at(first).is_one_of({";", "{", "}"})) return;
    }
    complain(i, "a type that is defined within a declaration; write it in front of that");
}

void Translator::find_moved_types() {
    struct Record {
        std::size_t word, close;
    };
    std::vector<Record> around;
    for (std::size_t i = 0; i < outline_.end; ++i) {
        while (!around.empty() && i > around.back().close) around.pop_back();
        if (!at(i).is_one_of({"struct", "union", "enum"})) continue;
        const std::size_t open = brace_of(outline_, i);
        if (open == 0) continue;
        const bool is_enum = at(i).is("enum");
        if (is_enum) write_enumerators(i);
        if (!around.empty()) {
            // C knows the name of an inner type outside, too.
            bool is_used = is_enum;
            const std::size_t past = outline_.match[brace_of(outline_, around.front().word)];
            for (std::size_t k = past; k < outline_.tokens.size() && !is_used; ++k) {
                is_used = at(k).kind == TokenKind::word && at(k).is(at(open - 1).text) &&
                          at(k - 1).is(at(i).text);
            }
            if (is_used && open > i + (is_enum ? 0 : 1)) {
                inner_types_[declaration_of(around.front().word)].push_back(i);
                moved_.insert(i);
                for (std::size_t k = around.front().word; k < past; ++k) {
                    if (at(k).kind != TokenKind::directive) continue;
                    complain(i,
                             "a type that is used outside of the one around it, where #if may "
                             "decide; run the preprocessor first (--expand)");
                    break;
                }
            }
        } else if (is_enum && declaration_of(i) != i) {
            enum_declarations_[declaration_of(i)] = i;
        }
        if (!is_enum) around.push_back({i, outline_.match[open]});
    }
    // What stands in another one comes before it.
    for (auto& [declaration, words] : inner_types_) {
        std::ranges::sort(words, {},
                          [&](std::size_t i) { return outline_.match[brace_of(outline_, i)]; });
    }
}

void Translator::write_enumerators(std::size_t i) {
    const Parser::Enum* one = parser_->enum_at(i);
    if (!one || !one->type.known()) return;
    for (std::size_t e = 1; e < one->enumerators.size(); ++e) {
        const auto& [name, value, type, is_given] = one->enumerators[e];
        if (type == one->enumerators[e - 1].type) continue;
        // Those that are no int have a type of their own.
        std::size_t comma = name - 1;
        while (at(comma).kind == TokenKind::directive) --comma;
        instead(comma, fmt::format(" }}; enum : {} {{", cuda_name(type.value)), by(constants_row));
        if (is_given) continue;
        after(name,
              is_signed_element(type.value.element)
                  ? fmt::format(" = {}ll", value)
                  : fmt::format(" = {}ull", static_cast<std::uint64_t>(value)),
              by(constants_row));
    }
}

void Translator::write_inner_types(std::size_t i) {
    check_front(i);
    const auto words = inner_types_.extract(i).mapped();
    RowList rows = by(inner_row);
    std::string text;
    for (const std::size_t word : words) {
        moving_ = word;
        const Parser::Enum* one = parser_->enum_at(word);
        const std::size_t last = one ? one->last : outline_.match[brace_of(outline_, word)];
        text += written(word, last + 1, rows) + "; ";
    }
    moving_ = 0;
    write_space(i);
    put(text, start_of(i), start_of(i), rows);
    spaced_ = i;
}

std::size_t Translator::write_moved_record(std::size_t i) {
    const std::size_t open = brace_of(outline_, i), past = outline_.match[open] + 1;
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

std::size_t Translator::write_enum(std::size_t i) {
    const Parser::Enum* one = parser_->enum_at(i);
    const std::size_t first = declaration_of(i);
    const bool is_moved = moved_.contains(i);
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
        for (std::size_t k = i + 1; k <= one->last; ++k) keep_layout(k);
        return one->last + 1;
    }
    RowList rows = by(constants_row);
    std::string words;
    if (!is_moved && first != i) {
        write_space(first);
        words = written(first, i, rows) + ' ';
        for (std::size_t k = first + 1; k <= i; ++k) keep_layout(k);
    } else {
        write_space(i);
    }
    const std::size_t close = outline_.match[one->open];
    const std::string first_type =
        one->type.known() ? cuda_name(one->enumerators.front().type.value) : "int";
    put(fmt::format("enum : {} ", first_type), start_of(first), start_of(one->open), rows);
    for (std::size_t k = i + 1; k <= one->open; ++k) keep_layout(k);
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

}  // namespace parallax

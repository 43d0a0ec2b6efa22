// Writes address spaces: which word stays, and which vanishes.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/translate/writer.hpp"

namespace parallax {
namespace {

// Limit of the tokens of a declaration; real ones are shorter.
constexpr std::size_t reach = 1000;

}  // namespace

bool Writer::points(std::size_t i) const {
    for (const std::size_t end = i + reach; ++i < end;) {
        const Token& token = at(i);
        // `(*p)[4]` points, and so does a parameter's `a[4]`, or one of a typedef of an array.
        const bool is_declarator = token.is("(") && !at(i - 1).is("__attribute__");
        if (token.is("*") || (is_declarator && at(i + 1).is("*"))) return true;
        const auto alias = declared_.pointer_aliases.find(token.text);
        const bool is_array =
            token.is("[") || (alias != declared_.pointer_aliases.end() && !alias->second.has_star);
        if (is_array && in_parameters(i)) return true;
        if (token.is("(")) i = std::max(i, outline_.match[i]);
        if (token.kind == TokenKind::end || token.is_one_of({";", "=", ",", ")", "[", "{"})) {
            return false;
        }
    }
    return false;
}

bool Writer::qualifies_array(std::size_t i) const {
    const auto says = [this](std::size_t k) {
        return at(k).is("static") || is_qualifier(at(k).text);
    };
    if (!in_parameters(i) || !says(i)) return false;
    while (says(i)) --i;
    return at(i).is("[");
}

bool Writer::has_inner_parentheses(std::size_t i) const {
    for (const std::size_t end = i + reach; ++i < end;) {
        const Token& token = at(i);
        if (token.is("(")) {
            if (!at(i - 1).is("__attribute__")) return !at(i + 1).is("*");
            i = std::max(i, outline_.match[i]);
        }
        if (token.kind == TokenKind::end || token.is_one_of({"*", ";", "=", ",", ")", "[", "{"})) {
            return false;
        }
    }
    return false;
}

bool Writer::mixes_pointers(std::size_t i) const {
    for (const std::size_t end = i + reach; ++i < end;) {
        const Token& token = at(i);
        if (outline_.match[i] > i) i = outline_.match[i];
        if (token.kind == TokenKind::end || token.is_one_of({";", ")", "}"})) {
            return false;
        }
        const std::size_t name = i + (at(i + 1).is("(") ? 2 : 1);
        if (token.is(",") && !at(name).is("*")) return true;
    }
    return true;
}

std::size_t Writer::write_address_space_of_macro(std::size_t i) {
    const std::string_view text = at(i).text;
    // In a macro for both arrays and pointers the word is not next to either.
    if (is_local(i) || text.ends_with("constant")) {
        if (!points(i)) {
            complain(i,
                     "in a macro it cannot be seen what it belongs to; run the preprocessor "
                     "first (--expand)");
        }
        return text.ends_with("constant") ? plain(i, "const", by(text)) : drop(i, by(text));
    }
    return drop(i, by(text));
}

std::size_t Writer::write_address_space(std::size_t i) {
    const std::string_view text = at(i).text;
    const bool is_private = text.ends_with("private");
    std::size_t before = i > 0 ? i - 1 : 0;
    while (before > 0 && is_qualifier(at(before).text)) --before;
    if (is_private) return drop(i, by(text));
    if (in_define_) return write_address_space_of_macro(i);
    if (at(before).is("*")) {
        complain(i,
                 "the memory of the pointer itself; only what it points to has a row: write the "
                 "word before the *");
        return drop(i, by(text));
    }
    if (has_inner_parentheses(i)) {
        complain(i, "parentheses around the declared name; declare a plain pointer or array");
        return drop(i, by(text));
    }
    const bool pointer = points(i);
    if (pointer && !in_parameters(i) && mixes_pointers(i)) {
        complain(i, "one declaration for pointers and other variables; write one each");
    }
    if (text.ends_with("constant")) {
        // The compiler knows a sampler's value, unless it is in memory.
        std::size_t behind = i + 1;
        bool is_const = i > 0 && at(i - 1).is("const");
        for (; is_qualifier(at(behind).text); ++behind) {
            is_const = is_const || at(behind).is("const");
        }
        if (!at(behind).is("sampler_t")) return write_constant(i, pointer);
        return is_const ? drop(i, by(text)) : plain(i, "const", by(text));
    }
    if (pointer) return drop(i, by(text));
    if (is_local(i) && in_body(i) && item_->kind == Item::Kind::kernel) {
        return plain(i, Patterns::row("__local").cuda, by(text));
    }
    if (item_ && item_->kind == Item::Kind::data && !is_local(i)) return drop(i, by(text));
    complain_of_address_space(i);
    return drop(i, by(text));
}

/// Rejects an address space that belongs to no pointer, where that is not allowed.
void Writer::complain_of_address_space(std::size_t i) {
    const bool is_function = item_ && item_->is_function();
    if (is_function && in_parameters(i)) {
        complain(i, "an address space without a pointer; add the *");
    } else if (item_ && item_->kind == Item::Kind::alias) {
        complain(i,
                 "an address space in a typedef that is no pointer; write it where the type is "
                 "used");
    } else if (is_local(i)) {
        complain(i,
                 "local memory is declared in the body of a kernel; move it there, or pass a "
                 "pointer");
    } else {
        complain(i, fmt::format("data here cannot lie in {} memory; pass a pointer to it",
                                at(i).text.ends_with("global") ? "global" : "constant"));
    }
}

std::size_t Writer::write_constant(std::size_t i, bool pointer) {
    const std::string_view text = at(i).text;
    const bool is_data = item_ && item_->kind == Item::Kind::data;
    if (is_data && !pointer) return plain(i, Patterns::row("__constant").cuda, by(text));
    if (!pointer && !in_body(i)) complain_of_address_space(i);
    // `__constant const T*` must not become `const const`.
    for (std::size_t k = i + 1; k < i + reach && at(k).kind == TokenKind::identifier; ++k) {
        if (at(k).is("const")) return drop(i, by(text));
    }
    for (std::size_t k = i; k > 0 && k + reach > i && at(k - 1).kind == TokenKind::identifier;
         --k) {
        if (at(k - 1).is("const")) return drop(i, by(text));
    }
    return plain(i, "const", by(text));
}

}  // namespace parallax

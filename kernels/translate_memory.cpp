// Writes address spaces: which word stays, which vanishes, where dynamic local memory goes.
#include <algorithm>

#include <fmt/format.h>

#include "kernels/translator.hpp"

namespace parallax {
namespace {

// Bounds the look ahead into a declaration; no sane one is longer.
constexpr std::size_t reach = 1000;

}  // namespace

void Translator::find_dynamic_local(const Item& item) {
    const auto parameters = outline_.parameters(item);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        const auto [first, last] = parameters[p];
        std::size_t local = last;
        for (std::size_t i = first; i < last; ++i) {
            if (is_local(i)) local = i;
        }
        if (local == last) continue;
        if (p + 1 != parameters.size()) {
            complain(local,
                     "a local parameter of a kernel must be the last one, and the only "
                     "one; move it, or make the array static with a constant for its size");
            continue;
        }
        std::size_t star = first;
        while (star < last && !at(star).is("*")) ++star;
        const bool plain =
            star < last &&
            std::none_of(
                outline_.tokens.begin() + static_cast<std::ptrdiff_t>(star) + 1,
                outline_.tokens.begin() + static_cast<std::ptrdiff_t>(last),
                [](const Token& token) { return token.is("*") || token.is("[") || token.is("("); });
        if (!plain || at(last - 1).kind != TokenKind::word || last == star + 1) {
            complain(local, "a local parameter that is not a plain pointer; write __local T* name");
            continue;
        }
        dynamic_ = parameters[p];
        dynamic_star_ = star;
    }
}

void Translator::write_dynamic_local() {
    std::string text;
    std::swap(text, out_);
    flat_ = true;
    write(dynamic_.first, dynamic_star_ + 1);
    const std::string cast = out_;
    write(dynamic_star_ + 1, dynamic_.last);
    flat_ = false;
    std::swap(text, out_);
    // The widest vector, double4, asks for 32 bytes; all kernels of a file share the array.
    out_ += fmt::format(
        " extern __shared__ __align__(32) unsigned char dynamic_local[]; "
        "{} = reinterpret_cast<{}>(dynamic_local);",
        text, cast);
}

bool Translator::points(std::size_t i) const {
    for (const std::size_t end = i + reach; ++i < end;) {
        const Token& token = at(i);
        if (token.is("*")) return true;
        if (token.is("(")) i = outline_.match[i];
        if (token.kind == TokenKind::end || token.is(";") || token.is("=") || token.is(",") ||
            token.is(")") || token.is("[") || token.is("{")) {
            return false;
        }
    }
    return false;
}

bool Translator::has_inner_parentheses(std::size_t i) const {
    for (const std::size_t end = i + reach; ++i < end;) {
        const Token& token = at(i);
        if (token.is("(")) {
            if (!at(i - 1).is("__attribute__")) return true;
            i = outline_.match[i];
        }
        if (token.kind == TokenKind::end || token.is("*") || token.is(";") || token.is("=") ||
            token.is(",") || token.is(")") || token.is("[") || token.is("{")) {
            return false;
        }
    }
    return false;
}

bool Translator::mixes_pointers(std::size_t i) const {
    for (const std::size_t end = i + reach; ++i < end;) {
        const Token& token = at(i);
        if (outline_.match[i] > i) i = outline_.match[i];
        if (token.kind == TokenKind::end || token.is(";") || token.is(")") || token.is("}")) {
            return false;
        }
        if (token.is(",") && !at(i + 1).is("*")) return true;
    }
    return true;
}

std::size_t Translator::write_address_space(std::size_t i) {
    const std::string_view text = at(i).text;
    const bool is_private = text.ends_with("private");
    std::size_t before = i > 0 ? i - 1 : 0;
    while (before > 0 && is_qualifier(at(before).text)) --before;
    if (is_private) return drop(i);
    if (at(before).is("*")) {
        complain(i,
                 "the memory of the pointer itself; only what it points to has a row: write the "
                 "word before the *");
        return drop(i);
    }
    if (has_inner_parentheses(i)) {
        complain(i, "parentheses around the declared name; declare a plain pointer or array");
        return drop(i);
    }
    const bool pointer = points(i);
    if (pointer && !in_parameters(i) && mixes_pointers(i)) {
        complain(i, "one declaration for pointers and other variables; write one each");
    }
    if (text.ends_with("constant")) return write_constant(i, pointer);
    if (pointer) return drop(i);
    if (is_local(i) && in_body(i) && item_->kind == Item::Kind::kernel) {
        return plain(i, Patterns::row("__local").cuda);
    }
    complain(i, is_local(i) ? "local memory is declared in the body of a kernel; move it there, or "
                              "pass a pointer"
                            : "data here cannot lie in global memory; pass a pointer to it");
    return drop(i);
}

std::size_t Translator::write_constant(std::size_t i, bool pointer) {
    const bool is_data = item_ && item_->kind == Item::Kind::data;
    if (is_data && !pointer) return plain(i, Patterns::row("__constant").cuda);
    if (!pointer && !in_body(i)) {
        complain(i, "constant memory without a pointer to it; write __constant T* name");
    }
    // `__constant const T*` must not become `const const`.
    for (std::size_t k = i + 1; k < i + reach && at(k).kind == TokenKind::word; ++k) {
        if (at(k).is("const")) return drop(i);
    }
    for (std::size_t k = i; k > 0 && k + reach > i && at(k - 1).kind == TokenKind::word; --k) {
        if (at(k - 1).is("const")) return drop(i);
    }
    return plain(i, "const");
}

}  // namespace parallax

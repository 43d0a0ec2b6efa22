// Writes address spaces: which word stays, which vanishes, where dynamic local memory goes.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "mapping/translate/translator.hpp"

namespace parallax {
namespace {

// How many tokens of a declaration are looked at; real ones are shorter.
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
        std::size_t star = first;
        while (star < last && !at(star).is("*")) ++star;
        const bool plain =
            star < last &&
            std::none_of(outline_.tokens.begin() + static_cast<std::ptrdiff_t>(star) + 1,
                         outline_.tokens.begin() + static_cast<std::ptrdiff_t>(last),
                         [](const Token& token) {
                             return token.is_one_of({"*", "[", "("});
                         });
        if (!plain || at(last - 1).kind != TokenKind::word || last == star + 1) {
            complain(local, "a local parameter that is not a plain pointer; write __local T* name");
            continue;
        }
        // The first parameter vanishes with a comma; the others become numbers.
        DynamicLocal found{.range = parameters[p], .star = star};
        if (dynamic_.empty() && p > 0) found.comma = first - 1;
        if (dynamic_.empty() && p == 0 && parameters.size() > 1) found.comma = last;
        dynamic_.push_back(found);
    }
}

std::size_t Translator::write_dynamic_parameter(std::size_t i) {
    const std::size_t comma = dynamic_.front().comma;
    const RowList rows = by("__local T* p)");
    if (comma != 0 && i == comma && at(i).is(",")) {
        put("", start_of(i), end_of(i), rows);
        keep_layout(i);
        return i + 1;
    }
    const auto after = std::ranges::upper_bound(
        dynamic_, i, {}, [](const DynamicLocal& one) { return one.range.first; });
    if (after == dynamic_.begin()) return 0;
    const DynamicLocal& found = *std::prev(after);
    if (i >= found.range.last) return 0;
    if (&found == &dynamic_.front()) {
        swallow_ = swallow_ || comma == found.range.last;
        keep_layout(i);
    } else if (i == found.range.first) {
        write_space(i);
        put(fmt::format("unsigned int {}_at", written_name(at(found.range.last - 1).text)),
            start_of(i), end_of(found.range.last - 1), rows);
    } else {
        keep_layout(i);
    }
    put("", start_of(i), end_of(i), rows);
    return i + 1;
}

void Translator::write_dynamic_local() {
    std::string text = " extern __shared__ __align__(128) unsigned char dynamic_local[];";
    RowList rows = by("__local T* p)");
    flat_ = true;
    for (std::size_t p = 0; p < dynamic_.size(); ++p) {
        const auto& [range, star, comma] = dynamic_[p];
        const std::string cast = written(range.first, star + 1, rows);
        swallow_ = false;
        const std::string name = written(star + 1, range.last, rows);
        const std::string from =
            p == 0 ? "dynamic_local"
                   : fmt::format("dynamic_local + {}_at", written_name(at(range.last - 1).text));
        text += fmt::format(" {} {} = reinterpret_cast<{}>({});", cast, name, cast, from);
    }
    flat_ = false;
    put(text, end_of(item_->body), end_of(item_->body), rows);
}

bool Translator::points(std::size_t i) const {
    for (const std::size_t end = i + reach; ++i < end;) {
        const Token& token = at(i);
        if (token.is("*")) return true;
        if (token.is("(")) i = std::max(i, outline_.match[i]);
        if (token.kind == TokenKind::end || token.is_one_of({";", "=", ",", ")", "[", "{"})) {
            return false;
        }
    }
    return false;
}

bool Translator::has_inner_parentheses(std::size_t i) const {
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

bool Translator::mixes_pointers(std::size_t i) const {
    for (const std::size_t end = i + reach; ++i < end;) {
        const Token& token = at(i);
        if (outline_.match[i] > i) i = outline_.match[i];
        if (token.kind == TokenKind::end || token.is_one_of({";", ")", "}"})) {
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
    if (is_private) return drop(i, by(text));
    if (in_define_) {
        // The word stands alone in a macro that arrays and pointers both use.
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
        // A sampler's number is known to the compiler, unless it lies in memory.
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
    complain(i, is_local(i) ? "local memory is declared in the body of a kernel; move it there, or "
                              "pass a pointer"
                            : "data here cannot lie in global memory; pass a pointer to it");
    return drop(i, by(text));
}

std::size_t Translator::write_constant(std::size_t i, bool pointer) {
    const std::string_view text = at(i).text;
    const bool is_data = item_ && item_->kind == Item::Kind::data;
    if (is_data && !pointer) return plain(i, Patterns::row("__constant").cuda, by(text));
    if (!pointer && !in_body(i)) {
        complain(i, "constant memory without a pointer to it; write __constant T* name");
    }
    // `__constant const T*` must not become `const const`.
    for (std::size_t k = i + 1; k < i + reach && at(k).kind == TokenKind::word; ++k) {
        if (at(k).is("const")) return drop(i, by(text));
    }
    for (std::size_t k = i; k > 0 && k + reach > i && at(k - 1).kind == TokenKind::word; --k) {
        if (at(k - 1).is("const")) return drop(i, by(text));
    }
    return plain(i, "const", by(text));
}

}  // namespace parallax

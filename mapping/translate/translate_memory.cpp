// Writes address spaces: which word stays, which vanishes, where dynamic local memory goes.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "mapping/translate/translator.hpp"

namespace parallax {
namespace {

// How many tokens of a declaration are looked at; real ones are shorter.
constexpr std::size_t reach = 1000;

}  // namespace

/// Whether a typedef says that the word at `i` is a pointer to local memory.
bool Translator::is_local_pointer(std::size_t i) const {
    const auto alias = pointer_aliases_.find(at(i).text);
    if (alias == pointer_aliases_.end() || !alias->second.has_star) return false;
    for (std::size_t k = alias->second.first; k < alias->second.last; ++k) {
        if (is_local(k)) return true;
    }
    return false;
}

bool Translator::is_local_macro(std::string_view name) const {
    const auto defines = macros_.find(name);
    if (defines == macros_.end()) return false;
    return std::ranges::any_of(defines->second, [&](const Directive* one) {
        for (std::size_t i = one->body; i < one->last; ++i) {
            if (is_local(i) || (at(i).text != name && is_local_pointer(i))) return true;
        }
        return false;
    });
}

void Translator::find_dynamic_local(const Item& item) {
    const auto parameters = outline_.parameters(item);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        const auto [first, last] = parameters[p];
        std::size_t local = last, name = last, stars = 0;
        bool by_name = false, points = false;
        for (std::size_t i = first; i < last; ++i) {
            const Token& token = at(i);
            const bool is_array = token.is("[");
            if (is_local_macro(token.text)) {
                complain(i,
                         "a macro that puts a kernel's parameter into local memory; write __local "
                         "beside the name, or run the preprocessor first (--expand)");
            }
            if (is_local(i) || is_local_pointer(i)) local = i;
            by_name = by_name || is_local_pointer(i);
            if (token.is("*")) ++stars;
            points = points || token.is("*") || is_array;
            if (token.kind == TokenKind::word) name = i;
            // An array of pointers: the name is no pointer's.
            if (is_array && stars > 0 && !at(i - 1).is_one_of({")", "]"})) ++stars;
            if (is_array || (token.is("(") && !at(i + 1).is("*")))
                i = std::max(i, outline_.match[i]);
        }
        if (local == last) continue;
        const bool is_name =
            name > local && (name + 1 == last || at(name + 1).is_one_of({"[", ")"}));
        if (stars + by_name > 1 || !(points || by_name) || !is_name) {
            complain(local,
                     "a local parameter that is no pointer to numbers, structs or arrays; write "
                     "__local T* name");
            continue;
        }
        // The first parameter vanishes with a comma; the others become numbers.
        DynamicLocal found{.range = parameters[p], .name = name};
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
        put(fmt::format("unsigned int {}_at", written_name(at(found.name).text)), start_of(i),
            end_of(found.range.last - 1), rows);
    } else {
        keep_layout(i);
    }
    put("", start_of(i), end_of(i), rows);
    return i + 1;
}

std::string Translator::dynamic_declaration(const DynamicLocal& one, std::string_view memory,
                                            RowList& rows) {
    const auto [first, last] = one.range;
    const auto part = [&](std::size_t from, std::size_t to) {
        std::string text = written(from, to, rows);
        swallow_ = false;
        return text;
    };
    std::size_t star = one.name;
    while (star > first && !at(star).is("*")) --star;
    if (at(star).is("*") && one.name + 1 == last) {
        const std::string type = part(first, star + 1), name = part(star + 1, last);
        return fmt::format(" {} {} = reinterpret_cast<{}>({});", type, name, type, memory);
    }
    std::string type = part(first, one.name);
    const std::string name = part(one.name, one.name + 1);
    std::size_t after = one.name + 1;
    if (after < last && at(after).is("[")) {
        // `t[]` is a pointer to its element, `t[][17]` one to an array.
        after = outline_.match[after] + 1;
        type += after < last ? " (*)" : "*";
    }
    type += part(after, last);
    return fmt::format(" auto {} = reinterpret_cast<{}>({});", name, type, memory);
}

std::string Translator::dynamic_local_text(RowList& rows) {
    std::string text = " extern __shared__ __align__(128) unsigned char dynamic_local[];";
    add_rows(rows, by("__local T* p)"));
    // What declares them is written as it stands.
    const std::vector<DynamicLocal> all = std::exchange(dynamic_, {});
    for (const DynamicLocal& one : all) {
        const std::string_view name = written_name(at(one.name).text);
        text += dynamic_declaration(
            one,
            &one == &all.front() ? "dynamic_local" : fmt::format("dynamic_local + {}_at", name),
            rows);
    }
    dynamic_ = all;
    return text;
}

void Translator::write_dynamic_local() {
    RowList rows;
    const std::string text = dynamic_local_text(rows);
    put(text, end_of(item_->body), end_of(item_->body), rows);
}

bool Translator::points(std::size_t i) const {
    for (const std::size_t end = i + reach; ++i < end;) {
        const Token& token = at(i);
        // `(*p)[4]` points, and so does a parameter's `a[4]`, or one of a typedef of an array.
        const bool is_declarator = token.is("(") && !at(i - 1).is("__attribute__");
        if (token.is("*") || (is_declarator && at(i + 1).is("*"))) return true;
        const auto alias = pointer_aliases_.find(token.text);
        const bool is_array =
            token.is("[") || (alias != pointer_aliases_.end() && !alias->second.has_star);
        if (is_array && in_parameters(i)) return true;
        if (token.is("(")) i = std::max(i, outline_.match[i]);
        if (token.kind == TokenKind::end || token.is_one_of({";", "=", ",", ")", "[", "{"})) {
            return false;
        }
    }
    return false;
}

bool Translator::qualifies_array(std::size_t i) const {
    const auto says = [this](std::size_t k) {
        return at(k).is("static") || is_qualifier(at(k).text);
    };
    if (!in_parameters(i) || !says(i)) return false;
    while (says(i)) --i;
    return at(i).is("[");
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
        const std::size_t name = i + (at(i + 1).is("(") ? 2 : 1);
        if (token.is(",") && !at(name).is("*")) return true;
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
    complain_of_address_space(i);
    return drop(i, by(text));
}

/// Of one that belongs to no pointer, where it cannot stand.
void Translator::complain_of_address_space(std::size_t i) {
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

std::size_t Translator::write_constant(std::size_t i, bool pointer) {
    const std::string_view text = at(i).text;
    const bool is_data = item_ && item_->kind == Item::Kind::data;
    if (is_data && !pointer) return plain(i, Patterns::row("__constant").cuda, by(text));
    if (!pointer && !in_body(i)) complain_of_address_space(i);
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

// Writes local memory whose size the launch decides: a kernel's parameters become variables.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "mapping/translate/writer.hpp"

namespace parallax {

/// Whether a typedef says that the word at `i` is a pointer to local memory.
bool Writer::is_local_pointer(std::size_t i) const {
    const auto alias = declared_.pointer_aliases.find(at(i).text);
    if (alias == declared_.pointer_aliases.end() || !alias->second.has_star) return false;
    for (std::size_t k = alias->second.first; k < alias->second.last; ++k) {
        if (is_local(k)) return true;
    }
    return false;
}

bool Writer::is_local_macro(std::string_view name) const {
    const auto defines = declared_.macros.find(name);
    if (defines == declared_.macros.end()) return false;
    return std::ranges::any_of(defines->second, [&](const Directive* one) {
        for (std::size_t i = one->body; i < one->last; ++i) {
            if (is_local(i) || (at(i).text != name && is_local_pointer(i))) return true;
        }
        return false;
    });
}

void Writer::find_dynamic_local(const Item& item) {
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
            if (token.kind == TokenKind::identifier) name = i;
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

std::size_t Writer::write_dynamic_parameter(std::size_t i) {
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

std::string Writer::dynamic_declaration(const DynamicLocal& one, std::string_view memory,
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

std::string Writer::dynamic_local_text(RowList& rows) {
    std::string text = " extern __shared__ __align__(128) unsigned char dynamic_local[];";
    add_rows(rows, by("__local T* p)"));
    // Their declarations are written unchanged.
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

void Writer::write_dynamic_local() {
    RowList rows;
    const std::string text = dynamic_local_text(rows);
    put(text, end_of(item_->body), end_of(item_->body), rows);
}

}  // namespace parallax

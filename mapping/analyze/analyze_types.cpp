// Finds types defined within other types, and enums whose enumerators have several types.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/analyze/analyzer.hpp"

namespace parallax {
namespace {

bool begins_declaration(const Token& word) {
    return word.kind == TokenKind::identifier &&
           (is_qualifier(word.text) || is_address_space(word.text) ||
            word.is_one_of({"typedef", "static", "extern", "register", "inline"}));
}

}  // namespace

std::size_t Analysis::brace_of(std::size_t i) const {
    for (++i; outline[i].kind == TokenKind::identifier; ++i) {
        if (outline[i].is("__attribute__")) i = std::max(i, outline.match[i + 1]);
    }
    return outline[i].is("{") && outline.match[i] > i ? i : 0;
}

std::size_t Analysis::declaration_of(std::size_t i) const {
    while (i > 0 && begins_declaration(outline[i - 1])) --i;
    return i;
}

/// C knows the name of an inner type outside, too.
bool Analyzer::is_used_outside(std::size_t i, std::size_t around) const {
    const std::string_view name = at(made_.brace_of(i) - 1).text;
    for (std::size_t k = outline_.match[made_.brace_of(around)]; k < outline_.tokens.size(); ++k) {
        if (at(k).kind == TokenKind::identifier && at(k).is(name) && at(k - 1).is(at(i).text))
            return true;
    }
    return false;
}

void Analyzer::find_moved_types() {
    struct Record {
        std::size_t word, close;
    };
    std::vector<Record> around;
    for (std::size_t i = 0; i < outline_.end; ++i) {
        while (!around.empty() && i > around.back().close) around.pop_back();
        if (!at(i).is_one_of({"struct", "union", "enum"})) continue;
        const std::size_t open = made_.brace_of(i);
        if (open == 0) continue;
        const bool is_enum = at(i).is("enum");
        if (is_enum) edit_enumerators(i);
        if (!around.empty()) {
            const bool is_used = is_enum || is_used_outside(i, around.front().word);
            if (is_used && open > i + (is_enum ? 0 : 1)) {
                const std::size_t past = outline_.match[made_.brace_of(around.front().word)];
                made_.inner_types[made_.declaration_of(around.front().word)].push_back(i);
                made_.moved.insert(i);
                for (std::size_t k = around.front().word; k < past; ++k) {
                    if (at(k).kind != TokenKind::directive) continue;
                    complain(i,
                             "a type that is used outside of the one around it, where #if may "
                             "decide; run the preprocessor first (--expand)");
                    break;
                }
            }
        } else if (is_enum && made_.declaration_of(i) != i) {
            made_.enum_declarations[made_.declaration_of(i)] = i;
        }
        if (!is_enum) around.push_back({i, outline_.match[open]});
    }
    // An inner type comes before the type that contains it.
    for (auto& [declaration, words] : made_.inner_types) {
        std::ranges::sort(words, {},
                          [&](std::size_t i) { return outline_.match[made_.brace_of(i)]; });
    }
}

void Analyzer::rename_tags() {
    std::set<std::string_view> words;
    for (const Token& token : outline_.tokens) words.insert(token.text);
    for (const Item& item : outline_.items) {
        for (std::size_t i = item.first; i < item.last; ++i) {
            if (!at(i).is_one_of({"struct", "union"})) continue;
            const std::size_t open = made_.brace_of(i);
            if (open < i + 2 || at(open - 1).kind != TokenKind::identifier) continue;
            const std::string_view name = at(open - 1).text;
            const bool hides = item.is_function() &&
                               (parser_.is_declared(name) || declared_.helpers.contains(name) ||
                                declared_.kernels.contains(name));
            if (!hides && !parser_.is_other_type(name)) continue;
            std::string other = fmt::format("{}_", name);
            while (words.contains(other)) other += '_';
            made_.tags.emplace(name, std::move(other));
        }
    }
}

void Analyzer::edit_enumerators(std::size_t i) {
    const Parser::Enum* one = parser_.enum_at(i);
    if (!one || !one->type.known()) return;
    for (std::size_t e = 1; e < one->enumerators.size(); ++e) {
        const auto& [name, value, type, is_given] = one->enumerators[e];
        if (type == one->enumerators[e - 1].type) continue;
        // Enumerators of another type than int keep their type.
        std::size_t comma = name - 1;
        while (at(comma).kind == TokenKind::directive) --comma;
        instead(comma, fmt::format(" }}; enum : {} {{", cuda_name(type.value)), by("enum { A }"));
        if (is_given) continue;
        after(name,
              is_signed_element(type.value.element)
                  ? fmt::format(" = {}ll", value)
                  : fmt::format(" = {}ull", static_cast<std::uint64_t>(value)),
              by("enum { A }"));
    }
}

}  // namespace parallax

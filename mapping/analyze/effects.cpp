// Finds side effects in tokens: operators, calls, macros and their arguments.
#include "mapping/analyze/effects.hpp"

#include <algorithm>

#include "mapping/analyze/word_lists.hpp"

namespace parallax {

Effects::Effects(const Outline& outline, const Parser& parser, const Declarations& declared)
    : outline_(outline), parser_(parser), declared_(declared) {
    has_variables_ = std::ranges::any_of(outline.items, [&](const Item& one) {
        return one.kind == Item::Kind::data && !outline.has(one, {"__constant", "constant"});
    });
}

bool Effects::in(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        const Token& token = outline_[i];
        if (token.kind == TokenKind::punctuator) {
            const bool assigns =
                token.text.ends_with('=') && !token.is_one_of({"==", "!=", "<=", ">="});
            if (assigns || token.is_one_of({"++", "--"})) return true;
        } else if (token.kind == TokenKind::identifier && of_word(i)) {
            return true;
        }
    }
    return false;
}

bool Effects::of_word(std::size_t i) {
    const std::string_view name = outline_[i].text;
    if (outline_[i + 1].is("(") && is_called_with_effects(name)) return true;
    if (const auto macro = declared_.macros.find(name); macro != declared_.macros.end()) {
        for (const Directive* one : macro->second) {
            // A macro within itself is not looked at again.
            const auto [found, fresh] = bodies_.try_emplace(one, false);
            if (fresh) found->second = in(one->body, one->last);
            if (found->second) return true;
        }
    }
    const Directive* around = outline_.define_at(i);
    return around && std::ranges::find(around->parameters, name) != around->parameters.end() &&
           of_arguments(*around);
}

/// Whether some use of the macro gives it what has effects.
bool Effects::of_arguments(const Directive& define) {
    const auto [found, fresh] = arguments_.try_emplace(&define, false);
    if (!fresh) return found->second;
    for (std::size_t i = 0; i + 1 < outline_.tokens.size(); ++i) {
        if (!outline_[i].is(define.name) || !outline_[i + 1].is("(")) continue;
        if (outline_.match[i + 1] > i && in(i + 2, outline_.match[i + 1])) {
            return arguments_[&define] = true;
        }
    }
    return false;
}

bool Effects::is_called_with_effects(std::string_view name) const {
    if (const auto changes = parser_.changes_arguments(name)) return *changes || has_variables_;
    return starts_with_any(name, {"atom", "vstore", "async_"}) ||
           is_one_of(name, {"printf", "fract", "modf", "frexp", "remquo", "sincos", "lgamma_r"});
}

}  // namespace parallax

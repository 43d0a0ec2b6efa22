// Finds the functions that kernels use, directly or not.
#include "mapping/analyze/only_kernels.hpp"

#include <set>

#include "mapping/analyze/edited_source.hpp"

namespace parallax {
namespace {

using NameSet = std::set<std::string_view>;

/// Adds the words of the tokens [first, last).
void add_words(const Outline& outline, std::size_t first, std::size_t last, NameSet& words) {
    for (std::size_t i = first; i < last; ++i) {
        if (outline[i].kind == TokenKind::identifier) words.insert(outline[i].text);
    }
}

/// The words of all that no function's declaration holds, and of the directives.
NameSet words_outside(const Outline& outline) {
    NameSet words;
    std::size_t at = 0;
    for (const Item& item : outline.items) {
        if (!item.is_function()) continue;
        add_words(outline, at, item.first, words);
        at = item.last + 1;
    }
    add_words(outline, at, outline.tokens.size(), words);
    return words;
}

/// The functions that stay, by their names.
NameSet needed(const Outline& outline, const std::vector<std::string>& kernels) {
    NameSet words = words_outside(outline), found;
    words.insert(kernels.begin(), kernels.end());
    for (bool more = true; more;) {
        more = false;
        for (const Item& item : outline.items) {
            if (!item.is_function()) continue;
            const std::string_view name = outline[item.name].text;
            if (!words.contains(name)) continue;
            if (item.body != 0) add_words(outline, item.first, item.last, words);
            more = found.insert(name).second || more;
        }
    }
    return found;
}

}  // namespace

std::optional<std::string> only_kernels(std::string_view source,
                                        const std::vector<std::string>& kernels) {
    EditedSource edited(source);
    const Outline& outline = edited.outline();
    const NameSet stay = needed(outline, kernels);
    bool any = false;
    for (const Item& item : outline.items) {
        if (!item.is_function() || stay.contains(outline[item.name].text)) continue;
        any = any || item.kind == Item::Kind::kernel;
        for (std::size_t i = item.first; i <= item.last; ++i) {
            const bool stays =
                outline[i].kind == TokenKind::directive && outline.directive(i).word != "pragma";
            if (!stays) edited.remove(i);
        }
    }
    return any ? edited.result() : std::nullopt;
}

Program only_launched(Program program, const Plan& plan) {
    if (program.language != Language::portable) return program;
    program.source = edited_source(program);
    program.edits.clear();
    if (auto text = only_kernels(program.source, kernels_of(plan)))
        program.source = *std::move(text);
    return program;
}

}  // namespace parallax

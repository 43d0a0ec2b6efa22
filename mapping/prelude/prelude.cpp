// Makes the prelude of a translated source from its keys.
#include "mapping/prelude/prelude.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "common/text/characters.hpp"
#include "mapping/prelude/prelude_parts.hpp"

namespace parallax {
namespace {

/// The text up to the first blank, which is taken off `text` together with it.
std::string_view first_word(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

PreludeKey parsed(std::string_view text) {
    PreludeKey key;
    std::string_view word = first_word(text);
    if (const auto type = value_type_named(word)) {
        key.type = *type;
        word = first_word(text);
    }
    key.word = word;
    key.rest = text;
    return key;
}

/// One spelling for keys that mean the same: `size_t abs` and `ulong abs`.
std::string readable(const PreludeKey& key) {
    std::string text = name_of(key.type);
    for (const std::string& part : {key.word, key.rest}) {
        if (part.empty()) continue;
        if (!text.empty()) text += ' ';
        text += part;
    }
    return text;
}

/// Words of keys that name no function.
constexpr std::array<std::string_view, 7> no_functions{"make", "ordered", "splat", "swizzle",
                                                       "set",  "neg",     "pos"};

/// Types first, then makers, then operators, then functions.
int place_of(const PreludeKey& key) {
    if (key.word.empty()) return 0;
    if (key.word == "make") return 1;
    const bool is_operator = !is_letter(key.word.front()) || key.word == "neg" || key.word == "pos";
    return is_operator ? 2 : 3;
}

/// The definitions with those that they need in front of them, each once.
class Closure {
public:
    using Place = std::pair<int, std::string>;

    void visit(std::string_view text) {
        const PreludeKey key = parsed(text);
        const std::string name = readable(key);
        if (seen_.contains({place_of(key), name})) return;
        std::optional<Definition> definition = vector_definition(key);
        if (!definition) definition = function_definition(key);
        if (!definition) return;
        seen_.insert({place_of(key), name});
        for (const std::string& need : definition->needs) visit(need);
        text_ += definition->text;
    }

    const std::set<Place>& seen() const { return seen_; }
    const std::string& text() const { return text_; }

private:
    std::set<Place> seen_;
    std::string text_;
};

}  // namespace

bool in_prelude(std::string_view name) {
    if (name.empty() || !is_letter(name.front()) || std::ranges::count(no_functions, name) > 0) {
        return false;
    }
    return is_vector_word(name) || is_function_word(name);
}

std::string prelude_of(const PreludeKeys& keys) {
    Closure all;
    for (const std::string& key : keys) all.visit(key);
    // Again, now that all keys are known: types come first, then makers, operators, functions.
    Closure ordered;
    for (const auto& [place, key] : all.seen()) ordered.visit(key);
    return ordered.text();
}

std::set<std::string_view> words_declared_in(std::string_view prelude) {
    std::set<std::string_view> words;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < prelude.size(); ++i) {
        if (prelude.substr(i).starts_with("//"))
            i = std::min(prelude.find('\n', i), prelude.size());
        const std::size_t start = i;
        while (i < prelude.size() && is_word_character(prelude[i])) ++i;
        const std::size_t next = std::min(prelude.find_first_not_of(' ', i), prelude.size());
        const char after = next < prelude.size() ? prelude[next] : ' ';
        if (i > start) {
            if (depth == 0 && std::string_view("({:=;<").find(after) != std::string_view::npos)
                words.insert(prelude.substr(start, i - start));
            --i;
            continue;
        }
        const char c = i < prelude.size() ? prelude[i] : ' ';
        if (c == '(' || c == '{') ++depth;
        if ((c == ')' || c == '}') && depth > 0) --depth;
    }
    return words;
}

}  // namespace parallax

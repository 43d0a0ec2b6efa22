// Collects the parts of the prelude that a source uses.
#include "mapping/analyze/prelude_needs.hpp"

#include <vector>

#include <fmt/format.h>

#include "common/text/characters.hpp"

namespace parallax {

void PreludeNeeds::key(ValueType type, std::string_view what) {
    if (type.known()) keys_.insert(fmt::format("{} {}", name_of(type), what));
}

bool PreludeNeeds::has(std::string_view word) {
    // A word of a pattern does not outlive it.
    auto place = found_.find(word);
    if (place == found_.end()) place = found_.emplace(std::string(word), in_prelude(word)).first;
    return place->second;
}

void PreludeNeeds::key_words(std::string_view cuda, ValueType type) {
    for (std::size_t i = 0; i < cuda.size(); ++i) {
        const std::size_t end = word_end(cuda, i);
        const std::string_view name = cuda.substr(i, end - i);
        if (has(name)) key_for(type, name);
        i = end;
    }
}

void PreludeNeeds::mention_open_components() {
    constexpr std::string_view start = "swizzle ";
    std::vector<std::string> types(mentioned_.begin(), mentioned_.end());
    while (!types.empty()) {
        const ValueType of = value_type_named(types.back()).value();
        types.pop_back();
        for (const std::string& what : of_all_) {
            if (!what.starts_with(start)) continue;
            const auto components = components_of(what.substr(start.size()), of.width);
            if (!components || components->size() < 2) continue;
            const ValueType part{of.element, static_cast<unsigned>(components->size())};
            if (mentioned_.insert(name_of(part)).second) types.push_back(name_of(part));
        }
    }
}

PreludeKeys PreludeNeeds::keys() {
    mention_open_components();
    for (const std::string& what : of_all_) {
        for (const std::string& type : mentioned_) keys_.insert(type + ' ' + what);
    }
    return keys_;
}

}  // namespace parallax

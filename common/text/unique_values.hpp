// Collects values and messages without duplicates, in order of arrival.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace parallax {

/// Appends the value unless the list has it.
template <class T, class V>
void add_once(std::vector<T>& list, V&& one) {
    if (std::ranges::find(list, one) == list.end()) list.push_back(std::forward<V>(one));
}

/// Returns the value of a key; appends a new one where there is none.
template <class K, class V, class Key>
V& at_key(std::vector<std::pair<K, V>>& list, const Key& key) {
    const auto found = std::ranges::find(list, key, &std::pair<K, V>::first);
    return found == list.end() ? list.emplace_back(K(key), V{}).second : found->second;
}

/// Merges equal messages about several names into one.
class GroupedMessages {
public:
    void add(const std::string& what, const std::string& whose) {
        add_once(at_key(all_, what), whose);
    }
    /// The messages, each with its names.
    const std::vector<std::pair<std::string, std::vector<std::string>>>& all() const {
        return all_;
    }
    /// `a, b: what is said`
    std::vector<std::string> sentences() const {
        std::vector<std::string> list;
        for (const auto& [what, whose] : all_) {
            list.push_back(fmt::format("{}: {}", fmt::join(whose, ", "), what));
        }
        return list;
    }

private:
    std::vector<std::pair<std::string, std::vector<std::string>>> all_;
};

}  // namespace parallax

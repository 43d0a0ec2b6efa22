// How much the tests cover: a sample that takes minutes, or everything.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

namespace parallax::test {

/// Whether PARALLAX_THOROUGH is set, as `.ci/thorough` does: tests with many inputs then try all of
/// them. Without it they use a fixed subset, defined where it is chosen.
inline bool is_thorough() {
    static const bool is_set = std::getenv("PARALLAX_THOROUGH") != nullptr;
    return is_set;
}

/// All elements, or every `n`th from the first on unless is_thorough().
template <class T>
std::vector<T> every_nth(std::vector<T> all, std::size_t n) {
    if (is_thorough()) return all;
    std::vector<T> some;
    for (std::size_t i = 0; i < all.size(); i += n) some.push_back(std::move(all[i]));
    return some;
}

}  // namespace parallax::test

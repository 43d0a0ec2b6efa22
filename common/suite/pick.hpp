// What a word of a command line picks of the suites.
#pragma once

#include <algorithm>
#include <vector>

namespace parallax {

struct Suite;
struct Variant;

/// A suite, or one variant of it.
struct CasePick {
    const Suite* suite = nullptr;
    const Variant* variant = nullptr;  ///< null: all of the suite
};

/// The suites that were picked, each once, in order.
/// @param whole  those alone of which all was picked
inline std::vector<const Suite*> suites_of(const std::vector<CasePick>& picks, bool whole) {
    std::vector<const Suite*> suites;
    for (const CasePick& pick : picks) {
        const bool is_new = std::ranges::find(suites, pick.suite) == suites.end();
        if (is_new && !(whole && pick.variant)) suites.push_back(pick.suite);
    }
    return suites;
}

}  // namespace parallax

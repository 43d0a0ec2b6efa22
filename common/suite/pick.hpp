// The suites and variants that the command line selects.
#pragma once

#include <algorithm>
#include <vector>

namespace parallax {

struct Suite;
struct Variant;

/// A suite, or one variant of it.
struct CasePick {
    const Suite* suite = nullptr;
    const Variant* variant = nullptr;  ///< null: the whole suite
};

/// The selected suites, each once, in order.
/// @param whole  only suites that were selected as a whole
inline std::vector<const Suite*> suites_of(const std::vector<CasePick>& picks, bool whole) {
    std::vector<const Suite*> suites;
    for (const CasePick& pick : picks) {
        const bool is_new = std::ranges::find(suites, pick.suite) == suites.end();
        if (is_new && !(whole && pick.variant)) suites.push_back(pick.suite);
    }
    return suites;
}

}  // namespace parallax

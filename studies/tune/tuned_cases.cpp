// Finds the stored result of a case, and compares it with the current case.
#include "studies/tune/tuned_cases.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/hash.hpp"
#include "common/text/unique_values.hpp"
#include "measure/run_case.hpp"

namespace parallax {
namespace {

/// The entry's constants that were not set explicitly: they have the variant's own value.
/// @throws UsageError for one that the suite does not have
Constants left_open(const Tuned& entry, const Case& c) {
    const Constants usual = constants_of(*c.suite, *c.variant, {});
    Constants open;
    std::ranges::copy_if(entry.key.constants, std::back_inserter(open), [&](const Constant& one) {
        return std::ranges::find(usual, Constant{one.name, c[one.name]}) != usual.end();
    });
    return open;
}

}  // namespace

Case TunedCases::of(const Case& c, const DeviceInfo& info) {
    Tuned wanted;
    wanted.key = key_of(c);
    wanted.device = info.name;
    wanted.backend = info.backend;
    const auto entry = std::ranges::find_if(
        entries_, [&](const Tuned& one) { return is_for_the_same(one, wanted); });
    if (entry == entries_.end()) return c;
    const std::string where = fmt::format("{} on {}", wanted.key.without_constants(), info.id());
    const std::scoped_lock lock(mutex_);
    try {
        RunConfig config;
        config.kernel_source = text_;
        if (hash_of(program_of(c, config, info.backend).source) != entry->source_hash) {
            throw UsageError("its kernel's text has changed since. 'parallax tune' finds others.");
        }
        const Constants open = left_open(*entry, c);
        if (open.empty()) return c;
        Case tuned = with_constants(c, open);
        tuned.default_constants = c.constants;
        add_once(said_, fmt::format("{}: {}", where, constants_text(open)));
        return tuned;
    } catch (const Error& error) {
        add_once(said_,
                 fmt::format("{}: the kept constants are not taken: {}", where, error.what()));
        return c;
    }
}

std::vector<std::string> TunedCases::said() const {
    const std::scoped_lock lock(mutex_);
    return said_;
}

}  // namespace parallax

// Makes cases of keys.
#include "studies/case_of.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {
namespace {

/// Positions of the suite and of the variant; past the last where there is none.
std::pair<std::size_t, std::size_t> place_of(const CaseKey& key) {
    const auto suite = std::ranges::find(suites(), key.suite, &Suite::name);
    const auto first = static_cast<std::size_t>(suite - suites().begin());
    if (suite == suites().end()) return {first, 0};
    const auto variant = std::ranges::find(suite->variants, key.variant, &Variant::name);
    return {first, static_cast<std::size_t>(variant - suite->variants.begin())};
}

}  // namespace

Case case_of(const CaseKey& key) {
    const Suite& suite = any_suite_named(key.suite);
    const auto type = element_type_named(key.type);
    if (!type) throw UsageError(fmt::format("There is no type '{}'.", key.type));
    return make_case(suite, variant_named(suite, key.variant), Shape{key.shape}, *type,
                     key.constants);
}

bool is_listed_before(const CaseKey& a, const CaseKey& b) {
    return place_of(a) < place_of(b);
}

}  // namespace parallax

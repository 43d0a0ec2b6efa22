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

std::string with_changed_constants(std::string title, const CaseKey& key) {
    const Suite* suite = loaded_manifest(key.suite);
    const auto built_in = std::ranges::find(suites(), key.suite, &Suite::name);
    if (!suite && built_in != suites().end()) suite = &*built_in;
    if (!suite) return title;
    const auto variant = std::ranges::find(suite->variants, key.variant, &Variant::name);
    if (variant == suite->variants.end()) return title;
    for (const Constant& own : constants_of(*suite, *variant, {})) {
        const auto value = key.value_of(own.name);
        const auto spec = std::ranges::find(suite->constants, own.name, &ConstantSpec::name);
        // A title has named choices by their names; other values follow from the size.
        if (!value || *value == own.value || !spec->choices.empty() || spec->follows) continue;
        const std::string word = fmt::format(" {}={}", own.name, *value);
        if ((title + " ").find(word + " ") == title.npos) title += word;
    }
    return title;
}

bool is_listed_before(const CaseKey& a, const CaseKey& b) {
    return place_of(a) < place_of(b);
}

}  // namespace parallax

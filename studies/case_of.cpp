// Makes cases of keys.
#include "studies/case_of.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {

Case case_of(const CaseKey& key) {
    const Suite& suite = any_suite_named(key.suite);
    const auto type = element_type_named(key.type);
    if (!type) throw UsageError(fmt::format("There is no type '{}'.", key.type));
    return make_case(suite, variant_named(suite, key.variant), Shape{key.shape}, *type,
                     key.constants);
}

}  // namespace parallax

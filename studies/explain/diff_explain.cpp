// Hands the cases of a diff to the experiments.
#include "studies/explain/diff_explain.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// The case as it ran.
Case as_case(const CaseDiff& c) {
    const Suite& suite = any_suite_named(c.suite);
    const auto type = element_type_named(c.type);
    if (!type) throw UsageError(fmt::format("There is no type '{}'.", c.type));
    std::vector<Constant> constants;
    for (const auto& [name, value] : c.constants) constants.push_back({name, value});
    return make_case(suite, variant_named(suite, c.variant), Shape{c.shape}, *type, constants);
}

}  // namespace

bool has_gap_to_explain(const CaseDiff& c) {
    const bool apart = c.verdict == Verdict::faster || c.verdict == Verdict::slower;
    return apart && !c.doubted && !c.native;
}

void explain_gaps(const Diff& diff, ExplainRequest request, Explaining& explaining,
                  const std::function<void(const Json& line)>& keep,
                  const std::function<void(const std::string&)>& trouble) {
    for (const CaseDiff& c : diff.cases) {
        if (!has_gap_to_explain(c)) continue;
        request.the_case = as_case(c);
        try {
            // The diff has records and a pair of the case: a second set would be another run of it.
            explaining.explain(request, [&](const Json& line) {
                if (is_explanation(line)) keep(line);
            });
        } catch (const Interrupted&) {
            throw;
        } catch (const UsageError&) {
            throw;  // what is kept cannot be written
        } catch (const Error& error) {
            trouble(printable(fmt::format("{} is not explained: {}", c.title, error.what()), 1000));
        }
    }
}

}  // namespace parallax::cli

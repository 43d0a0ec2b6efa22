// Hands the cases of a diff to the experiments.
#include "studies/explain/diff_explain.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "studies/case_of.hpp"

namespace parallax {
bool has_gap_to_explain(const CaseDiff& c) {
    return is_gap(c.verdict) && !c.doubted && !c.native;
}

void explain_gaps(const Diff& diff, ExplainRequest request,
                  const std::function<Explanation(const ExplainRequest&)>& explain,
                  const std::function<void(const Explanation&)>& keep,
                  const std::function<void(const std::string&)>& trouble) {
    for (const CaseDiff& c : diff.cases) {
        if (!has_gap_to_explain(c)) continue;
        request.the_case = case_of(c.key);
        request.other_kernel = nullptr;
        if (!c.other_variant.empty()) {
            request.other_kernel = &variant_named(*request.the_case.suite, c.other_variant);
        }
        try {
            keep(explain(request));
        } catch (const Interrupted&) {
            throw;
        } catch (const UsageError&) {
            throw;  // what is kept cannot be written
        } catch (const Error& error) {
            trouble(printable(fmt::format("{} is not explained: {}", c.title, error.what()), 1000));
        }
    }
}

}  // namespace parallax

// Published figures that belong to the cases of a diff.
#include "report/diff/published.hpp"

#include "studies/published/published.hpp"

namespace parallax::report {

std::vector<std::string> published_figures(const Diff& diff) {
    std::vector<ReportedCase> cases;
    for (const CaseDiff& c : diff.cases) {
        ReportedCase reported{c.suite, c.variant, {}, c.shape};
        for (const auto& [name, value] : c.constants) reported.constants.push_back({name, value});
        cases.push_back(std::move(reported));
    }
    return published_sentences(cases);
}

}  // namespace parallax::report

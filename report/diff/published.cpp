// Published figures that belong to the cases of a diff.
#include "report/diff/published.hpp"

#include "studies/published/published.hpp"

namespace parallax::report {

std::vector<std::string> published_figures(const Diff& diff) {
    std::vector<CaseKey> cases;
    for (const CaseDiff& c : diff.cases) cases.push_back(c.key);
    return published_sentences(cases);
}

}  // namespace parallax::report

// Verdicts: the questions about one case, answered in their order.
#pragma once

#include "common/error.hpp"
#include "studies/diff/stored_diff.hpp"
#include "studies/diff/stored_ratio.hpp"

namespace parallax {

/// Two sides without a case in common.
struct NothingToCompare : Error {
    using Error::Error;
};

/// Gives the case its verdict, its reason, its ratio where there may be one, and its decision.
void judge(CaseDiff&, const StoredRatio&, const Judgement&);

/// Decides by `max_slowdown` or by the baseline's noise, against the baseline where there is one.
void decide(CaseDiff&, const Judgement&);

/// A case against itself.
SelfCheck self_check(const Pair&, const Judgement&);

}  // namespace parallax

// From what knobs did to what the cause is.
#pragma once

#include "records/explanation.hpp"

namespace parallax {

/// What a measured trial does to the gap, by the ratios with it and without it: `closes`, its
/// interval, `closed`. Nothing changes where the trial has no ratio or there is no gap.
void rate(Trial&, const Ratio& gap, double margin);

/// Whether the trial, measured and rated, explains the gap: the sides are SAME with it, or it takes
/// away explained_share of the gap at least and most_share at most.
bool explains(const Trial&);

/// Puts the trials in order, those first that explain most, and draws the conclusion. A change of
/// the slower side is worth more than one of both or of the faster side, which explains and
/// mends nothing, and one change is worth more than several.
/// @param causes  the cause and the remedy of each trial, in the order of the trials before
void conclude(Explanation&, const std::vector<std::pair<std::string, std::string>>& causes);

}  // namespace parallax

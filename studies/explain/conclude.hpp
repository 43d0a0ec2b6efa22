// From what knobs did to what the cause is.
#pragma once

#include <string>
#include <vector>

#include "records/explanation.hpp"

namespace parallax {

/// What a measured trial does to the gap, by the ratios with it and without it: `closes`, its
/// interval, `closed`. Nothing changes where the trial has no ratio or there is no gap.
void rate(Trial&, const Ratio& gap, double margin);

/// Whether the trial, measured and rated, explains the gap: the sides are SAME with it, or it takes
/// away explained_share of the gap at least and most_share at most.
bool explains(const Trial&);

/// What is said of a trial where it is named.
struct TrialWords {
    std::string cause, remedy;
    bool trade = false;  ///< as KnobChange::trade, of one of its changes
};

/// Sorts the trials, those first that explain most, and draws the conclusion. A change of the
/// slower side ranks above one of both, and one change above several. What does not make the slower
/// side faster is no cause, nor is what the gap stays with on both sides; a change of the faster
/// side alone, which makes it as slow, says where the two differ.
/// A trade comes behind what gives nothing up, and where the gap stays with it on both sides it is
/// not named at all: the two would no longer calculate the same.
/// @param reasons  of each trial, in the order of the trials before
void conclude(Explanation&, const std::vector<TrialWords>& reasons);

}  // namespace parallax

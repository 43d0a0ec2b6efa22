// From the effects of knobs to the cause.
#pragma once

#include <string>
#include <vector>

#include "records/explanation.hpp"

namespace parallax {

/// Sets a measured trial's effect on the gap, from the ratios with and without it: `closes`, its
/// interval, `closed`. Does nothing where the trial has no ratio or there is no gap.
void rate(Trial&, const Ratio& gap, double margin);

/// Whether the trial, measured and rated, explains the gap: the sides are SAME with it, or it takes
/// away explained_share of the gap at least and most_share at most.
bool explains(const Trial&);

/// The wording for a trial.
struct TrialWords {
    std::string cause, remedy;
    bool trade = false;        ///< as KnobChange::trade, of one of its changes
    std::string reverse = {};  ///< as KnobChange::reverse
    bool missed = false;       ///< the property that the cause names did not change
};

/// Whether the trial is a remedy: it closes at least half of the gap by making the slower side
/// faster, and the two sides differ in what it changes. A trial is no remedy if it speeds up both
/// sides, slows the faster side, leaves the same gap when applied to both sides, has a reverse with
/// the same effect, or did not change what its description claims.
/// @param words  of each trial
bool is_remedy(const std::vector<Trial>& trials, const std::vector<TrialWords>& words,
               std::size_t which, const Ratio& gap);

/// Where nothing explains the gap: the trial on both sides that makes them alike because both get
/// faster, no difference of the two, and a gain of both. Null: there is none.
const Trial* common_gain(const Explanation&);
/// The time of the faster side with such a trial, over that without it.
double faster_sides_change(const Trial& on_both, const Ratio& gap);

/// Sorts the trials, those first that explain most, and draws the conclusion. A change of the
/// slower side ranks above one of both, one change above several, and a knob above PTX that was
/// moved. Only a remedy is a cause; a change of the faster side alone, which makes it as slow, says
/// where the two differ.
/// A trade comes behind what gives nothing up, and where the gap stays with it on both sides it is
/// not named at all: the two would no longer calculate the same.
/// @param reasons  of each trial, in the order of the trials before
void conclude(Explanation&, const std::vector<TrialWords>& reasons);

}  // namespace parallax

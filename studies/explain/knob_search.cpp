// Which knobs are tried, in which order, and the conclusions.
#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/explain/conclude.hpp"
#include "studies/explain/trials.hpp"

namespace parallax {
namespace {

/// Combinations use knobs that close at least this share, and at most this number of them.
constexpr double worth_combining = 0.1;
constexpr std::size_t most_combined = 3;
/// The knobs of the slower side leave this share of the budget to the other experiments, and at
/// most this part of what is left.
constexpr double left_to_others = 0.3, part_for_others = 1.0 / 3;

/// The smallest share of its side's time that an offered change saves, and the largest number of
/// such changes.
constexpr double least_gain = 0.05;
constexpr std::size_t most_gains = 3;

/// Whether one change on one side makes that side faster.
bool is_gain(const Trial& trial) {
    return trial.status == TrialStatus::measured && trial.side != KnobSide::both &&
           trial.knobs.size() == 1 && trial.own_change && *trial.own_change < 1 - least_gain;
}

bool is_neutral(const Trial& trial) {
    constexpr double alike = 0.005;
    return trial.status == TrialStatus::measured && trial.own_change &&
           std::fabs(*trial.own_change - 1) < alike;
}

/// The knobs with the largest effects on this side, in their best positions.
std::vector<Turned> best_on(const Trials& trials, KnobSide side) {
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < trials.all().size(); ++i) {
        const Trial& t = trials.all()[i];
        if (t.status == TrialStatus::measured && t.side == side && t.knobs.size() == 1 &&
            t.closes >= worth_combining && t.closes <= most_share && !trials.what(i).empty()) {
            good.push_back(i);
        }
    }
    std::ranges::sort(good, std::greater{}, [&](std::size_t i) { return trials.all()[i].closes; });
    std::vector<Turned> best;
    for (const std::size_t i : good) {
        const bool other = std::ranges::none_of(
            best, [&](const Turned& t) { return t.knob->name == trials.all()[i].knobs[0]; });
        if (other && best.size() < most_combined) best.push_back(trials.what(i).front());
    }
    return best;
}

/// Whether a knob explains the gap: PTX that was moved mends nothing.
bool is_mended(const Trials& trials) {
    for (std::size_t i = 0; i < trials.all().size(); ++i) {
        if (!trials.what(i).empty() && trials.is_cause(i)) return true;
    }
    return false;
}

/// Whether the knob, turned on one side, can be turned on the other too: that has it, and not in
/// this position.
bool can_turn_both(const Trials& trials, const Turned& one, bool is_b) {
    const std::vector<Turned> there = trials.changes_on(!is_b);
    return std::ranges::any_of(there, [&](const Turned& other) { return one.is_alike(other); });
}

bool was_turned(const Trials& trials, const Turned& one, KnobSide side) {
    return std::ranges::any_of(trials.all(), [&](const Trial& t) {
        return t.side == side && t.knobs.size() == 1 && t.setting == one.change.setting;
    });
}

/// Tries the opposite change, which shows whether the change itself is the cause or any different
/// code is faster.
void turn_reverse(Trials& trials, const std::vector<Turned>& here, const Turned& one,
                  KnobSide side) {
    for (const Turned& other : here) {
        const bool is_reverse =
            other.knob == one.knob && other.change.setting == one.change.reverse;
        if (is_reverse && !was_turned(trials, other, side)) trials.turn({other}, side);
    }
}

/// A likely cause is confirmed only if the gap does not remain with the change on both sides.
void turn_causes_on_both(Trials& trials, bool slower) {
    std::size_t turned = 0;
    for (std::size_t i = 0; i < trials.all().size() && turned < most_combined; ++i) {
        const std::vector<Turned> what = trials.what(i);
        const bool is_open = what.size() == 1 && trials.all()[i].side != KnobSide::both &&
                             trials.is_cause(i) && can_turn_both(trials, what.front(), slower) &&
                             !was_turned(trials, what.front(), KnobSide::both);
        if (!is_open) continue;
        trials.turn(what, KnobSide::both);
        ++turned;
    }
}

void combine(Trials& trials, const std::vector<Turned>& best, KnobSide side) {
    for (std::size_t i = 0; i < best.size(); ++i) {
        for (std::size_t k = i + 1; k < best.size(); ++k) trials.turn({best[i], best[k]}, side);
    }
    if (best.size() > 2) trials.turn(best, side);
}

void note_rest(Conclusion& conclusion, std::span<const Turned> rest) {
    std::vector<std::string> names;
    for (const Turned& one : rest) {
        if (one.change.lean || std::ranges::find(names, one.knob->name) != names.end()) continue;
        names.push_back(one.knob->name);
    }
    if (names.empty()) return;
    conclusion.not_tried.push_back(
        fmt::format("{}: what explains the gap was found before; --all-knobs turns them, too",
                    fmt::join(names, ", ")));
}

}  // namespace

bool turn_knobs(ExplainContext& explained, Trials& trials,
                const std::function<void()>& before_rest) {
    const bool slower = explained.slower_side();
    const auto side = [](bool is_b) { return is_b ? KnobSide::b : KnobSide::a; };
    const std::vector<Turned> here = trials.changes_on(slower);
    // Leaving out the other kernels builds sooner; whether it does more than that comes first.
    for (const Turned& one : here) {
        if (!one.change.lean) continue;
        trials.turn({one}, side(slower));
        trials.set_lean(is_neutral(trials.all().back()));
    }
    trials.ask_ahead(here, slower);
    bool may_settle = explained.has_gap() && !explained.request.all_knobs;
    std::size_t next = 0;
    // Returns whether the conclusion was drawn.
    const auto turn_until = [&](double share_left) {
        for (; next < here.size(); ++next) {
            const Turned& one = here[next];
            if (one.change.lean || was_turned(trials, one, side(slower))) continue;
            // Known differences between the sides are tried before all other experiments.
            const bool can_wait = one.likelihood > Likelihood::by_ptx;
            if (share_left > 0 && can_wait && !trials.has_time(share_left)) return false;
            trials.turn({one}, side(slower));
            if (!may_settle || one.change.trade) continue;
            // A change that closes a part of the gap, or more than all of it, on the slower side
            // may close all of it on both.
            const Trial& alone = trials.all().back();
            if (alone.status == TrialStatus::measured && alone.closes >= little_share &&
                !explains(alone) && can_turn_both(trials, one, slower)) {
                trials.turn({one}, KnobSide::both);
            }
            // One free change that tells the sides apart is enough. It gets one trial: a close look
            // at each would take as long as to try the rest.
            const std::size_t place = trials.all().size() - 1;
            if (!trials.is_cause(place)) continue;
            turn_reverse(trials, here, one, side(slower));
            if (!trials.is_cause(place)) continue;
            may_settle = false;
            conclude_twice(explained, trials);
            if (!explained.found.conclusion.explained) continue;
            note_rest(explained.found.conclusion, std::span(here).subspan(next + 1));
            return true;
        }
        return false;
    };
    const double left = explained.left() / explained.request.budget_seconds;
    const double for_others = std::min(left_to_others, part_for_others * left);
    if (turn_until(explained.has_gap() ? for_others : 0)) return true;
    if (explained.has_gap()) {
        turn_causes_on_both(trials, slower);
        if (!trials.is_explained()) before_rest();
    }
    if (turn_until(0)) return true;
    // A fix for the slower side is enough; the rest is for gaps without a fix.
    if (!explained.has_gap() || is_mended(trials)) return false;
    const std::vector<Turned> best = best_on(trials, side(slower));
    if (trials.is_explained() && best.empty()) return false;
    for (const Turned& one : best) {
        if (can_turn_both(trials, one, slower) && !was_turned(trials, one, KnobSide::both)) {
            trials.turn({one}, KnobSide::both);
        }
    }
    if (!trials.is_explained()) combine(trials, best, side(slower));
    if (trials.is_explained()) return false;
    const std::vector<Turned> there = trials.changes_on(!slower);
    trials.ask_ahead(there, !slower);
    for (const Turned& one : there) trials.turn({one}, side(!slower));
    return false;
}

void conclude_twice(ExplainContext& explained, Trials& trials) {
    std::set<std::pair<std::string, KnobSide>> seen;
    for (int i = 0; i < 3; ++i) {
        explained.found.trials = trials.all();
        conclude(explained.found, trials.reasons());
        if (explained.found.conclusion.by.empty()) return;
        const Trial& best = explained.found.trials[explained.found.conclusion.by.front()];
        if (!seen.emplace(best.setting, best.side).second) return;
        const auto place =
            static_cast<std::size_t>(std::ranges::find_if(trials.all(),
                                                          [&](const Trial& t) {
                                                              return t.setting == best.setting &&
                                                                     t.side == best.side &&
                                                                     t.knobs == best.knobs;
                                                          }) -
                                     trials.all().begin());
        const std::vector<Turned> turned = trials.what(place);
        if (turned.empty()) return;  // PTX that was moved: it was verified, and no side has it
        trials.measure_again(place);
        const KnobSide turned_on = trials.all()[place].side;
        const bool tried = std::ranges::any_of(trials.all(), [&](const Trial& t) {
            return t.side == KnobSide::both && t.setting == trials.all()[place].setting;
        });
        const bool both_have_it = std::ranges::all_of(turned, [&](const Turned& one) {
            return can_turn_both(trials, one, turned_on == KnobSide::b);
        });
        if (turned_on != KnobSide::both && !tried && both_have_it) {
            trials.turn(turned, KnobSide::both);
        }
    }
    explained.found.trials = trials.all();
    conclude(explained.found, trials.reasons());
}

void add_gains(ExplainContext& explained, Trials& trials) {
    Explanation& e = explained.found;
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < e.trials.size(); ++i) {
        const bool is_cause = std::ranges::find(e.conclusion.by, i) != e.conclusion.by.end();
        if (!is_cause && is_gain(e.trials[i])) candidates.push_back(i);
    }
    const auto time = [&](std::size_t i) { return *e.trials[i].own_change; };
    std::ranges::sort(candidates, {}, time);
    Both<std::set<std::string>> seen;
    for (const std::size_t i : candidates) {
        if (e.conclusion.gains.size() == most_gains || explained.left() < 0) break;
        Trial& gain = e.trials[i];
        // One position of a knob and side is enough.
        if (!seen.of(gain.side == KnobSide::b).insert(gain.knobs.front()).second) continue;
        const auto place = std::ranges::find_if(trials.all(), [&](const Trial& t) {
            return t.setting == gain.setting && t.side == gain.side && t.knobs == gain.knobs;
        });
        const auto at = static_cast<std::size_t>(place - trials.all().begin());
        if (trials.is_trade(at)) continue;
        trials.measure_again(at);
        gain = trials.all()[at];
        if (is_gain(gain)) e.conclusion.gains.push_back(i);
    }
    std::ranges::sort(e.conclusion.gains, {}, time);
}

}  // namespace parallax

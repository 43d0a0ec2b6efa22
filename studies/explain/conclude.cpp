// Ranks trials, and says which of them explains the gap.
#include "studies/explain/conclude.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/statistics/interval.hpp"
#include "common/text/unique_values.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/in_ptx.hpp"
#include "studies/explain/knobs.hpp"

namespace parallax {
namespace {

/// A trial that leaves its own side's time within this is said to have done nothing.
constexpr double nothing = 0.05;

KnobSide slower_side(const Ratio& gap) {
    return gap.value > 1 ? KnobSide::b : KnobSide::a;
}

/// The share of the gap that a trial has to close at least, where the sides are SAME with it.
constexpr double closed_share = 0.8;
/// Turned on both sides, a cause takes away at least this much of the gap.
constexpr double common_share = 0.5;

/// How far a measured trial is from explaining the gap: 0 means that one change closes all of it on
/// the slower side.
double distance(const Trial& trial, KnobSide slower, bool trade) {
    // On both sides, without a gain for the slower one: it is the faster one that became slow.
    const bool gains = trial.own_change.value_or(0) < 1 - nothing / 5;
    const double both = gains ? 0.01 : 0.04;
    const double side = trial.side == slower ? 0 : trial.side == KnobSide::both ? both : 0.03;
    return std::fabs(1 - trial.closes) + side + (trade ? 0.05 : 0) +
           0.04 * static_cast<double>(trial.knobs.size() - 1);
}

/// `-1 to 2 %` of what the changes closed, or of the time that they took without a gap.
std::string range_words(const std::vector<double>& values, bool has_gap) {
    const auto text = [&](double value) {
        return has_gap ? fmt::format("{:.0f}", std::round(100 * value) + 0.0)
                       : fmt::format("{:.2f}", value);
    };
    const auto [low, high] = std::ranges::minmax(values);
    const std::string from = text(low), to = text(high);
    return (from == to ? to : from + " to " + to) + (has_gap ? " %" : " times as long");
}

/// `OpenCL -1 to 2 %; CUDA the same code`: what the positions of one knob did, side by side.
std::string listed(const Explanation& e, const std::vector<const Trial*>& trials) {
    const bool has_gap = e.conclusion.has_gap;
    std::vector<std::string> sides;
    for (const KnobSide side : {KnobSide::a, KnobSide::b, KnobSide::both}) {
        std::vector<double> measured;
        std::vector<std::string> seen;
        for (const Trial* trial : trials) {
            if (trial->side != side) continue;
            switch (trial->status) {
                case TrialStatus::measured:
                    measured.push_back(has_gap ? trial->closes : trial->own_change.value_or(1));
                    break;
                case TrialStatus::no_effect: add_once(seen, "the same code"); break;
                case TrialStatus::wrong: add_once(seen, "a wrong answer"); break;
                case TrialStatus::skipped: add_once(seen, "not tried"); break;
                case TrialStatus::failed:
                    add_once(seen, fmt::format("{}: {}", trial->setting, clause(trial->reason)));
                    break;
                default: add_once(seen, clause(trial->reason)); break;
            }
        }
        if (!measured.empty()) seen.insert(seen.begin(), range_words(measured, has_gap));
        if (seen.empty()) continue;
        sides.push_back(fmt::format("{} {}", changed_side(e, side), fmt::join(seen, ", ")));
    }
    return fmt::format("{}", fmt::join(sides, "; "));
}

void rule_out(Explanation& e) {
    std::map<std::string, std::vector<const Trial*>> by_knob;
    std::vector<std::string> order;
    const bool has_gap = e.conclusion.has_gap;
    std::vector<const Trial*> failed;  // that the line of no knob names
    for (const Trial& trial : e.trials) {
        if (trial.status == TrialStatus::failed) failed.push_back(&trial);
        if (trial.knobs.size() != 1) continue;
        if (by_knob[trial.knobs[0]].empty()) order.push_back(trial.knobs[0]);
        by_knob[trial.knobs[0]].push_back(&trial);
    }
    std::vector<std::string> all_late;
    for (const std::string& knob : order) {
        const auto& trials = by_knob[knob];
        const bool tried = std::ranges::any_of(trials, [](const Trial* t) {
            return t->status == TrialStatus::measured || t->status == TrialStatus::no_effect ||
                   t->status == TrialStatus::wrong;
        });
        // One position that did nothing says nothing of the others.
        const bool did_nothing = std::ranges::all_of(trials, [&](const Trial* t) {
            if (t->status == TrialStatus::no_effect) return true;
            if (t->status != TrialStatus::measured) {
                return t->status == TrialStatus::wrong || t->status == TrialStatus::unsupported;
            }
            return has_gap ? t->closes_high < little_share
                           : std::fabs(t->own_change.value_or(1) - 1) < nothing;
        });
        const bool decided = std::ranges::any_of(trials, [](const Trial* t) {
            return t->status == TrialStatus::measured && t->closes >= little_share;
        });
        const bool late =
            std::ranges::all_of(trials, [](const Trial* t) { return lacks_budget(*t); });
        bool is_listed = true;
        if (late) {
            all_late.push_back(knob);
        } else if (!tried) {
            e.conclusion.not_tried.push_back(fmt::format("{}: {}", knob, listed(e, trials)));
        } else if (did_nothing) {
            e.conclusion.ruled_out.push_back(fmt::format("{}: {}", knob, listed(e, trials)));
        } else if (has_gap && !decided) {
            e.conclusion.not_tried.push_back(
                fmt::format("{}{}: {}", knob, not_everywhere, listed(e, trials)));
        } else {
            is_listed = false;
        }
        if (is_listed) std::erase_if(failed, [&](const Trial* t) { return t->knobs[0] == knob; });
    }
    for (const Trial* trial : failed) {
        e.conclusion.not_tried.push_back(fmt::format(
            "{} on {}: {}", trial->setting, changed_side(e, trial->side), clause(trial->reason)));
    }
    if (!all_late.empty()) {
        e.conclusion.not_tried.push_back(
            fmt::format("{}: {}", fmt::join(all_late, ", "), budget_ended));
    }
}

using Tried = std::vector<Trial>;

/// The trial with the same setting of the same knobs on a side, or nullptr.
const Trial* same_trial(const Tried& trials, const Trial& trial, KnobSide side,
                        const std::string& setting) {
    const auto found = std::ranges::find_if(trials, [&](const Trial& other) {
        return other.side == side && other.knobs == trial.knobs && other.setting == setting;
    });
    return found == trials.end() ? nullptr : &*found;
}

/// Whether the slower side alone would have to give up what the faster one keeps.
bool is_one_sided(const Tried& trials, const Trial& trial, KnobSide slower) {
    const Trial* common = same_trial(trials, trial, KnobSide::both, trial.setting);
    return trial.side == slower && common && common->ratio && common->closes < common_share;
}

/// The share of the gap that the slower side gains by a change of both sides.
double gained_share(const Tried& trials, const Trial& on_both, const Ratio& gap) {
    const Trial* alone = same_trial(trials, on_both, slower_side(gap), on_both.setting);
    if (alone && alone->ratio) return alone->closes;
    return -std::log(on_both.own_change.value_or(1)) / std::fabs(std::log(gap.value));
}

/// Whether a change of the faster side, which makes it as slow as the other, says what the two
/// differ in: the slower side must not mind it. Changes that only one side knows are of another
/// kind, but for the assembler, which the other side has in this position.
bool tells_apart(const Explanation& e, const Trial& trial) {
    const KnobSide slower = slower_side(e.gap);
    if (trial.side == KnobSide::both) {
        return std::fabs(gained_share(e.trials, trial, e.gap)) < nothing;
    }
    if (trial.knobs == std::vector<std::string>{"assembler"}) return true;
    const Trial* there = same_trial(e.trials, trial, slower, trial.setting);
    if (!there) return false;
    if (there->status == TrialStatus::no_effect) return true;
    return there->status == TrialStatus::measured && std::fabs(there->closes) < nothing;
}

/// The smallest gain of the slower side that counts. With queues and memory no compiler is involved
/// in the faster side's loss: that loss is what the slower side lacks.
double least_gained(const Trial& on_both) {
    const bool of_host = std::ranges::all_of(
        on_both.knobs, [](const std::string& knob) { return knob_named(knob).of_host; });
    return of_host ? little_share : partial_share;
}

/// Whether the slower side gains by it, and the faster one does not gain as well.
bool helps(const Tried& trials, const Trial& trial, const Ratio& gap) {
    if (trial.side == slower_side(gap)) return true;
    if (trial.side != KnobSide::both) return false;
    const double gained = gained_share(trials, trial, gap);
    return gained >= least_gained(trial) && gained <= most_share;
}

/// Whether a result contradicts the trial's cause: its reverse closes the gap equally well, or the
/// trial had its effect without changing what the cause names. Then any change of the code might
/// do.
bool is_contradicted(const Tried& trials, const Trial& trial, const TrialWords& words,
                     KnobSide slower) {
    if (words.missed) return true;
    if (words.reverse.empty()) return false;
    const Trial* reverse = same_trial(trials, trial, slower, words.reverse);
    return reverse && reverse->ratio && reverse->closes >= partial_share;
}

/// The conclusion from a trial that makes the faster side as slow as the other.
std::string what_separates(const Explanation& e, const Trial& trial) {
    std::vector<std::string> about;
    for (const std::string& knob : trial.knobs) about.push_back(knob_named(knob).about);
    std::string text = fmt::format(
        "What separates the two is {}: the faster side, with {}, is as slow as the other.",
        fmt::join(about, " and "), trial.setting);
    if (trial.knobs == std::vector<std::string>{"unrolling"}) {
        const Both<std::string> names = short_names(e);
        const bool slow = e.b_is_slower();
        text += fmt::format(" {}'s compiler unrolls a loop here that {}'s does not.",
                            names.of(!slow), names.of(slow));
    }
    const std::string counts = counts_in_ptx(e);
    return counts.empty() ? text : text + " " + counts;
}

/// The conclusion from a change whose reverse has the same effect; empty: this change has none.
std::string what_any_code_does(const Explanation& e, const Trial& trial, const TrialWords& words) {
    const KnobSide slower = slower_side(e.gap);
    const bool does = trial.side == slower && trial.ratio && trial.closes >= partial_share;
    if (!does || words.reverse.empty() || !is_contradicted(e.trials, trial, words, slower)) {
        return {};
    }
    return fmt::format("It is not {}: with {} and with {} alike, {} takes {:.2f} of its time.",
                       knob_named(trial.knobs.front()).about, trial.setting, words.reverse,
                       short_names(e).of(e.b_is_slower()), trial.own_change.value_or(1));
}

/// Sorts the trials, those that say most first. @returns where each of them was
std::vector<std::size_t> sort_trials(Explanation& e, const std::vector<TrialWords>& reasons) {
    std::vector<std::size_t> order(e.trials.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t i) {
        const Trial& trial = e.trials[i];
        const bool measured = trial.status == TrialStatus::measured && trial.ratio;
        if (!measured) return 1e6 + static_cast<double>(trial.status);
        // Without a gap there is nothing to close: what makes a side fastest comes first.
        if (!e.conclusion.has_gap) return trial.own_change.value_or(1);
        return distance(trial, slower_side(e.gap), reasons.at(i).trade) -
               (explains(trial) ? 1e3 : 0);
    };
    std::ranges::stable_sort(order, {}, rank);
    std::vector<Trial> sorted;
    for (const std::size_t i : order) sorted.push_back(std::move(e.trials[i]));
    e.trials = std::move(sorted);
    return order;
}

/// Says what closes the gap, or half of it, and makes the slower side faster: nothing else is a
/// cause.
/// @param words  of each trial
void find_cause(Explanation& e, const std::vector<TrialWords>& words) {
    Conclusion& conclusion = e.conclusion;
    const auto add_all = [&](const std::function<bool(const Trial&)>& closes) {
        for (std::size_t i = 0; i < e.trials.size(); ++i) {
            if (closes(e.trials[i]) && is_remedy(e.trials, words, i, e.gap)) {
                conclusion.by.push_back(i);
            }
        }
    };
    add_all(explains);
    conclusion.explained = !conclusion.by.empty();
    if (!conclusion.explained) {
        add_all([](const Trial& one) {
            return one.status == TrialStatus::measured && one.ratio &&
                   one.closes >= partial_share && one.closes <= most_share && one.closes_low > 0;
        });
    }
    // An option that covers many rules sorts after a change of one rule with the same effect.
    std::ranges::stable_partition(conclusion.by, [&](std::size_t i) {
        return e.trials[i].knobs != std::vector<std::string>{"relaxed mathematics"};
    });
    if (!conclusion.by.empty()) {
        const std::size_t best = conclusion.by.front();
        conclusion.remedy = words[best].remedy;
        // What any kernel gains by may be as large as the gap by chance.
        const Trial* both =
            same_trial(e.trials, e.trials[best], KnobSide::both, e.trials[best].setting);
        const bool is_confirmed =
            !words[best].trade || e.trials[best].side == KnobSide::both || (both && both->ratio);
        conclusion.explained = conclusion.explained && is_confirmed;
        if (is_confirmed) conclusion.cause = words[best].cause;
        return;
    }
    const auto separates = std::ranges::find_if(e.trials, [&](const Trial& one) {
        return explains(one) && !helps(e.trials, one, e.gap) && tells_apart(e, one);
    });
    if (separates != e.trials.end()) conclusion.where = what_separates(e, *separates);
    for (std::size_t i = 0; i < e.trials.size() && conclusion.where.empty(); ++i) {
        conclusion.where = what_any_code_does(e, e.trials[i], words[i]);
    }
}

}  // namespace

void rate(Trial& trial, const Ratio& gap, double margin) {
    if (!trial.ratio) return;
    trial.closed = verdict_of(*trial.ratio, margin) == Verdict::same;
    const double whole = std::log(gap.value);
    if (whole == 0) return;
    const double left = std::log(trial.ratio->value);
    trial.closes = 1 - left / whole;
    // Both the gap and its remainder are uncertain.
    const auto half = [](const Ratio& r) { return (std::log(r.high) - std::log(r.low)) / 2; };
    const double error = std::hypot(half(*trial.ratio) / whole, left * half(gap) / (whole * whole));
    trial.closes_low = trial.closes - error;
    trial.closes_high = trial.closes + error;
}

bool is_remedy(const Tried& trials, const std::vector<TrialWords>& words, std::size_t which,
               const Ratio& gap) {
    const Trial& trial = trials[which];
    const KnobSide slower = slower_side(gap);
    return trial.ratio && helps(trials, trial, gap) && !is_one_sided(trials, trial, slower) &&
           !is_contradicted(trials, trial, words[which], slower);
}

const Trial* common_gain(const Explanation& e) {
    if (e.conclusion.explained) return nullptr;
    const auto found = std::ranges::find_if(e.trials, [&](const Trial& trial) {
        return trial.side == KnobSide::both && explains(trial) &&
               gained_share(e.trials, trial, e.gap) > most_share;
    });
    return found == e.trials.end() ? nullptr : &*found;
}

double faster_sides_change(const Trial& on_both, const Ratio& gap) {
    return on_both.own_change.value_or(1) *
           std::exp(on_both.closes * std::fabs(std::log(gap.value)));
}

bool explains(const Trial& trial) {
    if (trial.status != TrialStatus::measured || !trial.ratio) return false;
    // SAME is as near as the margin tells apart, but half of a small gap may be within it.
    const double least = trial.closed ? closed_share : explained_share;
    return trial.closes >= least && trial.closes <= most_share && trial.closes_low > 0.5;
}

void conclude(Explanation& e, const std::vector<TrialWords>& reasons) {
    e.conclusion = {};
    // A device against itself has none, whatever its timer says.
    e.conclusion.has_gap = is_gap(e.verdict) && !e.is_one_side();
    std::vector<TrialWords> words;
    for (const std::size_t i : sort_trials(e, reasons)) words.push_back(reasons.at(i));
    if (e.conclusion.has_gap) find_cause(e, words);
    rule_out(e);
}

}  // namespace parallax

// Says in a paragraph why one side is slower: the answer first, then what it rests on.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/explain/explanation_names.hpp"

namespace parallax {
namespace {

/// Shares of the gap below this are not worth a place of their own in a sentence.
constexpr double least_share = 0.05;
/// A step that has this much of the gap is where it arises.
constexpr double main_share = 0.5;

/// As a sentence: with a full stop at its end.
std::string sentence(const std::string& text) {
    const bool ended =
        text.empty() || text.ends_with('.') || text.ends_with('!') || text.ends_with('?');
    return ended ? text : text + ".";
}

std::string interval(const Ratio& ratio) {
    return fmt::format("{:.3g} to {:.3g}", ratio.low, ratio.high);
}

/// Digits enough to see how near to 1 it is.
std::string fine_interval(const Ratio& ratio) {
    const auto text = [](double value) {
        return value > 0.9 && value < 1.1 ? fmt::format("{:.3f}", value)
                                          : fmt::format("{:.3g}", value);
    };
    return fmt::format("{} to {}", text(ratio.low), text(ratio.high));
}

std::string ratio_words(const Ratio& ratio) {
    return fmt::format("{:.3f} ({})", ratio.value, fine_interval(ratio));
}

std::string how_large(const Explanation& e) {
    const Both<std::string> names = full_names(e);
    const bool b = e.b_is_slower();
    const Ratio gap = slower_over_faster(e, e.gap);
    return fmt::format("{} is {} slower than {} ({}).", names.of(b), times_words(gap.value),
                       names.of(!b), gap.value < 1.1 ? fine_interval(gap) : interval(gap));
}

std::string planted(const Explanation& e) {
    std::string text;
    for (const bool is_b : {false, true}) {
        if (e.planted.of(is_b).empty()) continue;
        text += fmt::format(" Put in on purpose, on {}: {}", short_names(e).of(is_b),
                            sentence(e.planted.of(is_b)));
    }
    return text;
}

/// Explains a step's name.
std::string place_words(const OriginStep& step) {
    if (step.name == "front end") return "in the front end, which makes PTX of the text";
    if (step.name == "back end") return "in the back end, which makes machine code of PTX";
    if (step.name == "run-time and back end") {
        return "after the front end, in the back end and the run-time, which take PTX";
    }
    return "in the step \"" + step.name + "\"";
}

std::string seen_in(const Explanation& e, const OriginStep& step) {
    return step.ratio && !step.what.empty()
               ? fmt::format(" ({}: {})", clause(step.what),
                             ratio_words(slower_over_faster(e, *step.ratio)))
               : "";
}

std::string where_it_arises(const Explanation& e) {
    std::vector<const OriginStep*> steps;
    for (const OriginStep& step : e.origin) {
        if (step.share) steps.push_back(&step);
    }
    if (steps.empty()) {
        const std::string why = e.why_no_origin.empty() && !e.origin.empty()
                                    ? e.origin.front().reason
                                    : e.why_no_origin;
        return why.empty() ? ""
                           : " Neither side could be given the other's code, so where the gap "
                             "arises is not known: " +
                                 sentence(why);
    }
    std::ranges::stable_sort(
        steps, [](const OriginStep* x, const OriginStep* y) { return *x->share > *y->share; });
    const OriginStep& first = *steps.front();
    if (*first.share >= main_share) {
        std::string text = fmt::format(" {} of the gap arises {}{}.", share_words(*first.share),
                                       place_words(first), seen_in(e, first));
        for (const OriginStep* step : steps) {
            if (step == &first || std::abs(*step->share) < least_share) continue;
            text += *step->share > 0 ? fmt::format(" Another {} arises {}.",
                                                   share_words(*step->share), place_words(*step))
                                     : fmt::format(" What happens {} works against it, by {}.",
                                                   place_words(*step), share_words(-*step->share));
        }
        return text;
    }
    std::vector<std::string> places;
    for (const OriginStep* step : steps) {
        places.push_back(fmt::format("{} {}{}", share_words(*step->share), place_words(*step),
                                     seen_in(e, *step)));
    }
    const bool all_known = std::ranges::all_of(
        e.origin, [](const OriginStep& step) { return step.share.has_value(); });
    return fmt::format(" {}: {}.",
                       all_known && places.size() > 1 ? "The gap arises in several places"
                                                      : "Where the gap arises is known in part",
                       fmt::join(places, "; "));
}

/// With the first letter of a sentence; what begins with no letter, and a name of an option, stays.
std::string capital(std::string text) {
    if (text.size() > 1 && text[0] >= 'a' && text[0] <= 'z' && text[1] != '=' && text[1] != '-') {
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text;
}

/// `ALIGN=16 on OpenCL`
std::string turned(const Explanation& e, const Trial& trial) {
    const std::string setting =
        trial.setting.empty() ? fmt::format("{}", fmt::join(trial.knobs, " with ")) : trial.setting;
    return fmt::format("{} on {}", setting, changed_side(e, trial.side));
}

/// Whether it closes a gap from the wrong end.
bool slows_the_faster(const Explanation& e, const Trial& trial) {
    const KnobSide faster = e.b_is_slower() ? KnobSide::a : KnobSide::b;
    return trial.side == faster && trial.own_change && *trial.own_change > 1;
}

std::string what_closes(const Explanation& e, const Trial& trial) {
    std::string text = " " + capital(turned(e, trial));
    text +=
        trial.closed ? " closes it" : fmt::format(" closes {} of it", share_words(trial.closes));
    if (trial.ratio) {
        const Ratio left = slower_over_faster(e, *trial.ratio);
        text += fmt::format(": the slower side then takes {:.3f} times as long as the faster ({})",
                            left.value, fine_interval(left));
    }
    text += ".";
    if (slows_the_faster(e, trial)) {
        text += fmt::format(
            " It does so by making the faster side as slow ({}): it shows what the difference is, "
            "and is no remedy.",
            times_words(*trial.own_change));
    }
    return text;
}

std::string cause_and_remedy(const Conclusion& conclusion) {
    std::string text;
    if (!conclusion.cause.empty()) text += " Cause: " + sentence(conclusion.cause);
    if (!conclusion.remedy.empty()) text += " Remedy: " + sentence(conclusion.remedy);
    return text;
}

/// Trials that explain it, or a part of it where none explains all.
std::vector<const Trial*> telling_trials(const Explanation& e) {
    std::vector<const Trial*> telling;
    for (const std::size_t place : e.conclusion.by) {
        if (place < e.trials.size()) telling.push_back(&e.trials[place]);
    }
    return telling;
}

/// What does more than close the gap, and so is about something else; empty: nothing does.
std::string gains(const Explanation& e) {
    const Trial* best = nullptr;
    for (const Trial& trial : e.trials) {
        if (trial.status != TrialStatus::measured || trial.closes <= most_share) continue;
        if (!trial.own_change || *trial.own_change >= 1 || trial.knobs.size() != 1) continue;
        if (!best || *trial.own_change < *best->own_change) best = &trial;
    }
    if (!best) return {};
    return fmt::format(
        " {} {} {:.3f} times as long with {}: a gain of its own, larger than the gap, and not "
        "what makes the two differ.",
        capital(changed_side(e, best->side)), best->side == KnobSide::both ? "take" : "takes",
        *best->own_change,
        best->setting.empty() ? fmt::format("{}", fmt::join(best->knobs, " with "))
                              : best->setting);
}

/// The names alone: a section of the report has what was done with each, or why not.
std::string knobs_of(const std::vector<std::string>& list) {
    std::vector<std::string> names;
    for (const std::string& one : list) {
        std::string name = one.substr(0, one.find(": "));
        if (const auto end = name.find(", not in all positions"); end != name.npos) {
            name.resize(end);
        }
        name = clause(name);
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string ruled_out(const Explanation& e) {
    const auto measured = std::ranges::count(e.trials, TrialStatus::measured, &Trial::status);
    const auto no_effect = std::ranges::count(e.trials, TrialStatus::no_effect, &Trial::status);
    std::string text;
    if (measured + no_effect == 0) {
        text = " It is not explained: no change could be tried.";
    } else {
        text =
            fmt::format(" It is not explained: none of the {} that {} tried takes away {}.",
                        measured + no_effect == 1 ? "1 change"
                                                  : fmt::format("{} changes", measured + no_effect),
                        measured + no_effect == 1 ? "was" : "were", share_words(partial_share));
    }
    const std::string list = knobs_of(e.conclusion.ruled_out);
    return text + (list.empty() ? "" : fmt::format(" Ruled out: {}.", list));
}

std::string not_tried(const Explanation& e) {
    const std::string list = knobs_of(e.conclusion.not_tried);
    if (list.empty()) return {};
    const bool is_late = std::ranges::count(e.trials, TrialStatus::skipped, &Trial::status) > 0;
    return fmt::format(" Not tried, or not on both sides: {}.{}", list,
                       is_late ? " --budget gives more." : "");
}

std::string explained(const Explanation& e, const std::vector<const Trial*>& trials) {
    std::string text = what_closes(e, *trials.front());
    std::vector<std::string> others;
    for (std::size_t i = 1; i < trials.size(); ++i) {
        others.push_back(turned(e, *trials[i]) +
                         (slows_the_faster(e, *trials[i]) ? ", which makes it as slow" : ""));
    }
    if (!others.empty()) {
        text +=
            fmt::format(" So {} {}.", others.size() == 1 ? "does" : "do", fmt::join(others, ", "));
    }
    return text + cause_and_remedy(e.conclusion);
}

std::string explained_in_part(const Explanation& e, const std::vector<const Trial*>& trials) {
    const Trial& best = *trials.front();
    std::string text = " It is explained in part." + what_closes(e, best);
    std::vector<std::string> others;
    for (std::size_t i = 1; i < trials.size(); ++i) {
        others.push_back(
            fmt::format("{} ({})", turned(e, *trials[i]), share_words(trials[i]->closes)));
    }
    if (!others.empty()) {
        text += fmt::format(" Less of it: {}; shares of changes that overlap do not add up.",
                            fmt::join(others, ", "));
    }
    if (best.closes < 1) {
        text += fmt::format(" The other {} is not explained.", share_words(1 - best.closes));
    }
    return text + cause_and_remedy(e.conclusion) + not_tried(e);
}

/// What stands where there are no speeds to explain.
std::string no_speeds(const Explanation& e) {
    const Both<std::string> names = full_names(e);
    std::string text =
        e.verdict == Verdict::wrong
            ? fmt::format(
                  "{} and {}: an answer is not right or a side failed, so there are no "
                  "speeds to explain.",
                  names.a, names.b)
            : fmt::format(
                  "{} and {} cannot be compared: a side is missing or unsupported, or it "
                  "is not the same kernel, so there are no speeds to explain.",
                  names.a, names.b);
    return text + cause_and_remedy(e.conclusion) + planted(e) +
           fmt::format(" 'parallax diff {} {} -s {}/{}' says what it is.", e.device.a, e.device.b,
                       e.key.suite, e.key.variant);
}

std::string no_gap(const Explanation& e) {
    const Both<std::string> names = full_names(e), brief = short_names(e);
    if (e.is_one_side()) {
        return fmt::format(
                   "Both sides are {}, so there is no gap to explain. Against itself the ratio is "
                   "{}.",
                   e.device.a, ratio_words(e.gap)) +
               planted(e);
    }
    if (e.verdict == Verdict::same) {
        return fmt::format(
                   "{} and {} take the same time: {}'s divided by {}'s is {}. There is no gap to "
                   "explain.",
                   names.a, names.b, brief.b, brief.a, ratio_words(e.gap)) +
               planted(e);
    }
    return fmt::format(
               "Whether {} and {} differ is not decided: {}'s time divided by {}'s is {}, and the "
               "interval contains an edge of the margin. A larger --budget narrows it.",
               names.a, names.b, brief.b, brief.a, ratio_words(e.gap)) +
           planted(e);
}

std::string launching(const Explanation& e) {
    std::string text =
        " It is shorter than twice an empty launch: this gap is about launching, not about what "
        "the kernel does.";
    for (const Stage& stage : e.stages) {
        if (stage.name != "launch" || !stage.seconds.a || !stage.seconds.b) continue;
        const Both<std::string> names = short_names(e);
        text += fmt::format(" An empty launch takes {:.3g} us on {} and {:.3g} us on {}.",
                            *stage.seconds.a * 1e6, names.a, *stage.seconds.b * 1e6, names.b);
    }
    return text + " A larger problem (-n) shows the kernel itself.";
}

}  // namespace

std::string answer_in_words(const Explanation& e) {
    if (e.verdict == Verdict::wrong || e.verdict == Verdict::not_comparable) return no_speeds(e);
    if (!e.conclusion.has_gap || e.verdict == Verdict::undecided) return no_gap(e);
    std::string text = how_large(e) + planted(e);
    if (e.launching) text += launching(e);
    text += where_it_arises(e);
    const std::vector<const Trial*> trials = telling_trials(e);
    if (trials.empty() && e.launching) {
        return text + " No change of the kernel that was tried makes up for it." +
               cause_and_remedy(e.conclusion) + gains(e);
    }
    if (trials.empty()) {
        return text + (e.conclusion.where.empty() ? "" : " " + e.conclusion.where) + ruled_out(e) +
               cause_and_remedy(e.conclusion) + gains(e) + not_tried(e);
    }
    return text + (e.conclusion.explained ? explained(e, trials) : explained_in_part(e, trials)) +
           gains(e);
}

}  // namespace parallax

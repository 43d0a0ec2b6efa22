// Says in at most 60 words which side is slower, where that arises, why, and what to do.
#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "studies/diff/diff.hpp"
#include "studies/explain/conclude.hpp"
#include "studies/explain/explain_context.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/knobs.hpp"

namespace parallax {
namespace {

/// A longer answer is not read.
constexpr std::size_t most_words = 60;
/// A step that has this much of the gap is where it arises.
constexpr double main_share = 0.5;
/// Of a longer remedy the change is named instead.
constexpr std::size_t most_remedy_words = 25;
/// The other side's PTX is worth loading where it saves this share of the time.
constexpr double least_exchanged = 0.05;
/// A change that closes less of the gap than this is no advice.
constexpr double least_part = 0.25;
/// A change that makes the faster side slower than this is named for the slower one alone.
constexpr double most_slowed = 1.02;

/// A sentence of the answer, and how much it is missed: of a long answer the least is left out.
struct Said {
    std::string text;
    int weight = 0;
};
constexpr int size_weight = 100, cause_weight = 90, gain_weight = 60, planted_weight = 50,
              place_weight = 40, remark_weight = 30;

std::size_t words_in(const std::string& text) {
    std::istringstream words(text);
    return static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>(words),
                                                  std::istream_iterator<std::string>()));
}

std::string joined(std::vector<Said> sentences) {
    std::erase_if(sentences, [](const Said& one) { return one.text.empty(); });
    while (true) {
        std::string text;
        for (const Said& one : sentences) text += (text.empty() ? "" : " ") + one.text;
        if (sentences.size() < 2 || words_in(text) <= most_words) return text;
        sentences.erase(std::ranges::min_element(sentences, {}, &Said::weight));
    }
}

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
    const Both<std::string> names = short_names(e);
    const bool b = e.b_is_slower();
    const Ratio gap = slower_over_faster(e, e.gap);
    return fmt::format("{} is {} slower than {} ({})", names.of(b), times_words(gap.value),
                       names.of(!b), gap.value < 1.1 ? fine_interval(gap) : interval(gap));
}

std::string planted(const Explanation& e) {
    std::string text;
    for (const bool is_b : {false, true}) {
        if (e.planted.of(is_b).empty()) continue;
        text += fmt::format("{}Put in on purpose, on {}: {}", text.empty() ? "" : " ",
                            short_names(e).of(is_b), sentence(e.planted.of(is_b)));
    }
    return text;
}

/// Explains a step's name.
std::string place_words(const OriginStep& step) {
    if (step.name == "front end") return "in the front end (source to PTX)";
    if (step.name == "back end") return "in the back end (PTX to machine code)";
    if (step.name == "run-time and back end") return "after the front end";
    if (step.name == "kernels alone") return "in the kernels";
    return "in " + step.name;
}

/// The step with most of the gap; others have a table.
std::string where_it_arises(const Explanation& e) {
    const OriginStep* first = nullptr;
    for (const OriginStep& step : e.origin) {
        if (step.share && (!first || *step.share > *first->share)) first = &step;
    }
    if (!first) return {};
    if (*first->share < main_share) return "It arises in several places.";
    // Where parts work against each other, one has more than all of it.
    if (*first->share > 0.995) return fmt::format("It arises {}.", place_words(*first));
    return fmt::format("{} of it arises {}.", share_words(*first->share), place_words(*first));
}

/// `ALIGN=16 on OpenCL`
std::string turned(const Explanation& e, const Trial& trial) {
    const std::string setting =
        trial.setting.empty() ? fmt::format("{}", fmt::join(trial.knobs, " with ")) : trial.setting;
    return fmt::format("{} on {}", setting, changed_side(e, trial.side));
}

/// The effect of the named change on the slower side.
std::string expected_gain(const Explanation& e, const Trial& trial) {
    if (!trial.own_change) return {};
    const Both<std::string> names = short_names(e);
    const bool slower = e.b_is_slower();
    const char* same = trial.closed ? " (SAME)" : "";
    if (trial.side == KnobSide::both) {
        return fmt::format("On both sides{}: {} takes {:.2f} of its time, {} {:.2f}.", same,
                           names.of(slower), *trial.own_change, names.of(!slower),
                           faster_sides_change(trial, e.gap));
    }
    return fmt::format("Gain: {} takes {:.2f} of its time{}.", names.of(slower), *trial.own_change,
                       same);
}

/// The trial that is named; null: none is, or it is PTX that was moved, which is no remedy.
const Trial* named_trial(const Explanation& e) {
    const auto& by = e.conclusion.by;
    if (by.empty() || by.front() >= e.trials.size()) return nullptr;
    const Trial& best = e.trials[by.front()];
    return best.knobs.front() == front_end_knob ? nullptr : &best;
}

/// A change that makes the slower side the faster one.
const Trial* more_than_the_gap(const Explanation& e) {
    const KnobSide slower = e.b_is_slower() ? KnobSide::b : KnobSide::a;
    const auto more = std::ranges::find_if(e.trials, [&](const Trial& trial) {
        return trial.status == TrialStatus::measured && trial.side == slower && trial.ratio &&
               trial.closes > most_share;
    });
    return more == e.trials.end() ? nullptr : &*more;
}

/// The change that closes most of the gap, but less than half of it, and not by slowing the faster
/// side; null: there is none.
const Trial* largest_part(const Explanation& e) {
    const KnobSide faster = e.b_is_slower() ? KnobSide::a : KnobSide::b;
    const Trial* most = nullptr;
    for (const Trial& trial : e.trials) {
        const bool is_part = trial.status == TrialStatus::measured && trial.side != faster &&
                             trial.closes >= little_share && trial.closes < partial_share;
        if (is_part && (!most || trial.closes > most->closes)) most = &trial;
    }
    return most;
}

/// The same, where it is an advice.
const Trial* part_to_do(const Explanation& e) {
    const Trial* const part = largest_part(e);
    const bool is_sure = part && part->closes >= least_part && part->closes_low > 0;
    return is_sure && part->own_change.value_or(1) < 1 ? part : nullptr;
}

/// The time of the slower side with the other one's PTX over that with its own; nothing: that was
/// not measured, or does not make it faster.
std::optional<double> gain_of_exchange(const Explanation& e) {
    const auto ratio_of = [&](std::string_view name) -> std::optional<double> {
        const auto step = std::ranges::find(e.origin, name, &OriginStep::name);
        if (step == e.origin.end() || !step->ratio) return {};
        return step->ratio->value;
    };
    std::optional<double> gain;
    if (api_of(e.device.of(e.b_is_slower())) == "OpenCL") {
        gain = ratio_of("front end, seen through OpenCL");
    } else if (const auto front = ratio_of("front end"), back = ratio_of("back end");
               front && back) {
        gain = *front * *back;
    }
    if (gain && e.b_is_slower()) gain = 1 / *gain;
    if (!gain) {
        // An older program moved parts of the PTX.
        const auto moved = std::ranges::find_if(e.trials, [](const Trial& trial) {
            return std::ranges::count(trial.knobs, front_end_knob) > 0 && trial.ratio;
        });
        if (moved != e.trials.end()) gain = moved->own_change;
    }
    return gain && *gain < 1 - least_exchanged ? gain : std::nullopt;
}

/// Where the cause is, if no change helps.
std::string nothing_helps(const Explanation& e) {
    std::string where = "the compilers";
    const auto host = std::ranges::find(e.origin, host_step, &OriginStep::name);
    if (!e.kernel.a.empty()) {
        where = "the two kernels";
    } else if (host != e.origin.end() && host->share.value_or(0) >= main_share) {
        where = host_step;
    } else if (e.device_name.a != e.device_name.b) {
        where = "the devices";
    }
    return fmt::format("nothing to do was found; the cause is in {}", where);
}

/// `use uint for indices, on both sides`; where that slows the faster one, on the slower one.
std::string remedy_words(const Explanation& e, const Trial& best) {
    std::string remedy = clause(e.conclusion.remedy);
    if (remedy.empty() || words_in(remedy) > most_remedy_words) {
        return "use " + turned(e, best);
    }
    remedy = lower_case(remedy.substr(0, 1)) + remedy.substr(1);
    if (best.side != KnobSide::both) return remedy;
    const bool slows = faster_sides_change(best, e.gap) > most_slowed;
    return fmt::format("{}, on {}", remedy,
                       slows ? short_names(e).of(e.b_is_slower()) : "both sides");
}

/// The end of the answer's first sentence. It says one thing, with its gain where no other sentence
/// does.
std::string what_to_do(const Explanation& e) {
    const Both<std::string> names = short_names(e);
    const bool slower = e.b_is_slower();
    const auto takes = [&](double change) {
        return fmt::format("{} takes {:.2f} of its time", names.of(slower), change);
    };
    if (const Trial* both = common_gain(e)) {
        return fmt::format("with {} on both sides both gain ({}, {} {:.2f}) and are alike",
                           both->setting, takes(both->own_change.value_or(1)), names.of(!slower),
                           faster_sides_change(*both, e.gap));
    }
    if (const Trial* best = named_trial(e)) return remedy_words(e, *best);
    if (const Trial* more = more_than_the_gap(e)) {
        return fmt::format("with {}, {}, less than {}", more->setting,
                           takes(more->own_change.value_or(1)), names.of(!slower));
    }
    if (const auto gain = gain_of_exchange(e)) {
        const bool is_opencl = api_of(e.device.of(slower)) == "OpenCL";
        return fmt::format("{} ({})",
                           is_opencl
                               ? "load CUDA's PTX by clCreateProgramWithBinary"
                               : "load the PTX that OpenCL's compiler made by cuModuleLoadData",
                           takes(*gain));
    }
    if (e.launching) return "take a larger size (-n), since it is shorter than two empty launches";
    if (const Trial* part = part_to_do(e)) {
        return fmt::format("use {}, which closes {}", turned(e, *part), share_words(part->closes));
    }
    if (std::ranges::any_of(e.trials, lacks_budget)) {
        return fmt::format("look again with {}, since not all changes were tried",
                           larger_budget(e));
    }
    return nothing_helps(e);
}

/// Where the front ends part: a place, and no cause.
std::string place_in_the_text(const Explanation& e, const Trial& moved) {
    const std::string place = sentence(e.conclusion.cause);
    if (e.conclusion.explained || !place.starts_with("It ")) return place;
    return fmt::format("{} of it {}", share_words(moved.closes), place.substr(3));
}

/// The cause of the change that is named, or of all changes of a combination, and what it gains.
std::vector<Said> cause_and_gain(const Explanation& e, const std::string& of_a_part) {
    const Conclusion& c = e.conclusion;
    std::vector<Said> said;
    if (!c.cause.empty())
        said.push_back({"Cause" + of_a_part + ": " + sentence(c.cause), cause_weight});
    const Trial* const best = named_trial(e);
    if (!best) return said;
    said.push_back({expected_gain(e, *best), gain_weight});
    if (c.cause.empty() && !common_gain(e)) {
        said.push_back({"That change need not be what they differ in.", cause_weight});
    }
    const bool is_unsure = std::ranges::any_of(e.trials, [&](const Trial& trial) {
        return trial.side == KnobSide::both && lacks_budget(trial) && trial.knobs == best->knobs &&
               trial.setting == best->setting;
    });
    if (is_unsure) {
        said.push_back(
            {fmt::format("Not tried on both sides; {} does.", larger_budget(e)), remark_weight});
    }
    return said;
}

/// What is known of a change that makes the slower side the faster one: it need not be the
/// difference between the two.
std::string on_both_sides(const Explanation& e, const Trial& more) {
    const auto both = std::ranges::find_if(e.trials, [&](const Trial& trial) {
        return trial.side == KnobSide::both && trial.ratio && trial.knobs == more.knobs &&
               trial.setting == more.setting;
    });
    if (both == e.trials.end()) return "That change need not be what they differ in.";
    const Both<std::string> names = short_names(e);
    return fmt::format("With it on both sides, {} over {} is {}.", names.b, names.a,
                       ratio_words(*both->ratio));
}

/// The changes that were tried, where nothing explains the gap.
std::vector<Said> not_explained(const Explanation& e, const std::string& to_do) {
    const auto measured = std::ranges::count(e.trials, TrialStatus::measured, &Trial::status);
    const auto no_effect = std::ranges::count(e.trials, TrialStatus::no_effect, &Trial::status);
    const auto tried = measured + no_effect;
    std::vector<Said> said;
    if (common_gain(e)) {
        said.push_back({"That change is not what they differ in.", cause_weight});
    } else if (const Trial* more = more_than_the_gap(e)) {
        said.push_back({on_both_sides(e, *more), cause_weight});
    } else if (tried == 0) {
        said.push_back({"Not explained: no change could be tried.", cause_weight});
    } else {
        said.push_back({tried == 1
                            ? "Not explained: the one change that was tried closes less than half."
                            : fmt::format("Not explained: none of {} changes closes half of it by "
                                          "making {} faster.",
                                          tried, short_names(e).of(e.b_is_slower())),
                        cause_weight});
    }
    said.push_back({sentence(e.conclusion.where), gain_weight});
    const Trial* const most = largest_part(e);
    if (most && to_do.find("which closes") == to_do.npos) {
        said.push_back(
            {fmt::format("Most of it: {}, {}.", turned(e, *most), share_words(most->closes)),
             remark_weight});
    }
    return said;
}

/// The answer where there are no speeds to explain.
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
    std::vector<Said> said{{std::move(text), size_weight}};
    std::ranges::move(cause_and_gain(e, ""), std::back_inserter(said));
    said.push_back({planted(e), planted_weight});
    said.push_back({fmt::format("'parallax diff {} {} -s {}/{}' says what it is.", e.device.a,
                                e.device.b, e.key.suite, e.key.variant),
                    place_weight});
    return joined(std::move(said));
}

std::string no_gap(const Explanation& e) {
    const Both<std::string> names = full_names(e), brief = short_names(e);
    std::string text;
    if (e.is_one_side()) {
        text = fmt::format(
            "Both sides are {}, so there is no gap to explain. Against itself the ratio is {}.",
            e.device.a, ratio_words(e.gap));
    } else if (e.verdict == Verdict::same) {
        text = fmt::format(
            "{} and {} take the same time: {}'s divided by {}'s is {}. There is no gap to explain.",
            names.a, names.b, brief.b, brief.a, ratio_words(e.gap));
    } else {
        text = fmt::format(
            "Whether {} and {} differ is not decided: {}'s time divided by {}'s is {}, and the "
            "interval contains an edge of the margin. A larger --budget narrows it.",
            names.a, names.b, brief.b, brief.a, ratio_words(e.gap));
    }
    return joined({{std::move(text), size_weight}, {planted(e), planted_weight}});
}

}  // namespace

std::string answer_in_words(const Explanation& e) {
    if (e.verdict == Verdict::wrong || e.verdict == Verdict::not_comparable) return no_speeds(e);
    if (!e.conclusion.has_gap || e.verdict == Verdict::undecided) return no_gap(e);
    const std::string to_do = what_to_do(e);
    std::vector<Said> said{{fmt::format("{}: {}.", how_large(e), to_do), size_weight},
                           {planted(e), planted_weight}};
    const Trial* const best = named_trial(e);
    if (!best && !e.conclusion.by.empty() && e.conclusion.by.front() < e.trials.size()) {
        said.push_back({place_in_the_text(e, e.trials[e.conclusion.by.front()]), cause_weight});
        return joined(std::move(said));
    }
    if (e.launching && to_do.find("empty launches") == to_do.npos) {
        said.push_back(
            {"It is shorter than two empty launches; -n takes a larger size.", remark_weight});
    }
    said.push_back({where_it_arises(e), place_weight});
    if (!best) {
        std::ranges::move(not_explained(e, to_do), std::back_inserter(said));
        if (std::ranges::any_of(e.trials, lacks_budget) && to_do.find("--budget") == to_do.npos) {
            said.push_back({larger_budget(e) + " tries the rest.", remark_weight});
        }
    } else {
        if (common_gain(e)) {
            said.push_back({"That change is not what they differ in.", remark_weight});
        }
        const std::string part =
            e.conclusion.explained ? "" : fmt::format(" of {}", share_words(best->closes));
        std::ranges::move(cause_and_gain(e, part), std::back_inserter(said));
    }
    return joined(std::move(said));
}

}  // namespace parallax

// Answers the questions about one case in order.
#include "studies/diff/diff_verdicts.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "common/statistics/interval.hpp"
#include "common/text/text.hpp"
#include "measure/paired.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {
namespace {

/// Why the two sides' speeds are not to be compared at all; empty: they may be.
std::string obstacle(const CaseDiff& c, const Both<std::string>& names) {
    std::string text;
    for (const auto& [name, side] : {std::pair{&names.a, &c.a}, std::pair{&names.b, &c.b}}) {
        if (side->status && is_right(*side->status)) continue;
        if (!text.empty()) text += " ";
        text += side->status
                    ? fmt::format("{} is {}: {}", *name, name_of(*side->status), side->reason)
                    : fmt::format("{} has no such case.", *name);
    }
    if (!text.empty()) return text;
    for (const Difference& difference : c.kernel.differences) {
        if (!difference.forbids) continue;
        if (!text.empty()) text += " ";
        const std::string a = difference.a.empty() ? "none" : difference.a,
                          b = difference.b.empty() ? "none" : difference.b;
        text += difference.within_side
                    ? fmt::format("Its runs do not belong together: {} differs ({} and {}).",
                                  difference.what, a, b)
                    : fmt::format("The sides do not do the same: {} differs ({}: {}; {}: {}).",
                                  difference.what, names.a, a, names.b, b);
    }
    return text;
}

/// The verdict on a case whose speeds are not to be compared, by the worst of its sides.
Verdict verdict_without_speed(const CaseDiff& c) {
    const auto either = [&](Status status) { return c.a.status == status || c.b.status == status; };
    if (either(Status::wrong)) return Verdict::wrong;
    if (either(Status::failed)) return Verdict::failed;
    return either(Status::refused) ? Verdict::refused : Verdict::not_comparable;
}

/// Whether both sides are right, and one of them or both have no time: answers are all that can be
/// compared.
bool is_for_answers_alone(const CaseDiff& c) {
    return c.answer.right_a && c.answer.right_b &&
           (c.a.status == Status::checked || c.b.status == Status::checked);
}

void judge_answers(CaseDiff& c, const Both<std::string>& names) {
    const bool identical = c.answer.identical == true;
    c.verdict = identical ? Verdict::equal : Verdict::within_tolerance;
    c.reason = fmt::format(
        "{}, {}. Nothing was timed{}.",
        c.answer.only_agree ? "Both sides ran, without a reference that says what is right"
        : is_doubtful(c)    ? "Both sides passed the checks"
                            : "Both sides are right",
        identical            ? "and their answers are bitwise identical"
        : c.answer.identical ? "and their answers differ within the tolerance"
                             : "and their answers were not compared with each other",
        c.a.status == c.b.status        ? ""
        : c.a.status == Status::checked ? " on " + names.a
                                        : " on " + names.b);
}

std::string reason_of(const CaseDiff& c, double margin) {
    const Ratio& r = *c.ratio;
    const std::string interval = fmt::format("the interval {:.4f} to {:.4f}", r.low, r.high);
    const std::string range = fmt::format("the margin of {}", percent(margin));
    std::string text;
    switch (c.verdict) {
        case Verdict::same: text = fmt::format("All of {} lies inside {}.", interval, range); break;
        case Verdict::faster:
            text = fmt::format("All of {} lies below {}.", interval, range);
            break;
        case Verdict::slower:
            text = fmt::format("All of {} lies above {}.", interval, range);
            break;
        default: text = fmt::format("An edge of {} lies in {}.", range, interval); break;
    }
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    if (!r.caution.empty()) text += " " + r.caution;
    // One of the rounds may have been left out.
    if (r.basis == "paired rounds" && r.units_a + 1 < PairRule{}.interim_analyses.front()) {
        text += fmt::format(
            " The time allowed {} rounds: so few miss a state that affects a fifth of all rounds "
            "in {} of cases.",
            r.units_a, percent(missed_share(0.2, r.units_a)));
    }
    if (c.launching) {
        text +=
            " Shorter than twice an empty launch: it tells about launching, not about the kernel.";
    }
    return text;
}

/// Whether a side's time cannot be.
bool is_beyond_ceiling(const Side& side) {
    return std::ranges::count(side.doubts, DoubtKind::beyond_ceiling, &Doubt::kind) > 0;
}

/// `Doubtful: CUDA: one number for all would pass ... `; empty: neither side is.
std::string doubts_of(const CaseDiff& c, const Both<std::string>& names) {
    std::string text;
    const auto add = [&](const std::string& whose, const Side& side) {
        if (!is_doubtful(side)) return;
        for (const Doubt& one : side.doubts)
            text += to_string({one.kind, whose + one.sentence}) + " ";
    };
    if (is_doubtful(c.a) && is_doubtful(c.b) && c.a.doubts == c.b.doubts) {
        add("", c.a);
    } else {
        add(names.a + ": ", c.a);
        add(names.b + ": ", c.b);
    }
    return text;
}

}  // namespace

void judge(CaseDiff& c, const StoredRatio& ratio, const Judgement& judgement) {
    std::string why = obstacle(c, judgement.names);
    if (!why.empty()) {
        c.verdict = verdict_without_speed(c);
        c.reason = std::move(why);
    } else if (is_for_answers_alone(c)) {
        judge_answers(c, judgement.names);
    } else if (!ratio.ratio) {
        c.verdict = Verdict::not_comparable;
        c.reason = ratio.doubt.empty() ? "It was not timed on both sides." : ratio.doubt;
    } else {
        c.ratio = ratio.ratio;
        // A change is significant when its whole interval is outside the margin.
        if (ratio.least_visible) c.least_visible = *ratio.least_visible * (1 + judgement.margin);
        // If both sides are above the ceiling, the ceiling or the model of the work is wrong, which
        // the ratio does not need.
        const bool one_cannot_be = is_beyond_ceiling(c.a) != is_beyond_ceiling(c.b);
        c.doubted = !ratio.doubt.empty() || one_cannot_be;
        if (c.doubted) {
            c.verdict = Verdict::undecided;
            c.reason = ratio.doubt;
            if (one_cannot_be) {
                c.reason += fmt::format("{}The time of {} cannot be.", c.reason.empty() ? "" : " ",
                                        judgement.names.of(is_beyond_ceiling(c.b)));
            }
        } else {
            c.verdict = verdict_of(*c.ratio, judgement.margin);
            c.reason = reason_of(c, judgement.margin);
        }
        if (c.least_visible) {
            c.reason += fmt::format(" A change of less than {} would not even stand out.",
                                    percent(*c.least_visible - 1));
        }
    }
    c.reason = doubts_of(c, judgement.names) + c.reason;
    decide(c, judgement);
}

void decide(CaseDiff& c, const Judgement& judgement) {
    c.decision = Decision::none;
    if (!judgement.max_slowdown) return;
    const auto unsupported = [](const Side& side) { return side.status == Status::unsupported; };
    if (c.verdict == Verdict::wrong || c.verdict == Verdict::failed) {
        c.decision = Decision::fail;
    } else if (!c.ratio) {
        // A case that the device does not support is no failure, and a new case has nothing to be
        // slower than.
        const bool allowed = unsupported(c.a) || unsupported(c.b) || !c.a.status;
        c.decision = allowed ? Decision::none : Decision::undecided;
    } else {
        const Ratio& ratio = c.against_baseline ? *c.against_baseline : *c.ratio;
        const double edge = 1 + *judgement.max_slowdown;
        if (judgement.by_noise && c.knows_noise && !c.doubted) {
            c.decision = ratio.low > 1 && ratio.value > edge ? Decision::fail : Decision::pass;
        } else if (judgement.by_noise) {
            c.decision = Decision::undecided;
        } else if (c.doubted || !is_decided(ratio, std::vector{edge})) {
            c.decision = Decision::undecided;
        } else {
            c.decision = ratio.low > edge ? Decision::fail : Decision::pass;
        }
    }
}

SelfCheck self_check(const Pair& pair, const Judgement& judgement) {
    SelfCheck check;
    check.device = pair.a;
    check.title = pair.key.without_constants();
    if (const auto ratio = pair.timing.ratio()) check.ratio = *ratio;
    double sum = 0, count = 0;
    for (const PairRound& round : pair.timing.rounds) {
        for (const double seconds : round.a) {
            sum += seconds;
            ++count;
        }
    }
    check.seconds = count > 0 ? sum / count : 0;
    check.verdict = pair.timing.ratio() && pair.timing.doubt().empty()
                        ? verdict_of(check.ratio, judgement.margin)
                        : Verdict::undecided;
    return check;
}

}  // namespace parallax

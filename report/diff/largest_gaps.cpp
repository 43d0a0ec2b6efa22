// The summary for decision makers: one sentence, and the largest gaps with their causes.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/suite/suite.hpp"
#include "common/text/text.hpp"
#include "report/diff/findings.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_gaps = 3, longest_device = 60;

/// What the variant is there to show; empty: it is none of this program's.
std::string taught_by(const CaseKey& key) {
    for (const Suite& suite : suites()) {
        if (suite.name != key.suite) continue;
        const auto variant = std::ranges::find(suite.variants, key.variant, &Variant::name);
        if (variant != suite.variants.end()) return variant->description;
    }
    return {};
}

std::string device_of(const Environment& environment) {
    for (const auto& [name, value] : environment.facts) {
        if (name == "device") return printable(value, longest_device);
    }
    return {};
}

std::string cause_of(const CaseDiff& c) {
    if (c.explanation) {
        const Explanation& e = *c.explanation;
        return printable(e.conclusion.cause.empty() ? e.answer : e.conclusion.cause);
    }
    const std::string taught = taught_by(c.key);
    return fmt::format(
        "{}Why it differs has not been looked for: 'parallax explain {}/{}' does so.",
        taught.empty() ? "" : fmt::format("What it is about: {}. ", taught), printable(c.key.suite),
        printable(c.key.variant));
}

}  // namespace

std::string in_a_sentence(const Diff& diff) {
    using enum Verdict;
    const auto count = [&](Verdict verdict) {
        return std::ranges::count(diff.cases, verdict, &CaseDiff::verdict);
    };
    if (diff.cases.empty()) return "There is no case to compare.";
    const std::string a = printable(diff.a.name), b = printable(diff.b.name);
    const auto compared =
        count(same) + count(slower) + count(faster) + count(undecided) + count(wrong);
    std::vector<std::string> rest;
    const auto add = [&](Verdict verdict, std::string_view words) {
        if (count(verdict) > 0) rest.push_back(fmt::format("{} in {}", words, count(verdict)));
    };
    add(slower, "slower");
    add(faster, "faster");
    add(undecided, "undecided");
    add(failed, "failed");
    add(refused, "refused");
    if (const auto checked = count(equal) + count(within_tolerance); compared == 0 && checked > 0) {
        return fmt::format(
            "{} and {} are both right in {} of {}, and their answers are bitwise identical in {}; "
            "{}nothing was timed.",
            a, b, checked, counted(diff.cases.size(), "case"), count(equal),
            rest.empty() ? "" : fmt::format("{}; ", fmt::join(rest, ", ")));
    }
    if (compared == 0) {
        return fmt::format("Nothing of {} and {} could be compared{}.", a, b,
                           rest.empty() ? "" : fmt::format(": {}", fmt::join(rest, ", ")));
    }
    const std::string device_a = device_of(diff.a), device_b = device_of(diff.b);
    const std::string where =
        device_a.empty() || device_a != device_b ? "" : fmt::format("On {}, ", device_a);
    return fmt::format("{}{} is as fast as {} in {} of {}{}{}; {}.", where, b, a, count(same),
                       counted(static_cast<std::size_t>(compared), "case"),
                       rest.empty() ? "" : ", ", fmt::join(rest, ", "),
                       count(wrong) == 0 ? "every answer is right"
                                         : fmt::format("answers are wrong in {}", count(wrong)));
}

std::vector<Gap> largest_gaps(const Diff& diff) {
    std::vector<const CaseDiff*> cases;
    for (const CaseDiff& c : diff.cases) {
        if (c.ratio && is_gap(c.verdict)) {
            cases.push_back(&c);
        }
    }
    std::ranges::stable_sort(cases, std::ranges::greater{},
                             [](const CaseDiff* c) { return std::abs(std::log(c->ratio->value)); });
    if (cases.size() > most_gaps) cases.resize(most_gaps);
    const Names names(diff);
    std::vector<Gap> gaps;
    for (const CaseDiff* c : cases) {
        gaps.push_back({.place = static_cast<std::size_t>(c - diff.cases.data()),
                        .name = printable(names.of(*c)),
                        .words = fmt::format("{} {}", factor(c->ratio->value),
                                             lower_case(word_of(c->verdict))),
                        .verdict = c->verdict,
                        .cause = cause_of(*c)});
    }
    return gaps;
}

}  // namespace parallax::report

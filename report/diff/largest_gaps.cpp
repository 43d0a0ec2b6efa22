// The largest gaps with their causes.
#include <algorithm>

#include <fmt/format.h>

#include "common/suite/suite.hpp"
#include "common/text/text.hpp"
#include "report/diff/findings.hpp"
#include "studies/diff/side_names.hpp"
#include "studies/lessons/lesson.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_gaps = 3;

/// What the variant is there to show; empty: it is none of this program's.
std::string taught_by(const CaseKey& key) {
    for (const Suite& suite : suites()) {
        if (suite.name != key.suite) continue;
        const auto variant = std::ranges::find(suite.variants, key.variant, &Variant::name);
        if (variant != suite.variants.end()) return variant->description;
    }
    return {};
}

/// The first lesson that runs `suite/variant`; empty: none does.
std::string lesson_on(const std::string& name) {
    for (const Lesson& lesson : lessons()) {
        if (std::ranges::any_of(lesson.steps,
                                [&](const LessonStep& step) { return step.run.what == name; })) {
            return lesson.name;
        }
    }
    return {};
}

std::string cause_of(const CaseDiff& c) {
    if (c.explanation) {
        const Explanation& e = *c.explanation;
        return printable(e.conclusion.cause.empty() ? e.answer : e.conclusion.cause);
    }
    if (!c.known_cause.empty()) return "Known cause: " + printable(c.known_cause);
    const std::string taught = taught_by(c.key), lesson = lesson_on(c.key.name());
    return fmt::format(
        "{}{}'parallax explain {}/{}' finds out why it differs.",
        taught.empty() ? "" : fmt::format("What it is about: {}. ", taught),
        lesson.empty() ? "" : fmt::format("'parallax lesson {}' teaches it. ", lesson),
        printable(c.key.suite), printable(c.key.variant));
}

}  // namespace

std::vector<Gap> largest_gaps(const Diff& diff) {
    const std::vector<const CaseDiff*> all = by_weight(diff);
    std::vector<const CaseDiff*> cases = all;
    std::erase_if(cases, [](const CaseDiff* c) { return !c->ratio || !is_gap(c->verdict); });
    if (cases.size() > most_gaps) cases.resize(most_gaps);
    const Names names(diff);
    const Both<std::string> sides = side_names(diff);
    std::vector<Gap> gaps;
    for (const CaseDiff* c : cases) {
        gaps.push_back({.place = static_cast<std::size_t>(std::ranges::find(all, c) - all.begin()),
                        .name = printable(names.of(*c)),
                        .words = verdict_text(*c, sides),
                        .verdict = c->verdict,
                        .cause = cause_of(*c)});
    }
    return gaps;
}

}  // namespace parallax::report

// Says in sentences what a diff found: headline, reasons, speeds.
#include "report/diff/findings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/suite/suite.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "report/diff/cases.hpp"
#include "studies/diff/diff.hpp"
#include "studies/explain/diff_explain.hpp"
#include "studies/lessons/lesson.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_in_headline = 3, longest_name = 60;

std::string fact(const Environment& environment, std::string_view name) {
    return clipped(printable(fact_of(environment, name)), longest_name);
}

/// `multiply/naive 1.40x, transpose/padded 1.10x`: the first of these cases.
std::string first_of(const std::vector<const CaseDiff*>& cases, const Names& names) {
    std::vector<std::string> said;
    for (const CaseDiff* c : cases) {
        if (said.size() == most_in_headline) {
            said.back() += fmt::format(" and {} more", cases.size() - said.size());
            break;
        }
        said.push_back(clipped(names.of(*c), longest_name));
        if (is_gap(c->verdict) && c->ratio) said.back() += " " + factor(c->ratio->value);
    }
    return fmt::format("{}", fmt::join(said, ", "));
}

std::vector<const CaseDiff*> with_verdict(const Diff& diff, Verdict verdict) {
    std::vector<const CaseDiff*> cases = by_weight(diff);
    std::erase_if(cases, [&](const CaseDiff* c) { return c->verdict != verdict; });
    return cases;
}

/// `2 WRONG (multiply/naive, transpose/padded)`, `CUDA slower in 5`
std::string tally(Verdict verdict, const std::vector<const CaseDiff*>& cases, const Names& names,
                  const Both<std::string>& sides) {
    if (is_gap(verdict)) return fmt::format("{} in {}", word_of(verdict, sides), cases.size());
    const bool has_names =
        weight_of(verdict) <= weight_of(Verdict::failed) || verdict == Verdict::refused;
    return fmt::format("{} {}{}", cases.size(), word_of(verdict),
                       has_names ? fmt::format(" ({})", first_of(cases, names)) : "");
}

std::string verdicts(const Diff& diff, const Names& names) {
    if (diff.cases.empty()) return "there is no case to compare";
    const Both<std::string> sides = side_names(diff);
    std::vector<std::string> said;
    using enum Verdict;
    for (const Verdict verdict : {wrong, failed, refused, same, equal, within_tolerance, slower,
                                  faster, undecided, not_comparable}) {
        std::vector<const CaseDiff*> cases = with_verdict(diff, verdict);
        const auto left =
            std::erase_if(cases, [](const CaseDiff* c) { return was_not_reached(*c); });
        if (!cases.empty()) said.push_back(tally(verdict, cases, names, sides));
        if (left > 0) said.push_back(fmt::format("{} {}", left, not_measured));
    }
    std::vector<const CaseDiff*> doubtful = by_weight(diff);
    std::erase_if(doubtful, [](const CaseDiff* c) { return !is_doubtful(*c); });
    if (!doubtful.empty()) {
        said.push_back(fmt::format("{} doubtful ({})", doubtful.size(), names.of(doubtful)));
    }
    const auto any = [&](auto... verdicts) {
        return std::ranges::any_of(
            diff.cases, [=](const CaseDiff& c) { return ((c.verdict == verdicts) || ...); });
    };
    const std::string_view end = any(wrong, failed) || !doubtful.empty() ? ""
                                 : any(same, slower, faster, undecided)  ? "; nothing wrong"
                                 : any(equal, within_tolerance)
                                     ? "; answers were checked, and nothing was timed"
                                     : "; nothing could be compared";
    return fmt::format("{}{}", fmt::join(said, ", "), end);
}

/// The requested decision and its outcome; empty where none was requested.
std::string decision(const Diff& diff, const Names& names) {
    std::vector<const CaseDiff*> pass, fail, open, none;
    for (const CaseDiff* c : by_weight(diff)) {
        if (c->decision == Decision::pass) pass.push_back(c);
        if (c->decision == Decision::fail) fail.push_back(c);
        if (c->decision == Decision::undecided) open.push_back(c);
        if (c->decision == Decision::none) none.push_back(c);
    }
    if (none.size() == diff.cases.size() && !diff.max_slowdown) return {};
    std::string text =
        diff.by_noise ? fmt::format(
                            "Asked for: {} no slower than in the baseline, beyond {} and "
                            "what its runs differ by",
                            side_names(diff).b, percent(diff.margin))
        : diff.max_slowdown
            ? fmt::format("Asked for: {} at most {} slower than {}", side_names(diff).b,
                          percent(*diff.max_slowdown),
                          diff.baseline.empty() ? side_names(diff).a : "in the baseline")
            : "Decisions";
    text += fmt::format(": {} within it", pass.size());
    if (!fail.empty()) text += fmt::format(", {} NOT: {}", fail.size(), names.of(fail));
    if (!open.empty()) {
        const bool is_timed = std::ranges::any_of(
            open, [](const CaseDiff* c) { return !is_about_answers(c->verdict); });
        text += fmt::format("{} {} UNDECIDED{}: {}", fail.empty() ? "," : ";", open.size(),
                            is_timed ? "" : ", as nothing was timed", names.of(open));
    }
    if (!none.empty()) {
        text += fmt::format("; {} without a decision: {}", none.size(), names.of(none));
    }
    return text + ".";
}

/// What a reader should do, in plain words; empty where the verdicts say all of it, or where a
/// decision was asked for.
std::string advice(const Diff& diff, const Names& names) {
    std::vector<const CaseDiff*> not_right, measured;
    for (const CaseDiff* c : by_weight(diff)) {
        if (weight_of(c->verdict) <= weight_of(Verdict::failed) || is_doubtful(*c))
            not_right.push_back(c);
        if (c->ratio && !c->launching) measured.push_back(c);
    }
    if (!not_right.empty()) {
        return fmt::format("Look at {} first: only right answers have a speed to compare.",
                           names.of(not_right));
    }
    if (measured.empty() || clock_lied(diff) || diff.max_slowdown || !diff.baseline.empty())
        return {};
    const auto with = [&](Verdict verdict) {
        return static_cast<std::size_t>(std::ranges::count(measured, verdict, &CaseDiff::verdict));
    };
    const std::size_t cases = measured.size();
    if (with(Verdict::undecided) * 2 > cases) {
        return fmt::format("{} is decided: {}.",
                           with(Verdict::undecided) == cases ? "Nothing" : "Little",
                           diff.live ? "give it more time with --budget"
                                     : "run both sides again with --processes 5");
    }
    const Both<std::string> sides = side_names(diff);
    const Summary summary = summary_of(diff);
    const RatioSpread& all = summary.kernels.cases > 0 ? summary.kernels : summary.in_cache;
    if (all.cases == 0) return {};
    const bool is_slower = all.median > 1 + diff.margin,
               is_faster = all.median < 1 / (1 + diff.margin);
    const std::string numbers =
        fmt::format("the median is {}, and {} of {} are within {}", decimal(all.median),
                    with(Verdict::same), counted(cases, "case"), percent(diff.margin));
    if ((is_slower && with(Verdict::slower) * 2 <= cases) ||
        (is_faster && with(Verdict::faster) * 2 <= cases)) {
        return fmt::format("No side is faster in most cases: {}.", numbers);
    }
    const bool is_port = are_apis(sides) && sides.b == "CUDA";
    const std::string text =
        !is_slower && !is_faster ? are_apis(sides)
                                       ? "Changing the API gains nothing"
                                       : fmt::format("{} is as fast as {}", sides.b, sides.a)
        : is_port && is_slower ? "OpenCL can stay: CUDA is slower"
                               : fmt::format("{} is {}", sides.b, is_slower ? "slower" : "faster");
    constexpr std::size_t least_in_general = 10;
    return cases == 1 ? text + " here."
           : cases < least_in_general
               ? fmt::format("{} in these {} cases: {}.", text, cases, numbers)
               : fmt::format("{} in general: {}.", text, numbers);
}

/// Which constants the two sides have.
std::string constants_sentence(const Diff& diff) {
    if (!diff.each_at_its_best) return "Constants: the same on both sides.";
    const auto tuned = [&](Side CaseDiff::*side) {
        return std::ranges::count_if(diff.cases,
                                     [&](const CaseDiff& c) { return !(c.*side).tuned.empty(); });
    };
    const auto apart = std::ranges::count_if(diff.cases, [](const CaseDiff& c) {
        return std::ranges::find(c.kernel.differences, "constants", &Difference::what) !=
               c.kernel.differences.end();
    });
    return fmt::format(
        "Constants: each side at its best, as 'parallax tune' kept them: {} in {}, {} in {} of {}. "
        "{}",
        side_names(diff).a, tuned(&CaseDiff::a), side_names(diff).b, tuned(&CaseDiff::b),
        counted(diff.cases.size(), "case"),
        apart == 0
            ? "They are the same on both sides all the same."
            : fmt::format("They differ in {}: there the two sides are not one kernel, and the "
                          "ratio compares the best of both.",
                          counted(static_cast<std::size_t>(apart), "case")));
}

std::string name_of(const Environment& environment) {
    return clipped(printable(environment.name), longest_name);
}

/// The cases where each side is slower. Between the two APIs OpenCL's come first.
Sentences where_slower(const Diff& diff, const Names& names) {
    const Both<std::string> sides = side_names(diff);
    std::array verdicts{Verdict::slower, Verdict::faster};
    if (are_apis(sides) && sides.a == "OpenCL") std::ranges::reverse(verdicts);
    Sentences lines, apart;
    for (const Verdict verdict : verdicts) {
        std::vector<const CaseDiff*> cases = with_verdict(diff, verdict), launching;
        std::ranges::copy_if(cases, std::back_inserter(launching), &CaseDiff::launching);
        std::erase_if(cases, [](const CaseDiff* c) { return c->launching; });
        const std::string& slower = sides.of(verdict == Verdict::slower);
        if (!launching.empty()) {
            apart.push_back(fmt::format("Launch-bound, apart: {} is slower in {}: {}.", slower,
                                        counted(launching.size(), "case"),
                                        first_of(launching, names)));
        }
        if (cases.empty()) {
            const bool is_said =
                are_apis(sides) &&
                diff.summary.of(Verdict::slower) + diff.summary.of(Verdict::faster) > 0;
            if (is_said && launching.empty()) lines.push_back(slower + " is slower in no case.");
            continue;
        }
        lines.push_back(fmt::format("{} is slower in {}{}: {}.", slower,
                                    counted(cases.size(), "case"),
                                    !are_apis(sides)     ? ""
                                    : slower == "OpenCL" ? ", the cost of staying with OpenCL"
                                                         : ", the gain of staying with OpenCL",
                                    first_of(cases, names)));
    }
    std::ranges::move(apart, std::back_inserter(lines));
    return lines;
}

std::string spread_text(const RatioSpread& spread) {
    if (spread.cases == 1) return decimal(spread.median);
    return fmt::format("{} ({}, {}from {} to {})", decimal(spread.median),
                       counted(spread.cases, "case"), spread.is_whole() ? "" : "eight of ten ",
                       decimal(spread.low), decimal(spread.high));
}

std::string words_of(const FloatRules& floats) {
    return fmt::format("{}fused multiply-adds, {} division, denormals {}{}",
                       floats.contract ? "" : "no ",
                       floats.exact_division ? "correctly rounded" : "approximate",
                       floats.flush_denormals ? "flushed to zero" : "kept",
                       floats.relaxed ? ", relaxed functions" : "");
}

/// The rules of most cases; empty where nothing was built.
std::string float_rules(const Diff& diff) {
    std::vector<std::pair<std::string, std::size_t>> rules;
    std::size_t built = 0;
    for (const CaseDiff& c : diff.cases) {
        if (!c.a.floats || !c.b.floats) continue;
        const std::string a = words_of(*c.a.floats), b = words_of(*c.b.floats);
        const Both<std::string> sides = side_names(diff);
        ++at_key(rules, a == b ? "both sides: " + a
                               : fmt::format("{}: {}; {}: {}", sides.a, a, sides.b, b));
        ++built;
    }
    if (rules.empty()) return {};
    const auto& [words, cases] =
        *std::ranges::max_element(rules, {}, &std::pair<std::string, std::size_t>::second);
    return fmt::format(
        "Float rules of {}{}.", words,
        cases == built ? "" : fmt::format("; others in {}", counted(built - cases, "case")));
}

}  // namespace

std::string pair_of(const Diff& diff) {
    const std::string a = fact(diff.a, "device"), b = fact(diff.b, "device");
    const Both<std::string> sides = side_names(diff);
    const auto named = [](const std::string& side, const Environment& environment) {
        const std::string own = name_of(environment);
        return own.empty() || own == side ? side : fmt::format("{} ({})", side, own);
    };
    std::string text = fmt::format("{} and {}", named(sides.a, diff.a), named(sides.b, diff.b));
    if (a.empty() && b.empty()) return text;
    return a == b ? text + " on " + a
                  : fmt::format("{} on {} and {}", text, a.empty() ? "unknown" : a,
                                b.empty() ? "unknown" : b);
}

std::string verdicts_of(const Diff& diff) {
    return verdicts(diff, Names(diff)) + ".";
}

Sentences headline(const Diff& diff, bool is_brief) {
    Sentences lines = answers_of(diff, is_brief);
    lines.insert(lines.begin() + (advice(diff, Names(diff)).empty() ? 0 : 1),
                 fmt::format("{}: {}", pair_of(diff), verdicts_of(diff)));
    return lines;
}

Sentences answers_of(const Diff& diff, bool is_brief) {
    const Names names(diff);
    Sentences lines;
    for (std::string line : {advice(diff, names), decision(diff, names), clock_lie(diff)}) {
        if (!line.empty()) lines.push_back(std::move(line));
    }
    if (std::string line = constants_sentence(diff); diff.each_at_its_best) {
        lines.push_back(std::move(line));
    }
    for (std::string& line : where_slower(diff, names)) lines.push_back(std::move(line));
    const Summary& summary = diff.summary;
    if (is_brief || summary.measured < 2) return lines;  // the verdict says it
    std::vector<std::string> medians;
    for (const auto& [label, spread] :
         {std::pair("Median of " + ratio_name(side_names(diff)), &summary.kernels),
          {"launch-bound, apart", &summary.launching},
          {"in cache, apart", &summary.in_cache}}) {
        if (spread->cases > 0)
            medians.push_back(fmt::format("{}: {}", label, spread_text(*spread)));
    }
    if (!medians.empty()) lines.push_back(fmt::format("{}.", fmt::join(medians, "; ")));
    return lines;
}

LeftOut left_out(const Diff& diff) {
    std::vector<CaseKey> keys, all;
    for (const CaseDiff& c : diff.cases) {
        all.push_back(c.key);
        if (diff.live && c.a.status == Status::skipped) keys.push_back(c.key);
    }
    LeftOut found = left_out_of(std::move(keys), std::move(all), diff.command);
    return {printable(found.sentence), printable(found.command)};
}

Section not_reached(const Diff& diff) {
    const LeftOut rest = left_out(diff);
    Section section{.title = {}};
    if (!rest.sentence.empty()) section.blocks.emplace_back(Paragraph{rest.sentence});
    if (!rest.command.empty()) section.blocks.emplace_back(ShellCommand{rest.command});
    return section;
}

Sentences warnings(const Diff& diff) {
    Sentences lines;
    for (const std::string& warning : diff.warnings) lines.push_back(printable(warning));
    return lines;
}

Remarks reasons(const Diff& diff) {
    Remarks remarks;
    const Both<std::string> sides = side_names(diff);
    for (const CaseDiff* c : by_weight(diff)) {
        if (c->verdict == Verdict::same && !is_doubtful(*c)) continue;
        at_key(remarks, fmt::format("{}. {}", word_of(*c, sides), reason_of(*c, sides)))
            .push_back(c);
    }
    return remarks;
}

Remarks notes(const Diff& diff) {
    Remarks remarks;
    const Both<std::string> sides = side_names(diff);
    for (const CaseDiff& c : diff.cases) {
        const Sentences &of_a = c.a.notes, &of_b = c.b.notes;
        for (const std::string& note : of_a) {
            const bool both = std::ranges::find(of_b, note) != of_b.end();
            at_key(remarks, (both ? "" : sides.a + ": ") + printable(note)).push_back(&c);
        }
        for (const std::string& note : of_b) {
            const bool both = std::ranges::find(of_a, note) != of_a.end();
            if (!both) at_key(remarks, sides.b + ": " + printable(note)).push_back(&c);
        }
    }
    return remarks;
}

std::vector<Preformatted> compiler_logs(const Diff& diff) {
    Remarks of_a, of_b;
    for (const CaseDiff* c : by_weight(diff)) {
        if (!c->a.log.empty()) at_key(of_a, c->a.log).push_back(c);
        if (!c->b.log.empty()) at_key(of_b, c->b.log).push_back(c);
    }
    const Names names(diff);
    std::vector<Preformatted> logs;
    const auto add = [&](const Remarks& remarks, const Environment& side) {
        for (const auto& [text, cases] : remarks) {
            logs.push_back(
                {fmt::format("The compiler of {} says of {}:", name_of(side), names.of(cases)),
                 printable_lines(text)});
        }
    };
    add(of_a, diff.a);
    add(of_b, diff.b);
    return logs;
}

Sentences against_baseline(const Diff& diff) {
    if (diff.baseline.empty()) return {};
    const Names names(diff);
    std::vector<const CaseDiff*> moved;
    std::size_t all = 0;
    for (const CaseDiff& c : diff.cases) {
        if (!c.against_baseline) continue;
        ++all;
        const Ratio& ratio = *c.against_baseline;
        const double edge = 1 + diff.margin;
        if (ratio.low > edge || ratio.high < 1 / edge) moved.push_back(&c);
    }
    std::ranges::stable_sort(moved, [](const CaseDiff* x, const CaseDiff* y) {
        return distance_of(x->against_baseline) > distance_of(y->against_baseline);
    });
    Sentences lines{fmt::format(
        "{}: the ratio moved beyond the margin in {} of {} (this ratio over the baseline's).",
        printable(diff.baseline), moved.size(), counted(all, "case"))};
    constexpr std::size_t most = 10;
    for (std::size_t i = 0; i < std::min(most, moved.size()); ++i) {
        lines.push_back(
            fmt::format("{}: {}", names.of(*moved[i]), ratio_text(*moved[i]->against_baseline)));
    }
    if (moved.size() > most) lines.push_back(fmt::format("{} more.", moved.size() - most));
    return lines;
}

Sentences measuring(const Diff& diff) {
    const Both<std::string> sides = side_names(diff);
    Sentences lines{fmt::format("Margin {}: SAME is a ratio whose interval lies from {} to {}.",
                                percent(diff.margin), decimal(1 / (1 + diff.margin)),
                                decimal(1 + diff.margin))};
    if (diff.summary.measured > 0) {
        const std::size_t others = diff.cases.size() - diff.summary.measured;
        lines.push_back(
            fmt::format("A ratio is {}'s time divided by {}'s. Decided: {} of {}{}.", sides.b,
                        sides.a, diff.summary.decided, counted(diff.summary.measured, "case"),
                        others == 0 ? "" : fmt::format("; {} without a ratio", others)));
    }
    const auto is_checked = [](const CaseDiff& c) { return is_about_answers(c.verdict); };
    if (diff.live && std::ranges::any_of(diff.cases, is_checked)) {
        lines.emplace_back("Live: both sides were checked, and none was timed.");
    } else if (diff.live && diff.summary.measured == 0) {
        lines.emplace_back("Live: no case was timed on both sides.");
    } else if (diff.live) {
        lines.push_back(
            fmt::format("Live: both sides were timed alternately{}.",
                        diff.measuring_seconds > 0
                            ? ", " + time_text(diff.measuring_seconds) + " in timed batches"
                            : ""));
    } else {
        lines.push_back(fmt::format("Stored: {} has {} ({}), {} has {} ({}).", sides.a,
                                    counted(diff.a.runs, "run"), counted(diff.a.records, "record"),
                                    sides.b, counted(diff.b.runs, "run"),
                                    counted(diff.b.records, "record")));
    }
    lines.push_back(constants_sentence(diff));
    if (std::string line = float_rules(diff); !line.empty()) lines.push_back(std::move(line));
    std::vector<std::string> bases;
    // The error probabilities of single intervals add up.
    double confidence = 1, all = 1;
    for (const CaseDiff& c : diff.cases) {
        if (!c.ratio) continue;
        confidence = std::min(confidence, c.ratio->confidence);
        all -= 1 - c.ratio->confidence;
        add_once(bases, printable(c.ratio->basis));
    }
    if (!bases.empty()) {
        lines.push_back(
            fmt::format("Intervals of {}{}, from {}.", percent(confidence),
                        all < confidence
                            ? fmt::format(" each, and of {} for all of them together", percent(all))
                            : "",
                        fmt::join(bases, "; ")));
    }
    const CaseDiff *best = nullptr, *worst = nullptr;
    for (const CaseDiff& c : diff.cases) {
        if (!c.least_visible || std::isnan(*c.least_visible)) continue;
        if (!best || *c.least_visible < *best->least_visible) best = &c;
        if (!worst || *c.least_visible > *worst->least_visible) worst = &c;
    }
    if (best) {
        const Names names(diff);
        lines.push_back(fmt::format(
            "Least change that could be seen: a ratio of {} at best ({}), of {} at worst ({}).",
            decimal(*best->least_visible), names.of(*best), decimal(*worst->least_visible),
            names.of(*worst)));
    }
    return lines;
}

Sentences sentences_of(const Remarks& remarks, const Diff& diff, std::size_t most) {
    const Names names(diff);
    Sentences sentences;
    for (const auto& [text, cases] : remarks) {
        if (sentences.size() == most) {
            sentences.push_back(fmt::format("{} more.", remarks.size() - most));
            break;
        }
        sentences.push_back(fmt::format("{}: {}", names.of(cases), text));
    }
    return sentences;
}

/// The case for `explain`: the kernel that took longest.
std::string case_of(const KernelVerdict& kernel, const std::string& suite) {
    if (kernel.variants.empty()) return kernel.kernel;
    const std::size_t others = kernel.variants.size() - 1;
    return fmt::format("{}/{}{}", suite, kernel.variants.front(),
                       others == 0   ? ""
                       : others == 1 ? " and another kind"
                                     : fmt::format(" and {} other kinds", others));
}

Sentences captured_programs(const Diff& diff) {
    Sentences lines;
    for (const ProgramVerdict& program : diff.programs) {
        lines.push_back(printable(sentence_of(program)));
        constexpr std::size_t most = 20;
        for (const KernelVerdict& kernel : program.kernels) {
            if (&kernel - program.kernels.data() == most) break;
            lines.push_back(printable(fmt::format(
                "{}: {} of the kernels' time, {}: {}", case_of(kernel, program.name),
                percent(kernel.share),
                kernel.launches == 1 ? "1 launch" : fmt::format("{} launches", kernel.launches),
                kernel.ratio     ? fmt::format("{} ({}-{}), {}", decimal(kernel.ratio->value),
                                               decimal(kernel.ratio->low), decimal(kernel.ratio->high),
                                           kernel.same_bits ? "the same bits"
                                                                : "right on both sides, other bits")
                : kernel.answers ? std::string(word_of(*kernel.answers))
                                 : kernel.why_not)));
        }
    }
    return lines;
}

std::vector<Section> sections_of(const Diff& diff) {
    std::vector<Section> sections;
    const auto add = [&](std::string title, Blocks blocks) {
        Section section{.title = std::move(title), .blocks = std::move(blocks), .is_folded = true};
        if (!section.empty()) sections.push_back(std::move(section));
    };
    if (diff.two_programs) sections.push_back(program_pair_section(*diff.two_programs));
    add("The program", {List{captured_programs(diff)}});
    for (Section& program : sections) program.is_folded = false;  // the reader's main interest
    Sentences why = sentences_of(reasons(diff), diff);
    const std::string again = repeat_command(diff.command, diff.seed);
    if (!again.empty() && diff.summary.of(Verdict::wrong) + diff.summary.of(Verdict::failed) > 0)
        why.push_back(printable("To repeat: " + again));
    add("Why", {List{std::move(why)}, Texts{compiler_logs(diff)}});
    add("To know", {List{sentences_of(notes(diff), diff)}});
    if (!diff.cases.empty()) {
        add("Same kernel?", {List{same_kernel(diff)}, List{environment(diff)}});
        add("Same answer?", {List{same_answer(diff)}});
        add("What was not checked", {List{not_checked(diff)}});
    }
    Sentences itself = against_itself(diff);
    if (diff.live && diff.self.empty() && !diff.cases.empty()) {
        itself = {"No case was measured against itself."};
    }
    add("Each side against itself", {List{std::move(itself)}, against_itself_grid(diff)});
    add("Against the baseline", {List{against_baseline(diff)}});
    add("How it was measured", {List{measuring(diff)}});
    return sections;
}

namespace {

/// The one that is furthest from 1 of those that are meant; null: none is.
template <class Meant>
const SelfCheck* furthest_of(const std::vector<SelfCheck>& checks, Meant is_meant) {
    const SelfCheck* worst = nullptr;
    for (const SelfCheck& check : checks) {
        if (!std::invoke(is_meant, check)) continue;
        if (!worst || distance_of(check.ratio) > distance_of(worst->ratio)) worst = &check;
    }
    return worst;
}

}  // namespace

bool clock_lied(const Diff& diff) {
    return std::ranges::any_of(diff.self, &SelfCheck::is_lie);
}

std::string clock_lie(const Diff& diff) {
    const SelfCheck* worst = furthest_of(diff.self, &SelfCheck::is_lie);
    if (!worst) return {};
    return fmt::format(
        "THE CLOCK LIED: {} of {} measured against itself came out different, by up to {}; "
        "mistrust ratios as near to 1 as that.",
        std::ranges::count_if(diff.self, &SelfCheck::is_lie), counted(diff.self.size(), "case"),
        factor(worst->ratio.value));
}

Sentences against_itself(const Diff& diff) {
    Sentences lines;
    std::vector<std::string> devices;
    for (const SelfCheck& check : diff.self) add_once(devices, check.device);
    for (const std::string& device : devices) {
        const auto is_its = [&](const SelfCheck& check) { return check.device == device; };
        const auto same = std::ranges::count_if(diff.self, [&](const SelfCheck& check) {
            return is_its(check) && check.verdict == Verdict::same;
        });
        const SelfCheck* worst = furthest_of(diff.self, is_its);
        lines.push_back(fmt::format("{} against itself: {} of {} SAME; furthest from 1: {}, {}.",
                                    printable(device), same,
                                    std::ranges::count_if(diff.self, is_its),
                                    ratio_text(worst->ratio), printable(worst->title)));
    }
    for (const SelfCheck& check : diff.self) {
        if (!check.is_lie()) continue;
        lines.push_back(fmt::format("THE CLOCK LIED: {} on {} came out {} apart from itself, {}.",
                                    printable(check.title), printable(check.device),
                                    factor(check.ratio.value), ratio_text(check.ratio)));
    }
    return lines;
}

Grid against_itself_grid(const Diff& diff) {
    Grid grid{.title = "The cases that were measured against themselves",
              .columns = {"case", "device", "verdict", "ratio", {"time", {}, true}}};
    for (const SelfCheck& check : diff.self) {
        grid.rows.push_back(
            {.cells = {
                 printable(check.title),
                 printable(check.device),
                 {verdict_text(check.verdict, check.ratio, {"first", "second"}), {}, check.verdict},
                 ratio_text(check.ratio),
                 time_text(check.seconds)}});
    }
    return grid;
}

namespace {

constexpr std::size_t most_gaps = 3;

/// The purpose of the variant; empty: it is none of this program's.
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
        "{}{}'parallax explain {}/{}', on that GPU, finds out why it differs.",
        taught.empty() ? "" : fmt::format("What it is about: {}. ", taught),
        lesson.empty() ? "" : fmt::format("'parallax lesson {}' teaches it. ", lesson),
        printable(c.key.suite), printable(c.key.variant));
}

}  // namespace

std::vector<Gap> largest_gaps(const Diff& diff) {
    const std::vector<const CaseDiff*> all = by_weight(diff);
    std::vector<const CaseDiff*> cases = all;
    std::erase_if(cases, [](const CaseDiff* c) { return !c->ratio || !is_gap(c->verdict); });
    // The last one is of the other side, unless one before it is.
    const auto other = std::ranges::find_if(
        cases, [&](const CaseDiff* c) { return c->verdict != cases.front()->verdict; });
    if (other - cases.begin() >= static_cast<std::ptrdiff_t>(most_gaps) && other != cases.end()) {
        std::rotate(cases.begin() + static_cast<std::ptrdiff_t>(most_gaps) - 1, other, other + 1);
    }
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

std::string next_step(const Diff& diff) {
    std::string text = "Next: ";
    for (const CaseDiff* c : by_weight(diff)) {
        // A manifest's case is named by its file, which a diff does not keep.
        if (!are_apis(side_names(diff)) || !has_gap_to_explain(*c) || c->launching ||
            c->explanation || !c->known_cause.empty() || taught_by(c->key).empty() ||
            loaded_manifest(c->key.suite)) {
            continue;
        }
        text += fmt::format("'parallax explain {}/{}', on that GPU, finds out why it differs; ",
                            printable(c->key.suite), printable(c->key.variant));
        break;
    }
    return text + "-v shows all that was found, -o page.html makes a page of it.";
}

}  // namespace parallax::report

// Says in sentences what a diff found: headline, reasons, speeds.
#include "report/diff/findings.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
#include "report/diff/cases.hpp"
#include "report/report.hpp"
#include "studies/diff/summary.hpp"
#include "studies/published/published.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_in_headline = 3, longest_name = 60;

std::string fact(const Environment& environment, std::string_view name) {
    for (const auto& [key, value] : environment.facts) {
        if (key == name) return clipped(printable(value), longest_name);
    }
    return {};
}

/// `2 SLOWER (multiply/naive 1.40x, transpose/padded 1.10x)`
std::string tally(Verdict verdict, const std::vector<const CaseDiff*>& cases, const Names& names) {
    std::vector<std::string> said;
    for (const CaseDiff* c : cases) {
        if (!is_gap(verdict) && weight_of(verdict) > weight_of(Verdict::failed) &&
            verdict != Verdict::refused) {
            break;
        }
        if (said.size() == most_in_headline) {
            said.emplace_back("...");
            break;
        }
        std::string name = clipped(names.of(*c), longest_name);
        if (is_gap(verdict) && c->ratio) name += " " + factor(c->ratio->value);
        said.push_back(std::move(name));
    }
    std::string text = fmt::format("{} {}", cases.size(), word_of(verdict));
    return said.empty() ? text : fmt::format("{} ({})", text, fmt::join(said, ", "));
}

std::string verdicts(const Diff& diff, const Names& names) {
    if (diff.cases.empty()) return "there is no case to compare";
    const std::vector<const CaseDiff*> ordered = by_weight(diff);
    std::vector<std::string> said;
    using enum Verdict;
    for (const Verdict verdict : {wrong, failed, refused, same, equal, within_tolerance, slower,
                                  faster, undecided, not_comparable}) {
        std::vector<const CaseDiff*> cases;
        std::ranges::copy_if(ordered, std::back_inserter(cases),
                             [&](const CaseDiff* c) { return c->verdict == verdict; });
        if (!cases.empty()) said.push_back(tally(verdict, cases, names));
    }
    std::vector<const CaseDiff*> doubtful;
    std::ranges::copy_if(ordered, std::back_inserter(doubtful),
                         [](const CaseDiff* c) { return is_doubtful(*c); });
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

/// What was asked for and what came of it; empty where nothing was.
std::string decision(const Diff& diff, const Names& names) {
    std::vector<const CaseDiff*> pass, fail, open, none;
    for (const CaseDiff* c : by_weight(diff)) {
        if (c->decision == Decision::pass) pass.push_back(c);
        if (c->decision == Decision::fail) fail.push_back(c);
        if (c->decision == Decision::open) open.push_back(c);
        if (c->decision == Decision::none) none.push_back(c);
    }
    if (none.size() == diff.cases.size() && !diff.max_slowdown) return {};
    std::string text =
        diff.max_slowdown
            ? fmt::format("Asked for: B at most {} slower{}", percent(*diff.max_slowdown),
                          diff.baseline.empty() ? "" : " than in the baseline")
            : "Decisions";
    text += fmt::format(": {} within it", pass.size());
    if (!fail.empty()) text += fmt::format(", {} NOT: {}", fail.size(), names.of(fail));
    if (!open.empty()) {
        text +=
            fmt::format("{} {} OPEN: {}", fail.empty() ? "," : ";", open.size(), names.of(open));
    }
    if (!none.empty()) {
        text += fmt::format("; {} without a decision: {}", none.size(), names.of(none));
    }
    return text + ".";
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
        "Constants: each side at its best, as 'parallax tune' kept them: A in {}, B in {} of {}. "
        "{}",
        tuned(&CaseDiff::a), tuned(&CaseDiff::b), counted(diff.cases.size(), "case"),
        apart == 0
            ? "They are the same on both sides all the same."
            : fmt::format("They differ in {}: there the two sides are not one kernel, and the "
                          "ratio compares the best of both.",
                          counted(static_cast<std::size_t>(apart), "case")));
}

std::string name_of(const Environment& environment) {
    return clipped(printable(environment.name), longest_name);
}

}  // namespace

std::string pair_of(const Diff& diff) {
    const std::string a = fact(diff.a, "device"), b = fact(diff.b, "device");
    std::string text = name_of(diff.b) + " against " + name_of(diff.a);
    if (a.empty() && b.empty()) return text;
    return a == b ? text + " on " + a
                  : fmt::format("{} ({} against {})", text, b.empty() ? "unknown" : b,
                                a.empty() ? "unknown" : a);
}

Sentences headline(const Diff& diff) {
    const Names names(diff);
    Sentences lines{fmt::format("{}: {}.", pair_of(diff), verdicts(diff, names))};
    for (std::string line : {decision(diff, names), clock_lie(diff)}) {
        if (!line.empty()) lines.push_back(std::move(line));
    }
    if (std::string line = constants_sentence(diff); diff.each_at_its_best) {
        lines.push_back(std::move(line));
    }
    if (diff.summary.mean) {
        lines.push_back(fmt::format("Time of B over time of A, in the geometric mean: {}.",
                                    ratio_text(*diff.summary.mean)));
    }
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

std::vector<Remark> reasons(const Diff& diff) {
    Remarks remarks;
    for (const CaseDiff* c : by_weight(diff)) {
        if (c->verdict == Verdict::same) continue;
        remarks.add(fmt::format("{}. {}", word_of(c->verdict), reason_of(*c)), *c);
    }
    return remarks.all();
}

std::vector<Remark> notes(const Diff& diff) {
    Remarks remarks;
    for (const CaseDiff& c : diff.cases) {
        const Sentences of_a = remarks_of(c.a.notes, c.a.doubts);
        const Sentences of_b = remarks_of(c.b.notes, c.b.doubts);
        for (const std::string& note : of_a) {
            const bool both = std::ranges::find(of_b, note) != of_b.end();
            remarks.add((both ? "" : "A: ") + printable(note), c);
        }
        for (const std::string& note : of_b) {
            const bool both = std::ranges::find(of_a, note) != of_a.end();
            if (!both) remarks.add("B: " + printable(note), c);
        }
    }
    return remarks.all();
}

std::vector<Preformatted> compiler_logs(const Diff& diff) {
    Remarks of_a, of_b;
    for (const CaseDiff* c : by_weight(diff)) {
        if (!c->a.log.empty()) of_a.add(c->a.log, *c);
        if (!c->b.log.empty()) of_b.add(c->b.log, *c);
    }
    const Names names(diff);
    std::vector<Preformatted> logs;
    const auto add = [&](const Remarks& remarks, const Environment& side) {
        for (const Remark& remark : remarks.all()) {
            logs.push_back({fmt::format("The compiler of {} says of {}:", name_of(side),
                                        names.of(remark.cases)),
                            printable_lines(remark.text)});
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

std::vector<KeyFigure> figures_of(const Diff& diff) {
    const Summary& summary = diff.summary;
    const std::string measured = counted(summary.measured, "measured case");
    std::vector<KeyFigure> figures;
    if (summary.mean) {
        figures.push_back(
            {"Geometric mean of the ratios of " + measured, ratio_text(*summary.mean), ""});
    }
    if (summary.portability) {
        figures.push_back(
            {"Performance portability", fmt::format("{:.3f}", *summary.portability),
             fmt::format("The harmonic mean, over both sides and {}, of the share of the device's "
                         "measured ceiling; 0 when a side cannot do a case (Pennycook, Sewall and "
                         "Lee).",
                         counted(summary.portability_cases, "portable case"))});
    }
    if (summary.portability_supported) {
        figures.push_back({"The same over the cases that run on both sides",
                           fmt::format("{:.3f}", *summary.portability_supported), ""});
    }
    if (summary.measured > 0) {
        figures.push_back({"Decided (SAME, FASTER or SLOWER)",
                           fmt::format("{} of {}", summary.decided, measured), ""});
    }
    return figures;
}

Sentences in_one_number(const Diff& diff) {
    Sentences lines;
    for (const KeyFigure& figure : figures_of(diff)) {
        lines.push_back(fmt::format("{}: {}.{}{}", figure.label, figure.value,
                                    figure.note.empty() ? "" : " ", figure.note));
    }
    return lines;
}

Sentences measuring(const Diff& diff) {
    Sentences lines{fmt::format("Margin {}: SAME is a ratio whose interval lies from {} to {}.",
                                percent(diff.margin), decimal(1 / (1 + diff.margin)),
                                decimal(1 + diff.margin))};
    const auto is_checked = [](const CaseDiff& c) { return is_about_answers(c.verdict); };
    if (diff.live && std::ranges::any_of(diff.cases, is_checked)) {
        lines.emplace_back("Live: both sides were checked, and none was timed.");
    } else if (diff.live) {
        lines.push_back(
            fmt::format("Live: both sides took turns{}.",
                        diff.measuring_seconds > 0
                            ? ", " + time_text(diff.measuring_seconds) + " in timed batches"
                            : ""));
    } else {
        lines.push_back(fmt::format("Stored: A has {} ({}), B has {} ({}).",
                                    counted(diff.a.runs, "run"), counted(diff.a.records, "record"),
                                    counted(diff.b.runs, "run"),
                                    counted(diff.b.records, "record")));
    }
    lines.push_back(constants_sentence(diff));
    std::vector<std::string> bases;
    // What each may miss adds up to what all of them together may.
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

Sentences published_figures(const Diff& diff) {
    std::vector<CaseKey> cases;
    for (const CaseDiff& c : diff.cases) cases.push_back(c.key);
    return published_sentences(cases);
}

Sentences sentences_of(const std::vector<Remark>& remarks, const Diff& diff) {
    const Names names(diff);
    Sentences sentences;
    for (const Remark& remark : remarks) {
        sentences.push_back(fmt::format("{}: {}", names.of(remark.cases), remark.text));
    }
    return sentences;
}

/// What `explain` takes for it: the kind that took longest.
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
        lines.push_back(printable(sentence_of(program, diff.b.name)));
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
    add("The program", {List{captured_programs(diff)}});
    for (Section& program : sections) program.is_folded = false;  // what a reader came for
    add("Why", {List{sentences_of(reasons(diff), diff)}, Texts{compiler_logs(diff)}});
    add("To know", {List{sentences_of(notes(diff), diff)}});
    if (!diff.cases.empty()) {
        add("Same kernel?", {List{same_kernel(diff)}, List{environment(diff)}});
        add("Same answer?", {List{same_answer(diff)}});
    }
    Sentences itself = against_itself(diff);
    if (diff.live && diff.self.empty() && !diff.cases.empty()) {
        itself = {"No case was measured against itself."};
    }
    add("A against A", {List{std::move(itself)}, against_itself_grid(diff)});
    add("Against the baseline", {List{against_baseline(diff)}});
    add("In one number", {List{in_one_number(diff)}});
    add("How it was measured", {List{measuring(diff)}});
    return sections;
}

}  // namespace parallax::report

// Says in sentences whether both sides ran the same kernel and gave the same answer.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "report/diff/findings.hpp"
#include "studies/diff/diff.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_partings = 5, longest_head = 40;

bool on_both(const CaseDiff& c) {
    return c.a.status && c.b.status && !was_not_reached(c);
}
bool ran_on_both(const CaseDiff& c) {
    return on_both(c) && is_right(*c.a.status) && is_right(*c.b.status);
}

std::string or_none(const std::string& text) {
    return text.empty() ? "none" : printable(text);
}

std::string text_of(const Difference& difference, const Both<std::string>& sides) {
    return fmt::format("{}: {} ({}), {} ({})", printable(difference.what), or_none(difference.a),
                       sides.a, or_none(difference.b), sides.b);
}

/// Where the two sides part, the furthest first.
Sentences partings(const Diff& diff) {
    std::vector<const CaseDiff*> cases;
    for (const CaseDiff& c : diff.cases) {
        if (c.answer.distance && c.answer.distance->differing > 0) cases.push_back(&c);
    }
    const auto ulp = [](const CaseDiff* c) {
        const double largest = c->answer.distance->largest_ulp;
        return std::isnan(largest) ? std::numeric_limits<double>::infinity() : largest;
    };
    std::ranges::stable_sort(cases,
                             [&](const CaseDiff* x, const CaseDiff* y) { return ulp(x) > ulp(y); });
    Sentences lines;
    for (std::size_t i = 0; i < std::min(most_partings, cases.size()); ++i) {
        lines.push_back(title_of(*cases[i]) + ": " +
                        distance_text(*cases[i]->answer.distance, side_names(diff)));
    }
    if (cases.size() > most_partings) {
        lines.push_back(fmt::format("{} more differ.", cases.size() - most_partings));
    }
    return lines;
}

/// `OpenCL 2 ULP, RMS 0.5 (title), CUDA 3 ULP (title)`: the largest distances from the reference.
std::string furthest(const Diff& diff) {
    std::string text;
    const auto add = [&](std::string_view name, double SameAnswer::*ulp,
                         double SameAnswer::*rms_ulp) {
        const CaseDiff* worst = nullptr;
        for (const CaseDiff& c : diff.cases) {
            if (!ran_on_both(c) || c.answer.only_agree || !(c.answer.*ulp > 0)) continue;
            if (!worst || c.answer.*ulp > worst->answer.*ulp) worst = &c;
        }
        text += fmt::format("{}{} {} ULP", text.empty() ? "" : ", ", name,
                            worst ? ulp_text(worst->answer.*ulp) : "0");
        if (!worst) return;
        if (const double rms = worst->answer.*rms_ulp; rms > 0) {
            text += fmt::format(", RMS {:.2g}", rms);
        }
        text += " (" + title_of(*worst) + ")";
    };
    add(side_names(diff).a, &SameAnswer::ulp_a, &SameAnswer::rms_ulp_a);
    add(side_names(diff).b, &SameAnswer::ulp_b, &SameAnswer::rms_ulp_b);
    return text;
}

}  // namespace

bool are_of_one_file(const CaseDiff& c) {
    return c.kernel.two_kernels &&
           std::ranges::find(c.kernel.differences, "kernel file", &Difference::what) ==
               c.kernel.differences.end();
}

Sentences same_kernel(const Diff& diff) {
    std::size_t both = 0, same = 0, two = 0, of_one_file = 0;
    Remarks forbidding, harmless;
    const Both<std::string> sides = side_names(diff);
    for (const CaseDiff& c : diff.cases) {
        if (on_both(c)) ++both;
        if (on_both(c) && c.kernel.same) ++same;
        if (on_both(c) && c.kernel.two_kernels) ++two;
        if (on_both(c) && are_of_one_file(c)) ++of_one_file;
        for (const Difference& difference : c.kernel.differences) {
            at_key(difference.forbids ? forbidding : harmless, text_of(difference, sides))
                .push_back(&c);
        }
    }
    Sentences lines;
    const std::string cases = fmt::format("of {} cases that both sides have.", both);
    if (two > of_one_file) {
        lines.push_back(fmt::format("Two sources in {} {}", two - of_one_file, cases));
    }
    if (of_one_file > 0) {
        lines.push_back(fmt::format("Two variants of one file in {} {}", of_one_file, cases));
    }
    if (two > 0 && !(forbidding.empty() && harmless.empty())) {
        lines.emplace_back("What is known to differ:");
    }
    if (both > two) {
        lines.push_back(fmt::format("Yes in {} of {} cases that both sides have.", same, both));
    } else if (both > 0) {
        // All of them are two kernels.
    } else if (std::ranges::any_of(diff.cases, was_not_reached)) {
        lines.emplace_back("No case was run on both sides.");
    } else {
        lines.emplace_back("No case is there on both sides.");
    }
    const Names names(diff);
    const auto add = [&](const Remarks& remarks, std::string_view lead) {
        for (const auto& [text, which] : remarks) {
            const bool all = which.size() == both && both > 1;
            lines.push_back(
                fmt::format("{}{} - {}", lead, text, all ? "in all cases" : names.of(which)));
        }
    };
    add(forbidding, "Not comparable for its ");
    add(harmless, "");
    return lines;
}

std::string distance_text(const AnswerDistances& d, const Both<std::string>& sides) {
    if (d.differing == 0) return fmt::format("0 of {} elements differ.", d.elements);
    return fmt::format(
        "{} of {} elements differ, the median of them by {} ULP, the largest by {}; first at [{}]: "
        "{} {}, {} {}.",
        d.differing, d.elements, ulp_text(d.median_ulp), ulp_text(d.largest_ulp),
        d.first.value_or(0), sides.a, or_none(d.first_a), sides.b, or_none(d.first_b));
}

Both<std::string> side_heads(const Diff& diff) {
    Both<std::string> heads = side_names(diff);
    for (const auto& [head, side] : {std::pair{&heads.a, &diff.a}, std::pair{&heads.b, &diff.b}}) {
        const std::string own = printable(side->name, longest_head);
        if (own != *head) *head += ": " + own;
    }
    return heads;
}

Grid environment_grid(const Diff& diff) {
    Grid grid{.title = "Environment", .columns = {"", side_heads(diff).a, side_heads(diff).b, ""}};
    std::map<std::string, std::size_t> places;
    const auto row_for = [&](const std::string& name) -> GridRow& {
        const auto [place, is_new] = places.try_emplace(name, grid.rows.size());
        if (is_new) grid.rows.push_back({.cells = {printable(name), "", "", ""}});
        return grid.rows[place->second];
    };
    const auto mark = [](GridRow& row, std::string_view how, Verdict tone) {
        row.cells[3] = how;
        row.tone = tone;
    };
    for (const auto& [name, value] : diff.a.facts) row_for(name).cells[1] = printable(value);
    for (const auto& [name, value] : diff.b.facts) row_for(name).cells[2] = printable(value);
    for (GridRow& row : grid.rows) {
        if (row.cells[1].text != row.cells[2].text) mark(row, "differs", Verdict::slower);
    }
    for (const Difference& difference : diff.environment) {
        GridRow& row = row_for(difference.what);
        row.cells[1] = printable(difference.a);
        row.cells[2] = printable(difference.b);
        if (difference.forbids) {
            mark(row, "forbids a comparison", Verdict::wrong);
        } else {
            mark(row, "differs", Verdict::slower);
        }
    }
    return grid;
}

Sentences environment(const Diff& diff) {
    Sentences lines;
    for (const Difference& difference : diff.environment) {
        lines.push_back(text_of(difference, side_names(diff)));
    }
    for (const std::string& text : diff.never_equal) {
        lines.push_back("Never equal: " + printable(text));
    }
    return lines;
}

Sentences same_answer(const Diff& diff) {
    std::size_t both = 0, right = 0, agree = 0, doubtful = 0, compared = 0, identical = 0;
    std::vector<const CaseDiff*> restless_a, restless_b, other_hash;
    for (const CaseDiff& c : diff.cases) {
        const SameAnswer& answer = c.answer;
        if (on_both(c)) ++both;
        if (on_both(c) && answer.right_a && answer.right_b) {
            ++(is_doubtful(c) ? doubtful : answer.only_agree ? agree : right);
        }
        if (answer.identical) ++compared;
        if (answer.identical == true) ++identical;
        if (answer.identical == false && !answer.distance) other_hash.push_back(&c);
        if (answer.repeatable_a == false) restless_a.push_back(&c);
        if (answer.repeatable_b == false) restless_b.push_back(&c);
    }
    Sentences lines;
    if (both > 0 && (right > 0 || agree + doubtful == 0)) {
        lines.push_back(fmt::format("Right on both sides: {} of {} cases.", right, both));
    }
    if (doubtful > 0) {
        lines.push_back(
            fmt::format("Passed the checks, and doubtful: {} of {} cases.", doubtful, both));
    }
    if (agree > 0) {
        lines.push_back(fmt::format(
            "No reference says what is right; the answers agree: {} of {} cases.", agree, both));
    }
    lines.push_back(
        compared == 0 ? "The answers of the two sides were not held against each other."
                      : fmt::format("Bitwise identical: {} of {} compared.", identical, compared));
    for (std::string& line : partings(diff)) lines.push_back(std::move(line));
    const Names names(diff);
    if (!other_hash.empty()) {
        lines.push_back("Outputs differ, by their hashes: " + names.of(other_hash) + ".");
    }
    if (std::ranges::any_of(
            diff.cases, [](const CaseDiff& c) { return ran_on_both(c) && !c.answer.only_agree; })) {
        lines.push_back("Furthest from the reference: " + furthest(diff) + ".");
    }
    if (!restless_a.empty())
        lines.push_back(
            fmt::format("Not repeatable on {}: {}.", side_names(diff).a, names.of(restless_a)));
    if (!restless_b.empty())
        lines.push_back(
            fmt::format("Not repeatable on {}: {}.", side_names(diff).b, names.of(restless_b)));
    return lines;
}

Sentences sameness(const Diff& diff) {
    Sentences kernel = same_kernel(diff), answer = same_answer(diff), lines;
    if (diff.cases.size() > 1) {
        const auto all = [&](auto holds) { return std::ranges::all_of(diff.cases, holds); };
        if (!all([](const CaseDiff& c) { return c.kernel.same; }))
            lines.push_back("Same kernel? " + kernel.front());
        if (!all([](const CaseDiff& c) { return c.answer.right_a && c.answer.right_b; }))
            lines.push_back("Same answer? " + answer.front());
        return lines;
    }
    if (diff.cases.empty() || !on_both(diff.cases.front())) return lines;
    const CaseDiff& c = diff.cases.front();
    std::vector<std::string> apart;
    for (const Difference& one : c.kernel.differences) add_once(apart, printable(one.what));
    lines.push_back(fmt::format(
        "Same kernel? {}{}",
        are_of_one_file(c)     ? "Two variants of one file"
        : c.kernel.two_kernels ? "Two sources"
        : c.kernel.same        ? "Yes"
                               : "No",
        apart.empty() ? "." : fmt::format("; what differs: {}.", fmt::join(apart, ", "))));
    lines.push_back("Same answer? " + answer.front());
    lines.push_back(c.answer.identical == true ? "The answers are bitwise identical."
                    : c.answer.distance        ? distance_text(*c.answer.distance, side_names(diff))
                                               : "Bits were not compared.");
    return lines;
}

Sentences not_checked(const Diff& diff) {
    Remarks remarks;
    for (const CaseDiff& c : diff.cases) {
        std::set<std::string_view> said;
        for (const Side* side : {&c.a, &c.b}) {
            for (const std::string& one : side->unchecked) {
                if (said.insert(one).second) at_key(remarks, one).push_back(&c);
            }
        }
    }
    Sentences lines;
    for (const auto& [text, cases] : remarks) {
        lines.push_back(cases.size() == diff.cases.size()
                            ? text
                            : fmt::format("{} - {}", text, Names(diff).of(cases)));
    }
    return lines;
}

}  // namespace parallax::report

// The teaching page: what made gaps on real devices so far, by cause.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
#include "report/explain/explanation_parts.hpp"
#include "report/markdown_words.hpp"
#include "report/report.hpp"
#include "report/wording.hpp"
#include "studies/explain/explanation_names.hpp"

namespace parallax {
namespace {

using namespace report;

using Explanations = std::vector<const Explanation*>;

bool is_real_gap(const Explanation& e) {
    return is_gap(e.verdict) && e.conclusion.has_gap && e.planted.a.empty() && e.planted.b.empty();
}

const Trial& named_cause(const Explanation& e) {
    return e.trials.at(e.conclusion.by.front());
}

std::string knobs_of(const Trial& trial) {
    return fmt::format("{}", fmt::join(trial.knobs, " with "));
}

std::string devices_of(const Explanation& e) {
    const std::string both = e.device_name.a == e.device_name.b
                                 ? e.device_name.a
                                 : e.device_name.a + " against " + e.device_name.b;
    return printable(fmt::format("{}: {}, {}", both, e.device.a, e.device.b));
}

/// What a change leaves of the gap: more than all of it is a gap again.
std::string_view left_by(const Trial& trial) {
    if (!trial.ratio) return "";
    return trial.closed ? "SAME" : trial.closes > 1 ? "reversed" : "smaller";
}

Grid cause_grid() {
    return {.title = {},
            .columns = {"case", "devices", "gap", "change", "closes", "B over A with it",
                        "the gap then"}};
}

void add_cause(Grid& grid, const Explanation& e, const Trial& trial) {
    grid.rows.push_back(
        {.cells = {printable(e.title), devices_of(e), heading_of(e),
                   printable((trial.setting.empty() ? knobs_of(trial) : trial.setting) + " on " +
                             changed_side(e, trial.side)),
                   share_words(trial.closes), trial.ratio ? ratio_text(*trial.ratio) : "",
                   Cell(left_by(trial))}});
}

std::string joined(std::vector<std::string> texts, std::string_view between) {
    std::erase(texts, "");
    return escaped(printable(fmt::format("{}", fmt::join(texts, between))));
}

Section explained_section(const std::string& knobs, const Explanations& group) {
    std::vector<std::string> causes, remedies, signs;
    Grid grid = cause_grid();
    for (const Explanation* e : group) {
        add_once(causes, e->conclusion.cause);
        add_once(remedies, e->conclusion.remedy);
        const Trial& trial = named_cause(*e);
        for (const std::string& one : trial.consequences) add_once(signs, one);
        add_cause(grid, *e, trial);
    }
    Section section{.title = printable(knobs)};
    const auto say = [&](std::string_view what, const std::string& said) {
        if (!said.empty()) section.blocks.emplace_back(Prose{fmt::format("**{}** {}", what, said)});
    };
    say("What it is.", joined(causes, " "));
    say("What to do.", joined(remedies, " "));
    const std::string seen = joined(signs, "; ");
    say("How to see it.", "`parallax explain` makes the change and measures again." +
                              (seen.empty() ? "" : " With it the compilers report: " + seen + "."));
    section.blocks.emplace_back(std::move(grid));
    return section;
}

Section in_part_section(const Explanations& group) {
    Grid grid = cause_grid();
    for (const Explanation* e : group) {
        for (const std::size_t place : e->conclusion.by) add_cause(grid, *e, e->trials.at(place));
    }
    return {.title = "Explained in part",
            .blocks = {Prose{"These changes close a part of a gap, and no change that was tried "
                             "closes all of it. Shares of changes that overlap do not add up."},
                       std::move(grid)}};
}

Section unexplained_section(const Explanations& group) {
    Grid grid{.title = {}, .columns = {"case", "devices", "gap", "ruled out", "not tried"}};
    const auto lines = [](const std::vector<std::string>& texts) {
        std::vector<std::string> all;
        for (const std::string& one : texts) all.push_back(escaped(printable(one)));
        return Cell(fmt::format("{}", fmt::join(all, "<br>")), Cell::Style::markup);
    };
    for (const Explanation* e : group) {
        grid.rows.push_back(
            {.cells = {printable(e->title), devices_of(*e), heading_of(*e),
                       lines(e->conclusion.ruled_out), lines(e->conclusion.not_tried)}});
    }
    return {
        .title = "Without an explanation",
        .blocks = {Prose{"None of what was tried closes half of these gaps."}, std::move(grid)}};
}

}  // namespace

std::string causes_page(const std::vector<Explanation>& explanations, std::string_view command) {
    std::map<std::string, Explanations> by_cause;
    Explanations part, unexplained;
    std::size_t left_out = 0;
    for (const Explanation& e : explanations) {
        if (!is_real_gap(e) || (e.launching && !e.conclusion.explained)) {
            ++left_out;
        } else if (e.conclusion.explained) {
            by_cause[knobs_of(named_cause(e))].push_back(&e);
        } else {
            (in_part(e) ? part : unexplained).push_back(&e);
        }
    }
    Document page{
        .title = "Causes",
        .blocks = {
            Prose{"Why one API was slower than the other, as far as experiments on real devices "
                  "have shown. Made by"},
            Texts{{{.heading = {}, .lines = {printable(command)}, .language = "sh"}}},
            Prose{"from the explanations in those files; do not edit it. [How to read an "
                  "explanation](../reference/explain.md). The last column says what a change "
                  "leaves of the gap: "
                  "SAME is within the margin. Where it is reversed, the change does more than "
                  "explain it, and may have a cause of its own."}}};
    std::vector<std::pair<std::string, Explanations>> causes(by_cause.begin(), by_cause.end());
    std::ranges::stable_sort(
        causes, [](const auto& x, const auto& y) { return x.second.size() > y.second.size(); });
    for (const auto& [knobs, group] : causes) {
        page.blocks.emplace_back(explained_section(knobs, group));
    }
    if (causes.empty()) page.blocks.emplace_back(Paragraph{"No gap has been explained yet."});
    if (!part.empty()) page.blocks.emplace_back(in_part_section(part));
    if (!unexplained.empty()) page.blocks.emplace_back(unexplained_section(unexplained));
    if (left_out > 0) {
        page.blocks.emplace_back(Paragraph{fmt::format(
            "Left out: {} without a gap to explain, with one that was put in on purpose, or too "
            "short to tell about more than launching.",
            counted(left_out, "case"))});
    }
    std::string text = markdown_of(page);
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

}  // namespace parallax

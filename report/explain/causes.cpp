// The teaching page: what made gaps on real devices so far, by cause.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/grouped_messages.hpp"
#include "common/text/text.hpp"
#include "report/explain/explanation_parts.hpp"
#include "report/markdown_words.hpp"
#include "report/report.hpp"
#include "report/words.hpp"
#include "studies/explain/explanation_names.hpp"

namespace parallax {
namespace {

using namespace report;

using Group = std::vector<const Explanation*>;

bool is_real_gap(const Explanation& e) {
    return is_gap(e.verdict) && e.conclusion.has_gap && e.planted.a.empty() && e.planted.b.empty();
}

const Trial& named_cause(const Explanation& e) {
    return e.trials.at(e.conclusion.by.front());
}

std::string knobs_of(const Trial& trial) {
    return fmt::format("{}", fmt::join(trial.knobs, " with "));
}

std::string text(const std::string& data) {
    return escaped(printable(data));
}

std::string devices_of(const Explanation& e) {
    const std::string both = e.device_name.a == e.device_name.b
                                 ? e.device_name.a
                                 : e.device_name.a + " against " + e.device_name.b;
    return fmt::format("{}: {}", text(both), text(e.device.a + ", " + e.device.b));
}

std::string setting_of(const Explanation& e, const Trial& trial) {
    return text((trial.setting.empty() ? knobs_of(trial) : trial.setting) + " on " +
                changed_side(e, trial.side));
}

/// What a change leaves of the gap: more than all of it is a gap again.
std::string_view left_by(const Trial& trial) {
    if (!trial.ratio) return "";
    return trial.closed ? "SAME" : trial.closes > 1 ? "reversed" : "smaller";
}

std::vector<std::string> cells_of(const Explanation& e, const Trial& trial) {
    return {text(e.title),
            devices_of(e),
            escaped(heading_of(e)),
            setting_of(e, trial),
            share_words(trial.closes),
            trial.ratio ? ratio_text(*trial.ratio) : "",
            std::string(left_by(trial))};
}

const std::vector<std::string> case_head{"case",   "devices",          "gap",         "change",
                                         "closes", "B over A with it", "the gap then"};

std::string explained_part(const std::string& knobs, const Group& group) {
    std::vector<std::string> causes, remedies, signs;
    std::string rows;
    for (const Explanation* e : group) {
        add_once(causes, text(e->conclusion.cause));
        add_once(remedies, text(e->conclusion.remedy));
        const Trial& trial = named_cause(*e);
        for (const std::string& one : trial.consequences) add_once(signs, text(one));
        rows += row(cells_of(*e, trial));
    }
    std::string out = fmt::format("## {}\n\n", text(knobs));
    const auto say = [&](std::string_view what, const std::string& said) {
        if (!said.empty()) out += fmt::format("**{}** {}\n\n", what, said);
    };
    for (auto* texts : {&causes, &remedies}) std::erase(*texts, "");
    say("What it is.", fmt::format("{}", fmt::join(causes, " ")));
    say("What to do.", fmt::format("{}", fmt::join(remedies, " ")));
    const std::string seen = fmt::format("{}", fmt::join(signs, "; "));
    const std::string_view program = "`parallax explain` makes the change and measures again.";
    say("How to see it.", seen.empty()
                              ? std::string(program)
                              : fmt::format("{} With it the compilers report: {}.", program, seen));
    return out + head_row(case_head) + rows + "\n";
}

std::string in_part_section(const Group& group) {
    std::string rows;
    for (const Explanation* e : group) {
        for (const std::size_t place : e->conclusion.by) {
            rows += row(cells_of(*e, e->trials.at(place)));
        }
    }
    if (rows.empty()) return {};
    return "## Explained in part\n\nThese changes close a part of a gap, and no change that was "
           "tried closes all of it. Shares of changes that overlap do not add up.\n\n" +
           head_row(case_head) + rows + "\n";
}

std::string unexplained_section(const Group& group) {
    if (group.empty()) return {};
    std::string rows;
    for (const Explanation* e : group) {
        std::vector<std::string> ruled_out, not_tried;
        for (const std::string& one : e->conclusion.ruled_out) ruled_out.push_back(text(one));
        for (const std::string& one : e->conclusion.not_tried) not_tried.push_back(text(one));
        rows += row({text(e->title), devices_of(*e), escaped(heading_of(*e)),
                     fmt::format("{}", fmt::join(ruled_out, "<br>")),
                     fmt::format("{}", fmt::join(not_tried, "<br>"))});
    }
    return "## Without an explanation\n\nNone of what was tried closes a fifth of these gaps.\n\n" +
           head_row({"case", "devices", "gap", "ruled out", "not tried"}) + rows + "\n";
}

}  // namespace

std::string causes_page(const std::vector<Explanation>& explanations, std::string_view command) {
    std::map<std::string, Group> by_cause;
    Group part, unexplained;
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
    std::string out = fmt::format(
        "# Causes\n\nWhy one API was slower than the other, as far as experiments on real devices "
        "have shown. Made by\n\n{}\nfrom the explanations in those files; do not edit it. "
        "[How to read an explanation](../reference/explain.md). The last column says what a change "
        "leaves of "
        "the gap: SAME is within the margin. Where it is reversed, the change does more than "
        "explain it, and may have a cause of its own.\n\n",
        fenced("sh", printable(command) + "\n"));
    std::vector<std::pair<std::string, Group>> causes(by_cause.begin(), by_cause.end());
    std::ranges::stable_sort(
        causes, [](const auto& x, const auto& y) { return x.second.size() > y.second.size(); });
    for (const auto& [knobs, group] : causes) out += explained_part(knobs, group);
    if (causes.empty()) out += "No gap has been explained yet.\n\n";
    out += in_part_section(part) + unexplained_section(unexplained);
    if (left_out > 0) {
        out += fmt::format(
            "Left out: {} without a gap to explain, with one that was put in on purpose, or too "
            "short to tell about more than launching.\n",
            counted(left_out, "case"));
    }
    return out;
}

}  // namespace parallax

// Turns an explanation into the tables of its reports.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/line_difference.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "report/diff/findings.hpp"
#include "report/markup.hpp"
#include "report/report.hpp"
#include "report/wording.hpp"
#include "studies/explain/conclude.hpp"
#include "studies/explain/explanation_names.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t longest_line = 200, lines_around = 1;
/// Parts whose sum differs from the whole by more than this are not shares of it.
constexpr double most_apart = 1.25;

Both<std::string> heads(const Explanation& e) {
    const Both<std::string> names = short_names(e);
    return {printable(names.a), printable(names.b)};
}

/// Whether both sides are one device, so that there is one side to show.
bool is_alone(const Explanation& e) {
    return e.is_one_side() && !e.conclusion.has_gap && e.planted.a.empty() && e.planted.b.empty();
}

/// The grid without some of its columns; the first of those that stay behind them is of the device.
Grid of_one_side(const Explanation& e, Grid grid, std::size_t own,
                 std::initializer_list<std::size_t> dropped) {
    if (!is_alone(e)) return grid;
    grid.columns.at(own).name = printable(e.device.a);
    for (std::size_t column : dropped) {
        const auto at = static_cast<std::ptrdiff_t>(column);
        grid.columns.erase(grid.columns.begin() + at);
        for (GridRow& row : grid.rows) row.cells.erase(row.cells.begin() + at);
    }
    return grid;
}

std::string seconds_text(const std::optional<double>& seconds) {
    if (!seconds) return "";
    return *seconds > 0 ? duration(*seconds) : "0";
}

/// `CUDA over OpenCL`
std::string ratio_head(const Explanation& e) {
    return ratio_name(heads(e));
}

/// `CUDA less OpenCL`
std::string difference_head(const Explanation& e) {
    return heads(e).b + " less " + heads(e).a;
}

/// `+12.3 ms`: B less A.
std::string difference_text(double seconds) {
    if (seconds == 0) return "0";
    return (seconds < 0 ? "-" : "+") + duration(std::abs(seconds));
}

std::string setting_of(const Trial& trial) {
    const std::string knobs = fmt::format("{}", fmt::join(trial.knobs, " with "));
    return printable(trial.setting.empty() ? knobs : trial.setting);
}

std::string note_of(const Trial& trial) {
    std::vector<std::string> said;
    if (trial.status != TrialStatus::measured) return printable(trial.reason);
    if (trial.closed) said.emplace_back("SAME with it");
    for (const std::string& one : trial.consequences) said.push_back(printable(one));
    return fmt::format("{}", fmt::join(said, "; "));
}

std::vector<const Trial*> by_what_they_close(const std::vector<Trial>& trials, bool has_gap) {
    std::vector<const Trial*> list;
    for (const Trial& trial : trials) list.push_back(&trial);
    const auto rank = [&](const Trial* trial) {
        const bool measured = trial->status == TrialStatus::measured;
        const double gain = has_gap ? trial->closes : -trial->own_change.value_or(1);
        return std::pair(static_cast<int>(trial->status), measured ? -gain : 0.0);
    };
    std::ranges::stable_sort(list,
                             [&](const Trial* x, const Trial* y) { return rank(x) < rank(y); });
    return list;
}

/// A kernel by its name on both sides.
struct KernelPair {
    std::string name;
    const KernelEvidence* a = nullptr;
    const KernelEvidence* b = nullptr;
};

std::vector<KernelPair> kernels_of(const Explanation& e) {
    std::vector<KernelPair> kernels;
    for (const KernelEvidence& k : e.evidence.a) kernels.push_back({k.kernel, &k, nullptr});
    for (const KernelEvidence& k : e.evidence.b) {
        auto known = std::ranges::find(kernels, k.kernel, &KernelPair::name);
        if (known == kernels.end()) known = kernels.insert(known, {k.kernel, nullptr, nullptr});
        known->b = &k;
    }
    return kernels;
}

std::string number_text(const std::optional<std::uint32_t>& number) {
    return number ? std::to_string(*number) : "unknown";
}

std::string occupancy_text(const KernelEvidence& k) {
    if (!k.occupancy) return "unknown";
    return fmt::format("{} ({} of {} warps)", percent(k.occupancy->share()), k.occupancy->warps,
                       k.occupancy->most_warps);
}

std::string limit_text(const KernelEvidence& k) {
    return k.occupancy ? printable(k.occupancy->limited_by) : "unknown";
}

/// Changes without a result, by how they ended: status, side, reason.
using ProcessResult =
    std::map<std::tuple<TrialStatus, std::string, std::string>, std::vector<std::string>>;

using Of = std::string (*)(const KernelEvidence&);
constexpr std::pair<std::string_view, Of> resource_rows[]{
    {"registers of an item",
     [](const KernelEvidence& k) { return number_text(k.resources.registers); }},
    {"spilled bytes", [](const KernelEvidence& k) { return number_text(k.resources.spill_bytes); }},
    {"private bytes",
     [](const KernelEvidence& k) { return number_text(k.resources.private_bytes); }},
    {"local bytes of a group",
     [](const KernelEvidence& k) { return number_text(k.resources.local_bytes); }},
    {"constant bytes",
     [](const KernelEvidence& k) { return number_text(k.resources.constant_bytes); }},
    {"barriers", [](const KernelEvidence& k) { return number_text(k.resources.barriers); }},
    {"most items of a group",
     [](const KernelEvidence& k) { return number_text(k.resources.max_group_items); }},
    {"occupancy, calculated", occupancy_text},
    {"limited by", limit_text},
};

using Mix = std::optional<InstructionMix> KernelEvidence::*;

Grid mix_grid(const Explanation& e, std::string title, Mix mix) {
    const auto [a, b] = heads(e);
    Grid grid{std::move(title), {"kernel", "instructions", a, b, difference_head(e)}};
    for (const KernelPair& pair : kernels_of(e)) {
        const std::string name = printable(pair.name);
        const auto none = std::optional<InstructionMix>{};
        const auto& of_a = pair.a ? pair.a->*mix : none;
        const auto& of_b = pair.b ? pair.b->*mix : none;
        if (!of_a && !of_b) continue;
        const auto add = [&](std::string_view what, std::uint32_t x, std::uint32_t y) {
            grid.rows.push_back(
                {{name, std::string(what), of_a ? std::to_string(x) : "unknown",
                  of_b ? std::to_string(y) : "unknown",
                  of_a && of_b && x != y ? fmt::format("{:+}", std::int64_t{y} - std::int64_t{x})
                                         : ""}});
        };
        for (std::size_t i = 0; i < InstructionMix{}.count.size(); ++i) {
            const auto c = static_cast<InstructionClass>(i);
            const std::uint32_t x = of_a ? (*of_a)[c] : 0, y = of_b ? (*of_b)[c] : 0;
            if (x > 0 || y > 0) add(name_of(c), x, y);
        }
        add("all", of_a ? of_a->total() : 0, of_b ? of_b->total() : 0);
    }
    if (!grid.rows.empty()) grid.below = "Each instruction counts once, however often it runs.";
    return of_one_side(e, std::move(grid), 2, {4, 3});
}

/// The lines that differ, with those around them.
Preformatted changes_of(const std::string& title, const std::string& a, const std::string& b,
                        std::size_t most_lines) {
    const std::vector<LineChange> all = line_difference(a, b);
    std::size_t on_a = 0, on_b = 0;
    for (const LineChange& change : all) {
        on_a += change.kind == LineChange::only_a || change.kind == LineChange::changed;
        on_b += change.kind == LineChange::only_b || change.kind == LineChange::changed;
    }
    Preformatted changes{.heading = title + ": equal on both sides.", .is_difference = true};
    if (on_a + on_b == 0) return changes;
    changes.heading = fmt::format("{}: {} of A alone (-), {} of B alone (+).", title,
                                  counted(on_a, "line"), on_b);
    for (const std::string& line :
         printable_lines(differing_lines(all, lines_around, most_lines))) {
        changes.lines.push_back(clipped(line, longest_line));
    }
    return changes;
}

Grid trials_grid(const Explanation& e) {
    Grid grid{e.conclusion.has_gap ? "What closes the gap" : "What the knobs do",
              {"change", "on", "", "interval", ratio_head(e), "own time"}};
    grid.columns[2].scale =
        Scale{.low = -0.25, .high = 1.25, .band_low = 0, .band_high = 1, .one = 1};
    ProcessResult ended;
    for (const Trial* trial : by_what_they_close(e.trials, e.conclusion.has_gap)) {
        const bool measured = trial->status == TrialStatus::measured;
        if (!measured) {
            ended[{trial->status, changed_side(e, trial->side), trial->reason}].push_back(
                setting_of(*trial));
            continue;
        }
        Cell closes;
        if (e.conclusion.has_gap) {
            closes = {"closes " + share_words(trial->closes), trial->closes,
                      trial->closed ? Verdict::same : Verdict::slower,
                      Range{trial->closes_low, trial->closes, trial->closes_high}};
        }
        grid.rows.push_back(
            {{setting_of(*trial), printable(changed_side(e, trial->side)), closes,
              e.conclusion.has_gap ? fmt::format("{} to {}", share_words(trial->closes_low),
                                                 share_words(trial->closes_high))
                                   : "",
              trial->ratio ? ratio_text(*trial->ratio) : "",
              trial->own_change ? decimal(*trial->own_change) : ""},
             note_of(*trial)});
    }
    for (const auto& [how, settings] : ended) {
        const auto& [status, side, reason] = how;
        std::string note = fmt::format("{}", fmt::join(settings, ", "));
        if (!reason.empty()) note += ": " + printable(reason);
        grid.rows.push_back({{counted(settings.size(), "change"), printable(side),
                              std::string(name_of(status)), "", "", ""},
                             std::move(note)});
    }
    if (!grid.rows.empty()) {
        grid.below = fmt::format(
            "Without any of them {} is {}. Own time: of the changed side, over that without the "
            "change.",
            ratio_head(e), ratio_text(e.gap));
    }
    if (!is_alone(e)) return grid;
    if (!grid.rows.empty()) {
        grid.below = fmt::format("The time with the change over the time without. Without any: {}.",
                                 ratio_text(e.gap));
    }
    return of_one_side(e, std::move(grid), 4, {5, 1});
}

Grid origin_grid(const Explanation& e) {
    Grid grid{"Where it arises", {"step", "share of the gap", ratio_head(e)}};
    for (const OriginStep& step : e.origin) {
        std::string note = printable(step.what);
        if (!step.ratio) note += (note.empty() ? "" : " ") + printable(step.reason);
        grid.rows.push_back({{printable(step.name), step.share ? share_words(*step.share) : "",
                              step.ratio ? ratio_text(*step.ratio) : "unknown"},
                             std::move(note)});
    }
    grid.below = printable(e.why_no_origin);
    return grid;
}

Grid stages_grid(const Explanation& e) {
    const auto [a, b] = heads(e);
    Grid grid{"Where the time goes", {"stage", a, b, difference_head(e), "share"}};
    Both<double> whole;
    bool complete = false;
    for (const Stage& stage : e.stages) {
        if (!stage.in_whole || !stage.seconds.a || !stage.seconds.b) continue;
        whole.a += *stage.seconds.a;
        whole.b += *stage.seconds.b;
        complete = true;
    }
    const double gap = whole.b - whole.a;
    // Parts that take longer alone than in the whole are no shares of it.
    const auto all = std::ranges::find(e.stages, "whole", &Stage::name);
    const auto adds_up = [&](bool is_b) {
        if (all == e.stages.end() || !all->seconds.of(is_b)) return true;
        return std::abs(std::log(whole.of(is_b) / *all->seconds.of(is_b))) < std::log(most_apart);
    };
    const bool has_shares = complete && gap != 0 && adds_up(false) && adds_up(true);
    for (const Stage& stage : e.stages) {
        const bool both = stage.seconds.a && stage.seconds.b;
        const double difference = both ? *stage.seconds.b - *stage.seconds.a : 0;
        std::string note = printable(clause(stage.scope)) + ".";
        if (!stage.note.empty()) note += " " + printable(stage.note);
        grid.rows.push_back(
            {{printable(stage.name), seconds_text(stage.seconds.a), seconds_text(stage.seconds.b),
              both ? difference_text(difference) : "",
              both && stage.in_whole && has_shares ? share_words(difference / gap) : ""},
             std::move(note)});
    }
    if (complete) {
        grid.rows.push_back({{"one use from scratch", seconds_text(whole.a), seconds_text(whole.b),
                              difference_text(gap), has_shares ? "100 %" : ""},
                             is_alone(e)  ? "The sum of what one use takes."
                             : has_shares ? "The sum of the stages that have a share."
                                          : "A sum of parts that were measured alone, so not the "
                                            "time of the whole, and no part has a share."});
    }
    return of_one_side(e, std::move(grid), 1, {4, 3, 2});
}

Grid resources_grid(const Explanation& e) {
    const auto [a, b] = heads(e);
    Grid grid{"What the kernels need", {"kernel", "", a, b}};
    for (const auto& [name, on_a, on_b] : kernels_of(e)) {
        for (const auto& [what, of] : resource_rows) {
            const std::string x = on_a ? of(*on_a) : "unknown", y = on_b ? of(*on_b) : "unknown";
            if (x == "unknown" && y == "unknown") continue;
            grid.rows.push_back({{printable(name), std::string(what), x, y}});
        }
        for (const KernelEvidence* k : {on_a, on_b}) {
            if (!k || k->occupancy || k->why_no_occupancy.empty()) continue;
            if (grid.below.find(printable(k->why_no_occupancy)) != std::string::npos) continue;
            grid.below += (grid.below.empty() ? "" : " ") + printable(k->why_no_occupancy);
        }
    }
    return of_one_side(e, std::move(grid), 2, {3});
}

/// Changes in the PTX and the machine code of each kernel that both sides have.
std::vector<Preformatted> text_changes(const Explanation& e, std::size_t most_lines) {
    std::vector<Preformatted> all;
    if (is_alone(e)) return all;
    for (const KernelPair& pair : kernels_of(e)) {
        if (!pair.a || !pair.b) continue;
        const auto add = [&](std::string_view what, const std::string& x, const std::string& y) {
            if (x.empty() || y.empty()) return;
            all.push_back(
                changes_of(fmt::format("{} of {}", what, printable(pair.name)), x, y, most_lines));
        };
        add("PTX", pair.a->ptx_text, pair.b->ptx_text);
        add("Machine code", pair.a->machine_text, pair.b->machine_text);
    }
    return all;
}

/// `knob: what was seen` as `knob (what was seen)`.
std::string in_brackets(const std::string& said) {
    const auto end = said.find(": ");
    if (end == said.npos) return printable(clause(said));
    return fmt::format("{} ({})", printable(said.substr(0, end)),
                       printable(clause(said.substr(end + 2))));
}

/// Knobs before the brackets: `restrict, padding (the budget had ended)`.
std::size_t named_in(std::string_view change) {
    const std::string_view names = change.substr(0, change.find(" ("));
    return 1 + static_cast<std::size_t>(std::ranges::count(names, ','));
}

/// Changes with the same effect as the named one, changes that were ruled out, and changes that
/// were not tried.
Grid beside_grid(const Explanation& e) {
    Grid grid{"What else was looked at", {"outcome", "changes"}};
    const auto add = [&](const char* outcome, const std::vector<std::string>& changes) {
        if (changes.empty()) return;
        std::size_t knobs = 0;
        for (const std::string& one : changes) knobs += named_in(one);
        grid.rows.push_back(
            {{outcome, std::to_string(knobs)}, fmt::format("{}", fmt::join(changes, ", "))});
    };
    std::vector<std::string> same, ruled_out, in_part, not_tried;
    const auto& by = e.conclusion.by;
    for (std::size_t i = 1; i < by.size(); ++i) {
        const Trial& trial = e.trials.at(by[i]);
        same.push_back(fmt::format("{} on {} (closes {})", setting_of(trial),
                                   printable(changed_side(e, trial.side)),
                                   share_words(trial.closes)));
    }
    for (const std::string& one : e.conclusion.ruled_out) ruled_out.push_back(in_brackets(one));
    for (std::string one : e.conclusion.not_tried) {
        const std::size_t at = one.find(not_everywhere);
        if (at != one.npos) one.erase(at, not_everywhere.size());
        (at != one.npos ? in_part : not_tried).push_back(in_brackets(one));
    }
    add(e.conclusion.explained ? "does the same" : "does a part", same);
    add("ruled out", ruled_out);
    add("tried in part", in_part);
    add("not tried", not_tried);
    return grid;
}

/// Changes that are worth making and say nothing of the gap.
Grid gains_grid(const Explanation& e) {
    Grid grid{"What else would make it faster", {"change", "on", "own time"}};
    for (const std::size_t i : e.conclusion.gains) {
        const Trial& trial = e.trials.at(i);
        grid.rows.push_back({{setting_of(trial), printable(changed_side(e, trial.side)),
                              fmt::format("{:.3f}", trial.own_change.value_or(1))},
                             note_of(trial)});
    }
    if (!grid.rows.empty()) {
        grid.below = "Verified, and measured twice; not what makes the two differ.";
    }
    return grid;
}

/// Under its own title.
Section section_of(Grid grid) {
    std::string title = grid.title;
    return {.title = std::move(title), .blocks = {std::move(grid)}, .level = 0};
}

}  // namespace

std::vector<Section> sections_of(const Explanation& e, std::size_t most_lines) {
    std::vector<Section> sections{section_of(trials_grid(e)), section_of(gains_grid(e)),
                                  section_of(origin_grid(e)), section_of(stages_grid(e))};
    if (!e.conclusion.where.empty()) {
        sections.insert(sections.begin() + 1,
                        {.title = "What separates the two",
                         .blocks = {Paragraph{printable(e.conclusion.where)}}});
    }
    Section& made = sections.emplace_back(Section{.title = "What the compilers made of it"});
    for (Grid grid :
         {resources_grid(e), mix_grid(e, "Instructions in the PTX", &KernelEvidence::ptx),
          mix_grid(e, "Instructions in the machine code", &KernelEvidence::machine)}) {
        if (Section one = section_of(std::move(grid)); !one.empty()) {
            made.blocks.emplace_back(std::move(one));
        }
    }
    sections.push_back(
        {.title = "Where the texts differ", .blocks = {Texts{text_changes(e, most_lines)}}});
    sections.push_back(section_of(beside_grid(e)));
    std::erase_if(sections, [](const Section& section) { return section.empty(); });
    // Sections about what closes the gap are expanded.
    for (Section& one : sections) {
        one.level = 0;
        one.is_folded = &one != &sections.front() || e.trials.empty();
    }
    return sections;
}

namespace {

/// Whether some changes close a part of the gap, and none all of it.
bool in_part(const Explanation& e) {
    return !e.conclusion.explained && !common_gain(e) && !e.conclusion.by.empty();
}

/// `1.64x slower`, `SAME`: of the side that is slower.
std::string heading_of(const Explanation& e) {
    if (is_alone(e)) return printable(e.device.a) + " is both sides, so there is no gap";
    if (!is_gap(e.verdict)) return std::string(word_of(e.verdict));
    return fmt::format("{} is {} slower", printable(short_names(e).of(e.b_is_slower())),
                       times_words(slower_over_faster(e, e.gap).value));
}

/// The number of explained ones, in one sentence.
std::string tally_of(const std::vector<Explanation>& explanations) {
    std::size_t gaps = 0, explained = 0, common = 0, part = 0;
    for (const Explanation& e : explanations) {
        if (!is_gap(e.verdict) || !e.conclusion.has_gap) continue;
        ++gaps;
        explained += e.conclusion.explained;
        common += common_gain(e) != nullptr;
        part += in_part(e);
    }
    return fmt::format("{}, {} with a gap: {} explained, {}{} in part, {} not.",
                       counted(explanations.size(), "case"), gaps, explained,
                       common > 0 ? fmt::format("{} closed by a gain of both, ", common) : "", part,
                       gaps - explained - common - part);
}

Document explain_document(const std::vector<Explanation>& explanations, std::size_t most_lines) {
    Document document;
    if (explanations.size() != 1) document.blocks.emplace_back(Paragraph{tally_of(explanations)});
    for (const Explanation& e : explanations) {
        Section one{.title = printable(e.title) + ": " + heading_of(e),
                    .blocks = {Paragraph{printable(answer_in_words(e))}},
                    .level = 3};
        std::ranges::move(sections_of(e, most_lines), std::back_inserter(one.blocks));
        document.blocks.emplace_back(std::move(one));
        Paragraph where{fmt::format("{} against {}, {} against {}; it took {}.",
                                    printable(e.device.b), printable(e.device.a),
                                    printable(e.device_name.b), printable(e.device_name.a),
                                    duration(e.took_seconds))};
        document.blocks.emplace_back(Section{.title = {}, .blocks = {std::move(where)}});
    }
    return document;
}

}  // namespace
}  // namespace parallax::report

namespace parallax {

std::string text_report(const std::vector<Explanation>& explanations, unsigned width, bool colour) {
    constexpr std::size_t most_lines = 24;
    return text_of(report::explain_document(explanations, most_lines), width, colour);
}

std::string markdown_report(const std::vector<Explanation>& explanations) {
    constexpr std::size_t most_lines = 60;
    return markdown_of(report::explain_document(explanations, most_lines));
}

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

/// The gap that remains with a change: a change that closes more than all of it leaves a gap again.
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

Section common_section(const Explanations& group) {
    Grid grid = cause_grid();
    for (const Explanation* e : group) add_cause(grid, *e, *common_gain(*e));
    return {.title = "Gains of both sides",
            .blocks = {Prose{"With these changes on both sides the two are alike, since both get "
                             "faster. The two do not differ in them."},
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
    Explanations common, part, unexplained;
    std::size_t left_out = 0;
    for (const Explanation& e : explanations) {
        if (!is_real_gap(e) || (e.launching && !e.conclusion.explained)) {
            ++left_out;
        } else if (e.conclusion.explained) {
            by_cause[knobs_of(named_cause(e))].push_back(&e);
        } else {
            (common_gain(e) ? common : in_part(e) ? part : unexplained).push_back(&e);
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
                  "leaves of the gap: SAME is within the margin. Where it is reversed, the change "
                  "does more than explain it, and may have a cause of its own."}}};
    std::vector<std::pair<std::string, Explanations>> causes(by_cause.begin(), by_cause.end());
    std::ranges::stable_sort(
        causes, [](const auto& x, const auto& y) { return x.second.size() > y.second.size(); });
    for (const auto& [knobs, group] : causes) {
        page.blocks.emplace_back(explained_section(knobs, group));
    }
    if (causes.empty()) page.blocks.emplace_back(Paragraph{"No gap has been explained yet."});
    if (!common.empty()) page.blocks.emplace_back(common_section(common));
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

// Says all that is known of one case.
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/diff/findings.hpp"
#include "report/wording.hpp"
#include "studies/diff/diff.hpp"

namespace parallax::report {
namespace {

/// `4 x 1 x 1`
std::string extents(const Size& size) {
    return fmt::format("{} x {} x {}", size.x, size.y, size.z);
}

/// Launch configuration and resources of every launch on both sides.
Grid launches_grid(const CaseDiff& c, const Both<std::string>& sides) {
    Grid grid{
        "Launches",
        {"side", "kernel", "groups", "items", "dynamic local bytes", "registers", "spilled bytes",
         "private bytes", "local bytes", "barriers", "most items of a group", "groups of a unit"}};
    for (const auto& [name, side] : {std::pair(sides.a, &c.a), std::pair(sides.b, &c.b)}) {
        for (const LaunchRecord& launch : side->launches) {
            GridRow row{{name, printable(launch.name), extents(launch.groups),
                         extents(launch.items), fmt::format("{}", launch.local_bytes)}};
            const LaunchResources r = launch.resources.value_or(LaunchResources{});
            for (const auto& value : {r.registers, r.spill_bytes, r.private_bytes, r.local_bytes,
                                      r.barriers, r.max_group_items, r.groups_per_unit}) {
                row.cells.emplace_back(value              ? fmt::format("{}", *value)
                                       : launch.resources ? "unknown"
                                                          : "");
            }
            grid.rows.push_back(std::move(row));
        }
    }
    grid.drop_empty_columns();
    return grid;
}

std::string side_time(const Side& side) {
    if (!(side.seconds > 0)) return "";
    if (!(side.low < side.high)) return duration(side.seconds);
    return fmt::format("{} ({} to {})", duration(side.seconds), duration(side.low),
                       duration(side.high));
}

std::string side_ceilings(const Side& side, const CaseDiff& c) {
    std::vector<std::string> ceilings;
    const std::string copy = speed_text(side.copy_bytes_per_second, false, c),
                      fma = speed_text(side.fma_operations_per_second, true, c);
    if (!copy.empty()) ceilings.push_back("copy " + copy);
    if (!fma.empty()) ceilings.push_back("fma " + fma);
    return fmt::format("{}", fmt::join(ceilings, ", "));
}

std::string side_work(const Side& side) {
    if (!(side.seconds > 0)) return "";
    return fmt::format("{:.0f} bytes, {:.0f} operations", side.bytes, side.operations);
}

std::string side_reason(const Side& side) {
    if (!side.reason.empty()) return printable(side.reason);
    return side.status ? "" : "This side has no such case.";
}

Grid sides_grid(const CaseDiff& c, const Diff& diff) {
    Grid grid{.title = "Both sides", .columns = {"", side_heads(diff).a, side_heads(diff).b}};
    const auto add = [&](const char* what, const std::function<std::string(const Side&)>& of) {
        const std::string a = of(c.a), b = of(c.b);
        if (!a.empty() || !b.empty()) grid.rows.push_back({.cells = {what, a, b}});
    };
    add("status", [](const Side& side) { return std::string(status_text(side)); });
    add("reason", side_reason);
    add("time of one run", side_time);
    add("runs read",
        [](const Side& side) { return side.runs > 0 ? std::to_string(side.runs) : ""; });
    add("data rate",
        [&](const Side& side) { return speed_text(side.bytes_per_second(), false, c); });
    add("operation rate",
        [&](const Side& side) { return speed_text(side.operations_per_second(), true, c); });
    add("share of its ceiling", [&](const Side& side) {
        if (!(side.share > 0)) return std::string();
        return fmt::format("{} of {}{}", percent(side.share), printable(side.share_of),
                           beyond_text(side.share, c.in_cache));
    });
    add("ceilings", [&](const Side& side) { return side_ceilings(side, c); });
    add("work of one run", side_work);
    add("build options", [](const Side& side) {
        return printable(fmt::format("{}", fmt::join(side.options, " ")));
    });
    add("doubts", [](const Side& side) { return printable(sentences_of(side.doubts)); });
    add("notes",
        [](const Side& side) { return printable(fmt::format("{}", fmt::join(side.notes, "; "))); });
    return grid;
}

Section kernel_section(const CaseDiff& c, const Both<std::string>& sides) {
    if (was_not_reached(c)) return {};
    Grid grid{.title = "Differences", .columns = {"what", sides.a, sides.b, ""}};
    for (const Difference& d : c.kernel.differences) {
        grid.rows.push_back({.cells = {printable(d.what), printable(d.a), printable(d.b),
                                       d.forbids ? "forbids a comparison" : ""},
                             .tone = d.forbids ? std::optional(Verdict::wrong) : std::nullopt});
    }
    return {
        .title = "Same kernel?",
        .blocks = {List{{are_of_one_file(c)     ? "Two variants of one file."
                         : c.kernel.two_kernels ? "Two sources."
                         : c.kernel.same        ? "Yes."
                                         : "No: the speeds must not be compared as one kernel's."}},
                   std::move(grid)}};
}

void print_answer(Sentences& lines, std::string_view name, const Side& side, bool right,
                  bool only_agrees, double ulp, double rms_ulp, std::optional<bool> repeatable) {
    if (!side.status || (!is_right(*side.status) && side.status != Status::wrong)) return;
    std::string line = fmt::format("{} {}", name,
                                   !right              ? "is not right"
                                   : is_doubtful(side) ? "passed the checks, and is doubtful"
                                   : only_agrees ? "agrees, and no reference says what is right"
                                                 : "is right");
    if (!std::isnan(ulp) && !only_agrees) {
        line += fmt::format(", at most {} ULP from the reference", ulp_text(ulp));
        if (rms_ulp > 0) line += fmt::format(" (RMS {:.2g})", rms_ulp);
    }
    if (repeatable) {
        line +=
            *repeatable ? "; every launch gave the same bits" : "; launches gave different bits";
    }
    lines.push_back(line + ".");
}

Section answer_section(const CaseDiff& c, const Both<std::string>& sides) {
    const SameAnswer& answer = c.answer;
    Sentences lines;
    print_answer(lines, sides.a, c.a, answer.right_a, answer.only_agree, answer.ulp_a,
                 answer.rms_ulp_a, answer.repeatable_a);
    print_answer(lines, sides.b, c.b, answer.right_b, answer.only_agree, answer.ulp_b,
                 answer.rms_ulp_b, answer.repeatable_b);
    if (lines.empty()) return {};
    lines.emplace_back(!answer.identical   ? "The two answers were not compared with each other."
                       : *answer.identical ? "Both sides gave the same bits."
                                           : "The two sides gave different bits.");
    if (answer.distance) lines.push_back(distance_text(*answer.distance, sides));
    return {.title = "Same answer?", .blocks = {List{std::move(lines)}}};
}

std::string ratio_sentence(std::string_view name, const Ratio& ratio) {
    return fmt::format(
        "{}: {} at {} confidence, from {} and {} {}, standard error of the logarithm {:.3g}, "
        "{:.3g} degrees of freedom.",
        name, ratio_text(ratio), percent(ratio.confidence), ratio.units_a, ratio.units_b,
        printable(ratio.basis), ratio.log_error, ratio.degrees);
}

Section speed_section(const CaseDiff& c, const Both<std::string>& sides) {
    Section section{.title = "Same speed?"};
    if (c.ratio) section.say(ratio_sentence("Time of " + ratio_name(sides), *c.ratio));
    if (c.against_baseline) {
        section.say(ratio_sentence("Over the baseline's ratio", *c.against_baseline));
    }
    if (c.least_visible) {
        section.say(fmt::format("The smallest change that could be seen: a ratio of {}.",
                                decimal(*c.least_visible)));
    }
    if (c.launching) {
        section.say("Shorter than twice an empty launch: it tells about launching.");
    }
    if (c.in_cache) section.say(std::string(cache_remark));
    if (c.decision != Decision::none) {
        section.say(fmt::format("Decision: {}.", word_of(c.decision)));
    }
    return section;
}

}  // namespace

std::vector<Section> parts_of(const CaseDiff& c, const Diff& diff) {
    const Both<std::string> sides = side_names(diff);
    Texts logs;
    for (const auto& [name, side] : {std::pair(sides.a, &c.a), std::pair(sides.b, &c.b)}) {
        if (side->log.empty()) continue;
        logs.items.push_back(
            {fmt::format("The compiler of {} says:", name), printable_lines(side->log)});
    }
    std::vector<Section> sections{
        {.title = "Both sides", .blocks = {sides_grid(c, diff), std::move(logs)}},
        kernel_section(c, sides),
        answer_section(c, sides),
        speed_section(c, sides),
        {.title = "Launches", .blocks = {launches_grid(c, sides)}}};
    std::erase_if(sections, [](const Section& section) { return section.empty(); });
    return sections;
}

std::string subtitle_of(const CaseDiff& c) {
    std::vector<std::string> words{printable(c.key.type),
                                   fmt::format("{}", fmt::join(c.key.shape, " x "))};
    for (const auto& [name, value] : c.key.constants) {
        words.push_back(fmt::format("{}={}", printable(name), value));
    }
    if (!c.file.empty()) {
        words.push_back(printable(c.file) +
                        (c.source_hash.empty() ? "" : " (" + printable(c.source_hash) + ")"));
    }
    std::erase(words, "");
    return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace parallax::report

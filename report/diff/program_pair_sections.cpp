// Two recordings side by side: kernels in pairs, kernels alone, and where the time goes.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/diff/findings.hpp"
#include "report/report.hpp"
#include "studies/capture/program_pair.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_alone = 6;

std::string names_of(const KernelPair& pair) {
    return printable(pair.kernel.a == pair.kernel.b
                         ? pair.kernel.a
                         : fmt::format("{} / {}", pair.kernel.a, pair.kernel.b));
}

std::string what_they_left(const KernelPair& pair) {
    if (pair.agreement == Agreement::differs) return "DIFFER";
    if (pair.agreement == Agreement::unknown) return "not compared";
    return fmt::format("{}{}",
                       pair.agreement == Agreement::bits ? "the same bits" : "within tolerance",
                       pair.agreeing < pair.compared
                           ? fmt::format(" ({} of {} launches)", pair.agreeing, pair.compared)
                           : "");
}

std::string time_of(double seconds) {
    if (seconds < 0) return "-" + duration(-seconds);
    return seconds > 0 ? duration(seconds) : "-";
}

std::string counted_launches(std::uint64_t count) {
    return count == 1 ? "1 launch" : fmt::format("{} launches", count);
}

Grid pairs_grid(const ProgramPair& pair) {
    const Both<std::string> names = version_names(pair);
    Grid grid{
        .title = {},
        .columns = {"kernel", "paired by", Column(names.a, {}, true), Column(names.b, {}, true),
                    Column(ratio_name(names), {}, true), "interval", "what they left"}};
    for (const KernelPair& one : pair.kernels) {
        GridRow row{
            .cells = {Cell(names_of(one), Cell::Style::code),
                      name_of(one.by),
                      {time_of(one.seconds.a), one.seconds.a},
                      {time_of(one.seconds.b), one.seconds.b},
                      one.ratio ? Cell(decimal(one.ratio->value), one.ratio->value) : Cell(),
                      one.ratio
                          ? fmt::format("{}-{}", decimal(one.ratio->low), decimal(one.ratio->high))
                          : std::string(),
                      what_they_left(one)}};
        if (one.agreement == Agreement::differs) row.tone = Verdict::wrong;
        grid.rows.push_back(std::move(row));
    }
    grid.drop_empty_columns();
    grid.below = fmt::format(
        "Times are the device's in the programs' own runs.{}",
        std::ranges::any_of(pair.kernels,
                            [](const KernelPair& one) { return one.ratio.has_value(); })
            ? fmt::format(" {} is of replays on {} that were timed alternately: above 1, {} is "
                          "slower.",
                          ratio_name(names), printable(pair.replayed_on), names.b)
            : "");
    return grid;
}

Grid times_grid(const ProgramPair& pair) {
    const Both<std::string> names = version_names(pair);
    Grid grid{.title = {}, .columns = {"", Column(names.a, {}, true), Column(names.b, {}, true)}};
    TimePart kernels{"kernels", {}};
    std::vector<TimePart> others;
    for (const TimePart& one : pair.parts) {
        if (!one.is_kernel) {
            others.push_back(one);
            continue;
        }
        kernels.seconds.a += one.seconds.a;
        kernels.seconds.b += one.seconds.b;
    }
    others.insert(others.begin(), kernels);
    others.push_back({"the program", pair.seconds});
    for (const TimePart& one : others) {
        grid.rows.push_back({.cells = {printable(one.name),
                                       {time_of(one.seconds.a), one.seconds.a},
                                       {time_of(one.seconds.b), one.seconds.b}}});
    }
    return grid;
}

/// Why a pair has no ratio or no word about its data.
Sentences remarks(const ProgramPair& pair) {
    Sentences lines;
    for (const KernelPair& one : pair.kernels) {
        if (one.agreement == Agreement::differs) {
            lines.push_back(printable(
                fmt::format("{}: the launches began with the same bytes and left other data: {}.",
                            names_of(one), one.remark)));
        } else if (!one.remark.empty()) {
            lines.push_back(printable(fmt::format("{}: {}.", names_of(one), one.remark)));
        }
        const bool is_said = one.agreement == Agreement::differs || one.why_no_ratio == one.remark;
        if (!one.ratio && pair.no_replay.empty() && !one.why_no_ratio.empty() && !is_said) {
            std::string why = one.why_no_ratio;
            while (why.ends_with('.')) why.pop_back();
            lines.push_back(printable(fmt::format("{}: no ratio: {}.", names_of(one), why)));
        }
    }
    if (std::ranges::any_of(pair.parts, [](const TimePart& one) {
            return one.seconds.a < 0 || one.seconds.b < 0;
        })) {
        lines.emplace_back("Parts that overlap count twice: the rest is below 0 by that.");
    }
    if (!pair.no_replay.empty())
        lines.push_back(printable(fmt::format("Nothing was replayed: {}", pair.no_replay)));
    return lines;
}

Sentences alone(const ProgramPair& pair) {
    const Both<std::string> names = version_names(pair);
    Sentences lines;
    for (const LoneKernel& one : pair.alone) {
        if (lines.size() == most_alone) {
            lines.push_back(fmt::format("{} more kernels have no counterpart.",
                                        pair.alone.size() - most_alone));
            break;
        }
        lines.push_back(
            printable(fmt::format("{} of {} has no counterpart: {}, {}{}{}.", one.kernel,
                                  names.of(one.is_b), counted_launches(one.launches),
                                  duration(one.seconds), one.why.empty() ? "" : "; ", one.why)));
    }
    return lines;
}

}  // namespace

Section program_pair_section(const ProgramPair& pair) {
    Section section{.title = std::string(two_programs_title)};
    section.blocks = {Paragraph{printable(sentence_of(pair))}, pairs_grid(pair), times_grid(pair),
                      List{remarks(pair)}, List{alone(pair)}};
    return section;
}

Json json_of(const ProgramPair& pair) {
    const auto both = [](const auto& values) { return Json{{"a", values.a}, {"b", values.b}}; };
    Json kernels = Json::array(), alone = Json::array(), parts = Json::array();
    for (const KernelPair& one : pair.kernels) {
        kernels.push_back({{"kernel", both(one.kernel)},
                           {"paired_by", name_of(one.by)},
                           {"launches", both(one.launches)},
                           {"seconds", both(one.seconds)},
                           {"left", what_they_left(one)},
                           {"why", one.remark},
                           {"launches_agree", one.agreeing},
                           {"launches_compared", one.compared},
                           {"ratio", one.ratio ? to_json(*one.ratio) : Json()},
                           {"why_no_ratio", one.why_no_ratio}});
    }
    for (const LoneKernel& one : pair.alone) {
        alone.push_back({{"side", one.is_b ? "b" : "a"},
                         {"kernel", one.kernel},
                         {"launches", one.launches},
                         {"seconds", one.seconds},
                         {"why_not_kept", one.why}});
    }
    for (const TimePart& one : pair.parts)
        parts.push_back({{"name", one.name}, {"seconds", both(one.seconds)}});
    return {{"sentence", sentence_of(pair)},
            {"names", both(pair.names)},
            {"apis", both(pair.apis)},
            {"seconds", both(pair.seconds)},
            {"kernel_seconds", both(pair.kernel_seconds)},
            {"paired_by_data",
             {{"a", pair.share_paired_by_data(false)}, {"b", pair.share_paired_by_data(true)}}},
            {"no_replay", pair.no_replay},
            {"parts", std::move(parts)},
            {"kernels", std::move(kernels)},
            {"alone", std::move(alone)}};
}

}  // namespace parallax::report

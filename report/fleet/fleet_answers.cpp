// The sections about wrong results and missing devices of a fleet.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/fleet/fleet_parts.hpp"
#include "report/wording.hpp"

namespace parallax {
namespace {

using namespace report;

/// `wrong in 7 of 20 runs`
std::string answers_text(const FleetAnswers& answers) {
    std::string text;
    if (answers.wrong > 0) text = fmt::format("wrong in {}", answers.wrong);
    if (answers.failed > 0) {
        text += fmt::format("{}failed in {}", text.empty() ? "" : ", ", answers.failed);
    }
    return text + fmt::format(" of {}", counted(answers.runs, "run"));
}

}  // namespace

Grid troubles_grid(const std::string& title, const std::vector<FleetTrouble>& troubles,
                   const FleetRecords& fleet) {
    Grid grid{title, {"device", "case", "answers"}};
    for (const FleetTrouble& one : troubles) {
        grid.rows.push_back({.cells = {place_of(fleet, one.device), title_of(fleet, one.the_case),
                                       Cell(answers_text(one.answers), {}, Verdict::wrong)},
                             .note = fmt::format("{}: {}", identity_of(fleet, one.device),
                                                 clipped(printable(one.answers.reason), 200))});
    }
    return grid;
}

Section wrong_section(const FleetView& view) {
    Section section{"Wrong or failed answers"};
    std::set<std::uint32_t> devices;
    for (const FleetTrouble& one : view.report.troubles) devices.insert(one.device);
    if (devices.empty()) {
        std::size_t runs = 0;
        for (const auto& [which, answers] : view.fleet.answers) runs += answers.runs;
        section.say(runs == 0 ? "No answer was given."
                              : fmt::format("None of {}.", counted(runs, "answer")));
        return section;
    }
    section.say(fmt::format("{} of {} gave answers that are not right.", devices.size(),
                            counted(view.fleet.devices.size(), "device")));
    section.blocks.emplace_back(troubles_grid("", view.report.troubles, view.fleet));
    return section;
}

namespace {

Grid missing_grid(const std::vector<FleetMissing>& list) {
    Grid grid{"", {"node", {"devices", "", true}, {"expected", "", true}, "which"}};
    for (const FleetMissing& one : list) {
        std::string which = fmt::format("{}", fmt::join(one.uuids, ", "));
        if (!one.slots.empty()) which = fmt::format("gpu {}", fmt::join(one.slots, ", "));
        grid.rows.push_back(
            {.cells = {
                 shown_name(one.host),
                 Cell(std::to_string(one.found), static_cast<double>(one.found), Verdict::wrong),
                 Cell(std::to_string(one.expected), static_cast<double>(one.expected)), which}});
    }
    grid.drop_empty_columns();
    return grid;
}

}  // namespace

Section missing_section(const FleetView& view) {
    const FleetReport& report = view.report;
    Section section{"Missing"};
    if (report.has_expectation) {
        const std::size_t missing = report.missing_devices();
        section.say(missing == 0
                        ? "All devices that were expected have records."
                        : fmt::format("MISSING: {} that {} expected.", counted(missing, "device"),
                                      missing == 1 ? "was" : "were"));
        if (!report.unexpected.empty()) {
            section.say(fmt::format("Nobody expected {}.",
                                    devices_text(view.fleet, report.unexpected, most_named)));
        }
        section.blocks.emplace_back(missing_grid(report.missing));
    } else if (report.fewer.empty()) {
        section.say(
            "No list says what to expect (--expect), and no node has fewer devices of a model than "
            "most.");
    } else {
        section.say(fmt::format(
            "No list says what to expect (--expect). {} fewer devices of a model than most nodes:",
            report.fewer.size() == 1 ? "One node has"
                                     : fmt::format("{} nodes have", report.fewer.size())));
        section.blocks.emplace_back(missing_grid(report.fewer));
    }
    return section;
}

Section busy_section(const FleetView& view) {
    Section section{"Busy"};
    if (view.report.busy.empty()) return section;
    section.say(fmt::format(
        "{} by other processes while {} measured. No time of such a device is a figure: it is held "
        "against no peer, and what only its times say is not taken for wrong. Measure it again "
        "when it is free.",
        count_text(view.report.busy.size(), "device was used", "devices were used"),
        view.report.busy.size() == 1 ? "it was" : "they were"));
    Grid grid{"", {"device", "what was seen", {"wrong by time alone", "", true}}};
    for (const std::uint32_t one : view.report.busy) {
        const FleetDevice& device = view.fleet.devices[one];
        unsigned by_time = 0;
        for (const auto& [which, answers] : view.fleet.answers) {
            if (which.first == one) by_time += answers.by_time;
        }
        const std::string words = clipped(printable(device.others.said), 200);
        grid.rows.push_back(
            {.cells = {place_of(view.fleet, one), Cell(busy_text(device), {}, Verdict::undecided),
                       by_time == 0
                           ? Cell("")
                           : Cell(counted(by_time, "answer"), static_cast<double>(by_time))},
             .note = fmt::format("{}{}{}", identity_of(view.fleet, one), words.empty() ? "" : ": ",
                                 words)});
    }
    grid.drop_empty_columns();
    section.blocks.emplace_back(std::move(grid));
    return section;
}

}  // namespace parallax

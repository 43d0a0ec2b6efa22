// `parallax fleet`: reports on the records of many devices.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/diff_output.hpp"
#include "cli/option_values.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "report/fleet/fleet_report.hpp"

namespace parallax::cli {
namespace {

const std::vector<std::string> fleet_formats{"text", "md", "markdown", "html", "json", "junit"};

/// The list next to the records, used where no option names one.
constexpr std::string_view own_list = "expect.txt";

std::vector<fs::path> lists_of(const Values& values, const std::vector<std::string>& folders) {
    if (const auto named = value_of<std::string>(values, "expect")) return {*named};
    std::vector<fs::path> lists;
    for (const std::string& folder : folders) {
        std::error_code error;
        const fs::path list = fs::path(folder) / own_list;
        if (fs::is_regular_file(list, error)) lists.push_back(list);
    }
    return lists;
}

std::optional<FleetExpectation> expectation_of(const std::vector<fs::path>& lists) {
    if (lists.empty()) return {};
    FleetExpectation all;
    for (const fs::path& list : lists) add_expectation(all, read_expectation(list));
    return all;
}

/// The most urgent problem decides.
int exit_code(const FleetReport& report, const FleetReading& reading) {
    const auto slow = [](const std::vector<FleetFigure>& list) {
        return std::ranges::any_of(list, &FleetFigure::is_slow);
    };
    const auto& troubles = report.troubles;
    if (!troubles.empty()) {
        const bool any_wrong = std::ranges::any_of(
            troubles, [](const FleetTrouble& one) { return one.answers.wrong > 0; });
        return any_wrong ? exit_wrong : exit_failed;
    }
    // Unread records may hide missing or slow devices.
    if (reading.unreadable > 0) return exit_usage;
    if (report.missing_devices() > 0) return exit_open;
    if (slow(report.devices) || slow(report.nodes)) return exit_slower;
    const auto& change = report.change;
    if (change && (slow(change->figures) ||
                   std::ranges::any_of(change->cases, &FleetChange::Case::is_slower))) {
        return exit_slower;
    }
    return exit_ok;
}

int show_fleet(const Values& values, CommandContext& context) {
    const std::vector<std::string> folders = words_of(values, "folder");
    if (folders.empty()) {
        throw UsageError(
            "Name the folders of the record files: 'parallax fleet FOLDER'. fleet/fleet.sbatch, "
            "and 'parallax run --all-devices -o FOLDER', fill one.");
    }
    const auto baseline = value_of<std::string>(values, "baseline");
    const std::vector<fs::path> lists = lists_of(values, folders);
    std::vector<std::string> inputs;
    for (const fs::path& list : lists) inputs.push_back(list.string());
    const std::vector<Output> outputs = outputs_of(values, inputs, fleet_formats);
    const std::optional<FleetExpectation> expectation = expectation_of(lists);
    const FleetRecords fleet = read_fleet({folders.begin(), folders.end()});
    if (fleet.devices.empty() && !expectation) {
        const std::vector<std::string>& problems = fleet.reading.problems;
        throw UsageError(fmt::format("{} holds no record ({} files ending in .jsonl).{}",
                                     fmt::join(folders, ", "), fleet.reading.files,
                                     problems.empty() ? "" : " " + problems.front() + "."));
    }
    FleetReport report = judge_fleet(fleet, expectation);
    if (baseline) report.change = compare_fleets(read_fleet({*baseline}), fleet);
    const FleetView view{fleet, report};
    write_outputs(outputs, context, [&](const Output& output) -> std::string {
        if (output.format == "md" || output.format == "markdown") {
            return markdown_of(fleet_document(view));
        }
        if (output.format == "html") return fleet_page(view);
        if (output.format == "json") {
            return fleet_json(view);
        }
        if (output.format == "junit") return fleet_junit(view);
        const bool colour = !output.file && wants_colour(context.out);
        return text_of(fleet_document(view), output.file ? 100 : terminal_width(), colour);
    });
    return exit_code(report, fleet.reading);
}

}  // namespace

Command fleet_command() {
    return {
        .name = "fleet",
        .arguments = "FOLDER... [--expect FILE] [--baseline FOLDER] [--format FORMAT] [-o FILE]...",
        .summary = "the records of many devices in one report",
        .about =
            "Reads every record file (.jsonl) in the folders and below, and says in this order: "
            "wrong and failed answers, with the host and the UUID; devices that are expected and "
            "missing; devices that other processes used while they were measured, which are held "
            "against none; devices and nodes that are outliers among their peers; drivers, "
            "settings and software that differ, with the devices that have each; a map of nodes by "
            "slots; how each case spreads; OpenCL against CUDA. With --baseline, what has changed "
            "and where. Ends with 1 where an answer is wrong, else with 6 where a case failed, "
            "with 2 where a file cannot be read, with 4 where a device is missing, else with 3 "
            "where a device, a node or, against the baseline, a case is slow.",
        .examples = {"parallax fleet records",
                     "parallax fleet records --expect nodes.txt -o f.html",
                     "parallax fleet after --baseline before --format md",
                     "parallax fleet records --format junit > fleet.xml"},
        .positional = std::vector<std::string>(100, "folder"),
        .options =
            [](auto add) {
                add("folder", po::value<Words>()->composing(), "folders with record files");
                add("expect", settable<std::string>(Setting::file),
                    "file with a line for each node: HOST COUNT, HOST UUID..., or as sinfo -h -N "
                    "-o \"%N %G\" prints it; without it, expect.txt in a folder that has one");
                add("baseline", settable<std::string>(Setting::path),
                    "folder with earlier records: what has changed since");
                add("output,o", settable<Words>(Setting::report),
                    "file for the report: .txt, .md, .html, .json or .xml (JUnit); may be "
                    "repeated");
                add("format", settable<std::string>(),
                    "text (default), md (or markdown), html, json or junit: a test for each "
                    "device");
            },
        .run = show_fleet,
        .choices = {{"format", fleet_formats}}};
}

}  // namespace parallax::cli

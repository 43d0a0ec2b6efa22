// The sections of a fleet's report, in their order, and the lines above them.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/fleet/fleet_parts.hpp"
#include "report/wording.hpp"

namespace parallax {
namespace {

using namespace report;

void cut_rows(Grid& grid, std::size_t most) {
    if (grid.rows.size() <= most) return;
    const std::size_t more = grid.rows.size() - most;
    grid.rows.resize(most);
    grid.below =
        fmt::format("{}; the page and the report as JSON have all.", counted(more, "more row"));
}

/// `4 files`, or `1 of 4 files` where the others cannot be read.
std::string files_read(const FleetReading& reading) {
    const std::string all = counted(reading.files, "file");
    return reading.unreadable == 0
               ? all
               : fmt::format("{} of {}", reading.files - reading.unreadable, all);
}

Section reading_section(const FleetView& view) {
    const FleetReading& r = view.fleet.reading;
    Section section{"What was read"};
    section.say(fmt::format("{} of {}.", counted(r.records, "record"), files_read(r)));
    const auto say = [&](std::size_t count, std::string_view one, std::string_view many,
                         std::string_view rest) {
        if (count > 0) section.say(fmt::format("{} {}", count_text(count, one, many), rest));
    };
    say(r.again, "record stood there twice", "records stood there twice", "and counted once.");
    say(r.contradicted, "of these has", "of these have",
        "another figure than the first, which counts: was a file edited?");
    say(r.launching, "figure is", "figures are",
        "about launching (shorter than twice an empty launch), and left out of all comparisons.");
    say(r.kept, "ceiling repeats", "ceilings repeat", "an earlier run's figure, left out.");
    say(r.doubtful, "record is", "records are",
        "doubtful: the answers passed the checks, and a person has to look at them.");
    say(r.edited, "record is", "records are", "of kernels that were changed on purpose, left out.");
    say(r.cut, "line ends", "lines end", "in the middle, as a killed run leaves it.");
    say(r.newer, "line is", "lines are", "of another version of the record.");
    say(r.refused, "line is", "lines are", "no record.");
    say(r.unreadable, "file", "files", "cannot be read.");
    for (const std::string& remark : view.report.remarks) section.say(printable(remark));
    if (!r.problems.empty()) {
        Preformatted lines{"What could not be read:"};
        for (const std::string& one : r.problems) lines.lines.push_back(printable(one));
        const std::size_t all = r.cut + r.newer + r.refused + r.unreadable;
        if (all > r.problems.size()) {
            lines.lines.push_back(fmt::format("... and {} more", all - r.problems.size()));
        }
        section.blocks.emplace_back(Texts{{std::move(lines)}});
    }
    return section;
}

}  // namespace

report::Sentences fleet_headline(const FleetView& view) {
    const FleetReport& report = view.report;
    std::set<std::string> hosts, models;
    std::set<std::uint32_t> wrong, slow, slow_nodes;
    for (const FleetDevice& one : view.fleet.devices) {
        hosts.insert(one.host);
        models.insert(one.model);
    }
    for (const FleetTrouble& one : report.troubles) wrong.insert(one.device);
    for (const FleetFigure& one : report.devices) {
        if (one.is_slow()) slow.insert(one.devices.front());
    }
    for (const FleetFigure& one : report.nodes) {
        if (one.is_slow()) slow_nodes.insert(one.devices.front());
    }
    Sentences said{
        fmt::format("{} of {} on {}: {} of {}.", counted(view.fleet.devices.size(), "device"),
                    counted(models.size(), "model"), counted(hosts.size(), "node"),
                    counted(view.fleet.reading.records, "record"), files_read(view.fleet.reading))};
    std::vector<std::string> found;
    const auto add = [&](std::size_t count, std::string_view what) {
        if (count > 0) found.push_back(fmt::format("{} {}", count, what));
    };
    const std::size_t unreadable = view.fleet.reading.unreadable;
    add(unreadable, unreadable == 1 ? "file that cannot be read" : "files that cannot be read");
    add(wrong.size(), "not right");
    add(report.missing_devices(), "missing");
    add(report.busy.size(), "busy");
    add(slow.size(), "slow");
    add(slow_nodes.size(), slow_nodes.size() == 1 ? "slow node" : "slow nodes");
    add(report.differences.size(), report.differences.size() == 1
                                       ? "difference in settings or software"
                                       : "differences in settings or software");
    said.push_back(found.empty() ? "Nothing was found."
                                 : fmt::format("Found: {}.", fmt::join(found, ", ")));
    return said;
}

std::vector<report::Section> fleet_sections(const FleetView& view, std::size_t most_rows) {
    std::vector<Section> sections{wrong_section(view),       missing_section(view),
                                  busy_section(view),        outliers_section(view),
                                  differences_section(view), changes_section(view),
                                  map_section(view),         spreads_section(view),
                                  ratios_section(view),      reading_section(view)};
    std::erase_if(sections, [](const Section& one) { return one.empty(); });
    for (Section& section : sections) {
        for (Block& block : section.blocks) {
            if (Grid* const grid = std::get_if<Grid>(&block)) cut_rows(*grid, most_rows);
        }
    }
    return sections;
}

Document fleet_document(const FleetView& view) {
    constexpr std::size_t most_read = 100;  // rows of a grid, in one go
    Section headline{.title = {}};
    for (std::string& line : fleet_headline(view))
        headline.blocks.emplace_back(Paragraph{std::move(line)});
    Document document{.title = "Fleet", .blocks = {std::move(headline)}};
    std::ranges::move(fleet_sections(view, most_read), std::back_inserter(document.blocks));
    return document;
}

}  // namespace parallax

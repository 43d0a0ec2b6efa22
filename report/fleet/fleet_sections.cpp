// The sections of a fleet's report, in their order, and the lines above them.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/suite/answer.hpp"
#include "common/text/text.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/wording.hpp"

namespace parallax {

using namespace report;

std::string deviation_text(double logarithm) {
    return fmt::format("{:+.1f} %", 100 * std::expm1(logarithm));
}

std::string busy_text(const FleetDevice& device) {
    const FleetOthers& others = device.others;
    return fmt::format("others used {} in {} of {}",
                       others.most_use ? fmt::format("up to {:.0f} % of it", 100 * *others.most_use)
                                       : "an unknown share of it",
                       others.records, counted(device.records, "record"));
}

namespace {

/// Nodes that are named of a list.
constexpr std::size_t most_named = 8;

/// `1 line ends`, `2 lines end`
std::string count_text(std::size_t count, std::string_view one, std::string_view several) {
    return fmt::format("{} {}", count, count == 1 ? one : several);
}

Cell counted_cell(std::size_t count, std::optional<Verdict> tone = {}) {
    return {std::to_string(count), static_cast<double>(count), tone};
}

/// A name out of a record, without what steers a terminal, at most 120 characters.
std::string shown_name(const std::string& text) {
    return printable(text, 120);
}

std::string place_of(const FleetRecords& fleet, std::uint32_t device) {
    return shown_name(fleet.devices[device].place());
}

/// `UUID 4823...`, or its substitute.
std::string identity_of(const FleetRecords& fleet, std::uint32_t device) {
    const FleetDevice& one = fleet.devices[device];
    const std::string_view kind = !one.uuid.empty() ? "UUID" : !one.pci.empty() ? "PCI" : "entry";
    return fmt::format("{} {}", kind, shown_name(one.identity()));
}

std::string title_of(const FleetRecords& fleet, std::uint32_t the_case) {
    return shown_name(fleet.cases[the_case].title);
}

/// The title, with the peers where there are several.
std::string with_peers(std::string title, const FleetRecords& fleet, std::uint32_t peers) {
    if (fleet.peers.size() == 1) return title;
    return fmt::format("{} [{}]", title, shown_name(fleet.peers[peers].title()));
}

std::string peers_title(const FleetRecords& fleet, std::uint32_t peers) {
    return shown_name(fleet.peers[peers].title());
}

/// `nid000005 (4), nid000006 gpu 2, ...`: at most `most` of them.
std::string devices_text(const FleetRecords& fleet, const std::vector<std::uint32_t>& devices,
                         std::size_t most) {
    std::map<std::string, std::vector<std::uint32_t>> hosts;
    std::vector<std::string> order;
    for (const std::uint32_t one : devices) {
        const std::string& host = fleet.devices[one].host;
        if (hosts[host].empty()) order.push_back(host);
        hosts[host].push_back(one);
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
        const std::vector<std::uint32_t>& here = hosts[order[i]];
        names.push_back(here.size() == 1
                            ? place_of(fleet, here.front())
                            : fmt::format("{} ({})", shown_name(node_name(order[i])), here.size()));
    }
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (order.size() > most) text += fmt::format(" and {} more nodes", order.size() - most);
    return text;
}

/// `wrong in 7 of 20 runs`
std::string answers_text(const FleetAnswers& answers) {
    std::string text;
    if (answers.wrong > 0) text = fmt::format("wrong in {}", answers.wrong);
    if (answers.failed > 0) {
        text += fmt::format("{}failed in {}", text.empty() ? "" : ", ", answers.failed);
    }
    return text + fmt::format(" of {}", counted(answers.runs, "run"));
}

/// A row for each device and case.
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

Grid missing_grid(const std::vector<FleetMissing>& list) {
    Grid grid{"", {"node", {"devices", "", true}, {"expected", "", true}, "which"}};
    for (const FleetMissing& one : list) {
        std::string which = fmt::format("{}", fmt::join(one.uuids, ", "));
        if (!one.slots.empty()) which = fmt::format("gpu {}", fmt::join(one.slots, ", "));
        grid.rows.push_back(
            {.cells = {shown_name(one.host), counted_cell(one.found, Verdict::wrong),
                       counted_cell(one.expected), which}});
    }
    grid.drop_empty_columns();
    return grid;
}

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

/// Empty where others used no device.
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

GridRow figure_row(const FleetView& view, const FleetFigure& one, bool is_node) {
    const FleetDevice& first = view.fleet.devices[one.devices.front()];
    const std::string name = is_node ? fmt::format("{} ({})", shown_name(first.host),
                                                   counted(one.devices.size(), "device"))
                                     : place_of(view.fleet, one.devices.front());
    return {.cells = {name, name_of(one.kind),
                      Cell(deviation_text(one.deviation), one.deviation,
                           one.is_slow() ? Verdict::slower : Verdict::faster),
                      Cell(fmt::format("{:+.1f}", one.z), one.z),
                      Cell(fmt::format("{:.1f}", one.limit), one.limit), counted_cell(one.cases),
                      view.fleet.peers.size() == 1 ? "" : peers_title(view.fleet, one.peers)},
            .note = is_node ? "" : identity_of(view.fleet, one.devices.front())};
}

/// The outliers among the deviations, the slowest first.
Grid figures_grid(const FleetView& view, const std::string& title, bool is_node,
                  const std::vector<FleetFigure>& figures) {
    Grid grid{title,
              {is_node ? "node" : "device",
               "class",
               {"from its peers", "", true},
               {"z", "", true},
               {"limit", "", true},
               {"cases", "", true},
               "peers"}};
    std::vector<const FleetFigure*> sorted;
    for (const FleetFigure& one : figures) {
        if (one.is_outlier) sorted.push_back(&one);
    }
    std::ranges::stable_sort(sorted, {}, [](const FleetFigure* one) { return one->deviation; });
    for (const FleetFigure* one : sorted) grid.rows.push_back(figure_row(view, *one, is_node));
    grid.drop_empty_columns();
    return grid;
}

Section outliers_section(const FleetView& view) {
    const FleetReport& report = view.report;
    Section section{"Outliers"};
    const Grid devices = figures_grid(view, "Devices", false, report.devices);
    const Grid nodes =
        figures_grid(view, "Nodes (the median of their devices)", true, report.nodes);
    std::size_t unjudged = 0;
    for (const FleetFigure& one : report.devices) unjudged += one.limit == 0;
    if (report.judged == 0) {
        section.say(
            fmt::format("None was looked for: a device is held against {} peers at least, of one "
                        "model, power limit and MIG shape, in the same cases.",
                        least_peers));
        return section;
    }
    section.say(fmt::format(
        "{} and {}. An outlier is beyond its limit of z, which calls anything of a healthy fleet "
        "so in {:.0f} % of reports ({}), and more than {:.0f} % off its peers, a node {:.0f} %.",
        devices.rows.empty()
            ? "No device"
            : count_text(devices.rows.size(), "figure of a device", "figures of devices"),
        nodes.rows.empty() ? "no node"
                           : count_text(nodes.rows.size(), "figure of a node", "figures of nodes"),
        100 * fleet_error, counted(report.judged, "figure"), 100 * least_deviation,
        50 * least_deviation));
    if (unjudged > 0) {
        section.say(fmt::format("{} of too few peers {} not judged.", counted(unjudged, "figure"),
                                unjudged == 1 ? "was" : "were"));
    }
    section.blocks.insert(section.blocks.end(), {devices, nodes});
    return section;
}

std::string quantile_text(double logarithm, bool is_ratio) {
    return is_ratio ? decimal(std::exp(logarithm)) : deviation_text(logarithm);
}

/// The quantiles that fit next to the name of a case; programs get all.
constexpr std::array<std::size_t, 5> shown_quantiles{0, 1, 3, 5, 6};

std::string fleet_rate_text(const FleetCase& one, double seconds) {
    const double done = one.by_operations ? one.work.operations : one.work.bytes;
    if (!(done > 0)) return duration(seconds);
    const ElementType type = element_type_named(one.key.type).value_or(ElementType::f32);
    return rate(done / seconds, rate_unit(one.by_operations, type));
}

/// `transpose/padded float 4096x4096`, of a title that ends in the backend.
std::string without_backend(const std::string& title) {
    return title.substr(0, title.find(" (opencl)"));
}

/// Their cells. @param is_ratio  else they are deviations
void add_quantiles(GridRow& row, const FleetQuantiles& values, bool is_ratio, bool with_median) {
    for (const std::size_t i : shown_quantiles) {
        if (i == 3 && !with_median) continue;
        row.cells.emplace_back(quantile_text(values[i], is_ratio), values[i]);
    }
}

/// Appends those columns of quantiles that fit next to the name of a case.
/// @param with_median  the column in the middle is there: of spreads it would be 0
std::vector<Column> with_quantiles(std::vector<Column> columns, bool with_median) {
    for (const std::size_t i : shown_quantiles) {
        if (i == 3 && !with_median) continue;
        const double share = fleet_quantile_shares[i];
        columns.emplace_back(i == 0   ? "least"
                             : i == 3 ? "median"
                             : i == 6 ? "most"
                                      : fmt::format("{:.0f} %", 100 * share),
                             "", true);
    }
    return columns;
}

Section spreads_section(const FleetView& view) {
    Section section{"Spread of each case"};
    Grid grid{"", with_quantiles({"case", {"devices", "", true}, {"median", "", true}}, false)};
    std::size_t alone = 0;
    for (const FleetSpread& one : view.report.spreads) {
        if (one.devices < 2) {
            ++alone;
            continue;
        }
        GridRow row{.cells = {with_peers(title_of(view.fleet, one.the_case), view.fleet, one.peers),
                              counted_cell(one.devices),
                              fleet_rate_text(view.fleet.cases[one.the_case], one.median_seconds)},
                    .note = {}};
        add_quantiles(row, one.speeds, false, false);
        grid.rows.push_back(std::move(row));
    }
    if (!grid.rows.empty()) {
        section.say(
            "Speeds of devices against their median: quantiles of each one's median over its "
            "runs.");
    }
    if (alone > 0) {
        section.say(fmt::format("{} measured on one device alone, and not shown here.",
                                count_text(alone, "case was", "cases were")));
    }
    if (section.empty()) section.say("No case was measured.");
    section.blocks.emplace_back(std::move(grid));
    return section;
}

/// Empty where no case ran through both APIs.
Section ratios_section(const FleetView& view) {
    Section section{"OpenCL against CUDA"};
    Grid grid{"", with_quantiles({"case", {"devices", "", true}}, true)};
    grid.columns.emplace_back("largest on");
    for (const FleetRatio& one : view.report.ratios) {
        GridRow row{.cells = {with_peers(without_backend(title_of(view.fleet, one.the_case)),
                                         view.fleet, one.peers),
                              counted_cell(one.devices)}};
        add_quantiles(row, one.ratios, true, true);
        row.cells.emplace_back(place_of(view.fleet, one.most));
        grid.rows.push_back(std::move(row));
    }
    if (grid.rows.empty()) return section;
    section.say(
        "CUDA's time divided by OpenCL's of the same case on the same device: above 1, CUDA is "
        "slower.");
    section.blocks.emplace_back(std::move(grid));
    return section;
}

Section differences_section(const FleetView& view) {
    Section section{"What differs"};
    Grid grid{"", {"model", "what", "value", {"devices", "", true}, "which"}};
    for (const FleetDifference& one : view.report.differences) {
        for (const FleetDifference::Value& value : one.values) {
            const bool most = &value == &one.values.front();
            grid.rows.push_back(
                {.cells = {most ? shown_name(one.model) : "", most ? one.fact : "",
                           shown_name(value.value), counted_cell(value.devices.size()),
                           most && one.values.size() == 2 &&
                                   value.devices.size() > one.values.back().devices.size()
                               ? "all others"
                               : devices_text(view.fleet, value.devices, most_named)}});
        }
    }
    if (grid.rows.empty()) {
        section.say("Nothing: devices of a model have the same driver, settings and software.");
    }
    section.blocks.emplace_back(std::move(grid));
    return section;
}

/// Empty without a baseline.
Section changes_section(const FleetView& view) {
    Section section{"Against the baseline"};
    if (!view.report.change) return section;
    const FleetChange& change = *view.report.change;
    const FleetRecords& fleet = view.fleet;
    section.say(
        fmt::format("{} in both.", count_text(change.compared, "device is", "devices are")));
    if (!change.appeared.empty()) {
        section.say(fmt::format("New: {}.", devices_text(fleet, change.appeared, most_named)));
    }
    if (!change.disappeared.empty()) {
        std::vector<std::string> names;
        for (const FleetDevice& one : change.disappeared) names.push_back(shown_name(one.place()));
        const std::size_t more = names.size() - std::min(names.size(), most_named);
        names.resize(names.size() - more);
        section.say(fmt::format("Gone: {}{}.", fmt::join(names, ", "),
                                more > 0 ? fmt::format(" and {} more", more) : ""));
    }
    if (change.cured > 0) {
        section.say(fmt::format("{} right now that were not before.",
                                count_text(change.cured, "case is", "cases are")));
    }
    if (!change.newly_wrong.empty()) {
        section.blocks.emplace_back(troubles_grid("Not right any more", change.newly_wrong, fleet));
    }
    Grid facts{"What was changed",
               {"model", "what", "before", "now", {"devices", "", true}, "which"}};
    for (const FleetChange::Fact& one : change.facts) {
        facts.rows.push_back({.cells = {shown_name(one.model), one.fact, shown_name(one.before),
                                        shown_name(one.now), counted_cell(one.devices.size()),
                                        devices_text(fleet, one.devices, most_named)}});
    }
    section.blocks.emplace_back(std::move(facts));
    section.blocks.emplace_back(figures_grid(view,
                                             "Devices and nodes that changed otherwise than their "
                                             "peers",
                                             false, change.figures));
    Grid cases{"Speed now over before, device by device",
               with_quantiles({"case", {"devices", "", true}}, true)};
    for (const FleetChange::Case& one : change.cases) {
        GridRow row{.cells = {with_peers(title_of(fleet, one.the_case), fleet, one.peers),
                              counted_cell(one.devices)}};
        add_quantiles(row, one.speeds, false, true);
        if (one.is_slower()) row.tone = Verdict::slower;
        cases.rows.push_back(std::move(row));
    }
    section.blocks.emplace_back(std::move(cases));
    return section;
}

/// The map as far as there is something to see.
Section map_section(const FleetView& view) {
    Section section{std::string(map_section_title)};
    const std::vector<FleetMapRow> map = fleet_map(view);
    std::size_t slots = 0;
    for (const FleetMapRow& row : map) slots = std::max(slots, row.slots.size());
    Grid grid{"", {"node"}};
    for (std::size_t i = 0; i < slots; ++i) grid.columns.emplace_back(fmt::format("gpu {}", i));
    for (const FleetMapRow& row : map) {
        GridRow line{.cells = {shown_name(node_name(row.host))}};
        bool shown = false;
        for (std::size_t i = 0; i < slots; ++i) {
            std::string text;
            std::optional<Verdict> tone;
            for (const FleetMapCell& cell :
                 i < row.slots.size() ? row.slots[i] : std::vector<FleetMapCell>()) {
                const double far = cell.farthest().value_or(0);
                shown |= !cell.state.empty() || cell.is_outlier;
                if (!text.empty()) text += " ";
                text += !cell.state.empty() ? cell.state
                        : cell.farthest()   ? deviation_text(far)
                                            : "-";
                const bool is_busy = cell.state == "busy";
                if (!cell.state.empty() && !(tone && is_busy)) {
                    tone = is_busy ? Verdict::undecided : Verdict::wrong;
                }
                if (!tone && cell.is_outlier) {
                    tone = far < 0 ? Verdict::slower : Verdict::faster;
                }
            }
            line.cells.emplace_back(text, std::nullopt, tone);
        }
        if (shown) grid.rows.push_back(std::move(line));
    }
    section.say(
        grid.rows.empty()
            ? fmt::format("Nothing stands out on {}.", counted(map.size(), "node"))
            : fmt::format(
                  "{} of {} with a device that is not right, missing, busy, or an outlier; the "
                  "page has all. A figure is the class in which a device is the farthest "
                  "from its peers.",
                  grid.rows.size(), counted(map.size(), "node")));
    section.blocks.emplace_back(std::move(grid));
    return section;
}

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

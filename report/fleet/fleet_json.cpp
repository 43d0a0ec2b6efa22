// The report of a fleet for programs, and as a page.
#include <cmath>

#include <nlohmann/json.hpp>

#include "common/text/text.hpp"
#include "common/version.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/json_text.hpp"
#include "report/page/page.hpp"

namespace parallax {
namespace {

using namespace report;

/// The page has all rows of a grid that a fleet of some thousand devices makes.
constexpr std::size_t most_on_page = 5'000;

/// Converts a logarithm: -0.03 is 3 % slower.
double share_of(double logarithm) {
    return std::expm1(logarithm);
}

Json quantiles_json(const FleetQuantiles& values) {
    Json list = Json::array();
    for (const double one : values) list.push_back(std::exp(one));
    return list;
}

Json figure_json(const FleetFigure& one) {
    return {{"class", name_of(one.kind)},
            {"peers", one.peers},
            {"deviation", share_of(one.deviation)},
            {"z", one.z},
            {"limit", one.limit == 0 ? Json(nullptr) : Json(one.limit)},
            {"cases", one.cases},
            {"outlier", one.is_outlier}};
}

Json others_json(const FleetOthers& others) {
    if (others.records == 0) return nullptr;
    return {{"records", others.records},
            {"most_use", others.most_use ? Json(*others.most_use) : Json(nullptr)},
            {"said", others.said}};
}

Json device_json(const FleetDevice& device) {
    Json facts = Json::object();
    for (const auto& [fact, values] : device.facts) facts[fact] = values;
    return {{"place", device.place()},
            {"host", device.host},
            {"slot", device.slot ? Json(*device.slot) : Json(nullptr)},
            {"uuid", device.uuid},
            {"pci", device.pci},
            {"model", device.model},
            {"records", device.records},
            {"runs", device.runs.size()},
            {"facts", std::move(facts)},
            {"others", others_json(device.others)},
            {"figures", Json::array()}};
}

Json troubles_json(const std::vector<FleetTrouble>& troubles, const FleetRecords& fleet) {
    Json list = Json::array();
    for (const FleetTrouble& one : troubles) {
        list.push_back({{"device", one.device},
                        {"case", fleet.cases[one.the_case].title},
                        {"runs", one.answers.runs},
                        {"wrong", one.answers.wrong},
                        {"failed", one.answers.failed},
                        {"reason", one.answers.reason}});
    }
    return list;
}

Json missing_json(const std::vector<FleetMissing>& missing) {
    Json list = Json::array();
    for (const FleetMissing& one : missing) {
        list.push_back({{"host", one.host},
                        {"expected", one.expected},
                        {"found", one.found},
                        {"uuids", one.uuids},
                        {"slots", one.slots}});
    }
    return list;
}

Json node_json(const FleetFigure& one, const FleetRecords& fleet) {
    Json node = figure_json(one);
    node["host"] = fleet.devices[one.devices.front()].host;
    node["devices"] = one.devices;
    return node;
}

Json change_json(const FleetChange& change, const FleetRecords& fleet) {
    Json facts = Json::array(), cases = Json::array(), figures = Json::array(),
         gone = Json::array();
    for (const FleetChange::Fact& one : change.facts) {
        facts.push_back({{"model", one.model},
                         {"fact", one.fact},
                         {"before", one.before},
                         {"now", one.now},
                         {"devices", one.devices}});
    }
    for (const FleetChange::Case& one : change.cases) {
        cases.push_back({{"case", fleet.cases[one.the_case].title},
                         {"peers", one.peers},
                         {"devices", one.devices},
                         {"speeds", quantiles_json(one.speeds)},
                         {"slower", one.is_slower()}});
    }
    for (const FleetFigure& one : change.figures) figures.push_back(node_json(one, fleet));
    for (const FleetDevice& one : change.disappeared) {
        gone.push_back({{"place", one.place()}, {"uuid", one.uuid}});
    }
    return {{"compared", change.compared},
            {"facts", std::move(facts)},
            {"cases", std::move(cases)},
            {"outliers", std::move(figures)},
            {"appeared", change.appeared},
            {"disappeared", std::move(gone)},
            {"newly_wrong", troubles_json(change.newly_wrong, fleet)},
            {"cured", change.cured}};
}

Json reading_json(const FleetReading& r) {
    return {{"files", r.files},
            {"records", r.records},
            {"repeated", r.again},
            {"contradicted", r.contradicted},
            {"launching", r.launching},
            {"kept_ceilings", r.kept},
            {"doubtful", r.doubtful},
            {"changed_kernels", r.edited},
            {"cut_lines", r.cut},
            {"lines_of_other_versions", r.newer},
            {"lines_that_are_no_record", r.refused},
            {"unreadable_files", r.unreadable},
            {"problems", r.problems}};
}

/// The data of a cell of the page's map: short, since there are thousands.
Json cell_json(const FleetMapCell& cell, const FleetRecords& fleet) {
    Json one = Json::object();
    if (cell.device) {
        const FleetDevice& device = fleet.devices[*cell.device];
        one["name"] = printable(device.place(), 120);
        one["uuid"] = printable(device.identity(), 60);
    }
    if (!cell.state.empty()) one["state"] = cell.state;
    if (cell.is_outlier) one["outlier"] = true;
    for (const FleetClass kind : fleet_classes) {
        const auto& deviation = cell.deviations[static_cast<std::size_t>(kind)];
        if (deviation) {
            one[std::string(name_of(kind))] = {std::round(1e5 * share_of(*deviation)) / 1e5,
                                               deviation_text(*deviation)};
        }
    }
    return one;
}

/// The page's table of devices has a line for each.
std::string csv_of_cell(const std::string& host, std::size_t slot, const Json& cell) {
    std::vector<Json> row{host, slot};
    for (const char* name : {"name", "uuid", "state"}) row.push_back(cell.value(name, Json()));
    row.push_back(cell.contains("outlier") ? "outlier" : Json());
    for (const FleetClass kind : fleet_classes) {
        row.push_back(cell.value(std::string(name_of(kind)), Json::array({Json()})).front());
    }
    return csv_line(row);
}

}  // namespace

std::string fleet_json(const FleetView& view) {
    const FleetRecords& fleet = view.fleet;
    const FleetReport& report = view.report;
    Json devices = Json::array(), peers = Json::array(), nodes = Json::array(),
         differences = Json::array(), cases = Json::array(), ratios = Json::array();
    for (const FleetDevice& one : fleet.devices) devices.push_back(device_json(one));
    for (const FleetFigure& one : report.devices) {
        devices[one.devices.front()]["figures"].push_back(figure_json(one));
    }
    for (const FleetPeers& one : fleet.peers) {
        peers.push_back({{"model", one.model}, {"power_limit", one.power_limit}, {"mig", one.mig}});
    }
    for (const FleetFigure& one : report.nodes) nodes.push_back(node_json(one, fleet));
    for (const FleetDifference& one : report.differences) {
        Json values = Json::array();
        for (const auto& [value, which] : one.values) {
            values.push_back({{"value", value}, {"devices", which}});
        }
        differences.push_back(
            {{"model", one.model}, {"fact", one.fact}, {"values", std::move(values)}});
    }
    for (const FleetSpread& one : report.spreads) {
        cases.push_back({{"case", fleet.cases[one.the_case].title},
                         {"class", name_of(fleet.cases[one.the_case].kind)},
                         {"peers", one.peers},
                         {"devices", one.devices},
                         {"median_seconds", one.median_seconds},
                         {"speeds", quantiles_json(one.speeds)}});
    }
    for (const FleetRatio& one : report.ratios) {
        ratios.push_back({{"case", to_string(fleet.cases[one.the_case].key)},
                          {"peers", one.peers},
                          {"devices", one.devices},
                          {"cuda_over_opencl", quantiles_json(one.ratios)},
                          {"least", one.least},
                          {"most", one.most}});
    }
    Json json{{"schema", fleet_schema},
              {"version", fleet_version},
              {"reading", reading_json(fleet.reading)},
              {"devices", std::move(devices)},
              {"peers", std::move(peers)},
              {"wrong", troubles_json(report.troubles, fleet)},
              {"busy", report.busy},
              {"expected", report.has_expectation},
              {"missing", missing_json(report.missing)},
              {"unexpected", report.unexpected},
              {"fewer_than_most", missing_json(report.fewer)},
              {"figures", report.judged},
              {"nodes", std::move(nodes)},
              {"differences", std::move(differences)},
              {"quantiles", fleet_quantile_shares},
              {"cases", std::move(cases)},
              {"ratios", std::move(ratios)},
              {"remarks", report.remarks}};
    if (report.change) json["change"] = change_json(*report.change, fleet);
    return printed(json);
}

std::string fleet_page(const FleetView& view) {
    Json before = Json::array(), after = Json::array(), map = Json::array();
    bool is_before = true;
    for (const Section& one : fleet_sections(view, most_on_page)) {
        if (one.title == map_section_title) {
            is_before = false;  // the page draws it again
        } else {
            (is_before ? before : after).push_back(json_of(one));
        }
    }
    std::string csv = csv_line(
        {"node", "slot", "device", "uuid", "state", "outlier", "memory", "compute", "transfer"});
    for (const FleetMapRow& row : fleet_map(view)) {
        const std::string host = printable(node_name(row.host), 120);
        Json slots = Json::array();
        for (const std::vector<FleetMapCell>& slot : row.slots) {
            Json cells = Json::array();
            for (const FleetMapCell& cell : slot) {
                cells.push_back(cell_json(cell, view.fleet));
                csv += csv_of_cell(host, slots.size(), cells.back());
            }
            slots.push_back(std::move(cells));
        }
        map.push_back({{"host", host}, {"slots", std::move(slots)}});
    }
    const std::string json = script_json({{"headline", fleet_headline(view)},
                                          {"before", std::move(before)},
                                          {"map", std::move(map)},
                                          {"csv", csv},
                                          {"after", std::move(after)}});
    return framed({.title = "Parallax: a fleet", .style = "fleet.css", .code = "fleet.js"},
                  filled(page_part("fleet.html"), {{"fleet", json}}));
}

}  // namespace parallax

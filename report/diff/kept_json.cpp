// Reads launches and explanations of a diff from their JSON.
#include "report/diff/kept_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text.hpp"
#include "records/explanation_json.hpp"

namespace parallax::report {
namespace {

constexpr std::pair<const char*, const char*> launch_resources[]{
    {"registers", "registers"},
    {"spill_bytes", "spilled bytes"},
    {"private_bytes", "private bytes"},
    {"local_bytes", "local bytes"},
    {"barriers", "barriers"},
    {"max_group_items", "most items of a group"},
    {"groups_per_unit", "groups of a unit"}};

const Json& member(const Json& json, const char* name) {
    static const Json none;
    return json.is_object() && json.contains(name) ? json[name] : none;
}

/// A text or a number as it is; empty for anything else.
std::string scalar(const Json& json) {
    if (json.is_string()) return printable(json.get_ref<const std::string&>());
    return json.is_number() ? json.dump() : "";
}

std::string extents(const Json& json) {
    std::vector<std::string> sizes;
    if (json.is_array()) {
        for (const Json& size : json) sizes.push_back(scalar(size));
    }
    return fmt::format("{}", fmt::join(sizes, " x "));
}

}  // namespace

std::string why_of(const CaseDiff& c) {
    return scalar(member(c.explanation, "answer"));
}

std::optional<Explanation> explanation_of(const CaseDiff& c) {
    if (c.explanation.is_null() || !problems_of(c.explanation).empty()) return {};
    return parallax::explanation_of(c.explanation);
}

Grid launches_grid(const CaseDiff& c) {
    Grid grid{"Launches", {"side", "kernel", "groups", "items", "dynamic local bytes"}};
    for (const auto& [key, name] : launch_resources) grid.columns.emplace_back(name);
    for (const auto& [name, side] : {std::pair("A", &c.a), std::pair("B", &c.b)}) {
        if (!side->launches.is_array()) continue;
        for (const Json& launch : side->launches) {
            GridRow row{{name, scalar(member(launch, "name")), extents(member(launch, "groups")),
                         extents(member(launch, "items")), scalar(member(launch, "local_bytes"))}};
            const Json& resources = member(launch, "resources");
            for (const auto& [key, what] : launch_resources) {
                row.cells.emplace_back(scalar(member(resources, key)));
            }
            grid.rows.push_back(std::move(row));
        }
    }
    grid.drop_empty_columns();
    return grid;
}

}  // namespace parallax::report

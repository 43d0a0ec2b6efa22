// Renders documents as JSON, for the scripts of HTML pages.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "common/text/text.hpp"
#include "report/document.hpp"

namespace parallax::report {
namespace {

/// A text alone is a JSON string.
Json json_of(const Cell& cell) {
    Json json{{"text", cell.text}};
    if (cell.value && std::isfinite(*cell.value)) json["value"] = *cell.value;
    if (cell.tone) json["tone"] = tone_name(*cell.tone);
    if (cell.range) json["range"] = {cell.range->low, cell.range->value, cell.range->high};
    return json.size() == 1 ? Json(cell.text) : json;
}

Json json_of(const Column& column) {
    Json json{{"name", column.name}};
    if (!column.key.empty()) json["key"] = column.key;
    if (column.is_number) json["number"] = true;
    if (column.scale) {
        const Scale& scale = *column.scale;
        json["scale"] = {{"low", scale.low},
                         {"high", scale.high},
                         {"band", {scale.band_low, scale.band_high}},
                         {"one", scale.one},
                         {"log", scale.logarithmic}};
    }
    return json;
}

Json json_of(const GridRow& row) {
    Json cells = Json::array();
    for (const Cell& cell : row.cells) cells.push_back(json_of(cell));
    Json json{{"cells", std::move(cells)}};
    if (!row.note.empty()) json["note"] = row.note;
    if (row.tone) json["tone"] = tone_name(*row.tone);
    if (!row.tags.empty()) json["tags"] = row.tags;
    return json;
}

/// The parts of a section by their kinds: a page draws its sentences first, then grids and
/// preformatted parts.
struct ByKind {
    Json& json;

    void operator()(const Paragraph& paragraph) { json["sentences"].push_back(paragraph.text); }
    void operator()(const List& list) {
        for (const std::string& item : list.items) json["sentences"].push_back(item);
    }
    void operator()(const Grid& grid) {
        if (!grid.rows.empty() || !grid.below.empty()) json["grids"].push_back(json_of(grid));
    }
    void operator()(const Texts& texts) {
        for (const Preformatted& text : texts.items) {
            json["texts"].push_back({{"heading", text.heading},
                                     {"lines", text.lines},
                                     {"difference", text.is_difference}});
        }
    }
    void operator()(const Section& section) {
        for (const Block& block : section.blocks) std::visit(*this, block);
    }
    void operator()(const auto&) {}
};

}  // namespace

std::string tone_name(Verdict verdict) {
    std::string name = lower_case(word_of(verdict));
    std::ranges::replace(name, ' ', '-');
    return name;
}

Json json_of(const Grid& grid) {
    Json columns = Json::array(), rows = Json::array();
    for (const Column& column : grid.columns) columns.push_back(json_of(column));
    for (const GridRow& row : grid.rows) rows.push_back(json_of(row));
    return {{"title", grid.title}, {"columns", columns}, {"rows", rows}, {"below", grid.below}};
}

Json json_of(const Section& section) {
    Json json{{"title", section.title}};
    if (!section.is_folded) json["open"] = true;
    ByKind{json}(section);
    return json;
}

Json json_of(const std::vector<Section>& sections) {
    Json list = Json::array();
    for (const Section& section : sections) list.push_back(json_of(section));
    return list;
}

}  // namespace parallax::report

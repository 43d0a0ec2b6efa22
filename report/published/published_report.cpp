// Rows of what was published as documents and as JSON.
#include "report/published/published_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "report/document.hpp"
#include "report/json_text.hpp"

namespace parallax {
namespace {

using namespace report;

constexpr std::string_view how_to_ask =
    "'parallax published ROW' shows a row: its commands, the published figures beside today's, "
    "and what holds. A suite names the rows that it belongs to, and 'all' names all rows.";

constexpr std::string_view how_to_read =
    "'a -> b' compares b with a: the factor (1.4x) says how many times as fast b is, and the "
    "figure is b's. Today's figures are the medians of stored records: the newest run of the "
    "published size, or of the size that most of the compared cases have where none was "
    "published. The rate follows from the suite's own count of the work. Where a figure is "
    "missing, one of the row's commands makes its record.";

/// The rule of the last column.
std::string rule() {
    return fmt::format(
        "A published gain is 'kept' where at least {:.0f} % of it is left (1.4x gains 0.4; of "
        "several cards the smallest gain counts), 'smaller' where less is left, 'gone' where it "
        "is within {:.0f} % of no gain, and 'reversed' where the other case is faster. Where "
        "there was no difference and there is one now, it is a 'new gain' or a 'new loss'.",
        100 * kept_share, 100 * (no_difference - 1));
}

std::vector<DeviceAndApi> places_of(const std::vector<ThenAndNow>& views) {
    std::vector<DeviceAndApi> places;
    for (const ThenAndNow& view : views) {
        for (const DeviceAndApi& place : view.places) add_once(places, place);
    }
    return places;
}

/// The outcomes of the claims that were measured on at least one of these devices.
Grid outcomes_grid(const std::vector<ThenAndNow>& views, const std::vector<DeviceAndApi>& places) {
    Grid grid{.title = {}, .columns = {"row", "claim"}};
    for (const DeviceAndApi& place : places) grid.columns.emplace_back(place.title());
    for (const ThenAndNow& view : views) {
        for (const Claim& claim : view.row->claims) {
            GridRow row{.cells = {Cell(view.row->name, Cell::Style::name), Cell(claim.name)}};
            bool any = false;
            for (const DeviceAndApi& place : places) {
                row.cells.emplace_back(view.outcome(claim, place));
                any = any || !row.cells.back().text.empty();
            }
            if (any) grid.rows.push_back(std::move(row));
        }
    }
    return grid;
}

/// One grid, or on a terminal one for each place: together they would be too wide.
Blocks outcomes(const std::vector<ThenAndNow>& views, bool on_terminal) {
    const std::vector<DeviceAndApi> places = places_of(views);
    if (!on_terminal) return {outcomes_grid(views, places)};
    Blocks blocks;
    for (const DeviceAndApi& place : places) {
        blocks.emplace_back(Section{.title = "What became of it on " + place.title(),
                                    .blocks = {outcomes_grid(views, {place})}});
    }
    return blocks;
}

/// `kept` where that is so at every place; else a word for each place, in their order.
std::string kept_words(const ThenNowLine& line) {
    std::vector<std::string> words;
    for (const ThenNowCell& cell : line.now) {
        words.emplace_back(cell.kept ? name_of(*cell.kept) : "-");
    }
    if (std::ranges::all_of(words, [](const auto& word) { return word == "-"; })) return {};
    if (std::ranges::adjacent_find(words, std::not_equal_to{}) == words.end()) return words[0];
    return fmt::format("{}", fmt::join(words, " / "));
}

std::string cell_text(const ThenNowCell& cell) {
    if (cell.figure.empty() || cell.factor.empty()) return cell.figure + cell.factor;
    return fmt::format("{} ({})", cell.figure, cell.factor);
}

/// The lines of all claims, a column for each source and place.
Grid lines_grid(const ThenAndNow& view) {
    Grid grid{.title = {}, .columns = {"claim", "what"}};
    for (const std::string& source : view.sources) grid.columns.emplace_back("then: " + source);
    for (const DeviceAndApi& place : view.places)
        grid.columns.emplace_back("now: " + place.title());
    grid.columns.emplace_back("kept?");
    const Claim* claim = nullptr;
    for (const ThenNowLine& line : view.lines) {
        GridRow& row = grid.rows.emplace_back(
            GridRow{.cells = {Cell(line.claim == claim ? "" : line.claim->name),
                              Cell(line.what, Cell::Style::name)}});
        claim = line.claim;
        for (const auto* list : {&line.then, &line.now}) {
            for (const ThenNowCell& cell : *list) row.cells.emplace_back(cell_text(cell));
        }
        row.cells.emplace_back(kept_words(line));
    }
    return grid;
}

/// The same of one claim, a row for each source and place: narrow.
Grid claim_grid(const ThenAndNow& view, const Claim& claim) {
    Grid grid{.title = {}, .columns = {"", "", "", {"", "", true}, ""}};
    for (const ThenNowLine& line : view.lines) {
        if (line.claim != &claim) continue;
        std::string what = line.what;
        const auto add = [&](const std::string& where, const ThenNowCell& cell) {
            if (cell.figure.empty() && cell.factor.empty()) return;
            grid.rows.push_back({.cells = {std::exchange(what, ""), where, cell.figure, cell.factor,
                                           cell.kept ? Cell(name_of(*cell.kept)) : Cell("")}});
        };
        for (std::size_t i = 0; i < line.then.size(); ++i) {
            add(view.sources[i] + ", published", line.then[i]);
        }
        for (std::size_t i = 0; i < line.now.size(); ++i) add(view.places[i].title(), line.now[i]);
        if (!what.empty()) grid.rows.push_back({.cells = {what, "nothing", "", "", ""}});
    }
    return grid;
}

Section row_section(const ThenAndNow& view, bool on_terminal) {
    const PublishedRow& row = *view.row;
    Section section{.title = on_terminal ? fmt::format("{}: {}", row.name, row.title) : row.title,
                    .is_markup = true};
    for (const std::string& text : {row.shows, row.note}) {
        if (!text.empty()) section.blocks.emplace_back(Prose{text});
    }
    section.blocks.emplace_back(Texts{{{.heading = {}, .lines = row.commands, .language = "sh"}}});
    std::string claims;
    for (const Claim& claim : row.claims) {
        std::string said = fmt::format("**{}**: {}", claim.name, claim.says);
        if (on_terminal) {
            section.blocks.emplace_back(
                Section{.title = {}, .blocks = {Prose{said}, claim_grid(view, claim)}});
        } else {
            claims += (claims.empty() ? "- " : "\n- ") + said;
        }
    }
    if (!claims.empty()) section.blocks.emplace_back(Prose{std::move(claims)});
    if (!view.lines.empty()) {
        if (!on_terminal) section.blocks.emplace_back(lines_grid(view));
        if (view.places.empty()) {
            section.blocks.emplace_back(
                Paragraph{"There is no record of it yet: the commands above make it."});
        }
    }
    for (const std::string& one : view.failures) section.say(one);
    for (const std::string& one : view.also) section.say(fmt::format("Published of {}.", one));
    if (!view.references.empty()) {
        section.blocks.emplace_back(
            Prose{fmt::format("From: {}.", fmt::join(view.references, "; "))});
    }
    return section;
}

/// @param width  of tables; sentences that are wider than 96 columns are hard to read
std::string drawn(const Document& document, PublishedFormat format, std::size_t width) {
    return format == PublishedFormat::markdown ? markdown_of(document)
                                               : text_of(document, width, false, 96);
}

/// Each is a section of its own, which a terminal separates from what is above.
void add_prose(Blocks& blocks, std::initializer_list<std::string> texts) {
    Section section{.title = {}};
    for (const std::string& text : texts) section.blocks.emplace_back(Prose{text});
    blocks.emplace_back(std::move(section));
}

Json cell_json(const ThenNowCell& cell) {
    Json one{{"figure", cell.figure}, {"factor", cell.factor}};
    if (cell.kept) one["kept"] = name_of(*cell.kept);
    return one;
}

Json row_json(const ThenAndNow& view) {
    Json lines = Json::array();
    for (const ThenNowLine& line : view.lines) {
        Json then = Json::array(), now = Json::array();
        for (std::size_t i = 0; i < line.then.size(); ++i) {
            Json& one = then.emplace_back(cell_json(line.then[i]));
            one["source"] = view.sources[i];
        }
        for (std::size_t i = 0; i < line.now.size(); ++i) {
            Json& one = now.emplace_back(cell_json(line.now[i]));
            one["device"] = view.places[i].device;
            one["backend"] = view.places[i].backend;
        }
        lines.push_back({{"claim", line.claim->name},
                         {"what", line.what},
                         {"then", std::move(then)},
                         {"now", std::move(now)}});
    }
    Json claims = Json::array();
    for (const Claim& claim : view.row->claims) {
        claims.push_back({{"name", claim.name}, {"says", claim.says}});
    }
    return {{"row", view.row->name},
            {"title", view.row->title},
            {"shows", view.row->shows},
            {"note", view.row->note},
            {"commands", view.row->commands},
            {"claims", std::move(claims)},
            {"lines", std::move(lines)},
            {"failures", view.failures},
            {"also", view.also},
            {"documents", view.references}};
}

}  // namespace

std::string published_overview(const std::vector<ThenAndNow>& views, PublishedFormat format,
                               std::size_t width) {
    if (format == PublishedFormat::json) return published_page(views, true, format, width);
    Document document{.title = "What was published, and what became of it", .blocks = {}};
    add_prose(document.blocks, {std::string(how_to_ask)});
    Grid rows{.title = {}, .columns = {"row", "what"}};
    for (const ThenAndNow& view : views) {
        rows.rows.push_back(
            {.cells = {Cell(view.row->name, Cell::Style::name), Cell(view.row->title)}});
    }
    document.blocks.emplace_back(Section{.title = {}, .blocks = {std::move(rows)}});
    add_prose(document.blocks, {rule()});
    std::ranges::move(outcomes(views, format == PublishedFormat::text),
                      std::back_inserter(document.blocks));
    return drawn(document, format, width);
}

std::string published_page(const std::vector<ThenAndNow>& views, bool all, PublishedFormat format,
                           std::size_t width) {
    if (format == PublishedFormat::json) {
        Json rows = Json::array();
        for (const ThenAndNow& view : views) rows.push_back(row_json(view));
        return report::printed({{"rows", rows}, {"rule", rule()}});
    }
    const bool on_terminal = format == PublishedFormat::text;
    Document document;
    if (all && !on_terminal) {
        document.title = "What was published, and what it is today";
        add_prose(document.blocks,
                  {"Made by `parallax published all --format md --results results`; `meson compile "
                   "-C build published-page` renews it.",
                   std::string(how_to_read), rule()});
    }
    const auto add_outcomes = [&] {
        if (!all) return;
        std::ranges::move(outcomes(views, on_terminal), std::back_inserter(document.blocks));
    };
    if (!on_terminal) add_outcomes();
    for (const ThenAndNow& view : views) {
        document.blocks.emplace_back(row_section(view, on_terminal));
    }
    if (on_terminal) add_outcomes();  // the last lines are the first ones visible
    if (on_terminal) add_prose(document.blocks, {std::string(how_to_read), rule()});
    return drawn(document, format, width);
}

}  // namespace parallax

// Writes rows of what was published.
#include "report/published/published_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/text/grouped_messages.hpp"
#include "common/text/text.hpp"
#include "report/json_text.hpp"
#include "report/markdown_words.hpp"

namespace parallax {
namespace {

using report::escaped;
using report::escaped_cell;

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

/// Calls `take` with each view, claim and place of which anything was measured.
template <class Take>
void each_outcome(const std::vector<ThenAndNow>& views, const std::vector<DeviceAndApi>& places,
                  const Take& take) {
    for (const ThenAndNow& view : views) {
        for (const Claim* claim : view.claims) {
            if (!claim->compares()) continue;
            std::vector<std::string> outcomes;
            for (const DeviceAndApi& place : places)
                outcomes.push_back(view.outcome(*claim, place));
            if (std::ranges::any_of(outcomes, [](const auto& one) { return !one.empty(); })) {
                take(view, *claim, outcomes);
            }
        }
    }
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

/// Sentences wider than this are hard to read.
constexpr std::size_t widest_paragraph = 96;

/// Writes rows for a terminal.
class Text {
public:
    /// @param width  columns; none: tables are not wrapped
    explicit Text(std::size_t width) : width_(width) {}

    std::string paragraph(std::string_view text, std::size_t indent = 2) const;
    std::string row(const ThenAndNow&) const;
    std::string outcomes(const std::vector<ThenAndNow>&) const;
    std::string of(const Table& table, std::size_t indent = 4) const {
        return table.text(indent, width_);
    }

private:
    std::size_t width_;
};

std::string Text::paragraph(std::string_view text, std::size_t indent) const {
    if (text.empty()) return {};
    const std::size_t width = std::min(width_, widest_paragraph);
    return std::string(indent, ' ') + wrapped(text, width - indent, indent) + "\n";
}

std::string Text::row(const ThenAndNow& view) const {
    using enum Table::Align;
    const PublishedRow& row = *view.row;
    std::string out = fmt::format("{}: {}\n", row.name, row.title);
    out += paragraph(row.shows) + paragraph(row.note);
    for (const std::string_view command : row.commands) out += fmt::format("    {}\n", command);
    const Claim* claim = nullptr;
    for (const ThenNowLine& line : view.lines) {
        if (line.claim != claim) {
            claim = line.claim;
            out += "\n" + paragraph(fmt::format("{}: {}", claim->name, claim->says));
        }
        Table table({left, left, right, left});
        const auto add = [&](const std::string& where, const ThenNowCell& cell) {
            if (cell.figure.empty() && cell.factor.empty()) return;
            table.add({where, cell.figure, cell.factor,
                       cell.kept ? std::string(name_of(*cell.kept)) : ""});
        };
        for (std::size_t i = 0; i < line.then.size(); ++i) {
            add(view.sources[i] + ", published", line.then[i]);
        }
        for (std::size_t i = 0; i < line.now.size(); ++i) add(view.places[i].title(), line.now[i]);
        const std::string figures = of(table, 6);
        out += paragraph(line.what, 4) + (figures.empty() ? "      nothing\n" : figures);
    }
    if (!view.lines.empty()) out += "\n";
    if (view.places.empty() && !view.lines.empty()) {
        out += paragraph("There is no record of it yet: the commands above make it.");
    }
    for (const std::string& one : view.failures) out += paragraph("- " + one);
    for (const std::string& one : view.also) out += paragraph("Published of " + one + ".");
    for (const std::string& one : view.references) out += paragraph("From: " + one + ".");
    return out + "\n";
}

std::string row_markdown(const ThenAndNow& view) {
    const PublishedRow& row = *view.row;
    std::string out = fmt::format("## {}\n\n{}\n\n", row.title, row.shows);
    if (!row.note.empty()) out += fmt::format("{}\n\n", row.note);
    out += fmt::format("```sh\n{}\n```\n\n", fmt::join(row.commands, "\n"));
    for (const Claim* claim : view.claims) {
        out += fmt::format("- **{}**: {}\n", claim->name, claim->says);
    }
    if (!view.claims.empty()) out += "\n";
    if (!view.lines.empty()) {
        std::vector<std::string> head{"claim", "what"};
        for (const std::string& source : view.sources) {
            head.push_back("then: " + escaped_cell(source));
        }
        for (const DeviceAndApi& place : view.places)
            head.push_back("now: " + escaped_cell(place.title()));
        head.push_back("kept?");
        out += report::head_row(head);
        const Claim* claim = nullptr;
        for (const ThenNowLine& line : view.lines) {
            std::vector<std::string> cells{line.claim == claim ? "" : line.claim->name,
                                           "`" + line.what + "`"};
            claim = line.claim;
            for (const auto& list : {line.then, line.now}) {
                for (const ThenNowCell& cell : list) cells.push_back(escaped_cell(cell_text(cell)));
            }
            cells.push_back(kept_words(line));
            out += report::row(cells);
        }
        out += "\n";
        if (view.places.empty()) {
            out += "There is no record of it yet: the commands above make it.\n\n";
        }
    }
    const std::size_t before = out.size();
    for (const std::string& one : view.failures) out += fmt::format("- {}\n", escaped(one));
    for (const std::string& one : view.also) out += fmt::format("- Published of {}.\n", one);
    if (out.size() > before) out += "\n";
    return out +
           fmt::format("{}{}{}",
                       view.references.empty() ? "" : "From: ", fmt::join(view.references, "; "),
                       view.references.empty() ? "" : ".\n\n");
}

std::string Text::outcomes(const std::vector<ThenAndNow>& views) const {
    using enum Table::Align;
    std::string out;
    for (const DeviceAndApi& place : places_of(views)) {
        Table table({left, left, left});
        std::string_view row;
        each_outcome(views, {place}, [&](const auto& view, const Claim& claim, const auto& words) {
            table.add({row == view.row->name ? "" : std::string(view.row->name), claim.name,
                       words.front()});
            row = view.row->name;
        });
        out += fmt::format("What became of it on {}\n{}\n", place.title(), of(table));
    }
    return out;
}

std::string outcomes_markdown(const std::vector<ThenAndNow>& views) {
    const std::vector<DeviceAndApi> places = places_of(views);
    if (places.empty()) return {};
    std::vector<std::string> head{"row", "claim"};
    for (const DeviceAndApi& place : places) head.push_back(escaped_cell(place.title()));
    std::string out = report::head_row(head);
    each_outcome(views, places, [&](const auto& view, const Claim& claim, const auto& words) {
        std::vector<std::string> cells{fmt::format("`{}`", view.row->name), claim.name};
        cells.insert(cells.end(), words.begin(), words.end());
        out += report::row(cells);
    });
    return out + "\n";
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
    for (const Claim* claim : view.claims) {
        claims.push_back({{"name", claim->name}, {"says", claim->says}});
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
    if (format == PublishedFormat::markdown) {
        std::string out = fmt::format("# What was published, and what became of it\n\n{}\n\n{}",
                                      how_to_ask, report::head_row({"row", "what"}));
        for (const ThenAndNow& view : views) {
            out += report::row({fmt::format("`{}`", view.row->name), std::string(view.row->title)});
        }
        return fmt::format("{}\n{}\n\n{}", out, rule(), outcomes_markdown(views));
    }
    Table rows({Table::Align::left, Table::Align::left});
    for (const ThenAndNow& view : views) {
        rows.add({std::string(view.row->name), std::string(view.row->title)});
    }
    const Text text(width);
    return fmt::format("Rows\n{}\n{}{}{}", text.of(rows), text.outcomes(views),
                       text.paragraph(rule(), 0), text.paragraph(how_to_ask, 0));
}

std::string published_page(const std::vector<ThenAndNow>& views, bool all, PublishedFormat format,
                           std::size_t width) {
    if (format == PublishedFormat::json) {
        Json rows = Json::array();
        for (const ThenAndNow& view : views) rows.push_back(row_json(view));
        return report::printed({{"rows", rows}, {"rule", rule()}});
    }
    std::string out;
    if (format == PublishedFormat::markdown) {
        if (all) {
            out = fmt::format(
                "# What was published, and what it is today\n\nMade by `parallax published all "
                "--format md --results results`.\n\n{}\n\n{}\n\n{}",
                how_to_read, rule(), outcomes_markdown(views));
        }
        for (const ThenAndNow& view : views) out += row_markdown(view);
        return out;
    }
    const Text text(width);
    for (const ThenAndNow& view : views) out += text.row(view);
    if (all) out += text.outcomes(views);
    return out + text.paragraph(how_to_read, 0) + text.paragraph(rule(), 0);
}

}  // namespace parallax

// Rows of what was published as tables: figures of then beside figures of today.
#include "studies/published/published_view.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/rate_unit.hpp"
#include "common/text.hpp"
#include "studies/published/published_cases.hpp"
#include "studies/published/published_lines.hpp"
#include "studies/published/published_missing.hpp"
#include "studies/published/published_occupancy.hpp"

namespace parallax::cli {
namespace {

using Line = PublishedLine;

std::string times_text(double times) {
    return times < 10 ? fmt::format("{:.2f}x", times) : fmt::format("{:.1f}x", times);
}

/// How many times as fast `p` is as `before`.
double faster(const Published& p, const Published& before) {
    return p.unit == Unit::milliseconds ? before.value / p.value : p.value / before.value;
}

bool is_speed(Unit unit) {
    return unit == Unit::milliseconds || unit == Unit::gigabytes_per_second ||
           unit == Unit::gigaflops;
}

std::vector<FigureColumn> published_columns(const std::vector<Line>& lines, bool steps) {
    std::vector<const Published*> kinds;  // the first of each column
    const auto same_kind = [](const Published& a, const Published& b) {
        return a.device == b.device && a.figure == b.figure && a.document == b.document;
    };
    for (const Line& line : lines) {
        for (const Published* p : line.published) {
            if (std::ranges::none_of(kinds, [&](auto* kind) { return same_kind(*kind, *p); })) {
                kinds.push_back(p);
            }
        }
    }
    std::vector<FigureColumn> columns;
    for (const Published* kind : kinds) {
        const auto figure_at = [&](std::size_t i) -> const Published* {
            const auto& list = lines[i].published;
            const auto found = std::ranges::find_if(
                list, [&](const Published* p) { return same_kind(*p, *kind); });
            return found == list.end() ? nullptr : *found;
        };
        FigureColumn column{
            .title = fmt::format("{}{}, published",
                                 kind->device.empty() ? "GPU not named" : kind->device,
                                 kind->figure.empty() ? "" : ", " + kind->figure),
            .cells = std::vector<FigureCell>(lines.size())};
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const Published* p = figure_at(i);
            if (p == nullptr) continue;
            column.cells[i].figure = parallax::text_of(*p);
            if (!steps || !is_speed(p->unit)) continue;
            const auto before =
                step_before(lines, i, [&](std::size_t k) { return figure_at(k) != nullptr; });
            if (before) column.cells[i].step = times_text(faster(*p, *figure_at(*before)));
        }
        columns.push_back(std::move(column));
    }
    return columns;
}

std::string rate_of(const Line& line, const Today& today) {
    const Work work{.bytes = today.bytes, .operations = today.operations};
    if (work.bytes + work.operations <= 0) return {};
    bool by_operations = !work.moves_much();
    if (!line.published.empty()) {
        const Unit unit = line.published.front()->unit;
        if (unit == Unit::gigabytes_per_second) by_operations = false;
        if (unit == Unit::gigaflops) by_operations = true;
    }
    const double done = by_operations ? work.operations : work.bytes;
    const ElementType type = element_type_named(today.type).value_or(ElementType::f32);
    return done > 0 ? rate(done / today.seconds, rate_unit(by_operations, type)) : "";
}

std::string figure_of(const Line& line, const Today& today) {
    if (today.status != Status::ok) return std::string(name_of(today.status));
    std::vector<std::string> words{duration(today.seconds)};
    if (const std::string text = rate_of(line, today); !text.empty()) words.push_back(text);
    if (today.shape.extents != line.what.shape) words.push_back("size " + to_string(today.shape));
    if (const auto others = unusual(today, line.what); !others.empty()) {
        words.push_back(in_words(others));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

class Columns {
public:
    Columns(const std::vector<Line>& lines, const TodaysRecords& records, const PublishedRow& row)
        : lines_(lines), records_(records), row_(row) {}

    void add_to(RowView& view) {
        for (const TodaysRecords::Where& where : records_.where()) {
            const std::vector<const Today*> found = found_on(where);
            if (std::ranges::count(found, nullptr) == std::ssize(found)) continue;
            view.has_today = true;
            view.columns.push_back(column_of(where, found, view));
        }
    }

private:
    std::vector<const Today*> found_on(const TodaysRecords::Where& where) const {
        std::vector<Circumstances> all;
        for (const Line& line : lines_) all.push_back(line.what);
        std::vector<const Today*> found;
        for (Circumstances wanted : all) {
            if (wanted.shape.empty()) {
                wanted.shape = records_.common_shape(all, *wanted.suite, where.device);
            }
            found.push_back(records_.best(wanted, where.device, where.backend));
        }
        return found;
    }

    FigureColumn column_of(const TodaysRecords::Where& where,
                           const std::vector<const Today*>& found, RowView& view) const {
        FigureColumn column{.title = title_of(where),
                            .cells = std::vector<FigureCell>(lines_.size())};
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (found[i] == nullptr) continue;
            column.cells[i] = {figure_of(lines_[i], *found[i]), step_of(i, found)};
            if (found[i]->status != Status::ok && !found[i]->reason.empty()) {
                view.remarks.push_back(fmt::format("{} on {}: {}. {}", view.lines[i], column.title,
                                                   name_of(found[i]->status),
                                                   printable(found[i]->reason, 500)));
            }
        }
        return column;
    }

    std::string step_of(std::size_t i, const std::vector<const Today*>& found) const {
        const auto measured = [&](std::size_t k) {
            return found[k] != nullptr && found[k]->status == Status::ok;
        };
        if (!measured(i)) return {};
        // Times of problems of different sizes are not compared.
        const auto comparable = [&](std::size_t k) {
            return measured(k) && size_of_problem(found[k]->shape.extents) ==
                                      size_of_problem(found[i]->shape.extents);
        };
        for (const Published* p : lines_[i].published) {
            if (p->against.empty()) continue;
            for (std::size_t k = 0; k < lines_.size(); ++k) {
                if (lines_[k].what.variant == lines_[i].what.variant && comparable(k) &&
                    lines_[k].what.constants == p->against) {
                    return fmt::format("{:.2f} times slower than with {}",
                                       found[i]->seconds / found[k]->seconds, in_words(p->against));
                }
            }
        }
        if (!row_.steps) return {};
        const auto before = step_before(lines_, i, comparable);
        return before ? times_text(found[*before]->seconds / found[i]->seconds) : "";
    }

    const std::vector<Line>& lines_;
    const TodaysRecords& records_;
    const PublishedRow& row_;
};

/// What the claims of a row without a table speak of.
std::vector<Circumstances> cases_of(const std::vector<ShapeView>& shapes) {
    std::vector<Circumstances> cases;
    for (const ShapeView& shape : shapes) {
        for (const ClaimStep& step : shape.claim->steps) {
            for (const ClaimedCase* c : {&step.slow, &step.fast}) {
                if (auto line = circumstances_of(*c)) cases.push_back(std::move(*line));
            }
        }
    }
    return cases;
}

}  // namespace

RowView view_of(const PublishedRow& row, const TodaysRecords* records) {
    RowView view{.row = &row};
    const std::vector<Line> lines = lines_of(row);
    const bool with_suite = std::ranges::any_of(
        lines, [&](const Line& line) { return line.what.suite != lines.front().what.suite; });
    const auto refer = [&](const Document& document) {
        const std::string reference = reference_of(document);
        if (std::ranges::find(view.references, reference) == view.references.end()) {
            view.references.push_back(reference);
        }
    };
    for (const Line& line : lines) {
        view.lines.push_back(label_of(line, with_suite));
        for (const Published* p : line.published) refer(*p->document);
    }
    view.columns = published_columns(lines, row.steps);
    for (const Published& p : published()) {
        if (!p.suite.empty() || p.row != row.name) continue;
        refer(*p.document);
        view.also.push_back(fmt::format("{}: {}{}", p.figure, parallax::text_of(p),
                                        p.device.empty() ? "" : ", " + p.device));
    }
    if (row.name == "occupancy") {
        for (const OccupancyExample& example : occupancy_examples()) refer(*example.document);
        for (std::string& sentence : occupancy_examples_today())
            view.also.push_back(std::move(sentence));
    }
    for (const Claim& claim : claims()) {
        if (claim.row == row.name && claim.document != nullptr) refer(*claim.document);
    }
    if (records != nullptr) Columns(lines, *records, row).add_to(view);
    if (row.grid) view.grids = grids_of(*row.grid, records);
    view.shapes = shapes_of(row, records);
    if (records != nullptr) {
        view.experiments = experiments_for(view.shapes, *records);
        std::vector<Circumstances> wanted;
        for (const Line& line : lines) wanted.push_back(line.what);
        if (row.grid) wanted = cells_of(*row.grid);
        if (wanted.empty()) wanted = cases_of(view.shapes);
        view.missing = missing_of(wanted, *records, row.grid.has_value());
    }
    return view;
}

}  // namespace parallax::cli

// Rows of what was published, for a terminal and as Markdown.
#include "report/published/published_print.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text.hpp"
#include "report/markdown_words.hpp"

namespace parallax::cli {
namespace {

using enum Table::Align;

constexpr std::size_t text_width = 96;

/// What to say where there is no figure; empty: there are some.
std::string advice(const RowView& view) {
    if (view.lines.empty() && view.shapes.empty() && view.also.empty()) {
        return "It has no figure to measure: the commands show it.";
    }
    const bool has_shape = [&] {
        for (const ShapeView& shape : view.shapes) {
            if (!shape.outcomes.empty()) return true;
        }
        return false;
    }();
    if (!view.has_today && !has_shape && view.lines.size() + view.shapes.size() > 0) {
        return "There is no record of it yet: the commands above make them.";
    }
    return {};
}

std::string joined(const FigureCell& cell) {
    return cell.step.empty() ? cell.figure : fmt::format("{} ({})", cell.figure, cell.step);
}

void paragraph(const std::string& text, std::ostream& out) {
    if (!text.empty()) out << "  " << wrapped(text, text_width, 2, 2) << "\n";
}

void print_figures_text(const RowView& view, std::ostream& out) {
    Table table({left, left, right, left});
    for (std::size_t i = 0; i < view.lines.size(); ++i) {
        std::string label = view.lines[i];
        for (const FigureColumn& column : view.columns) {
            const FigureCell& cell = column.cells[i];
            if (cell.figure.empty()) continue;
            table.add({label, column.title, cell.figure, cell.step});
            label.clear();
        }
        // Without any figure the variant is named all the same.
        if (!label.empty()) table.add({label});
    }
    if (!view.lines.empty()) out << "\n" << table.text(4) << "\n";
}

void print_grid_text(const GridView& grid, std::ostream& out) {
    std::vector<Table::Align> align(grid.head.size(), right);
    align.front() = left;
    Table table(align);
    table.add(grid.head);
    for (const auto& line : grid.lines) table.add(line);
    out << "  " << grid.title << "\n" << table.text(4) << "\n";
}

void print_shape_text(const ShapeView& shape, std::ostream& out) {
    paragraph(fmt::format("{}: {}", shape.claim->name, shape.claim->says), out);
    Table table({left, left, left});
    for (const ShapeView::Line& line : shape.lines) {
        std::string label = line.step;
        for (std::size_t i = 0; i < line.cells.size(); ++i) {
            if (line.cells[i].empty()) continue;
            table.add({label, shape.columns[i], line.cells[i]});
            label.clear();
        }
    }
    out << table.text(4);
    for (const ShapeView::Outcome& outcome : shape.outcomes) {
        paragraph(fmt::format("{}, {}: {}.", printable(outcome.where.device, 60),
                              printable(outcome.where.backend), outcome.text),
                  out);
    }
    for (const std::string& order : shape.orders) paragraph(order, out);
    out << "\n";
}

void print_experiment_text(const ExperimentView& view, std::ostream& out) {
    paragraph(view.experiment->question, out);
    out << "    " << view.experiment->command << "\n";
    for (const std::string& finding : view.findings) paragraph("- " + finding, out);
    for (const std::string& missing : view.missing) {
        paragraph(fmt::format("- {}: some of it has no record yet.", missing), out);
    }
    out << "\n";
}

void print_figures_markdown(const RowView& view, std::ostream& out) {
    if (view.lines.empty()) return;
    std::vector<std::string> head{"variant"};
    for (const FigureColumn& column : view.columns) {
        head.push_back(report::escaped_cell(column.title));
    }
    out << report::head_row(head);
    for (std::size_t i = 0; i < view.lines.size(); ++i) {
        std::vector<std::string> cells{"`" + view.lines[i] + "`"};
        for (const FigureColumn& column : view.columns) {
            cells.push_back(report::escaped_cell(joined(column.cells[i])));
        }
        out << report::row(cells);
    }
    out << "\n";
}

void print_grid_markdown(const GridView& grid, std::ostream& out) {
    out << report::escaped(grid.title) << "\n\n"
        << report::head_row(report::escaped_cells(grid.head));
    for (const auto& line : grid.lines) out << report::row(report::escaped_cells(line));
    out << "\n";
}

void print_shape_markdown(const ShapeView& shape, std::ostream& out) {
    out << fmt::format("**Shape, {}.** {}\n\n", shape.claim->name, shape.claim->says);
    std::vector<std::string> head{"step"};
    for (const std::string& column : shape.columns) head.push_back(report::escaped_cell(column));
    out << report::head_row(head);
    for (const ShapeView::Line& line : shape.lines) {
        std::vector<std::string> cells{"`" + line.step + "`"};
        for (const std::string& cell : line.cells) cells.push_back(report::escaped_cell(cell));
        out << report::row(cells);
    }
    out << "\n";
    for (const ShapeView::Outcome& outcome : shape.outcomes) {
        out << fmt::format("- {}, {}: **{}**\n",
                           report::escaped(printable(outcome.where.device, 60)),
                           report::escaped(printable(outcome.where.backend)), outcome.text);
    }
    for (const std::string& order : shape.orders) out << "- " << report::escaped(order) << "\n";
    if (!shape.outcomes.empty()) out << "\n";
}

void print_experiment_markdown(const ExperimentView& view, std::ostream& out) {
    out << fmt::format("*{}* `{}`\n\n", view.experiment->question, view.experiment->command);
    for (const std::string& finding : view.findings) {
        out << "- " << report::escaped(finding) << "\n";
    }
    for (const std::string& missing : view.missing) {
        out << fmt::format("- {}: some of it has no record yet.\n", report::escaped(missing));
    }
    out << "\n";
}

std::string lacking(const Missing& missing) {
    return fmt::format("What has no record on {} yet, and what makes it:", missing.title);
}

}  // namespace

void print_text(const RowView& view, std::ostream& out) {
    const PublishedRow& row = *view.row;
    out << fmt::format("{}: {}\n", row.name, row.title);
    paragraph(row.shows, out);
    paragraph(row.note, out);
    for (const std::string& command : row.commands) out << "    " << command << "\n";
    if (view.grids.empty()) print_figures_text(view, out);
    if (!view.grids.empty()) out << "\n";
    for (const GridView& grid : view.grids) print_grid_text(grid, out);
    for (const ShapeView& shape : view.shapes) print_shape_text(shape, out);
    for (const ExperimentView& experiment : view.experiments) {
        print_experiment_text(experiment, out);
    }
    for (const std::string& also : view.also) paragraph("Published of " + also + ".", out);
    for (const std::string& remark : view.remarks) paragraph(remark, out);
    paragraph(advice(view), out);
    for (const Missing& missing : view.missing) {
        paragraph(lacking(missing), out);
        for (const std::string& command : missing.commands) out << "    " << command << "\n";
    }
    for (const std::string& reference : view.references) paragraph("From: " + reference + ".", out);
    out << "\n";
}

void print_markdown(const RowView& view, std::ostream& out) {
    const PublishedRow& row = *view.row;
    out << fmt::format("## {}\n\n{}\n\n", row.title, row.shows);
    if (!row.note.empty()) out << row.note << "\n\n";
    out << "```sh\n" << fmt::format("{}\n", fmt::join(row.commands, "\n")) << "```\n\n";
    if (view.grids.empty()) print_figures_markdown(view, out);
    for (const GridView& grid : view.grids) print_grid_markdown(grid, out);
    for (const ShapeView& shape : view.shapes) print_shape_markdown(shape, out);
    for (const ExperimentView& experiment : view.experiments) {
        print_experiment_markdown(experiment, out);
    }
    for (const std::string& also : view.also) out << "- Published of " << also << ".\n";
    for (const std::string& remark : view.remarks) out << "- " << report::escaped(remark) << "\n";
    if (!view.also.empty() || !view.remarks.empty()) out << "\n";
    if (const std::string text = advice(view); !text.empty()) out << text << "\n\n";
    for (const Missing& missing : view.missing) {
        out << report::escaped(lacking(missing)) << "\n\n"
            << report::fenced("sh", fmt::format("{}\n", fmt::join(missing.commands, "\n"))) << "\n";
    }
    if (!view.references.empty()) {
        out << fmt::format("From: {}.\n\n", fmt::join(view.references, "; "));
    }
}

}  // namespace parallax::cli

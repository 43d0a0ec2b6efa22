// Rows of what was published as tables: figures of then beside figures of today.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "studies/published/published.hpp"
#include "studies/published/published_grid.hpp"
#include "studies/published/published_records.hpp"
#include "studies/published/published_shapes.hpp"

namespace parallax::cli {

/// A cell: a figure and how it compares with the step before.
struct FigureCell {
    std::string figure;  ///< `135.9 ms`, `1.02 ms, 431 GB/s`; empty: there is none
    std::string step;    ///< `1.4x`: so many times as fast as the variant before; or empty
};

/// A column: figures of one device and kind.
struct FigureColumn {
    std::string title;              ///< `GeForce GTX 280, published`, `NVIDIA H100, opencl`
    std::vector<FigureCell> cells;  ///< one a line
};

/// What has no record on a device, and what makes one.
struct Missing {
    std::string title;  ///< `NVIDIA H100 80GB HBM3: opencl, cuda`
    std::vector<std::string> commands;
};

/// A row with all that is known of it.
struct RowView {
    const PublishedRow* row = nullptr;
    std::vector<std::string> lines;  ///< `naive`, `offset OFFSET=1`
    std::vector<FigureColumn> columns;
    std::vector<std::string> also;        ///< published figures that no variant measures
    std::vector<std::string> remarks;     ///< reasons of what is not ok
    std::vector<std::string> references;  ///< documents of the figures, each once
    std::vector<GridView> grids;          ///< stand for the columns where there are any
    std::vector<ShapeView> shapes;
    std::vector<ExperimentView> experiments;
    std::vector<Missing> missing;  ///< on devices that there are records of
    bool has_today = false;        ///< at least one line has a record
};

/// @param records  null: there are none
RowView view_of(const PublishedRow&, const TodaysRecords* records);

}  // namespace parallax::cli

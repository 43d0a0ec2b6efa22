// Claims of documents judged by today's records, and what is looked at where one is not kept.
#pragma once

#include <string>
#include <vector>

#include "studies/published/published_claims.hpp"
#include "studies/published/published_records.hpp"

namespace parallax::cli {

/// A claim beside today's figures.
struct ShapeView {
    struct Line {
        std::string step;                ///< `plain -> staged`
        std::vector<std::string> cells;  ///< one a column: `1.36x`, `0.94x, gone`; or empty
    };
    /// What became of it on one device and backend.
    struct Outcome {
        TodaysRecords::Where where;
        std::string text;  ///< `kept`, `2 kept; 1 gone; 2 reversed`
        bool is_kept = false;
    };
    const Claim* claim = nullptr;
    std::vector<std::string> columns;
    std::vector<Line> lines;
    std::vector<Outcome> outcomes;    ///< of those that have measured some of it
    std::vector<std::string> orders;  ///< sentences: who is slowest, who is fastest
};

/// Claims of a row. @param records  null: there are none
std::vector<ShapeView> shapes_of(const PublishedRow&, const TodaysRecords* records);

/// An experiment and what its records show.
struct ExperimentView {
    const Experiment* experiment = nullptr;
    std::vector<std::string> findings;  ///< one for each device and backend
    std::vector<std::string> missing;   ///< devices and backends without a record of some of it
};

/// Experiments for claims that some device does not keep, about these devices.
std::vector<ExperimentView> experiments_for(const std::vector<ShapeView>&, const TodaysRecords&);

}  // namespace parallax::cli

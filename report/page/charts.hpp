// The numbers of the page's charts, with their units and with what each point says.
#pragma once

#include <string>
#include <vector>

#include "report/grid.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax::report {

/// A unit of a chart, and what one of it is: figures are divided by it.
struct ChartUnit {
    std::string name;  ///< `GB/s`
    double size = 1;
};

/// A line of a curve. Its points are those that were measured.
struct CurveLine {
    struct Point {
        double x = 0, y = 0;  ///< y in the chart's unit
        std::string says;
    };
    std::string label;
    std::vector<Point> points = {};
};

/// Figures over the values of one name.
struct Curve {
    std::string title, note, name, unit;
    std::vector<double> values = {};       ///< ascending
    std::vector<std::string> labels = {};  ///< of the values: `2^20`
    std::vector<CurveLine> lines = {};
};

/// Cases of a diff that are alike in all but one constant or one extent, with a line for each side.
std::vector<Curve> curves_of(const Diff&);
/// A line for each device, and for each value of a second name.
Curve curve_of(const cli::SweepResult&);

/// Rates of one case on one side against what its ceilings allow.
struct RooflinePoint {
    std::size_t at = 0;  ///< place of the case in the diff
    bool is_b = false;
    double x = 0, y = 0;   ///< operations a byte, operations a second in the chart's unit
    std::size_t roof = 0;  ///< its place in Roofline::roofs
    std::string says;
};
struct Roof {
    bool is_b = false;
    double slope = 0, top = 0;  ///< y a unit of x, largest y
    std::string says;
};
struct Roofline {
    std::string unit;
    std::vector<Roof> roofs = {};
    std::vector<RooflinePoint> points = {};
};
/// Of cases with operations, data and measured ceilings.
Roofline roofline_of(const Diff&);

/// Data rates of a case that only moves data.
struct RateBar {
    std::size_t at = 0;   ///< place of the case in the diff
    double a = 0, b = 0;  ///< in GB/s; 0: not measured
    std::string says_a, says_b;
};
struct Rates {
    double ceiling_a = 0, ceiling_b = 0;  ///< of a copy, in GB/s; 0: not known
    std::string note;
    std::vector<RateBar> bars = {};
};
Rates rates_of(const Diff&);

}  // namespace parallax::report

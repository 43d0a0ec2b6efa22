// Draws a bar chart for a terminal, one bar per line.
#pragma once

#include <string>
#include <vector>

namespace parallax {

/// One value of the chart.
struct Bar {
    std::string label;
    double value = 0;
    std::string text;  ///< printed after the bar
};

/// Lines that start with `indent` spaces and have at most `width` columns, if labels and texts
/// leave room for a bar of ten; a full-length bar stands for `most`.
std::string bars_text(const std::vector<Bar>& bars, double most, unsigned width, unsigned indent);

}  // namespace parallax

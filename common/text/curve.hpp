// A curve for a terminal: a bar for each value, one under the other.
#pragma once

#include <string>
#include <vector>

namespace parallax {

/// One value of the curve.
struct Bar {
    std::string label;
    double value = 0;
    std::string text;  ///< stands behind the bar
};

/// Lines that start with `indent` spaces and are `width` columns long at most, as long as labels
/// and texts leave room for a bar of ten; a bar as long as there is room stands for `most`.
std::string bars_text(const std::vector<Bar>& bars, double most, unsigned width, unsigned indent);

}  // namespace parallax

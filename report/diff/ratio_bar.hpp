// A ratio with its interval as a bar on a logarithmic scale round 1.
#pragma once

#include <string>
#include <vector>

#include "studies/diff/diff.hpp"

namespace parallax::report {

/// A scale of an odd number of columns, 1 in the middle, that reaches as far as the ratios do, but
/// not so far that the edges of the margin would fall on the 1.
class RatioBar {
public:
    /// @param columns  an odd number, at least 5
    RatioBar(unsigned columns, double margin, const std::vector<Ratio>& shown);

    /// `┊  ├█┤  ┊`: the margin's edges, the interval, the value; `◄` and `►` for what lies beyond
    /// the scale. A value that is not finite is left out.
    std::string text(const Ratio&) const;
    /// The ratios at both ends and the 1 between them.
    std::string axis() const;

private:
    /// The column in which a ratio is drawn. It may lie outside the scale.
    int column(double ratio) const;

    int middle_;
    double margin_;
    double reach_;  ///< logarithm of the ratio at the right end
};

}  // namespace parallax::report

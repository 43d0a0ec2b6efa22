// Draws a ratio with its interval on a logarithmic scale.
#include "report/diff/ratio_bar.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"

namespace parallax::report {
namespace {

/// The margin takes a quarter of the scale at most, and more than half a column: so what is drawn
/// in the middle lies inside it.
constexpr double least_margins = 4, most_margins_a_column = 1.99;
/// The margin that a bar shows when the diff has none.
constexpr double usual_margin = 0.02;

bool drawable(double ratio) {
    return ratio > 0 && std::isfinite(ratio);
}

}  // namespace

RatioBar::RatioBar(unsigned columns, double margin, const std::vector<Ratio>& shown)
    : middle_(static_cast<int>(columns / 2)), margin_(drawable(margin) ? margin : 0) {
    const double edge = std::log1p(margin_ > 0 ? margin_ : usual_margin);
    double furthest = 0;
    for (const Ratio& ratio : shown) {
        for (const double value : {ratio.value, ratio.low, ratio.high}) {
            if (drawable(value)) furthest = std::max(furthest, std::abs(std::log(value)));
        }
    }
    reach_ = std::clamp(furthest, edge * std::min<double>(least_margins, middle_),
                        edge * most_margins_a_column * middle_);
}

int RatioBar::column(double ratio) const {
    return middle_ + static_cast<int>(std::lround(std::log(ratio) / reach_ * middle_));
}

std::string RatioBar::text(const Ratio& ratio) const {
    const int last = 2 * middle_;
    std::vector<std::string_view> cells(static_cast<std::size_t>(last) + 1, " ");
    const auto cell = [&](int i) -> std::string_view& {
        return cells[static_cast<std::size_t>(i)];
    };
    cell(middle_) = "│";
    if (margin_ > 0) {
        const int edge = std::clamp(column(1 + margin_), middle_ + 1, last);
        cell(edge) = cell(last - edge) = "┊";
    }
    if (drawable(ratio.low) && drawable(ratio.high) && ratio.low <= ratio.high) {
        const int low = column(ratio.low), high = column(ratio.high);
        const int from = std::clamp(low, 0, last), to = std::clamp(high, 0, last);
        for (int i = from; i <= to; ++i) cell(i) = cell(i) == " " ? "─" : "┼";
        if (from < to) {
            cell(from) = "├";
            cell(to) = "┤";
        }
        if (low < 0) cell(0) = "◄";
        if (high > last) cell(last) = "►";
    }
    if (drawable(ratio.value)) {
        const int value = column(ratio.value);
        cell(std::clamp(value, 0, last)) = value < 0 ? "◄" : value > last ? "►" : "█";
    }
    return fmt::format("{}", fmt::join(cells, ""));
}

std::string RatioBar::axis() const {
    const auto middle = static_cast<std::size_t>(middle_);
    std::string low = fmt::format("{:.3g}", std::exp(-reach_));
    std::string high = fmt::format("{:.3g}", std::exp(reach_));
    if (std::max(low.size(), high.size()) >= middle) low = high = "";
    return low + std::string(middle - low.size(), ' ') + "1" +
           std::string(middle - high.size(), ' ') + high;
}

}  // namespace parallax::report

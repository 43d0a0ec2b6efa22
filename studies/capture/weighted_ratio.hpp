// The ratio of a whole from those of its parts.
#pragma once

#include <algorithm>
#include <optional>

#include "common/statistics/ratio.hpp"

namespace parallax {

/// A weighted sum of ratios. The ends of their intervals are added without reduction: one
/// disturbance may affect all.
class WeightedRatio {
public:
    void add(double weight, const Ratio& ratio) {
        weight_ += weight;
        value_ += weight * ratio.value;
        low_ += weight * ratio.low;
        high_ += weight * ratio.high;
        confidence_ = std::max(confidence_, ratio.confidence);
    }
    double weight() const { return weight_; }
    std::optional<Ratio> ratio() const {
        if (!(weight_ > 0)) return {};
        Ratio ratio;
        ratio.value = value_ / weight_;
        ratio.low = low_ / weight_;
        ratio.high = high_ / weight_;
        ratio.confidence = confidence_;
        return ratio;
    }

private:
    double weight_ = 0, value_ = 0, low_ = 0, high_ = 0, confidence_ = 0;
};

}  // namespace parallax

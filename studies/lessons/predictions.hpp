// What the figures of a walk say to the prediction of a step.
#pragma once

#include <string>
#include <vector>

#include "studies/lessons/lesson_numbers.hpp"

namespace parallax {

/// Between which a value lies.
struct Interval {
    double low = 0, high = 0;
};

/// A figure of the prediction's quantity, and where it is from.
struct Measured {
    std::string where;
    double value = 0;
    Interval between;  ///< what the intervals of its times allow
};

/// CUDA's time divided by OpenCL's for each physical device that has both.
void add_ratios(const std::vector<Figure>&, std::vector<Measured>& found);

/// One for each device that decides it, or for each two of a ratio.
/// @param of       that has a quantity (`Prediction::of`)
/// @param figures  of the step
/// @param against  of the one that it is compared with
std::vector<Measured> measured(const Prediction& of, const WalkedStep&,
                               const std::vector<Figure>& figures,
                               const std::vector<Figure>& against, const Walk&);

/// Says which choices are right, and where; or that nothing decides it. A value whose interval
/// spans several choices makes none of them right.
void note_answers(const Prediction&, const std::vector<Measured>&, StepView&);

}  // namespace parallax

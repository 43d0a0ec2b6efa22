// The records of a walk as figures of its devices: tables of them, and what they say to a
// prediction.
#pragma once

#include <string>
#include <vector>

#include "studies/lessons/view.hpp"

namespace parallax {

/// A record of a walk and the device that it is of.
struct Figure {
    const WalkDevice* device;
    const Record& record;

    bool ran() const { return record.timing.has_value(); }
    /// Whether it decides which choice of a prediction is right.
    bool decides() const { return ran() && record.timing->has_interval(); }
};

/// Those of all points of a step, on the devices that the walk names.
std::vector<Figure> figures_of(const WalkedStep&, const Walk&);

/// A row a figure.
/// @param against       figures of the step that it is compared with; empty: none
/// @param against_name  that step's
/// @param with_error  whether the size of errors is what the case is about
FigureTable one_point_table(const std::vector<Figure>&, const std::vector<Figure>& against,
                            const std::string& against_name, bool with_error);

/// A row a point, for each device in turn: what is longest has the longest bar.
FigureTable curve_table(const WalkedStep&, const Walk&);

/// A figure of the prediction's quantity, and where it is from.
struct Measured {
    std::string where;
    double value = 0, low = 0, high = 0;  ///< and what the intervals of its times allow
};

/// CUDA's time divided by OpenCL's for each physical device that has both.
std::vector<Measured> ratios_of(const std::vector<Figure>&);

/// Says which choices are right, and where; or that nothing decides it. A value whose interval
/// spans several choices makes none of them right.
/// @param p        that has a quantity (`Prediction::of`)
/// @param figures  of the step
/// @param against  of the one that it is compared with
void note_answers(const Prediction& p, const WalkedStep&, const std::vector<Figure>& figures,
                  const std::vector<Figure>& against, const Walk&, StepView&);

}  // namespace parallax

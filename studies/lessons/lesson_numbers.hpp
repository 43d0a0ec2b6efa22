// The records of a walk as figures of its devices, and tables of them.
#pragma once

#include <string>
#include <vector>

#include "records/result_set.hpp"
#include "studies/lessons/view.hpp"

namespace parallax {

/// A record and the device that it is of.
struct Figure {
    const WalkDevice* device = nullptr;
    Record record;

    bool ran() const { return record.timing.has_value(); }
    /// Whether it decides which choice of a prediction is right.
    bool decides() const { return ran() && record.timing->has_interval(); }
};

/// Those of a point, on the devices that the walk names.
std::vector<Figure> figures_of(const WalkedPoint&, const Walk&);
/// Those of all points of a step. @param step  null: there are none
std::vector<Figure> figures_of(const WalkedStep* step, const Walk&);

/// The one of a device that ran; null: there is none.
const Figure* of_device(const std::vector<Figure>&, const WalkDevice*);

/// A row a figure.
/// @param against       figures of the step that it is compared with; empty: none
/// @param against_name  that step's
/// @param with_error  whether the size of errors is what the case is about
FigureTable one_point_table(const std::vector<Figure>&, const std::vector<Figure>& against,
                            const std::string& against_name, bool with_error);

/// A row a point, for each device in turn: what is longest has the longest bar.
FigureTable curve_table(const WalkedStep&, const Walk&);

}  // namespace parallax

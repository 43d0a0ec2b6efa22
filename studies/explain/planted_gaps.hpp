// Gaps put into one side on purpose, and the knob that must be named for each.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite.hpp"
#include "studies/explain/workbench.hpp"

namespace parallax {

/// A case whose two sides are the same but for one thing.
struct PlantedGap {
    std::string name;  ///< unique
    std::string what;  ///< was planted, in a few words
    std::string suite, variant;
    Shape shape;
    std::vector<Constant> constants = {};           ///< of both sides
    std::function<void(Configuration&)> base = {};  ///< done to both sides; none: nothing
    std::string backend;                            ///< the side that is changed: `cuda`
    std::function<void(Configuration&)> plant;      ///< the change
    /// The change takes something away that the other side keeps: that is the one which is slow.
    bool on_other = false;
    std::vector<std::string> knobs;  ///< any of these names the cause
};

const std::vector<PlantedGap>& planted_gaps();

/// @throws UsageError when there is none of that name, saying which there are
const PlantedGap& planted_gap_named(std::string_view name);

/// @throws UsageError when a suite or constant is not there
Case case_of(const PlantedGap&);

}  // namespace parallax

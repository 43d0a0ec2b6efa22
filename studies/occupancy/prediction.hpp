// How many work-groups of a case's kernels fit on a unit, by the calculator and by the API.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/record.hpp"
#include "studies/build/built_case.hpp"
#include "studies/occupancy/occupancy.hpp"

namespace parallax {

/// One kernel of a case at one place.
struct OccupancyPrediction {
    std::string kernel;
    std::uint64_t items = 0;                   ///< per work-group
    std::optional<std::uint32_t> registers;    ///< of a work-item; nothing: not known
    std::optional<std::uint32_t> local_bytes;  ///< per work-group, static and dynamic together
    std::optional<Occupancy> predicted = {};
    std::string why_not = {};                      ///< why nothing is predicted; empty: it is
    std::optional<std::uint32_t> api_groups = {};  ///< of a unit, as the API says

    /// `8 groups, 64 of 64 warps, 100 %`, or `-`.
    std::string prediction_text() const;
    /// `8 groups, the same`; `-` where the API does not say.
    std::string api_text() const;
    bool differs() const { return predicted && api_groups && *api_groups != predicted->groups; }
};

/// Fills in the prediction from the known properties of the kernel.
void predict(OccupancyPrediction&, const std::string& capability, const std::string& where);

/// Predictions for the kernels that were built.
std::vector<OccupancyPrediction> predictions_of(const BuiltCase&);
/// Predictions for the kernels of a record, each once.
std::vector<OccupancyPrediction> predictions_of(const Record&);

}  // namespace parallax

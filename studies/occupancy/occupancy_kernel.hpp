// How many groups of a case's kernels a unit holds: what the calculator says and what the API says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/backend.hpp"
#include "common/devices.hpp"
#include "measure/run_case.hpp"
#include "studies/occupancy/occupancy_calculator.hpp"

namespace parallax::cli {

/// One kernel of a case at one place.
struct Prediction {
    std::string kernel;
    std::uint64_t items = 0;                   ///< of a group
    std::optional<std::uint32_t> registers;    ///< of a work-item; nothing: not known
    std::optional<std::uint32_t> local_bytes;  ///< of a group, static and dynamic together
    std::optional<Occupancy> predicted;
    std::string why_not;                      ///< why nothing is predicted; empty: it is
    std::optional<std::uint32_t> api_groups;  ///< of a unit, as the API says; nothing: it does not

    /// `8 groups, 64 of 64 warps, 100 %`, or why not.
    std::string prediction_text() const;
    /// `8 groups, the same`; `-` where the API does not say.
    std::string api_text() const;
    bool differs() const { return predicted && api_groups && *api_groups != predicted->groups; }
};

/// The kernels of a case on a device, or as compiled for an architecture.
struct PredictedOn {
    std::string where;       ///< `cuda:0 (NVIDIA H100)`, `sm_90 (NVRTC 13.0)`
    std::string capability;  ///< empty: none
    std::vector<Prediction> kernels;
    std::string problem;  ///< why there are none; empty: there are
    bool failed = false;  ///< the problem is that it does not compile
};

/// Fills in what is predicted from what is known of the kernel.
void predict(Prediction&, const std::string& capability, const std::string& where);

/// Builds the case's kernels on the device, and launches none.
PredictedOn predict_on(const Entry&, const Case&, const RunContext&);

/// Compiles them for a compute capability, with no device.
/// @throws UsageError when the compiler here does not know it; Unsupported when there is none
PredictedOn predict_for(const Backend&, const std::string& capability, const Case&,
                        const RunContext&);

/// A table of them, and what is not known in words.
std::string predictions_text(const PredictedOn&);
Json predictions_json(const PredictedOn&);

}  // namespace parallax::cli

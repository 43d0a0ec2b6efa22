// Hardware units of NVIDIA's devices, by compute capability.
#pragma once

#include <cstdlib>

#include "common/device/device.hpp"

namespace parallax {

/// Adds the features that follow from the compute capability: `asynchronous_copies` and
/// `matrix_units` from 8.0, `matrix_units_of_doubles` from 9.0 (with the shapes that kernels use),
/// and `matrix_units_of_warpgroups` for 9.0 only.
inline void add_units(DeviceInfo& info) {
    const int major = std::atoi(info.compute_capability.c_str());
    if (major >= 8) info.features.insert({"asynchronous_copies", "matrix_units"});
    if (major >= 9) info.features.insert("matrix_units_of_doubles");
    if (info.compute_capability == "9.0") info.features.insert("matrix_units_of_warpgroups");
}

}  // namespace parallax

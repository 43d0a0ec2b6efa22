// What NVIDIA's devices have instructions for, by their compute capability.
#pragma once

#include <cstdlib>

#include "common/device/device.hpp"

namespace parallax {

/// Adds to the device's features, by its compute capability: `asynchronous_copies` and
/// `matrix_units` from 8.0 on, `matrix_units_of_doubles` from 9.0 on (those with the shapes that
/// kernels ask for), and `matrix_units_of_warpgroups` of 9.0 alone.
inline void add_units(DeviceInfo& info) {
    const int major = std::atoi(info.compute_capability.c_str());
    if (major >= 8) info.features.insert({"asynchronous_copies", "matrix_units"});
    if (major >= 9) info.features.insert("matrix_units_of_doubles");
    if (info.compute_capability == "9.0") info.features.insert("matrix_units_of_warpgroups");
}

}  // namespace parallax

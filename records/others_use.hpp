// Limits for the use of a device by others during a measurement.
#pragma once

namespace parallax {

/// Use by others up to this share is negligible; above it, conclusions from time alone are
/// doubtful, ceilings are not stored, and a fleet report marks the device as busy.
inline constexpr double others_noticed = 0.02;
/// A ceiling measured while others used more than this share is invalid: higher rates are not
/// suspicious.
inline constexpr double disturbed_ceiling = 0.05;

}  // namespace parallax

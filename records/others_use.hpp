// How much others may use a device before its times say less, one place for all who ask.
#pragma once

namespace parallax {

/// Others' use up to this share of a device is an accident of a moment; beyond it what rests on
/// time alone is a doubt, a ceiling is not kept, and in a fleet the device is busy.
inline constexpr double others_noticed = 0.02;
/// A ceiling that was measured while others used more than this share of the device is none: what
/// seems to do more is not suspicious.
inline constexpr double disturbed_ceiling = 0.05;

}  // namespace parallax

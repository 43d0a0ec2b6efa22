// Changes of NVRTC's PTX that keep its meaning, one for each property that a knob is about.
#pragma once

#include <string>

namespace parallax {

/// Arrays in the state space `.const` are declared in `.global`, with the same values, and loads
/// from there go through the read-only path.
/// @returns the PTX as it was where it loads nothing from constant arrays
std::string with_constants_in_global(const std::string& ptx);

/// CUDA's tex2D takes coordinates with a fraction, so whole ones are converted before each fetch.
/// Where both coordinates of a fetch come from such a conversion, the whole ones are used. It fits
/// textures whose coordinates are not normalized and whose filter takes the nearest texel.
/// @returns the PTX as it was where there is no such fetch
std::string with_whole_texels(const std::string& ptx);

}  // namespace parallax

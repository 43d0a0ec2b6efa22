// Texels of NVRTC's PTX fetched by whole coordinates, as OpenCL's read_imagef does with an int2.
#pragma once

#include <string>

namespace parallax {

/// CUDA's tex2D takes coordinates with a fraction, so whole ones are converted before each fetch.
/// Where both coordinates of a fetch come from such a conversion, the whole ones are used. It fits
/// textures whose coordinates are not normalized and whose filter takes the nearest texel.
/// @returns the PTX as it was where there is no such fetch
std::string with_whole_texels(const std::string& ptx);

}  // namespace parallax

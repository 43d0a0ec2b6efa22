// The header of an image file: what it says before the values begin.
#pragma once

#include <string_view>

#include "studies/smooth/image.hpp"

namespace parallax {

/// A header, and where it ends.
struct ImageHeader {
    Image image;            ///< without its values
    std::size_t bytes = 0;  ///< of the header: the first value lies behind
};

/// @throws UsageError as image_from
ImageHeader header_of(std::string_view name, std::string_view bytes);

}  // namespace parallax

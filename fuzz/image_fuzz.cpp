// Fuzzes the reading of images, and that what is written is read again as it was.
//
//     fuzz/run build-fuzz 600 image
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "common/error.hpp"
#include "fuzz/fuzz.hpp"
#include "studies/smooth/image.hpp"

namespace {

using namespace parallax;
using fuzz::demand;

void look_at(const Image& image) {
    demand(image.channels >= 1 && image.channels <= 4);
    demand(image.values.size() == image.width * image.height * image.channels);
    demand(std::ranges::all_of(image.values,
                               [&](std::uint16_t value) { return value <= image.maximum; }));
    const Image again = image_from("x", bytes_of(image, image.format));
    demand(again.values == image.values && again.width == image.width);
    demand(image.tuple_type.empty() || again == image);
}

}  // namespace

int parallax::fuzz::image(const std::uint8_t* data, std::size_t size) {
    try {
        look_at(image_from("x", {reinterpret_cast<const char*>(data), size}));
    } catch (const UsageError& error) {
        const std::string_view what = error.what();
        demand(what.starts_with("x: "));
        demand(std::ranges::none_of(
            what, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }));
    }
    return 0;
}

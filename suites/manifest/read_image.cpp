// Parses an argument of a manifest that is an image or a sampler.
#include <algorithm>
#include <initializer_list>

#include "suites/manifest/node.hpp"

namespace parallax::manifest {
namespace {

/// Parses an image's format: the type of its numbers, and whether they are normalized.
void read_format(const Node& node, ArgumentSpec& argument) {
    const std::string word = node.text("a format");
    const std::string_view type = std::string_view(word).substr(0, word.find(' '));
    argument.image->is_normalized = word.ends_with(" normalized");
    argument.said = value_type_named(type);
    const bool is_known =
        argument.said && !argument.said->is_vector() && element_type_named(argument.said->element);
    if (is_known) {
        const ElementType element = *element_type_named(argument.said->element);
        const bool whole = word.size() == type.size(), small = size_of(element) <= 2;
        if (size_of(element) <= 4 &&
            (whole || (argument.image->is_normalized && small && !is_floating(element) &&
                       word.size() == type.size() + 11))) {
            argument.type = *argument.said;
            return;
        }
    }
    node.expect(
        "float, half, or a type of whole numbers of 32 bits or fewer; those of 8 and of 16 bits "
        "may be normalized: \"uchar normalized\"");
}

}  // namespace

void read_image(const Node& node, ArgumentSpec& argument) {
    node.object(image_keys);
    ImageExtents& image = argument.image.emplace();
    // Formulas are evaluated when the size is known.
    const auto extent = [&](const char* key, std::size_t axis) -> std::uint64_t {
        const auto value = node.find(key);
        if (!value) return 0;
        argument.texels.at(axis) = value->formula();
        if (!value->json().is_number()) return 1;
        const auto most = static_cast<std::int64_t>(most_texels(axis, image));
        return static_cast<std::uint64_t>(value->whole("a number of texels", 1, most));
    };
    node.need("width", "texels of a row");
    image.height = extent("height", 1);
    image.width = extent("width", 0);
    image.is_array = node.find("layers").has_value();
    image.depth = extent(image.is_array ? "layers" : "depth", 2);
    if (image.is_array && node.find("depth")) node.fail("'layers' is next to 'depth'; write one");
    if (image.depth > 0 && image.height == 0) node.need("height", "rows of texels");
    image.channels = static_cast<unsigned>(
        node.need("channels", "numbers of a texel: 1, 2 or 4").whole("1, 2 or 4", 1, 4));
    if (image.channels == 3) node.fail("a texel has 1, 2 or 4 channels");
    read_format(node.need("format", "such as \"float\" or \"uchar normalized\""), argument);
    if (const auto sampler = node.find("sampler")) {
        if (image.height == 0) sampler->fail("texels of one dimension are read by their number");
        argument.sampler = read_sampler(*sampler);
    }
    argument.count = std::to_string(image.channels);
    for (const std::string& one : argument.texels) {
        if (!one.empty()) argument.count += fmt::format(" * ({})", one);
    }
}

Sampler read_sampler(const Node& node) {
    node.object(sampler_keys);
    const auto choice = [&](const char* key, std::initializer_list<std::string_view> words) {
        const Node given = node.need(key, fmt::format("one of {}", fmt::join(words, ", ")));
        const std::string word = given.text("a word");
        const auto* const found = std::ranges::find(words, word);
        if (found == words.end()) given.expect(fmt::format("one of {}", fmt::join(words, ", ")));
        return static_cast<std::uint8_t>(found - words.begin());
    };
    const Sampler sampler{
        static_cast<Sampler::Address>(choice("address", {"edge", "zero", "repeat", "mirror"})),
        choice("normalized", {"no", "yes"}) == 1, choice("filter", {"nearest", "linear"}) == 1};
    if (!sampler.is_possible()) {
        node.fail("only normalized coordinates repeat or are mirrored outside of the image");
    }
    return sampler;
}

}  // namespace parallax::manifest

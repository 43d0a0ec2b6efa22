// Infers from a kernel's body how an image is used.
#include <array>

#include <fmt/format.h>

#include "mapping/analyze/value_type.hpp"
#include "suites/manifest/launch_inference.hpp"

namespace parallax::manifest {

unsigned LaunchInference::axes_of(std::string_view type) {
    if (type == "image1d_buffer_t") return 1;
    if (type == "image2d_t") return 2;
    return type == "image3d_t" || type == "image2d_array_t" ? 3 : 0;
}

void LaunchInference::write_image(GuessedArgument& made, std::size_t p) {
    made.kind = GuessedArgument::Kind::image;
    made.is_array = made.type == "image2d_array_t";
    degree_ = std::max(degree_, static_cast<int>(axes_of(made.type)));
    constexpr std::array words{"width", "height", "depth"};
    for (unsigned axis = 0; axis < axes_of(made.type); ++axis) {
        const std::string name = made.name + "_" + words.at(axis);
        if (const int own = find_member(p, name); own >= 0) {
            used_.insert(own);
            made.texels.at(axis) = value_for(name, "int", own);
            continue;
        }
        Lengths lengths;
        for (const BodyImage& one : body_.images) {
            if (one.parameter != p || axis >= one.most.size() || !one.most[axis]) continue;
            // A neighbour beyond the border is no texel.
            Poly length = settled(*one.most[axis] + Poly(1));
            const auto border = length.terms().find({});
            if (border != length.terms().end() && length.terms().size() > 1) {
                length += Poly(-border->second);
            }
            lengths.push_back(length);
        }
        if (lengths.empty() && axis < dimensions_) lengths.push_back(extents_[axis].count);
        made.texels.at(axis) = lengths.empty() ? "1" : longest(lengths);
    }
    std::string count;
    for (const BodyImage& one : body_.images) {
        if (one.parameter == p) made.type = one.element;
    }
    if (value_type_named(made.type) == std::nullopt) made.type = "float";
    const bool floating = is_float_element(value_type_named(made.type)->element);
    const bool stores = !parameter(p).read_only;  // as its qualifier says
    made.use = stores ? "in_out" : "input";
    made.fill = floating ? "\"random\"" : "{\"random\": [0, 256]}";
    if (stores) note_answer(made.type, {});
    for (const std::string& one : made.texels) {
        const bool is_sum = one.find(" + ") != one.npos || one.find(" - ") != one.npos;
        if (!one.empty()) count += (count.empty() ? "" : " * ") + (is_sum ? "(" + one + ")" : one);
    }
    add_bytes(std::uint64_t{4} * element_bytes(value_type_named(made.type)->element), count);
    note(fmt::format("'{}' is taken to have four channels of {}.", made.name, made.type));
}

}  // namespace parallax::manifest

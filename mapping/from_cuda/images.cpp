// Writes texture and surface objects as images, with a sampler for what CUDA's host says of them.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "common/text/characters.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/from_cuda/opencl_writer.hpp"

namespace parallax::from_cuda {
namespace {

/// A function that reads or writes texels.
struct TexelFunction {
    std::string_view name, image;
    std::size_t axes;  ///< a layer is one
};

constexpr std::array<TexelFunction, 9> functions{{{"tex1Dfetch", "image1d_buffer_t", 1},
                                                  {"tex1D", "image1d_t", 1},
                                                  {"tex2D", "image2d_t", 2},
                                                  {"tex3D", "image3d_t", 3},
                                                  {"tex2DLayered", "image2d_array_t", 3},
                                                  {"surf1D", "image1d_t", 1},
                                                  {"surf2D", "image2d_t", 2},
                                                  {"surf3D", "image3d_t", 3},
                                                  {"surf2DLayered", "image2d_array_t", 3}}};

/// Null: no function of texels.
const TexelFunction* texel_function(std::string_view name) {
    if (name.starts_with("surf")) {
        for (const std::string_view end : {"read", "write"}) {
            if (name.ends_with(end)) name.remove_suffix(end.size());
        }
    }
    const auto* const found = std::ranges::find(functions, name, &TexelFunction::name);
    return found == functions.end() ? nullptr : found;
}

/// The variable that an argument is a copy of.
const Node& copied(const Node& given) {
    const Node* one = &bare(given);
    while (one->parts.size() == 1 &&
           (one->is("CXXConstructExpr") || one->is("MaterializeTemporaryExpr"))) {
        one = &bare(one->parts[0]);
    }
    return *one;
}

/// `uchar` and 4 of `uchar4`; 0: no type of texels.
std::pair<std::string, unsigned> texel_of(const std::string& name) {
    const bool is_vector = name.ends_with('2') || name.ends_with('4');
    const std::string element = name.substr(0, name.size() - (is_vector ? 1 : 0));
    const bool is_known =
        is_one_of(element, {"char", "uchar", "short", "ushort", "int", "uint", "float"});
    const unsigned width = !is_known ? 0 : !is_vector ? 1 : name.back() == '2' ? 2 : 4;
    return {element, width};
}

std::size_t bytes_of(std::string_view element) {
    return element.ends_with("char") ? 1 : element.ends_with("short") ? 2 : 4;
}

}  // namespace

ImageUse OpenClWriter::image_use(const Node& function, const std::string& parameter) const {
    ImageUse use;
    std::set<std::string> seen{parameter};
    find_image_use(function, parameter, use, seen);
    return use;
}

void OpenClWriter::find_image_use(const Node& node, const std::string& variable, ImageUse& use,
                                  std::set<std::string>& seen) const {
    for (const Node& part : node.parts) find_image_use(part, variable, use, seen);
    const bool is_call = is_one_of(node.kind, {"CallExpr", "CXXMemberCallExpr"});
    if (!is_call || node.parts.empty()) return;
    const Node& callee = bare(node.parts[0]);
    const Node* function = definition(callee.refers);
    const TexelFunction* known = function ? nullptr : texel_function(callee.refers_name);
    std::size_t p = 0;
    const auto is_it = [&](const Node& given) {
        const Node& one = copied(given);
        return one.is("DeclRefExpr") && one.refers == variable;
    };
    if (known && std::any_of(node.parts.begin() + 1, node.parts.end(), is_it)) {
        const bool writes = callee.refers_name.ends_with("write");
        use.is_mixed = use.is_mixed || (!use.type.empty() && use.type != known->image);
        use.type = known->image;
        use.is_written = use.is_written || writes;
        use.is_read = use.is_read || !writes;
        use.has_sampler =
            !tree_.is_reading() &&
            (use.has_sampler || (known->name.starts_with("tex") && known->name != "tex1Dfetch"));
        use.texel = writes ? node.parts[1].type : node.type;
    }
    if (!function) return;
    for (const Node& one : function->parts) {
        if (!one.is("ParmVarDecl") || ++p >= node.parts.size()) continue;
        if (is_it(node.parts[p]) && seen.insert(one.id).second)
            find_image_use(*function, one.id, use, seen);
    }
}

std::string FunctionWriter::sampler_of(const std::string& image) const {
    return whole_.fresh_name(image + "_sampler");
}

std::string FunctionWriter::image_parameter(const Node& parameter, const std::string& name) {
    const ImageUse use = whole_.image_use(function_, parameter.id);
    if ((use.is_mixed || (use.is_read && use.is_written)) && !whole_.tree_.is_reading()) {
        whole_.complain(parameter.begin, parameter.name,
                        use.is_mixed
                            ? "it is read as images of several dimensions; pass one object "
                              "for each"
                            : "a surface that one kernel reads and writes is no image of "
                              "OpenCL C 1.2; read one and write another, or use a buffer");
        return {};
    }
    const std::string image = fmt::format(
        "{} {} {}", use.is_written ? use.is_read ? "__read_write" : "__write_only" : "__read_only",
        use.type.empty() ? "image2d_t" : use.type, name);
    const std::string sampler =
        use.has_sampler ? fmt::format(", sampler_t {}", sampler_of(name)) : std::string();
    if (is_kernel_) {
        whole_.remark(
            parameter.begin, parameter.name,
            fmt::format("{}{}: the host makes an image of such texels{}", image,
                        use.texel.empty() ? "" : fmt::format(" of {}", use.texel),
                        use.has_sampler
                            ? fmt::format(", and the sampler '{}' of what cudaTextureDesc says: "
                                          "addressMode, filterMode and normalizedCoords",
                                          sampler_of(name))
                            : ""));
    }
    return image + sampler;
}

std::string FunctionWriter::image_name(const Node& given) {
    const Node& object = copied(given);
    const auto found = known_.find(object.refers);
    if (!object.is("DeclRefExpr") || object.refers_kind != "ParmVarDecl" || found == known_.end()) {
        whole_.complain(
            given.begin, text(given),
            "an image is a parameter of the kernel in OpenCL C, and no variable, element "
            "or member; pass each texture object as a parameter of its own");
        return {};
    }
    return found->second.name;
}

std::string FunctionWriter::image_argument(const Node& given, const Node& function,
                                           const Node& parameter) {
    const std::string name = image_name(given);
    const bool has_sampler = whole_.image_use(function, parameter.id).has_sampler;
    return has_sampler ? fmt::format("{}, {}", name, sampler_of(name)) : name;
}

/// CUDA counts bytes in the first direction of a surface.
std::string FunctionWriter::texel_number(const Node& bytes, std::size_t size) {
    const Node* one = &bare(bytes);
    while (one->parts.size() == 1 && one->is("ImplicitCastExpr")) one = &bare(one->parts[0]);
    if (one->is("BinaryOperator") && one->operation == "*") {
        const Node* factor = &bare(one->parts[1]);
        while (factor->parts.size() == 1 && factor->is("ImplicitCastExpr"))
            factor = &bare(factor->parts[0]);
        const auto type = whole_.type_of(factor->argument_type);
        const bool is_size =
            factor->is("UnaryExprOrTypeTraitExpr") && factor->name == "sizeof" && type;
        if (factor->value == std::to_string(size) && factor->is("IntegerLiteral"))
            return render(one->parts[0]);
        if (is_size) {
            const auto [element, width] = texel_of(whole_.base_name(*type, factor->begin));
            if (type->layers.empty() && width * bytes_of(element) == size)
                return render(one->parts[0]);
        }
    }
    const std::string made = argument(bytes);
    return size == 1 ? made : fmt::format("({}) / {}", made, size);
}

std::string FunctionWriter::image_call(const Node& node, const std::string& name) {
    const TexelFunction* function = texel_function(name);
    const bool is_surface = name.starts_with("surf"), writes = name.ends_with("write");
    const std::size_t image_at = writes ? 1 : 0;
    const std::size_t count = function ? function->axes + 1 + image_at : 0;
    const ReverseRow* row = whole_.rows_.call(name, count, "");
    std::vector<const Node*> given;
    for (std::size_t i = 1; i < node.parts.size() && !node.parts[i].is("CXXDefaultArgExpr"); ++i)
        given.push_back(&node.parts[i]);
    if (!row || given.size() < count) {
        whole_.complain(node.begin, name, *whole_.rows_.refusal("texture"));
        return {};
    }
    if (given.size() > count && bare(*given.back()).refers_name != "cudaBoundaryModeTrap") {
        whole_.complain(
            node.begin, name,
            "what lies outside of an image is not defined in OpenCL C; compare the place "
            "with its size, and leave the mode out");
        return {};
    }
    if (name == "tex1Dfetch") whole_.remark(node.begin, name, row->row->rationale);
    const CudaType type = whole_.known_type(writes ? *given[0] : node);
    const std::string texel = type.layers.empty() ? whole_.base_name(type, node.begin) : "";
    const auto [element, width] = texel_of(texel);
    if (width == 0) {
        whole_.complain(node.begin, name,
                        "texels are of 1, 2 or 4 numbers of char, short, int or float in OpenCL C");
        return {};
    }
    const bool is_float = element == "float", is_unsigned = element.starts_with('u');
    const std::string_view wide = is_float ? "float" : is_unsigned ? "uint" : "int";
    std::vector<std::string> parts{image_name(*given[image_at])};
    if (!is_surface && function->name != "tex1Dfetch") {
        parts.push_back(whole_.tree_.is_reading() ? "0" : sampler_of(parts[0]));
    }
    for (std::size_t i = image_at + 1; i < count; ++i) {
        const bool in_bytes = is_surface && i == image_at + 1;
        parts.push_back(in_bytes ? texel_number(*given[i], width * bytes_of(element))
                                 : argument(*given[i]));
    }
    if (writes) {
        const std::string value = render(*given[0]);
        const bool converts = width > 1 && element != wide;
        const std::string one =
            converts ? fmt::format("convert_{}{}({})", wide, width, value) : value;
        std::string rest;
        for (unsigned i = width; i < 4; ++i) rest += is_float ? ", 0.0f" : ", 0";
        parts.push_back(width == 4 ? one : fmt::format("({}4)({}{})", wide, one, rest));
        whole_.writes_3d_ = whole_.writes_3d_ || function->name == "surf3D";
    }
    // The table's row is that of floats.
    std::string made = with_arguments(row->opencl, parts);
    if (!is_float) made.replace(made.find("imagef") + 5, 1, is_unsigned ? "ui" : "i");
    if (writes) return made;
    made += width == 1 ? ".x" : width == 2 ? ".xy" : "";
    if (element == wide) return made;
    return width == 1 ? fmt::format("(({}){})", element, made)
                      : fmt::format("convert_{}{}({})", element, width, made);
}

}  // namespace parallax::from_cuda

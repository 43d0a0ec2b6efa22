// Describes images and samplers for a manifest, or explains why it cannot.
#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "capture/state.hpp"

namespace parallax::capture {
namespace {

template <class T>
T image_info(cl_mem image, cl_image_info what) {
    T value{};
    state().next.clGetImageInfo(image, what, sizeof(value), &value, nullptr);
    return value;
}

using Name = std::pair<cl_uint, const char*>;

constexpr Name formats[] = {{CL_FLOAT, "float"},
                            {CL_HALF_FLOAT, "half"},
                            {CL_SIGNED_INT8, "char"},
                            {CL_SIGNED_INT16, "short"},
                            {CL_SIGNED_INT32, "int"},
                            {CL_UNSIGNED_INT8, "uchar"},
                            {CL_UNSIGNED_INT16, "ushort"},
                            {CL_UNSIGNED_INT32, "uint"},
                            {CL_SNORM_INT8, "char normalized"},
                            {CL_SNORM_INT16, "short normalized"},
                            {CL_UNORM_INT8, "uchar normalized"},
                            {CL_UNORM_INT16, "ushort normalized"}};
constexpr Name orders[] = {{CL_R, "1"}, {CL_RG, "2"}, {CL_RGBA, "4"}};
constexpr Name addresses[] = {{CL_ADDRESS_NONE, "edge"},
                              {CL_ADDRESS_CLAMP_TO_EDGE, "edge"},
                              {CL_ADDRESS_CLAMP, "zero"},
                              {CL_ADDRESS_REPEAT, "repeat"},
                              {CL_ADDRESS_MIRRORED_REPEAT, "mirror"}};

const char* name_in(const auto& names, cl_uint value) {
    const auto* const found = std::ranges::find(names, value, &Name::first);
    return found == std::end(names) ? "" : found->second;
}

}  // namespace

MemoryObject image_object(cl_mem image, const cl_image_format& format, cl_mem of_buffer) {
    cl_mem_object_type type = 0;
    state().next.clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof(type), &type, nullptr);
    ImageForm form;
    form.region = {image_info<size_t>(image, CL_IMAGE_WIDTH),
                   std::max<size_t>(image_info<size_t>(image, CL_IMAGE_HEIGHT), 1),
                   std::max<size_t>(image_info<size_t>(image, CL_IMAGE_DEPTH), 1)};
    const bool is_array = type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    if (is_array) form.region[2] = image_info<size_t>(image, CL_IMAGE_ARRAY_SIZE);
    form.extents = {{"width", form.region[0]}};
    if (type != CL_MEM_OBJECT_IMAGE1D_BUFFER) form.extents.emplace_back("height", form.region[1]);
    if (is_array) form.extents.emplace_back("layers", form.region[2]);
    if (type == CL_MEM_OBJECT_IMAGE3D) form.extents.emplace_back("depth", form.region[2]);
    form.format = name_in(formats, format.image_channel_data_type);
    const std::string channels = name_in(orders, format.image_channel_order);
    MemoryObject object;
    if (!channels.empty()) form.extents.emplace_back("channels", channels[0] - '0');
    if (type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
        object.why_not = "an image of one dimension that is no buffer's";
    } else if (image_info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS) > 1 ||
               image_info<cl_uint>(image, CL_IMAGE_NUM_SAMPLES) > 1) {
        object.why_not = "an image of several levels or samples";
    } else if (channels.empty()) {
        object.why_not = fmt::format("an image whose channels are in the order 0x{:x}",
                                     format.image_channel_order);
    } else if (form.format.empty()) {
        object.why_not =
            fmt::format("an image of the format 0x{:x}", format.image_channel_data_type);
    }
    object.bytes = form.region[0] * form.region[1] * form.region[2] *
                   image_info<size_t>(image, CL_IMAGE_ELEMENT_SIZE);
    object.parent = of_buffer;
    object.image = std::move(form);
    return object;
}

SamplerForm sampler_form(cl_sampler sampler) {
    const auto ask = [&](cl_sampler_info what) {
        cl_uint value = 0;
        state().next.clGetSamplerInfo(sampler, what, sizeof(value), &value, nullptr);
        return value;
    };
    return {ask(CL_SAMPLER_NORMALIZED_COORDS) != 0 ? "yes" : "no",
            name_in(addresses, ask(CL_SAMPLER_ADDRESSING_MODE)),
            ask(CL_SAMPLER_FILTER_MODE) == CL_FILTER_LINEAR ? "linear" : "nearest"};
}

std::string keep_image(cl_command_queue queue, cl_mem image, const ImageForm& form,
                       std::uint64_t bytes) {
    // As a whole: only boxes can be read.
    std::vector<std::byte> all(bytes);
    const std::array<size_t, 3> origin{};
    const cl_int code =
        state().next.clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), form.region.data(), 0,
                                        0, all.data(), 0, nullptr, nullptr);
    std::size_t at = 0;
    return state().store->keep(bytes, [&](std::span<std::byte> piece) {
        std::memcpy(piece.data(), all.data() + at, piece.size());
        at += piece.size();
        return code == CL_SUCCESS;
    });
}

}  // namespace parallax::capture

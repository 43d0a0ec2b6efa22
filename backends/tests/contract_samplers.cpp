// The contract of devices about reading images through samplers, and writing them.
#include <array>
#include <cmath>
#include <tuple>

#include "backends/tests/contract.hpp"
#include "common/error.hpp"

namespace parallax {
namespace {

/// For each format, a kernel that moves texels, and one that outputs positions.
constexpr const char* text = R"(
const sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void places(__read_only image2d_t in, sampler_t how, __global const float2* at,
                     __global float4* out) {
    out[get_global_id(0)] = read_imagef(in, how, at[get_global_id(0)]);
}
__kernel void floats(__read_only image2d_t in, __write_only image2d_t out) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, plain, at));
}
__kernel void integers(__read_only image2d_t in, __write_only image2d_t out) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagei(out, at, read_imagei(in, plain, at));
}
__kernel void naturals(__read_only image2d_t in, __write_only image2d_t out) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(out, at, read_imageui(in, plain, at));
}
__kernel void rounded(__global const float4* in, __write_only image2d_t out) {
    const int2 at = (int2)(get_global_id(0), 0);
    write_imagef(out, at, in[at.x]);
}
__kernel void volume(__read_only image3d_t in, __read_only image2d_array_t layers,
                     __write_only image2d_array_t out, __global int* sizes) {
    const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imagei(out, at, read_imagei(in, plain, at) + read_imagei(layers, plain, at) * 1000);
    sizes[0] = get_image_width(in);
    sizes[1] = get_image_height(in);
    sizes[2] = get_image_depth(in);
    sizes[3] = (int)get_image_array_size(layers);
    vstore4(get_image_dim(in), 1, sizes);
    vstore2(get_image_dim(layers), 4, sizes);
}
)";

class Samplers : public Contract {
protected:
    void SetUp() override {
        if (!device().info().has("images")) GTEST_SKIP() << "it has no images";
    }
    static Scalar scalar(const Sampler& sampler) {
        const std::uint32_t bits = sampler.bits();
        const auto* first = reinterpret_cast<const std::byte*>(&bits);
        return VectorValue{"sampler_t", {first, first + sizeof(bits)}};
    }
    std::shared_ptr<Memory> image_of(const ImageExtents& extents, const HostArray& texels) {
        const auto image = device().allocate_image(extents, texels.type());
        device().write(*image, texels.bytes());
        return image;
    }
    void launch(const char* kernel, const Size& items, std::vector<Argument> arguments) {
        Program program{.name = "samplers.cl", .source = text};
        run({Dispatch{
            device().compile(program, kernel), {items, {1, 1, 1}}, std::move(arguments)}});
    }
};

constexpr std::array types{ElementType::f32, ElementType::f16, ElementType::i8,  ElementType::u8,
                           ElementType::i16, ElementType::u16, ElementType::i32, ElementType::u32};

/// Bytes that are not NaN in any format.
HostArray some_texels(ElementType type, std::uint64_t elements) {
    HostArray array(type, elements);
    for (std::size_t i = 0; i < array.bytes().size(); ++i) {
        array.bytes()[i] = static_cast<std::byte>((i * 37 + 11) % 120);
    }
    return array;
}

/// The texel index for a coordinate on an axis of `count`; -1: outside, where there is 0.
long long held(double at, long long count, Sampler::Address address) {
    auto place = static_cast<long long>(std::floor(at));
    if (address == Sampler::Address::repeat) return ((place % count) + count) % count;
    if (address == Sampler::Address::mirror) {
        place = ((place % (2 * count)) + 2 * count) % (2 * count);
        return place < count ? place : 2 * count - 1 - place;
    }
    if (address == Sampler::Address::edge) return std::clamp(place, 0LL, count - 1);
    return place < 0 || place >= count ? -1 : place;
}

TEST_P(Samplers, ReadWhereTheyShould) {
    constexpr ImageExtents extents{.width = 7, .height = 5};
    HostArray texels(ElementType::f32, extents.elements());
    for (std::size_t i = 0; i < texels.size(); ++i) {
        texels.as<float>()[i] = static_cast<float>(i * i % 31);
    }
    const auto texel = [&](long long x, long long y) -> double {
        return x < 0 || y < 0 ? 0 : texels.as<float>()[static_cast<std::size_t>(y * 7 + x)];
    };
    const auto image = image_of(extents, texels);
    // None of them is near the border of two texels.
    constexpr std::size_t count = 400;
    HostArray at(ElementType::f32, 2 * count);
    for (std::uint32_t bits = 0; bits < Sampler::count; ++bits) {
        const Sampler sampler = Sampler::of(bits);
        if (!sampler.is_possible()) continue;
        for (std::size_t i = 0; i < count; ++i) {
            const double x = -9.77 + 0.25 * static_cast<double>(i % 100);
            const double y = -6.77 + 4.25 * static_cast<double>(i / 100);
            at.as<float>()[2 * i] = static_cast<float>(sampler.is_normalized ? x / 7 : x);
            at.as<float>()[2 * i + 1] = static_cast<float>(sampler.is_normalized ? y / 5 : y);
        }
        const auto out = device().allocate(count * 16);
        launch("places", {count, 1, 1}, {image, scalar(sampler), device().upload(at), out});
        const HostArray found = device().download(*out, ElementType::f32);
        for (std::size_t i = 0; i < count; ++i) {
            double x = at.as<float>()[2 * i], y = at.as<float>()[2 * i + 1];
            if (sampler.is_normalized) x *= 7, y *= 5;
            double right = 0, allowed = 0;
            if (sampler.is_linear) {
                x -= 0.5, y -= 0.5;
                const double fx = x - std::floor(x), fy = y - std::floor(y);
                for (const int dx : {0, 1}) {
                    for (const int dy : {0, 1}) {
                        right += (dx == 1 ? fx : 1 - fx) * (dy == 1 ? fy : 1 - fy) *
                                 texel(held(x + dx, 7, sampler.address),
                                       held(y + dy, 5, sampler.address));
                    }
                }
                allowed = 31.0 / 64;  // weights have 8 bits, and coordinates of floats are rounded
            } else {
                right = texel(held(x, 7, sampler.address), held(y, 5, sampler.address));
            }
            EXPECT_NEAR(found.as<float>()[4 * i], right, allowed)
                << "sampler " << bits << " at " << x << ", " << y;
            EXPECT_EQ(found.as<float>()[4 * i + 1], 0.0F);
        }
    }
}

TEST_P(Samplers, ATextureObjectIsReadAsTheImageSays) {
    if (device().info().backend == "opencl") GTEST_SKIP() << "it takes no CUDA";
    const Program program{.name = "texture.cu",
                          .source =
                              "extern \"C\" __global__ void look(cudaTextureObject_t in, const "
                              "float* at, float* out) {\n"
                              "    const int i = threadIdx.x;\n"
                              "    out[i] = tex2D<float>(in, at[i], 0.5f);\n}\n",
                          .language = Language::native};
    const auto code = device().compile(program, "look");
    HostArray texels(ElementType::f32, 4), at(ElementType::f32, 3);
    std::ranges::copy(std::array{8.0F, 16.0F, 32.0F, 64.0F}, texels.as<float>().begin());
    using enum Sampler::Address;
    // Coordinates and answers are exact in the eight bits of a texture's weights.
    for (const auto& [sampler, coordinates, right] :
         {std::tuple{Sampler{edge, false, false}, std::array{0.5F, 9.0F, -3.0F},
                     std::array{8.0F, 64.0F, 8.0F}},
          {Sampler{zero, false, false}, {1.5F, 9.0F, -3.0F}, {16.0F, 0.0F, 0.0F}},
          {Sampler{repeat, true, false}, {0.125F, 1.375F, -0.125F}, {8.0F, 16.0F, 64.0F}},
          {Sampler{mirror, true, false}, {0.125F, 1.125F, -0.375F}, {8.0F, 64.0F, 16.0F}},
          {Sampler{repeat, true, true}, {0.25F, 1.0F, -0.25F}, {12.0F, 36.0F, 48.0F}},
          {Sampler{mirror, true, true}, {0.25F, 1.0F, -0.25F}, {12.0F, 64.0F, 12.0F}},
          {Sampler{edge, false, true}, {1.0F, 2.25F, 9.0F}, {12.0F, 28.0F, 64.0F}}}) {
        ImageExtents extents{.width = 4, .height = 1};
        extents.texture = sampler;
        std::ranges::copy(coordinates, at.as<float>().begin());
        const auto out = device().allocate(12);
        run({Dispatch{
            code, {{1, 1, 1}, {3, 1, 1}}, {image_of(extents, texels), device().upload(at), out}}});
        const HostArray found = device().download(*out, ElementType::f32);
        for (std::size_t i = 0; i < right.size(); ++i) {
            EXPECT_EQ(found.as<float>()[i], right.at(i))
                << sampler.bits() << " at " << coordinates.at(i);
        }
    }
}

TEST_P(Samplers, EveryFormatIsReadAndWrittenAsItIs) {
    for (const ElementType type : types) {
        for (const bool is_normalized : {false, true}) {
            if (is_normalized && (size_of(type) > 2 || is_floating(type))) continue;
            const bool is_natural =
                type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32;
            for (const unsigned channels : {1U, 2U, 4U}) {
                // PoCL 3.1 loses halves with one channel.
                if (type == ElementType::f16 && channels == 1 &&
                    GetParam().info.platform.find("Portable") != std::string::npos) {
                    continue;
                }
                ImageExtents extents{.width = 9, .height = 4, .channels = channels};
                extents.is_normalized = is_normalized;
                const HostArray texels = some_texels(type, extents.elements());
                std::shared_ptr<Memory> in, out;
                try {
                    in = image_of(extents, texels);
                    extents.is_written = true;
                    out = image_of(extents, HostArray(type, extents.elements()));
                } catch (const Unsupported&) {
                    EXPECT_EQ(channels, 2U) << "a format that every device has";
                    continue;
                }
                launch(is_normalized || is_floating(type) ? "floats"
                       : is_natural                       ? "naturals"
                                                          : "integers",
                       {9, 4, 1}, {in, out});
                const HostArray found = device().download(*out, type);
                EXPECT_TRUE(std::ranges::equal(found.bytes(), texels.bytes()))
                    << name_of(type) << (is_normalized ? " normalized " : " ") << channels;
            }
        }
    }
}

TEST_P(Samplers, WrittenNumbersAreRoundedAndHeld) {
    HostArray in(ElementType::f32, 12);
    const std::array<float, 12> numbers{0.0F,  1.0F, 0.5F,  0.25F,  2.0F,   -1.0F,
                                        1e30F, 0.2F, -0.5F, -1e30F, 0.999F, 0.001F};
    std::ranges::copy(numbers, in.as<float>().begin());
    for (const bool is_signed : {false, true}) {
        const ElementType type = is_signed ? ElementType::i8 : ElementType::u8;
        const ImageExtents extents{
            .width = 3, .height = 1, .channels = 4, .is_normalized = true, .is_written = true};
        const auto out = image_of(extents, HostArray(type, 12));
        launch("rounded", {3, 1, 1}, {device().upload(in), out});
        const HostArray found = device().download(*out, type);
        for (std::size_t i = 0; i < 12; ++i) {
            const double all = is_signed ? 127 : 255;
            // OpenCL C 3.0, 8.3.1.2: an error of 0.6 is allowed. -1 and less may be -127 or -128.
            const double right = std::clamp(numbers[i] * all, is_signed ? -127.5 : 0.0, all);
            const double got = is_signed ? found.as<std::int8_t>()[i] : found.as<std::uint8_t>()[i];
            EXPECT_NEAR(got, right, 0.6) << numbers[i];
        }
    }
}

TEST_P(Samplers, VolumesAndLayers) {
    ImageExtents extents{.width = 5, .height = 4, .depth = 3};
    HostArray a(ElementType::i32, 60), b(ElementType::i32, 60);
    for (std::size_t i = 0; i < 60; ++i) {
        a.as<std::int32_t>()[i] = static_cast<std::int32_t>(i);
        b.as<std::int32_t>()[i] = static_cast<std::int32_t>(100 - 2 * i);
    }
    const auto volume = image_of(extents, a);
    extents.is_array = true;
    const auto layers = image_of(extents, b);
    extents.is_written = true;
    const auto out = image_of(extents, HostArray(ElementType::i32, 60));
    const auto sizes = upload_ints(std::vector<std::int32_t>(10));
    launch("volume", {5, 4, 3}, {volume, layers, out, sizes});
    EXPECT_EQ(ints(sizes), (std::vector<std::int32_t>{5, 4, 3, 3, 5, 4, 3, 0, 5, 4}));
    const HostArray found = device().download(*out, ElementType::i32);
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_EQ(found.as<std::int32_t>()[i],
                  a.as<std::int32_t>()[i] + 1000 * b.as<std::int32_t>()[i]);
    }
}

TEST_P(Samplers, AnImageThatIsOnlyReadIsNotWritten) {
    const ImageExtents extents{.width = 9, .height = 4};
    const auto image = image_of(extents, HostArray(ElementType::f32, 36));
    EXPECT_THROW(launch("floats", {9, 4, 1}, {image, image}), UsageError);
}

INSTANTIATE_TEST_SUITE_P(Devices, Samplers, testing::ValuesIn(all_devices()), name_of_device);

}  // namespace
}  // namespace parallax

// The contract of devices about images, unless they report that they have none.
#include <numeric>

#include "backends/tests/contract.hpp"
#include "common/error.hpp"

namespace parallax {
namespace {

class Images : public Contract {
protected:
    void SetUp() override {
        if (!device().info().has("images")) {
            EXPECT_THROW(device().allocate_image({4, 4}, ElementType::f32), Unsupported);
            GTEST_SKIP() << "it has no images";
        }
    }
    template <class T>
    static HostArray counted(ElementType type, const ImageExtents& extents) {
        HostArray array(type, extents.elements());
        std::iota(array.as<T>().begin(), array.as<T>().end(), T(3));
        return array;
    }
    std::shared_ptr<Memory> image_of(const ImageExtents& extents, const HostArray& texels) {
        const auto image = device().allocate_image(extents, texels.type());
        device().write(*image, texels.bytes());
        return image;
    }
    /// The output of a launch with one work-item per texel.
    HostArray read_by(const char* kernel, const std::shared_ptr<Memory>& image, ElementType type) {
        const ImageExtents& extents = *image->image();
        const std::uint64_t height = std::max<std::uint64_t>(extents.height, 1);
        const auto out = device().allocate(extents.width * height * 4 * size_of(type));
        run({Dispatch{device().compile(contract_program(), kernel),
                      {{extents.width, height, 1}, {1, 1, 1}},
                      {image, out}}});
        return device().download(*out, type);
    }
};

TEST_P(Images, OfOneChannelAreReadTexelByTexel) {
    const ImageExtents extents{.width = 5, .height = 3};
    const HostArray in = counted<float>(ElementType::f32, extents);
    const HostArray out = read_by("texels", image_of(extents, in), ElementType::f32);
    for (std::size_t i = 0; i < extents.elements(); ++i) {
        EXPECT_EQ(out.as<float>()[4 * i], in.as<float>()[i]) << i;
        EXPECT_EQ(out.as<float>()[4 * i + 1], 0.0f) << "a channel that there is not";
        EXPECT_EQ(out.as<float>()[4 * i + 3], 1.0f) << "the fourth that there is not";
    }
}

TEST_P(Images, OfFourChannelsOfIntegers) {
    const ImageExtents extents{.width = 3, .height = 7, .channels = 4};
    const HostArray in = counted<std::int32_t>(ElementType::i32, extents);
    const HostArray out = read_by("whole_texels", image_of(extents, in), ElementType::i32);
    EXPECT_TRUE(std::ranges::equal(out.as<std::int32_t>(), in.as<std::int32_t>()));
}

TEST_P(Images, OfABuffersTexels) {
    for (const unsigned channels : {1u, 4u}) {
        const ImageExtents extents{.width = 1031, .channels = channels};
        const HostArray in = counted<std::uint32_t>(ElementType::u32, extents);
        const HostArray out =
            read_by("texels_of_a_buffer", image_of(extents, in), ElementType::u32);
        const auto texels = out.as<std::uint32_t>(), kept = in.as<std::uint32_t>();
        for (std::size_t i = 0; i < extents.width; ++i) {
            EXPECT_EQ(texels[4 * i], kept[channels * i]) << i;
            // PoCL returns 0 for a buffer's missing fourth channel.
            if (channels == 1 && GetParam().info.backend == "opencl") continue;
            EXPECT_EQ(texels[4 * i + 3], channels == 4 ? kept[4 * i + 3] : 1u) << i;
        }
    }
}

TEST_P(Images, AreWrittenAndReadAsAWhole) {
    for (const std::uint64_t height : {0u, 5u}) {
        const ImageExtents extents{.width = 37, .height = height};
        const HostArray in = counted<float>(ElementType::f32, extents);
        const auto image = image_of(extents, in);
        EXPECT_EQ(image->bytes(), in.bytes().size());
        EXPECT_EQ(image->guard(), 0u);
        const HostArray back = device().download(*image, ElementType::f32);
        EXPECT_TRUE(std::ranges::equal(back.as<float>(), in.as<float>()));
        EXPECT_THROW(device().write(*image, in.bytes().first(4)), UsageError);
        std::vector<std::byte> part(8);
        EXPECT_THROW(device().read(*image, part), UsageError);
        EXPECT_THROW(device().read(*image, part, 8), UsageError);
    }
}

TEST_P(Images, ThatCannotBeAreRefusedWithBothSizes) {
    const DeviceInfo& info = device().info();
    const auto refused = [&](const ImageExtents& extents, std::uint64_t allowed) {
        try {
            device().allocate_image(extents, ElementType::f32);
            ADD_FAILURE() << "made";
        } catch (const UsageError& error) {
            const std::string what = error.what();
            EXPECT_NE(what.find(std::to_string(extents.width)), std::string::npos) << what;
            EXPECT_NE(what.find(std::to_string(allowed)), std::string::npos) << what;
        }
    };
    refused({.width = info.max_image_width + 1, .height = 1}, info.max_image_width);
    refused({.width = 1, .height = info.max_image_height + 1}, info.max_image_height);
    refused({.width = info.max_image_texels + 1}, info.max_image_texels);
    refused({.width = ~std::uint64_t{0}, .height = ~std::uint64_t{0}}, info.max_image_width);
    EXPECT_THROW(device().allocate_image({.width = 0, .height = 4}, ElementType::f32), UsageError);
    EXPECT_THROW(device().allocate_image({4, 4, 3}, ElementType::f32), UsageError);
    EXPECT_THROW(device().allocate_image({4, 4}, ElementType::f64), UsageError);
}

TEST_P(Images, AndBuffersDoNotStandForEachOther) {
    const auto image = device().allocate_image({.width = 4, .height = 4}, ElementType::f32);
    const auto line = device().allocate_image({.width = 16}, ElementType::u32);
    const auto buffer = device().allocate(256);
    const auto texels = device().compile(contract_program(), "texels");
    const auto of_buffer = device().compile(contract_program(), "texels_of_a_buffer");
    const auto launch = [&](const std::shared_ptr<const Code>& code,
                            const std::shared_ptr<Memory>& first,
                            const std::shared_ptr<Memory>& second) {
        run({Dispatch{code, {}, {first, second}}});
    };
    EXPECT_THROW(launch(texels, buffer, buffer), UsageError);
    EXPECT_THROW(launch(texels, image, image), UsageError);
    EXPECT_THROW(launch(texels, line, buffer), UsageError);
    EXPECT_THROW(launch(of_buffer, image, buffer), UsageError);
    EXPECT_THROW(run({Copy{buffer, image, 0, 0, 64}}), UsageError);
    EXPECT_THROW(run({Copy{image, buffer, 0, 0, 64}}), UsageError);
    EXPECT_THROW(run({Fill{image, 0, 64, 0}}), UsageError);
}

INSTANTIATE_TEST_SUITE_P(Devices, Images, testing::ValuesIn(all_devices()), name_of_device);

}  // namespace
}  // namespace parallax

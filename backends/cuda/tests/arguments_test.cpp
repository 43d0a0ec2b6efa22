// Tests arguments that fit a kernel's parameters, and those that do not.
#include "backends/cuda/launch_arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"

namespace parallax::cuda::arguments_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// __kernel void k(__global const float* in, const ulong n, const float a, __local float* part)
const Signature declared{"k",
                         {{Parameter::Kind::global, "float", "in", true},
                          {Parameter::Kind::scalar, "ulong", "n"},
                          {Parameter::Kind::scalar, "float", "a"},
                          {Parameter::Kind::local, "float", "part"}}};
const PtxKernel compiled{"k",
                         {{PtxParameter::Kind::integer, 8},
                          {PtxParameter::Kind::integer, 8},
                          {PtxParameter::Kind::floating, 4}}};

Argument buffer() {
    return std::make_shared<Memory>(16, 0);
}
Argument number(Scalar value) {
    return value;
}

void check(std::vector<Argument> arguments, std::uint32_t local_bytes = 64) {
    if (local_bytes > 0) arguments.emplace_back(LocalBytes{local_bytes});
    check_arguments(&declared, compiled, arguments);
}
void check_native(const std::vector<Argument>& arguments) {
    check_arguments(nullptr, compiled, arguments);
}

TEST(Arguments, ThatFit) {
    check({buffer(), number(std::uint64_t{3}), number(2.0f)});
    check({buffer(), number(std::int64_t{3}), number(2.0f)});
    check_native({buffer(), number(std::uint64_t{3}), number(2.0f)});
}

TEST(Arguments, ImagesAndBuffersDoNotStandForEachOther) {
    const Signature reads{"k",
                          {{Parameter::Kind::image, "image2d_t", "picture", true},
                           {Parameter::Kind::image, "image1d_buffer_t", "line", true},
                           {Parameter::Kind::global, "float", "out"}}};
    const PtxKernel built{"k",
                          {{PtxParameter::Kind::integer, 8},
                           {PtxParameter::Kind::integer, 8},
                           {PtxParameter::Kind::integer, 8}}};
    const auto flat = std::make_shared<Memory>(ImageExtents{4, 4}, ElementType::f32);
    const auto line = std::make_shared<Memory>(ImageExtents{16}, ElementType::f32);
    const auto plain = std::make_shared<Memory>(16, 0);
    using Three = std::vector<Argument>;
    check_arguments(&reads, built, Three{flat, line, plain});
    const auto refused = [&](const Three& arguments, const char* words) {
        EXPECT_THAT([&] { check_arguments(&reads, built, arguments); },
                    ThrowsMessage<UsageError>(HasSubstr(words)));
    };
    refused({plain, line, plain}, "is a buffer: it must fit 'picture', an image (image2d_t)");
    refused({line, line, plain}, "is an image of one dimension: it must fit 'picture'");
    refused({flat, flat, plain}, "is an image of two dimensions: it must fit 'line'");
    refused({flat, line, line}, "is an image of one dimension: it must fit 'out', a buffer");
}

TEST(Arguments, Count) {
    EXPECT_THAT(
        [] {
            check({buffer(), number(std::uint64_t{3})});
        },
        ThrowsMessage<UsageError>(HasSubstr("takes 4 argument(s), and the launch has 3")));
    EXPECT_THROW(check({buffer(), number(std::uint64_t{3}), number(2.0f), number(2.0f)}),
                 UsageError);
    EXPECT_THROW(check_native({}), UsageError);
}

TEST(Arguments, Types) {
    EXPECT_THAT(
        [] {
            check({buffer(), number(std::uint32_t{3}), number(2.0f)});
        },
        ThrowsMessage<UsageError>(
            HasSubstr("Argument 2 of kernel 'k' is the uint 3: it must fit 'n', of type ulong.")));
    EXPECT_THROW(check({buffer(), number(std::uint64_t{3}), number(2.0)}), UsageError);
    EXPECT_THROW(check({buffer(), number(std::uint64_t{3}), number(2)}), UsageError);
    EXPECT_THROW(check_native({buffer(), number(std::uint64_t{3}), number(2)}), UsageError);
    EXPECT_THROW(check_native({buffer(), number(3.0), number(2.0f)}), UsageError);
}

TEST(Arguments, BuffersAreNoNumbers) {
    EXPECT_THAT(
        [] {
            check({number(std::uint64_t{8}), number(std::uint64_t{3}), number(2.0f)});
        },
        ThrowsMessage<UsageError>(HasSubstr("'in', a buffer of float")));
    EXPECT_THROW(check({buffer(), buffer(), number(2.0f)}), UsageError);
}

TEST(Arguments, DynamicLocalMemory) {
    EXPECT_THAT(
        [] {
            check({buffer(), number(std::uint64_t{3}), number(2.0f)}, 0);
        },
        ThrowsMessage<UsageError>(HasSubstr("takes 4 argument(s), and the launch has 3")));
    EXPECT_THAT(
        [] {
            check({buffer(), number(std::uint64_t{3}), number(2.0f), number(2.0f)}, 0);
        },
        ThrowsMessage<UsageError>(HasSubstr("'part', local memory of float")));
    Signature without = declared;
    without.parameters.pop_back();
    EXPECT_THROW(check_arguments(&without, compiled,
                                 std::vector<Argument>{buffer(), number(std::uint64_t{3}),
                                                       number(2.0f), LocalBytes{64}}),
                 UsageError);
}

TEST(Arguments, FurtherLocalMemoryIsAnOffset) {
    // k(__local a, buffer, __local b, int): the second local parameter is its offset.
    const PtxKernel two{"k",
                        {{PtxParameter::Kind::integer, 8},
                         {PtxParameter::Kind::integer, 4},
                         {PtxParameter::Kind::integer, 4}}};
    const auto fits = [&](const std::vector<Argument>& arguments) {
        check_arguments(nullptr, two, arguments);
    };
    EXPECT_NO_THROW(fits({LocalBytes{4}, buffer(), LocalBytes{4}, number(1)}));
    EXPECT_NO_THROW(fits({buffer(), LocalBytes{4}, LocalBytes{4}, number(1)}));
    EXPECT_THROW(fits({LocalBytes{4}, LocalBytes{4}, buffer(), number(1)}), UsageError);
    EXPECT_THROW(fits({buffer(), LocalBytes{4}, number(1)}), UsageError);
}

TEST(Arguments, OffsetsOfLocalMemoryAreAligned) {
    const LocalLayout layout = local_layout(
        std::vector<Argument>{LocalBytes{4}, buffer(), LocalBytes{300}, number(1), LocalBytes{8}});
    EXPECT_EQ(layout.offsets, (std::vector<std::uint32_t>{0, 128, 512}));
    EXPECT_EQ(layout.bytes, 520u);
    EXPECT_EQ(local_layout({}).bytes, 0u);
}

TEST(Arguments, VectorsAndSmallNumbers) {
    const PtxKernel kernel{"k", {{PtxParameter::Kind::bits, 16}, {PtxParameter::Kind::integer, 2}}};
    const auto fits = [&](const std::vector<Argument>& arguments) {
        check_arguments(nullptr, kernel, arguments);
    };
    const VectorValue four{"float4", std::vector<std::byte>(16)};
    EXPECT_NO_THROW(fits({number(four), number(std::int16_t{1})}));
    EXPECT_NO_THROW(fits({number(four), number(Half(1.0))}));
    EXPECT_THROW(fits({number(four), number(1)}), UsageError);
    EXPECT_THROW(fits({number(VectorValue{"float2", std::vector<std::byte>(8)}), number(Half())}),
                 UsageError);
}

}  // namespace
}  // namespace parallax::cuda::arguments_test

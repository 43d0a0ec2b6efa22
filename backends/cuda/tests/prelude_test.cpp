// Tests that every definition of the prelude compiles with NVRTC, for every type.
#include "mapping/prelude/prelude.hpp"

#include <array>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/nvrtc.hpp"
#include "mapping/tests/prelude_keys.hpp"

namespace parallax::cuda::prelude_test {
namespace {

using testing::HasSubstr;

constexpr std::array all_widths{1u, 2u, 3u, 4u, 8u, 16u};

class PreludeInNvrtc : public testing::Test {
protected:
    void SetUp() override {
        if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    }

    /// The PTX, for the oldest architecture; every warning is a failure.
    static std::string ptx_of(const std::string& text, std::vector<std::string> options = {}) {
        options.push_back("--std=c++17");
        options.push_back(fmt::format("--gpu-architecture=compute_{}", nvrtc().architectures()[0]));
        const NvrtcOutput output = nvrtc().compile(text, "prelude.cu", options);
        EXPECT_TRUE(output.ok) << output.log.substr(0, 3000);
        EXPECT_EQ(output.log.substr(0, 3000), "");
        return output.ptx;
    }

    /// Code of each function, which unused inline functions do not have.
    static std::string code_of(std::string text) {
        const std::string_view inlined = "__device__ inline ";
        for (std::size_t at = text.find(inlined); at != text.npos; at = text.find(inlined, at)) {
            text.replace(at, inlined.size(), "__device__ ");
        }
        return ptx_of(text, {"--relocatable-device-code=true"});
    }

    static std::string text_of(std::vector<std::string> keys) {
        return prelude_of({keys.begin(), keys.end()});
    }
};

TEST_F(PreludeInNvrtc, EveryKeyOfEveryType) {
    std::vector<std::string> words = parallax::prelude_tests::vector_words();
    for (std::string& word : parallax::prelude_tests::conversion_words(vector_elements)) {
        words.push_back(std::move(word));
    }
    const auto keys = parallax::prelude_tests::keys_of(words, vector_elements, all_widths);
    ASSERT_GT(keys.size(), 10'000u);
    std::string text = text_of(keys);
    for (const std::string_view element : vector_elements) {
        for (const unsigned width : vector_widths) {
            text += fmt::format("static_assert(sizeof({0}) == {1} && alignof({0}) == {1});\n",
                                cuda_name({element, width}),
                                element_bytes(element) * (width == 3 ? 4 : width));
        }
    }
    ptx_of(text);
}

TEST_F(PreludeInNvrtc, CodeOfEveryFunctionUpToFour) {
    constexpr std::array widths{1u, 3u, 4u};
    for (const std::string_view element : vector_elements) {
        SCOPED_TRACE(element);
        const std::array one{element};
        const auto keys =
            parallax::prelude_tests::keys_of(parallax::prelude_tests::vector_words(), one, widths);
        code_of(text_of(keys));
    }
}

TEST_F(PreludeInNvrtc, ConversionsAreTheInstructionsOfTheirMode) {
    constexpr std::array scalar{1u};
    std::vector<std::string> words = parallax::prelude_tests::conversion_words(vector_elements);
    const auto keys = parallax::prelude_tests::keys_of(words, vector_elements, scalar);
    const std::string ptx = code_of(text_of(keys));
    for (const char* instruction :
         {"cvt.rn.f16.f32", "cvt.rz.f16.f32", "cvt.rp.f16.f32", "cvt.rm.f16.f32", "cvt.rn.f16.f64",
          "cvt.rz.f16.f64", "cvt.rp.f16.f64", "cvt.rm.f16.f64", "cvt.f32.f16", "cvt.rz.f32.s32",
          "cvt.rp.f32.u32", "cvt.rm.f32.s64", "cvt.rz.f32.u64", "cvt.rp.f64.s64", "cvt.rm.f64.u64",
          "cvt.rz.f32.f64", "cvt.rp.f32.f64", "cvt.rm.f32.f64", "cvt.rn.f32.f64"}) {
        EXPECT_THAT(ptx, HasSubstr(instruction));
    }
}

TEST_F(PreludeInNvrtc, EachModeIsItsOwnInstruction) {
    constexpr std::array<std::array<std::string_view, 2>, 4> modes{
        {{"_rte", "rn"}, {"_rtz", "rz"}, {"_rtp", "rp"}, {"_rtn", "rm"}}};
    for (const auto& [suffix, ptx_mode] : modes) {
        const auto use = [&](std::string_view from, std::string_view to) {
            const ValueType source{from, 1}, target{to, 1};
            return ptx_of(prelude_of({fmt::format("{} convert_{}{}", from, to, suffix)}) +
                          fmt::format("extern \"C\" __global__ void k({1}* to, {0} x) "
                                      "{{ *to = convert_{2}{3}(x); }}\n",
                                      cuda_name(source), cuda_name(target), to, suffix));
        };
        EXPECT_THAT(use("int", "float"), HasSubstr(fmt::format("cvt.{}.f32.s32", ptx_mode)));
        EXPECT_THAT(use("ulong", "double"), HasSubstr(fmt::format("cvt.{}.f64.u64", ptx_mode)));
        EXPECT_THAT(use("double", "float"), HasSubstr(fmt::format("cvt.{}.f32.f64", ptx_mode)));
        EXPECT_THAT(use("double", "half"), HasSubstr(fmt::format("cvt.{}.f16.f64", ptx_mode)));
        EXPECT_THAT(use("float", "half"), HasSubstr(fmt::format("cvt.{}.f16.f32", ptx_mode)));
        const std::string store =
            ptx_of(prelude_of({fmt::format("half vstore_half2{}", suffix)}) +
                   fmt::format("extern \"C\" __global__ void k(half* to, float2 v) "
                               "{{ vstore_half2{}(v, 1, to); }}\n",
                               suffix));
        EXPECT_THAT(store, HasSubstr(fmt::format("cvt.{}.f16.f32", ptx_mode)));
    }
    EXPECT_THAT(ptx_of(prelude_of({"half vload_half"}) +
                       "extern \"C\" __global__ void k(float* to, const half* p) "
                       "{ *to = vload_half(3, p); }\n"),
                HasSubstr("cvt.f32.f16"));
}

/// Literals of other types, templates, and memory of every kind, for every type at once: no call is
/// ambiguous.
TEST_F(PreludeInNvrtc, CallsWithLiteralsAreNotAmbiguous) {
    std::vector<std::string> keys;
    std::string kernels;
    for (const std::string_view element : vector_elements) {
        if (element == "half") continue;
        for (const unsigned width : {2u, 3u, 4u, 8u}) {
            const ValueType type{element, width};
            const std::string cuda = cuda_name(type), name = name_of(type);
            for (const std::string_view word :
                 {"+", "*", "*=", "<", "&&", "choose", "select", "ordered", "splat", "++", "neg"}) {
                keys.push_back(fmt::format("{} {}", name, word));
            }
            keys.push_back(fmt::format("{} select", element));
            const std::string pair = cuda_name({element, 2});
            const std::string mixture = width == 2   ? "n, 2.0f"
                                        : width == 3 ? "1, pair"
                                        : width == 4 ? "pair, n, 1u"
                                                     : "1, pair, pair, 'a', pair";
            keys.push_back(name + (width == 3   ? " make 1 2"
                                   : width == 4 ? " make 2 1 1"
                                                : " make 1 2 2 1 2"));
            kernels += fmt::format(
                "__constant__ {0} constants_{1}[2] = {{}};\n"
                "extern \"C\" __global__ void use_{1}({0}* p, {2} pair, size_t n, long long m) {{\n"
                "    __shared__ {0} tile[4];\n"
                "    {0} v = p[0] * 2 + 2.0f * p[1] + 3u * p[2] + 1 + 'a' + n + m * p[3];\n"
                "    v *= 2; v *= 1.5f; v *= v; ++v; v++;\n"
                "    tile[threadIdx.x] = -v + constants_{1}[1];\n"
                "    __syncthreads();\n"
                "    v = choose(v < 1, v, tile[0]) + choose(1.0f < v, v, 1) + choose(v && 1, 0, "
                "v);\n"
                "    p[4] = select(v, {3}({4}), p[7] < v) * select(v.{5}, v.{5}, n);\n"
                "    p[5] = ordered_{0}{{{4}}}.made;\n"
                "}}\n",
                cuda, name, pair, maker_of(type), mixture, component_name(type, 0));
        }
    }
    ptx_of(text_of(keys) + kernels);
}

}  // namespace
}  // namespace parallax::cuda::prelude_test

// Tests loading manifests, and the errors of invalid ones.
#include "suites/manifest/manifest.hpp"

#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/preprocess/expand.hpp"
#include "measure/verification.hpp"
#include "suites/manifest/model.hpp"
#include "suites/manifest/tests/loading.hpp"

namespace parallax::manifest_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_manifest::scale_manifest;
using testing_manifest::scale_text;

using Manifest = testing_manifest::Loading;

TEST_F(Manifest, OptionsAreKnownOrRefused) {
    for (const auto& [options, said] :
         {std::pair{"-cl-fast-relaxed-mth", "Did you mean '-cl-fast-relaxed-math'?"},
          {"-cl-mad-enabel -DN=1", "'-cl-mad-enabel' is not known. Did you mean '-cl-mad-enable'?"},
          {"-cl-nv-maxregcount=32", "Did you mean '-cl-nv-maxrregcount'?"},
          {"-cl-nv-maxrregcount=x", "is not known"},
          {"-fsanitize-everything", "leave it out"},
          {"32", "'32' is not known"},
          {"mine.cl", "'mine.cl' is not known"}}) {
        EXPECT_THAT(with("/options", options), HasSubstr(said)) << options;
    }
    for (const char* options :
         {"-DN=1 -D M -UX -cl-std=CL1.2 -w -Werror -g -O2", "-cl-nv-verbose -cl-nv-maxrregcount=32",
          "-cl-nv-maxrregcount 32 -cl-mad-enable", "-cl-kernel-arg-info -cl-opt-disable", ""}) {
        EXPECT_EQ(with("/options", options), "it loads");
    }
}

TEST_F(Manifest, AnEditorsMarkIsNoPartOfAText) {
    folder_.write("scale.cl", "\xef\xbb\xbf" + std::string(scale_text));
    EXPECT_EQ(complaint("\xef\xbb\xbf" + json_.dump()), "it loads");
}

TEST_F(Manifest, ConstantMemoryBeyondWhatEveryDeviceHasIsSaid) {
    const std::string source =
        "__kernel void look(__constant float* table, __global const float* x, __global float* y,"
        " uint n) {\nuint i = get_global_id(0); if (i < n) y[i] = table[i] + x[i]; }\n";
    folder_.write("look.cl", source);
    json_ = Json::parse(first_manifest({.file = "look.cl", .source = source}));
    json_.erase("check");
    const Suite suite = load();
    const auto said = [&](std::uint64_t n) {
        return suite.summarize(make_case(suite, suite.variants[0], {{n}}, suite.types[0]), {});
    };
    EXPECT_EQ(said(16384), "") << "65536 bytes";
    EXPECT_THAT(said(16385), AllOf(HasSubstr("'table' is __constant and has 65540 bytes"),
                                   HasSubstr("Declare it __global const")));
    EXPECT_THAT(said(16385), testing::Not(HasSubstr("'x'")));
}

TEST_F(Manifest, TheOrderIsOfAnOutput) {
    for (const Json& order : {Json("any"), Json("race"), Json{{"rows", "n"}}}) {
        EXPECT_EQ(with("/arguments/3/order", order), "it loads") << order;
        EXPECT_THAT(with("/arguments/2/order", order), HasSubstr("'order' is of a buffer with"));
    }
    EXPECT_THAT(with("/arguments/3/order", "some"), HasSubstr("write \"any\", {\"rows\": 3}"));
    EXPECT_THAT(with("/arguments/3/order", Json{{"rows", 2}}),
                HasSubstr("rows of 2 elements do not divide the buffer's 1 "));
}

TEST_F(Manifest, WhatIsNullIsAskedFor) {
    json_["arguments"][2]["ask"] = "How many are there?";
    EXPECT_THAT(
        with("/arguments/2/elements", nullptr),
        HasSubstr("$.arguments[2]: 'elements' of 'x' is null, since it is not known yet: How "
                  "many are there?; write it there."));
}

TEST_F(Manifest, FillingsFollowSizes) {
    json_["arguments"][2]["type"] = "int";
    folder_.write("scale.cl",
                  "__kernel void scale(const uint n, const float a, __global const int* "
                  "x, __global float* y) {}");
    json_["arguments"][2]["fill"] = {{"random", {0, "n"}}};
    const auto x = [&](std::uint64_t n) {
        const Suite suite = load();
        auto inputs =
            suite.inputs(make_case(suite, suite.variants[0], {{n}}, ElementType::f32), {}, 1);
        const auto all = inputs.front().as<std::int32_t>();
        return std::vector(all.begin(), all.end());
    };
    EXPECT_EQ(x(1), std::vector{0});
    const auto many = x(1000);
    EXPECT_GT(*std::ranges::max_element(many), 500);
    EXPECT_LT(*std::ranges::max_element(many), 1000);
    json_["arguments"][2]["fill"] = {{"formula", "n - 1 - i"}};
    EXPECT_EQ(x(3), (std::vector{2, 1, 0}));
    json_["arguments"][2]["fill"] = {{"formula", "i / 2"}};
    EXPECT_THROW(x(3), UsageError) << "no whole number";
}

TEST_F(Manifest, FormulasKnowNumbersOfTheKernel) {
    json_["arguments"][1]["value"] = 3;
    json_["arguments"][2]["elements"] = "n + 2 * a";
    const Suite suite = load();
    const Case c = make_case(suite, suite.variants[0], {{10}}, ElementType::f32);
    EXPECT_EQ(plan_of(c).buffers[0].elements, 16u);
}

TEST_F(Manifest, NormalizedNumbersMayBeRoundedEitherWayUnlessTold) {
    folder_.write("scale.cl",
                  "__kernel void scale(const uint n, const float a, __global const float* x, "
                  "write_only image2d_t y) { write_imagef(y, (int2)(0, 0), (float4)(a)); }");
    json_.erase("tolerance");
    const auto tolerance = [&](const char* format) {
        json_["arguments"][3] = {{"name", "y"},
                                 {"use", "in_out"},
                                 {"fill", "zeros"},
                                 {"image", {{"width", 1}, {"height", 1}, {"channels", 4}}}};
        json_["arguments"][3]["image"]["format"] = format;
        const Suite suite = load();
        return suite.tolerance(make_case(suite, suite.variants[0], {{1}}, suite.types.front()));
    };
    EXPECT_EQ(tolerance("uchar normalized").kind, Tolerance::Kind::difference);
    EXPECT_EQ(tolerance("uchar normalized").absolute, 1);
    EXPECT_EQ(tolerance("float").kind, Tolerance::Kind::value);
    json_["tolerance"] = "equal";
    EXPECT_EQ(tolerance("uchar normalized").kind, Tolerance::Kind::value);
}

TEST_F(Manifest, AGroupThatTheKernelDoesNotTakeIsRefused) {
    const std::string head = "__attribute__((reqd_work_group_size(32, 1, 1))) ";
    folder_.write("scale.cl", head + scale_text);
    EXPECT_THAT(complaint(), HasSubstr("'scale' asks for groups of 32 x 1 x 1"));
    json_["items"] = {32};
    EXPECT_EQ(complaint(), "it loads");
}

TEST_F(Manifest, ATypeOfTwoBranchesFitsWhatIsWritten) {
    folder_.write("scale.cl",
                  "#ifdef A\n#define REAL double\n#elif 1\n#define REAL float\n#endif\n" +
                      replaced(scale_text, "const float*", "const REAL*"));
    EXPECT_EQ(complaint(), "it loads");
}

/// A kernel of scale.cl in CUDA, with a template, an argument fewer and another order.
constexpr const char* scale_cuda =
    "#include <cstdio>\n__constant__ float factor[1];\n"
    "template <int BLOCK> __global__ void scaled(float* y, const float* x, unsigned n) {\n"
    "    extern __shared__ float kept[];\n"
    "    unsigned i = blockIdx.x * BLOCK + threadIdx.x;\n"
    "    if (i < n) y[i] = factor[0] * x[i];\n}\nint main() { return 0; }\n";

class TwoSources : public testing_manifest::Loading {
protected:
    TwoSources() {
        folder_.write("scale.cu", scale_cuda);
        json_["arguments"].push_back({{"name", "f"},
                                      {"type", "float"},
                                      {"elements", 1},
                                      {"fill", "random"},
                                      {"only", "cuda"}});
        json_["arguments"].push_back(
            {{"name", "kept"}, {"type", "float"}, {"local", "items_x"}, {"only", "cuda"}});
        json_["cuda"] = {{"source", "scale.cu"},
                         {"kernel", "scaled<128>"},
                         {"arguments", {"y", "x", "n", "kept"}},
                         {"items", {128}},
                         {"options", "-DX=1 -maxrregcount=32 --use_fast_math --fmad=false -O3"},
                         {"constants", {{"ITEMS", 8}}},
                         {"symbols", {{"f", "factor"}}}};
    }
};

TEST_F(TwoSources, AreOneVariantAndEachAlone) {
    const Suite suite = load();
    EXPECT_EQ(names(suite.variants), (std::vector<std::string>{"scale", "opencl", "cuda"}));
    const Case c = make_case(suite, suite.variants[0], {{1000}}, ElementType::f32);
    const Case on_cuda = on_backend(c, "cuda");
    EXPECT_EQ(on_backend(c, "opencl"), c);
    EXPECT_EQ(on_backend(on_cuda, "opencl"), c);
    EXPECT_EQ(on_backend(c, "host"), on_cuda);
    EXPECT_TRUE(is_written_separately(on_cuda));
    EXPECT_FALSE(is_written_separately(c));
    const Plan plan = plan_of(on_cuda);
    const Launch& launch = *plan.steps.at(0).launch();
    EXPECT_EQ(launch.kernel, "scaled<128>");
    EXPECT_EQ(launch.geometry.items.x, 128u);
    EXPECT_EQ(launch.geometry.groups.x, 8u) << "of the side's own block";
    // Three parameters, and the size of shared memory, which is none.
    ASSERT_EQ(launch.arguments.size(), 4u);
    EXPECT_EQ(std::get<LocalBytes>(launch.arguments[3]).bytes, 512u);
    ASSERT_EQ(launch.symbols.size(), 1u);
    EXPECT_EQ(launch.symbols[0].symbol, "factor");
    EXPECT_EQ(plan.buffers.at(launch.symbols[0].buffer.index).name, "f");
    // Buffers are in one order on both sides.
    EXPECT_EQ(plan.buffers[0].name, "x");
    EXPECT_EQ(plan_of(c).buffers[0].name, "x");
    const NativeSource& native = on_cuda.variant->natives.at(0);
    EXPECT_EQ(native.options, (std::vector<std::string>{"-DX=1", "--maxrregcount=32"}));
    EXPECT_EQ(native.name_expressions, std::vector<std::string>{"scaled<128>"});
    EXPECT_EQ(native.constants, (std::vector<Constant>{{"ITEMS", 8}}));
    ASSERT_TRUE(on_cuda.variant->floats);
    EXPECT_TRUE(on_cuda.variant->floats->relaxed);
    EXPECT_FALSE(on_cuda.variant->floats->contract);
    const std::string text = suite.text("scale.cu");
    EXPECT_EQ(text.find("cstdio"), text.npos) << "a header of the host";
    EXPECT_EQ(text.find("main"), text.npos);
    EXPECT_TRUE(text.starts_with("\n__constant__")) << "lines stay where they are";
}

TEST_F(TwoSources, WhatDoesNotFitIsNamed) {
    const auto arguments = [](std::initializer_list<const char*> list) { return Json(list); };
    for (const auto& [place, value, said] :
         {std::tuple{"/cuda/sources", Json("x"), "'sources' is not known"},
          {"/cuda/ptx", Json("x.ptx"), "two files"},
          {"/cuda/source", Json("none.cu"), "none.cu"},
          {"/cuda/arguments", arguments({"y", "x", "m"}), "the name of one of the 'arguments'"},
          {"/cuda/arguments", arguments({"y", "x"}), "parameter"},
          {"/cuda/arguments", arguments({"x", "y", "n", "kept"}), "const"},
          {"/cuda/kernel", Json("scaled<\n"), "name expression"},
          {"/cuda/options", Json("-fno-such"), "'-fno-such' is not known"},
          {"/cuda/options", Json("-I/usr/include"), "'include'"},
          {"/cuda/constants", Json({{"OTHER", 1}}), "none of the manifest's constants"},
          {"/cuda/symbols", Json({{"n", "factor"}}), "only a buffer"},
          {"/cuda/symbols", Json({{"z", "factor"}}), "no argument of this name"},
          {"/arguments/3/only", Json("cuda"), "an output of one side"},
          {"/arguments/4/only", Json("both"), "\"opencl\" or \"cuda\""}}) {
        EXPECT_THAT(with(place, value), HasSubstr(said)) << place << value;
    }
    folder_.write("scale.cu", "#include \"../../secret.h\"\n" + std::string(scale_cuda));
    EXPECT_THAT(complaint(), HasSubstr("secret.h"));
    expect_no_value_to_harm();
}

TEST_F(Manifest, CudaAloneNeedsNoOpencl) {
    folder_.write("scale.cu",
                  "namespace my { __global__ void scale(const unsigned n, const float a, "
                  "const float* x, float* y) { y[0] = a * x[0]; } }\n");
    json_.erase("source");
    json_["cuda"] = "scale.cu";
    json_["kernel"] = "my::scale";
    const Suite suite = load();
    EXPECT_EQ(suite.variants.at(0).name, "scale");
    EXPECT_EQ(native_backends(suite.variants.at(0)), "cuda");
    json_.erase("cuda");
    EXPECT_THAT(complaint(), HasSubstr("neither 'source' nor 'cuda'"));
}

TEST_F(Manifest, ConstantsReachATextThatIsExpanded) {
    if (!can_expand()) GTEST_SKIP() << "built without a preprocessor";
    json_["expand"] = true;
    folder_.write("scale.cl", "#ifndef ITEMS\n#define ITEMS 1\n#endif\n" + std::string(scale_text) +
                                  "__constant int items = ITEMS;\n");
    EXPECT_THAT(load().text("scale.cl"), HasSubstr("items = ITEMS;"));
    folder_.write("scale.cl", "#if defined(A) && ITEMS > 2\n#endif\n" + std::string(scale_text));
    EXPECT_THAT(complaint(), HasSubstr("asks for the constant 'ITEMS'"));
    folder_.write("scale.cl",
                  "#if defined(ITEMS) || defined ITEMS\n#endif\n" + std::string(scale_text));
    EXPECT_EQ(complaint(), "it loads");
}

TEST_F(Manifest, KeepsTheFileAsItIsWrittenBesideWhatThePreprocessorMadeOfIt) {
    if (!can_expand()) GTEST_SKIP() << "built without a preprocessor";
    folder_.write("two.h", "#define TWO 2.0f\n");
    const std::string text = "#include \"two.h\"\n" + std::string(scale_text) +
                             "__constant float two = TWO, three = THREE;\n";
    folder_.write("scale.cl", text);
    json_["defines"] = {{"THREE", "3.0f"}};
    EXPECT_FALSE(load().written("scale.cl")) << "it is translated as it is";
    json_["expand"] = true;
    const Suite suite = load();
    EXPECT_THAT(suite.text("scale.cl"), HasSubstr("two = 2.0f, three = 3.0f;"));
    const std::optional<WrittenSource> written = suite.written("scale.cl");
    ASSERT_TRUE(written);
    EXPECT_THAT(written->source, HasSubstr("#define TWO 2.0f"));
    EXPECT_THAT(written->source, HasSubstr("two = TWO, three = THREE;"));
    EXPECT_EQ(written->defines, (std::vector<Define>{{"THREE", "3.0f"}}));
    // A name of which a macro decides is its compiler's matter.
    folder_.write("scale.cl", "#define FILE \"two.h\"\n#include FILE\n" + std::string(scale_text));
    EXPECT_THAT(load().written("scale.cl")->source, HasSubstr("#include FILE"));
}

TEST_F(Manifest, SaysHowManyDimensionsALaunchHas) {
    if (!can_expand()) GTEST_SKIP() << "built without a preprocessor";
    json_["expand"] = true;
    const auto defines = [&] { return load().written("scale.cl")->defines; };
    EXPECT_EQ(defines(), std::vector<Define>{});
    folder_.write("two.h", "uint d(void) { return get_work_dim(); }\n");
    folder_.write("scale.cl", "#include \"two.h\"\n" + std::string(scale_text));
    EXPECT_EQ(defines(), (std::vector<Define>{{"get_work_dim()", "1u"}}));
    EXPECT_THAT(load().text("scale.cl"), HasSubstr("return 1u;"));
    json_["items"].push_back(1);
    json_["groups"].push_back(1);
    EXPECT_EQ(defines(), (std::vector<Define>{{"get_work_dim()", "2u"}}));
}

TEST_F(Manifest, AnImageThatIsNotTranslatedIsRefusedWithAdvice) {
    folder_.write("scale.cl", "__kernel void scale(read_only image1d_t p, __global float* y) {}\n");
    const Json image = {{"width", 64}, {"channels", 4}, {"format", "uint"}};
    json_["arguments"] = {{{"name", "p"}, {"image", image}, {"fill", "iota"}},
                          {{"name", "y"}, {"type", "float"}, {"elements", 64}, {"use", "output"}}};
    const std::string said = complaint();
    EXPECT_THAT(said, HasSubstr("'p' is an image (image1d_t) in the kernel: It is not translated. "
                                "Use an image2d_t of height 1"));
    EXPECT_TRUE(said.ends_with("in place of x.") && !said.ends_with("..")) << said;
    folder_.write("scale.cl", "__kernel void scale(read_only image2d_t p, __global float* y) {}\n");
    EXPECT_THAT(complaint(), HasSubstr("(image2d_t) in the kernel: write such an 'image'"));
}

TEST_F(Manifest, BecomesASuite) {
    const Suite suite = load();
    EXPECT_EQ(suite.name, "scale");
    EXPECT_EQ(suite.dimensions, std::vector<std::string>{"n"});
    EXPECT_EQ(suite.shapes, (std::vector<Shape>{{{1024}}, {{4096}}})) << "the smallest first";
    EXPECT_EQ(suite.check_shapes, (std::vector<Shape>{{{1}}, {{33}}}));
    EXPECT_EQ(suite.text("scale.cl"), scale_text);
    const Case c = make_case(suite, suite.variants.front(), {{1000}}, ElementType::f32);
    const Plan plan = plan_of(c);
    ASSERT_EQ(plan.buffers.size(), 2u);
    EXPECT_EQ(plan.buffers[0].elements, 1000u);
    EXPECT_EQ(plan.buffers[1].role, Role::output);
    const Launch& launch = *launches_of(plan).front();
    EXPECT_EQ(launch.geometry, (Geometry{{16, 1, 1}, {64, 1, 1}}));
    EXPECT_EQ(std::get<std::uint32_t>(std::get<Scalar>(launch.arguments[0])), 1000u);
    EXPECT_EQ(std::get<float>(std::get<Scalar>(launch.arguments[1])), 2.5f);
    EXPECT_EQ(suite.work(c).bytes, 8000);
    EXPECT_EQ(suite.tolerance(c).kind, Tolerance::Kind::ulp);
}

TEST_F(Manifest, WorkHasLimits) {
    const std::string forty = "1099511627776", below = "17179869184";  // 2^40, 2^34
    json_["sizes"]["checked"] = Json::array();
    EXPECT_EQ(with("/groups", {below}), "it loads") << "2^34 groups of 64 work-items";
    for (const Json& groups : {Json{below, 2}, Json{forty}, Json{forty, forty, forty}}) {
        EXPECT_THAT(with("/groups", groups),
                    AllOf(HasSubstr("$.groups: a launch of "), HasSubstr("1099511627776 (2^40)")));
    }
    EXPECT_THAT(with("/groups", {1, "ceil(m / 64)"}), HasSubstr("$.groups[1]: 'ceil(m / 64)'"));
    EXPECT_THAT(with("/items", {100000}), HasSubstr("$.items[0]: '100000' is 100000"));
    EXPECT_THAT(with("/sizes/timed", Json(33, {1024})),
                HasSubstr("$.sizes.timed: 33 sizes, and 32 are the most"));
    EXPECT_EQ(with("/sizes/checked", Json(32, {1024})), "it loads");
    EXPECT_THAT(with("/sizes/checked", Json(33, {1024})), HasSubstr("33 sizes"));
    // 8 bytes of buffers for each of 2^24 elements
    EXPECT_EQ(with("/sizes/checked", Json(8, {1 << 24})), "it loads");
    EXPECT_THAT(with("/sizes/checked", Json(9, {1 << 24})),
                AllOf(HasSubstr("$.sizes.checked: "), HasSubstr("2^30 of each are the most")));
    json_["groups"] = {"ceil(n / items_x)", 1 << 17};
    EXPECT_EQ(with("/sizes/checked", Json(2, {4096})), "it loads") << "2^29 work-items each";
    EXPECT_THAT(with("/sizes/checked", Json(3, {4096})), HasSubstr("2^30 of each"));
}

TEST_F(Manifest, MacrosThatMultiplyAreRefused) {
    std::string bomb = "#define M0 ;\n";
    for (int i = 1; i < 40; ++i) {
        const std::string before = "M" + std::to_string(i - 1);
        bomb += "#define M" + std::to_string(i) + " " + before + " " + before + "\n";
    }
    folder_.write("scale.cl", bomb + "void f(void) { M39 }\n" + scale_text);
    EXPECT_THAT(complaint(), AllOf(HasSubstr("$.source: "), HasSubstr("4194304 are the most")));
    json_["expand"] = true;
    EXPECT_THAT(complaint(), AllOf(HasSubstr("$.source: "), HasSubstr("multiply")));
}

TEST_F(Manifest, EveryWrongPlaceIsNamed) {
    EXPECT_THAT(with("/arguments/0/type", 3),
                AllOf(HasSubstr("m.json: $.arguments[0].type: found 3"), HasSubstr("float4")));
    EXPECT_THAT(with("/arguments/0/type", "bool"), HasSubstr("OpenCL takes no bool by value"));
    EXPECT_THAT(with("/arguments/0/type", "void"), HasSubstr("char, uchar"));
    EXPECT_THAT(with("/arguments/0/typo", 3), HasSubstr("the key 'typo' is not known"));
    EXPECT_THAT(without("/kernel"), HasSubstr("$: the key 'kernel' is missing"));
    EXPECT_THAT(with("/kernel", "other"), HasSubstr("has no kernel 'other'; it has scale"));
    EXPECT_THAT(with("/arguments/0/name", "m"),
                HasSubstr("found 'm', and the parameter of 'scale' in this place is 'n'"));
    EXPECT_THAT(with("/arguments/0/type", "float"), HasSubstr("'n' is a uint by value"));
    EXPECT_THAT(with("/arguments/2/type", "double"), HasSubstr("a buffer of float"));
    EXPECT_THAT(with("/arguments/2/use", "output"), HasSubstr("points to const"));
    EXPECT_THAT(with("/arguments/2/elements", "m"), HasSubstr("the names here are"));
    EXPECT_THAT(with("/arguments/2/elements", "n / 2"), HasSubstr("with n = 1"));
    EXPECT_THAT(with("/arguments/2/elements", "n * 1e16"), HasSubstr("is possible"));
    EXPECT_THAT(with("/arguments/2/elements", 1099511627776 / 4),
                HasSubstr("more than this computer's memory"));
    EXPECT_THAT(with("/arguments/2/fill", "ones"), HasSubstr("\"zeros\", \"iota\""));
    EXPECT_THAT(with("/arguments/2/fill", Json{{"random", {1, 1}}}), HasSubstr("low < high"));
    EXPECT_THAT(without("/arguments/2/fill"), HasSubstr("what does 'x' hold at first?"));
    EXPECT_THAT(without("/arguments/3/use"), HasSubstr("'fill' is missing"));
    EXPECT_THAT(with("/arguments/3/use", "scratch"), HasSubstr("nothing would be compared"));
    EXPECT_THAT(with("/arguments/0/value", -1), HasSubstr("0 to 4294967295 is possible"));
    EXPECT_THAT(with("/arguments/0/local", 1), HasSubstr("is next to 'value'"));
    EXPECT_THAT(with("/groups", Json::array({"n / 256"})), HasSubstr("a whole number is needed"));
    EXPECT_THAT(with("/global", Json::array({"n"})), HasSubstr("one of 'groups'"));
    EXPECT_THAT(with("/sizes/timed", Json::array({Json::array({0})})), HasSubstr("from 1 on"));
    EXPECT_THAT(with("/sizes/timed", Json::array({Json::array({1.5})})), HasSubstr("from 1 on"));
    EXPECT_THAT(with("/sizes/names", Json::array({"ITEMS"})), HasSubstr("two meanings"));
    EXPECT_THAT(with("/constants/ITEMS", "m / 4"), HasSubstr("$.constants.ITEMS"));
    EXPECT_THAT(with("/constants/ITEMS", 1.5), HasSubstr("$.constants.ITEMS"));
    EXPECT_THAT(with("/tolerance", "about"), HasSubstr("\"bits\", \"equal\""));
    EXPECT_THAT(with("/tolerance", Json{{"ulp", -1}}), HasSubstr("from 0 on"));
    EXPECT_THAT(with("/work/bytes", "8 * m"), HasSubstr("$.work.bytes"));
    EXPECT_THAT(with("/version", 2), HasSubstr("no other version"));
    EXPECT_THAT(with("/name", "reduction"), HasSubstr("a suite of the program"));
    EXPECT_THAT(with("/name", "../x"), HasSubstr("letters, digits"));
    EXPECT_THAT(with("/source", "none.cl"), HasSubstr("there is no file"));
    EXPECT_THAT(with("/source", "."), HasSubstr("no plain file"));
    EXPECT_EQ(complaint(), "it loads");
}

TEST_F(Manifest, ALineEndOfAValueEndsNoLineOfAComplaint) {
    for (const char* place : {"/groups/0", "/kernel", "/arguments/0/elements", "/tolerance"}) {
        const std::string said = with(place, "n\r\nparallax: all is well\r\n");
        EXPECT_EQ(said.find_first_of("\r\n"), std::string::npos) << place << said;
        EXPECT_NE(said.find("m.json"), std::string::npos) << place << said;
    }
}

TEST_F(Manifest, HostileTextsAreRefused) {
    EXPECT_THAT(complaint(""), HasSubstr("m.json"));
    EXPECT_THAT(complaint("{\"a\": 1}"), HasSubstr("is no manifest"));
    EXPECT_THAT(complaint("[1]"), HasSubstr("is no manifest"));
    EXPECT_THAT(complaint(std::string(100000, '[')), HasSubstr("no JSON that can be read"));
    EXPECT_THAT(complaint("{\"parallax\": NaN}"), HasSubstr("no JSON that can be read"));
    EXPECT_THAT(complaint("{\"name\": 1, \"name\": 2}"), HasSubstr("no JSON that can be read"));
    EXPECT_THAT(complaint("{\"name\": 1e999}"), HasSubstr("no JSON that can be read"));
    const std::string whole = json_.dump();
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        EXPECT_NE(complaint(whole.substr(0, size)), "it loads") << size;
    }
    expect_no_value_to_harm();
}

TEST_F(Manifest, FillingsAreWhatTheySay) {
    folder_.write("x.bin", std::string("\x01\x00\x00\x00\xfe\xff\xff\xff", 8));
    folder_.write("fill.cl",
                  "__kernel void fill(__global const int* f, __global const uchar* r, __global "
                  "const half* h, __global const short2* i, __global const uint* s, __global "
                  "float* y) { y[get_global_id(0)] = 1.0f; }");
    json_["source"] = "fill.cl";
    json_["kernel"] = "fill";
    json_["sizes"] = {{"names", {"n"}}, {"timed", {{2}}}};
    json_["items"] = {1};
    json_["groups"] = {"n"};
    json_["arguments"] = Json::parse(R"([
        {"name": "f", "type": "int", "elements": "n", "fill": {"file": "x.bin"}},
        {"name": "r", "type": "uchar", "elements": 5000, "fill": {"random": [250, 256]}},
        {"name": "h", "type": "half", "elements": 3, "fill": {"value": 0.1}},
        {"name": "i", "type": "short2", "elements": 2, "fill": "iota"},
        {"name": "s", "type": "uint", "elements": 100, "fill": "integers"},
        {"name": "y", "type": "float", "elements": "n", "use": "in_out", "fill": "random"}])");
    const Suite suite = load();
    const Case c = make_case(suite, suite.variants[0], {{2}}, ElementType::f32);
    const auto of = [&](std::size_t pattern, std::uint64_t seed) {
        return suite.inputs(c, input_patterns_of(c).at(pattern), seed);
    };
    const auto one = of(1, 7), same = of(1, 7), other = of(1, 8), exact = of(0, 7);
    ASSERT_EQ(one.size(), 6u) << "in_out is loaded too";
    EXPECT_EQ(one[0].as<std::int32_t>()[1], -2);
    const std::set<unsigned> seen(one[1].as<std::uint8_t>().begin(),
                                  one[1].as<std::uint8_t>().end());
    EXPECT_EQ(seen, (std::set<unsigned>{250, 251, 252, 253, 254, 255}));
    EXPECT_EQ(one[2].as<Half>()[0].bits, 0x2e66);
    EXPECT_EQ(one[3].as<std::int16_t>()[3], 3) << "components count";
    EXPECT_TRUE(std::ranges::all_of(one[4].as<std::uint32_t>(),
                                    [](std::uint32_t v) { return v >= 1 && v <= 3; }));
    EXPECT_GE(one[5].as<float>()[0], 0.0f);
    EXPECT_LT(one[5].as<float>()[0], 1.0f);
    EXPECT_EQ(8 * exact[5].as<float>()[0], std::floor(8 * exact[5].as<float>()[0]));
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_TRUE(std::ranges::equal(one[i].bytes(), same[i].bytes())) << i;
    }
    EXPECT_FALSE(std::ranges::equal(one[1].bytes(), other[1].bytes()));
    EXPECT_THAT(with("/sizes/timed", Json::array({Json::array({3})})), HasSubstr("8 bytes"));
    EXPECT_THAT(with("/arguments/1/fill", Json{{"random", {0, 257}}}), HasSubstr("uchar holds"));
    EXPECT_THAT(with("/arguments/1/fill", "random"), HasSubstr("are all 0 as uchar"));
    EXPECT_THAT(with("/arguments/1/fill", Json{{"value", 1.5}}), HasSubstr("uchar holds"));
}

TEST_F(Manifest, VectorsAndLocalMemory) {
    folder_.write("v.cl",
                  "__kernel void v(const float3 shift, __local float4* a, __global float4* y, "
                  "__local uchar* b) { y[get_global_id(0)].xyz += shift; }");
    json_["source"] = "v.cl";
    json_["kernel"] = "v";
    json_["arguments"] = Json::parse(R"([
        {"name": "shift", "type": "float3", "value": [1, "ITEMS", 3]},
        {"name": "a", "type": "float4", "local": "items_x"},
        {"name": "y", "type": "float4", "elements": "n", "use": "in_out", "fill": "zeros"},
        {"name": "b", "type": "uchar", "local": "groups_x"}])");
    const Suite suite = load();
    const Plan plan =
        plan_of(make_case(suite, suite.variants[0], {{128}}, ElementType::f32, {{"ITEMS", 9}}));
    EXPECT_EQ(plan.buffers.at(0).elements, 512u);
    const Launch& launch = *launches_of(plan).front();
    const auto& shift = std::get<VectorValue>(std::get<Scalar>(launch.arguments[0]));
    EXPECT_EQ(shift.type, "float3");
    ASSERT_EQ(shift.bytes.size(), 16u) << "as long as four";
    float values[3];
    std::memcpy(values, shift.bytes.data(), sizeof values);
    EXPECT_THAT(values, testing::ElementsAre(1, 9, 3));
    EXPECT_EQ(std::get<LocalBytes>(launch.arguments[1]).bytes, 64u * 16);
    EXPECT_EQ(std::get<LocalBytes>(launch.arguments[3]).bytes, 2u);
    EXPECT_EQ(launch.local_bytes(), 64u * 16 + 2);
    EXPECT_THAT(with("/arguments/0/value", Json::array({1, 2})), HasSubstr("a list of 3 numbers"));
    EXPECT_THAT(with("/arguments/1/local", "2000000000"), HasSubstr("local memory for a group"));
}

TEST_F(Manifest, OfAVectorOfThreeTheFourthNumberIsNotCompared) {
    folder_.write("v.cl",
                  "typedef struct { float3 at[2]; float4 by; } P;\n"
                  "typedef struct { uint2 a; uint b; } U;\n"
                  "__kernel void v(__global float3* y, __global P* p, __global U* u) {\n"
                  "    y[0] = p[0].at[0] + u[0].b; }");
    json_["source"] = "v.cl";
    json_["kernel"] = "v";
    json_["arguments"] = Json::parse(R"([
        {"name": "y", "type": "float3", "elements": "n", "use": "output"},
        {"name": "p", "elements": "n", "use": "in_out",
         "type": "P", "members": [{"name": "at", "type": "float3[2]", "fill": "zeros"},
                                  {"name": "by", "type": "float4", "fill": "zeros"}]},
        {"name": "u", "elements": "n", "use": "in_out",
         "type": "U", "members": [{"name": "a", "type": "uint2", "fill": "zeros"},
                                  {"name": "b", "type": "uint", "fill": "zeros"}]}])");
    const Suite suite = load();
    const Plan plan = plan_of(make_case(suite, suite.variants[0], {{128}}, ElementType::f32));
    EXPECT_EQ(plan.buffers.at(0).struct_bytes, 16u);
    EXPECT_THAT(plan.buffers.at(0).parts, testing::ElementsAre(StructPart{0, ElementType::f32, 3}));
    EXPECT_EQ(plan.buffers.at(1).struct_bytes, 48u);
    EXPECT_THAT(plan.buffers.at(1).parts,
                testing::ElementsAre(StructPart{0, ElementType::f32, 3},
                                     StructPart{16, ElementType::f32, 3},
                                     StructPart{32, ElementType::f32, 4}));
    EXPECT_EQ(plan.buffers.at(2).struct_bytes, 16u);
    EXPECT_THAT(plan.buffers.at(2).parts, testing::ElementsAre(StructPart{0, ElementType::u32, 2},
                                                               StructPart{8, ElementType::u32, 1}))
        << "memory after b is not compared";
}

TEST_F(Manifest, IncludesAreTakenIn) {
    folder_.write("inc/a.h", "#pragma once\n#define TWICE(x) (2.0f * (x))\n#include \"b.h\"\n");
    folder_.write("inc/b.h", "// b\n#include \"a.h\"\n");
    folder_.write("scale.cl", std::string("#include \"a.h\"\n#include \"a.h\"\n") + scale_text);
    EXPECT_THAT(complaint(), AllOf(HasSubstr("#include \"a.h\""), HasSubstr("under 'include'")));
    json_["include"] = {"inc"};
    EXPECT_THAT(load().text("scale.cl"), AllOf(HasSubstr("#define TWICE"), HasSubstr("// b")));
    folder_.write("inc/b.h", "#include \"b.h\"\n");
    EXPECT_THAT(complaint(), AllOf(HasSubstr("the file includes itself"), HasSubstr("'expand'")));
}

TEST_F(Manifest, ReferencesMustFit) {
    json_["reference"] = {{"data", {{"y", "y.bin"}}}};
    EXPECT_THAT(complaint(), HasSubstr("drawn anew"));
    json_["arguments"].at(2)["fill"] = "iota";
    EXPECT_THAT(complaint(), HasSubstr("y.bin"));
    folder_.write("y.bin", std::string(4, '\0'));
    EXPECT_THAT(complaint(), HasSubstr("4 bytes"));
    json_["sizes"] = {{"names", {"n"}}, {"timed", {{1}}}};
    EXPECT_EQ(load().reference_name, "expected data");
    json_["reference"] = {{"kernel", "scale"}, {"items", {1}}, {"global", {"n"}}};
    json_["reference"]["arguments"] = json_["arguments"];
    EXPECT_TRUE(load().reference_kernel);
    EXPECT_THAT(with("/reference/offset", {4}), HasSubstr("its 'offset' is not the kernel's"));
    EXPECT_EQ(with("/reference/offset", {0}), "it loads");
    json_["reference"]["arguments"].at(3)["elements"] = "2 * n";
    EXPECT_THAT(complaint(), HasSubstr("leaves 'y', and the reference has no output"));
}

TEST_F(Manifest, VariantsShareProblems) {
    Json variant{{"name", "a"}, {"arguments", json_["arguments"]}};
    Json second = variant, third = variant;
    second["name"] = "b";
    second["constants"] = {{"ITEMS", 8}};
    third["name"] = "c";
    third["arguments"].at(2)["fill"] = "iota";
    second.erase("arguments");
    second["global"] = {"64 * ceil(n / 64)"};
    third["groups"] = {"ceil(n / 64)"};
    json_["variants"] = {variant, second, third};
    EXPECT_THAT(with("/teaches", "It scales."), HasSubstr("'teaches' is next to 'variants'"));
    EXPECT_THAT(with("/items", 0), HasSubstr(": $.items: ")) << "where it is written";
    const Suite suite = load();
    EXPECT_EQ(suite.variants[0].problem, suite.variants[1].problem);
    EXPECT_NE(suite.variants[0].problem, suite.variants[2].problem);
    EXPECT_EQ(make_case(suite, suite.variants[1], {{64}}, ElementType::f32)["ITEMS"], 8);
    EXPECT_THAT(with("/variants/1/name", "a"), HasSubstr("a second variant 'a'"));
    EXPECT_THAT(with("/variants/1/constants", Json{{"OTHER", 1}}), HasSubstr("'OTHER' is none"));
}

TEST_F(Manifest, TheSameFileIsTheSameSuite) {
    const std::string file = folder_.write("m.json", json_.dump());
    const Suite& suite = manifest_suite(file);
    EXPECT_EQ(&suite, &manifest_suite((folder_.path / "." / "m.json").string()));
    EXPECT_EQ(&suite, &any_suite_named("scale"));
    EXPECT_EQ(word_for(suite), file);
    const std::string copy = folder_.write("copy.json", json_.dump());
    EXPECT_THAT([&] { manifest_suite(copy); },
                ThrowsMessage<UsageError>(HasSubstr("have the same name")));
    EXPECT_THROW(manifest_suite("nowhere.json"), UsageError);
}

TEST(ManifestPage, HasEveryKey) {
    std::ifstream in(SOURCE_ROOT "/docs/reference/manifest.md");
    std::stringstream page;
    page << in.rdbuf();
    ASSERT_FALSE(manifest::all_keys().empty());
    for (const std::string& key : manifest::all_keys()) {
        EXPECT_THAT(page.str(), HasSubstr("| `" + key + "` |"));
    }
}

}  // namespace
}  // namespace parallax::manifest_test

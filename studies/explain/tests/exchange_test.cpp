// PTX of one compiler, made ready for the other's driver.
#include "studies/explain/exchange.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace parallax::exchange_test {
namespace {

Signature signature(std::vector<Parameter::Kind> kinds) {
    Signature s;
    s.kernel = "f";
    for (const Parameter::Kind kind : kinds) s.parameters.push_back({kind, "float", "x", false});
    return s;
}

using enum Parameter::Kind;

TEST(Exchange, SpecialRegistersBecomeWhatTheyMean) {
    EXPECT_EQ(ptx_for_cuda("mov.b32 %r1, %envreg0;\nadd.s32 %r2, %r1, %envreg5;\n"),
              "mov.b32 %r1, 0;\nadd.s32 %r2, %r1, 0;\n");
    EXPECT_EQ(ptx_for_cuda("mov.b32 %r5, %envreg6;mov.b32 %r6, %envreg7;mov.b32 %r7, %envreg8;"),
              "mov.b32 %r5, %nctaid.x;mov.b32 %r6, %nctaid.y;mov.b32 %r7, %nctaid.z;")
        << "a loop that steps by the number of groups would not end with 0";
    EXPECT_EQ(ptx_for_cuda(std::string_view("ret;\0rest", 9)), "ret;");
    EXPECT_EQ(ptx_for_cuda(""), "");
}

TEST(Exchange, UnknownSpecialRegistersAreRefused) {
    for (const char* ptx :
         {"mov.b32 %r1, %envreg9;", "mov.b32 %r1, %envreg12;", "%envreg", "%envregx",
          "%envreg99999999999999999999;", "mov.b32 %r1, %envreg-1;"}) {
        EXPECT_THROW(ptx_for_cuda(ptx), Unsupported) << ptx;
    }
}

TEST(Exchange, PointersAreDeclared) {
    const char* const ptx =
        ".visible .entry fg(\n\t.param .u64 fg_param_0\n)\n{ ret; }\n"
        ".visible .entry f(\n\t.param .u64 f_param_0,\n\t.param .u32 f_param_1,\n"
        "\t.param .u64 .ptr .align 1 f_param_10,\n\t.param .u64 .ptr .align 1 f_param_2\n)\n"
        "{\n\tld.param.u64 %rd1, [f_param_0];\n}\n";
    EXPECT_EQ(ptx_for_opencl(ptx, {signature({global, scalar, global})}, {}),
              ".visible .entry fg(\n\t.param .u64 fg_param_0\n)\n{ ret; }\n"
              ".visible .entry f(\n\t.param .u64 .ptr .global .align 4 f_param_0,\n"
              "\t.param .u32 f_param_1,\n\t.param .u64 .ptr .align 1 f_param_10,\n"
              "\t.param .u64 .ptr .global .align 4 f_param_2\n)\n"
              "{\n\tld.param.u64 %rd1, [f_param_0];\n}\n");
}

TEST(Exchange, TheGroupIsSaidWhereItsSizeWas) {
    const std::string ptx =
        ".entry f(\n.param .u64 f_param_0\n)\n.maxntid 64, 1, 1\n{ ret; }\n"
        ".entry g()\n.maxntid 64, 1, 1\n{ ret; }\n";
    EXPECT_EQ(ptx_for_opencl(ptx, {signature({scalar})}, {{"f", {8, 4, 2}}}),
              ".entry f(\n.param .u64 f_param_0\n)\n.reqntid 8, 4, 2\n{ ret; }\n"
              ".entry g()\n.maxntid 64, 1, 1\n{ ret; }\n");
    EXPECT_EQ(ptx_for_opencl(ptx, {signature({scalar})}, {}), ptx);
    const std::string none = ".entry f(\n)\n{ ret; }\n.entry g()\n.maxntid 64, 1, 1\n{ ret; }\n";
    EXPECT_EQ(ptx_for_opencl(none, {signature({})}, {{"f", {8, 4, 2}}}), none);
}

TEST(Exchange, WhatOpenClPassesOtherwiseIsRefused) {
    const char* const ptx = ".entry f(\n.param .u64 f_param_0\n)\n{ ret; }\n";
    EXPECT_THROW(ptx_for_opencl(ptx, {signature({local})}, {}), Unsupported);
    EXPECT_THROW(ptx_for_opencl(ptx, {signature({constant})}, {}), Unsupported);
    EXPECT_THROW(ptx_for_opencl(ptx, {signature({global, global})}, {}), Unsupported);
}

TEST(Exchange, AnyBytesAreSurvived) {
    const std::vector<Signature> one{signature({scalar})}, two{signature({global})};
    for (const std::string ptx : {"", ".entry", ".entry f", ".entry f(", ".entry f( f_param_0",
                                  "f_param_0 .entry f()", ".param .entry f(f_param_0)"}) {
        EXPECT_EQ(ptx_for_opencl(ptx, one, {{"f", {1, 1, 1}}}), ptx);
        if (ptx.find(".entry f") != std::string::npos) {
            EXPECT_THROW(ptx_for_opencl(ptx, two, {}), Unsupported) << ptx;
        }
    }
}

// A search that restarted at each of them would not end within the test's time.
TEST(Exchange, AKernelIsFoundBehindManyOthers) {
    std::string ptx;
    for (int i = 0; i < 400'000; ++i) ptx += ".entry g()\n";
    const std::string last = ".entry f(\n\t.param .u64 ";
    const std::string made =
        ptx_for_opencl(ptx + last + "f_param_0\n)\n", {signature({global})}, {});
    EXPECT_TRUE(made == ptx + last + ".ptr .global .align 4 f_param_0\n)\n");
}

}  // namespace
}  // namespace parallax::exchange_test

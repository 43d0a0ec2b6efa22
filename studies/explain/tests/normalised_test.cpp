// Tests of disassembly without differences in numbering.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/explain/instructions.hpp"
#include "studies/explain/tests/sample.hpp"

namespace parallax::normalised_test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Lines that are instructions: no labels, no declarations.
std::uint32_t instructions_in(std::string_view text) {
    std::uint32_t count = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        count += !line.starts_with('.') && !line.ends_with(':');
        text.remove_prefix(end + 1);
    }
    return count;
}

TEST(NormalisedPtx, HasALineForEveryInstructionCounted) {
    for (const auto& [file, kernel] : {std::pair("nvrtc-transpose.ptx", "tiled"),
                                       {"opencl-transpose.ptx", "naive"},
                                       {"nvrtc-classes.ptx", "classes"}}) {
        const std::string text = sample(file);
        EXPECT_EQ(instructions_in(normalised_ptx(text, kernel)), ptx_mix(text, kernel)->total())
            << file;
    }
    for (const auto& [file, kernel] :
         {std::pair("nvrtc-transpose.sass", "tiled"), {"nvrtc-copy.sass", "copy4"}}) {
        const std::string text = sample(file);
        EXPECT_EQ(instructions_in(normalised_machine(text, kernel)),
                  machine_mix(text, kernel)->total())
            << file;
    }
}

TEST(NormalisedPtx, KeepsWhatIsMeant) {
    const std::string text = normalised_ptx(sample("nvrtc-classes.ptx"), "classes");
    EXPECT_TRUE(
        text.starts_with(".shared .align 16 .b8 shared_0[1024]\n"
                         ".local .align 16 .b8 local_0[32]\n"
                         "ld.param.u64 %rd0, [param_0]\n"))
        << text.substr(0, 200);
    EXPECT_THAT(text, HasSubstr("\nmov.u32 %r1, %tid.x\n"));
    EXPECT_THAT(text, HasSubstr("\nld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd12]\n"));
    EXPECT_THAT(text, HasSubstr("\ncall.uni (argument_2), function_0, (argument_0, argument_1)\n"));
    EXPECT_THAT(text, HasSubstr("\n@%p3 bra L0\n"));
    EXPECT_THAT(text, HasSubstr("\nfunction_0:\n"));
    EXPECT_THAT(text, Not(HasSubstr(".reg")));
    EXPECT_THAT(text, Not(HasSubstr("callseq")));
    EXPECT_THAT(text, Not(HasSubstr("$L__BB")));
    EXPECT_EQ(normalised_ptx(sample("opencl-transpose.ptx"), "tiled").substr(0, 37),
              ".shared .align 16 .b8 shared_0[4096]\n");
}

constexpr std::string_view small =
    ".version 9.0\n.target sm_90\n.shared .align 4 .b8 tile[64];\n"
    ".visible .entry k(\n\t.param .u64 k_param_0,\n\t.param .u32 k_param_1\n)\n.maxntid 32, 1, "
    "1\n{\n"
    "\t.reg .pred %p<2>;\n\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n"
    "\t.loc 1 5 3\n"
    "\tld.param.u64 \t%rd1, [k_param_0];\n\tld.param.u32 %r1, [k_param_1];\n"
    "\tmov.b32 %r2, %envreg3; // where the launch begins\n"
    "\tmov.u64 %rd2, tile;\n"
    "$unused:\n$first:\n"
    "\t@!%p1 bra $first;\n\tst.global.u32 [%rd1+4], %r2;\n\tret;\n}\n";

constexpr std::string_view renumbered =
    "//\n.version 8.0\n"
    ".entry k(.param .u64 .ptr .global .align 4 a, .param .u32 b)\n{\n"
    ".reg .pred %p<20>; .reg .b32 %r<90>; .reg .b64 %rd<90>;\n"
    "/* demoted */ .shared .align 4 .b8 k_$_tile[64];\n"
    "ld.param.u64 %rd7,[a]; ld.param.u32 %r8, [b]; mov.b32 %r3, %envreg3; mov.u64 %rd5, k_$_tile;\n"
    "BB7_1: @!%p9 bra BB7_1; st.global.u32 [%rd7+4], %r3; ret; }\n";

// Inlined code belongs to the line that calls it.
TEST(NormalisedPtx, KnowsTheLinesOfTheSource) {
    std::vector<unsigned> sources;
    const std::string text = normalised_ptx(sample("nvrtc-lines.ptx"), "two", &sources);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), sources.size());
    EXPECT_THAT(sources, testing::ElementsAre(13, 13, 13, 14, 14, 14, 14, 15, 15, 14, 15, 15, 15,
                                              15, 15, 14, 15, 15, 0, 16));
    normalised_ptx(sample("nvrtc-copy.sass"), "copy4", &sources);
    EXPECT_TRUE(sources.empty());
}

TEST(NormalisedPtx, TextsThatDifferInNumberingAreEqual) {
    EXPECT_EQ(normalised_ptx(small, "k"),
              ".shared .align 4 .b8 shared_0[64]\n"
              "ld.param.u64 %rd0, [param_0]\n"
              "ld.param.u32 %r0, [param_1]\n"
              "mov.b32 %r1, %envreg3\n"
              "mov.u64 %rd1, shared_0\n"
              "L0:\n"
              "@!%p0 bra L0\n"
              "st.global.u32 [%rd0+4], %r1\n"
              "ret\n");
    EXPECT_EQ(normalised_ptx(renumbered, "k"), normalised_ptx(small, "k"));
}

TEST(NormalisedPtx, WhatIsNotNumberingStays) {
    const auto changed = [](std::string_view from, std::string_view to) {
        std::string text(small);
        text.replace(text.find(from), from.size(), to);
        return normalised_ptx(text, "k");
    };
    const std::string before = normalised_ptx(small, "k");
    EXPECT_NE(changed("[%rd1+4], %r2", "[%rd1+4], %r1"), before) << "another register";
    EXPECT_NE(changed("[%rd1+4]", "[%rd1+8]"), before) << "another offset";
    EXPECT_NE(changed("tile[64]", "tile[68]"), before) << "another size";
    EXPECT_NE(changed(".align 4 .b8 tile", ".align 16 .b8 tile"), before) << "another alignment";
    EXPECT_NE(changed("%envreg3", "%envreg4"), before) << "another special register";
    EXPECT_NE(changed("@!%p1", "@%p1"), before) << "the other way";
    EXPECT_EQ(changed("$unused", "$other"), before);
    EXPECT_EQ(changed(".maxntid 32", ".maxntid 64"), before) << "not an instruction";
}

TEST(NormalisedPtx, LabelsOfOnePlaceAreOne) {
    const std::string two = ".entry k() { a: b: bra a; bra b; c: ret; }";
    const std::string one = ".entry k() { a: bra a; bra a; ret; }";
    EXPECT_EQ(normalised_ptx(two, "k"), "L0:\nbra L0\nbra L0\nret\n");
    EXPECT_EQ(normalised_ptx(one, "k"), normalised_ptx(two, "k"));
}

TEST(NormalisedMachine, AddressesAndLabelsAreAlike) {
    const char* labels =
        "\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n"
        "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
        "        /*0010*/              @!P3 BRA `(.L_x_7) ;\n"
        "        /*0020*/                   LDG.E.64 R8, desc[UR6][R4.64+0x10] ;\n"
        "        /*0030*/                   FADD R2, R8.reuse, -R9 ;\n"
        ".L_x_7:\n"
        "        /*0040*/                   EXIT ;\n.L_x_9:\n"
        "        /*0050*/                   BRA `(.L_x_9);\n"
        "        /*0060*/                   NOP;\n.L_x_8:\n";
    const char* addresses =
        "\t\tFunction : k\n\t.headerflags\t@\"EF_CUDA_SM90\"\n"
        "        /*0000*/                   LDC R7, c[0x0][0x28] ;   /* 0x00000a00ff017b82 */\n"
        "                                                            /* 0x000fe20000000800 */\n"
        "        /*0010*/              @!P0 BRA 0x40 ;               /* 0x0000000000008947 */\n"
        "        /*0020*/                   LDG.E.64 R2, desc[UR4][R10.64+0x10] ; /* 0x0 */\n"
        "        /*0030*/                   FADD R0, R2.reuse, -R3 ; /* 0x0000000302007221 */\n"
        "        /*0040*/                   EXIT ;                   /* 0x000000000000794d */\n"
        "        /*0050*/                   BRA 0x50;                /* 0xfffffffc00fc7947 */\n";
    EXPECT_EQ(normalised_machine(labels, "k"),
              "LDC R0, c[0x0][0x28]\n"
              "@!P0 BRA L0\n"
              "LDG.E.64 R1, desc[UR0][R3.64+0x10]\n"
              "FADD R5, R1.reuse, -R2\n"
              "L0:\n"
              "EXIT\n"
              "L1:\n"
              "BRA L1\n");
    EXPECT_EQ(normalised_machine(addresses, "k"), normalised_machine(labels, "k"));
    // The second half of what was loaded, or something else: not numbering only.
    std::string other = labels;
    other.replace(other.find("-R9"), 3, "-R5");
    EXPECT_NE(normalised_machine(other, "k"), normalised_machine(labels, "k"));
    other = labels;
    other.replace(other.find("LDG.E.64 R8"), 11, "LDG.E.128 R8");
    other.replace(other.find("-R9"), 3, "-R11");
    const std::string with_fourth = normalised_machine(other, "k");
    other.replace(other.find("-R11"), 4, "-R9");
    EXPECT_NE(normalised_machine(other, "k"), with_fourth) << "another part of a wide value";
}

}  // namespace
}  // namespace parallax::normalised_test

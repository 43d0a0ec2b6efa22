// The preprocessor: its output, the numbering of lines, and that it ends for any input.
#include "mapping/preprocess/expand.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::expand_test {
namespace {

namespace fs = std::filesystem;

class Expand : public ::testing::Test {
protected:
    fs::path before_ = fs::current_path();
    TemporaryFolder place_{"parallax-expand-"};
    fs::path folder_ = place_.path();

    void SetUp() override {
        if (!can_expand()) GTEST_SKIP() << "built without Boost.Wave";
        fs::create_directories(folder_ / "inc");
        fs::current_path(folder_);
    }
    void TearDown() override { fs::current_path(before_); }

    static void file(const fs::path& path, std::string_view text) {
        std::ofstream(path, std::ios::binary) << text;
    }
    static std::string of(std::string_view source, const std::vector<Define>& defines = {},
                          const std::vector<std::string>& folders = {}) {
        return expanded("mine.cl", source, defines, folders, PathSandbox({""}));
    }
    static std::string refusal(std::string_view source, const std::vector<Define>& defines = {}) {
        try {
            of(source, defines);
        } catch (const Refused& refused) {
            return refused.what();
        }
        return {};
    }
    /// File and line of a word in a preprocessed source, according to its `#line`s.
    static std::pair<std::string, unsigned> place_of(const std::string& text,
                                                     const std::string& word) {
        std::istringstream lines(text);
        std::string name = "mine.cl";
        unsigned at = 1;
        for (std::string line; std::getline(lines, line); ++at) {
            if (line.starts_with("#line ")) {
                at = static_cast<unsigned>(std::stoul(line.substr(6))) - 1;
                const std::size_t quote = line.find('"');
                name = line.substr(quote + 1, line.rfind('"') - quote - 1);
            } else if (line.find(word) != std::string::npos) {
                return {name, at};
            }
        }
        return {};
    }
    using Place = std::pair<std::string, unsigned>;
};

TEST_F(Expand, WhatHasNoMacrosStaysAsItIs) {
    const std::string text =
        "// mine\n__kernel void k(__global float* a,  /* two\n lines */ int\tb) {\n"
        "  a[get_global_id(0)] = 1.0f - -b + 0x1p-3f + 1.5e+3f * 1.0h; // end\n\n"
        "  char c = '\\n'; barrier(CLK_LOCAL_MEM_FENCE); half h = 2h;\n}\n";
    EXPECT_EQ(of(text), text);
    EXPECT_EQ(of(""), "");
    EXPECT_EQ(of("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nint a;"),
              "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nint a;\n");
}

TEST_F(Expand, MacrosAreExpanded) {
    EXPECT_EQ(of("#define N 4\n#define SQ(a) ((a) * (a))\nint x = SQ(N);"),
              "\n\nint x = ((4) * (4));\n");
    EXPECT_EQ(of("int x = N + M;", {{"N", "2 * 3"}, {"M"}}), "int x = 2 * 3 + 1;\n");
    EXPECT_EQ(of("#define CAT(a, b) a##b\nfloat4 v = CAT(vload, 4)(0, p);"),
              "\nfloat4 v = vload4(0, p);\n");
    EXPECT_EQ(of("#define F(x) x##f\nfloat v = F(1.0);"), "\nfloat v = 1.0f;\n");
    EXPECT_EQ(of("#define EACH(f, ...) f(__VA_ARGS__)\nEACH(g, 1, 2);"), "\ng( 1, 2);\n");
    EXPECT_EQ(of("#define M -1\nint x = -M;"), "\nint x = - -1;\n") << "no -- may come of it";
    EXPECT_EQ(of("#define N 4\n#pragma unroll N\n"), "\n#pragma unroll 4\n");
    EXPECT_EQ(of("#define A B\n#define B A\nA"), "\n\nA\n") << "as C has it";
}

TEST_F(Expand, TheLineOfACallOverSeveralLinesIsRefused) {
    const std::string macros =
        "#define L(x, y) x + y\n#define B(x) x + __LINE__\n#define C __LINE__\n"
        "#define D(x) L(x, C)\n";
    for (const char* const call : {"L(__LINE__,\n 1)", "L(1\n, __LINE__)", "B(1\n)", "L(\nC, 1)",
                                   "D(\n1)", "L(1, B(\n2))", "L(B(1), 2\n)"}) {
        EXPECT_NE(refusal(macros + call).find("several lines and asks for __LINE__"),
                  std::string::npos)
            << call << refusal(macros + call);
    }
    EXPECT_EQ(of(macros + "L(1,\n2) + C"), "\n\n\n\n1 +  2 + 6\n");
    EXPECT_EQ(of(macros + "D(1) __LINE__"), "\n\n\n\n1 +  5 5\n");
}

TEST_F(Expand, ConditionsAreDecided) {
    EXPECT_EQ(of("#ifdef cl_khr_fp64\nint a;\n#else\nint b;\n#endif\n"
                 "#if __OPENCL_C_VERSION__ >= 120 && defined(__ENDIAN_LITTLE__)\nint c;\n#endif"),
              "\nint a;\n\n\n\n\nint c;\n");
    EXPECT_EQ(of("#if 1\n#elif true\n#endif\nbool a = true;\n"), "\n\n\nbool a = true;\n");
    EXPECT_EQ(place_of(of("#if 0\n#include \"nowhere.h\"\n#endif\nhere"), "here"),
              Place("mine.cl", 4u));
    EXPECT_NE(of("#if __OPENCL_VERSION__ == 200\nold\n#endif", {{"__OPENCL_VERSION__", "200"}})
                  .find("old"),
              std::string::npos);
}

TEST_F(Expand, LinesStayAtTheirPlaces) {
    file("inc/e.h", "#define NOTHING\n");
    // A macro without its brackets makes Wave read ahead.
    EXPECT_EQ(of("#define F(a) a\nF\n\n+ 1\n"), "\nF\n\n+ 1\n");
    EXPECT_EQ(of("#define M x\n#include \"inc/e.h\"\nM\n"), "\n\nx\n");
    std::string text = "#include \"a.h\"\nfirst\n#define LONG(a) \\\n  a \\\n  + a\n";
    text += "LONG(\n 1\n) second\nthird\n";
    text += "#if 0\n" + std::string(40, '\n') + "#endif\nfourth /*\n\n*/ fifth\n";
    text += "#include \"inc/b.h\"\nsixth\n#line 100 \"other.cl\"\nseventh\n";
    file("a.h", "\n\nin_a\n");
    file("inc/b.h", "#include \"c.h\"\nin_b");
    file("inc/c.h", "\nin_c\n");
    const std::string made = of(text);
    EXPECT_EQ(place_of(made, "in_a"), Place("a.h", 3u)) << made;
    EXPECT_EQ(place_of(made, "first"), Place("mine.cl", 2u)) << made;
    EXPECT_EQ(place_of(made, "second").first, "mine.cl") << made;
    EXPECT_EQ(place_of(made, "third"), Place("mine.cl", 9u)) << made;
    EXPECT_EQ(place_of(made, "fourth"), Place("mine.cl", 52u)) << made;
    EXPECT_EQ(place_of(made, "fifth"), Place("mine.cl", 54u)) << made;
    EXPECT_EQ(place_of(made, "in_b"), Place("inc/b.h", 2u)) << made;
    EXPECT_EQ(place_of(made, "in_c"), Place("inc/c.h", 2u)) << made;
    EXPECT_EQ(place_of(made, "sixth"), Place("mine.cl", 56u)) << made;
    EXPECT_EQ(place_of(made, "seventh").second, 100u) << made;
}

TEST_F(Expand, FilesAreFoundAsTheCompilerFindsThem) {
    file("inc/x.h", "#pragma once\nfrom_inc\n");
    file("g.h", "#ifndef G\n#define G\n#include \"g.h\"\nguarded\n#endif\n");
    EXPECT_NE(of("#include <x.h>\n#include \"x.h\"\n", {}, {"inc"}).find("from_inc"),
              std::string::npos);
    const std::string once = of("#include <x.h>\n#include \"x.h\"\n", {}, {"inc"});
    EXPECT_EQ(once.find("from_inc"), once.rfind("from_inc"));
    EXPECT_NE(of("#define WHICH \"g.h\"\n#include WHICH\n#include \"g.h\"").find("guarded"),
              std::string::npos);
    file("x.h", "beside\n");
    EXPECT_NE(of("#include \"x.h\"", {}, {"inc"}).find("beside"), std::string::npos);
    EXPECT_NE(of("#include <x.h>", {}, {"inc"}).find("from_inc"), std::string::npos);
}

TEST_F(Expand, WhatWasExpandedBeforeIsTakenWhereNothingElseCounts) {
    EXPECT_EQ(of("int a = N;\n", {{"N", "1"}}), "int a = 1;\n");
    EXPECT_EQ(of("int a = N;\n", {{"N", "2"}}), "int a = 2;\n");
    EXPECT_EQ(of("int a = N;\n", {{"N", "1"}}), "int a = 1;\n");
    const std::string_view version = "__OPENCL_VERSION__;\n";
    EXPECT_NE(of(version), version);
    EXPECT_EQ(expanded("mine.cl", version, {}, {}, PathSandbox({""}), {"__OPENCL_VERSION__"}),
              version);
    // A file may have changed.
    file("now.h", "#define N 3\n");
    const std::string text = "#include \"now.h\"\nint a = N;\n";
    EXPECT_NE(of(text).find("int a = 3;"), std::string::npos);
    file("now.h", "#define N 4\n");
    EXPECT_NE(of(text).find("int a = 4;"), std::string::npos);
}

TEST_F(Expand, WhatCannotBeIsRefusedWithItsPlace) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"\n#include \"nowhere.h\"", "mine.cl:2: '#include nowhere.h': no such file"},
        {"\n\n#error too old", "mine.cl:3: "},
        {"#if 1\nint a;", "mine.cl:"},
        {"#endif", "mine.cl:1: "},
        {"#if 1 +\n#endif", "mine.cl:1: "},
        {"#if 1 / 0\n#endif", "mine.cl:1: "},
        {"#define F(a, b) a\nF(1)", "mine.cl:2: "},
        {"#define F(a) a\nF(1", "mine.cl:"},
        {"#frobnicate", "mine.cl:1: "},
        {"int a; /* no end", "mine.cl:"},
        {std::string("int a;\nint \0b;", 14), "mine.cl:2: a NUL byte"},
        {"#include \"self.h\"", "self.h:1: "},
        {"#include \"nul.h\"", "mine.cl:1: '#include nul.h': the file has a NUL byte"},
        {"#include \"inc\"", "mine.cl:1: '#include inc': inc is no plain file"},
        {"#include \"bad.h\"", "bad.h:2: "},
    };
    file("self.h", "#include \"self.h\"\n");
    file("nul.h", std::string_view("\0", 1));
    file("bad.h", "\n#error here\n");
    for (const auto& [text, said] : cases) {
        EXPECT_EQ(refusal(text).substr(0, said.size()), said) << text << "\n" << refusal(text);
        EXPECT_EQ(refusal(text).find('\n'), std::string::npos) << refusal(text);
    }
    EXPECT_NE(refusal("\n\n#error too old").find("too old"), std::string::npos);
    EXPECT_NE(refusal("x", {{"1N", "2"}}).find("-D 1N=2"), std::string::npos);
    EXPECT_NE(refusal("x", {{"defined", "2"}}).find("-D defined=2"), std::string::npos);
}

TEST_F(Expand, ConditionsHaveNoLessBitsThanCudas) {
    for (const char* open : {"0xffffffffffffffff == ~0", "~0u == 0xffffffffffffffffu",
                             "(1 << 63) < 0", "18446744073709551616"}) {
        EXPECT_NE(refusal(std::string("#if ") + open + "\n#endif\n"), "") << open;
    }
    EXPECT_EQ(of("#if 0x7fffffffffffffff > 1u && ~0u > 5 && -1 > 0u && (1 << 62) > 0\nint a;\n"
                 "#endif\n"),
              "\nint a;\n");
}

TEST_F(Expand, WordsBehindElseAndEndifSayNothing) {
    EXPECT_EQ(of("#ifdef A\nint a;\n#else /* A\n*/ not A\nint b;\n#endif A\nint c;\n"),
              "\n\n\n\nint b;\n\nint c;\n");
}

TEST_F(Expand, NumbersAndSignsStayApart) {
    EXPECT_EQ(of("#define E 0xfe\n#define M -\nint a = E+1 + E-1 + 0xe +1 + 1e-1f + E M 1;\n"),
              "\n\nint a = 0xfe +1 + 0xfe -1 + 0xe +1 + 1e-1f + 0xfe - 1;\n");
}

TEST_F(Expand, BlanksBehindABackslashAreRefused) {
    for (const char* text :
         {"#define A 1 \\ \n+ 2\n", "// a \\\t\nint b;", "#if 0\n\\ \n#endif\n"}) {
        EXPECT_NE(refusal(text).find("blanks between a backslash"), std::string::npos) << text;
    }
    EXPECT_EQ(of("char a[] = \"\\ \";\n"), "char a[] = \"\\ \";\n");
}

TEST_F(Expand, WhatMultipliesEnds) {
    std::string text = "#define A0 x x\n";
    for (int i = 1; i < 40; ++i) {
        text += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" +
                std::to_string(i - 1) + "\n";
    }
    EXPECT_EQ(refusal(text + "A39\n").substr(0, 8), "mine.cl:");
    // Sixteen bytes more than there may be, of many small expansions.
    EXPECT_NE(refusal("#define B " + std::string(1 << 16, 'b') + "\n" +
                      [] {
                          std::string many;
                          for (int i = 0; i < 300; ++i) many += "B;\n";
                          return many;
                      }())
                  .find("the text grows beyond 16"),
              std::string::npos);
}

TEST_F(Expand, DepthEndsInARefusal) {
    const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
        std::string text;
        for (std::size_t i = 0; i < depth; ++i) text += open;
        text += '1';
        for (std::size_t i = 0; i < depth; ++i) text += close;
        return text;
    };
    // Whether Wave can do it or not: it ends, and says which file when it cannot.
    for (const std::string& text : {"#if " + nested(200'000, "(", ")") + "\n#endif",
                                    "#if " + nested(200'000, "!", "") + "\n#endif",
                                    "#define F(x) x\n" + nested(20'000, "F(", ")")}) {
        EXPECT_EQ(refusal(text).substr(0, 8), "mine.cl:") << text.substr(0, 40);
    }
    std::string deep;
    for (int i = 0; i < 2000; ++i) deep += "#if 1\n";
    EXPECT_EQ(refusal(deep).substr(0, 8), "mine.cl:");
    std::string chain = "#define C0 1\n";
    for (int i = 1; i < 3000; ++i) {
        chain += "#define C" + std::to_string(i) + " C" + std::to_string(i - 1) + "\n";
    }
    EXPECT_TRUE(refusal(chain + "C2999").empty() ||
                refusal(chain + "C2999").starts_with("mine.cl:"));
}

TEST_F(Expand, AnyBytesEnd) {
    std::uint32_t state = 1;
    const std::string_view alphabet = "#define A(x,y)##\n\\\"'/*%:<>?=()\r\t_if0 1.e+\xff\x01";
    for (int round = 0; round < 60; ++round) {
        std::string text;
        for (int i = 0; i < 200; ++i) {
            state = state * 1664525u + 1013904223u;
            text += alphabet[(state >> 16) % alphabet.size()];
        }
        const std::string said = refusal(text);
        EXPECT_TRUE(said.empty() || said.find(':') != std::string::npos) << said;
    }
}

TEST_F(Expand, TakesANewDefinitionAsCompilersDo) {
    if (!can_expand()) GTEST_SKIP();
    const std::string made =
        expanded("mine.cl", "#define N 1\nint a[N];\n#define N 2\nint b[N];\nint c = __LINE__;\n",
                 {{"N", "7"}}, {}, PathSandbox({}));
    EXPECT_THAT(made, ::testing::HasSubstr("int a[1];"));
    EXPECT_THAT(made, ::testing::HasSubstr("int b[2];"));
    EXPECT_THAT(made, ::testing::HasSubstr("int c = 5;"));
    // In branches that are left out, too.
    const std::string left_out =
        "#define N 1\n#ifndef H\n#if 0\n#define N 2\n#elif 0\n#define N 3\n#else\n"
        "int a[__LINE__];\n#endif\nint b[__LINE__];\n#endif\n#define N 4\nint c[__LINE__];\n";
    EXPECT_THAT(of(left_out), ::testing::HasSubstr("int a[8];\n\nint b[10];"));
    EXPECT_THAT(of(left_out), ::testing::HasSubstr("int c[13];"));
}

TEST_F(Expand, ConstantsOf64BitsHaveTheTypeThatOpenClGivesThem) {
    EXPECT_EQ(of("#if LONG_MAX > INT_MAX\nlong a = LONG_MIN; ulong b = ULONG_MAX;\n#endif\n"),
              "\nlong a = (-0x7fffffffffffffffL - 1); ulong b = 0xffffffffffffffffUL;\n");
}

TEST_F(Expand, TakesNamedVariableArguments) {
    if (!can_expand()) GTEST_SKIP();
    EXPECT_THAT(expanded("mine.cl", "#define V(x...) f(x, extra)\nint a = V(1, 2);\n", {}, {},
                         PathSandbox({})),
                ::testing::HasSubstr("int a = f(1, 2, extra);"));
}

TEST_F(Expand, MacrosNamedAsConstantsOfOpenClAreExpanded) {
    EXPECT_EQ(of("#define true 5\n#define false 1\nint a = true + false;\n"),
              "\n\nint a = 5 + 1;\n");
    EXPECT_EQ(of("int a = true;\n"), "int a = true;\n");
}

}  // namespace
}  // namespace parallax::expand_test

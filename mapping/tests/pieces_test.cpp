// Does the translator say of every byte that it changes by which row it did?
#include "mapping/translate/pieces.hpp"

#include <filesystem>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/tests/thorough.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::pieces_test {
namespace {

using ::testing::AllOf;
using testing::constants;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::file_text;
using ::testing::Not;

std::string words_of(const Piece& piece, std::string_view source, std::string_view body) {
    std::string rows;
    for (const MappingRule* row : piece.rows) rows += fmt::format(" [{}]", row->opencl);
    return fmt::format("{} -> {}{}", source.substr(piece.from, piece.from_end - piece.from),
                       body.substr(piece.to, piece.to_end - piece.to), rows);
}

std::vector<std::string> pieces_of(const std::string& source, const TranslateOptions& options) {
    const Translation made = to_cuda("x.cl", source, options);
    std::vector<std::string> words;
    for (const Piece& piece : made.pieces) words.push_back(words_of(piece, source, made.body));
    return words;
}

std::vector<std::string> pieces_of(const std::string& source) {
    return pieces_of(source, {ElementType::f32, constants()});
}

/// An error in the pieces: text outside of them that differs, wrong order, a missing reason, an end
/// of a line on one side only.
std::string trouble(const std::string& source, const Translation& made) {
    std::size_t from = 0, to = 0;
    for (const Piece& piece : made.pieces) {
        const std::string words = words_of(piece, source, made.body);
        if (piece.from < from || piece.to < to || piece.from_end < piece.from ||
            piece.to_end < piece.to || piece.from_end > source.size() ||
            piece.to_end > made.body.size()) {
            return "out of order: " + words;
        }
        const std::string_view left(source), right(made.body);
        if (left.substr(from, piece.from - from) != right.substr(to, piece.to - to)) {
            return "differs before: " + words;
        }
        if (piece.rows.empty()) return "no reason: " + words;
        if (piece.from == piece.from_end && piece.to == piece.to_end) return "nothing: " + words;
        from = piece.from_end;
        to = piece.to_end;
    }
    return source.substr(from) == made.body.substr(to) ? "" : "differs at the end";
}

/// Every kernel file of the project, and its constants, which are all words in capitals.
std::map<std::string, std::string> kernel_files() {
    std::map<std::string, std::string> files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(SOURCE_ROOT "/kernels")) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(".cl") || name.ends_with(".opencl.cl")) continue;
        files[entry.path().string()] = file_text(entry.path().string());
    }
    return files;
}

TEST(Pieces, ExplainEveryDifferenceInEveryKernelFile) {
    const auto files = kernel_files();
    EXPECT_GT(files.size(), 20U);
    std::size_t translated = 0, changed_lines = 0;
    for (const auto& [file, source] : files) {
        for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::i32}) {
            try {
                const Translation made = to_cuda(file, source, {type, constants()});
                EXPECT_EQ(trouble(source, made), "") << file;
                ++translated;
                changed_lines += made.pieces.size();
            } catch (const Refused& refused) {
                // The corpus has files that are there to be refused.
                EXPECT_NE(file.find("/corpus/"), file.npos) << refused.what();
            }
        }
    }
    EXPECT_GT(translated, 60U);
    EXPECT_GT(changed_lines, 1000U);
}

/// The text with a token left out, written twice or commented out, or with a line end before it.
std::string damaged(const std::string& source, std::mt19937& random) {
    const std::vector<Token> tokens = lex("x.cl", source);
    const std::size_t victim = random() % tokens.size(), how = random() % 4;
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        text += tokens[i].space;
        if (i == victim && how == 0) continue;
        if (i == victim && how == 1) text += std::string(tokens[i].text) + " ";
        if (i == victim && how == 2) text += "/* x\n */";
        if (i == victim && how == 3 && tokens[i].kind != TokenKind::directive) text += "\n ";
        text += tokens[i].text;
    }
    return text;
}

TEST(Pieces, HoldForDamagedKernels) {
    std::mt19937 random(11);
    const std::size_t rounds = test::is_thorough() ? 20 : 6;
    std::size_t translated = 0;
    for (const auto& [file, source] : kernel_files()) {
        for (std::size_t round = 0; round < rounds; ++round) {
            std::string text;
            try {
                text = damaged(source, random);
                const Translation made = to_cuda(file, text, {ElementType::f64, constants()});
                EXPECT_EQ(trouble(text, made), "") << file << "\n" << text;
                ++translated;
            } catch (const Refused&) {
                // Many make no sense any more.
            }
        }
    }
    EXPECT_GT(translated, 25 * rounds / 2);
}

TEST(Pieces, NameTheRow) {
    EXPECT_THAT(pieces_of("__kernel void f(__global T* a) { a[get_global_id(0)] = 1L; }"),
                ElementsAre("__kernel -> extern \"C\" __global__ [__kernel]",
                            "__global  ->  [__global]", "T -> float [T]",
                            "get_global_id(0) -> (size_t(blockIdx.x) * blockDim.x + threadIdx.x) "
                            "[get_global_id($)]",
                            "1L -> 1LL [1L]"));
}

TEST(Pieces, LeaveArgumentsOut) {
    EXPECT_THAT(pieces_of("void f(int a, int n) { a = convert_int(a << n); }"),
                AllOf(Contains("convert_int( -> ((int)( [convert_<integer>($)]"),
                      Contains(" -> shift_left( [T << n]"), Contains(" << -> , [T << n]"),
                      Contains(") -> )) [convert_<integer>($)]")));
}

TEST(Pieces, NameRowsThatChangeNothing) {
    const auto pieces = pieces_of("void f(T4 a, T b) { a = a + a; b = rsqrt(b); }");
    EXPECT_THAT(pieces, Contains("+ -> + [T4 + T4]"));
    EXPECT_THAT(pieces, Contains("rsqrt -> rsqrt [rsqrt($)]"));
}

TEST(Pieces, KeepCommentsWithinARowApart) {
    const std::string source = "void f() { int a = get_local_id(/* x */ 0); }";
    const Translation made = to_cuda("x.cl", source, {});
    EXPECT_EQ(trouble(source, made), "");
    for (const Piece& piece : made.pieces) {
        EXPECT_THAT(source.substr(piece.from, piece.from_end - piece.from),
                    Not(::testing::HasSubstr("x */")));
    }
}

TEST(Pieces, CountFromTheTextNotFromItsMacros) {
    const std::string source = "W f(W a) { return (W)a; }\nlong g() { return 1L; }\n";
    TranslateOptions options;
    options.defines = {{"W", "long"}, {"LONG", "1"}};
    const Translation made = to_cuda("x.cl", source, options);
    EXPECT_EQ(trouble(source, made), "");
    EXPECT_THAT(pieces_of(source, options),
                ElementsAre(" -> __device__  [T f()]", " -> __device__  [T f()]",
                            "long -> long long [long]", "1L -> 1LL [1L]"));
}

TEST(Pieces, HoldForEveryExampleOfTheTable) {
    const std::vector<std::string> sources{
        "__kernel void f(int n, __local T* p, __local int* q) {\n  p[0] = q[0];\n}",
        "__kernel void f(__local T* p, int n) {}",
        "struct S { int a; } __attribute__((packed));\nvoid f() { struct S s = {.a = 1}; }",
        "typedef struct { int a; } __attribute__((packed, aligned(8))) S;",
        "static __kernel __attribute__((reqd_work_group_size(\n TILE, 1, 1))) void f() {}",
        "__kernel void f(__global T4* v) {\n v[0].xz += (float2)(1, 2);\n v[1].s01 = v[1].hi;\n}",
        "T4 f(int4 a, T4 b) { return a ? b : (T4)(1); }",
        "__constant T4 a = (T4)(1);\n__constant T4 b[2] = {(T4)(1, 2, 3, 4), 2};",
        "#define W(class, b) \\\n  ((uint)(class) << (b))\nvoid f() { int a = W(1, 2); }",
        "#pragma OPENCL EXTENSION \\\n cl_khr_fp64 : enable\nvoid f() {}\r\n",
        "void f() {\n#pragma unroll N\nfor (;;) {}\n}",
        "#  pragma   unroll   4\nvoid f() {}",
        "int class(int template) { return template; }\nint g() { return class(1); }",
        "void f(float8 a) { float b = a.hi.lo.x + a.s7 + vec_step(a) + a.odd.y; }",
        "void f(int a) { printf(\"%ld %d\", (long)a, a); barrier(/* why */ CLK_LOCAL_MEM_FENCE\n); "
        "}",
        "void f(__global volatile T4* a, volatile\n T4 b) { _Pragma(\"clang x\") ; }",
    };
    for (const std::string& source : sources) {
        const Translation made = to_cuda("x.cl", source, {ElementType::f32, constants()});
        EXPECT_EQ(trouble(source, made), "") << source << "\n" << made.body;
    }
}

}  // namespace
}  // namespace parallax::pieces_test

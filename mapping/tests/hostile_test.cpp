// Nothing that a file can hold may crash the translator or keep it busy: it is translated or
// refused.
#include <random>

#include <gtest/gtest.h>

#include "common/tests/thorough.hpp"
#include "kernels/kernel_texts.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::hostile_test {
namespace {

void translate_or_refuse(std::string_view source) {
    try {
        testing::translate(source);
    } catch (const Refused&) {
    }
    try {
        signatures("x.cl", source, ElementType::f32);
    } catch (const Refused&) {
    }
}

std::string repeated(std::string_view part, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += part;
    return text;
}

TEST(Hostile, EmptyTextIsEmpty) {
    EXPECT_EQ(testing::translate("").body, "");
    EXPECT_EQ(testing::translate("// \xc3\xa4 only a comment").body, "// \xc3\xa4 only a comment");
    EXPECT_EQ(testing::translate("\r\n;\r\n").body, "\r\n;\r\n");
}

TEST(Hostile, LargeTextsEndSoon) {
    translate_or_refuse(repeated("(", 1 << 20));
    const std::size_t size = test::is_thorough() ? 1 << 16 : 1 << 14;
    for (const char* part :
         {"(",           ")",         "{",         "[",        "a ",    "a(",
          "\"",          "'",         "/*",        "//",       "#",     "\n",
          "\\",          "1",         ".",         "<",        "\xff",  "__local ",
          "__constant ", "(int)",     "-",         "f() {}\n", "T4 a;", "T4 a = (T4)(1);",
          "long ",       "unsigned ", "__kernel ", "() "}) {
        const std::string text = repeated(part, size);
        translate_or_refuse(text);
        translate_or_refuse("void f(T4 v) { x = " + text + "; }");
    }
    translate_or_refuse(repeated(std::string_view("\0", 1), size));
    const std::string deep(150, '(');
    translate_or_refuse("void f(T4 v) { x = " + deep + repeated("a + ", size) + "v" +
                        std::string(150, ')') + "; }");
    translate_or_refuse("void f(T4 v) { x = " + repeated("a << 3 + ", size) + "v; }");
    translate_or_refuse("void f(T4 v) { x = v" + repeated(".x", size) + "; }");
    translate_or_refuse("void f(T4 v) { x = " + repeated("v ? -v : ", size) + "v; }");
}

// The first token of a file has no token before it.
TEST(Hostile, DataAtTheVeryBeginning) {
    EXPECT_EQ(testing::translate("int a;").body, "__device__ int a;");
    EXPECT_EQ(testing::translate("__constant float f = 1;").body, "__constant__ float f = 1;");
    EXPECT_EQ(testing::translate("enum { and = 1 };").body, "enum : int { and_ = 1 };");
    EXPECT_EQ(testing::translate(";enum e { clamp };").body, ";enum : int { clamp };");
    EXPECT_EQ(testing::translate("typedef int a;\ntypedef a b;\n").body,
              "typedef int a;\ntypedef a b;\n");
}

// Each of these took time that grew with the square of their number.
TEST(Hostile, ManyOfOneKind) {
    const std::size_t size = test::is_thorough() ? 1 << 20 : 1 << 18;
    translate_or_refuse("__kernel void k() { " + repeated("volatile ", size) + "int a; }");
    std::string parameters, kernels;
    for (int i = 0; parameters.size() < size; ++i) {
        parameters += "__local float* p" + std::to_string(i) + ", ";
        kernels += "__kernel void make_float4_" + std::to_string(i) + "() {}\n";
    }
    translate_or_refuse("__kernel void k(" + parameters + "int n) {}");
    translate_or_refuse(kernels);
}

TEST(Hostile, LocalParametersAmongOthers) {
    const std::string memory =
        " extern __shared__ __align__(128) unsigned char dynamic_local[]; int* a = "
        "reinterpret_cast<int*>(dynamic_local); int* b = reinterpret_cast<int*>(dynamic_local + "
        "b_at);}";
    EXPECT_EQ(
        testing::translate("__kernel void k(int n, __local int* a, int m, __local int* b) {}").body,
        "extern \"C\" __global__ void k(int n, int m, unsigned int b_at) {" + memory);
    EXPECT_EQ(testing::translate("__kernel void k(__local int* a, int m, __local int* b) {}").body,
              "extern \"C\" __global__ void k(int m, unsigned int b_at) {" + memory);
}

// A row may leave out an argument, but no line end before it.
TEST(Hostile, LineEndsWithinWhatARowLeavesOut) {
    EXPECT_EQ(testing::statements("barrier(\n1\n);"), "__syncthreads()\n\n;");
    EXPECT_EQ(testing::statements("barrier( 1 /* why */);"), "__syncthreads() /* why */;");
    EXPECT_EQ(testing::statements("size_t n = get_local_id(\n0);"),
              "size_t n = size_t(threadIdx.x)\n;");
}

TEST(Hostile, VolatileVectorsAmongQualifiers) {
    EXPECT_EQ(testing::statements("volatile const float4 a; volatile const int b; "
                                  "float4 volatile c; volatile int d;"),
              "volatile const float4 a = {}; volatile const int b = {}; float4 volatile c; "
              "volatile int d;");
}

// Nothing is read behind the last token: a sanitizer sees it.
TEST(Hostile, AMacroMayEndInAnOpenBracket) {
    for (const char* text : {"#define F(x) (", "#define F (float4", "#define F (float4)",
                             "#define F ) (float4)", "void f() {}\n#define F a ("}) {
        translate_or_refuse(text);
    }
    const std::string said = testing::refusal("#define F ) (float4)(1.0f)\n");
    EXPECT_NE(said.find("cannot be read by itself"), std::string::npos) << said;
}

// Every twenty-third or ninety-seventh prefix of each kernel, from a different offset each; the
// fuzzers cut sources anywhere.
TEST(Hostile, PrefixesOfEveryKernel) {
    const std::size_t step = test::is_thorough() ? 23 : 97;
    std::size_t first = 0;
    for (const EmbeddedFile& file : embedded_kernels()) {
        for (std::size_t n = first++; n < file.text.size(); n += step) {
            translate_or_refuse(file.text.substr(0, n));
        }
    }
}

TEST(Hostile, RandomChangesOfEveryKernel) {
    std::mt19937 random(20240607);
    const std::string_view pieces[] = {"(",
                                       ")",
                                       "{",
                                       "}",
                                       "[",
                                       "]",
                                       ";",
                                       ",",
                                       "*",
                                       "=",
                                       "<<",
                                       "__local ",
                                       "T4",
                                       "(T4)",
                                       "(T4)(",
                                       "fma(",
                                       "barrier(",
                                       "0",
                                       ".xy",
                                       "'",
                                       "\"",
                                       "\\\n",
                                       "#pragma unroll\n",
                                       "/*",
                                       "//",
                                       "__kernel ",
                                       "__constant ",
                                       "const ",
                                       "sizeof",
                                       "get_global_id(0)",
                                       "long ",
                                       "struct ",
                                       "typedef ",
                                       "\r\n",
                                       "-",
                                       ".",
                                       "->",
                                       "\xc3\xa4"};
    const int rounds = test::is_thorough() ? 75 : 20;
    for (const EmbeddedFile& file : embedded_kernels()) {
        for (int round = 0; round < rounds; ++round) {
            std::string text(file.text);
            for (unsigned change = random() % 4 + 1; change > 0; --change) {
                const std::size_t at = random() % text.size();
                switch (random() % 4) {
                    case 0: text[at] = static_cast<char>(random() % 256); break;
                    case 1: text.erase(at, random() % 8 + 1); break;
                    case 2: text.insert(at, pieces[random() % std::size(pieces)]); break;
                    default: {
                        const std::size_t from = random() % text.size();
                        text.insert(at, text.substr(from, random() % 40));
                    }
                }
                if (text.empty()) text = " ";
            }
            translate_or_refuse(text);
        }
    }
}

/// A macro's argument that is no expression is a node as well, while the tree grows.
TEST(Hostile, PiecesOfTextAsArgumentsOfMacros) {
    std::string text = "#define M(a, b) a\nvoid f(int x) { ";
    for (int i = 0; i < 300; ++i) text += "x = M(x, ^) + M(M(x, int *), -) + x; ";
    translate_or_refuse(text + "}\n");
    translate_or_refuse(
        "#define J(a, b) J2(a, ^)\n#define V(t) J(t, .s0 4)\n"
        "__kernel void k(__global V(int)* p) { V(int) v = J(c, V(int))(p[0]); }");
}

}  // namespace
}  // namespace parallax::hostile_test

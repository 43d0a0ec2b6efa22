// Shifts: which stay as they are, and which a function of the prelude does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/prelude/prelude.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::shifts_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::translate;

std::string body(std::string_view text, std::string_view before = "") {
    const std::string all =
        translate(
            std::string(before) +
            "__kernel void k(__global int* o, int a, int b, uint n, long l, ulong u, uchar c,\n"
            "short s, size_t z, float f, int4 v) {" +
            std::string(text) + "}")
            .body;
    const std::size_t open = all.find("f, int4 v) {");
    return all.substr(open + 12, all.rfind('}') - open - 12);
}

TEST(Shifts, ByLessThanTheWidthStay) {
    for (const char* text :
         {"a = a << 0;", "a = a << 31;", "a = n >> 31u;", "a = a << 0x1f;", "a = a << 037;",
          "a = c << 31;", "a = s >> 16;", "u = u << 63;", "l >>= 63;", "z = z << 40;",
          "a = a << (5);", "a <<= 3;", "a = b << 3 | c;", "o[a >> 5] = 1;", "a = 1 << 4 << 5;"}) {
        EXPECT_EQ(body(text), text);
    }
    EXPECT_EQ(body("u = 1UL << 40; l = (long)a << 40;"), "u = 1ULL << 40; l = (long long)a << 40;");
}

TEST(Shifts, ByAMaskedCountStay) {
    for (const char* text :
         {"a = a << (b & 31);", "a = a >> (31 & b);", "a <<= b & 0x1f;", "u = u << (n & 63);",
          "a = a << ((b + 1) & 7);", "l >>= (a & 63);", "u = u << (n & 31);"}) {
        EXPECT_EQ(body(text), text);
    }
}

TEST(Shifts, ThatMayGoBeyondTheWidthAreMasked) {
    EXPECT_EQ(body("a = a << b;"), "a = shift_left(a, b);");
    EXPECT_EQ(body("a = n >> b;"), "a = shift_right(n, b);");
    EXPECT_EQ(body("a = a << 32;"), "a = shift_left(a, 32);");
    EXPECT_EQ(body("a = a << -1;"), "a = shift_left(a, -1);");
    EXPECT_EQ(body("u = u << 64;"), "u = shift_left(u, 64);");
    EXPECT_EQ(body("a = a << (n & 63);"), "a = shift_left(a, (n & 63));");
    EXPECT_EQ(body("a = 1 << 40;"), "a = shift_left(1, 40);");
    // A narrow left side has 32 bits.
    EXPECT_EQ(body("a = c << 32;"), "a = shift_left(c, 32);");
    EXPECT_EQ(body("a = a << (n | b & 31);"), "a = shift_left(a, (n | b & 31));");
    EXPECT_EQ(body("a = a << (n & 31) + 1;"), "a = shift_left(a, (n & 31) + 1);");
    EXPECT_EQ(body("a = a << (b ? n : b & 31);"), "a = shift_left(a, (b ? n : b & 31));");
    EXPECT_EQ(body("a = a << (b = n & 31);"), "a = shift_left(a, (b = n & 31));");
    EXPECT_EQ(body("a = a << (n & 31)[o];"), "a = shift_left(a, (n & 31)[o]);");
    EXPECT_EQ(body("a = a << UNROLL;"), "a = shift_left(a, UNROLL);");
}

TEST(Shifts, BindAsTheyDidBefore) {
    EXPECT_EQ(body("a = a << 3 + b;"), "a = shift_left(a, 3 + b);");
    EXPECT_EQ(body("a = a << b & 31;"), "a = shift_left(a, b) & 31;");
    EXPECT_EQ(body("a = 1 + a >> b;"), "a = shift_right(1 + a, b);");
    EXPECT_EQ(body("a = 1 << a << b;"), "a = shift_left(shift_left(1, a), b);");
    EXPECT_EQ(body("a = 1 << (2 << b);"), "a = shift_left(1, (shift_left(2, b)));");
    EXPECT_EQ(body("a = -a << *o;"), "a = shift_left(-a, *o);");
    EXPECT_EQ(body("a = a /*x*/ << /*y*/ b /*z*/;"), "a = shift_left(a /*x*/ , /*y*/ b) /*z*/;");
}

TEST(Shifts, ThatAssignTakeTheirLeftSideOnce) {
    EXPECT_EQ(body("a <<= b;"), "shift_left_assign(a, b);");
    EXPECT_EQ(body("o[a++] >>= b;"), "shift_right_assign(o[a++], b);");
    EXPECT_EQ(body("a <<= 3 | b;"), "shift_left_assign(a, 3 | b);");
    EXPECT_EQ(body("c <<= b;"), "shift_left_assign(c, b);");
    EXPECT_EQ(body("a <<= b >>= 2;"), "shift_left_assign(a, b >>= 2);");
}

TEST(Shifts, AskThePreludeForWhatIsUsed) {
    EXPECT_EQ(translate("int f(int a) { return a << 3; }").prelude, "");
    EXPECT_EQ(translate("int f(int a) { return a << a; }").prelude, prelude_of({"shift_left"}));
    EXPECT_EQ(translate("void f(int a) { a >>= a; }").prelude, prelude_of({"shift_right_assign"}));
}

TEST(Shifts, OfVectorsAreOperators) {
    EXPECT_EQ(body("v = v << 40; v >>= v; v = v << a;"), "v = v << 40; v >>= v; v = v << a;");
    EXPECT_EQ(translate("int4 f(int4 a, int n) { return a << n; }").prelude,
              prelude_of({"int4 <<"}));
}

TEST(Shifts, ByMacrosOfNumbers) {
    EXPECT_EQ(body("a = a << N;", "#define N 5\n"), "a = a << N;");
    EXPECT_EQ(body("a = a << N;", "#define N 40\n"), "a = shift_left(a, N);");
    EXPECT_EQ(body("u = u << N;", "#define N 40\n"), "u = u << N;");
    EXPECT_EQ(body("a = a << (b & N);", "#define N 31\n"), "a = a << (b & N);");
    EXPECT_EQ(body("a = a << N;", "#define N b\n"), "a = shift_left(a, N);");
    // Known by what -D says only.
    EXPECT_EQ(body("a = a << TILE;", "#ifndef TILE\n#define TILE 5\n#endif\n"),
              "a = shift_left(a, TILE);");
}

TEST(Shifts, ByMacrosThatAreDefinedMoreThanOnce) {
    const char* both = "#ifdef A\n#define N 5\n#else\n#define N 40\n#endif\n";
    EXPECT_EQ(body("a = a << N; u = u << N;", both), "a = shift_left(a, N); u = u << N;");
    EXPECT_EQ(body("a = a << N;", "#define N 5\n#undef N\n#define N 6\n"), "a = a << N;");
    EXPECT_EQ(body("a = a << N;", "#ifdef A\n#define N 5\n#else\n#define N TILE\n#endif\n"),
              "a = shift_left(a, N);");
}

TEST(Shifts, InMacrosHoldForEveryUse) {
    EXPECT_THAT(translate("#define G(v) ((v) << 5)\n").body, Not(HasSubstr("shift")));
    // It is safe with 64 bits, and not with 32.
    EXPECT_EQ(translate("#define G(v) ((v) << 40)\nint f(int a) { return G(a); }\n").body,
              "#define G(v) (shift_left((v), 40))\n__device__ int f(int a) { return G(a); }\n");
    EXPECT_EQ(translate("#define G(v, n) ((v) >> (n))\n").body,
              "#define G(v, n) (shift_right((v), (n)))\n");
    EXPECT_EQ(translate("#define G(v, n) ((v) >> ((n) & 31))\n").body,
              "#define G(v, n) ((v) >> ((n) & 31))\n");
    EXPECT_EQ(translate("#define G(v) ((ulong)(v) << 40)\n").body,
              "#define G(v) ((unsigned long long)(v) << 40)\n");
}

}  // namespace
}  // namespace parallax::shifts_test

// Is what C allows, and C++ does not or reads otherwise, written so that both mean the same?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/tests/support.hpp"

namespace parallax::c_and_cxx_test {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::refusal_in_body;
using testing::statements;
using testing::translate;

std::string body(std::string_view source) {
    return translate(source).body;
}

TEST(Enums, HaveTheTypeThatOpenClGivesThem) {
    EXPECT_EQ(body("enum E { A, B = 7 }; enum E e;"),
              "enum : int { A, B = 7 }; __device__ unsigned int e;");
    EXPECT_EQ(body("enum E { A = -1, B }; enum E f(enum E* e);"),
              "enum : int { A = -1, B }; __device__ int f(int* e);");
    EXPECT_EQ(body("typedef enum E { A } E;"), "enum : int { A }; typedef unsigned int E;");
    EXPECT_EQ(statements("enum __attribute__((packed)) { A } a; enum { B = -1 } "
                         "__attribute__((packed)) b; enum { C = 300 } __attribute__((packed)) c;"),
              "enum : int { A }; unsigned char a; enum : int { B = -1 }; signed char b; "
              "enum : int { C = 300 }; unsigned short c;");
    EXPECT_EQ(statements("const enum { A = 1 } a = A, b = 2, *p = &a;"),
              "enum : int { A = 1 }; const unsigned int a = A, b = 2, *p = &a;");
}

TEST(Enums, WhatNoIntHoldsIsAnEnumOfItsOwn) {
    EXPECT_EQ(body("enum { A = 1, B = 0x80000000, C, D = 2 };"),
              "enum : int { A = 1 }; enum : unsigned int { B = 0x80000000, C }; "
              "enum : int { D = 2 };");
    EXPECT_EQ(body("enum { A = 1,\n#define C A\nB = 0x80000000 };"),
              "enum : int { A = 1 }; enum : unsigned int {\n#define C A\nB = 0x80000000 };");
    EXPECT_EQ(body("enum { A = 0x7fffffff, B };"),
              "enum : int { A = 0x7fffffff }; enum : unsigned int { B = 2147483648ull };");
    EXPECT_EQ(statements("enum { A = -1, B = 0xffffffffu } e;"),
              "enum : int { A = -1 }; enum : long long { B = 0xffffffffu }; long long e;");
    EXPECT_EQ(statements("enum { A, B = 1ul << 63 } e;"),
              "enum : int { A }; enum : unsigned long long { B = 1ull << 63 }; "
              "unsigned long long e;");
}

TEST(Enums, ValuesAreThoseOfExpressions) {
    const auto type_of = [](const std::string& value) {
        const std::string text = statements("enum { Z = 'a', Y = Z << 2, X = " + value + " } e;");
        return text.substr(text.rfind("; ", text.size() - 2) + 2);
    };
    EXPECT_EQ(type_of("~Z + Y"), "unsigned int e;");
    EXPECT_EQ(type_of("Z - Y"), "int e;");
    EXPECT_EQ(type_of("(Z > 97 || !1) ? -1 : 1"), "unsigned int e;");
    EXPECT_EQ(type_of("(Z == 97 && 3 % 2) ? -1 : 1"), "int e;");
    EXPECT_EQ(type_of("-(int)sizeof(float3)"), "int e;");
    EXPECT_EQ(type_of("-7 / 2 + 3"), "unsigned int e;");
    EXPECT_EQ(type_of("-7 / 2 + 2"), "int e;");
    EXPECT_EQ(type_of("(0 - 1u) >> 31"), "unsigned int e;");
    EXPECT_EQ(type_of("1 << 31"), "int e;");
    EXPECT_EQ(type_of("(char)200"), "int e;");
    EXPECT_EQ(type_of("(uchar)-1 ^ 017"), "unsigned int e;");
    EXPECT_EQ(body("#define BIT(n) (1 << (n))\n#define LOW -BIT(2)\nenum { A = LOW }; "
                   "typedef enum { B = BIT(31) } E;"),
              "#define BIT(n) (shift_left(1, (n)))\n#define LOW -BIT(2)\nenum : int { A = LOW }; "
              "enum : int { B = BIT(31) }; typedef int E;");
}

TEST(Enums, OfUnknownValuesHaveNoVariables) {
    EXPECT_EQ(body("enum { A = TILE };"), "enum : int { A = TILE };");
    EXPECT_THAT(refusal("enum E { A = TILE }; enum E e;"), HasSubstr("1: 'enum': an enum whose"));
    EXPECT_THAT(refusal("enum E { A,\n#if X\nB = -1\n#endif\n}; enum E e;"), HasSubstr("x.cl:5: "));
    EXPECT_THAT(refusal("#if X\nenum E { A };\n#else\nenum E { A = -1 };\n#endif\nenum E e;"),
                HasSubstr("x.cl:6: 'enum'"));
    EXPECT_THAT(refusal("enum E { , A } e;"), HasSubstr("'enum': an enum whose"));
    EXPECT_THAT(refusal("enum E { A } f(int a) { return a; }"), HasSubstr("in front of that"));
    EXPECT_THAT(refusal("int f(enum E { A } a) { return a; }"), HasSubstr("in front of that"));
    EXPECT_THAT(refusal("enum E { A } e = A;"), HasSubstr("in front of that"));
}

TEST(Enums, KeepTheirLines) {
    EXPECT_EQ(body("typedef enum {\n  A = 1,  // one\n  B\n} E;\nE e(void);"),
              "enum : int {\n  A = 1,  // one\n  B\n}; typedef unsigned int E;\n"
              "__device__ E e(void);");
    EXPECT_EQ(body("struct S {\n  enum { A,  // a\n    B } e;\n  int n;\n};"),
              "enum : int { A, B }; struct S {\n  unsigned int  // a\n     e;\n  int n;\n};");
}

TEST(InnerTypes, AreKnownOutside) {
    EXPECT_EQ(body("struct S { struct R { int x; } r; struct Q { int y; } q; }; struct R r(void);"),
              "struct R { int x; }; struct S { struct R r; struct Q { int y; } q; }; "
              "__device__ struct R r(void);");
    EXPECT_EQ(body("typedef struct { union U { struct R { int x; } r; } u; } S;"
                   "void f(struct R r, union U u);"),
              "struct R { int x; }; union U { struct R r; }; typedef struct { union U u; } S;"
              "__device__ void f(struct R r, union U u);");
    EXPECT_THAT(refusal("struct S {\n#if X\nstruct R { int x; } r;\n#endif\n}; struct R r(void);"),
                HasSubstr("x.cl:3: 'struct': a type that is used outside"));
    EXPECT_EQ(body("struct S { struct R { int x; }; enum { A }; struct R r; }; struct R r(void);"),
              "struct R { int x; }; enum : int { A }; struct S { ; ; struct R r; }; "
              "__device__ struct R r(void);");
    EXPECT_THAT(refusal("struct S { };"), HasSubstr("without members"));
    for (const char* within :
         {"return sizeof(struct { int a; });", "return ((union S { int a; }*)0)->a;"}) {
        EXPECT_THAT(refusal_in_body(within), HasSubstr("declare it in front of that")) << within;
    }
}

TEST(Choices, OfNarrowValuesAreInts) {
    for (const std::string type : {"char", "uchar", "short", "ushort", "bool"}) {
        const std::string f = "uint f(" + type + " a, int n, float x) { return ";
        EXPECT_THAT(body(f + "popcount(n ? a : a); }"), HasSubstr("popcount((int)(n ? a : a))"));
        EXPECT_THAT(body(f + "clz((n ? n ? a : a : a)); }"), HasSubstr("clz((int)((n ? "));
        EXPECT_THAT(body(f + "sizeof(n ? a : a); }"), HasSubstr("sizeof(int)")) << type;
        EXPECT_THAT(body(f + "popcount(n ? a : n) + sizeof(n ? x : x); }"),
                    HasSubstr("popcount(n ? a : n) + sizeof(n ? x : x)"));
    }
    EXPECT_THAT(body("int __attribute__((overloadable)) g(int a) { return 1; }\n"
                     "int __attribute__((overloadable)) g(char a) { return 2; }\n"
                     "int f(char a) { return g(a ? a : a) + g(a); }"),
                HasSubstr("g((int)(a ? a : a)) + g(a)"));
}

TEST(Predicates, AreIntsForSizeof) {
    EXPECT_THAT(body("uint f(float a, half b, float2 c) { return sizeof(isnan(a)) + "
                     "sizeof(isinf(b)) + sizeof signbit(a) + sizeof(isequal(a, a)) + "
                     "sizeof(isfinite(c)); }"),
                HasSubstr("return sizeof(int) + sizeof(int) + sizeof (int) + "
                          "sizeof(isequal(a, a)) + sizeof(isfinite(c));"));
}

/// The names of structs are apart from others in C; in C++ the inner one hides what is outside.
TEST(Tags, HideNothing) {
    EXPECT_EQ(statements("int s; { struct s { int a; } b; struct s c; s = sizeof(s); }"),
              "int s; { struct s_ { int a; } b; struct s_ c; s = sizeof(s); }");
    EXPECT_THAT(body("int s(void); int s_; void f(void) { union s { int a; } b; s(); }"),
                HasSubstr("union s__ { int a; } b; s();"));
    EXPECT_EQ(body("typedef short s; struct s { int a; }; s f(struct s* a);"),
              "typedef short s; struct s_ { int a; }; __device__ s f(struct s_* a);");
    EXPECT_THAT(body("int f(int s, char* p) { struct s { int a; }; return "
                     "((struct s*)p)->a; }"),
                HasSubstr("((struct s_*)p)->a"));
    for (const char* same : {"typedef struct s { int a; } s; typedef struct { s b; } t;",
                             "struct s { int a; }; typedef struct { struct s s; } t;"}) {
        EXPECT_EQ(body(same), same);
    }
    EXPECT_EQ(statements("struct s { int a; } b; struct s s;"),
              "struct s_ { int a; } b; struct s_ s;");
}

TEST(Members, MayHaveTheNameOfTheirType) {
    EXPECT_EQ(body("typedef struct { int a; } v; typedef float w; struct s { v v; w *w, a; };"),
              "typedef struct { int a; } v; typedef float w; struct s { ::v v; ::w *w, a; };");
}

TEST(Loops, ABodyMayDeclareTheVariableOnceMore) {
    EXPECT_EQ(statements("for (int i = 0; i < 2; i++) { int i = 3; }"),
              "for (int i = 0; i < 2; i++) {{ int i = 3; }}");
    EXPECT_EQ(statements("for (int i = 0, j = 1;;) { float j; { int i; } }"),
              "for (int i = 0, j = 1;;) {{ float j; { int i; } }}");
    for (const char* same : {"for (int i = 0;;) { { int i; } }", "for (int i = 0;;) { int j; }",
                             "int i; for (;;) { int i; }", "for (int i = 0;;) if (i) { int i; }"}) {
        EXPECT_EQ(statements(same), same);
    }
}

TEST(Loops, MayHaveAHeadThatIsAMacro) {
    const std::string head = "#define FOR(v, n) for (int v = 0, s = n; v < n; v++)\n";
    for (const char* name : {"i", "s"}) {
        EXPECT_EQ(body(head + "void f(int n) { FOR(i, 3) { int " + name + "; } }"),
                  head + "__device__ void f(int n) { FOR(i, 3) {{ int " + name + "; }} }");
    }
    EXPECT_THAT(body(head + "void f(int n) { FOR(i, 3) { int k; } }"), HasSubstr("{ int k; } }"));
}

TEST(Loops, AreNoFunctions) {
    EXPECT_THAT(refusal("void f(void);\nfor (int i = 0; i < 2; i++) { f(); }"),
                ::testing::Not(HasSubstr("'for': a built-in function")));
}

TEST(Jumps, PassNoFirstValueOfAVectorOrStruct) {
    const auto about = [](const std::string& body) {
        return refusal("struct S { int a; };\nint f(int a, float4 v) { " + body + " return a; }");
    };
    for (const char* body :
         {"if (a) goto end; float4 w = v; a = w.x; end:;",
          "goto end; { int b = 1; } const float4 w = v; end: a = 1;",
          "if (a) { goto end; } struct S s = {1}; end:;",
          "if (a) goto end; float4 w[2] = {v, v}; end:;",
          "switch (a) { case 1:; float4 w = v; case 2: a = 3; }",
          "switch (a) { case 1:; { float4 w = v; } float2 u = v.xy; default: a = 3; }",
          "goto in; { float4 w = v; in: a = 1; }"}) {
        EXPECT_THAT(about(body), HasSubstr("a jump passes over its first value")) << body;
    }
    for (const char* body :
         {"float4 w; if (a) goto end; w = v; a = w.x; end:;",
          "goto end; { float4 w = v; a = w.x; } end:;", "goto end; int b = 1; end:;",
          "again:; float4 w = v; if (a--) goto again;", "float4 w = v; goto end; end:;",
          "switch (a) { case 1: { float4 w = v; a = w.x; } case 2: a = 3; }",
          "float4 w = v; switch (a) { case 1: a = w.x; }",
          "switch (a) { case 1: a = 2; default:; float4 w = v; a = w.x; }",
          "for (int i = 0; i < 2; ++i) { float4 w = v; switch (i) { case 1: a = w.x; } }"}) {
        EXPECT_EQ(about(body), "") << body;
    }
}

TEST(Switches, LabelsFitTheirType) {
    EXPECT_EQ(statements("uint a; switch (a) { case 1: case -1: case 'a': ; }"),
              "unsigned int a; switch (a) { case 1: case (unsigned int)(-1): case 'a': ; }");
    EXPECT_EQ(statements("int a; switch (a) { case 1u: case -1: case 0xffffffff: ; }"),
              "int a; switch (a) { case 1u: case -1: case (int)(0xffffffff): ; }");
    EXPECT_EQ(statements("uchar a; long b; switch (a) { case 300: switch (b) { case -1: ; } "
                         "case 4000000000: ; }"),
              "unsigned char a; long long b; switch (a) { case 300: switch (b) { case -1: ; } "
              "case (int)(4000000000LL): ; }");
    EXPECT_THAT(refusal_in_body("switch (1) { case 1 ... 3: ; }"), HasSubstr("'...': a range"));
}

TEST(Characters, FillTheirArrays) {
    EXPECT_EQ(statements("char a[3] = \"abc\", b[4] = \"abc\", c[] = \"abc\", d[2] = {\"ab\"};"),
              "signed char a[3] = {'a', 'b', 'c'}, b[4] = \"abc\", c[] = \"abc\", "
              "d[2] = {'a', 'b'};");
    EXPECT_EQ(statements("uchar a[6] = \"'\\\\\" \"\\n\\xe4\\0z\"; char b[1] = \"\\xe4\";"),
              "unsigned char a[6] = {39, 92, 10, 228, 0, 'z'}; signed char b[1] = {-28};");
    EXPECT_EQ(body("__constant char a[2][2] = {\"ab\", \"c\"}; struct S { int n; char c[2]; }; "
                   "__constant struct S s = {1, \"ab\"};"),
              "__constant__ signed char a[2][2] = {{'a', 'b'}, \"c\"}; "
              "struct S { int n; signed char c[2]; }; "
              "__constant__ struct S s = {1, {'a', 'b'}};");
    EXPECT_EQ(statements("char a[TILE] = \"ab\";"), "signed char a[TILE] = {'a', 'b'};");
}

TEST(Initializers, AreWrittenInOrder) {
    EXPECT_EQ(statements("int a[8] = {[0] = 1, [4] = 2, 3};"), "int a[8] = { 1,  0, 0, 0, 2, 3};");
    EXPECT_EQ(statements("enum { A, B }; int a[] = {[B] = 1, [A] = 2};"),
              "enum : int { A, B }; int a[] = {2, 1};");
    EXPECT_EQ(statements("int2 a[2][2] = {[1] = {[1] = (int2)(1, 2)}};"),
              "int2 a[2][2] = { {}, { {}, make_int2(1, 2)}};");
    const std::string head = "typedef struct { int a; float4 b; int c[2]; } S; ";
    const auto struct_text = [&](const std::string& text) {
        return body(head + "void f() { " + text + " }").substr(head.size() + 22);
    };
    EXPECT_EQ(struct_text("S s = {.c = {1, 2}};"), "S s = { {}, {}, {1, 2}}; }");
    EXPECT_EQ(struct_text("S s = {.c = {[1] = 2},\n .a = 1};"), "S s = {1, {}, { 0, 2}\n }; }");
    EXPECT_EQ(struct_text("S s = (S){.b = 1.0f};"), "S s = S{ {}, splat_float4(1.0f)}; }");
    // Behind the braces of an array that were left out, a number is no vector.
    EXPECT_EQ(
        body("struct S { int c[2]; float4 v; }; void f(float4 v) { struct S s = {1, 2, v}; }"),
        "struct S { int c[2]; float4 v; }; __device__ void f(float4 v) "
        "{ struct S s = {1, 2, v}; }");
    EXPECT_THAT(refusal_in_body("int a[2][2] = {[1][0] = 1};"), HasSubstr("several steps"));
    // Names of a macro's parameters mean what they do outside where they are arguments.
    const std::string macro = "enum { a = 2, b = 1 };\n#define AT(a, b) ((a) * 2 + (b))\n";
    EXPECT_THAT(translate(macro + "__constant int t[5] = {[AT(b, a)] = 7};").body,
                HasSubstr("t[5] = { 0, 0, 0, 0, 7};"));
    EXPECT_THAT(
        translate(macro + "struct S { int x[AT(1, b + a)]; }; __constant int t[5] = {[a] = 7};")
            .body,
        HasSubstr("t[5] = { 0, 0, 7};"));
    EXPECT_THAT(refusal("struct S { int a; };\n#define ONE { .a = 1 }\n"),
                HasSubstr("x.cl:2: '.': stands in a piece of text"));
    EXPECT_THAT(refusal_in_body("int a[4] = {[TILE] = 1};"), HasSubstr("not known here"));
    EXPECT_THAT(refusal_in_body("union { int a; float b; } u = {.b = 1};"),
                HasSubstr("a member of a union"));
}

TEST(Bools, AreSetAndNegated) {
    EXPECT_EQ(statements("bool b; int i; bool a[3]; b++; b--; i = b++; i = b--; i = ++b; i = --b; "
                         "a[i++]++; for (;; b++) ; i++;"),
              "bool b; int i; bool a[3]; b = true; b ^= true; i = (b || !(b = true)); "
              "i = !(b ^= true); i = (b = true); i = (b ^= true); a[i++] = true; "
              "for (;; b = true) ; i++;");
    EXPECT_THAT(refusal_in_body("int i; bool a[3]; i = a[i++]++;"), HasSubstr("write = true"));
    EXPECT_THAT(refusal("#define MORE(x) x++\nvoid f(bool b) { MORE(b); }"),
                HasSubstr("x.cl:1: '++': a bool in a macro"));
}

TEST(Constants, WithoutAValueHaveNone) {
    EXPECT_EQ(statements("const int a, b = 1; const int* c; const int d[2];"),
              "const int a = {}, b = 1; const int* c; const int d[2] = {};");
}

TEST(Statements, WithinExpressionsAreRefused) {
    EXPECT_THAT(refusal_in_body("int a = ({ int b = 1; b; });"),
                HasSubstr("statements within an expression"));
}

TEST(Sizes, OfArraysBehindCommasAreThoseOfPointers) {
    EXPECT_EQ(statements("int a[9], n; n = sizeof(0, a) + sizeof(n ? a : a) + sizeof((a));"),
              "int a[9], n; n = sizeof(+(0, a)) + sizeof(+(n ? a : a)) + sizeof((a));");
}

}  // namespace
}  // namespace parallax::c_and_cxx_test

// Vectors: literals, components, scalars that are broadcast, operators, choices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/prelude/prelude.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::vectors_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::refusal;
using testing::statements;
using testing::translate;

/// A kernel with a variable of each type that the statements below use.
std::string around(std::string_view text) {
    return "__kernel void k(__global float4* p, __global float3* t, __global float8* e,\n"
           "__global float16* s, __global int4* q, float2 u, float4 v, float4 w, float3 c, int4 "
           "a,\n"
           "int4 b, uchar4 x, float f, int i, int n) {" +
           std::string(text) + "}";
}

std::string statement(std::string_view text) {
    const std::string body = translate(around(text)).body;
    const std::size_t open = body.find('{');
    return body.substr(open + 1, body.rfind('}') - open - 1);
}

std::string prelude(std::string_view text) {
    return translate("void k(float4 v, float4 w, int4 a, int4 b, float f, int i, int n) {" +
                     std::string(text) + "}")
        .prelude;
}

TEST(VectorLiterals, TakeEveryForm) {
    EXPECT_EQ(statement("v = (float4)(1, 2, 3, 4);"), "v = make_float4(1, 2, 3, 4);");
    EXPECT_EQ(statement("v = (float4)(u, 1, f);"), "v = make_float4(u, 1, f);");
    EXPECT_EQ(statement("v = (float4)(c, f);"), "v = make_float4(c, f);");
    EXPECT_EQ(statement("v = (const float4)(u, u);"), "v = make_float4(u, u);");
    EXPECT_EQ(statement("c = (float3)(u, 1);"), "c = make_float3_16a(u, 1);");
    EXPECT_EQ(statement("e[0] = (float8)(v, w);"), "e[0] = make_float8(v, w);");
    EXPECT_EQ(statement("v = (float4){1, 2, 3, 4};"), "v = make_float4(1, 2, 3, 4);");
    EXPECT_EQ(statement("v = (float4){1, 2, 3, 4,};"), "v = make_float4(1, 2, 3, 4);");
    EXPECT_EQ(statement("v = (float4)((float2)(1, 2), u);"),
              "v = make_float4(make_float2(1, 2), u);");
    EXPECT_THAT(refusal(around("v = (float4)();")), HasSubstr("without components"));
    EXPECT_THAT(refusal(around("v = (float4)(1, 2, 3);")), HasSubstr("3 components for a float4"));
    EXPECT_THAT(refusal(around("v = (float4)(u, c);")), HasSubstr("5 components for a float4"));
}

TEST(VectorLiterals, OfOneScalarAreThatOfAllComponents) {
    EXPECT_EQ(statement("v = (float4)(f);"), "v = splat_float4(f);");
    EXPECT_EQ(statement("v = (float4)f;"), "v = splat_float4(f);");
    EXPECT_EQ(statement("v = (float4)-f * w;"), "v = splat_float4(-f) * w;");
    EXPECT_EQ(statement("v = (float4)(f + 1) * w;"), "v = splat_float4(f + 1) * w;");
    // A cast of a vector gives that vector.
    EXPECT_EQ(statement("v = (float4)(w);"), "v = float4(w);");
    EXPECT_EQ(statement("v = (float4)w;"), "v = (float4)w;");
}

TEST(VectorLiterals, KeepCommentsAndLines) {
    EXPECT_EQ(statement("v = (float4)/*a*/(/*b*/1, 2, // c\n3, 4 /*d*/);"),
              "v = make_float4/*a*/(/*b*/1, 2, // c\n3, 4 /*d*/);");
    EXPECT_EQ(statement("v = (float4){1, 2, 3, 4 /*a*/ , // b\n};"),
              "v = make_float4(1, 2, 3, 4 /*a*/  // b\n);");
}

TEST(VectorLiterals, OfConstantDataAreBracesOnly) {
    EXPECT_EQ(translate("__constant float4 a = (float4)(1, 2, 3, 4);").body,
              "__constant__ float4 a = float4{1, 2, 3, 4};");
    EXPECT_EQ(translate("__constant float4 a[2] = {(float4)(-1), {1, 2, 3, 4}};").body,
              "__constant__ float4 a[2] = {float4{-1, -1, -1, -1}, {1, 2, 3, 4}};");
    EXPECT_EQ(translate("__constant int3 a = 2;").body,
              "__constant__ int3_16a a = int3_16a{2, 2, 2};");
    EXPECT_EQ(translate("__constant float4 a = (float4)(1 + 2);").body,
              "__constant__ float4 a = float4{1 + 2, 1 + 2, 1 + 2, 1 + 2};");
}

TEST(VectorLiterals, OfConstantDataMayStandInEachOther) {
    EXPECT_EQ(translate("__constant float2 a = (float2)((float2)(3.0f).x);").body,
              "__constant__ float2 a = float2{float2{3.0f, 3.0f}.x, float2{3.0f, 3.0f}.x};");
}

TEST(Splats, HappenWhereAScalarMeetsAVector) {
    EXPECT_EQ(statement("float4 z = 1, y = f;"),
              "float4 z = splat_float4(1), y = splat_float4(f);");
    EXPECT_EQ(statement("v = w = 1;"), "v = w = splat_float4(1);");
    EXPECT_EQ(statement("float4 z = {1, 2, 3, 4}, y[2] = {v, 1};"),
              "float4 z = make_float4(1, 2, 3, 4), y[2] = {v, splat_float4(1)};");
    // As in C++, omitted components are 0.
    EXPECT_EQ(statement("float4 z = {1, 2};"), "float4 z = {1, 2};");
    EXPECT_EQ(statement("v = i ? w : f;"), "v = i ? w : splat_float4(f);");
    // Operators have overloads for a scalar on either side.
    EXPECT_EQ(statement("v = 2 * v + f; v += 1;"), "v = 2 * v + f; v += 1;");
    EXPECT_EQ(statement("q[0] = n;"), "q[0] = splat_int4(n);");
    EXPECT_EQ(statement("v.x = 1; v.s1 = f;"), "v.x = 1; v.y = f;");
}

TEST(Splats, HappenForArgumentsAndResults) {
    EXPECT_EQ(translate("float4 g(float4 a) { return 1; } float4 h(float b) { return g(b); }").body,
              "__device__ float4 g(float4 a) { return splat_float4(1); } "
              "__device__ float4 h(float b) { return g(splat_float4(b)); }");
    EXPECT_EQ(statement("v = fma(v, f, 1.0f);"),
              "v = fma(v, splat_float4(f), splat_float4(1.0f));");
    EXPECT_EQ(statement("v = pow(v, f);"), "v = pow(v, splat_float4(f));");
    EXPECT_EQ(statement("a = select(a, n, b);"), "a = select(a, splat_int4(n), b);");
}

TEST(Splats, LeaveFunctionsThatTakeScalarsBeside) {
    for (const char* text :
         {"v = clamp(v, 0.0f, f);", "v = max(v, f);", "v = fmin(v, 1.0f);", "v = mix(v, w, 0.5f);",
          "v = step(f, v);", "v = smoothstep(0.0f, f, v);", "v = ldexp(v, 2);"}) {
        EXPECT_EQ(statement(text), text);
    }
}

TEST(Components, OfVariablesArePutTogether) {
    EXPECT_EQ(statement("u = v.zx;"), "u = make_float2(v.z, v.x);");
    EXPECT_EQ(statement("v = w.wzyx;"), "v = make_float4(w.w, w.z, w.y, w.x);");
    EXPECT_EQ(statement("u = v.lo + v.hi + v.even + v.odd;"),
              "u = make_float2(v.x, v.y) + make_float2(v.z, v.w) + make_float2(v.x, v.z) + "
              "make_float2(v.y, v.w);");
    EXPECT_EQ(statement("c = v.s012 + v.rgb + v.S321;"),
              "c = make_float3_16a(v.x, v.y, v.z) + make_float3_16a(v.x, v.y, v.z) + "
              "make_float3_16a(v.w, v.z, v.y);");
    // The fourth component of three has no value in OpenCL.
    EXPECT_EQ(statement("u = c.hi;"), "u = make_float2(c.z, 0);");
}

TEST(Components, OfOtherThingsAreFoundByFunctions) {
    EXPECT_EQ(statement("v = p[i + 1].wzyx;"), "v = swizzle_wzyx(p[i + 1]);");
    EXPECT_EQ(statement("u = p->xy;"), "u = swizzle_xy(*p);");
    EXPECT_EQ(statement("u = (p + 1)->hi;"), "u = swizzle_hi(*(p + 1));");
    EXPECT_EQ(statement("u = (v + w).xy;"), "u = swizzle_xy((v + w));");
    EXPECT_EQ(statement("u = s[0].odd.lo.xy;"), "u = swizzle_s13(s[0]);");
    EXPECT_EQ(statement("v = vload4(0, (__global float*)p).wzyx;"),
              "v = swizzle_wzyx(vload4(0, (float*)p));");
    EXPECT_EQ(statement("v = e[0].s0246;"), "v = swizzle_s0246(e[0]);");
    EXPECT_EQ(
        translate("struct S { float4 v; }; float2 f(struct S s) { return s.v.zw; }").body,
        "struct S { float4 v; }; __device__ float2 f(struct S s) { return swizzle_zw(s.v); }");
}

TEST(Components, OfOneHaveCudasNames) {
    EXPECT_EQ(statement("f = v.s3 + v.r + c.b + p->s0 + e[0].x + s->sF + p[0].wzyx.y;"),
              "f = v.w + v.x + c.z + p->x + e[0].s0 + s->sf + p[0].z;");
}

TEST(Components, AreAssigned) {
    EXPECT_EQ(statement("v.xy = u;"), "set_xy(v, u);");
    EXPECT_EQ(statement("v.xy = 1;"), "set_xy(v, splat_float2(1));");
    EXPECT_EQ(statement("p[i].wz = v.lo;"), "set_wz(p[i], make_float2(v.x, v.y));");
    EXPECT_EQ(statement("p->hi = p->lo;"), "set_hi(*p, swizzle_lo(*p));");
    EXPECT_EQ(statement("t[0].xyz = c;"), "set_xyz(t[0], c);");
    EXPECT_EQ(statement("s[0].s01234567 = e[0];"), "set_s01234567(s[0], e[0]);");
    EXPECT_EQ(statement("e->even = v;"), "set_even(*e, v);");
    // The value of an assignment can be used.
    EXPECT_EQ(statement("v.xy = w.zw = u;"), "set_xy(v, set_zw(w, u));");
    EXPECT_EQ(statement("/*a*/ v /*b*/ . /*c*/ xy /*d*/ = /*e*/ u /*f*/;"),
              "/*a*/ set_xy(v /*b*/  /*c*/  /*d*/ , /*e*/ u) /*f*/;");
}

TEST(Components, AreAssignedWithAnOperator) {
    EXPECT_EQ(statement("v.xy += u;"), "set_xy(v, swizzle_xy(v) + (u));");
}

TEST(Components, ThatAreNoneAreRefused) {
    EXPECT_THAT(refusal(around("f = u.z;")), HasSubstr("'z': no component of float2"));
    EXPECT_THAT(refusal(around("v = v.xyzq;")), HasSubstr("'xyzq': no component of float4"));
    EXPECT_THAT(refusal(around("f = v.s4;")), HasSubstr("'s4': no component of float4"));
}

TEST(Components, OfWhatIsFoundAnewAreNotRead) {
    EXPECT_THAT(refusal(around("p[i++].xy += u;")), HasSubstr("assign it to a pointer first"));
    EXPECT_EQ(statement("p[i++].xy = u;"), "set_xy(p[i++], u);");
}

// C++ assigns to a value that a function returns, and forgets it.
TEST(Components, OfUnknownThingsAreReadAndNotAssigned) {
    EXPECT_EQ(translate("#define XY(v) (v).xy\n").body, "#define XY(v) swizzle_xy((v))\n");
    EXPECT_THAT(refusal("#define SET(v) v.xy = (float2)(0)\n"),
                HasSubstr("x.cl:1: 'xy': components of something whose type is not known"));
    EXPECT_THAT(refusal(around("unknown.hi = u;")), HasSubstr("'hi'"));
    EXPECT_EQ(statement("unknown.x = f;"), "unknown.x = f;");
}

TEST(VectorOperators, AskThePreludeForTheirType) {
    EXPECT_EQ(prelude("v = v * w;"), prelude_of({"float4 *"}));
    EXPECT_EQ(prelude("v = -v;"), prelude_of({"float4 neg"}));
    EXPECT_EQ(prelude("v -= 1;"), prelude_of({"float4 -="}));
    EXPECT_EQ(prelude("a = a % b;"), prelude_of({"int4 %"}));
    EXPECT_EQ(prelude("a = ~a;"), prelude_of({"int4 ~"}));
    EXPECT_EQ(prelude("a = !a;"), prelude_of({"int4 !"}));
    EXPECT_EQ(prelude("a = v < w;"), prelude_of({"float4 <"}));
    EXPECT_EQ(prelude("a = a && b;"), prelude_of({"int4 &&"}));
    EXPECT_EQ(prelude("a = b >> 3;"), prelude_of({"int4 >>"}));
    EXPECT_EQ(prelude("a++;"), prelude_of({"int4 ++"}));
    EXPECT_EQ(prelude("f = f * n + i;"), "");
    EXPECT_NE(prelude("a = v < w;"), "");
}

TEST(ComponentSteps, AreCalls) {
    EXPECT_EQ(statement("v.xy++; --v.hi; u = p->zw--; ++p[i].xz; s[0].hi.lo++;"),
              "increment_after_xy(v); decrement_hi(v); u = decrement_after_zw(*p); "
              "increment_xz(p[i]); increment_after_s89ab(s[0]);");
    EXPECT_EQ(statement("v.x++; --p->y;"), "v.x++; --p->y;");
    EXPECT_THAT(testing::refusal_in_body("float4 v; (v.xy)++;"), HasSubstr("parentheses"));
    EXPECT_THAT(testing::refusal_in_body("nothing.xy++;"), HasSubstr("type is not known"));
}

TEST(VectorChoices, AreMadeByComponents) {
    EXPECT_EQ(statement("v = a ? v : w;"), "v = choose(a, v, w);");
    EXPECT_EQ(statement("v = v > w ? v : f;"), "v = choose(v > w, v, splat_float4(f));");
    EXPECT_EQ(statement("v = v > 1 /*a*/ ? /*b*/ v /*c*/ : // d\n w;"),
              "v = choose(v > 1 /*a*/ , /*b*/ v /*c*/ , // d\n w);");
    EXPECT_EQ(statement("v = a ? v : b ? w : -w;"), "v = choose(a, v, choose(b, w, -w));");
    EXPECT_EQ(statement("v = i > n ? v : w;"), "v = i > n ? v : w;");
    EXPECT_EQ(prelude("v = a ? v : w;"), prelude_of({"float4 choose"}));
    // One of two scalars for each component, of the type that arithmetic would give them.
    EXPECT_EQ(statement("v = v > w ? f : 1;"),
              "v = choose(v > w, splat_float4(f), splat_float4(1));");
    EXPECT_EQ(statement("a = v > 0 ? 1 : 'a';"),
              "a = choose(v > 0, splat_int4(1), splat_int4('a'));");
    EXPECT_EQ(prelude("a = a ? i : 0;"), prelude_of({"int4 splat", "int4 choose"}));
    EXPECT_THAT(testing::refusal_in_body("int4 a; a = a ? unknown : 0;"),
                HasSubstr("the type of what it chooses from is not known"));
}

TEST(VolatileVectors, AreReadAndWrittenAsAWholeByFunctions) {
    const auto with = [](std::string_view text) {
        const std::string start = "volatile __global float4* z = p; volatile float4 y = v; ";
        const std::string made = statement(start + std::string(text));
        return made.substr(std::min(made.find("y = v; ") + 7, made.size()));
    };
    EXPECT_EQ(statement("volatile float4 z = 1; float4 volatile y = z; volatile int m = 1;"),
              "volatile float4 z = splat_float4(1); float4 volatile y = volatile_load(z); "
              "volatile int m = 1;");
    EXPECT_EQ(translate("struct S { float4 v; int i; };\n"
                        "void f(void) { volatile struct S s = {{1, 2, 3, 4}, 5}; }")
                  .body,
              "struct S { float4 v; int i; };\n"
              "__device__ void f(void) { volatile struct S s = {make_float4(1, 2, 3, 4), 5}; }");
    EXPECT_EQ(with("v = z[1] + (*z) * -y;"),
              "v = volatile_load(z[1]) + (volatile_load(*z)) * -volatile_load(y);");
    EXPECT_EQ(with("z[0] = y = 2;"), "volatile_store(z[0], volatile_store(y, splat_float4(2)));");
    EXPECT_EQ(with("v = a ? y : z[i];"), "v = choose(a, volatile_load(y), volatile_load(z[i]));");
    EXPECT_EQ(with("f = z->x + y.s1; z[0].y = f; z->z++; (y).w += f;"),
              "f = z->x + y.y; z[0].y = f; z->z++; (y).w += f;");
    EXPECT_EQ(with("z[0] += v; ++y; y--; z = &y; i = sizeof(y);"),
              "z[0] += v; ++y; y--; z = &y; i = sizeof(y);");
    EXPECT_EQ(with("u = y.xy + z->hi; z[0].lo = u; z->yx += u;"),
              "u = make_float2(y.x, y.y) + swizzle_hi(volatile_load(*z)); set_lo(z[0], u); "
              "set_yx(*z, swizzle_yx(volatile_load(*z)) + (u));");
    EXPECT_EQ(with("v = *(volatile __global float4*)p; p = z;"),
              "v = volatile_load(*(volatile float4*)p); p = (float4*)(z);");
    EXPECT_EQ(with("v = vload4(0, e) + fabs(y);"), "v = vload4(0, e) + fabs(volatile_load(y));");
    EXPECT_EQ(prelude("volatile float4 y; y += v;"),
              prelude_of({"float4 +=", "float4 += volatile"}));
}

TEST(VolatileVectors, ByOtherNames) {
    EXPECT_EQ(translate("#define VOL volatile\ntypedef float4 vec; typedef VOL vec kept;\n"
                        "vec f(kept* p, VOL float4* q) { return p[0] + q[0]; }")
                  .body,
              "#define VOL volatile\ntypedef float4 vec; typedef VOL vec kept;\n"
              "__device__ vec f(kept* p, VOL float4* q) { return volatile_load(p[0]) + "
              "volatile_load(q[0]); }");
    EXPECT_EQ(translate("#define AT(p, i) ((p)[i])\n#define FIRST p[0]\n"
                        "float4 f(volatile float4* p) { FIRST.x = 1; return AT(p, 1) + FIRST; }")
                  .body,
              "#define AT(p, i) ((p)[i])\n#define FIRST p[0]\n"
              "__device__ float4 f(volatile float4* p) { FIRST.x = 1; return "
              "volatile_load(AT(p, 1)) + volatile_load(FIRST); }");
}

TEST(VolatileVectors, AreRefusedWhereAMacroHidesWhatIsDone) {
    EXPECT_THAT(testing::refusal("#define STORE(p, v) do { *(p) = (v); } while (0)\n"
                                 "void f(volatile float4* p, float4 v) { STORE(p, v); }"),
                HasSubstr("x.cl:2: 'STORE': a macro that is no expression and gets a volatile"));
    EXPECT_EQ(testing::refusal("#define STORE(p, v) do { *(p) = (v); } while (0)\n"
                               "void f(float4* p, volatile float* v) { STORE(p, v[0]); }"),
              "");
}

TEST(VolatileStructs, AreCopiedMemberByMember) {
    EXPECT_EQ(translate("typedef struct { int a : 3; float4 v; float b[2]; int* p; } S;\n"
                        "S f(volatile S* s) { s[0] = s[1]; float4 v = s->v; return *s; }")
                  .body,
              "typedef struct { int a : 3; float4 v; float b[2]; int* p; } S; "
              "__device__ inline void volatile_copy(S& to, const volatile S& from) { "
              "to.a = from.a; volatile_copy(to.v, from.v); volatile_copy(to.b, from.b); "
              "to.p = from.p; } "
              "__device__ inline void volatile_copy(volatile S& to, const S& from) { "
              "to.a = from.a; volatile_copy(to.v, from.v); volatile_copy(to.b, from.b); "
              "to.p = from.p; }\n"
              "__device__ S f(volatile S* s) { volatile_store(s[0], volatile_load(s[1])); "
              "float4 v = volatile_load(s->v); return volatile_load(*s); }");
    const std::string unknown = "members are not known one by one";
    EXPECT_THAT(testing::refusal("typedef union { int a; float b; } S;\n"
                                 "S f(volatile S* s) { return *s; }"),
                HasSubstr(unknown));
    EXPECT_THAT(testing::refusal_in_body("struct S { int a; }; volatile struct S s; "
                                         "struct S t = s;"),
                HasSubstr(unknown));
}

TEST(VectorTypes, KeepTheirNewNames) {
    EXPECT_EQ(
        translate("typedef float4 vec;\nvec f(float a) { vec b = (vec)(a); return b.wzyx; }").body,
        "typedef float4 vec;\n__device__ vec f(float a) { vec b = splat_float4(a); "
        "return make_float4(b.w, b.z, b.y, b.x); }");
    EXPECT_EQ(
        translate("#define VEC float4\nVEC f(VEC a) { return (VEC)(1, 2, 3, 4) * a; }").body,
        "#define VEC float4\n__device__ VEC f(VEC a) { return make_float4(1, 2, 3, 4) * a; }");
}

TEST(Pointers, AreCastWhereCppDemandsIt) {
    EXPECT_EQ(translate("void f(__global uchar* b, __global int* c, __global void* d)\n"
                        "{ c = b; __global float* e = c; d = c; c = d; c = c + 1; }")
                  .body,
              "__device__ void f(unsigned char* b, int* c, void* d)\n"
              "{ c = (int*)(b); float* e = (float*)(c); d = c; c = (int*)(d); c = c + 1; }");
    EXPECT_EQ(statement("v = *(__global float4*)(e + 1);"), "v = *(float4*)(e + 1);");
    // To C++ size_t is another type than that of ulong.
    EXPECT_EQ(
        statement("size_t z; ulong u; ulong* a = &z; size_t* b = &u; b = &z; atom_add(b, 1);"),
        "size_t z; unsigned long long u; unsigned long long* a = (unsigned long long*)(&z); "
        "size_t* b = (size_t*)(&u); b = &z; "
        "atomicAdd((unsigned long long*)(b), 1);");
    EXPECT_EQ(statement("size_t z[2]; ulong u; i = (i ? z : &u) == &u;"),
              "size_t z[2]; unsigned long long u; i = (i ? z : (size_t*)(&u)) == (size_t*)(&u);");
}

TEST(Sizes, AreCastWhereOverloadsTakeThem) {
    EXPECT_EQ(
        translate("int __attribute__((overloadable)) f(ulong a) { return 1; }\n"
                  "int __attribute__((overloadable)) f(uint a) { return 2; }\n"
                  "int g(size_t z, ulong u) { return f(z) + f(u) + f(3UL) + f(sizeof(z)); }")
            .body,
        "__device__ int f(unsigned long long a) { return 1; }\n"
        "__device__ int f(unsigned int a) { return 2; }\n"
        "__device__ int g(size_t z, unsigned long long u) { return "
        "f((unsigned long long)(z)) + f(u) + f(3ULL) + f((unsigned long long)(sizeof(z))); }");
}

TEST(Halves, AreWrittenAsTheTypeOfThePrelude) {
    EXPECT_EQ(translate("half f(half a) { return a * 1.5h + 2.H; }").body,
              "__device__ half f(half a) { return a * half(1.5f) + half(2.f); }");
    EXPECT_EQ(translate("half4 f(half a) { return (half4)(a, 1.0h, a, a); }").body,
              "__device__ half4 f(half a) { return make_half4(a, half(1.0f), a, a); }");
}

TEST(Halves, OfConstantDataAreNumbersOfAnyType) {
    const Translation made = translate("__constant half a[3] = {-1.5h, 2, 0.5f};");
    EXPECT_EQ(made.body,
              "__constant__ half a[3] = {-__builtin_bit_cast(half, (unsigned short)0x3e00), 2, "
              "0.5f};");
    EXPECT_THAT(made.prelude,
                AllOf(HasSubstr("constexpr half(float x)"), HasSubstr("constexpr half(int x)"),
                      HasSubstr("constexpr half operator-()")));
    EXPECT_EQ(translate("__constant half2 a = (half2)(1.5h);").body,
              "__constant__ half2 a = half2{__builtin_bit_cast(half, (unsigned short)0x3e00), "
              "__builtin_bit_cast(half, (unsigned short)0x3e00)};");
    EXPECT_THAT(refusal("__constant half a = 1.5h * 2;"),
                HasSubstr("'*': a half that constant data computes; write its value"));
}

TEST(Halves, ThatAreVolatileChangeByFunctions) {
    const Translation made =
        translate("void f() { volatile half a = 1.0h; a += 2.5f; a = a * a; ++a; }");
    EXPECT_THAT(made.body, HasSubstr("a += 2.5f; volatile_store(a, volatile_load(a) * "
                                     "volatile_load(a)); ++a;"));
    EXPECT_THAT(made.prelude, AllOf(HasSubstr("half operator+=(volatile half& a, T b)"),
                                    HasSubstr("half operator++(volatile half& a)"),
                                    Not(HasSubstr("operator-=(volatile half& a, T b)"))));
}

TEST(VectorLiterals, WithEffectsStandInBraces) {
    EXPECT_EQ(statements("int n; int4 v = (int4)(n++, n, 1, n);"),
              "int n; int4 v = ordered_int4{n++, n, 1, n}.made;");
    EXPECT_EQ(statements("int n; float4 v = {n = 2, (float2)(n, --n), 1,};"),
              "int n; float4 v = ordered_float4{n = 2, ordered_float2{n, --n}.made, 1}.made;");
    EXPECT_EQ(statements("int n; int2 v = (int2)(n++); v = (int2)(n == 1, n >= 2);"),
              "int n; int2 v = splat_int2(n++); v = make_int2(n == 1, n >= 2);");
    const std::string before =
        "int next(int* s) { return ++*s; } int at(__global const int* p, int i) { return p[i]; }\n"
        "#define NEXT next(&s)\n#define TWO(a) (int2)(a, 1)\n#define ONE(a) (int2)(a, 2)\n"
        "void f(int s, __global const int* p, __global int* q) { int2 v = ";
    const std::string text = translate(before +
                                       "(int2)(NEXT, 1); v = TWO(NEXT); v = ONE(s);"
                                       "v = (int2)(at(p, 1), max(s, 2)); "
                                       "v = (int2)(atomic_inc(q), 1); }")
                                 .body;
    for (const char* const part :
         {"int2 v = ordered_int2{NEXT, 1}.made;", "#define TWO(a) ordered_int2{a, 1}.made",
          "#define ONE(a) make_int2(a, 2)", "v = make_int2(at(p, 1), max(s, 2));",
          "v = ordered_int2{"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

}  // namespace
}  // namespace parallax::vectors_test

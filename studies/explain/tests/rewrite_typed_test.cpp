// Changes that need types: what they change, and similar code that they leave alone.
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/explain/rewrite.hpp"

namespace parallax::rewrite_typed_test {
namespace {

using testing::ElementsAre;

const TranslateOptions options{.type = ElementType::f32, .constants = {"TILE"}};

/// A kernel with this body.
std::string kernel(const std::string& body) {
    return "__kernel void f(__global const float* a, __global float4* b, __global int* c, float x, "
           "int n) {\n    " +
           body + "\n}\n";
}

/// Without blanks: where tokens were taken away theirs stay.
std::string squeezed(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

using Change = Rewritten (*)(std::string_view, const TranslateOptions&);

void expect_change(Change change, const std::string& body, const std::string& changed) {
    EXPECT_EQ(squeezed(change(kernel(body), options).value_or("nothing")),
              squeezed(kernel(changed)));
}

void expect_left_alone(Change change, const std::vector<std::string>& bodies) {
    for (const std::string& body : bodies) {
        EXPECT_EQ(change(kernel(body), options), std::nullopt) << body;
    }
}

TEST(Mathematics, FunctionsAreNamedByHowOftenTheyAreCalledForFloats) {
    const std::string text = kernel(
        "x = exp(x) + sin(x) + sin(a[0]) + pow(x, 2.5f) + fabs(x) + native_cos(x) + log(2.0);");
    EXPECT_THAT(float_functions(text, options), ElementsAre("sin", "exp", "pow"));
}

TEST(Mathematics, OneFunctionTakesItsNativeFormAlone) {
    const std::string text = kernel("x = exp(x) + sin(sin(x)); b[0] = sin(b[1]);");
    EXPECT_EQ(native_function(text, options, "sin"),
              kernel("x = exp(x) + native_sin(native_sin(x)); b[0] = native_sin(b[1]);"));
    EXPECT_EQ(native_function(text, options, "cos"), std::nullopt);
    // A double has no native form, a member is no function, and a macro's meaning is not known.
    for (const char* body : {"x = sin(0.5 * x);", "s.sin = x;", "x = SIN(x);", "x = sin(unknown);"})
        EXPECT_EQ(native_function(kernel(body), options, "sin"), std::nullopt) << body;
    EXPECT_EQ(native_name("pow"), "native_powr");
    EXPECT_EQ(native_name("atan2"), "");
}

TEST(Mathematics, SmallPowersBecomeProducts) {
    expect_change(powers_as_products, "x = pow(x - 1.0f, 2.0f) + pown(a[n], 3);",
                  "x = ((x - 1.0f) * (x - 1.0f)) + ((a[n]) * (a[n]) * (a[n]));");
    expect_left_alone(powers_as_products,
                      {"x = pow(x, 2.5f);", "x = pow(2.0f, x);", "x = pow(a[n++], 2.0f);",
                       "x = pow(next(x), 2.0f);", "x = pow(x, n);", "x = atan2(x, 2.0f);"});
}

TEST(Division, OfFloatsBecomesAProductWithTheReciprocal) {
    expect_change(divide_by_reciprocals, "x = a[0] / (x / 3.0f) / n;",
                  "x = a[0] * native_recip((x * native_recip(3.0f))) * native_recip((float)(n));");
    expect_change(divide_by_reciprocals, "x /= x + 1.0f; b[0] = b[1] / x;",
                  "x *= native_recip( x + 1.0f); b[0] = b[1] * native_recip( x);");
}

TEST(Division, OfIntegersAndDoublesStays) {
    expect_left_alone(divide_by_reciprocals,
                      {"n = n / 3;", "n /= 2;", "c[0] = get_global_id(0) / TILE;", "x = n / TILE;",
                       "x = x / 2.0;", "x = x / unknown;", "x = HALF(x);"});
}

TEST(Branches, AroundAnAssignmentBecomeSelects) {
    expect_change(select_for_branches, "if (x > 1.0f) x = 1.0f;",
                  "x = select((float)(x), (float)(1.0f), (x > 1.0f) ? 1 : 0);");
    const Rewritten two = select_for_branches(
        kernel("if (n & 1) { n = n * 3 + 1; } else { n = n >> 1; } if (x < 0.0f) n += 2;"),
        options);
    ASSERT_TRUE(two);
    EXPECT_NE(two->find("n = select((int)(n >> 1), (int)(n * 3 + 1), (n & 1) ? 1 : 0);"),
              std::string::npos)
        << *two;
    EXPECT_NE(two->find("n = select((int)(n), (int)(n + (2)), (x < 0.0f) ? 1 : 0);"),
              std::string::npos)
        << *two;
    EXPECT_EQ(two->find("else"), std::string::npos);
}

TEST(Branches, ThatGuardSomethingStay) {
    expect_left_alone(
        select_for_branches,
        {"if (n > 0) x = a[n];", "if (n) n = 7 / n;", "if (n) n /= 3;", "if (n) c[0] = 1;",
         "if (n) { x = 1.0f; n = 2; }", "if (n) return;", "if (n) x = next(x);", "if (n) x = n++;",
         "if (n) x = 1.0f; else n = 2;", "long l = n; if (n) l = 2;", "if (n) b[0].x = 1.0f;",
         "if (n) { float y = 1.0f; }", "while (n) n = 0;", "if ((n = 2) > 1) x = n;",
         "if (n++ > 1) x = n;"});
}

TEST(VectorLoads, OfFourBecomeOne) {
    expect_change(join_vector_loads, "b[n] = vload4(n + 1, a);",
                  "b[n] = ((__global const float4*)a)[n + 1];");
    expect_change(join_vector_loads,
                  "b[n] = (float4)(a[4 * n], a[4 * n + 1], a[4 * n + 2], a[4 * n + 3]);",
                  "b[n] = ((__global const float4*)a)[n];");
}

TEST(VectorLoads, ThatMayNotBeAlignedStay) {
    expect_left_alone(
        join_vector_loads,
        {"b[n] = vload4(n, a + 1);", "++a; b[n] = vload4(n, a);",
         "__local float t[8]; b[n] = vload4(n, t);",
         "__global const float* p = a + 1; b[n] = "
         "vload4(n, p);",
         "b[n] = (float4)(a[3 * n], a[3 * n + 1], a[3 * n + 2], a[3 * n + 3]);",
         "b[n] = (float4)(a[4 * n], a[4 * n + 1], a[4 * n + 3], a[4 * n + 2]);",
         "b[n] = (float4)(a[4 * n], a[4 * n + 1], x, a[4 * n + 3]);", "b[n].xy = vload2(n, a);"});
}

TEST(VectorLoads, OfOneBecomeFour) {
    expect_change(split_vector_loads, "x = b[n].y;",
                  "x = (float4)(((__global float*)b)[4 * (n)], ((__global float*)b)[4 * (n) + 1], "
                  "((__global float*)b)[4 * (n) + 2], ((__global float*)b)[4 * (n) + 3]).y;");
    expect_change(split_vector_loads, "b[n] = vload4(0, a + n);",
                  "b[n] = (float4)((a + n)[4 * (0)], (a + n)[4 * (0) + 1], (a + n)[4 * (0) + 2], "
                  "(a + n)[4 * (0) + 3]);");
}

TEST(VectorLoads, ThatAreStoresOrOfLocalMemoryStay) {
    expect_left_alone(split_vector_loads,
                      {"b[n] = (float4)(x);", "b[n].x = x;", "b[n] += x;", "vstore4(b0, n, &b[n]);",
                       "__local float4 t[4]; t[0] = t[1];", "x = a[n];", "x = b[n++].x;"});
}

TEST(Volatile, TemporariesAlone) {
    const std::string text =
        "__kernel void f(__global volatile float* a) {\n"
        "    __local volatile float t[4];\n"
        "    volatile float x = a[0], y;\n"
        "    float volatile z = x;\n"
        "    volatile __global float* p = a;\n"
        "    for (volatile int i = 0; i < 4; ++i) t[i] = z;\n}\n";
    EXPECT_EQ(without_volatile(text, true),
              "__kernel void f(__global volatile float* a) {\n"
              "    __local volatile float t[4];\n"
              "     float x = a[0], y;\n"
              "    float  z = x;\n"
              "    volatile __global float* p = a;\n"
              "    for ( int i = 0; i < 4; ++i) t[i] = z;\n}\n");
}

TEST(Restrict, ByPointer) {
    const std::string text =
        "__kernel void f(__global float* a, __global float* restrict b, __global int* c, int n) "
        "{}\n"
        "__kernel void g(__global float* d) {}\n";
    EXPECT_THAT(pointers_without_restrict(text, {"f"}), ElementsAre("a", "c"));
    EXPECT_EQ(restrict_pointers(text, false, "c"),
              "__kernel void f(__global float* a, __global float* restrict b, __global int* "
              "restrict c, int n) {}\n"
              "__kernel void g(__global float* d) {}\n");
    EXPECT_EQ(restrict_pointers(text, false, "b"), std::nullopt);
}

TEST(Unrolling, ByAFactorFromTheInside) {
    const std::string text = kernel(
        "for (int i = 0; i < n; ++i) {\n#pragma unroll 2\n    for (int k = 0; k < n; ++k) x += "
        "1.0f;\n    }");
    const Rewritten four = unroll_loops(text, Unroll::asked, 4);
    ASSERT_TRUE(four);
    EXPECT_NE(four->find("#pragma unroll 4\nfor (int k"), std::string::npos) << *four;
    EXPECT_EQ(four->find("unroll 2"), std::string::npos) << *four;
    EXPECT_EQ(four->find("#pragma unroll 4\nfor (int i"), std::string::npos) << *four;
}

/// A kernel that has these statements and a helper that it may call.
std::string adding(const std::string& statements) {
    return "void into(volatile __global float* sum, float more) {" + statements +
           "}\n__kernel void f(__global float* s) { into(s, 1.0f); }\n";
}

TEST(AtomicSums, LoopsOfCompareAndExchangeBecomeOneAddition) {
    const std::string by_union = "union { uint u; float f; } now, next; ",
                      as_words = "volatile __global uint* words = (volatile __global uint*)sum; ";
    const std::string one = "parallax_add_float((volatile __global float*)(";
    const std::vector<std::array<std::string, 4>> all{
        {by_union,
         "do { now.f = *sum; next.f = now.f + more; } while (atomic_cmpxchg((volatile __global "
         "uint*)sum, now.u, next.u) != now.u);",
         "", one + "sum), more);"},
        {as_words + "uint old = *words, seen; ",
         "do { seen = old; old = atomic_cmpxchg(words, seen, as_uint(2.0f * more + "
         "as_float(seen))); } while (old != seen);",
         "", one + "words), 2.0f * more);"},
        {"uint seen; ",
         "do { seen = as_uint(sum[3]); } while (atomic_cmpxchg((volatile __global uint*)&sum[3], "
         "seen, as_uint(as_float(seen) + more)) != seen);",
         "", one + "&sum[3]), more);"},
        {as_words,
         "while (true) { const uint seen = *words; uint next = as_uint(as_float(seen) + more); if "
         "(atom_cmpxchg(words, seen, next) == seen) break; }",
         " more = 0;", one + "words), more);"},
    };
    for (const auto& [before, loop, after, added] : all) {
        const std::string changed =
            sums_at_once(adding(before + loop + after), options).value_or("nothing");
        EXPECT_THAT(changed, testing::StartsWith("void parallax_add_float(")) << loop;
        EXPECT_THAT(squeezed(changed), testing::EndsWith(squeezed("#line 1\n") +
                                                         squeezed(adding(before + added + after))));
    }
}

TEST(AtomicSums, OtherLoopsStay) {
    const std::string words =
        "volatile __global uint* words = (volatile __global uint*)sum; "
        "uint old = *words, seen; ";
    const auto loop = [&](const std::string& next, const std::string& after = {}) {
        return words + "do { seen = old; old = atomic_cmpxchg(words, seen, " + next +
               "); } while (old != seen); " + after;
    };
    for (const std::string& statements :
         {loop("as_uint(fmax(as_float(seen), more))"), loop("as_uint(as_float(seen) * more)"),
          loop("as_uint(as_float(seen) - more)"), loop("seen + 1"),
          loop("as_uint(as_float(seen) + as_float(old))"),
          loop("as_uint(as_float(seen) + more * as_float(seen))"),
          loop("as_uint(0.5f * as_float(seen) + more)"),
          loop("as_uint(as_float(seen) + more)", "sum[1] = as_float(old);"),
          std::string("__local uint l; uint old = l, seen; do { seen = old; old = "
                      "atomic_cmpxchg(&l, seen, as_uint(as_float(seen) + more)); } while (old "
                      "!= seen);")}) {
        EXPECT_EQ(sums_at_once(adding(statements), options), std::nullopt) << statements;
    }
}

}  // namespace
}  // namespace parallax::rewrite_typed_test

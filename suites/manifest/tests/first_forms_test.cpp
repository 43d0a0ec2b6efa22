// Tests generated manifests of other code styles: untyped pointers, batches, records as sizes.
#include <gmock/gmock.h>

#include "suites/manifest/tests/forms.hpp"

namespace parallax::first_forms_test {
namespace {

using testing::HasSubstr;

using testing_manifest::Forms;

TEST_F(Forms, APointerWithoutATypeIsWhatItIsCastTo) {
    const Json one = made(
        "kernel void k(global const void* src, ulong at, global void* dst, int n) {\n"
        "global const float* x = (global const float*)((global const char*)src + at);\n"
        "const int i = get_global_id(0);\nif (i < n) ((global float4*)dst)[i] = x[2 * i]; }");
    EXPECT_EQ(argument(one, "src").at("type"), "float");
    EXPECT_EQ(argument(one, "dst").at("type"), "float4");
    EXPECT_EQ(argument(one, "dst").at("elements"), "n");
    EXPECT_EQ(argument(one, "src").at("elements"), "2 * n");
    const Json two = made(
        "kernel void k(global const void* src, global float* dst, int n) {\n"
        "const int i = get_global_id(0);\nif (i < n) dst[i] = ((global const float*)src)[i] +"
        " ((global const int*)src)[i]; }");
    EXPECT_EQ(argument(two, "src").at("type"), "uchar");
    EXPECT_EQ(argument(two, "src").at("elements"), "4 * n");
    EXPECT_TRUE(is_noted(two, "'src' points to void"));
}

TEST_F(Forms, APackedStructIsItsBytes) {
    const Json one = made(
        "typedef struct __attribute__((packed)) { half d; uchar q[16]; } block;\n"
        "kernel void k(global const block* x, global float* y, int n) {\n"
        "const int i = get_global_id(0);\nif (i < n) y[i] = x[i].q[0]; }");
    EXPECT_EQ(argument(one, "x").at("type"), "uchar");
    EXPECT_EQ(argument(one, "x").at("elements"), "18 * n");
    const Json half = made(
        "typedef struct __attribute__((packed)) { half d; uchar q[16]; } block;\n"
        "kernel void k(global const block* x, global float* y, int n) {\n"
        "const int i = get_global_id(0);\nif (i < n) y[i] = x[i / 32].q[0]; }");
    EXPECT_EQ(argument(half, "x").at("elements"), "ceil(0.5625 * n)");
}

TEST_F(Forms, StridesOfABatchFollowFromItsRows) {
    const Json one = made(
        "kernel void k(int m, int n, global const float* A, int lda, int stride,"
        " global float* y) {\nint b = get_global_id(2), c = get_global_id(0), r ="
        " get_global_id(1);\nif (r < m && c < n) y[(b * m + r) * n + c] ="
        " A[b * stride + r * lda + c]; }");
    EXPECT_EQ(argument(one, "lda").at("value"), "n + 1") << "rows are apart";
    EXPECT_EQ(argument(one, "stride").at("value"), "m * n + m");
    EXPECT_EQ(one.at("sizes").at("names").size(), 3u);
}

TEST_F(Forms, ABarrierBehindAGuardTakesWholeGroups) {
    const auto checked = [&](const std::string& body) {
        return made(
                   "kernel void k(global float* y, int n) { local float t[256];\n"
                   "int i = get_global_id(0), l = get_local_id(0); t[l] = i;\n" +
                   body + " }")
            .at("sizes")
            .at("checked");
    };
    EXPECT_EQ(checked("if (i < n) { barrier(1); y[i] = t[l ^ 1]; }"), Json({{256}, {768}, {1280}}));
    EXPECT_EQ(checked("barrier(1); if (i < n) y[i] = t[l ^ 1];"), Json({{38}, {511}, {657}}));
}

TEST_F(Forms, SizesHaveAllRemaindersByThreeAndFour) {
    for (const char* const source :
         {"kernel void k(global float* y, int n) { int i = get_global_id(0); if (i < n) y[i] = i; "
          "}",
          "kernel void k(global float* y, int w, int h) { int x = get_global_id(0), "
          "z = get_global_id(1); if (x < w && z < h) y[z * w + x] = x; }",
          "kernel void k(global float* y, int n) { int i = get_global_id(0) * 4; "
          "for (int j = i; j < i + 4; ++j) if (j < n) y[j] = j; }"}) {
        const Json sizes = made(source).at("sizes");
        std::map<std::uint64_t, std::set<std::uint64_t>> rests;
        for (const char* const key : {"timed", "checked"}) {
            for (const Json& shape : sizes.at(key)) {
                for (const std::uint64_t by : {3, 4})
                    rests[by].insert(shape.at(0).get<std::uint64_t>() % by);
            }
        }
        EXPECT_EQ(rests[3].size(), 3u) << sizes;
        EXPECT_EQ(rests[4].size(), 4u) << sizes;
        EXPECT_EQ(sizes.at("checked").back().at(0).get<std::uint64_t>() % 2, 1u) << sizes;
    }
}

TEST_F(Forms, BoundsOfOneValueAscend) {
    const auto values = [&](const std::string& list, const std::string& call) {
        const Json one = made("kernel void k(global float* y, int n, float " + list +
                              ") { int i = get_global_id(0); if (i < n) y[i] = " + call + "; }");
        return std::pair{argument(one, "lo").at("value").get<double>(),
                         argument(one, "hi").at("value").get<double>()};
    };
    for (const char* const list : {"lo, float hi", "hi, float lo"}) {
        for (const char* const call : {"clamp(y[i], lo, hi)", "smoothstep(lo, hi, y[i])"}) {
            const auto [low, high] = values(list, call);
            EXPECT_LT(low, high) << list << call;
        }
    }
}

TEST_F(Forms, FourDimensionsAreCheckedOnFewElements) {
    const Json one = made(
        "kernel void k(global float* y, int a, int b, int c, int d) {\n"
        "int i = get_group_id(0), j = get_group_id(1), k = get_group_id(2);\n"
        "for (int l = get_local_id(0); l < a; l += get_local_size(0))"
        " y[((k * c + j) * b + i) * a + l] = d; }");
    for (const Json& shape : one.at("sizes").at("checked")) {
        double elements = 1;
        for (const Json& extent : shape) elements *= extent.get<double>();
        EXPECT_LT(elements, 0x1p22);
    }
}

TEST_F(Forms, SizesAreSixAtMost) {
    std::string list, body;
    for (char c = 'a'; c <= 'h'; ++c) {
        list += std::string(", int ") + c + c + ", global const float* p" + c;
        body += std::string("for (int i = 0; i < ") + c + c + "; ++i) y[x] += p" + c + "[i];\n";
    }
    const Json one = made("kernel void k(global float* y" + list +
                          ") { int x = get_global_id(0);\n" + body + "}");
    EXPECT_EQ(one.at("sizes").at("names").size(), 6u);
    EXPECT_TRUE(is_noted(one, "ff 4, gg 3, hh 5"));
}

TEST_F(Forms, RowsAndColumnsOfAllMakeTheirProduct) {
    const Json one = made(
        "kernel void k(int rows, int cols, int all, global const int* up, global float* y) {\n"
        "int i = get_group_id(0) * get_local_size(0) + get_local_id(0);\n"
        "if (i < all) { int r = i % rows, c = i / rows; y[i] = up[r] + c; } }");
    EXPECT_EQ(argument(one, "all").at("value"), "rows * cols") << "a size that the body leaves out";
    EXPECT_EQ(argument(one, "up").at("elements"), "rows");
    EXPECT_EQ(argument(one, "y").at("elements"), "rows * cols");
}

TEST_F(Forms, ABorderIsNoSize) {
    const Json one = made(
        "kernel void k(global const float* x, global float* y, int n) {\n"
        "int i = get_global_id(0);\n"
        "float left = i >= 1 ? x[i - 1] : 0.0f;\nif (i < n) y[i] = left + x[i]; }");
    EXPECT_EQ(one.at("groups"), Json({"ceil(n / items_x)"}));
    const Json flat = made(
        "kernel void k(global float* y, int n) {\n"
        "int i = get_global_id(1) * get_global_size(0) + get_global_id(0); if (i < n) y[i] = 1; }");
    EXPECT_EQ(flat.at("groups").at(0), "ceil(n / items_x)");
    EXPECT_EQ(argument(flat, "y").at("elements"), "n");
    EXPECT_TRUE(is_noted(flat, "groups_y is"));
}

TEST_F(Forms, WholeAnswersAreEqual) {
    const auto tolerance = [&](const std::string& type) {
        return made("kernel void k(global " + type +
                    "* y, int n) { int i = get_global_id(0);"
                    " if (i < n) y[i] = 1; }")
            .at("tolerance");
    };
    EXPECT_EQ(tolerance("int"), "equal");
    EXPECT_EQ(tolerance("float").at("relative"), 1e-5);
    EXPECT_EQ(tolerance("double").at("relative"), 1e-12);
    EXPECT_EQ(tolerance("half").at("relative"), 1e-2);
}

TEST_F(Forms, WhatIsStoredForSomeDataKeepsWhatItHeld) {
    const Json one = made(
        "kernel void k(global const uint* keys, global uint* found, uint want, uint n) {\n"
        "uint i = get_global_id(0); if (i >= n) return;\nif (keys[i] == want) found[i] = 1; }");
    EXPECT_EQ(argument(one, "found").at("use"), "in_out");
    const Json lanes = made(
        "kernel void k(global const float* x, global float* y, uint n, uint width) {\n"
        "uint lane = get_local_id(0) & (width - 1), row = get_global_id(0) / width;\n"
        "if (row < n && lane == 0) y[row] = x[row]; }");
    EXPECT_EQ(argument(lanes, "y").at("use"), "output") << "a lane is a place, and no data";
}

TEST_F(Forms, AGroupsLanesAreAFewOfItsItems) {
    const Json one = made(
        "kernel void k(global const float* v, global const float* x, global const int* cols,"
        " global const int* begin, int dim, int lanes, global float* y) {\n"
        "int t = get_local_id(0), id = t & (lanes - 1), per = get_local_size(0) / lanes;\n"
        "int row = get_group_id(0) * per + t / lanes; local float s[128]; s[t] = 0;\n"
        "if (row < dim) { int end = begin[row + 1];\n"
        "for (int j = begin[row] + id; j < end; j += lanes) s[t] += v[j] * x[cols[j]];\n"
        "if (id == 0) y[row] = s[t]; } }");
    EXPECT_EQ(argument(one, "lanes").at("value"), 32);
    EXPECT_EQ(one.at("groups"), Json({"ceil(dim / 4)"}));
    EXPECT_EQ(argument(one, "x").at("elements"), "dim");
}

TEST_F(Forms, OnlyLoadsThatAreGuardedTakeWholeGroups) {
    const auto text = [](const std::string& store) {
        return "kernel void k(global const float* x, global float* y, int n) { local float t[64];\n"
               "int i = get_group_id(0) * 64 + get_local_id(0);\n"
               "t[get_local_id(0)] = i < n ? x[i] : 0; barrier(1);\n" +
               store + " }";
    };
    const Json free = made(text("y[i] = t[get_local_id(0) ^ 1];"));
    EXPECT_EQ(free.at("groups"), Json({"n / items_x"}));
    for (const Json& shape : free.at("sizes").at("checked"))
        EXPECT_EQ(shape.at(0).get<int>() % 64, 0);
    EXPECT_EQ(made(text("if (i < n) y[i] = t[get_local_id(0) ^ 1];")).at("groups"),
              Json({"ceil(n / items_x)"}));
    EXPECT_EQ(made(text("if (get_local_id(0) == 0) y[get_group_id(0)] = t[0];")).at("groups"),
              Json({"ceil(n / items_x)"}));
}

TEST_F(Forms, ASizeThatTheBodyLeavesOutIsTheOtherSide) {
    const std::string body =
        " { int x = get_global_id(0), y = get_global_id(1); if (x < w) a[y * w + x] = 1; }";
    EXPECT_EQ(made("kernel void k(global float* a, int w, int h)" + body).at("groups"),
              Json({"ceil(w / items_x)", "h / items_y"}));
    EXPECT_EQ(made("kernel void k(global float* a, int w)" + body).at("groups"),
              Json({"ceil(w / items_x)", "w / items_y"}))
        << "both sides alike";
}

TEST_F(Forms, WhatBeginsBehindTheFirstElementLeavesItOut) {
    const auto use = [&](const std::string& more) {
        return argument(made("kernel void k(global float* y, int n) { int i = get_global_id(0) + 1;"
                             " if (i < n) y[i] = i; " +
                             more + "}"),
                        "y")
            .at("use");
    };
    EXPECT_EQ(use(""), "in_out");
    EXPECT_EQ(use("if (i == 1) y[0] = 2;"), "output");
}

TEST_F(Forms, AComponentOfAPixelIsAnIndex) {
    const Json one = made(
        "kernel void k(global uchar4* p, constant uchar* table, int n) {\n"
        "int i = get_global_id(0); if (i >= n) return;\n"
        "uchar4 v = p[i]; v.x = table[v.x]; v.z = table[v.z]; p[i] = v; }");
    EXPECT_EQ(argument(one, "table").at("elements"), 256);
}

TEST_F(Forms, KernelsInARowShareWhatHasOneName) {
    const Json one = made(
        "kernel void up(global float* t, global const float* x, int n, int m, float a) {\n"
        "int i = get_global_id(0); if (i < n) t[i] = a * x[i]; }\n"
        "kernel void down(global const float* t, global float* y, int n, int m, float b) {\n"
        "int i = get_global_id(0); if (i >= m) return; float s = 0;\n"
        "for (int k = 0; k < n; ++k) s += t[k]; y[i] = b * s; }",
        {"up", "down"});
    EXPECT_EQ(argument(one, "t").at("use"), "scratch");
    EXPECT_EQ(argument(one, "y").at("use"), "output");
    EXPECT_EQ(argument(one, "m").at("value"), "m") << "which 'up' does not use";
    EXPECT_EQ(one.at("arguments").size(), 7u);
    EXPECT_EQ(one.at("launches").at(1).at("arguments"), Json({"t", "y", "n", "m", "b"}));
    EXPECT_EQ(one.at("launches").at(1).at("groups"), Json({"ceil(m / items_x)"}));
    EXPECT_TRUE(is_noted(one, "not say them: a 1.5, b 1.5."));
}

TEST_F(Forms, WhatOneKernelWritesIsLedIntoTheNext) {
    const Json one = made(
        "kernel void parts(global const float* in, global float* sums, uint n) {\n"
        "if (get_local_id(0) == 0) { float t = 0; for (uint k = 0; k < n; ++k) t += in[k];\n"
        "sums[get_group_id(0)] = t; } }\n"
        "kernel void total(global const float* in, global float* out, uint count) {\n"
        "float t = 0; for (uint k = 0; k < count; ++k) t += in[k]; out[0] = t; }",
        {"parts", "total"});
    EXPECT_EQ(argument(one, "sums").at("use"), "scratch");
    EXPECT_TRUE(is_noted(one, "'in' is taken to be 'sums'"));
    EXPECT_EQ(one.at("launches").at(1).at("arguments"), Json({"sums", "out", "count"}));
    EXPECT_FALSE(argument(one, "count").at("value").is_null());
    EXPECT_EQ(argument(one, "sums").at("elements"), argument(one, "count").at("value"));
    EXPECT_EQ(std::ranges::count(one.at("sizes").at("names"), "count"), 0)
        << "there are as many as groups of the first";
}

TEST_F(Forms, OneNameForTwoThingsBecomesTwo) {
    const Json one = made(
        "kernel void a(global float* y, int n) { int i = get_global_id(0); if (i < n) y[i] = 1; }\n"
        "kernel void b(global float* y, float n) { y[get_local_id(0)] *= n; }",
        {"a", "b"});
    EXPECT_EQ(one.at("launches").at(1).at("arguments"), Json({"y", "n_2"}));
    EXPECT_EQ(argument(one, "n_2").at("type"), "float");
    EXPECT_EQ(argument(one, "y").at("use"), "output");
}

TEST_F(Forms, ATimedSizeOfSecondsIsSaid) {
    const std::string loop = "for (int j = 0; j < n; ++j) sum += x[j];";
    const auto of = [&](const std::string& body) {
        return made(
            "kernel void k(global const float* x, global float* y, int n) {\n"
            "int i = get_global_id(0); if (i >= n) return;\nfloat sum = 0;\n" +
            body + "y[i] = sum; }");
    };
    EXPECT_TRUE(is_noted(of(loop), "seconds of a CPU"));
    EXPECT_FALSE(is_noted(of("sum = x[i];"), "seconds of a CPU"));
}

}  // namespace
}  // namespace parallax::first_forms_test

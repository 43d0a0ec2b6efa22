// Tests what generated manifests infer from the uses of arguments.
#include <gmock/gmock.h>

#include "suites/manifest/tests/forms.hpp"

namespace parallax::first_uses_test {
namespace {

class Uses : public testing_manifest::Forms {
protected:
    /// A manifest of a kernel whose work-items `i` are below `n`.
    Json guarded(const std::string& parameters, const std::string& body) {
        return made("kernel void k(" + parameters +
                    ", int n) {\nint i = get_global_id(0); if (i >= n) return;\n" + body + " }");
    }
};

TEST_F(Uses, NumbersHaveTheRangeThatTheBodyLeavesThem) {
    const auto fill = [&](const std::string& parameters, const std::string& body) {
        return argument(guarded(parameters + ", global float* y", body), "x").at("fill").dump();
    };
    const std::string floats = "global const float* x", ints = "global const int* x";
    EXPECT_EQ(fill(floats, "y[i] = x[i];"), R"({"random":[-0.5,1],"special":true})");
    EXPECT_EQ(fill(floats, "y[i] = max(x[i], 2.5f);"), R"({"random":[-5,5]})")
        << "of NaN, max() is any number";
    EXPECT_EQ(fill(floats, "y[i] = native_sqrt(x[i]);"), R"("random")") << "it has a root";
    EXPECT_EQ(fill(floats, "int k = x[i] * 9; y[i] = k;"), R"("random")") << "a whole number";
    EXPECT_EQ(fill(floats, "float v = x[i]; while (v < 9.0f) v *= v; y[i] = v;"), R"("random")")
        << "it ends a loop";
    EXPECT_EQ(fill(ints, "y[i] = x[i];"), R"({"random":[-500000000,1000000000]})");
    EXPECT_EQ(fill("global const uint* x", "y[i] = x[i];"), R"({"random":[0,4294967296]})");
    EXPECT_EQ(fill("global const short* x", "y[i] = x[i];"), R"({"random":[-16384,32768]})");
    const std::string whole = R"({"random":[-2147483648,2147483648]})",
                      half = R"({"random":[-500000000,1000000000]})";
    const auto of_whole = [&](const std::string& body) {
        return argument(guarded("global const int* x, global int* y", body), "x").at("fill").dump();
    };
    EXPECT_EQ(of_whole("y[i] = x[i] > 5 ? x[i] ^ 3 : 0;"), whole);
    EXPECT_EQ(of_whole("y[i] = x[i] - 5 > 0;"), whole) << "a difference that is only compared";
    EXPECT_EQ(of_whole("y[i] = (int)((uint)x[i] + 5u);"), whole);
    EXPECT_EQ(of_whole("y[i] = x[i] + 5;"), half) << "a sum may overflow";
    EXPECT_EQ(of_whole("int s = x[i]; s *= 2; y[i] = s;"), half);
    EXPECT_EQ(of_whole("y[i] = -x[i];"), half);
    EXPECT_EQ(fill(ints, "y[x[i]] = 1;"), R"("permutation")");
    EXPECT_EQ(fill(ints, "y[min(x[i], n - 1)] = 1;"), R"({"random":[0,16]})") << "it leads there";
    EXPECT_EQ(fill(ints, "float s = 0; for (int k = 0; k < x[i]; ++k) s += k; y[i] = s;"),
              R"({"random":[0,16]})");
    EXPECT_EQ(fill(ints, "y[i] = n / x[i];"), R"({"random":[1,17]})") << "0 divides nothing";
    EXPECT_EQ(fill(ints, "y[i] = mul24(x[i], 3);"), R"({"random":[0,16]})");
    EXPECT_EQ(fill("global const uint* x, uint s", "y[i] = y[(x[i] >> s) & 0xff];"),
              R"({"random":[0,4294967296]})");
}

TEST_F(Uses, AnIndexMayComeFromAVectorAMaskOrARemainder) {
    const Json clamped = guarded(
        "global const float* x, global float* y",
        "int2 at = clamp((int2)(i - 1, i), (int2)(0, 0), (int2)(n - 1, n - 1)); y[i] = x[at.x];");
    EXPECT_EQ(argument(clamped, "x").at("elements"), "n");
    const Json taken = guarded("global const float* x, global uint* bits, global float* y, int p",
                               "int l = get_local_id(0); atomic_or(&bits[l / 32], 1u << (l & 31));"
                               " int k = i; k %= p; y[k] = x[k];");
    EXPECT_EQ(argument(taken, "bits").at("elements"), "ceil(items_x / 32)");
    const Json label = guarded("global const float* x, global float* y",
                               "float v = x[i]; if (v > 0.5f) goto done; v *= 2; done: y[i] = v;");
    EXPECT_EQ(argument(label, "y").at("use"), "output") << "behind a label";
    const Json any = guarded("global void* x, global void* y",
                             "global float* a = x; global float* b; b = y; b[i] = a[i];");
    for (const char* name : {"x", "y"}) {
        EXPECT_EQ(argument(any, name).at("type"), "float");
        EXPECT_EQ(argument(any, name).at("elements"), "n");
    }
}

TEST_F(Uses, WhatNothingGuardsIsAsked) {
    EXPECT_TRUE(is_noted(
        made("kernel void k(global float* y) { y[get_global_id(0)] = 1; }"),
        "No guard that keeps work-items below n was read in the text: sizes are multiples of 256"));
    EXPECT_FALSE(is_noted(guarded("global float* y", "y[i] = 1;"), "Nothing in the text"));
}

TEST_F(Uses, WhereASizeCountsGroupsItIsSmaller) {
    const Json one = made(
        "kernel void k(global const float* x, global float* y) {\n"
        "y[get_group_id(0)] = x[get_group_id(0)]; }");
    EXPECT_LE(one.at("sizes").at("timed").at(0).at(0).get<int>() * one.at("items").at(0).get<int>(),
              1 << 25);
}

TEST_F(Uses, BothSidesOfAChoiceAreReached) {
    const Json one = made(
        "kernel void k(int m, int n, int turned, global const float* A, int ld, global float* y) {"
        "\nint g = get_global_id(0); if (g >= m) return; float s = 0;\n"
        "for (int k = 0; k < n; ++k) s += turned ? A[ld * g + k] : A[ld * k + g];\ny[g] = s; }");
    EXPECT_EQ(argument(one, "ld").at("value"), "n + 1");
    EXPECT_EQ(argument(one, "A").at("elements"), "max(m * n + m - 1, n * n + m - 1)");
}

TEST_F(Uses, StepsOverNothingAreApart) {
    const Json one = guarded("global const float* x, int inc, global float* y, int wide",
                             "y[i] = x[i * inc];\n"
                             "for (int c = 0; c < 4; ++c) y[(i * wide + n - 1) * 4 + c] = 0;");
    EXPECT_EQ(argument(one, "inc").at("value"), 2);
    EXPECT_EQ(argument(one, "wide").at("value"), "n") << "in elements of four";
    EXPECT_EQ(argument(one, "x").at("elements"), "2 * n");
    const Json two = guarded("global const float* x, int incx, global float* y, int incy",
                             "y[i * incy] = x[i * incx];");
    EXPECT_EQ(argument(two, "incy").at("value"), 3) << "another one";
    EXPECT_EQ(argument(two, "y").at("use"), "in_out") << "what is between stays";
}

TEST_F(Uses, WhoAsksForItsGroupAloneHasOneItemThere) {
    const Json one = made(
        "kernel void k(global const float* x, global float* y, int n, local float* sum) {\n"
        "int row = get_group_id(1) * get_num_groups(0) + get_group_id(0); float s = 0;\n"
        "for (int i = get_local_id(0); i < n; i += get_local_size(0)) s += x[row * n + i];\n"
        "sum[get_local_id(0)] = s; barrier(CLK_LOCAL_MEM_FENCE);\n"
        "if (get_local_id(0) == 0) y[row] = sum[0]; }");
    EXPECT_EQ(one.at("items"), Json({256, 1}));
    EXPECT_EQ(argument(one, "sum").at("local"), "items_x");
}

TEST_F(Uses, WhatOnlyTheFirstItemDoesOneDoes) {
    const Json one = made(
        "kernel void k(global uint* s, uint nb) { if (get_global_id(0) == 0) { uint a = 0;\n"
        "for (uint i = 0; i < nb; ++i) { uint v = s[i]; s[i] = a; a += v; } } }");
    EXPECT_EQ(one.at("items"), Json({1}));
    EXPECT_EQ(one.at("groups"), Json({1}));
    EXPECT_EQ(one.at("sizes").at("names"), Json({"nb"}));
    const Json two = made(
        "kernel void k(global uint* s, global uint* t) { t[get_global_id(0)] = 1;\n"
        "if (get_global_id(0) == 0) s[0] = 1; }");
    EXPECT_EQ(two.at("items"), Json({256})) << "all do something";
}

TEST_F(Uses, BytesCastToAStructAreCountedAsSuch) {
    const std::string blocks =
        "typedef struct { half d; char qs[32]; } Block;\n"
        "kernel void k(global char* src, global char* xs, global char* dst, int cols, int rows,"
        " ulong nb, ulong nx, int wide) {\n"
        "int r = get_global_id(0), c = get_global_id(1); if (r >= rows || c >= 8) return;\n"
        "global const Block* b = (global const Block*)(src + r * nb);\n"
        "global const float* x = (global const float*)(xs + c * nx);\n"
        "float f = 0; for (int i = 0; i < cols / 32; ++i) for (int j = 0; j < 32; ++j)\n"
        "f += b[i].qs[j] * x[i * 32 + j];\n((global float*)dst)[c * wide + r] = f; }";
    const Json one = made(blocks);
    EXPECT_EQ(argument(one, "src").at("type"), "char");
    EXPECT_EQ(argument(one, "src").at("elements"), "17 * ceil(cols * rows / 16)");
    EXPECT_EQ(argument(one, "src").at("fill"), Json::parse(R"({"random": [0, 60]})"))
        << "no infinite half";
    EXPECT_EQ(argument(one, "nb").at("value"), "17 * ceil(cols / 16)");
    EXPECT_EQ(argument(one, "xs").at("type"), "float");
    EXPECT_EQ(argument(one, "xs").at("elements"), "8 * cols");
    EXPECT_EQ(argument(one, "nx").at("value"), "4 * cols") << "a row's bytes";
    EXPECT_EQ(argument(one, "dst").at("elements"), "8 * rows");
    EXPECT_EQ(argument(one, "wide").at("value"), "rows") << "elements, and no bytes";
    for (const Json& shape : one.at("sizes").at("checked")) {
        EXPECT_EQ(shape.at(0).get<int>() % 32, 0) << "whole blocks";
    }
}

TEST_F(Uses, StridesInBytesOfNumbersAreBytes) {
    const Json one = made(
        "kernel void rows(global void* src, global int* which, global float* dst, int cols,"
        " ulong nb01, ulong nb02, int count, ulong nb10, ulong nb11, ulong nb1, ulong nb2) {\n"
        "int i = get_group_id(0), k = get_group_id(1); if (i >= count) return;\n"
        "int r = ((global int*)((global char*)which + k * nb11 + i * nb10))[0];\n"
        "for (int c = get_local_id(0); c < cols; c += get_local_size(0))\n"
        "((global float*)((global char*)dst + k * nb2 + i * nb1))[c] =\n"
        "((global float*)((global char*)src + r * nb01 + k * nb02))[c]; }");
    const auto value = [&](const char* name) { return argument(one, name).at("value"); };
    EXPECT_EQ(value("nb1"), "4 * cols");
    EXPECT_EQ(value("nb2"), "4 * cols * count");
    EXPECT_EQ(value("nb10"), 4);
    EXPECT_EQ(value("nb11"), "4 * count") << "known when the inner one is";
    EXPECT_EQ(value("nb01"), "4 * cols") << "what multiplies data is a length";
    EXPECT_EQ(value("nb02"), "32 * cols") << "some rows: their number is unknown";
    EXPECT_EQ(argument(one, "dst").at("elements"), "height * cols * count");
    EXPECT_EQ(argument(one, "which").at("fill"), Json::parse(R"({"random": [0, "count"]})"));
}

TEST_F(Uses, AQuarterOfAnImageHasWholeQuarters) {
    const Json one = made(
        "kernel void k(global const uchar* uv, int pitch, global uchar4* dst, int dst_pitch,"
        " int w, int h) {\nint x = get_global_id(0), y = get_global_id(1);\n"
        "if (x >= w || y >= h) return;\nint at = (y >> 1) * pitch + (x & ~1);\n"
        "dst[y * (dst_pitch / 4) + x] = (uchar4)(uv[at], uv[at + 1], 0, 255); }");
    EXPECT_EQ(argument(one, "pitch").at("value"), "w");
    EXPECT_EQ(argument(one, "dst_pitch").at("value"), "4 * w");
    EXPECT_EQ(argument(one, "dst").at("elements"), "w * h");
    for (const Json& shape : one.at("sizes").at("checked")) {
        EXPECT_EQ(shape.at(0).get<int>() % 2 + shape.at(1).get<int>() % 2, 0);
    }
}

TEST_F(Uses, WhatLeadsIntoALocalArrayStaysInIt) {
    const Json one = guarded("global const int* data, global int* bins, global const uchar* on",
                             "local int own[128 + 1]; int l = get_local_id(0); own[l] = 0;\n"
                             "barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&own[data[i]]);\n"
                             "barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "bins[i] = (l == 3 || (l > 4 && on[i])) ? own[l] : 0;");
    EXPECT_EQ(argument(one, "data").at("fill"), Json::parse(R"({"random": [0, 129]})"));
    EXPECT_EQ(argument(one, "on").at("fill"), Json::parse(R"({"random": [0, 2]})"));
    EXPECT_EQ(one.at("items"), Json({128})) << "the last one is for something else";
}

TEST_F(Uses, AGroupHasItemsForThePlacesThatTheyShare) {
    for (const char* place : {"l / 32", "l >> 5"}) {
        const auto items = [&](const std::string& places) {
            return made(
                       "kernel void k(global const uchar* on, global uint* y) {\n"
                       "local uint bits[" +
                       places +
                       "]; int l = get_local_id(0);\n"
                       "if (l < " +
                       places +
                       ") bits[l] = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                       "if (on[get_global_id(0)] & 1) atomic_or(&bits[" +
                       place +
                       "], 1u << (l % 32));\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                       "y[get_global_id(0)] = bits[" +
                       place + "]; }")
                .at("items");
        };
        EXPECT_EQ(items("64 / 32"), Json({64})) << place;
        EXPECT_EQ(items("32"), Json({256})) << place << ": it has places for larger groups, too";
    }
}

TEST_F(Uses, WhoIsWrittenWhereDataLeadIsWrittenOnce) {
    const Json one =
        guarded("global const float* x, global const int* to, global float* y", "y[to[i]] = x[i];");
    EXPECT_EQ(argument(one, "to").at("fill"), "permutation");
    EXPECT_EQ(argument(one, "to").at("elements"), "n");
    EXPECT_EQ(argument(one, "y").at("elements"), "n");
    const Json two = guarded(
        "global float* y, global const int* to, global const float* x, global const int* of",
        "float s = 0; for (int k = 0; k < of[i / 32]; ++k) s += x[to[k * n + i]]; y[i] = s;");
    EXPECT_EQ(argument(two, "x").at("elements"), "n") << "a row an item, and not one for 32";
    EXPECT_EQ(argument(two, "to").at("fill"), Json::parse(R"({"random": [0, "n"]})"));
    const Json kept = guarded("global const float* x, global const int* to, global float* y, int m",
                              "int k = to[i]; if (k >= 0 && k < m) y[k] = x[i];");
    EXPECT_EQ(argument(kept, "to").at("fill"), "permutation") << "a guard changes nothing";
    EXPECT_EQ(argument(kept, "y").at("elements"), "m");
    const Json several =
        guarded("global const int* at, global const float* x, global float* y",
                "int u = at[2 * i], v = at[2 * i + 1]; if (x[u] > 0 && y[v] > 0) y[v] = 1;");
    EXPECT_EQ(argument(several, "at").at("fill"), Json::parse(R"({"random": [0, "n"]})"))
        << "it leads into 'x', too";
}

TEST_F(Uses, AnItemHasAllOfItsElements) {
    const Json one = made(
        "kernel void k(global const float* x, global float* y, int n) {\n"
        "int i = get_global_id(0); if (i * 3 >= n) return;\nfloat v = x[i * 3];\n"
        "y[4 * i] = v; y[4 * i + 1] = v; y[4 * i + 2] = v; y[4 * i + 3] = v; }");
    EXPECT_EQ(argument(one, "y").at("elements"), "4 * ceil(n / 3)");
}

TEST_F(Uses, TheLesserOfTwoBoundsALoop) {
    const Json one =
        guarded("global float* y, int3 grid, global const int* start, global const int* cell",
                "int c = cell[i], cz = c / (grid.x * grid.y); float s = 0;\n"
                "for (int z = max(cz - 1, 0); z <= min(cz + 1, grid.z - 1); ++z)\n"
                "s += start[(z * grid.y + (c / grid.x) % grid.y) * grid.x + c % grid.x];\n"
                "y[i] = s;");
    EXPECT_EQ(argument(one, "grid").at("value"), Json({"grid_x", "grid_y", "grid_z"}));
    EXPECT_EQ(argument(one, "start").at("elements"), "grid_x * grid_y * grid_z");
}

TEST_F(Uses, RowsThatNoOneBufferBoundsAreAsked) {
    for (const char* last : {"int last = end[i];", "int last = i == n - 1 ? m : begin[i + 1];",
                             "int last; if (i + 1 < n) last = begin[i + 1]; else last = m;"}) {
        const std::string source =
            std::string(
                "kernel void k(global float* y, global const int* begin, global const int* "
                "end, global const float* x, int m, int n) {\n"
                "int i = get_global_id(0); if (i >= n) return;\n") +
            last + " float s = 0; for (int j = begin[i]; j < last; ++j) s += x[j]; y[i] = s; }";
        const Json x =
            argument(Json::parse(first_manifest({.file = "mine.cl", .source = source})), "x");
        EXPECT_TRUE(x.at("elements").is_null()) << last;
        EXPECT_TRUE(x.at("ask").get<std::string>().starts_with("How many elements has 'x'?"));
    }
}

TEST_F(Uses, WhatSomethingIsKeptBelowIsALength) {
    const Json one = guarded(
        "global const uint* keys, global const uint* table, uint slots, global float* y,"
        " global const float* x, int cols, int rows, int step",
        "int c = clamp((int)(i * 0.3f), 0, cols - 1), r = min((int)(i * 0.7f), rows - 1);\n"
        "y[i] = x[r * step + c] + table[(keys[i] * 2654435761u) & (slots - 1)];");
    EXPECT_EQ(argument(one, "table").at("elements"), "slots");
    EXPECT_EQ(argument(one, "x").at("elements"), "cols * rows");
    EXPECT_EQ(argument(one, "step").at("value"), "cols");
}

TEST_F(Uses, APlaceIsPartedAgain) {
    const Json one = made(
        "kernel void k(int n, global float* x, global const float* mean, int batch, int maps,"
        " int area) {\nint i = get_global_id(0); if (i >= n) return;\n"
        "x[i] -= mean[(i / area) % maps]; }");
    EXPECT_EQ(argument(one, "n").at("value"), "batch * maps * area");
    EXPECT_EQ(argument(one, "mean").at("elements"), "maps");
}

TEST_F(Uses, ATileHasABorder) {
    const Json one = made(
        "kernel void k(global const float* x, global float* y, int cols, int rows, int border,"
        " int turns) {\nlocal float t[16][16]; int tx = get_local_id(0), ty = get_local_id(1);\n"
        "int bx = (16 - turns * 2) * get_group_id(0) - border;\n"
        "int xi = bx + tx, yi = (16 - turns * 2) * get_group_id(1) - border + ty;\n"
        "int at = cols * yi + xi, low = bx < 0 ? -bx : 0; bool done = false; float sum = 0;\n"
        "if (yi >= 0 && yi <= rows - 1 && xi >= 0 && xi <= cols - 1) t[ty][tx] = x[at];\n"
        "barrier(CLK_LOCAL_MEM_FENCE);\n"
        "if (tx >= 1 && tx <= 14 && tx >= low && ty >= 1 && ty <= 14) {\n"
        "done = true; sum = t[ty][tx - 1] + t[ty][tx + 1]; }\nif (done) y[at] = sum; }");
    EXPECT_EQ(one.at("items"), Json({16, 16}));
    EXPECT_EQ(one.at("groups"),
              Json({"ceil(cols / 14 + border / 14)", "ceil(rows / 14 + border / 14)"}));
    EXPECT_EQ(one.at("sizes").at("names"), Json({"cols", "rows"}));
    EXPECT_EQ(argument(one, "x").at("elements"), "cols * rows");
    EXPECT_EQ(argument(one, "y").at("elements"), "cols * rows") << "the flag says what is meant";
    EXPECT_EQ(argument(one, "turns").at("value"), 1);
}

TEST_F(Uses, WhatIsNoCudaIsSaidAtOnce) {
    const Json one = made(
        "kernel void k(read_only image2d_t src, global int* y) {\n"
        "int2 d = get_image_dim(src); int i = get_global_id(0); if (i < d.x)\n"
        "y[i] = d.y + get_image_channel_order(src); }");
    EXPECT_TRUE(is_noted(one, "mine.cl:3: 'get_image_channel_order': CUDA's objects do not tell"));
    EXPECT_EQ(one.at("sizes").at("timed"), Json({{1024, 1024}})) << "an image has an area";
    EXPECT_FALSE(is_noted(guarded("global float* y", "y[i] = 1;"), "Only OpenCL"));
}

TEST_F(Uses, NobodyDividesByZero) {
    const Json one = made(
        "kernel void k(global const float* x, global float* y, int p) {\n"
        "int t = get_global_size(0), i = get_global_id(0), k = i & (p - 1), j = 2 * (i - k) + k;\n"
        "y[j] = x[i] + x[i + t]; y[j + p] = x[i] * ((float)k / (float)p); }");
    EXPECT_EQ(argument(one, "p").at("value"), 1);
    EXPECT_EQ(argument(one, "y").at("use"), "output");
    EXPECT_EQ(argument(guarded("global float* y, float eps", "y[i] = eps;"), "eps").at("value"),
              1e-05);
    EXPECT_EQ(argument(guarded("global float* y, float eps", "y[i] /= 2 * eps * eps;"), "eps")
                  .at("value"),
              1.5)
        << "it scales";
}

TEST_F(Uses, AClampLeavesTheUpperBound) {
    const std::string parameters = "global const float* in, global float* y";
    for (const char* at : {"(i - 1 < 0 ? 0 : (i - 1 > n - 1 ? n - 1 : i - 1))",
                           "max(0, min(i - 1, n - 1))", "(i > n - 2 ? n - 1 : (i < 1 ? 0 : i))"}) {
        const Json one = guarded(parameters, fmt::format("y[i] = in[{}];", at));
        EXPECT_EQ(argument(one, "in").at("elements"), "n") << at;
    }
}

TEST_F(Uses, WhatAGuardKeepsOutIsTried) {
    const std::string parameters =
        "global const int* at, global const float* x, global float* y, int m";
    const std::string guards = "int k = at[i]; y[i] = k >= 0 && k < m ? x[k] : 0;";
    const Json one = guarded(parameters, guards);
    EXPECT_EQ(argument(one, "x").at("elements"), "m");
    EXPECT_EQ(argument(one, "at").at("fill").dump(),
              R"json({"random":["-(1 + ceil((m) / 8))","m + 1 + ceil((m) / 8)"]})json");
    const Json left =
        guarded(parameters, "int k = at[i]; if (k < 0 || k >= m) return; y[i] = x[k];");
    EXPECT_EQ(argument(left, "at").at("fill"), argument(one, "at").at("fill"));
    const Json above = guarded(parameters, "int k = at[i]; if (k < 9) y[i] = x[k];");
    EXPECT_EQ(argument(above, "x").at("elements"), 9);
    EXPECT_EQ(argument(above, "at").at("fill").dump(), R"({"random":[0,12]})");
}

TEST_F(Uses, LoopsOverTheGridGoRoundInIt) {
    const std::string kernel =
        "kernel void f(global float* y, int rows, int n) {\n"
        "    for (int r = get_group_id(0); r < rows; r += get_num_groups(0))\n"
        "        for (int c = get_local_id(0); c < n; c += get_local_size(0)) y[r * n + c] = r;\n}";
    EXPECT_EQ(made(kernel).at("groups"), Json({"ceil(rows / 4)"}));
    std::string wrong = kernel;
    wrong.replace(wrong.find("get_num_groups"), 14, "get_global_size");
    EXPECT_EQ(made(wrong).at("groups"), Json({"ceil(rows / 4)"}));
}

TEST_F(Uses, BitsAreOfAnyNumber) {
    const Json one =
        guarded("global const uint* pixels, global const uint* state, global uint* of",
                "atomic_inc(&of[(pixels[i] >> 8) & 0xff]); atomic_inc(&of[(~state[i]) >> 24]);");
    EXPECT_EQ(argument(one, "pixels").at("fill"), Json::parse(R"({"random": [0, 4294967296]})"));
    EXPECT_EQ(argument(one, "of").at("elements"), 256);
}

// Both index an image by columns: one table contains rows, the other columns.
TEST_F(Uses, ATableLeadsIntoARowOrToRows) {
    const Json one = guarded(
        "int h, int w, global const int* above, global const int* left, global const float* x, "
        "global float* y",
        "int row = i % h, column = i / h;\n"
        "y[i] = x[i] + x[above[row] + h * column] + x[row + h * left[column]];");
    EXPECT_EQ(argument(one, "x").at("elements"), "h * w");
    EXPECT_EQ(argument(one, "above").at("fill"), Json({{"random", {0, "h"}}}));
    EXPECT_EQ(argument(one, "left").at("fill"), Json({{"random", {0, "w"}}}));
}

TEST_F(Uses, WhatIsRoundedMayBeAStepOff) {
    const std::string parameters = "global const uchar* x, global uchar* y";
    EXPECT_EQ(guarded(parameters, "y[i] = 255 - x[i];").at("tolerance"), "equal");
    const Json step = {{"absolute", 1}};
    EXPECT_EQ(guarded(parameters, "y[i] = convert_uchar_sat(0.3f * x[i]);").at("tolerance"), step);
    EXPECT_EQ(guarded(parameters, "y[i] = (uchar)(0.3f * x[i]);").at("tolerance"), step);
    EXPECT_EQ(guarded(parameters, "y[i] = 0.3f * x[i];").at("tolerance"), step);
    EXPECT_EQ(guarded(parameters + ", global float* z", "y[i] = 0.3f * x[i]; z[i] = x[i];")
                  .at("tolerance")
                  .at("absolute"),
              1e-06);
}

TEST_F(Uses, FunctionsOfTheFileAreFollowedWhateverTheyAreCalled) {
    for (const std::string name : {"get_pixel", "vload_at", "atomic_twice", "read_image_at"}) {
        const Json one = made("float " + name +
                              "(global const float* x, int at) { return x[at]; }\n"
                              "kernel void k(global const float* x, global float* y, int n) {\n"
                              "int i = get_global_id(0); if (i < n) y[i] = " +
                              name + "(x, 2 * i); }");
        EXPECT_EQ(argument(one, "x").at("elements"), "2 * n") << name;
        EXPECT_FALSE(is_noted(one, "not used")) << name;
    }
}

TEST_F(Uses, AHintBeforeALoopHidesNothing) {
    const std::string loop = "for (int k = 0; k < 4; ++k) y[4 * i + k] = x[4 * i + k];";
    for (const std::string& hint : {std::string("__attribute__((opencl_unroll_hint(4)))\n"),
                                    std::string("#if __OPENCL_VERSION__ >= 200\n__attribute__(("
                                                "opencl_unroll_hint(4)))\n#endif\n")}) {
        const Json one = guarded("global const float* x, global float* y", "\n" + hint + loop);
        EXPECT_EQ(argument(one, "x").at("elements"), "4 * n") << hint;
        EXPECT_EQ(argument(one, "y").at("use"), "output") << hint;
        // In a branch with the loop, the branch's effects come before the code after it.
        const Json two = guarded("global const float* x, global float* y",
                                 "if (i > 0)\n" + hint + loop + "\nelse y[4 * i] = 1;");
        EXPECT_EQ(argument(two, "y").at("elements"), "4 * n") << hint;
    }
}

TEST_F(Uses, WhatIsNamedAndNotFollowedIsAsked) {
    const std::string source =
        "kernel void k(global float* x, global const float* z, global float* y, int n) {\n"
        "int i = get_global_id(0); if (i < n) y[i] = x == 0 ? 1 : 2; }";
    const Json one = Json::parse(first_manifest({.file = "mine.cl", .source = source}));
    EXPECT_TRUE(argument(one, "x").at("elements").is_null());
    EXPECT_EQ(argument(one, "x").at("use"), "in_out");
    EXPECT_FALSE(is_noted(one, "'x' is not used"));
    EXPECT_TRUE(is_noted(one, "'z' is not used"));
    EXPECT_EQ(argument(one, "z").at("elements"), 1);
}

TEST_F(Uses, AVectorInBracesHasItsComponents) {
    const auto of = [&](const std::string& place) {
        return made("kernel void k(global float* z, int nx, int ny) {\n" + place +
                    " if (g.x >= nx || g.y >= ny) return; z[g.y * nx + g.x] += 1; }");
    };
    const Json one = of("int2 g = {get_global_id(0), get_global_id(1)};");
    EXPECT_EQ(argument(one, "z").at("elements"), "nx * ny");
    EXPECT_EQ(one.at("sizes").at("names"), Json({"nx", "ny"}));
    EXPECT_EQ(one.at("groups"), Json({"ceil(nx / items_x)", "ceil(ny / items_y)"}));
    EXPECT_EQ(one, of("int2 g = (int2)(get_global_id(0), get_global_id(1));"));
    EXPECT_EQ(one, of("int i = get_global_id(0), j = get_global_id(1), k[2] = {i, 1};\n"
                      "const int2 g = {i, j};"))
        << "names in braces are not declared";
}

TEST_F(Uses, AnImagesUseIsWhatItsQualifierSays) {
    const std::string body =
        "int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
        "y[p.y * get_global_size(0) + p.x] = read_imagef(im, p).x; }";
    for (const auto& [access, use] :
         {std::pair{"__read_write", "in_out"}, {"read_only", "input"}}) {
        const Json one = made(std::string("kernel void k(") + access +
                              " image2d_t im, global float* y) {\n" + body);
        EXPECT_EQ(argument(one, "im").at("use"), use);
    }
}

TEST_F(Uses, OperationsAreThoseOfTheLongestLoop) {
    const Json one = made(
        "kernel void k(global const float* a, global const float* b, global float* c, int n) {\n"
        "int i = get_global_id(0), j = get_global_id(1); float sum = 0; if (i < n && j < n) {\n"
        "for (int k = 0; k < n; ++k) sum += a[j * n + k] * b[k * n + i]; c[j * n + i] = sum; } }");
    EXPECT_EQ(one.at("work").at("operations"), "2 * n * n * n");
    EXPECT_TRUE(is_noted(one, "'operations' are two a round"));
    const Json two = guarded("global float* y", "y[i] = 1;");
    EXPECT_FALSE(two.at("work").contains("operations"));
}

}  // namespace
}  // namespace parallax::first_uses_test

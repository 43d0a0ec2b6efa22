// Tests data races: those that the sanitized host reports, and ordered accesses, for all types and
// kinds of memory.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/host/tests/launched.hpp"

namespace parallax::host::races_test {
namespace {

using namespace host::test;
using ::testing::HasSubstr;

/// Accesses to `t`, an array of `T`, after a barrier of the work-group.
struct Body {
    const char* does;
    bool is_race;
};

constexpr Body bodies[] = {
    // Lost updates, also of a counter that not all work-items touch, or one work-item in each warp.
    {"t[l % 4] += T(1);", true},
    {"t[0] = t[0] + T(l);", true},
    {"if (l % 5 == 0) t[3] -= T(1);", true},
    {"if (l % 32 == 7) t[1] += T(2);", true},
    {"for (int k = 0; k < 3; ++k) t[k] += T(l); __syncthreads();", true},
    // A store races with loads of others, before or after it.
    {"t[l] = T(l + 1); if (t[(l + 1) % 32] == T(77)) b[i] = 1;", true},
    {"if (t[(l + 1) % 32] == T(77)) b[i] = 1; t[l] = T(l + 1);", true},
    {"if (l == 0) t[5] = T(9); if (t[5] == T(9)) b[i] = 1;", true},
    {"if (t[5] == T(9)) b[i] = 1; if (l == 40) t[5] = T(8);", true},
    {"if (l == 1) t[2] = T(4); if (l == 50) t[2] = T(3);", true},
    // The value that all have loaded belongs to the next round: a barrier is missing.
    {"for (int k = 0; k < 2; ++k) { if (l == 0) t[0] = T(k + 2); __syncthreads(); "
     "if (t[0] == T(77)) b[i] = 1; }",
     true},
    // Warps do not wait for each other; work-items of a warp do at a warp barrier.
    {"if (l < 32) { t[l] = T(l + 1); __syncwarp(); } else if (t[l - 32] == T(99)) b[i] = 1;", true},
    {"if (l < 32) { t[l] = T(l + 1); if (t[31 - l] == T(99)) b[i] = 1; }", true},
    // An atomic function orders nothing for work-items that use none.
    {"if (l == 3) atomicAdd(&n, 1); t[1] += T(l);", true},
    // Nor at another address that no other work-item used, or before the access.
    {"__shared__ int c[64]; atomicAdd(&c[l], 1); t[1] += T(l + 1); atomicAdd(&c[l], 1);", true},
    {"atomicAdd(&n, 1); t[1] += T(l + 1); atomicAdd(&n, 1);", true},
    {"__shared__ int c[64]; if (l == 5) t[1] = T(3); __syncwarp(); atomicAdd(&c[l / 32], 1); "
     "if (l == 40) t[1] = T(4);",
     true},

    {"t[l] += T(l);", false},
    {"t[l] = T(l + 1); __syncthreads(); if (t[63 - l] == T(77)) b[i] = 1;", false},
    {"if (t[63 - l] == T(77)) b[i] = 1; __syncthreads(); t[l] = T(l + 1);", false},
    {"t[0] = T(5);", false},
    {"t[0] = T(5); if (t[0] == T(6)) b[i] = 1;", false},
    {"const T was = t[7]; if (was == T(77)) b[i] = 1; t[7] = was;", false},
    {"if (l == 9) { t[0] = T(4); t[0] += T(2); if (t[0] == T(99)) b[i] = 1; }", false},
    {"for (int k = 0; k < 2; ++k) { if (l == 0) t[0] = T(k + 2); __syncthreads(); "
     "if (t[0] == T(77)) b[i] = 1; __syncthreads(); }",
     false},
    {"if (l < 32) { t[l] = T(l + 1); __syncwarp(); if (t[31 - l] == T(99)) b[i] = 1; "
     "__syncwarp(); t[l] = T(7); }",
     false},
    {"if (l < 32) { const int x = __shfl_xor_sync(~0u, l, 1); t[x] = T(x); }", false},
    // One that polls lets others go on.
    {"if (l == 0) { while (atomicAdd(&n, 0) == 0) {} } else if (l == 63) atomicAdd(&n, 1);", false},
    {"if (l == 0) { while (f == 0) __nanosleep(100); } else if (l == 63) f = 1;", false},
    {"if (l == 0) { while (f == 0) __threadfence_block(); } else if (l == 63) f = 1;", false},
    // The last one sees all results; one at a time; a flag.
    {"t[l] = T(l + 1); __threadfence(); if (atomicAdd(&n, 1) == 63) "
     "for (int k = 0; k < 64; ++k) if (t[k] == T(99)) b[i] = 1;",
     false},
    {"t[l] = T(l + 1); __syncwarp(); __threadfence(); int last = 0; if (l % 32 == 0) "
     "last = atomicAdd(&n, 1); last = __shfl_sync(~0u, last, 0); if (l % 32 == 7 && last == 1) "
     "for (int k = 0; k < 64; ++k) if (t[k] == T(99)) b[i] = 1;",
     false},
    {"while (atomicCAS(&n, 0, 1) != 0); t[0] += T(1); __threadfence(); atomicExch(&n, 0);", false},
    {"if (l == 0) { t[0] = T(6); __threadfence(); f = 1; } else { while (f == 0); "
     "if (t[0] == T(99)) b[i] = 1; }",
     false},
};

std::vector<std::string> with(const std::string& declared, const std::string& type) {
    std::vector<std::string> all;
    for (const Body& body : bodies) {
        all.push_back(fmt::format(
            "using T = {}; __shared__ int n; __shared__ volatile int f; {} t[l] = T(0); n = 0; "
            "f = 0; __syncthreads();\n{}",
            type, declared, body.does));
    }
    return all;
}

void expect_all(const std::vector<std::string>& texts, unsigned local_bytes,
                const Geometry& geometry, const char* memory) {
    const Kernels kernels(texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string said = kernels.complaint(i, local_bytes, 1, geometry);
        if (bodies[i].is_race) {
            EXPECT_THAT(said, HasSubstr("a race: work-item")) << texts[i];
            EXPECT_THAT(said, HasSubstr(memory)) << texts[i];
            // The line of the body, for both.
            EXPECT_THAT(said, HasSubstr(fmt::format("k.cu:{}: a race", 4 + 4 * i))) << texts[i];
        } else {
            EXPECT_EQ(said, "") << texts[i];
        }
    }
}

constexpr Geometry one_group{{1, 1, 1}, {64, 1, 1}};

class Races : public testing::Test {
protected:
    void SetUp() override {
        if (entries().size() < 2) GTEST_SKIP() << "the system's compiler has no sanitizers";
    }
};

TEST_F(Races, OfStaticLocalMemory) {
    for (const char* const type : {"int", "unsigned char", "unsigned long long"}) {
        expect_all(with("__shared__ T t[64];", type), 0, one_group, "local memory");
    }
}

TEST_F(Races, OfDynamicLocalMemory) {
    expect_all(with("extern __shared__ unsigned char d[]; T* t = (T*)d;", "float"), 256, one_group,
               "local memory");
}

TEST_F(Races, OfGlobalMemory) {
    for (const char* const type : {"float", "unsigned char"})
        expect_all(with("T* t = (T*)b;", type), 0, one_group, "global memory");
}

TEST_F(Races, OfOneVariableAndOfMembers) {
    const std::pair<const char*, bool> all[] = {
        {"__shared__ unsigned s; if (l == 0) s = 0; __syncthreads(); s += l;", true},
        {"__shared__ float4 v; v = make_float4(0, 0, 0, 0); __syncthreads(); v.y += l;", true},
        {"__shared__ float4 v[2]; v[l % 2] = make_float4(l, 0, 0, 0);", true},
        {"__shared__ struct { int first, second; } s; if (l == 0) s.first = l + 1; "
         "if (l == 9) s.second = l; __syncthreads(); b[i] = s.first + s.second;",
         false},
        {"__shared__ float4 v[64]; v[l] = make_float4(l, 1, 2, 3); v[l].x += v[l].w; "
         "__syncthreads(); float4 w = v[63 - l]; b[i] = int(w.x);",
         false},
        {"__shared__ float4 v[64]; v[l] = make_float4(l, 1, 2, 3); __syncthreads(); "
         "if (l < 32) v[l] = v[l + 32];",
         false},
        {"__shared__ float4 v[64]; v[l] = make_float4(l, 1, 2, 3); __syncthreads(); "
         "if (l < 63) v[l] = v[l + 1];",
         true}};
    std::vector<std::string> texts;
    for (const auto& [body, is_race] : all) texts.emplace_back(body);
    const Kernels kernels(texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_EQ(kernels.complaint(i, 0, 1, one_group).find("a race") != std::string::npos,
                  all[i].second)
            << texts[i] << kernels.complaint(i, 0, 1, one_group);
    }
}

TEST_F(Races, OfGroupsThatWaitForNoOther) {
    const std::pair<const char*, bool> all[] = {
        {"if (l == 0) b[5] += 1;", true},
        {"if (l == 3) b[0] = blockIdx.x + 100;", true},
        {"b[(i + 32) % 64] += b[i];", true},
        {"if (blockIdx.x == 0) b[i] = 9; else if (b[i - 32] == 77) b[i] = 1;", true},
        // An atomic function orders what one work-item does, and at its address alone.
        {"int* n = (int*)a; if (l == 9) atomicAdd(&n[0], 1); if (l == 0) b[5] += 1 + i; "
         "if (l == 9) atomicAdd(&n[0], 1);",
         true},
        {"int* n = (int*)a; if (l == 0) { atomicAdd(&n[i], 1); b[5] = max(b[5], i + 100); "
         "atomicAdd(&n[i], 1); }",
         true},
        {"int* n = (int*)a; if (l == 0) { while (atomicCAS(&n[0], 0, 1) != 0); b[5] += 1 + i; "
         "__threadfence(); atomicExch(&n[0], 0); }",
         false},
        {"atomicAdd(&b[5], 1);", false},
        {"if (l == 0) b[5] = 7;", false},
        {"b[i] = a[63 - i];", false},
        // The last work-group sums up the results of all.
        {"if (i == 63) atomicExch(&b[63], 0);", false},
        {"if (l < 31) b[i] = l; __threadfence(); __syncthreads(); __shared__ int last; "
         "if (l == 0) last = atomicAdd((int*)&a[63], 1); __syncthreads(); "
         "if (l == 0 && last == 64) for (int k = 0; k < 31; ++k) b[31] += b[k] + b[k + 32];",
         false}};
    std::vector<std::string> texts;
    for (const auto& [body, is_race] : all) texts.emplace_back(body);
    const Kernels kernels(texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string said = kernels.complaint(i, 0, 1);
        EXPECT_EQ(said.find("Groups of one launch wait for no others") != std::string::npos,
                  all[i].second)
            << texts[i] << said;
        EXPECT_EQ(said.empty(), !all[i].second) << texts[i] << said;
    }
}

// Which share an entry of the clocks.
TEST_F(Races, OfGroupsThatAreFarApart) {
    const Kernels kernels(
        {"__syncthreads(); if (blockIdx.x == 3) b[5] = 99; __syncthreads(); "
         "if (blockIdx.x == 67 && b[5] == 77) b[6] = 1; __syncthreads();"});
    // In any order of the work-groups, and concurrently.
    for (int launch = 0; launch < 20; ++launch) {
        EXPECT_THAT(kernels.complaint(0, 0, 1, {{128, 1, 1}, {1, 1, 1}}), HasSubstr("a race"));
    }
}

// An assumption that no other work-item came in between is refuted.
TEST(CompareAndSwap, IsTheTurnOfOthersToo) {
    unsigned wrong = 0;
    for (const auto& out : launched("if (l == 0) b[0] = 0; __syncthreads();\n"
                                    "int old = b[0]; atomicCAS(b, old, old + 1); __syncthreads();",
                                    8, 0, 0, one_group)) {
        wrong += out[0] != 64;
    }
    EXPECT_GT(wrong, 0u);
    const auto right = launched(
        "if (l == 0) b[0] = 0; __syncthreads();\n"
        "int old = b[0], seen; do { seen = old; old = atomicCAS(b, seen, "
        "seen + 1); } while (old != seen);",
        8, 0, 0, one_group);
    for (const auto& out : right) EXPECT_EQ(out[0], 64);
}

TEST_F(Races, AnyOfSeveralStoresMayBeMeantToBeTheLast) {
    const std::string loads = "b[0] = l + 1; if (b[0] == 99) b[i] = 1;";
    for (const std::string& body : {std::string("b[0] = l + 1;"), loads}) {
        for (const bool is_meant : {false, true}) {
            const std::string said =
                Kernels({body}).complaint(0, 0, 1, {{2, 1, 1}, {32, 1, 1}}, is_meant);
            EXPECT_EQ(said.find("a race") != said.npos, !is_meant || body == loads) << body << said;
        }
    }
}

}  // namespace
}  // namespace parallax::host::races_test

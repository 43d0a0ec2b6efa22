// Tests that each kind of change is applied where it is possible, and nowhere else.
#include "studies/mutation/mutate.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace parallax::mutate_test {
namespace {

constexpr std::string_view text = R"(#define WIDTH 8
float half_of(float v) { return 0.5f * v; }
__kernel void blur(__global const float4* in, __global float* out, const ulong n) {
    __local float tile[WIDTH + 2];
    const size_t i = get_global_id(0);
    float sum = 0.0f;
    for (uint k = 0; k < 3 && i + k < n; ++k) {
        sum += fmin(in[i + k].x, 1.0f) * (float)((k & 1) + n % 7);
    }
    tile[0] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) out[i] = half_of(tile[0]);
}
)";

constexpr std::string_view native = R"(__device__ float late(const float* from) {
    float v;
    asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(v) : "l"(from));
    return v;
}
extern "C" __global__ void __launch_bounds__(256, 2) turn(const float* in, float* out) {
    __shared__ float tile[256];
    tile[threadIdx.x] = late(in + blockIdx.x * blockDim.x + threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
)";

std::vector<Mutant> of(std::string_view change, std::string_view source = text) {
    std::vector<Mutant> some;
    std::ranges::copy_if(mutants_of("blur.cl", source), std::back_inserter(some),
                         [&](const Mutant& one) { return one.change == change; });
    return some;
}

TEST(Mutants, EveryKindHasAPlaceAndChangesOne) {
    std::set<std::string> without;
    for (const KindOfChange& kind : kinds_of_changes()) without.insert(kind.name);
    EXPECT_GE(without.size(), 15u);
    for (const Mutant& one : mutants_of("blur.cl", text)) {
        without.erase(one.change);
        EXPECT_NE(one.text, text) << one.change;
        EXPECT_NE(one.was, one.is);
        EXPECT_TRUE(one.function == "blur" || one.function == "half_of") << one.function;
        EXPECT_TRUE(one.text.starts_with("#define WIDTH 8\nfloat half_of(float v) {")) << one.text;
    }
    for (const Mutant& one : mutants_of("turn.cu", native)) {
        without.erase(one.change);
        EXPECT_TRUE(one.function == "turn" || one.function == "late") << one.function;
    }
    EXPECT_TRUE(without.empty()) << *without.begin();
}

TEST(Mutants, OfCudaAreThoseOfItsOwnWords) {
    EXPECT_TRUE(of("assembly removed").empty());
    const std::vector<Mutant> assembly = of("assembly removed", native);
    ASSERT_EQ(assembly.size(), 1u);
    EXPECT_EQ(assembly[0].text.find("asm"), std::string::npos);
    EXPECT_NE(assembly[0].text.find("float v;\n    ;\n    return v;"), std::string::npos);
    const std::vector<Mutant> barrier = of("barrier removed", native);
    ASSERT_EQ(barrier.size(), 1u);
    EXPECT_EQ(barrier[0].was, "__syncthreads()");
    EXPECT_EQ(of("barrier moved", native).size(), 1u);
    EXPECT_EQ(of("another work-item function", native).size(), 6u);
    EXPECT_EQ(of("local memory made private", native).size(), 1u);
}

TEST(Mutants, KeepTheirNamesUntilTheTextThatTheyAreAboutChanges) {
    constexpr std::string_view kernels = R"(int half_of(int v) { return v / 2; }
__kernel void first(__global int* out) { out[0] = half_of(4) + 1; }
__kernel void second(__global int* out) { out[1] = half_of(6) + 3; })";
    const auto name_with = [&](std::string_view find, std::string_view replace) {
        std::string source(kernels);
        source.replace(source.find(find), find.size(), replace);
        const std::vector<Mutant> all = mutants_of("toy.cl", source);
        return std::ranges::find(all, "first", &Mutant::function)->name;
    };
    const std::string name = name_with("int", "int");
    // Comments, layout and other kernels do not matter.
    EXPECT_EQ(name_with("__kernel", "// one\n\n__kernel"), name);
    EXPECT_EQ(name_with("half_of(6)", "half_of(7)"), name);
    // The function's own source, what it may call, and file-level code do.
    EXPECT_NE(name_with("half_of(4)", "half_of(5)"), name);
    EXPECT_NE(name_with("v / 2", "v / 3"), name);
    EXPECT_NE(name_with("int", "#define v 7\nint"), name);
}

TEST(Mutants, SayWhereTheyAreAndWhatTheyChange) {
    const std::vector<Mutant> removed = of("barrier removed");
    ASSERT_EQ(removed.size(), 1u);
    EXPECT_EQ(removed[0].line, 11u);
    EXPECT_EQ(removed[0].was, "barrier(CLK_LOCAL_MEM_FENCE)");
    EXPECT_EQ(removed[0].text.find("barrier"), std::string::npos);
    const std::vector<Mutant> moved = of("barrier moved");
    ASSERT_EQ(moved.size(), 1u);
    EXPECT_EQ(moved[0].is, "if (i < n) out[i] = half_of(tile[0]); barrier(CLK_LOCAL_MEM_FENCE);");
}

TEST(Mutants, TypesAndDeclarationsAreNoOperandsAndNoIndices) {
    ASSERT_EQ(of("product").size(), 2u);
    for (const Mutant& one : of("product")) EXPECT_NE(one.line, 3u) << one.text;
    for (const Mutant& one : of("index one more")) EXPECT_NE(one.line, 4u) << one.text;
    EXPECT_EQ(of("step of two").size(), 1u);
    EXPECT_EQ(of("step of two")[0].is, "k += 2");
}

std::vector<std::string> made(std::string_view change, std::string_view source) {
    std::vector<std::string> all;
    for (const Mutant& one : of(change, source)) all.push_back(one.is);
    return all;
}

TEST(Mutants, OfNumbersAreOthersInEveryForm) {
    constexpr std::string_view numbers =
        "void f(float* y) { *y = 1e-6f + 1e5 + .5f + 0x1p3f + 1e400 + 1.0e-9f + 2e5f + 1.f + 017 +"
        " 3u + 0x10 + 18446744073709551615u + 3.4e38f + 1e-60f + 0.0f; }";
    EXPECT_EQ(made("another number", numbers),
              (std::vector<std::string>{"1.01e-06f", "101000.0", "0.505f", "8.08f", "1.01e-09f",
                                        "202000.0f", "1.01f", "0.01f"}));
    EXPECT_EQ(made("integer one more", numbers), (std::vector<std::string>{"16", "4u"}));
    EXPECT_EQ(made("integer one less", numbers),
              (std::vector<std::string>{"14", "2u", "18446744073709551614u"}));
}

TEST(Mutants, ReachTheLastTokenOfASource) {
    constexpr std::string_view line = "__kernel void f(__global float* y) { y[0] = y[1] * 2.0f; }";
    EXPECT_EQ(made("another number", line), std::vector<std::string>{"2.02f"});
    EXPECT_EQ(made("statement removed", line), std::vector<std::string>{";"});
    EXPECT_EQ(made("product", "int f(int a) {return a*a;}"), std::vector<std::string>{"+"});
}

TEST(Mutants, AreDifferentSources) {
    constexpr std::string_view copy =
        "__kernel void f(__global float* x, __global float* y) {\n"
        "    y[get_global_id(0)] = x[get_global_id(0)]; y[1] = 0; }";
    for (const std::string_view source : {text, native, copy}) {
        std::set<std::string> sources{std::string(source)};
        for (const Mutant& one : mutants_of("blur.cl", source))
            EXPECT_TRUE(sources.insert(one.text).second) << one.name;
    }
    const std::vector<Mutant> dimension = of("integer one more", copy);
    ASSERT_EQ(dimension.size(), 4u);
    EXPECT_EQ(dimension[0].column, 21u);
    EXPECT_EQ(dimension[1].column, 43u);
}

TEST(Mutants, StoreNothingAndOneOperand) {
    EXPECT_EQ(made("zero stored", text), (std::vector<std::string>{"0", "0"}));
    EXPECT_EQ(made("operand stored", text), std::vector<std::string>{"tile[0]"});
    EXPECT_EQ(
        made("operand stored", "void f(float* y) { int a[2] = {1, 2}; y[a[0]] = 2 * y[1].x; }"),
        std::vector<std::string>{"y[1].x"});
}

TEST(Mutants, ExchangeTheLastTwoArguments) {
    const std::vector<Mutant> exchanged = of("arguments exchanged");
    ASSERT_EQ(exchanged.size(), 1u);
    EXPECT_EQ(exchanged[0].was, "in[i + k].x, 1.0f");
    EXPECT_EQ(exchanged[0].is, "1.0f, in[i + k].x");
}

TEST(Mutants, TakeAnArrayFromTheGroup) {
    const std::vector<Mutant> made = of("local memory made private");
    ASSERT_EQ(made.size(), 1u);
    EXPECT_NE(made[0].text.find("{\n     float tile[WIDTH + 2];"), std::string::npos)
        << made[0].text;
}

TEST(Mutants, HaveNamesOfOneLineThatDiffer) {
    std::set<std::string> names;
    for (const Mutant& one : mutants_of("blur.cl", text)) {
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
        EXPECT_EQ(one.name.find_first_of("\n\t"), std::string::npos);
    }
    const std::string name = of("step of two").at(0).name;
    EXPECT_TRUE(name.starts_with("blur.cl blur ")) << name;
    EXPECT_TRUE(
        name.ends_with(" step of two: '++k' -> 'k += 2' in: "
                       "for (uint k = 0; k < 3 && i + k < n; ++k) {"))
        << name;
}

}  // namespace
}  // namespace parallax::mutate_test

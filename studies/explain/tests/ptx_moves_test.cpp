// Parts of one compiler's PTX in the place of the other's: real pairs, and what must be refused.
#include "studies/explain/ptx_moves.hpp"

#include <array>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/error.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"
#include "studies/explain/exchange.hpp"
#include "studies/explain/front_end.hpp"
#include "studies/explain/planted_gaps.hpp"
#include "studies/explain/tests/sample.hpp"

namespace parallax::ptx_moves_test {
namespace {

using testing::HasSubstr;

template <class T>
std::vector<std::byte> bytes(T value) {
    const auto all = std::as_bytes(std::span(&value, 1));
    return {all.begin(), all.end()};
}

/// Pointers are p, numbers of 64 bits n.
PtxLaunch launch(std::string_view parameters, std::uint64_t n, Size items, Size groups) {
    PtxLaunch made{.parameters = {}, .buffers = {}, .items = items, .groups = groups};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        made.parameters.push_back(bytes(parameters[i] == 'p' ? std::uint64_t{i + 1} << 36 : n));
    }
    return made;
}

/// The PTX of two compilers, followed.
struct PtxPair {
    PtxPair(std::string first, std::string second, const std::string& kernel, PtxLaunch how)
        : texts{std::move(first), std::move(second)},
          text_a(texts.a),
          text_b(texts.b),
          a(text_a, kernel),
          b(text_b, kernel),
          made(std::move(how)) {
        follow(a, made);
        follow(b, made);
    }
    Both<std::string> texts;
    PtxText text_a, text_b;
    FollowedPtx a, b;
    PtxLaunch made;
};

PtxPair tree() {
    return {ptx_for_cuda(sample("opencl-tree_sequential.ptx")), sample("nvrtc-tree_sequential.ptx"),
            "tree_sequential", launch("pppnn", 2048, {512, 1, 1}, {64, 1, 1})};
}

PtxPair transposed(const std::string& kernel) {
    return {ptx_for_cuda(sample("opencl-transpose.ptx")), sample("nvrtc-transpose.ptx"), kernel,
            launch("ppnn", 2048, {32, 8, 1}, {64, 64, 1})};
}

PtxPair real_pair(const std::string& kernel) {
    if (kernel == "tree_sequential") return tree();
    return transposed(kernel);
}
constexpr std::array<const char*, 3> real_kernels{"tree_sequential", "naive", "tiled"};

/// Instructions of the kind that items of the whole kernel execute, one of them.
double executed(const FollowedPtx& x, PtxKind kind) {
    double sum = 0;
    for (std::size_t b = 0; b < x.program.blocks.size(); ++b) {
        for (std::size_t i = x.program.blocks[b].first; i < x.program.blocks[b].last; ++i) {
            if (x.program.kinds[i] == kind) sum += x.visits(b);
        }
    }
    return sum / static_cast<double>(x.walks.size());
}

/// Every register is declared, every label stands once, and none is missing: the last two the
/// program's constructor looks at.
void expect_well_formed(const std::string& text, const std::string& kernel) {
    const PtxText parsed(text);
    const PtxProgram program(parsed, kernel);
    std::set<std::string_view> labels;
    for (const PtxStatement& s : program.function().body) {
        if (s.kind == PtxStatement::Kind::label) {
            EXPECT_TRUE(labels.insert(s.name).second) << s.name;
        }
    }
    for (const PtxInstruction& one : program.code) {
        for (const auto* operands : {&one.targets, &one.sources}) {
            for (const PtxOperand& operand : *operands) {
                const bool special = operand.word.find("id") != operand.word.npos;
                EXPECT_TRUE(special || !operand.word.starts_with('%')) << operand.word;
            }
        }
    }
}

TEST(PtxWalk, ItemsOfBothTextsDoTheSame) {
    for (const char* kernel : real_kernels) {
        const PtxPair pair = real_pair(kernel);
        for (std::size_t w = 0; w < 3; ++w) {
            EXPECT_TRUE(pair.a.walks[w].ended);
            EXPECT_EQ(pair.a.walks[w].written, pair.b.walks[w].written);
            EXPECT_NE(pair.a.walks[w].written, 0u);
            EXPECT_EQ(pair.a.walks[w].loaded, pair.b.walks[w].loaded);
        }
    }
}

TEST(PtxWalk, LoopsRunAsOftenAsTheLaunchSays) {
    const PtxPair pair = tree();
    // 2048 columns by 512 items, of rows 64 apart.
    EXPECT_EQ(pair.a.walks[1].visits, pair.b.walks[1].visits);
    EXPECT_EQ(std::ranges::max(pair.a.walks[1].visits), 32 * 4);
}

TEST(PtxWalk, KnownInputsAreRead) {
    const std::string text =
        ".visible .entry f(.param .u64 f_param_0, .param .u64 f_param_1)\n{\n"
        ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;\n"
        "ld.param.u64 %rd1, [f_param_0];\nld.global.u32 %r1, [%rd1+4];\nmov.u32 %r2, 0;\n"
        "$L: add.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra $L;\nret;\n}\n";
    const PtxText parsed(text);
    const std::vector<std::uint32_t> input{7, 11};
    PtxLaunch made = launch("pn", 0, {1, 1, 1}, {1, 1, 1});
    made.buffers.push_back({std::uint64_t{1} << 36, std::as_bytes(std::span(input))});
    const PtxWalk walked = walk(PtxProgram(parsed, "f"), made, {}, {});
    EXPECT_EQ(walked.visits, (std::vector<double>{1, 11, 1}));
}

TEST(PtxText, RegistersOfBracesGetNamesOfTheirOwn) {
    const std::string text =
        ".visible .entry f(.param .u64 f_param_0)\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n"
        "ld.param.u64 %rd1, [f_param_0];\n{\n.reg .b32 %temp; // of double precision\n"
        "mov.b64 {%temp, %r1}, %rd1;\n}\n{\n.reg .b32 %temp;\nmov.b64 {%r2, %temp}, %rd1;\n}\n"
        "{ .reg .b32 t, %u;\nmov.b32 t, %r1;\nmov.b32 %u, t; }\nst.global.u32 [%rd1], %r2;\n"
        "ret;\n}\n";
    EXPECT_THROW(PtxProgram(PtxText(text), "f"), Unsupported);
    const PtxText renamed(with_own_registers(text));
    EXPECT_EQ(PtxProgram(renamed, "f").code.size(), 7u);
    for (const char* one :
         {".reg .b32 %own1_temp;", "mov.b64 {%own1_temp, %r1}, %rd1;", "{%r2, %own2_temp}",
          ".reg .b32 %own3_t, %own4_u;", "mov.b32 %own4_u, %own3_t;", ".reg .b32 %r<3>;"}) {
        EXPECT_THAT(renamed.text(), HasSubstr(one));
    }
}

TEST(PtxGroups, TheLoopWhoseAddressesOneCompilerHoistsIsFound) {
    const PtxPair pair = tree();
    const auto chosen = choose_groups(groups_of(pair.a, pair.b), 4);
    ASSERT_FALSE(chosen.empty());
    const PtxGroup& group = chosen.front().front();
    EXPECT_TRUE(group.is_loop);
    EXPECT_THAT(words_for(group, "OpenCL", "CUDA"),
                HasSubstr("a work-item executes in OpenCL and CUDA: address arithmetic 384 and 800"));
    for (std::size_t i = 1; i < chosen.size(); ++i) {
        for (std::size_t b = 0; b < group.a.inside.size(); ++b) {
            EXPECT_FALSE(group.a.inside[b] && chosen[i].front().a.inside[b]) << "they are disjoint";
        }
    }
}

TEST(PtxGroups, EqualTextsHaveNone) {
    const std::string text = sample("nvrtc-tree_sequential.ptx");
    const PtxPair pair(text, text, "tree_sequential",
                       launch("pppnn", 2048, {512, 1, 1}, {64, 1, 1}));
    EXPECT_TRUE(groups_of(pair.a, pair.b).empty());
}

TEST(PtxMoves, AMovedLoopDoesWhatItDidWithTheOthersInstructions) {
    const PtxPair pair = tree();
    const PtxGroup group = choose_groups(groups_of(pair.a, pair.b), 4).front().front();
    for (const bool back : {false, true}) {
        const FollowedPtx& into = back ? pair.a : pair.b;
        const FollowedPtx& from = back ? pair.b : pair.a;
        const std::string text = back ? moved_ptx(into, group.a, from, group.b, pair.made)
                                      : moved_ptx(into, group.b, from, group.a, pair.made);
        expect_well_formed(text, "tree_sequential");
        const PtxText parsed(text);
        FollowedPtx moved(parsed, "tree_sequential");
        follow(moved, pair.made);
        EXPECT_EQ(moved.walks[1].written, into.walks[1].written);
        EXPECT_NEAR(executed(moved, PtxKind::address), executed(from, PtxKind::address), 40);
        EXPECT_GT(std::fabs(executed(into, PtxKind::address) - executed(from, PtxKind::address)),
                  300);
    }
}

TEST(PtxMoves, EveryMoveOfRealPairsIsWellFormed) {
    std::size_t moved = 0;
    for (const char* kernel : real_kernels) {
        const PtxPair pair = real_pair(kernel);
        std::size_t looked_at = 0;
        for (const PtxGroup& group : groups_of(pair.a, pair.b)) {
            if (++looked_at > 12) break;
            try {
                expect_well_formed(moved_ptx(pair.b, group.b, pair.a, group.a, pair.made), kernel);
                ++moved;
            } catch (const Unsupported&) {
                // Some cannot be moved.
            }
        }
    }
    EXPECT_GE(moved, 12u);
}

const std::string head =
    ".visible .entry f(.param .u64 f_param_0)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<3>;\n"
    "ld.param.u64 %rd1, [f_param_0];\nmov.u32 %r1, %tid.x;\n";
const std::string middle = "setp.gt.u32 %p1, %r1, 4000;\n@%p1 bra $L1;\n";

std::string storing(const std::string& what) {
    return head + middle + what + "$L1: ret;\n}\n";
}

PtxGroup whole_group(const PtxPair& pair) {
    const auto groups = groups_of(pair.a, pair.b);
    EXPECT_FALSE(groups.empty());
    return groups.empty() ? PtxGroup{} : groups.front();
}

TEST(PtxMoves, WhatStoresElsewhereIsRefused) {
    const PtxPair pair(
        storing("add.s32 %r2, %r1, 1;\nst.global.u32 [%rd1], %r2;\n"),
        storing("mul.lo.s32 %r2, %r1, 2;\nxor.b32 %r3, %r2, 1;\nst.global.u32 [%rd1+4], %r3;\n"),
        "f", launch("p", 0, {64, 1, 1}, {64, 1, 1}));
    const PtxGroup group = whole_group(pair);
    EXPECT_THROW(moved_ptx(pair.a, group.a, pair.b, group.b, pair.made), Unsupported);
}

TEST(PtxMoves, WhatOnlyOneSideHoldsIsNamed) {
    const std::string loads = "ld.global.u32 %r4, [%rd1];\n";
    const PtxPair pair(head + loads + middle +
                           "add.s32 %r2, %r4, 1;\nst.global.u32 [%rd1+8], %r2;\n$L1: ret;\n}\n",
                       head + middle + loads +
                           "sub.s32 %r2, %r4, 1;\nst.global.u32 [%rd1+8], %r2;\n$L1: ret;\n}\n",
                       "f", launch("p", 0, {64, 1, 1}, {64, 1, 1}));
    PtxRegion place{1, 2, {false, true, false}};
    try {
        moved_ptx(pair.b, place, pair.a, place, pair.made);
        ADD_FAILURE() << "the other text has loaded nothing there yet";
    } catch (const Unsupported& error) {
        EXPECT_THAT(error.what(), HasSubstr("%r4"));
    }
}

TEST(PtxMoves, TextsThatCannotBeFollowedAreRefused) {
    for (const char* body : {"call.uni f, ();\n", "$L0: brx.idx %r1, $L0;\n",
                             "{\n.reg .b32 %r<8>;\n}\n", "bra $nowhere;\n"}) {
        const std::string text = head + body + "ret;\n}\n";
        const PtxText parsed(text);
        EXPECT_THROW(PtxProgram(parsed, "f"), Unsupported) << body;
    }
    const std::string text = head + "ret;\n}\n";
    const PtxText parsed(text);
    EXPECT_THROW(PtxProgram(parsed, "g"), Unsupported);
}

// Of those that are planted for it, as NVRTC compiles them: a move takes back what was planted.
TEST(PtxMoves, PlantedGapsOfFrontEndsAreUndone) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    std::size_t looked_at = 0;
    for (const PlantedGap& gap : planted_gaps()) {
        if (gap.knobs != std::vector<std::string>{"front end"}) continue;
        SCOPED_TRACE(gap.name);
        ++looked_at;
        const Case c = case_of(gap);
        Configuration base;
        base.program = program_of(c);
        Configuration planted = base;
        gap.plant(planted);
        const Plan plan = plan_of(c);
        const std::string kernel = launches_of(plan).front()->kernel;
        std::vector<HostArray> inputs;
        for (const BufferSpec& buffer : plan.buffers) {
            if (!is_loaded(buffer.role)) continue;
            HostArray& input = inputs.emplace_back(buffer.type, buffer.elements);
            float next = 1;
            for (std::size_t at = 0; at + sizeof next <= input.bytes().size(); at += sizeof next) {
                next = next > 2 ? next - 0.99f : next + 0.123f;
                std::memcpy(input.bytes().data() + at, &next, sizeof next);
            }
        }
        const PtxPair pair(cuda::compile_for(base.program, 90).ptx,
                           cuda::compile_for(planted.program, 90).ptx, kernel,
                           followed_launch(plan, kernel, inputs));
        const auto chosen = choose_groups(groups_of(pair.a, pair.b), 1);
        ASSERT_FALSE(chosen.empty());
        const PtxGroup& group = chosen.front().front();
        EXPECT_TRUE(group.is_loop);
        const std::string text = moved_ptx(pair.b, group.b, pair.a, group.a, pair.made);
        expect_well_formed(text, kernel);
        const PtxText parsed(text);
        FollowedPtx moved(parsed, kernel);
        follow(moved, pair.made);
        for (const PtxKind kind : {PtxKind::address, PtxKind::test, PtxKind::choice,
                                   PtxKind::access, PtxKind::conversion, PtxKind::other}) {
            EXPECT_NEAR(executed(moved, kind), executed(pair.a, kind), 20);
        }
    }
    EXPECT_EQ(looked_at, 4u);
}

std::string compiled(const std::string& source, bool contract) {
    Program program{.name = "text.cl", .source = source};
    program.floats.contract = contract;
    return cuda::compile_for(program, 90).ptx;
}

TEST(PtxMoves, NvrtcsOwnContractionIsAGroup) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    const std::string source =
        "__kernel void f(__global const float* x, __global float* y, ulong n) {\n"
        "    float sum = 0.0f;\n"
        "    for (ulong i = 0; i < n; ++i) sum = sum * 0.5f + x[i];\n"
        "    y[get_global_id(0)] = sum;\n}\n";
    const PtxPair pair(compiled(source, true), compiled(source, false), "f",
                       launch("ppn", 1000, {64, 1, 1}, {64, 1, 1}));
    const PtxGroup group = choose_groups(groups_of(pair.a, pair.b), 1).at(0).front();
    EXPECT_TRUE(group.is_loop);
    EXPECT_THAT(words_for(group, "A", "B"),
                AllOf(HasSubstr("fused multiply-adds"), HasSubstr("products and sums")));
    const std::string text = moved_ptx(pair.b, group.b, pair.a, group.a, pair.made);
    expect_well_formed(text, "f");
    const PtxText parsed(text);
    FollowedPtx moved(parsed, "f");
    follow(moved, pair.made);
    EXPECT_EQ(executed(moved, PtxKind::fused), executed(pair.a, PtxKind::fused));
    EXPECT_EQ(executed(moved, PtxKind::unfused), 0);
}

// A struct by value and two local arrays: what NVRTC makes, as OpenCL's driver takes it, and from
// there back.
TEST(PtxMoves, LocalParametersAndStructsGoThereAndBack) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    const std::string source =
        "typedef struct { float a; float b; int n; float4 v; } Rules;\n"
        "__kernel void f(__global const float* x, __global float* y, __local float* t,\n"
        "                const Rules r, __local float* u) {\n"
        "    const int i = get_local_id(0);\n    t[i] = x[get_global_id(0)] * r.a;\n"
        "    u[i] = t[i] + r.v.x;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    y[get_global_id(0)] = t[(i + 1) % r.n] + u[(i + 3) % r.n] + t[0] + r.b;\n}\n";
    const std::string own = compiled(source, true);
    const auto kernels = signatures("text.cl", source, ElementType::f32);
    const std::string there = ptx_for_opencl(own, kernels, {{"f", {64, 1, 1}}});
    EXPECT_THAT(there, HasSubstr(".param .u64 .ptr .global .align 4 f_param_1"));
    EXPECT_THAT(there, HasSubstr(".param .u64 .ptr .shared .align 128 f_local"));
    EXPECT_THAT(there, HasSubstr(".param .u64 .ptr .shared .align 128 f_param_3"));
    EXPECT_THAT(there, HasSubstr(".b8 f_param_2[32]")) << "the struct is as it was";
    EXPECT_THAT(there, testing::Not(HasSubstr(".extern .shared")));
    const std::string back = ptx_for_cuda(there, kernels);
    EXPECT_THAT(back, HasSubstr(".extern .shared .align 128 .b8 parallax_local[];"));
    EXPECT_THAT(back, HasSubstr(".param .u32 f_param_3"));
    EXPECT_THAT(back, testing::Not(HasSubstr(".ptr .shared")));
    PtxLaunch made = launch("ppn", 0, {64, 1, 1}, {64, 1, 1});
    made.parameters[2] = std::vector<std::byte>(32);
    made.parameters[2][8] = std::byte{61};  // n
    made.parameters.push_back(bytes(std::uint32_t{256}));
    const PtxPair pair(own, back, "f", made);
    for (std::size_t w = 0; w < 3; ++w) {
        EXPECT_TRUE(pair.b.walks[w].ended);
        EXPECT_EQ(pair.a.walks[w].written, pair.b.walks[w].written);
    }
}

TEST(PtxMoves, ALaunchHasItsParametersAsCudaTakesThem) {
    Plan plan;
    plan.buffers = {{.name = "x", .role = Role::input, .elements = 2},
                    {.name = "y", .role = Role::output, .elements = 2}};
    Launch one;
    one.kernel = "f";
    one.geometry = {{4, 1, 1}, {64, 1, 1}};
    one.arguments = {BufferIndex{0}, LocalBytes{100}, BufferIndex{1}, Scalar{std::int32_t{5}},
                     LocalBytes{64}};
    plan.steps.push_back({one});
    std::vector<HostArray> inputs;
    inputs.emplace_back(ElementType::f32, 2);
    const PtxLaunch made = followed_launch(plan, "f", inputs);
    ASSERT_EQ(made.parameters.size(), 4u) << "the first local one is none";
    EXPECT_EQ(made.parameters[1], bytes(made.buffers[1].address));
    EXPECT_EQ(made.parameters[2], bytes(std::int32_t{5}));
    EXPECT_EQ(made.parameters[3], bytes(std::uint32_t{128}));
    EXPECT_EQ(made.buffers[0].bytes.size(), 8u);
    EXPECT_THROW(followed_launch(plan, "g", inputs), Unsupported);
}

}  // namespace
}  // namespace parallax::ptx_moves_test

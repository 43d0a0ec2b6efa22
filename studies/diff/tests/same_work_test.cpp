// Cases of this program's suites: sides with different work, names of sides, and known causes.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/diff/diff.hpp"
#include "studies/diff/tests/kept.hpp"
#include "studies/explain/diff_explain.hpp"
#include "studies/explain/tests/explanations.hpp"

namespace parallax::same_work_test {
namespace {

using namespace test;
using testing::HasSubstr;

constexpr std::uint64_t words = 1 << 24;

Kept mapped(const char* device, double seconds, const char* variant = "mapped") {
    return {.suite = "zero_copy",
            .variant = variant,
            .type = "int",
            .shape = {words},
            .constants = {{"GROUP", 256}, {"USES", 1}},
            .device = device,
            .bytes = 8.0 * words,
            .rounds = std::vector(3, seconds)};
}

/// At the device's copy bandwidth of 3 TB/s.
Kept copy(const char* device) {
    return {.device = device, .bytes = 3e9, .rounds = std::vector(3, 1e-3), .share = 1};
}

const CaseDiff& with_variant(const Diff& diff, const std::string& variant) {
    return *std::ranges::find_if(diff.cases,
                                 [&](const CaseDiff& c) { return c.key.variant == variant; });
}

constexpr double own = 64e-6, linked = 1.6e-3, half_linked = 1.3e-3;

TEST(MappedMemory, ThatIsTheDevicesOnOneSideIsNotComparable) {
    const Diff diff = diff_of({copy("opencl:0"), mapped("opencl:0", own)},
                              {copy("cuda:0"), mapped("cuda:0", linked)});
    const CaseDiff& c = with_variant(diff, "mapped");
    EXPECT_EQ(c.verdict, Verdict::not_comparable);
    EXPECT_FALSE(c.ratio);
    EXPECT_EQ(c.reason,
              "The sides do not do the same: memory of mapped buffers differs (OpenCL: the "
              "device's, at 2097 GB/s; CUDA: the host's, at 83.9 GB/s).");
    EXPECT_EQ(diff.summary.measured, 1u) << "the copy";
}

TEST(MappedMemory, ThatBothSidesHaveInOnePlaceIsCompared) {
    for (const auto& [a, b] : {std::pair{linked, half_linked}, {own, 0.7 * own}}) {
        const Diff diff = diff_of({copy("opencl:0"), mapped("opencl:0", a)},
                                  {copy("cuda:0"), mapped("cuda:0", b)});
        EXPECT_TRUE(with_variant(diff, "mapped").ratio) << a;
    }
    const Diff unknown = diff_of({mapped("opencl:0", own)}, {mapped("cuda:0", linked)});
    EXPECT_TRUE(unknown.cases.at(0).ratio) << "nothing says what the device's memory does";
    const Diff copied = diff_of({copy("opencl:0"), mapped("opencl:0", own, "copied")},
                                {copy("cuda:0"), mapped("cuda:0", linked, "copied")});
    EXPECT_TRUE(with_variant(copied, "copied").ratio) << "it has no mapped buffer";
}

TEST(MappedMemory, IsSeenByTheCeilingsWhereNoOtherSuiteIsShown) {
    std::vector<Json> lines;
    for (const auto& [device, side, seconds] :
         {std::tuple{"opencl:0", 'a', own}, std::tuple{"cuda:0", 'b', linked}}) {
        Kept ceiling = copy(device), one = mapped(device, seconds);
        ceiling.suite = "ceiling";
        ceiling.variant = "copy";
        one.side = side;
        lines.push_back(line(ceiling));
        lines.push_back(line(one));
    }
    const ResultSet set = set_of("live", lines);
    const Diff diff = build_diff(sides_within(set, {}), {});
    EXPECT_EQ(with_variant(diff, "mapped").verdict, Verdict::not_comparable);
}

TEST(MappedMemory, OfOneCaseIsThatOfAllOfThem) {
    const std::vector<Kept> a{copy("opencl:0"), mapped("opencl:0", half_linked, "mapped_in"),
                              mapped("opencl:0", own)},
        b{copy("cuda:0"), mapped("cuda:0", linked, "mapped_in"), mapped("cuda:0", linked)};
    const Diff one = diff_of({a[0], a[1]}, {b[0], b[1]}), both = diff_of(a, b);
    EXPECT_TRUE(with_variant(one, "mapped_in").ratio);
    EXPECT_EQ(with_variant(both, "mapped_in").verdict, Verdict::not_comparable);
}

TEST(MappedMemory, OfAnH100IsTheDevicesThroughOpenCL) {
    const ResultSet set = read_result_set(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/diff.jsonl");
    const Diff diff = build_diff(sides_within(set, {}), {});
    for (const CaseDiff& c : diff.cases) {
        EXPECT_EQ(c.verdict == Verdict::not_comparable, c.key.name() == "zero_copy/mapped")
            << c.title;
    }
    EXPECT_NEAR(diff.summary.kernels.median, 0.996, 1e-3);
}

TEST(SideNames, AreTheApisOfOneDeviceElseDevicesOrFiles) {
    const auto names = [](const Kept& a, const Kept& b) {
        const Both<std::string> found = side_names(diff_of({a}, {b}));
        return found.a + " " + found.b;
    };
    EXPECT_EQ(names({}, on_cuda()), "OpenCL CUDA");
    EXPECT_EQ(names(on_cuda(), {}), "CUDA OpenCL");
    EXPECT_EQ(names({}, {}), "old new") << "two files of one side";
    Kept elsewhere = on_cuda();
    elsewhere.uuid = "1f";
    EXPECT_EQ(names({}, elsewhere), "old new") << "two devices";
    Diff diff;
    const auto of = [&](const char* a, const char* b) {
        diff.a.name = a;
        diff.b.name = b;
        const Both<std::string> found = side_names(diff);
        return found.a + " " + found.b;
    };
    EXPECT_EQ(of("opencl:0", "host:0"), "opencl:0 host:0");
    EXPECT_EQ(of("runs/old.jsonl", "runs/new.jsonl"), "old.jsonl new.jsonl");
    EXPECT_EQ(of("old/r.jsonl", "new/r.jsonl"), "old/r.jsonl new/r.jsonl");
    EXPECT_EQ(of("r.jsonl", "r.jsonl"), "A B");
}

TEST(KnownCauses, AreOfTheSameCaseAndTheSameSlowerSide) {
    const Explanation known = fully_explained();
    ASSERT_FALSE(known.conclusion.cause.empty());
    Diff diff;
    for (const auto& [side, entry] :
         {std::pair{&diff.a, known.device.a}, std::pair{&diff.b, known.device.b}}) {
        *side = {.name = entry, .facts = {{"entry", entry}, {"uuid", "0f"}}};
    }
    CaseDiff c;
    c.key = known.key;
    c.verdict = known.verdict;
    const auto found = [&](auto change) {
        diff.cases = {c};
        change(diff.cases[0]);
        add_known_causes(diff, {known});
        return diff.cases[0].known_cause;
    };
    EXPECT_THAT(found([](CaseDiff&) {}), HasSubstr(known.conclusion.cause));
    EXPECT_THAT(found([](CaseDiff&) {}), HasSubstr("Found on " + known.device_name.a));
    EXPECT_THAT(found([](CaseDiff& one) {
                    one.key.shape = {7, 7};
                }),
                HasSubstr(known.conclusion.cause))
        << "of another size";
    EXPECT_EQ(found([](CaseDiff& one) { one.key.variant = "naive"; }), "");
    EXPECT_EQ(found([](CaseDiff& one) { one.verdict = Verdict::same; }), "");
    EXPECT_EQ(found([&](CaseDiff& one) { one.explanation = known; }), "");
    EXPECT_EQ(found([](CaseDiff& one) {
                  one.verdict = one.verdict == Verdict::slower ? Verdict::faster : Verdict::slower;
              }),
              "")
        << "the other side is the slower one";
    diff.b.facts[1].second = "1f";
    EXPECT_EQ(found([](CaseDiff&) {}), "") << "two devices";
}

}  // namespace
}  // namespace parallax::same_work_test

// Tests which cases get stored constants, and a live diff of sides with different ones.
#include "studies/tune/tuned_cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text/hash.hpp"
#include "studies/diff/live_diff_context.hpp"
#include "studies/diff/tests/live_fixture.hpp"

namespace parallax::tuned_cases_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string toy_text_of(std::string_view) {
    return fake::toy_text;
}

Tuned kept_for(const std::string& backend, std::int64_t group) {
    const DeviceInfo info = fake::fake_info(backend);
    Tuned entry;
    entry.key = {"toy", "plain", "float", {1000}, {{"GROUP", group}}};
    entry.device = info.name;
    entry.backend = backend;
    entry.source_hash = hash_of(std::string_view(fake::toy_text));
    entry.seconds = entry.low = entry.high = 1;
    return entry;
}

Case toy_case(std::uint64_t size, const Constants& defines = {}) {
    return make_case(suites()[0], suites()[0].variants[0], Shape{{size}}, ElementType::f32,
                     defines);
}

TEST(TunedCasesOf, TheClassOfTheSizeAndTheDeviceDecide) {
    TunedCases cases({kept_for("cuda", 64)}, toy_text_of);
    const DeviceInfo cuda = fake::fake_info("cuda"), opencl = fake::fake_info("opencl");
    EXPECT_EQ(cases.of(toy_case(600), cuda)["GROUP"], 64);
    EXPECT_EQ(cases.of(toy_case(1024), cuda)["GROUP"], 4) << "another class";
    EXPECT_EQ(cases.of(toy_case(600), opencl)["GROUP"], 4) << "another API";
    DeviceInfo other = cuda;
    other.name = "Another card";
    EXPECT_EQ(cases.of(toy_case(600), other)["GROUP"], 4) << "a foreign device";
    EXPECT_THAT(cases.said(), ElementsAre(HasSubstr("toy/plain float 600 on cuda:0: GROUP=64")));
    const Case tuned = cases.of(toy_case(600), cuda);
    EXPECT_EQ(tuned.default_constants, toy_case(600).constants);
    EXPECT_EQ(asked_key_of(tuned), key_of(toy_case(600)));
}

TEST(TunedCasesOf, WhatSomebodySaysGoesBefore) {
    TunedCases cases({kept_for("cuda", 64)}, toy_text_of);
    const Case c = cases.of(toy_case(1000, {{"GROUP", 8}}), fake::fake_info("cuda"));
    EXPECT_EQ(c["GROUP"], 8);
    EXPECT_THAT(c.default_constants, IsEmpty());
}

TEST(TunedCasesOf, IsNeverTrustedBlindly) {
    TunedCases refused({kept_for("cuda", 999'999)}, toy_text_of);
    EXPECT_EQ(refused.of(toy_case(1000), fake::fake_info("cuda"))["GROUP"], 4);
    EXPECT_THAT(refused.said(), ElementsAre(HasSubstr("out of range")));
    Tuned old = kept_for("cuda", 64);
    old.source_hash = std::string(32, '0');
    TunedCases changed({old}, toy_text_of);
    EXPECT_EQ(changed.of(toy_case(1000), fake::fake_info("cuda"))["GROUP"], 4);
    EXPECT_THAT(changed.said(), ElementsAre(HasSubstr("text has changed since")));
    Tuned strange = kept_for("cuda", 64);
    strange.key.constants = {{"NOBODY", 1}};
    TunedCases unknown({strange}, toy_text_of);
    EXPECT_EQ(unknown.of(toy_case(1000), fake::fake_info("cuda")), toy_case(1000));
}

class TunedDiffs : public test::LiveDiffs {
protected:
    TunedCases cases_{{kept_for("opencl", 8), kept_for("cuda", 64)}, toy_text_of};

    TunedDiffs() {
        request_.what.tuned = [this](const Case& c, const DeviceInfo& info) {
            return cases_.of(c, info);
        };
    }
    static const Difference* constants_of(const CaseDiff& c) {
        const auto found = std::ranges::find(c.kernel.differences, "constants", &Difference::what);
        return found == c.kernel.differences.end() ? nullptr : &*found;
    }
};

TEST_F(TunedDiffs, EachSideHasItsOwnAndItIsSaid) {
    run();
    EXPECT_EQ(side('a').key.value_of("GROUP"), 8);
    EXPECT_EQ(side('b').key.value_of("GROUP"), 64);
    EXPECT_EQ(side('b').default_constants, toy_case(1000).constants);
    EXPECT_EQ(count_pairs(false), 1u);
    const Diff found = diff();
    ASSERT_THAT(found.cases, SizeIs(1)) << "one case, whatever constants its sides have";
    const CaseDiff& c = found.cases.front();
    EXPECT_TRUE(found.each_at_its_best);
    EXPECT_EQ(c.key, key_of(toy_case(1000)));
    EXPECT_FALSE(c.kernel.same) << "two kernels are not called one";
    ASSERT_TRUE(constants_of(c));
    EXPECT_EQ(constants_of(c)->a, "GROUP=8");
    EXPECT_EQ(constants_of(c)->b, "GROUP=64");
    EXPECT_TRUE(c.ratio) << c.reason;
    EXPECT_EQ(c.a.tuned, side('a').key.constants);
}

TEST_F(TunedDiffs, EqualConstantsAreOneKernel) {
    TunedCases alike({kept_for("opencl", 16), kept_for("cuda", 16)}, toy_text_of);
    request_.what.tuned = [&](const Case& c, const DeviceInfo& info) { return alike.of(c, info); };
    run();
    const Diff found = diff();
    ASSERT_THAT(found.cases, SizeIs(1));
    EXPECT_TRUE(found.each_at_its_best);
    EXPECT_TRUE(found.cases.front().kernel.same);
    EXPECT_FALSE(constants_of(found.cases.front()));
}

TEST_F(TunedDiffs, OtherBuffersAreNoOneProblem) {
    Suite other = fake::toy_suite();
    other.name = "other";
    other.variants.resize(1);
    other.variants[0].plan = [plan = other.variants[0].plan](const Case& c) {
        Plan made = plan(c);
        made.buffers[1].elements += static_cast<std::uint64_t>(c["GROUP"]);
        return made;
    };
    const LiveListener nobody{.progress = {}, .keep = {}, .trouble = {}};
    LiveRequest request = request_;
    request.what.tuned = [&](const Case& c, const DeviceInfo& info) {
        return with_constants(c, {{"GROUP", info.backend == "cuda" ? 64 : 8}});
    };
    const RunInfo info{"one", "2026-01-01T00:00:00Z", 0, {"diff"}};
    const LiveDiffContext bench(request, config_, info, nobody);
    const Case c = make_case(other, other.variants[0], Shape{{1000}}, ElementType::f32);
    EXPECT_TRUE(bench.has_other_buffers(c));
    EXPECT_EQ(bench.on(true, c)["GROUP"], 4);
    EXPECT_FALSE(bench.has_other_buffers(toy_case(1000)));
    EXPECT_EQ(bench.on(true, toy_case(1000))["GROUP"], 64);
    EXPECT_EQ(bench.on(false, toy_case(1000))["GROUP"], 8);
}

TEST_F(TunedDiffs, WithoutItBothHaveTheSame) {
    request_.what.tuned = {};
    run();
    const Diff found = diff();
    EXPECT_FALSE(found.each_at_its_best);
    EXPECT_EQ(side('a').key.value_of("GROUP"), 4);
    EXPECT_THAT(side('a').default_constants, IsEmpty());
    EXPECT_TRUE(found.cases.front().kernel.same);
}

TEST_F(TunedDiffs, WhatWasMadeBeforeIsTakenOver) {
    run();
    const std::size_t records = kept_.records.size();
    std::vector<ResultEntry> lines(kept_.records.begin(), kept_.records.end());
    lines.insert(lines.end(), kept_.pairs.begin(), kept_.pairs.end());
    config_.earlier = ResumeState(std::move(lines));
    kept_ = {};
    kept_.name = "live";
    script_a_->runs = script_b_->runs = 0;
    run();
    EXPECT_EQ(kept_.records.size(), records);
    EXPECT_EQ(count_pairs(false), 1u);
    EXPECT_EQ(script_a_->runs + script_b_->runs, 0u);
}

}  // namespace
}  // namespace parallax::tuned_cases_test

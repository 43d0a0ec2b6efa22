// Tests which programs and buffers a comparison rebuilds, and which it reuses from the previous
// one.
#include "studies/explain/case_bench.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"
#include "measure/measurement_context.hpp"

namespace parallax::case_bench_test {
namespace {

class Bench : public testing::Test {
protected:
    std::shared_ptr<fake::Script> script_ = fake::toy_script();
    fake::FakeBackend backend_{script_};
    Entry entry_{&backend_, backend_.inventory.devices.at(0), 0};
    RunConfig config_;
    std::optional<parallax::MeasurementContext> context_;
    std::optional<CaseBench> bench_;
    Configuration configuration_;
    Both<Built> built_;
    std::atomic<unsigned> allocations_ = 0;  // both sides allocate at the same time

    Bench() {
        config_.kernel_source = [](std::string_view) { return std::string(fake::toy_text); };
        context_.emplace(config_, std::vector{entry_, entry_});
        bench_.emplace(*context_, entry_, entry_);
        const Suite& toy = fake::toy_suite();
        const Case c = make_case(toy, toy.variants[0], {{100}}, ElementType::f32);
        bench_->set_cases({c, c});
        configuration_.program = program_of(c, context_->config);
        for (const bool is_b : {false, true}) {
            built_.of(is_b) = bench_->build(is_b, configuration_);
            bench_->check(is_b, built_.of(is_b));
        }
        script_->before = [this](std::string_view call) { allocations_ += call == "allocate"; };
    }
    /// Allocations of one comparison.
    unsigned compare(bool looks_further = true) {
        allocations_ = 0;
        PairRule rule;
        rule.edges = {0.98, 1.02};
        bench_->time_paired(built_.a, configuration_, built_.b, configuration_, rule,
                            looks_further);
        return allocations_;
    }
};

TEST(SameCode, LooksAtAllOfALaunch) {
    const auto launched = [](std::uint64_t groups, std::optional<std::uint32_t> carveout) {
        Outcome o;
        o.plan.steps.emplace_back(Launch{.kernel = "k",
                                         .geometry = {{groups}, {32}},
                                         .arguments = {},
                                         .local_carveout = carveout});
        return o;
    };
    EXPECT_TRUE(same_code(launched(4, 50), launched(4, 50), true));
    EXPECT_FALSE(same_code(launched(4, 50), launched(4, {}), true)) << "a hint of the launch";
    EXPECT_FALSE(same_code(launched(4, 50), launched(8, 50), true));
}

TEST_F(Bench, InputsAreUploadedOnce) {
    ASSERT_TRUE(built_.a.ok() && built_.b.ok());
    const unsigned first = compare();
    EXPECT_EQ(compare() + 2, first) << "one input on each side";
    EXPECT_EQ(compare() + 2, first);
}

TEST_F(Bench, AFirstLookLooksForNoSkippedWork) {
    const auto runs_of = [&](bool looks_further) {
        const unsigned before = script_->runs;
        compare(looks_further);
        return script_->runs - before;
    };
    EXPECT_LT(runs_of(false), runs_of(true));
}

TEST_F(Bench, InputsAreUploadedAnewAfterAFailure) {
    const unsigned first = compare();
    const auto count = script_->before;
    script_->before = fake::fail_nth("run", 5);
    compare();
    EXPECT_FALSE(built_.a.ok() && built_.b.ok());
    script_->before = count;
    for (Built* one : {&built_.a, &built_.b}) one->outcome.status = Status::ok;
    EXPECT_EQ(compare(), first);
}

TEST_F(Bench, InputsAreUploadedAnewAfterAWrongAnswer) {
    const unsigned first = compare();
    ASSERT_EQ(compare() + 2, first);
    const auto right = script_->kernels["twice"];
    script_->kernels["twice"] = [](const fake::HostLaunch&) {};
    Configuration changed = configuration_;
    changed.program.options.emplace_back("--wrong");
    Built wrong = bench_->build(true, changed);
    script_->kernels["twice"] = right;
    for (const auto how : {CaseBench::Check::first_look, CaseBench::Check::whole}) {
        bench_->check(true, wrong, how);
        EXPECT_EQ(wrong.outcome.status, Status::wrong);
        EXPECT_EQ(compare() + 1, first) << "it may have written to this side's";
    }
}

}  // namespace
}  // namespace parallax::case_bench_test

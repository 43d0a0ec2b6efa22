// Tests builds that are requested, taken, and dropped.
#include "measure/program_cache.hpp"

#include <latch>
#include <thread>

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"
#include "measure/verification.hpp"

namespace parallax::program_cache_test {
namespace {

using namespace fake;

class Workshops : public testing::Test {
protected:
    std::shared_ptr<Script> script_ = toy_script();
    FakeBackend backend_{script_};
    std::unique_ptr<Device> device_;
    Suite suite_ = toy_suite();
    std::unique_ptr<ProgramCache> programs_;
    std::unique_ptr<ThreadPool> pool_;  // ends before the program cache
    Plan plan_ = plan_of(make_case(suite_, suite_.variants[0], {{100}}, ElementType::f32));

    void open() { device_ = backend_.open(backend_.inventory.devices.at(0)); }
    ProgramCache& with_crew(unsigned workers) {
        pool_ = std::make_unique<ThreadPool>(workers);
        programs_ = std::make_unique<ProgramCache>(pool_.get());
        return *programs_;
    }
    static Program program(std::int64_t group = 1) {
        return {.name = "toy.cl", .source = toy_text, .constants = {{"GROUP", group}}};
    }
};

TEST_F(Workshops, WhatIsAskedForIsBuiltOnce) {
    open();
    ProgramCache& programs = with_crew(3);
    for (int i = 0; i < 5; ++i) programs.ask(*device_, program(), plan_);
    const Codes first = programs.take(*device_, program(), plan_);
    EXPECT_EQ(programs.take(*device_, program(), plan_), first);
    EXPECT_EQ(script_->compiles, 1u);
    EXPECT_NE(programs.take(*device_, program(2), plan_), first) << "another program";
    EXPECT_EQ(script_->compiles, 2u);
}

TEST_F(Workshops, WithoutACrewWhoTakesBuilds) {
    open();
    ProgramCache programs;
    programs.ask(*device_, program(), plan_);
    EXPECT_EQ(script_->compiles, 0u);
    EXPECT_EQ(programs.take(*device_, program(), plan_).size(), 1u);
    EXPECT_EQ(script_->compiles, 1u);
}

TEST_F(Workshops, NothingIsBuiltAheadOnceTheTimeIsOver) {
    open();
    std::atomic<int> asked = 0;
    pool_ = std::make_unique<ThreadPool>(1);
    programs_ = std::make_unique<ProgramCache>(pool_.get(), [&] { return asked++ == 0; });
    std::latch all_asked(1);
    script_->before = [&](std::string_view call) {
        if (call == "compile") all_asked.wait();
    };
    for (const int group : {1, 2, 3}) programs_->ask(*device_, program(group), plan_);
    all_asked.count_down();
    EXPECT_EQ(programs_->take(*device_, program(1), plan_).size(), 1u);
    while (asked < 2) std::this_thread::yield();
    const ThreadPool::Pause idle(pool_.get());
    EXPECT_EQ(script_->compiles, 1u);
    EXPECT_EQ(programs_->take(*device_, program(3), plan_).size(), 1u) << "who needs it builds it";
}

TEST_F(Workshops, AFailureIsToldToWhoTakesIt) {
    open();
    ProgramCache& programs = with_crew(1);
    Program bad = program();
    bad.source = "{";
    programs.ask(*device_, bad, plan_);
    EXPECT_THROW(programs.take(*device_, bad, plan_), BuildFailed);
    EXPECT_EQ(programs.take(*device_, program(), plan_).size(), 1u);
}

TEST_F(Workshops, ACompilerThatServesOneIsAskedByOne) {
    script_->builds_at_once = 1;
    open();
    std::atomic<int> inside = 0, most = 0;
    std::atomic<bool> overlap = false;
    script_->before = [&](std::string_view call) {
        if (call != "compile") return;
        overlap = overlap || ++inside > 1;
        std::this_thread::yield();
        --inside;
    };
    ProgramCache& programs = with_crew(4);
    for (std::int64_t i = 1; i <= 20; ++i) programs.ask(*device_, program(i), plan_);
    // The last build is made in order: it is not taken before all have been made.
    while (script_->compiles < 20) std::this_thread::yield();
    EXPECT_FALSE(overlap);
}

TEST_F(Workshops, SoManyAreAskedAsCanGoOnSideBySide) {
    script_->builds_at_once = 3;
    open();
    std::latch inside(3);  // passed only if three builds run concurrently
    std::atomic<int> begun = 0, now = 0, most = 0;
    script_->before = [&](std::string_view call) {
        if (call != "compile") return;
        const int beside = ++now;
        for (int before = most; before < beside && !most.compare_exchange_weak(before, beside);) {
        }
        if (++begun <= 3) inside.arrive_and_wait();
        --now;
    };
    ProgramCache& programs = with_crew(6);
    for (std::int64_t i = 1; i <= 9; ++i) programs.ask(*device_, program(i), plan_);
    inside.wait();
    while (script_->compiles < 9) std::this_thread::yield();
    EXPECT_EQ(most, 3);
    for (std::int64_t i = 1; i <= 9; ++i) programs.take(*device_, program(i), plan_);
    EXPECT_EQ(script_->compiles, 9u);
}

TEST_F(Workshops, WhatWasGotReadyIsGivenBackWhenNothingWaits) {
    open();
    ProgramCache& programs = with_crew(2);
    for (std::int64_t i = 1; i <= 9; ++i) programs.ask(*device_, program(i), plan_);
    EXPECT_GT(script_->expected_builds, 0u);
    for (std::int64_t i = 1; i <= 9; ++i) programs.take(*device_, program(i), plan_);
    while (script_->expected_builds > 0) std::this_thread::yield();
    programs.ask(*device_, program(10), plan_);
    EXPECT_EQ(programs.take(*device_, program(10), plan_).size(), 1u) << "and again";
}

TEST_F(Workshops, WhatIsForgottenIsBuiltAgain) {
    open();
    ProgramCache& programs = with_crew(2);
    programs.ask(*device_, program(), plan_);
    programs.take(*device_, program(), plan_);
    programs.forget(*device_);
    programs.take(*device_, program(), plan_);
    EXPECT_EQ(script_->compiles, 2u);
}

}  // namespace
}  // namespace parallax::program_cache_test

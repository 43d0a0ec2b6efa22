// Tests how results of trials on the device that checks races and bounds are used.
#include "measure/host_trials.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/tests/toy_suite.hpp"
#include "measure/measurement_context.hpp"
#include "measure/outcome.hpp"
#include "measure/progress.hpp"
#include "measure/run_case.hpp"

namespace parallax::host_trials_test {
namespace {

using namespace fake;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Returns the same result always, and records its calls.
class SaidTrials : public HostTrials {
public:
    explicit SaidTrials(std::optional<HostTrial> says) : says_(std::move(says)) {}
    void ask(const Case& c, bool is_timed) override {
        asked.push_back(c.variant->name + (is_timed ? " timed" : ""));
    }
    std::optional<HostTrial> result(const Case&) override { return says_; }
    void pause(bool is_paused) override { pauses.push_back(is_paused); }

    std::vector<std::string> asked;
    std::vector<bool> pauses;

private:
    std::optional<HostTrial> says_;
};

class Trials : public testing::Test {
protected:
    Suite suite_ = toy_suite();
    DeviceInfo info_;
    RunConfig config_;

    Trials() {
        suite_.manifest = "mine.json";
        info_.backend = "opencl";
    }
    Case toy() const { return make_case(suite_, suite_.variants[0], {{10}}, ElementType::f32); }
    /// A right answer after its trial said something.
    Outcome noted(std::optional<HostTrial> says) {
        config_.host_trials = std::make_shared<SaidTrials>(std::move(says));
        Outcome o;
        o.the_case = toy();
        o.plan = plan_of(o.the_case);
        o.status = Status::ok;
        o.checked.emplace();
        o.checked->shapes = {{{10}}};
        note_host_trial(config_, o);
        return o;
    }
    std::string unchecked(std::optional<HostTrial> says) {
        const std::vector<std::string> all = unchecked_of(noted(std::move(says)), info_, {});
        return all.empty() ? "" : all.back();
    }
};

TEST_F(Trials, AnErrorIsADoubt) {
    const Outcome o = noted(HostTrial{.size = "33", .found = "A race.", .why_not = {}});
    ASSERT_EQ(o.doubts.size(), 1u);
    EXPECT_EQ(o.doubts[0].kind, DoubtKind::wrong_on_host);
    EXPECT_THAT(o.doubts[0].sentence,
                HasSubstr("at size 33 host:1, which checks races and bounds, says: A race."));
    EXPECT_TRUE(is_doubtful(o.status, o.doubts));
}

TEST_F(Trials, AnAnswerThatIsDoubtedIsNotCalledRight) {
    const auto sentence = [&](const std::string& found) {
        Outcome o = noted({});
        end_checked(o, "nothing is timed");
        config_.host_trials = std::make_shared<SaidTrials>(HostTrial{.size = "33", .found = found});
        note_host_trial(config_, o);
        return to_record(o, info_, {}).reason;
    };
    EXPECT_EQ(sentence(""), "Every answer was right, and nothing is timed.");
    EXPECT_EQ(sentence("A race."), "Every answer passed the checks, and nothing is timed.");
}

TEST_F(Trials, WhatWasNotTriedIsUnchecked) {
    EXPECT_TRUE(noted(HostTrial{.size = "33", .found = {}, .why_not = {}}).doubts.empty());
    EXPECT_THAT(unchecked(HostTrial{.size = "33", .found = {}, .why_not = {}}),
                HasSubstr("at sizes other than 33: host:1 tried that one."));
    EXPECT_TRUE(
        noted(HostTrial{.size = "33", .found = {}, .why_not = "it had not ended"}).doubts.empty());
    EXPECT_THAT(unchecked(HostTrial{.size = "33", .found = {}, .why_not = "it had not ended"}),
                HasSubstr("opencl:0 does not show them, and on host:1 it had not ended."));
    EXPECT_THAT(unchecked({}), HasSubstr("opencl:0 does not show them. 'parallax run"));
    Outcome o = noted({});
    o.checked->trials = 7;
    const auto of_launches =
        testing::Contains(HasSubstr("Launches after the first 7 of one build"));
    EXPECT_THAT(unchecked_of(o, info_, {}), of_launches);
    o.timing.emplace();
    EXPECT_THAT(unchecked_of(o, info_, {}), testing::Not(of_launches));
}

TEST_F(Trials, AreOfTheUsersKernelsWhereNoDeviceMakesTheSameChecks) {
    const auto asked = [&](const DeviceInfo& info, bool only_checks) {
        const auto trials = std::make_shared<SaidTrials>(std::nullopt);
        config_.host_trials = trials;
        config_.only_checks = only_checks;
        const Case c = toy();
        ask_host_trials(config_, std::array{c}, std::array{Entry{.info = info}});
        return trials->asked;
    };
    const std::string name = suite_.variants[0].name;
    EXPECT_THAT(asked(info_, true), ElementsAre(name));
    EXPECT_THAT(asked(info_, false), ElementsAre()) << "nothing would stop it";
    ThreadPool pool(1);
    config_.pool = &pool;
    EXPECT_THAT(asked(info_, false), ElementsAre(name + " timed"));
    DeviceInfo sanitized = info_;
    sanitized.features.insert("sanitizers");
    EXPECT_THAT(asked(sanitized, true), ElementsAre());
    suite_.manifest.clear();
    EXPECT_THAT(asked(info_, true), ElementsAre());
}

TEST_F(Trials, RestWithThePool) {
    const auto trials = std::make_shared<SaidTrials>(std::nullopt);
    config_.host_trials = trials;
    config_.workers = 1;
    MeasurementContext context(config_, {});
    { const ThreadPool::Pause of_devices(context.config.pool, ThreadPool::TaskKind::device); }
    EXPECT_THAT(trials->pauses, ElementsAre()) << "host jobs go on";
    {
        const ThreadPool::Pause outer(context.config.pool);
        EXPECT_THAT(trials->pauses, ElementsAre(true));
        { const ThreadPool::Pause inner(context.config.pool); }
        EXPECT_THAT(trials->pauses, ElementsAre(true));
    }
    EXPECT_THAT(trials->pauses, ElementsAre(true, false));
}

}  // namespace
}  // namespace parallax::host_trials_test

// Searches on the fake device, whose times, answers and faults are scripted.
#include "studies/tune/tune.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/scripted_clock.hpp"
#include "common/tests/toy_suite.hpp"
#include "records/result_lines.hpp"

namespace parallax::tune_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::int64_t group_of(const Program& program) {
    const auto found = std::ranges::find(program.constants, "GROUP", &Constant::name);
    return found == program.constants.end() ? 4 : found->value;
}

class TuneOnFake : public testing::Test {
protected:
    std::shared_ptr<fake::Script> script_ = fake::toy_script();
    std::vector<std::unique_ptr<Backend>> backends_;
    TuneRequest request_;
    RunConfig config_;
    Totals totals_;
    std::vector<Record> records_;
    std::vector<std::string> troubles_;

    TuneOnFake() {
        backends_.push_back(std::make_unique<fake::FakeBackend>(script_));
        request_.what.pick = {&suites()[0], &suites()[0].variants[0]};
        request_.what.over = {"GROUP=1..128"};
        request_.what.shape = Shape{{1000}};
        request_.budget_seconds = 100'000;
        config_.kernel_source = [](std::string_view) { return std::string(fake::toy_text); };
        config_.rule.most_seconds = 0.1;
        script_->seconds_of = [](const Program& program) {
            return group_of(program) == 32 ? 1e-3 : 2e-3;
        };
    }

    std::vector<TuneResult> run() {
        const RunInfo info{"one", "2026-01-01T00:00:00Z", 0, {"tune"}};
        return tune(request_, find_devices(backends_).entries, config_, info,
                    {.progress = {},
                     .record = [&](const Record& record) { records_.push_back(record); },
                     .trouble = [&](const std::string& text) { troubles_.push_back(text); }},
                    totals_);
    }
    TuneResult only() {
        std::vector<TuneResult> results = run();
        if (results.size() != 1) throw Error("There is no one result.");
        return results.front();
    }
    static std::string best_of(const TuneResult& result) {
        return result.best() ? result.found.points.label(result.found.points.points[*result.best()])
                             : "none";
    }
};

TEST_F(TuneOnFake, FindsTheBestAndSaysWhatItBrings) {
    const TuneResult result = only();
    EXPECT_EQ(best_of(result), "GROUP=32");
    EXPECT_TRUE(result.device().has_best());
    EXPECT_EQ(result.candidates, 8u);
    EXPECT_EQ(result.end, Search::End::all);
    ASSERT_TRUE(result.gain());
    EXPECT_NEAR(*result.gain(), 2, 0.01);
    EXPECT_THAT(result.sentences(), Contains(HasSubstr("best: GROUP=32 on fake:0")));
    EXPECT_THAT(result.sentences(), Contains(HasSubstr("GROUP=4, it is")));
    EXPECT_THAT(result.sentences(), Contains(HasSubstr("All 8 candidates were tried")));
    EXPECT_EQ(exit_code(totals_), 0);
    const auto kept = tuned_of(result, records_, {});
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->key.constants, (Constants{{"GROUP", 32}}));
    EXPECT_EQ(kept->key.shape, std::vector<std::uint64_t>{1000});
    EXPECT_NEAR(kept->seconds, 1e-3, 1e-5);
    EXPECT_NEAR(kept->own_seconds, 2e-3, 2e-5);
}

TEST_F(TuneOnFake, AWrongCandidateIsNamedAndNeverTheBest) {
    script_->kernels["twice"] = [](const fake::HostLaunch& launch) {
        fake::twice(launch);
        if (launch.constant("GROUP") == 32) launch.buffer<float>(1)[0] += 1;
    };
    const TuneResult result = only();
    EXPECT_NE(best_of(result), "GROUP=32");
    EXPECT_THAT(result.sentences(), Contains(HasSubstr("wrong: GROUP=32")));
    EXPECT_EQ(totals_.wrong, 1u);
    EXPECT_EQ(exit_code(totals_), 1);
}

TEST_F(TuneOnFake, ACandidateThatFailsIsNamedAndTheOthersGoOn) {
    script_->ptx_of = [](const Program& program) -> std::string {
        if (group_of(program) == 32) throw BuildFailed("It does not build.", "log", "text");
        return {};
    };
    const TuneResult result = only();
    EXPECT_THAT(result.sentences(), Contains(HasSubstr("failed: GROUP=32 It does not build.")));
    EXPECT_EQ(totals_.failed, 1u);
    EXPECT_EQ(totals_.ok, 7u + std::min<std::size_t>(7, 6)) << "with the finals of equals";
}

/// A kept record of the toy. @param half  of its interval, as a share
Record kept(std::int64_t group, double seconds, double half = 0.01) {
    const Suite& suite = suites()[0];
    Record record;
    record.key = key_of(
        make_case(suite, suite.variants[0], Shape{{1000}}, ElementType::f32, {{"GROUP", group}}));
    record.device = "fake:0";
    record.where.name = "Card";
    record.status = Status::ok;
    record.work = {.bytes = 1e9, .operations = 0};
    record.timing.emplace();
    record.timing->estimate = {
        .median = seconds, .low = (1 - half) * seconds, .high = (1 + half) * seconds};
    record.timing->samples = {record.timing->estimate.low, record.timing->estimate.high};
    return record;
}

TEST_F(TuneOnFake, WhatTiesWithItsOwnConstantsLeavesThem) {
    const auto found = [&](double seconds_of_32) {
        return tune_records(request_, {kept(4, 1e-3), kept(16, 2e-3), kept(32, seconds_of_32)},
                            config_.kernel_source);
    };
    const TuneResult tied = found(0.985e-3);
    EXPECT_EQ(tied.found.claims().front().substr(0, 17), "highest: GROUP=32");
    EXPECT_EQ(best_of(tied), "GROUP=4") << "nothing shows that 32 is faster";
    EXPECT_THAT(tied.sentences(), Contains(HasSubstr("nothing is faster than the variant's own")));
    EXPECT_EQ(best_of(found(0.97e-3)), "GROUP=32");
    EXPECT_THAT(tied.sentences(), Contains(HasSubstr("Of 8 candidates 3 have a record.")));
    const TuneResult noisy =
        tune_records(request_, {kept(4, 1e-3), kept(16, 0.97e-3), kept(32, 0.95e-3, 0.08)},
                     config_.kernel_source);
    EXPECT_EQ(noisy.found.claims().front().substr(0, 17), "highest: GROUP=32");
    EXPECT_EQ(best_of(noisy), "GROUP=16") << "faster than its own by both intervals";
    Record once = kept(32, 0.5e-3);
    once.timing->samples.resize(1);
    EXPECT_EQ(best_of(tune_records(request_, {kept(4, 1e-3), once}, config_.kernel_source)),
              "GROUP=4")
        << "one sample has no interval";
}

TEST_F(TuneOnFake, EqualsMeetOnceMoreInARunOfItsOwn) {
    script_->seconds_of = {};
    only();
    std::map<std::string, std::map<std::int64_t, int>> seen;
    for (const Record& record : records_) {
        if (record.key.suite == "toy") ++seen[record.run.id][*record.key.value_of("GROUP")];
    }
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen.at("one").size(), 8u);
    EXPECT_EQ(seen.at("one-finals").size(), 6u);
    for (const auto& [run, counts] : seen) {
        for (const auto& [group, count] : counts) EXPECT_EQ(count, 1) << run << " " << group;
    }
}

TEST_F(TuneOnFake, StaysWithinItsTrials) {
    request_.most_trials = 3;
    const TuneResult result = only();
    EXPECT_THAT(result.device().cells, SizeIs(3));
    EXPECT_EQ(result.end, Search::End::trials);
    EXPECT_THAT(result.sentences(), Contains(HasSubstr("3 of 8 candidates were tried")));
}

TEST_F(TuneOnFake, EndsWithItsBudget) {
    request_.what.over = {"GROUP=1..900+1"};
    request_.most_trials = 900;
    const ScriptedClock clock(0.001);
    request_.budget_seconds = 3;
    const TuneResult result = only();
    EXPECT_EQ(result.end, Search::End::budget);
    EXPECT_GT(result.device().cells.size(), 1u);
    EXPECT_LT(result.device().cells.size(), 900u);
    EXPECT_THAT(result.sentences(), Contains(HasSubstr("the budget was used up")));
}

TEST_F(TuneOnFake, ADeviceThatCannotBeOpenedIsTrouble) {
    script_->before = fake::fail_nth("open", 1);
    EXPECT_THAT(run(), IsEmpty());
    EXPECT_THAT(troubles_, SizeIs(1));
    EXPECT_EQ(totals_.lost_devices, 1u);
    EXPECT_NE(exit_code(totals_), 0);
}

TEST_F(TuneOnFake, WhatAnEarlierProcessHasMadeIsTakenOver) {
    const TuneResult before = only();
    std::vector<ResultEntry> lines(records_.begin(), records_.end());
    config_.earlier = ResumeState(std::move(lines));
    records_.clear();
    script_->runs = 0;
    const TuneResult after = only();
    EXPECT_EQ(script_->runs, 0u) << "nothing is measured again";
    EXPECT_EQ(best_of(after), best_of(before));
    EXPECT_EQ(after.device().cells.size(), before.device().cells.size());
}

TEST_F(TuneOnFake, AnOpenSizeSuitsTheDevice) {
    request_.what.shape = {};
    const TuneResult result = only();
    ASSERT_FALSE(records_.empty());
    for (const Record& record : records_) {
        EXPECT_EQ(record.key.shape, records_.front().key.shape) << "all at one";
    }
    EXPECT_EQ(best_of(result), "GROUP=32");
}

TEST_F(TuneOnFake, KeptRecordsAreSearchedTheSameWay) {
    request_.strategy = Strategy::all;
    only();
    request_.strategy = Strategy::basin;
    request_.most_trials = 5;
    request_.what.shape = {};
    const TuneResult found = tune_records(request_, records_, config_.kernel_source);
    EXPECT_THAT(found.device().cells, SizeIs(5));
    const TuneResult again = tune_records(request_, records_, config_.kernel_source);
    EXPECT_EQ(found.sentences(), again.sentences());
}

}  // namespace
}  // namespace parallax::tune_test

// Tests runs of many cases on many devices, and their totals.
#include "measure/session.hpp"

#include <set>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/tests/scripted_clock.hpp"
#include "common/tests/toy_suite.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text.hpp"
#include "measure/time_budget.hpp"

namespace parallax::session_test {
namespace {

using namespace fake;

class Sessions : public testing::Test {
protected:
    std::shared_ptr<Script> script_ = toy_script();
    std::vector<std::unique_ptr<Backend>> backends_;
    FakeBackend* backend_ = nullptr;
    std::vector<Record> records_;
    std::vector<std::string> troubles_;
    Request request_;
    unsigned workers_ = 0;
    ResumeState earlier_;
    DeviceLockRule locks_;

    Sessions() {
        auto backend = std::make_unique<FakeBackend>(script_);
        backend_ = backend.get();
        backends_.push_back(std::move(backend));
        request_.picks = {{&suites()[0], &suites()[0].variants[0]}};
        request_.budget_seconds = 5;
    }
    Totals run() {
        records_.clear();
        RunConfig config;
        config.kernel_source = [](std::string_view) { return std::string(toy_text); };
        config.rule.most_seconds = 0.1;
        config.workers = workers_;
        config.earlier = earlier_;
        config.locks = locks_;
        return run_session(request_, find_devices(backends_).entries, config, RunInfo{.id = "one"},
                           {.progress = {},
                            .record = [&](const Record& record) { records_.push_back(record); },
                            .trouble = [&](const std::string& t) { troubles_.push_back(t); }});
    }
};

TEST_F(Sessions, OneCase) {
    const Totals totals = run();
    EXPECT_EQ(totals.ok, 1u);
    EXPECT_EQ(exit_code(totals), 0);
    ASSERT_EQ(records_.size(), 1u);
    EXPECT_EQ(to_string(Shape{records_[0].key.shape}), "100000") << "the largest that suits";
}

TEST_F(Sessions, WithACrewTheSameCasesComeInTheSameOrder) {
    request_.full = true;
    request_.budget_seconds = 1e6;
    const Totals alone = run();
    std::vector<CaseKey> keys;
    for (const Record& record : records_) keys.push_back(record.key);
    workers_ = 3;
    script_->opened = 0;
    const Totals together = run();
    EXPECT_EQ(together.ok, alone.ok);
    EXPECT_EQ(together.ok, 8u) << "the open size is one of the others";
    EXPECT_EQ(script_->opened, 1u);
    ASSERT_EQ(records_.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(to_string(records_[i].key), to_string(keys[i])) << i;
    }
}

TEST_F(Sessions, WhatAnEarlierProcessMeasuredIsTakenOverInItsPlace) {
    request_.full = true;
    request_.budget_seconds = 1e6;
    const Totals whole = run();
    const std::vector<Record> before = records_;
    ASSERT_EQ(before.size(), 8u);
    for (const unsigned workers : {0u, 3u}) {
        workers_ = workers;
        for (const std::size_t kept : {0, 4, 8}) {
            std::vector<ResultEntry> lines;
            for (std::size_t i = 0; i < kept; ++i) lines.emplace_back(before.at(i));
            earlier_ = ResumeState(lines);
            script_->runs = 0;
            const Totals rest = run();
            EXPECT_EQ(rest.ok, whole.ok);
            ASSERT_EQ(records_.size(), before.size());
            for (std::size_t i = 0; i < kept; ++i) {
                EXPECT_EQ(records_[i].timing->samples, before[i].timing->samples) << i;
            }
            for (std::size_t i = 0; i < before.size(); ++i) {
                EXPECT_EQ(to_string(records_[i].key), to_string(before[i].key)) << i;
            }
            EXPECT_EQ(script_->runs > 0, kept < 8) << "all were there, and something ran";
        }
    }
}

TEST_F(Sessions, WhileAnotherRunTimesTheGpuThisOneBuilds) {
    backend_->inventory.devices.at(0).is_gpu = true;
    backend_->inventory.devices.at(0).uuid = Uuid{1};
    const TemporaryFolder folder("parallax-turns-");
    locks_.folder = folder.path();
    const std::string file =
        (folder.path() / ("parallax-" + to_string(Uuid{1}) + ".lock")).string();
    const int another = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    ASSERT_EQ(flock(another, LOCK_EX | LOCK_NB), 0);
    locks_.waits = false;
    locks_.check_interrupt = [] { throw std::runtime_error("it waits"); };
    EXPECT_THROW(run(), DeviceBusy);

    locks_.waits = true;
    workers_ = 2;
    script_->compiles = script_->runs = 0;
    unsigned interim_analyses = 0, runs = 0;
    locks_.check_interrupt = [&] {
        runs = script_->runs;
        if (script_->compiles > 0 || ++interim_analyses > 200) flock(another, LOCK_UN);
    };
    EXPECT_EQ(run().ok, 1u);
    EXPECT_LE(interim_analyses, 200u) << "nothing was built while it waited";
    EXPECT_GT(runs, 0u) << "it is checked meanwhile, too";
    ASSERT_FALSE(troubles_.empty());
    EXPECT_NE(troubles_[0].find("this run waits until that has ended"), std::string::npos);
    EXPECT_EQ(flock(another, LOCK_EX | LOCK_NB), 0) << "its turn ends with it";
    close(another);
}

TEST_F(Sessions, ForAGateOnlyNothingIsTimed) {
    request_.only_check = true;
    const Totals totals = run();
    EXPECT_EQ(totals.ok, 1u);
    ASSERT_EQ(records_.size(), 1u);
    EXPECT_EQ(records_[0].status, Status::checked);
    EXPECT_TRUE(records_[0].check);
    EXPECT_FALSE(records_[0].timing);
    script_->kernels["twice"] = [](const HostLaunch&) {};
    EXPECT_EQ(run().wrong, 1u);
}

TEST_F(Sessions, OfADeviceForChecksNothingIsTimed) {
    backend_->inventory.devices.at(0).only_checks = true;
    request_.shapes.clear();
    EXPECT_EQ(run().ok, 1u);
    ASSERT_EQ(records_.size(), 1u) << "and no ceilings";
    EXPECT_EQ(records_[0].status, Status::checked);
    EXPECT_NE(records_[0].reason.find("fake:0 checks answers on the processor and is never timed"),
              std::string::npos);
    EXPECT_FALSE(records_[0].timing);
    EXPECT_FALSE(records_[0].check->output_hash.empty());
    script_->kernels["twice"] = [](const HostLaunch&) {};
    EXPECT_EQ(run().wrong, 1u);
}

TEST_F(Sessions, FullMeansAllTypesChoicesAndShapes) {
    request_.full = true;
    // 3 types in 2 ways, and the first of them on 3 shapes.
    EXPECT_EQ(expand(request_).size(), 3u * 2 + 3);
}

TEST_F(Sessions, AllVariantsUnlessOneIsPicked) {
    request_.picks[0].variant = nullptr;
    const Totals totals = run();
    EXPECT_EQ(totals.ok, 1u);
    EXPECT_EQ(totals.unsupported, 2u);
    EXPECT_EQ(exit_code(totals), 0) << "unsupported is allowed";
}

TEST_F(Sessions, NothingButUnsupportedIsNothing) {
    request_.picks[0].variant = &suites()[0].variants[2];
    EXPECT_EQ(exit_code(run()), 5);
}

TEST_F(Sessions, WrongIsOne) {
    script_->kernels["twice"] = [](const HostLaunch&) {};
    const Totals totals = run();
    EXPECT_EQ(totals.wrong, 1u);
    EXPECT_EQ(exit_code(totals), 1);
}

TEST_F(Sessions, ADeviceThatFailsInTheMiddleIsOpenedAgain) {
    request_.types = {ElementType::f32, ElementType::i32};
    script_->before = fail_nth("run", 5);
    const Totals totals = run();
    EXPECT_EQ(totals.failed, 1u);
    EXPECT_EQ(totals.ok, 1u) << "the next case runs on a fresh device";
    EXPECT_EQ(script_->opened, 2u);
    EXPECT_EQ(exit_code(totals), 6);
}

TEST_F(Sessions, AnOpenSizeThatIsAskedForTooRunsOnce) {
    for (const bool only_check : {true, false}) {
        request_.full = true;
        request_.only_check = only_check;
        run();
        std::set<CaseKey> keys;
        for (const Record& record : records_) {
            if (record.key.suite == suites()[0].name) {
                EXPECT_TRUE(keys.insert(record.key).second) << to_string(record.key);
            }
        }
        EXPECT_GE(keys.size(), 3u * 2 + 2);
    }
}

TEST_F(Sessions, ACheckEndsWithTheBudget) {
    unsigned launches = 0;
    script_->kernels["twice"] = [&](const HostLaunch& launch) {
        ++launches;
        ScriptedClock::advance(2);
        twice(launch);
    };
    EXPECT_EQ(run().skipped, 1u);
    EXPECT_LT(launches, 8u) << "of 5 seconds";
    EXPECT_NE(records_.back().reason.find("--budget"), std::string::npos);
}

TEST(TimeBudget, LeavesWhatIsReserved) {
    const ScriptedClock clock(0);
    TimeBudget time_budget(20);
    time_budget.begin_block();
    ScriptedClock::advance(9);
    EXPECT_TRUE(time_budget.may_check());
    ScriptedClock::advance(2);
    EXPECT_FALSE(time_budget.may_check()) << "the other half is for timing";
    time_budget.begin_block(7);
    ScriptedClock::advance(0.9);
    EXPECT_TRUE(time_budget.may_check());
    ScriptedClock::advance(0.2);
    EXPECT_FALSE(time_budget.may_check());
}

TEST(Totals, CountDoubtsAndRefusalsApart) {
    const auto ended = [](Status status, Doubts doubts = {}) {
        Record record;
        record.status = status;
        record.doubts = std::move(doubts);
        return record;
    };
    Totals totals;
    totals.add(ended(Status::ok, {{DoubtKind::wide_tolerance, "zeros would be right."}}), true);
    EXPECT_EQ(totals.ok, 0u);
    EXPECT_EQ(totals.doubtful, 1u);
    EXPECT_EQ(exit_code(totals), 0);
    EXPECT_EQ(exit_code(totals, true), 1);
    totals = {};
    totals.add(ended(Status::refused), true);
    EXPECT_EQ(exit_code(totals), 5);
    totals.add(ended(Status::ok), true);
    EXPECT_EQ(exit_code(totals), 0);
    EXPECT_EQ(exit_code(totals, true), 1);
    totals = {};
    totals.add(ended(Status::ok), true);
    totals.add(ended(Status::unsupported), true);
    EXPECT_EQ(exit_code(totals), 0);
    EXPECT_EQ(exit_code(totals, true), 1);
    totals.add(ended(Status::failed), true);
    EXPECT_EQ(exit_code(totals, true), 6);
    totals.add(ended(Status::wrong), true);
    EXPECT_EQ(exit_code(totals), 1);
}

TEST_F(Sessions, WhatWasRefusedRanThoughTheRestCouldNotBe) {
    request_.only_check = true;
    request_.types = {ElementType::f32, ElementType::i32};
    script_->before = [is_first = true](std::string_view call) mutable {
        if (call != "compile") return;
        if (std::exchange(is_first, false)) throw Refused("no row");
        throw UsageError("a group that is too large");
    };
    const Totals totals = run();
    EXPECT_EQ(totals.refused, 1u);
    EXPECT_EQ(totals.unsupported, 1u);
    EXPECT_EQ(records_.size(), 2u);
    EXPECT_EQ(exit_code(totals), 5);
    EXPECT_EQ(exit_code(totals, true), 1);
}

TEST_F(Sessions, ADeviceThatVanishedIsSaid) {
    backend_->inventory.devices.push_back(fake_info());
    backend_->inventory.devices.at(1).index = 1;
    script_->before = fail_nth("open", 2);
    const Totals totals = run();
    EXPECT_EQ(totals.ok, 1u) << "the other one runs";
    EXPECT_EQ(totals.lost_devices, 1u);
    EXPECT_EQ(troubles_.size(), 1u);
    EXPECT_EQ(exit_code(totals), 6) << "no answer is wrong";
    backend_->inventory.devices.resize(1);
    script_->before = fail_nth("open", 1);
    EXPECT_EQ(exit_code(run()), 6) << "none is left";
}

TEST_F(Sessions, ABudgetThatIsUsedUpSkips) {
    request_.budget_seconds = 1e-9;
    const Totals totals = run();
    EXPECT_EQ(totals.skipped, 1u);
    EXPECT_EQ(exit_code(totals), 5);
    EXPECT_NE(records_[0].reason.find("--budget"), std::string::npos);
}

TEST_F(Sessions, WhatFitsOnNoDeviceIsAUsageError) {
    request_.shapes = {{{std::uint64_t{1} << 40}}};
    EXPECT_THROW(run(), UsageError);
    request_.shapes.clear();
    request_.defines = {{"GROUP", 2048}};
    EXPECT_THROW(run(), UsageError) << "a group larger than the device's";
}

TEST_F(Sessions, ASuitesOwnShapeThatIsTooLargeIsNoReasonToRunNothing) {
    request_.full = true;
    // Between the suite's 1000 and 100000 work-items.
    backend_->inventory.devices.at(0).max_allocation_bytes = 2 * guard_bytes + 50'000;
    const Totals totals = run();
    EXPECT_EQ(totals.unsupported, 1u);
    EXPECT_EQ(totals.ok, 3u * 2 + 1);
    EXPECT_EQ(exit_code(totals), 0);
}

TEST_F(Sessions, WhatCannotBeIsSaidAtOnce) {
    request_.shapes = {{{10, 10}}};
    EXPECT_THROW(expand(request_), UsageError);
    request_.shapes = {};
    request_.defines = {{"NOPE", 1}};
    EXPECT_THROW(expand(request_), UsageError);
    request_.defines = {{"GROUP", 0}};
    EXPECT_THROW(expand(request_), UsageError);
    request_.defines = {{"GROUP", 8}};
    EXPECT_EQ(expand(request_).at(0)["GROUP"], 8);
    EXPECT_THROW(make_case(suites()[0], suites()[0].variants[0], {{0}}, ElementType::f32),
                 UsageError);
    EXPECT_THROW(make_case(suites()[0], suites()[0].variants[0], {{std::uint64_t{1} << 63}},
                           ElementType::f32),
                 UsageError);
}

TEST_F(Sessions, TheSameDeviceGetsTheSameShapeOnBothSides) {
    // The second entry has room for the smallest shape only.
    DeviceInfo small = fake_info();
    small.index = 1;
    small.max_allocation_bytes = 2 * guard_bytes + 5000;
    small.uuid = backend_->inventory.devices.at(0).uuid = Uuid{1};
    backend_->inventory.devices.push_back(small);
    run();
    ASSERT_EQ(records_.size(), 2u);
    EXPECT_EQ(records_[0].key.shape, records_[1].key.shape);
    EXPECT_EQ(to_string(Shape{records_[0].key.shape}), "1000");
}

TEST(DeviceList, SamePhysicalDevice) {
    DeviceInfo a = fake_info(), b = fake_info();
    EXPECT_FALSE(same_physical_device(a, b)) << "nothing is known";
    a.pci = b.pci = "0000:01:00.0";
    EXPECT_TRUE(same_physical_device(a, b)) << "by address";
    a.uuid = Uuid{1};
    EXPECT_TRUE(same_physical_device(a, b)) << "one side has no UUID";
    b.uuid = Uuid{2};
    EXPECT_FALSE(same_physical_device(a, b)) << "parts of one card share an address";
    b.uuid = Uuid{1};
    b.pci = "";
    EXPECT_TRUE(same_physical_device(a, b));
    b.is_gpu = !a.is_gpu;
    EXPECT_FALSE(same_physical_device(a, b)) << "a processor says the UUID of a card";
    b.is_gpu = a.is_gpu;
    a.uuid = b.uuid = Uuid{};
    EXPECT_FALSE(same_physical_device(a, b)) << "zeros are no UUID";
}

TEST(DeviceList, WordsThatNameDevices) {
    auto script = toy_script();
    std::vector<std::unique_ptr<Backend>> backends;
    auto backend = std::make_unique<FakeBackend>(script);
    backend->inventory.devices.push_back(fake_info());
    backend->inventory.devices.at(1).index = 1;
    backend->inventory.devices.at(1).name = "Other GPU";
    backend->inventory.devices.at(1).platform = "Portable Computing Language";
    backend->inventory.problem = "There is less than there could be.";
    backends.push_back(std::move(backend));
    const Devices devices = find_devices(backends);
    EXPECT_EQ(matching(devices, "fake").size(), 2u);
    EXPECT_EQ(matching(devices, "fake:1").at(0).info.name, "Other GPU");
    EXPECT_EQ(matching(devices, "fake:gpu").at(0).info.index, 1u);
    for (const char* word : {"fake:PoCL", "fake:portable"}) {
        ASSERT_EQ(matching(devices, word).size(), 1u) << word;
        EXPECT_EQ(matching(devices, word).at(0).info.index, 1u) << word;
    }
    for (const char* word : {"fake:2", "nope", "fake:nothing", "", ":", "nope:0"}) {
        EXPECT_THROW(matching(devices, word), UsageError) << word;
    }
    EXPECT_EQ(devices.problems.size(), 1u);
}

TEST(Text, NumbersForPeople) {
    EXPECT_EQ(duration(1.5), "1.50 s");
    EXPECT_EQ(duration(0.9999), "1.00 s");
    EXPECT_EQ(duration(0.0123), "12.3 ms");
    EXPECT_EQ(duration(3.4e-6), "3.40 us");
    EXPECT_EQ(duration(123e-9), "123 ns");
    EXPECT_EQ(binary_size(1536), "1.50 KiB");
    EXPECT_EQ(binary_size(1u << 30), "1 GiB");
    EXPECT_EQ(rate(2.997e12, "B"), "2997 GB/s");
    EXPECT_EQ(columns_of("±1 █"), 4u);
    EXPECT_EQ(columns_of(bar(0.5, 20)), 10u);
    EXPECT_EQ(bar(2.0, 4), bar(1.0, 4));
    EXPECT_EQ(wrapped("one two three", 8, 2), "one two\n  three");
}

/// A point of the toy suite's first variant.
Case point(std::int64_t group, Shape shape) {
    const Suite& suite = suites()[0];
    Case c =
        make_case(suite, suite.variants[0], suite.shapes[0], ElementType::f32, {{"GROUP", group}});
    c.shape = std::move(shape);
    return c;
}

TEST_F(Sessions, PointsReplaceWhatElseIsAskedForAndHaveOneSize) {
    request_.points = {point(4, {}), point(8, {}), point(16, {})};
    EXPECT_EQ(run().ok, 3u);
    ASSERT_EQ(records_.size(), 3u);
    for (const Record& record : records_) EXPECT_EQ(record.key.shape, records_[0].key.shape);
    EXPECT_EQ(records_[2].key.constants.front(), (Constant{"GROUP", 16}));
}

TEST_F(Sessions, APointThatFitsNowhereIsOneAndTheOthersRun) {
    request_.points = {point(4, {{100}}), point(4, {{std::uint64_t{1} << 40}}),
                       point(2048, {{100}}), point(8, {{100}})};
    const Totals totals = run();
    EXPECT_EQ(totals.ok, 2u);
    EXPECT_EQ(totals.unsupported, 2u);
    EXPECT_EQ(exit_code(totals), 0);
    ASSERT_EQ(records_.size(), 4u);
    EXPECT_NE(records_[1].reason.find("GiB"), std::string::npos) << records_[1].reason;
    EXPECT_NE(records_[2].reason.find("allows 1024"), std::string::npos) << records_[2].reason;
}

TEST_F(Sessions, TooMuchLocalMemoryInTheTextIsNoFailure) {
    script_->before = [](std::string_view call) {
        if (call != "compile") return;
        throw BuildFailed("NVRTC failed.", "ptxas error: 'twice' uses too much shared data", "");
    };
    request_.points = {point(4, {{100}})};
    EXPECT_THROW(run(), UsageError);
    ASSERT_EQ(records_.size(), 1u);
    EXPECT_EQ(records_[0].status, Status::unsupported);
    EXPECT_NE(records_[0].reason.find("local memory"), std::string::npos);
}

}  // namespace
}  // namespace parallax::session_test

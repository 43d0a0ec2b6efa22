// Tests cases that are verified in advance, and devices that fail meanwhile.
#include "measure/device_session.hpp"

#include <latch>

#include <gtest/gtest.h>

#include "common/tests/toy_suite.hpp"
#include "measure/case_block.hpp"
#include "measure/reference_provider.hpp"

namespace parallax::device_session_test {
namespace {

using namespace fake;

class Seats : public testing::TestWithParam<unsigned> {
protected:
    std::shared_ptr<Script> script_ = toy_script();
    std::vector<std::unique_ptr<Backend>> backends_;
    Suite suite_ = toy_suite();

    Seats() { backends_.push_back(std::make_unique<FakeBackend>(script_)); }
    Entry entry() { return find_devices(backends_).entries.at(0); }
    RunConfig config() const {
        RunConfig config;
        config.kernel_source = [](std::string_view) { return std::string(toy_text); };
        config.workers = GetParam();
        return config;
    }
    Case toy(std::uint64_t size) const {
        return make_case(suite_, suite_.variants[0], {{size}}, ElementType::f32);
    }
    static bool yes() { return true; }
};

/// A context with one device session.
struct Table {
    Table(const Entry& entry, const RunConfig& config)
        : context(config, {entry}, 1e6), device_session(context.add_session(entry)) {}
    MeasurementContext context;
    DeviceSession& device_session;
};

TEST_P(Seats, CheckedAheadOrNotTheOutcomeIsTheSame) {
    Table table(entry(), config());
    for (const std::uint64_t size : {10, 20, 30}) table.device_session.verify_ahead(toy(size), yes);
    table.device_session.verify_ahead(toy(20), yes);
    for (const std::uint64_t size : {30, 10, 20, 40}) {
        const DeviceSession::VerifiedCase checked = table.device_session.verify(toy(size), yes);
        EXPECT_EQ(checked.outcome.status, Status::ok) << checked.outcome.reason;
        EXPECT_EQ(checked.outcome.the_case, toy(size));
    }
    EXPECT_EQ(script_->opened, 1u);
    EXPECT_EQ(script_->compiles, 1u) << "one build serves all sizes";
}

TEST_P(Seats, WhoAnswersForOthersOpensADeviceOnce) {
    ReferenceProvider reference_provider({entry()}, {}, [](const Case& c, std::string_view) {
        return Program{.name = "toy.cl", .source = std::string(toy_text), .type = c.type};
    });
    const Case first = toy(10),
               second = make_case(suite_, suite_.variants[2], {{10}}, ElementType::f32);
    EXPECT_EQ(reference_provider.name_for(first, ""), "itself");
    EXPECT_EQ(reference_provider.name_for(second, ""), "itself");
    EXPECT_EQ(script_->compiles, 2u);
    EXPECT_EQ(script_->opened, 1u);
}

TEST_P(Seats, NobodyWorksBesideASimulator) {
    EXPECT_EQ(Table(entry(), config()).context.config.pool != nullptr, GetParam() > 0);
    Entry simulated = entry();
    simulated.info.platform = "Oclgrind";
    const Table table(simulated, config());
    EXPECT_EQ(table.context.config.pool, nullptr);
    EXPECT_EQ(table.context.config.workers, 0u);
}

TEST_P(Seats, WhatIsNotWorthItIsSkipped) {
    Table table(entry(), config());
    table.device_session.verify_ahead(toy(10), [] { return false; });
    EXPECT_EQ(table.device_session.verify(toy(10), [] { return false; }).outcome.status,
              Status::skipped);
    EXPECT_EQ(script_->compiles, 0u);
}

TEST_P(Seats, AfterAFailureTheDeviceIsOpenedAnewAndOlderCodeIsMadeAgain) {
    Table table(entry(), config());
    DeviceSession::VerifiedCase before = table.device_session.verify(toy(10), yes);
    ASSERT_EQ(before.outcome.status, Status::ok);
    script_->before = fail_nth("run", 1);
    EXPECT_EQ(table.device_session.verify(toy(20), yes).outcome.status, Status::failed);
    EXPECT_EQ(script_->opened, 2u);
    const auto code = before.outcome.codes.begin()->second;
    table.device_session.renew(before);
    EXPECT_EQ(before.outcome.status, Status::ok);
    EXPECT_NE(before.outcome.codes.begin()->second, code);
    const auto again = before.outcome.codes.begin()->second;
    table.device_session.renew(before);
    EXPECT_EQ(before.outcome.codes.begin()->second, again) << "it is of this device already";
    EXPECT_EQ(table.device_session.take_trouble(), "");
}

TEST_P(Seats, ADeviceThatDoesNotComeBackIsLostAndSaidOnce) {
    Table table(entry(), config());
    table.device_session.device();
    script_->before = [](std::string_view call) {
        if (call == "run" || call == "open") throw DeviceError("gone");
    };
    EXPECT_EQ(table.device_session.verify(toy(10), yes).outcome.status, Status::failed);
    EXPECT_EQ(table.device_session.take_trouble(), "gone");
    EXPECT_EQ(table.device_session.take_trouble(), "");
    const DeviceSession::VerifiedCase next = table.device_session.verify(toy(20), yes);
    EXPECT_EQ(next.outcome.status, Status::failed);
    EXPECT_NE(next.outcome.reason.find("could not be opened again"), std::string::npos);
}

TEST_P(Seats, ADeviceThatOpensAndDoesNothingIsLostToo) {
    Table table(entry(), config());
    table.device_session.device();
    bool is_spoiled = false;
    script_->before = [&](std::string_view call) {
        is_spoiled = is_spoiled || call == "run";
        if (is_spoiled && call != "open") throw DeviceError("an illegal address");
    };
    EXPECT_EQ(table.device_session.verify(toy(10), yes).outcome.status, Status::failed);
    EXPECT_EQ(table.device_session.take_trouble(), "an illegal address");
    EXPECT_EQ(table.device_session.device_or_null(), nullptr);
}

TEST_P(Seats, ACheckThatIsUnderWayEndsBeforeTheDeviceIsOpenedAnew) {
    std::latch checking{1}, go_on{1};
    unsigned opened_meanwhile = 0;
    Table table(entry(), config());
    script_->before = [&, is_first = true](std::string_view call) mutable {
        if (call != "run" || !std::exchange(is_first, false)) return;
        checking.count_down();
        go_on.wait();
        opened_meanwhile = script_->opened;
    };
    std::jthread checks([&] { table.device_session.verify(toy(10), yes); });
    checking.wait();
    std::jthread reopens([&] { table.device_session.reopen(toy(10), "an error"); });
    // Long enough to do it, unless something prevents it.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    go_on.count_down();
    checks.join();
    reopens.join();
    EXPECT_EQ(opened_meanwhile, 1u);
    EXPECT_EQ(script_->opened, 2u);
}

TEST_P(Seats, AContextOfItsOwnForEachPurposeAndAllAreClosedAfterAnError) {
    Table table(entry(), config());
    Device& timing = table.device_session.device();
    Device& silent = table.device_session.device({{.profiling = false}});
    EXPECT_NE(&timing, &silent);
    EXPECT_EQ(&silent, &table.device_session.device({{.profiling = false}}));
    EXPECT_EQ(script_->opened, 2u);
    table.device_session.reopen(toy(10), "an error");
    EXPECT_EQ(script_->opened, 3u) << "the one for timing alone";
    table.device_session.device({{.profiling = false}});
    EXPECT_EQ(script_->opened, 4u);
    EXPECT_EQ(table.device_session.generation(), 1u);
}

/// A block of these sizes, and how often its verification may begin.
struct Block {
    Block(Table& of, const std::vector<Case>& cases, int may_begin)
        : table(of), left(std::make_shared<std::atomic<int>>(may_begin)) {
        for (const Case& c : cases) items.push_back({&table.device_session, c, items.size()});
        rule.may_check = [budget = left] { return (*budget)-- > 0; };
        rule.keep_ended = [this](const BlockItem& item) { kept.push_back(item.number); };
    }
    std::size_t verify() { return verify_block(table.context, items, rule); }

    Table& table;
    std::shared_ptr<std::atomic<int>> left;
    std::vector<BlockItem> items;
    BlockRule rule;
    std::vector<std::size_t> kept;
};

TEST_P(Seats, ABlockEndsBeforeItsFirstCaseThatIsNotReached) {
    Table table(entry(), config());
    Block block(table, {toy(10), toy(20), toy(30), toy(40)}, 2);
    EXPECT_EQ(block.verify(), 2u);
    ASSERT_EQ(block.items.size(), 2u);
    for (const BlockItem& item : block.items) {
        EXPECT_EQ(item.verified.outcome.status, Status::ok) << item.verified.outcome.reason;
    }
    // The background leaves the last one out; the next block has time for it.
    while (GetParam() > 0 && *block.left > -2) std::this_thread::yield();
    Block next(table, {toy(30), toy(40)}, 100);
    EXPECT_EQ(next.verify(), 2u);
    for (const BlockItem& item : next.items) {
        EXPECT_EQ(item.verified.outcome.status, Status::ok) << item.verified.outcome.reason;
    }
}

TEST_P(Seats, AnInterruptedBlockKeepsWhatHasEnded) {
    Table table(entry(), config());
    script_->before = fail_nth("run", 1);
    Block block(table, {toy(10), toy(20), toy(30)}, 100);
    block.rule.tell = [](const BlockItem& item) {
        if (item.number == 2) throw Interrupted();
    };
    EXPECT_THROW(block.verify(), Interrupted);
    EXPECT_EQ(block.kept, std::vector<std::size_t>{0}) << "the one that failed";
}

INSTANTIATE_TEST_SUITE_P(Workers, Seats, testing::Values(0u, 3u));

}  // namespace
}  // namespace parallax::device_session_test

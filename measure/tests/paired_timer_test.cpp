// Tests two fake devices at one case: order of calls, relocation, and errors.
#include "measure/paired_timer.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "common/error.hpp"
#include "common/statistics/interval.hpp"
#include "common/tests/toy_suite.hpp"
#include "measure/tests/fake_nvml.hpp"
#include "measure/timing_loop.hpp"
#include "records/json.hpp"

namespace parallax::paired_timer_test {
namespace {

using namespace fake;
using testing::Contains;
using testing::HasSubstr;

/// Two fake devices, `toy/plain` verified on both, ready to be timed.
class TwoDevices : public testing::Test {
protected:
    std::shared_ptr<Script> script_a_ = toy_script(), script_b_ = toy_script();
    FakeBackend backend_a_{script_a_, "opencl"}, backend_b_{script_b_, "cuda"};
    std::unique_ptr<Device> device_a_, device_b_;
    ReferenceCache references_{1 << 20};
    RunConfig config_;
    Suite suite_ = toy_suite();
    Outcome a_, b_;

    TwoDevices() {
        device_a_ = backend_a_.open(backend_a_.inventory.devices.at(0));
        device_b_ = backend_b_.open(backend_b_.inventory.devices.at(0));
        config_.kernel_source = [](std::string_view) { return std::string(toy_text); };
        config_.references = &references_;
    }
    void pass_gates() {
        const Case c = make_case(suite_, suite_.variants[0], {{100}}, suite_.types[0]);
        a_ = build_and_verify(*device_a_, c, {}, config_);
        b_ = build_and_verify(*device_b_, c, {}, config_);
        ASSERT_EQ(a_.status, Status::ok) << a_.reason;
        ASSERT_EQ(b_.status, Status::ok) << b_.reason;
    }
    PairTiming measure(PairedTimer& turns) {
        PairRule rule;
        rule.edges = edges_of(0.02, {});
        return turns.measure(rule);
    }
    /// Whether side B failed; empty: nothing was thrown.
    static std::optional<bool> failing_side(const std::function<void()>& call) {
        try {
            call();
        } catch (const SideError& error) {
            return error.on_b;
        }
        return {};
    }
};

TEST_F(TwoDevices, AKnownRatioIsMeasured) {
    for (const double ratio : {1.0, 1.1, 0.5}) {
        script_b_->seconds_per_run = ratio * script_a_->seconds_per_run;
        pass_gates();
        PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
        const PairTiming timing = measure(turns);
        EXPECT_NEAR(timing.ratio()->value, ratio, 1e-9);
        EXPECT_EQ(verdict_of(*timing.ratio(), 0.02), ratio > 1   ? Verdict::slower
                                                     : ratio < 1 ? Verdict::faster
                                                                 : Verdict::same);
        EXPECT_EQ(timing.stopped_by, "decided");
        EXPECT_NEAR(a_.timing->estimate.median, script_a_->seconds_per_run, 1e-12);
        EXPECT_NEAR(b_.timing->estimate.median, script_b_->seconds_per_run, 1e-12);
        EXPECT_GT(turns.measuring_seconds(), 0);
    }
}

TEST_F(TwoDevices, TakeTurnsInBalancedOrder) {
    pass_gates();
    std::string calls;
    config_.check_interrupt = [&] { calls += '|'; };
    // One thread does the runs; later reads are concurrent.
    script_a_->before = [&](std::string_view call) {
        if (call == "run") calls += 'A';
    };
    script_b_->before = [&](std::string_view call) {
        if (call == "run") calls += 'B';
    };
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    const auto order_of = [&](unsigned number) {
        calls.clear();
        turns.round(number);
        return calls.substr(calls.find('|'));
    };
    EXPECT_EQ(order_of(0), "|A|B|B|A");
    EXPECT_EQ(order_of(1), "|B|A|A|B");
    EXPECT_EQ(order_of(2), "|A|B|B|A");
    script_a_->seconds_per_run = script_b_->seconds_per_run = 1e-5;
    PairedTimer short_turns(*device_a_, *device_b_, a_, b_, config_);
    calls.clear();
    short_turns.round(0);
    EXPECT_EQ(calls.substr(calls.find('|')), "|A|B|B|A|B|A|A|B|A|B|B|A") << "three quads";
}

/// Inputs that both devices make, new ones for each batch, and no reference but the other side.
class TwoThatAgree : public TwoDevices {
protected:
    unsigned made_ = 0;  ///< by the host, of the timed size
    std::map<std::string, std::set<float>> first_;

    TwoThatAgree() {
        suite_ = drawn_toy(*script_a_);
        suite_ = drawn_toy(*script_b_);
        suite_.edge_cases.clear();
        suite_.inputs = [this, inputs = suite_.inputs](const Case& c, const InputPattern& pattern,
                                                       std::uint64_t seed) {
            made_ += c.shape[0] == 100 && pattern.name == "random";
            return inputs(c, pattern, seed);
        };
        for (const auto& [script, name] : {std::pair{script_a_, "a"}, {script_b_, "b"}}) {
            script->kernels["twice"] = [this, name = std::string(name),
                                        twice = script->kernels["twice"]](const HostLaunch& l) {
                if (l.buffer<float>(0).size() == 100) first_[name].insert(l.buffer<float>(0)[0]);
                twice(l);
            };
        }
        suite_.reference = {};
        references_.set_reference_provider(
            references_among({find_entry(backend_a_), find_entry(backend_b_)}, config_));
    }
    static Entry find_entry(FakeBackend& backend) {
        return {.backend = &backend, .info = backend.inventory.devices.at(0)};
    }
    void expect_wrong(const char* what) {
        pass_gates();
        PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
        const auto failed = failing_side([&] { measure(turns); });
        ASSERT_TRUE(failed);
        EXPECT_THAT((*failed ? b_ : a_).checked->failure->what, HasSubstr(what));
    }
};

TEST_F(TwoThatAgree, AreComparedByHashOnTheSameInputs) {
    pass_gates();
    made_ = 0;
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    const PairTiming timing = measure(turns);
    EXPECT_EQ(made_, 0u) << "the host makes none where nothing is compared by element";
    EXPECT_TRUE(turns.answers().identical());
    EXPECT_EQ(turns.answers().distance().elements, 100u);
    EXPECT_GT(first_["a"].size(), 2 * timing.rounds.size() + 64);
    EXPECT_EQ(a_.status, Status::ok) << a_.reason;
    for (const Doubt& one : a_.doubts) ADD_FAILURE() << one.sentence;
    std::vector<float> both;
    std::ranges::set_intersection(first_["a"], first_["b"], std::back_inserter(both));
    EXPECT_GE(both.size(), 2 * timing.rounds.size()) << "each batch has the other side's inputs";
}

TEST_F(TwoThatAgree, AreComparedByElementWhereBitsDiffer) {
    suite_.tolerance = [](const Case&) { return Tolerance::within_ulp(4); };
    script_b_->kernels["twice"] = [twice = script_b_->kernels["twice"]](const HostLaunch& l) {
        twice(l);
        l.buffer<float>(1).back() = std::nextafter(l.buffer<float>(1).back(), 1e9f);
    };
    pass_gates();
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    measure(turns);
    EXPECT_EQ(a_.status, Status::ok) << a_.reason;
    EXPECT_EQ(turns.answers().distance().differing, 1u);
    EXPECT_EQ(b_.checked->worst_ulp, 1);
}

TEST_F(TwoThatAgree, AreWrongWhereOneOfThemIs) {
    unsigned launches = 0;
    script_b_->kernels["twice"] = [&, twice = script_b_->kernels["twice"]](const HostLaunch& l) {
        twice(l);
        if (l.buffer<float>(0).size() == 100 && ++launches > 20) l.buffer<float>(1)[3] = 5;
    };
    expect_wrong("element(s) wrong; the first is y[3]");
}

TEST_F(TwoThatAgree, AreWrongWhereBothKeepTheAnswerBefore) {
    // Each keeps one answer in memory of its own, and both in the same way.
    for (const auto& script : {script_a_, script_b_}) {
        auto kept = std::make_shared<std::map<const float*, std::vector<float>>>();
        script->kernels["twice"] = [kept, twice = script->kernels["twice"]](const HostLaunch& l) {
            twice(l);
            const std::span<float> y = l.buffer<float>(1);
            std::vector<float>& own = (*kept)[y.data()];
            std::vector<float> now(y.begin(), y.end());
            if (y.size() == 100 && own.size() == 100) std::ranges::copy(own, y.begin());
            own = std::move(now);
        };
        script->before = [kept](std::string_view call) {
            if (call == "load again" || call == "write") kept->clear();
        };
    }
    expect_wrong("element(s) wrong");
}

TEST_F(TwoThatAgree, AreWrongWhereAnInputIsAltered) {
    // It puts the number back before it reads it.
    float kept = 0;
    unsigned launches = 0;
    script_a_->kernels["twice"] = [&, twice = script_a_->kernels["twice"]](const HostLaunch& l) {
        const std::span<float> x = l.buffer<float>(0);
        if (x.size() != 100) return twice(l);
        if (x[5] == 1e9f) x[5] = kept;
        twice(l);
        if (++launches > 20) kept = std::exchange(x[5], 1e9f);
    };
    expect_wrong("The kernel altered an input");
}

TEST_F(TwoDevices, RoundsAreWholeQuads) {
    pass_gates();
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    const PairRound round = turns.round(0);
    EXPECT_TRUE(round.a_first);
    EXPECT_EQ(round.a.size(), 2u) << "one quad";
    EXPECT_EQ(round.b.size(), 2u);
    EXPECT_EQ(round.repeats_a, round.repeats_b);
    EXPECT_EQ(round.disturbed, "");
    EXPECT_FALSE(turns.round(1).a_first);
}

TEST_F(TwoDevices, BatchesAreOfOneSizeAsTheFasterNeedsIt) {
    script_a_->seconds_per_run = 1e-3;
    script_b_->seconds_per_run = 1e-4;
    pass_gates();
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    const PairRound round = turns.round(0);
    EXPECT_GE(round.repeats_a, 10u);
    EXPECT_EQ(round.repeats_a, round.repeats_b);
}

TEST_F(TwoDevices, BatchesOfASideThatIsManyTimesAsFastAreItsOwn) {
    for (const auto& [slow, fast, least] :
         {std::tuple{2e-3, 2e-5, 50u}, std::tuple{0.4, 3e-4, 4u}}) {
        script_a_->seconds_per_run = slow;
        script_b_->seconds_per_run = fast;
        pass_gates();
        PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
        const PairRound round = turns.round(0);
        EXPECT_EQ(round.repeats_a, 1u);
        EXPECT_GE(round.repeats_b, least);
        EXPECT_NEAR(round.a.front(), slow, 1e-6);
        EXPECT_NEAR(round.b.front(), fast, 1e-6);
    }
}

TEST_F(TwoDevices, BuffersAndProgramsAreMadeAnew) {
    pass_gates();
    EXPECT_EQ(script_a_->compiles, 1u);
    unsigned allocations = 0;
    std::string first;
    script_a_->before = [&](std::string_view call) {
        if (call != "allocate") return;
        ++allocations;
        first += 'A';
    };
    script_b_->before = [&](std::string_view call) { first += call == "allocate" ? "B" : ""; };
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    for (unsigned number = 0; number < 5; ++number) {
        allocations = 0;
        first.clear();
        turns.round(number);
        EXPECT_EQ(allocations, number == 0 ? 3u : 2u) << "two, and the input to copy from";
        EXPECT_EQ(first[0], number % 2 == 0 ? 'A' : 'B') << "they take turns in being first";
        EXPECT_EQ(script_a_->loads, number) << "the first round uses the placement of verification";
        EXPECT_EQ(script_b_->loads, number);
    }
    EXPECT_EQ(script_a_->compiles, 1u);
    EXPECT_EQ(a_.build_seconds.size(), 1u);
}

TEST_F(TwoDevices, QueuesAreMadeAnewAndBuffersOfAGpuLieElsewhere) {
    for (const bool is_gpu : {false, true}) {
        for (FakeBackend* backend : {&backend_a_, &backend_b_}) {
            backend->inventory.devices.at(0).is_gpu = is_gpu;
        }
        device_a_ = backend_a_.open(backend_a_.inventory.devices.at(0));
        device_b_ = backend_b_.open(backend_b_.inventory.devices.at(0));
        pass_gates();
        std::atomic<unsigned> queues = 0, allocations = 0;
        script_a_->before = [&](std::string_view call) {
            queues += call == "renew queue";
            allocations += call == "allocate";
        };
        const std::size_t before = script_a_->live_bytes;
        std::set<std::size_t> held;
        {
            PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
            for (unsigned number = 0; number < 4; ++number) {
                turns.round(number);
                held.insert(script_a_->live_bytes - before);
            }
        }
        EXPECT_EQ(queues, 4u);
        EXPECT_EQ(allocations, is_gpu ? 1u + 4 * (2 + 2) : 1u + 4 * 2);
        EXPECT_EQ(held.size() > 1, is_gpu) << "what lies before the buffers has a random size";
        EXPECT_EQ(script_a_->live_bytes, before) << "all of it is given back";
        script_a_->before = [](std::string_view) {};
    }
}

TEST_F(TwoDevices, CommandsOfARunAreKept) {
    pass_gates();
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    EXPECT_EQ(measure(turns).launches, a_.plan.steps.size());
}

TEST_F(TwoDevices, APlantedSlowdownShows) {
    pass_gates();
    constexpr Slowdown planted{1, 20};
    EXPECT_DOUBLE_EQ(planted.ratio(), 1.05);
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_, planted);
    const PairTiming timing = measure(turns);
    EXPECT_NEAR(timing.ratio()->value, 1.05, 1e-9);
    EXPECT_EQ(verdict_of(*timing.ratio(), 0.02), Verdict::slower);
    EXPECT_EQ(timing.rounds.at(0).repeats_a % 20, 0u);
}

TEST_F(TwoDevices, OutcomesGetTheirTimings) {
    pass_gates();
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    const PairTiming timing = measure(turns);
    for (const Outcome* o : {&a_, &b_}) {
        EXPECT_EQ(o->status, Status::ok);
        ASSERT_TRUE(o->timing);
        EXPECT_EQ(o->timing->samples.size(), 2 * timing.rounds.size());
        EXPECT_EQ(o->timing->repeats.size(), timing.rounds.size());
        EXPECT_EQ(o->timing->round.back(), timing.rounds.size() - 1);
        EXPECT_EQ(o->timing->stopped_by, "decided");
        const Json record = to_json(to_record(*o, fake_info(), {.id = "one"}));
        EXPECT_TRUE(problems_of(record).empty()) << problems_of(record).front();
    }
    EXPECT_TRUE(turns.answers().identical());
    EXPECT_EQ(turns.answers().distance().elements, 100u);
}

TEST_F(TwoDevices, AnswersThatNobodyAsksForAreNotCompared) {
    pass_gates();
    config_.compares_answers = false;
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    measure(turns);
    EXPECT_EQ(turns.answers().distance().elements, 0u);
    EXPECT_EQ(b_.status, Status::ok);
}

TEST_F(TwoDevices, AnswersThatDifferAreCompared) {
    // Both are right within a bound, but not bitwise identical.
    suite_.tolerance = [](const Case&) { return Tolerance::rounding(4); };
    suite_.reference = [](const Case&, const std::vector<HostArray>& in) {
        std::vector<double> values, magnitudes;
        for (const float x : in[0].as<float>()) {
            values.push_back(2.0 * static_cast<double>(x));
            magnitudes.push_back(std::fabs(2.0 * static_cast<double>(x)));
        }
        std::vector<Expected> expected(1);
        expected[0].values = std::move(values);
        expected[0].magnitudes = std::move(magnitudes);
        return expected;
    };
    script_b_->kernels["twice"] = [](const HostLaunch& launch) {
        twice(launch);
        const auto y = launch.buffer<float>(1);
        if (y.size() == 100 && y[3] != std::floor(y[3])) y[3] = std::nextafter(y[3], 1e9f);
    };
    pass_gates();
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    measure(turns);
    EXPECT_FALSE(turns.answers().identical());
    const AnswerDistances d = turns.answers().distance();
    EXPECT_EQ(d.elements, 100u);
    EXPECT_EQ(d.differing, 1u);
    EXPECT_EQ(d.first, 3u);
    EXPECT_EQ(d.largest_ulp, 1);
    EXPECT_EQ(b_.status, Status::ok);
}

TEST_F(TwoDevices, TheSideThatFailsIsNamed) {
    for (const bool on_b : {false, true}) {
        for (const char* call : {"run", "allocate", "read", "write"}) {
            pass_gates();
            PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
            turns.round(0);
            (on_b ? script_b_ : script_a_)->before = fail_nth(call, 1);
            EXPECT_EQ(failing_side([&] { turns.round(1); }), on_b) << call;
        }
    }
}

TEST_F(TwoDevices, AWrongLastLaunchIsSeen) {
    bool wrong = false;
    script_b_->kernels["twice"] = [&](const HostLaunch& launch) {
        twice(launch);
        if (wrong) launch.buffer<float>(1)[0] = 77;
    };
    pass_gates();
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    turns.round(0);
    wrong = true;
    EXPECT_EQ(failing_side([&] { turns.round(1); }), true);
    EXPECT_FALSE(b_.checked->right());
    EXPECT_TRUE(a_.checked->right());
}

TEST_F(TwoDevices, AClockThatStandsStillIsAnError) {
    pass_gates();
    script_b_->seconds_per_run = 0;
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    EXPECT_EQ(failing_side([&] { turns.round(0); }), true);
}

TEST_F(TwoDevices, AnInterruptGetsOut) {
    pass_gates();
    unsigned left = 3;
    config_.check_interrupt = [&] {
        if (--left == 0) throw Interrupted();
    };
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    EXPECT_THROW(turns.round(0), Interrupted);
}

TEST(RepeatsToFill, EndOverAClockThatStandsStill) {
    unsigned most = 0;
    const Runnable run = [&](unsigned repeats) {
        most = std::max(most, repeats);
        return Elapsed{.device = 0, .host = 1e-3 * repeats};
    };
    EXPECT_THROW(repeats_to_fill(1e-3, run, 1), DeviceError);
    EXPECT_LE(most, 100u) << "what takes as long as that need not be repeated more often";
    // Short runs may take less than a tick.
    const Runnable shorter = [](unsigned repeats) {
        return Elapsed{.device = repeats < 1000 ? 0 : 1e-6 * repeats, .host = 1e-6 * repeats};
    };
    EXPECT_GE(repeats_to_fill(1e-3, shorter, 1), 1000u);
}

/// Both sides on one GPU, which another process uses.
class TwoSidesOfAGpu : public TwoDevices {
protected:
    TwoSidesOfAGpu() {
        for (auto* const backend : {&backend_a_, &backend_b_}) {
            backend->inventory.devices.at(0).is_gpu = true;
            backend->inventory.devices.at(0).uuid = Uuid{1};
        }
        device_a_ = backend_a_.open(backend_a_.inventory.devices.at(0));
        device_b_ = backend_b_.open(backend_b_.inventory.devices.at(0));
        pass_gates();
    }
    ~TwoSidesOfAGpu() override { fake_nvml() = {}; }

    void another_uses(unsigned percent) {
        fake_nvml().processes = {{.pid = static_cast<unsigned>(getpid()), .percent = 30},
                                 {.pid = 1u << 30, .percent = percent}};
        ScriptedClock::advance(1);  // the earlier state is no longer recent
    }
    PairTiming measure_within(double seconds) {
        PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
        PairRule rule;
        rule.edges = edges_of(0.02, {});
        rule.most_seconds = seconds;
        return turns.measure(rule);
    }
};

TEST_F(TwoSidesOfAGpu, WhoOnlyHoldsItDisturbsNothing) {
    another_uses(0);
    const PairTiming timing = measure_within(1e6);
    EXPECT_EQ(timing.stopped_by, "decided");
    EXPECT_EQ(timing.doubt(), "");
    EXPECT_EQ(a_.after.other_processes, 1u);
    EXPECT_EQ(a_.after.others_use, 0.0);
    EXPECT_THAT(a_.notes, Contains("1 other process holds the device, and used none of its time."));
}

TEST_F(TwoSidesOfAGpu, UseThatMovesNoBatchIsARemark) {
    for (const unsigned percent : {20u, 99u}) {
        another_uses(percent);
        const PairTiming timing = measure_within(1e6);
        EXPECT_EQ(timing.stopped_by, "decided");
        EXPECT_EQ(timing.doubt(), "");
        EXPECT_THAT(b_.notes, Contains(fmt::format(
                                  "Others used {} % of the device while it was timed.", percent)));
    }
}

TEST_F(TwoSidesOfAGpu, RoundsInWhichOthersMoveTheBatchesDoNotCount) {
    another_uses(60);
    script_b_->seconds_of = [this, batch = 0](const Program&) mutable {
        return script_a_->seconds_per_run * (++batch % 2 == 0 ? 3 : 1);
    };
    const PairTiming timing = measure_within(1e6);
    EXPECT_EQ(timing.stopped_by, "disturbed");
    EXPECT_THAT(timing.doubt(), HasSubstr("rounds were disturbed: others used 60 % of cuda:0, and "
                                          "its batches scattered."));
    another_uses(0);
    EXPECT_EQ(measure_within(1e6).rounds.at(0).disturbed, "") << "the interval tells of scatter";
}

TEST_F(TwoSidesOfAGpu, LongBatchesAndWhatIsNotAllOnTheDeviceFeelOthers) {
    another_uses(60);
    script_b_->seconds_per_run = 2.1e-3;
    EXPECT_THAT(measure_within(1e6).doubt(),
                HasSubstr("others used 60 % of cuda:0, and its batches are longer than a slice of "
                          "time."));
    another_uses(0);
    EXPECT_EQ(measure_within(1e6).doubt(), "");
    script_b_->seconds_per_run = script_a_->seconds_per_run;
    suite_.variants[0].plan = [plan = suite_.variants[0].plan](const Case& c) {
        Plan mapped = plan(c);
        mapped.buffers[0].placement = Placement::mapped;
        return mapped;
    };
    pass_gates();
    EXPECT_EQ(measure_within(1e6).doubt(), "");
    another_uses(60);
    EXPECT_THAT(measure_within(1e6).doubt(), HasSubstr("and it is no work of kernels alone."));
}

TEST_F(TwoSidesOfAGpu, DisturbedRoundsEndWithTheTimeThereIs) {
    another_uses(60);
    script_b_->seconds_of = [this, batch = 0](const Program&) mutable {
        return script_a_->seconds_per_run * (++batch % 2 == 0 ? 3 : 1);
    };
    const PairTiming timing = measure_within(0);
    EXPECT_EQ(timing.stopped_by, "disturbed");
    EXPECT_EQ(timing.rounds.size(), 1u) << "without a budget it takes three times the first look";
    script_b_->seconds_of = {};
    EXPECT_EQ(measure_within(0).stopped_by, "decided") << "the first look is taken all the same";
}

TEST_F(TwoSidesOfAGpu, WhatOneCoreMovesDecidesNothing) {
    suite_.variants[0].plan = [plan = suite_.variants[0].plan](const Case& c) {
        Plan with_more = plan(c);
        with_more.buffers.push_back(
            {.name = "h", .role = Role::scratch, .type = c.type, .elements = 1});
        with_more.buffers.back().placement = Placement::pageable;
        return with_more;
    };
    pass_gates();
    config_.cores = 1;
    EXPECT_THAT(measure_within(1e6).doubt(), HasSubstr("the one core that this process may use"));
    config_.cores = 2;
    EXPECT_EQ(measure_within(1e6).doubt(), "");
}

TEST_F(TwoDevices, AnswersInALargeImageAreReadAsAWhole) {
    static constexpr ImageExtents extents{.width = 2048, .height = 2049, .is_written = true};
    static_assert(extents.elements() > 1 << 22);
    for (auto* const backend : {&backend_a_, &backend_b_}) {
        DeviceInfo& info = backend->inventory.devices.at(0);
        info.max_image_width = info.max_image_height = 4096;
        info.features.insert("images");
    }
    device_a_ = backend_a_.open(backend_a_.inventory.devices.at(0));
    device_b_ = backend_b_.open(backend_b_.inventory.devices.at(0));
    Variant& variant = suite_.variants[0];
    variant.plan = [](const Case& c) {
        Plan plan;
        plan.buffers = {{"x", Role::in_out, c.type, extents.elements()}};
        plan.buffers[0].image = extents;
        plan.steps.push_back(
            Launch{"twice", {{1, 1, 1}, {4, 1, 1}}, {BufferIndex{0}, std::uint64_t{1}}});
        return plan;
    };
    suite_.check_shapes.clear();
    suite_.inputs = [](const Case& c, const InputPattern&, std::uint64_t) {
        std::vector<HostArray> inputs;
        inputs.emplace_back(c.type, extents.elements());
        std::ranges::fill(inputs[0].as<float>(), 3.0f);
        return inputs;
    };
    suite_.reference = [](const Case&, const std::vector<HostArray>& in) {
        std::vector<Expected> expected(1);
        HostArray same(in[0].type(), in[0].size());
        std::ranges::copy(in[0].bytes(), same.bytes().begin());
        expected[0].values = std::move(same);
        return expected;
    };
    // Right but different on both sides: only the elements show the distance.
    suite_.tolerance = [](const Case&) { return Tolerance::difference(1, 0); };
    script_a_->kernels["twice"] = [](const HostLaunch&) {};
    script_b_->kernels["twice"] = [](const HostLaunch& l) { l.buffer<float>(0).back() = 3.5f; };
    pass_gates();
    PairedTimer turns(*device_a_, *device_b_, a_, b_, config_);
    measure(turns);
    EXPECT_EQ(turns.answers().distance().elements, extents.elements());
    EXPECT_EQ(turns.answers().distance().differing, 1u);

    config_.check_rounds_up_to = 0;
    PairedTimer once_more(*device_a_, *device_b_, a_, b_, config_);
    once_more.round(0);
    std::atomic<unsigned> reads = 0;
    for (const auto& script : {script_a_, script_b_}) {
        script->before = [&](std::string_view call) { reads += call == "read"; };
    }
    once_more.round(1);
    EXPECT_EQ(reads, 0u) << "no command copies an image: it is loaded from the host";
}

}  // namespace
}  // namespace parallax::paired_timer_test

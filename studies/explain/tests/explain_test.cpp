// The whole engine on two fake entries of one device whose times depend on what was built.
#include "studies/explain/explain.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/tests/scripted_clock.hpp"
#include "common/tests/toy_suite.hpp"
#include "common/text/temporary_folder.hpp"
#include "measure/device_lock.hpp"
#include "records/json.hpp"
#include "records/result_set.hpp"
#include "records/tests/plain_lines.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/knobs.hpp"
#include "studies/explain/likely.hpp"
#include "studies/explain/ptx_rewrites.hpp"
#include "studies/explain/spent_time.hpp"

namespace parallax::explain_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr char toy_text[] =
    "__kernel void twice(__global const T* x, __global T* y, ulong n)\n{\n"
    "    for (uint i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n";

bool has(const Program& program, std::string_view option) {
    return std::ranges::find(program.options, option) != program.options.end();
}

/// PTX that depends on options and rules, but not on the source.
std::string ptx_of(const Program& program) {
    std::string ptx = program.floats.contract ? "// fused\n" : "";
    if (program.floats.flush_denormals) ptx += "// flushed\n";
    if (!program.floats.exact_division) ptx += "// not exact\n";
    for (const std::string& option : program.options) ptx += "// " + option + "\n";
    return ptx + ".visible .entry twice()\n{\nret;\n}\n";
}

class Explaining : public testing::Test {
protected:
    std::shared_ptr<fake::Script> a_ = fake::toy_script(), b_ = fake::toy_script();
    std::vector<std::unique_ptr<Backend>> backends_;
    ExplainRequest request_;
    RunConfig config_;
    RunInfo run_info_{"one", "2026-01-01T00:00:00Z", 0, {"explain"}};
    std::vector<Json> kept_;

    Explaining() {
        for (const auto& [script, name] : {std::pair{a_, "opencl"}, {b_, "cuda"}}) {
            script->ptx_of = ptx_of;
            auto backend = std::make_unique<fake::FakeBackend>(script, name);
            backend->inventory.devices.at(0).uuid = Uuid{1};
            backends_.push_back(std::move(backend));
        }
        const Devices devices = find_devices(backends_);
        request_.a = devices.entries.at(0);
        request_.b = devices.entries.at(1);
        const Suite& toy = suites()[0];
        request_.the_case = make_case(toy, toy.variants[0], {{100}}, ElementType::f32);
        config_.kernel_source = [](std::string_view) { return std::string(toy_text); };
    }

    /// The explanation. It is valid, it is the last stored line, and it survives a round trip.
    Explanation found() {
        Explanation e =
            explain(request_, config_, run_info_,
                    {.keep = [&](const ResultEntry& line) { kept_.push_back(to_json(line)); }});
        for (const Json& line : kept_) {
            EXPECT_THAT(problems_of(line), IsEmpty()) << line.dump(2);
        }
        const Json line = to_json(e);
        EXPECT_EQ(kept_.back(), line);
        EXPECT_EQ(to_json(fake::as<Explanation>(Json::parse(line.dump()))), line);
        return e;
    }

    static std::vector<Trial> trials_of(const Explanation& e, std::string_view setting) {
        std::vector<Trial> all;
        for (const Trial& t : e.trials) {
            if (t.setting == setting) all.push_back(t);
        }
        return all;
    }
    static Trial trial_of(const Explanation& e, std::string_view setting) {
        const std::vector<Trial> all = trials_of(e, setting);
        EXPECT_EQ(all.size(), 1u) << setting;
        return all.empty() ? Trial{} : all.front();
    }
    /// B takes 1.2 times as long, unless it is built with this option.
    void mended_by(std::string option) {
        b_->seconds_of = [option = std::move(option)](const Program& p) {
            return has(p, option) ? 1e-3 : 1.2e-3;
        };
    }
};

TEST_F(Explaining, AKnobThatClosesTheGapIsNamed) {
    mended_by("--use_fast_math");
    const Explanation e = found();
    EXPECT_EQ(e.verdict, Verdict::slower);
    EXPECT_NEAR(e.gap.value, 1.2, 1e-9);
    EXPECT_NEAR(e.seconds.b, 1.2e-3, 1e-12);
    EXPECT_TRUE(e.conclusion.has_gap);
    EXPECT_TRUE(e.conclusion.explained);
    ASSERT_THAT(e.conclusion.by, ElementsAre(0, 1)) << "on B alone, and on both sides";
    const Trial& best = e.trials.at(0);
    EXPECT_THAT(best.knobs, ElementsAre("relaxed mathematics"));
    EXPECT_EQ(best.side, KnobSide::b);
    EXPECT_NEAR(best.closes, 1, 1e-6);
    EXPECT_TRUE(best.closed);
    EXPECT_NEAR(best.ratio->value, 1, 1e-9);
    EXPECT_NEAR(*best.own_change, 1 / 1.2, 1e-6);
    EXPECT_THAT(e.conclusion.remedy, HasSubstr("--use_fast_math"));
    EXPECT_THAT(e.conclusion.cause, HasSubstr("IEEE"));
    EXPECT_TRUE(std::ranges::none_of(e.trials, [](const Trial& t) {
        return t.side == KnobSide::a;
    })) << "the faster side is left alone";
    EXPECT_THAT(e.conclusion.ruled_out, Contains(HasSubstr("register cap")));
    EXPECT_THAT(answer_in_words(e), HasSubstr("--use_fast_math"));
    EXPECT_FALSE(e.launching);
}

TEST_F(Explaining, ASideAThatIsSlowerIsLookedAtAlike) {
    a_->seconds_of = [](const Program& p) { return p.floats.contract ? 1e-3 : 2e-3; };
    const Explanation e = found();
    EXPECT_EQ(e.verdict, Verdict::faster);
    EXPECT_NEAR(e.gap.value, 0.5, 1e-9);
    ASSERT_TRUE(e.conclusion.explained);
    const Trial& best = e.trials.at(e.conclusion.by.at(0));
    EXPECT_EQ(best.setting, "contraction allowed");
    EXPECT_EQ(best.side, KnobSide::a);
    EXPECT_NEAR(best.closes, 1, 1e-6);
    EXPECT_NEAR(best.ratio->value, 1, 1e-9);
    EXPECT_THAT(e.conclusion.remedy, HasSubstr("allow contraction"));
}

TEST_F(Explaining, WhatSlowsTheFasterSideIsNoCause) {
    // A is fast by something that it loses with contraction, and B has not got it.
    a_->seconds_of = [](const Program& p) { return p.floats.contract ? 1.2e-3 : 1e-3; };
    b_->seconds_per_run = 1.2e-3;
    const Explanation e = found();
    EXPECT_FALSE(e.conclusion.explained);
    EXPECT_THAT(e.conclusion.by, IsEmpty());
    EXPECT_EQ(e.conclusion.cause + e.conclusion.remedy, "");
    EXPECT_THAT(e.conclusion.where, HasSubstr("fused multiply-adds: the faster side, with "
                                              "contraction allowed, is as slow as the other."));
}

TEST_F(Explaining, WhatMendsButIsTheSameOnBothSidesIsNoCause) {
    // Each API has its own word for all of it, which does nothing here.
    const auto gains = [](const Program& p) {
        return p.floats.contract && !has(p, "--use_fast_math") && !has(p, "-cl-fast-relaxed-math");
    };
    a_->seconds_of = [=](const Program& p) { return gains(p) ? 1e-3 / 1.2 : 1e-3; };
    b_->seconds_of = [=](const Program& p) { return gains(p) ? 1e-3 : 1.2e-3; };
    const Explanation e = found();
    EXPECT_THAT(e.conclusion.by, IsEmpty());
    EXPECT_EQ(e.conclusion.cause + e.conclusion.remedy, "");
    ASSERT_EQ(e.conclusion.gains.size(), 2u) << "a gain it is, of each side";
    for (const std::size_t i : e.conclusion.gains) {
        EXPECT_EQ(e.trials.at(i).setting, "contraction allowed");
        EXPECT_NEAR(*e.trials.at(i).own_change, 1 / 1.2, 1e-6);
    }
}

TEST_F(Explaining, TwoHalvesAreFoundTogether) {
    b_->seconds_of = [](const Program& p) {
        return 1e-3 * (has(p, "--use_fast_math") ? 1.21 : 1) *
               (p.floats.flush_denormals ? 1 : 1.1) * (p.floats.contract ? 1 : 1.1);
    };
    const Explanation e = found();
    ASSERT_TRUE(e.conclusion.explained);
    const Trial& best = e.trials.at(e.conclusion.by.at(0));
    EXPECT_EQ(best.knobs.size(), 2u);
    EXPECT_THAT(best.knobs, Contains("contraction"));
    EXPECT_THAT(best.knobs, Contains("denormals"));
    EXPECT_NEAR(best.closes, 1, 1e-6);
    EXPECT_THAT(e.conclusion.remedy, HasSubstr("--fmad=true"));
    EXPECT_THAT(e.conclusion.remedy, HasSubstr("--ftz=true"));
}

TEST_F(Explaining, TwoTradesOfOneSideAloneAreNoRemedy) {
    // Both sides gain equally by less exact arithmetic: that is not their difference.
    const auto takes = [](double seconds, const Program& p) {
        // Each API has its own word for all of it.
        if (has(p, "--use_fast_math") || has(p, "-cl-fast-relaxed-math")) return 1.21 * seconds;
        return seconds * (p.floats.exact_division ? 1.1 : 1) * (p.floats.flush_denormals ? 1 : 1.1);
    };
    a_->seconds_of = [=](const Program& p) { return takes(1e-3, p); };
    b_->seconds_of = [=](const Program& p) { return takes(1.21e-3, p); };
    const Explanation e = found();
    const bool tried = std::ranges::any_of(
        e.trials, [](const Trial& t) { return t.side == KnobSide::both && t.knobs.size() == 2; });
    EXPECT_TRUE(tried);
    EXPECT_THAT(e.conclusion.remedy, testing::Not(HasSubstr("division")));
    EXPECT_FALSE(e.conclusion.explained && e.trials.front().side == KnobSide::b);
}

TEST_F(Explaining, NothingThatHelpsIsSaidSo) {
    b_->seconds_per_run = 1.2e-3;
    const Explanation e = found();
    EXPECT_TRUE(e.conclusion.has_gap);
    EXPECT_FALSE(e.conclusion.explained);
    EXPECT_THAT(e.conclusion.by, IsEmpty());
    EXPECT_EQ(e.conclusion.cause + e.conclusion.remedy, "");
    EXPECT_THAT(e.conclusion.ruled_out, Contains(HasSubstr("contraction")));
    EXPECT_TRUE(std::ranges::any_of(e.trials, [](const Trial& t) {
        return t.side == KnobSide::a && t.status == TrialStatus::measured;
    })) << "the faster side was tried as well";
}

TEST_F(Explaining, AWrongAnswerIsNoRemedy) {
    mended_by("--use_fast_math");
    b_->kernels["twice"] = [](const fake::HostLaunch& launch) {
        fake::twice(launch);
        if (has(*launch.program, "--use_fast_math") && launch.program->type == ElementType::f32) {
            launch.buffer<float>(1).back() += 1;
        }
    };
    const Explanation e = found();
    EXPECT_FALSE(e.conclusion.explained);
    const Trial trial = trial_of(e, "--use_fast_math");
    EXPECT_EQ(trial.status, TrialStatus::wrong);
    EXPECT_FALSE(trial.ratio);
    EXPECT_EQ(trial.closes, 0);
    EXPECT_FALSE(trial.closed);
    EXPECT_NE(trial.reason, "");
    EXPECT_THAT(e.conclusion.remedy, Not(HasSubstr("--use_fast_math")));
    EXPECT_THAT(e.conclusion.ruled_out, Contains(HasSubstr("a wrong answer")));
}

TEST_F(Explaining, AnAnswerThatIsWrongOnlyInTheWholeGateIsNoRemedyEither) {
    mended_by("--use_fast_math");
    b_->kernels["twice"] = [](const fake::HostLaunch& launch) {
        fake::twice(launch);
        // Only the whole verification tries 17 elements.
        if (has(*launch.program, "--use_fast_math") && launch.scalar<std::uint64_t>(2) == 17) {
            launch.buffer<float>(1).back() += 1;
        }
    };
    const Trial trial = trial_of(found(), "--use_fast_math");
    EXPECT_EQ(trial.status, TrialStatus::wrong);
    EXPECT_FALSE(trial.ratio);
    EXPECT_FALSE(trial.closed);
}

TEST_F(Explaining, WhatExplainsTheGapIsEnough) {
    mended_by("--ptxas-options=-O3");
    const Explanation e = found();
    ASSERT_TRUE(e.conclusion.explained);
    EXPECT_THAT(e.trials.at(0).knobs, ElementsAre("optimisation level"));
    EXPECT_THAT(trials_of(e, "--use_fast_math"), IsEmpty());
    EXPECT_THAT(e.conclusion.not_tried, Contains(AllOf(HasSubstr("relaxed mathematics"),
                                                       HasSubstr("--all-knobs turns them"))));
    request_.all_knobs = true;
    EXPECT_EQ(trials_of(found(), "--use_fast_math").size(), 1u);
}

TEST_F(Explaining, WhatCostsAccuracyIsNotEnough) {
    // Division fixes it and is a trade; later candidates are tried all the same.
    b_->seconds_of = [](const Program& p) {
        return !p.floats.exact_division || has(p, "--use_fast_math") ? 1e-3 : 1.2e-3;
    };
    const Explanation e = found();
    EXPECT_THAT(trials_of(e, "fast division and square root"), Not(IsEmpty()));
    EXPECT_THAT(trials_of(e, "--use_fast_math"), Not(IsEmpty()));
}

TEST_F(Explaining, AKnobThatDoesNotBuildFailsAlone) {
    request_.all_knobs = true;
    mended_by("--ptxas-options=-O3");
    b_->ptx_of = [](const Program& p) {
        if (p.floats.contract) throw BuildFailed("It did not compile.", "log", "text");
        if (!p.floats.exact_division) throw Unsupported("There is no other division.");
        return ptx_of(p);
    };
    const Explanation e = found();
    const Trial trial = trial_of(e, "contraction allowed");
    EXPECT_EQ(trial.status, TrialStatus::failed);
    EXPECT_THAT(trial.reason, HasSubstr("It did not compile."));
    EXPECT_EQ(trial_of(e, "fast division and square root").status, TrialStatus::unsupported);
    EXPECT_THAT(e.conclusion.not_tried, Contains(HasSubstr("contraction")));
    EXPECT_TRUE(e.conclusion.explained);
    EXPECT_EQ(b_->opened, 1u) << "the device is as good as before";
}

TEST_F(Explaining, AfterAFailedLaunchTheDeviceIsOpenedAnew) {
    b_->seconds_of = [](const Program& p) { return p.floats.flush_denormals ? 1e-3 : 1.2e-3; };
    b_->kernels["twice"] = [](const fake::HostLaunch& launch) {
        if (launch.program->floats.contract) throw DeviceError("An illegal address.");
        fake::twice(launch);
    };
    const Explanation e = found();
    const Trial trial = trial_of(e, "contraction allowed");
    EXPECT_EQ(trial.status, TrialStatus::failed);
    EXPECT_THAT(trial.reason, HasSubstr("An illegal address."));
    EXPECT_GE(b_->opened, 2u);
    ASSERT_TRUE(e.conclusion.explained) << "a later knob";
    EXPECT_THAT(e.trials.at(0).knobs, ElementsAre("denormals"));
    EXPECT_NEAR(e.trials.at(0).closes, 1, 1e-6);
    EXPECT_EQ(b_->live_bytes, 0u);
}

TEST_F(Explaining, AChangeThatWritesOutsideIsNotLaunchedAtFullSize) {
    b_->seconds_per_run = 1.2e-3;
    std::set<std::uint64_t> sizes;
    unsigned small_launches = 0;
    a_->kernels["twice"] = b_->kernels["twice"] = [&](const fake::HostLaunch& launch) {
        fake::twice(launch);
        const auto n = launch.scalar<std::uint64_t>(2);
        if (launch.program->floats.contract) {
            sizes.insert(n);
            *(launch.buffer<float>(1).data() + n) = 1;
        } else {
            small_launches += n == 5;
        }
    };
    const Explanation e = found();
    for (const Trial& trial : trials_of(e, "contraction allowed")) {
        EXPECT_EQ(trial.status, TrialStatus::wrong);
    }
    EXPECT_THAT(sizes, ElementsAre(5u)) << "two work-groups of the smallest size that has several";
    const auto measured = std::ranges::count(e.trials, TrialStatus::measured, &Trial::status);
    ASSERT_GT(measured, 10);
    EXPECT_LT(small_launches, 4 * measured) << "sides that stay are not verified once more";
}

TEST_F(Explaining, AFaultIsTriedOnce) {
    request_.all_knobs = true;
    request_.budget_seconds = 100;
    // In the first look, and at full size alone; of a change that gains, and of one that does not.
    for (const std::uint64_t from : {1u, 100u}) {
        unsigned faults = 0, opened = b_->opened;
        b_->seconds_of = [](const Program& p) {
            return 1.2e-3 * (p.floats.flush_denormals ? 0.93 : 1) *
                   (has(p, "--maxrregcount=64") ? 0.92 : 1);
        };
        a_->kernels["twice"] = b_->kernels["twice"] = [&](const fake::HostLaunch& launch) {
            if (launch.program->floats.contract && launch.program->floats.exact_division &&
                launch.scalar<std::uint64_t>(2) >= from) {
                ++faults;
                throw DeviceError("An illegal address.");
            }
            fake::twice(launch);
        };
        const Explanation e = found();
        EXPECT_EQ(faults, 1u);
        EXPECT_EQ(b_->opened, opened + 2) << "once for all, and once after the fault";
        std::size_t failed = 0;
        for (const Trial& trial : e.trials) {
            if (trial.setting.find("contraction allowed") == std::string::npos) continue;
            if (trial.status == TrialStatus::failed) {
                ++failed;
                continue;
            }
            EXPECT_EQ(trial.status, TrialStatus::skipped);
            EXPECT_EQ(trial.reason, "It failed in a launch when it was tried on CUDA.");
        }
        EXPECT_EQ(failed, 1u);
        EXPECT_EQ(trials_of(e, "contraction allowed").size(), 2u) << "skipped on the other side";
        EXPECT_THAT(e.conclusion.not_tried,
                    Contains(AllOf(HasSubstr("contraction"), HasSubstr("An illegal address"))));
        EXPECT_THAT(e.conclusion.not_tried, Not(Contains(HasSubstr("budget"))));
        EXPECT_EQ(a_->live_bytes + b_->live_bytes, 0u);
        kept_.clear();
    }
}

TEST_F(Explaining, WhatWasBuiltBeforeAFaultIsNotUsedAfterIt) {
    // Stages come last where preparing is slow, on devices that were opened since.
    for (const auto& script : {a_, b_}) {
        script->before = [is_first = true](std::string_view call) mutable {
            if (call == "compile" && std::exchange(is_first, false)) ScriptedClock::advance(4.9);
        };
    }
    mended_by("--maxrregcount=128");
    b_->kernels["twice"] = [](const fake::HostLaunch& launch) {
        if (has(*launch.program, "--maxrregcount=64")) throw DeviceError("An illegal address.");
        fake::twice(launch);
    };
    request_.budget_seconds = 60;
    std::vector<std::string> told;
    const Explanation e = explain(request_, config_, run_info_,
                                  {.tell = [&](const std::string& what) { told.push_back(what); },
                                   .build_times = [](auto&&...) { return BuildTimes{}; }});
    const auto stages = std::ranges::find(told, "where the time goes");
    EXPECT_NE(std::find(told.begin(), stages, "--maxrregcount=64 on B"), stages);
    EXPECT_EQ(trial_of(e, "--maxrregcount=64").status, TrialStatus::failed);
    EXPECT_TRUE(e.conclusion.explained);
    ASSERT_FALSE(e.stages.empty());
    for (const Stage& stage : e.stages) {
        if (!stage.name.starts_with("to the device")) continue;
        EXPECT_TRUE(stage.seconds.a && stage.seconds.b) << stage.name << ": " << stage.note;
    }
}

TEST_F(Explaining, EqualCodeIsNotTimed) {
    b_->seconds_per_run = 1.2e-3;
    unsigned others = 0;
    b_->ptx_of = [](const Program&) { return ptx_of({}); };
    b_->seconds_of = [&](const Program& p) {
        others += p.floats.contract;
        return 1.2e-3;
    };
    const Explanation e = found();
    for (const Trial& trial : trials_of(e, "contraction allowed")) {
        if (trial.side != KnobSide::b) continue;
        EXPECT_EQ(trial.status, TrialStatus::no_effect);
        EXPECT_FALSE(trial.ratio);
    }
    EXPECT_EQ(others, 0u);
    EXPECT_THAT(e.conclusion.ruled_out, Contains(HasSubstr("the same code")));
    const Trial cap = trial_of(e, "--maxrregcount=64");
    EXPECT_EQ(cap.status, TrialStatus::measured) << "equal PTX may be assembled otherwise";
}

TEST_F(Explaining, WithoutAGapNoKnobIsTurned) {
    const Explanation e = found();
    EXPECT_EQ(e.verdict, Verdict::same);
    EXPECT_FALSE(e.conclusion.has_gap);
    EXPECT_THAT(e.trials, IsEmpty());
    EXPECT_THAT(e.conclusion.not_tried, Contains(HasSubstr("Knobs")));
}

TEST_F(Explaining, OneEntryTwiceShowsWhatKnobsDo) {
    request_.a = request_.b;
    b_->seconds_of = [](const Program& p) { return has(p, "--use_fast_math") ? 0.5e-3 : 1e-3; };
    const Explanation e = found();
    EXPECT_EQ(e.verdict, Verdict::same);
    EXPECT_FALSE(e.conclusion.explained);
    ASSERT_FALSE(e.trials.empty());
    EXPECT_EQ(e.trials.at(0).setting, "--use_fast_math") << "the fastest first";
    EXPECT_NEAR(*e.trials.at(0).own_change, 0.5, 1e-6);
    EXPECT_EQ(e.trials.at(0).side, KnobSide::b);
    EXPECT_FALSE(e.trials.at(0).closed);
    EXPECT_THAT(e.conclusion.ruled_out, Not(Contains(HasSubstr("relaxed"))));
    EXPECT_THAT(e.conclusion.ruled_out, Contains(HasSubstr("register cap")));
}

TEST_F(Explaining, WithOneDeviceKnobsComeBeforeStagesWhereBuildingIsSlow) {
    const ScriptedClock clock(1e-4);
    request_.a = request_.b;
    request_.budget_seconds = 12;
    b_->before = [](std::string_view call) {
        if (call == "compile") ScriptedClock::advance(1);
    };
    const Explanation e = explain(request_, config_, run_info_, {.build_times = [](auto&&...) {
                                      ScriptedClock::advance(8);
                                      return BuildTimes{};
                                  }});
    EXPECT_GT(std::ranges::count(e.trials, TrialStatus::measured, &Trial::status), 5);
    EXPECT_LT(e.took_seconds, request_.budget_seconds);
}

TEST_F(Explaining, AQueueWithoutProfilingIsTimedThoughTheCodeIsTheSame) {
    request_.a = request_.b = find_devices(backends_).entries.at(0);
    a_->seconds_per_run = 1e-5;
    const Explanation e = found();
    EXPECT_EQ(trial_of(e, "a queue without profiling").status, TrialStatus::measured);
    EXPECT_TRUE(e.launching == false && e.conclusion.has_gap == false);
    EXPECT_THAT(answer_in_words(e), HasSubstr("Both sides are opencl:0"));
}

TEST_F(Explaining, WhatItsOwnTimeBecomesIsSeenAgainstTheOtherSide) {
    // Both get slower and slower, as a device that grows warm.
    unsigned runs = 0;
    const auto warming = [&runs] { return 1 + 1e-4 * ++runs; };
    a_->seconds_of = [&](const Program&) { return 1e-3 * warming(); };
    b_->seconds_of = [&](const Program& p) {
        return (has(p, "--use_fast_math") ? 1e-3 : 1.2e-3) * warming();
    };
    EXPECT_NEAR(*trials_of(found(), "--use_fast_math").at(0).own_change, 1 / 1.2, 5e-3);
}

TEST_F(Explaining, ASideThatIsWrongLeavesNothingToExplain) {
    b_->kernels["twice"] = [](const fake::HostLaunch&) {};
    try {
        explain(request_, config_, run_info_, {});
        FAIL();
    } catch (const NothingToExplain& error) {
        EXPECT_EQ(error.status, Status::wrong);
        EXPECT_THAT(error.what(), HasSubstr("cuda:0 is wrong"));
    }
}

TEST_F(Explaining, ASideThatCannotLeavesNothingToExplain) {
    request_.the_case.variant = &suites()[0].variants[2];
    for (const bool open : {false, true}) {
        if (open) request_.the_case.shape = {};
        try {
            explain(request_, config_, run_info_, {});
            FAIL();
        } catch (const NothingToExplain& error) {
            EXPECT_EQ(error.status, Status::unsupported);
            EXPECT_THAT(error.what(), HasSubstr("opencl:0 is unsupported"));
        }
    }
}

TEST_F(Explaining, ASideThatFailsLeavesNothingToExplain) {
    // In verification, alternately, and where the size is open.
    for (const unsigned late : {1u, 40u, 0u}) {
        if (late == 0) request_.the_case.shape = {};
        unsigned runs = 0;
        b_->before = [&](std::string_view call) {
            if (call == "run" && ++runs >= late) throw DeviceError("It fell off.");
        };
        try {
            explain(request_, config_, run_info_, {});
            FAIL() << late;
        } catch (const NothingToExplain& error) {
            EXPECT_EQ(error.status, Status::failed);
            EXPECT_THAT(error.what(), HasSubstr("cuda:0 failed"));
            EXPECT_THAT(error.what(), HasSubstr("It fell off."));
        }
    }
}

TEST_F(Explaining, ABuildThatFailsHasItsLog) {
    a_->ptx_of = [](const Program&) -> std::string {
        throw BuildFailed("It did not compile.", "line 1: error", "text");
    };
    try {
        explain(request_, config_, run_info_, {});
        FAIL();
    } catch (const NothingToExplain& error) {
        EXPECT_THAT(error.what(), HasSubstr("opencl:0 failed"));
        EXPECT_EQ(error.log, "line 1: error");
    }
}

TEST_F(Explaining, ASizeThatIsTooLargeLeavesNothingToExplain) {
    request_.the_case.shape = {{std::uint64_t{1} << 31}};
    try {
        explain(request_, config_, run_info_, {});
        FAIL();
    } catch (const NothingToExplain& error) {
        EXPECT_EQ(error.status, Status::unsupported);
        EXPECT_THAT(error.what(), HasSubstr("-n"));
    }
}

TEST_F(Explaining, WithoutASizeOneIsChosenThatCanBeJudged) {
    request_.the_case.shape = {};
    EXPECT_EQ(found().key.shape, std::vector<std::uint64_t>{100000})
        << "the largest, without ceilings";
}

TEST_F(Explaining, ASizeIsChosenWhereAConstantFollowsIt) {
    Suite suite = *request_.the_case.suite;
    suite.constants.push_back(
        {.name = "LENGTH", .most = 1000000, .meaning = "the size", .follows = [](const Case& c) {
             return static_cast<std::int64_t>(c.shape[0]);
         }});
    request_.the_case = make_case(suite, suite.variants[0], suite.shapes.front(), ElementType::f32);
    request_.the_case.shape = {};
    EXPECT_EQ(found().key.shape, std::vector<std::uint64_t>{100000});
}

TEST_F(Explaining, NoBudgetCountsWhatItWaitsForAnotherRun) {
    for (Entry* const entry : {&request_.a, &request_.b}) entry->info.is_gpu = true;
    b_->seconds_per_run = 1.2e-3;
    const TemporaryFolder folder("turns");
    const std::string file =
        (folder.path() / ("parallax-" + to_string(Uuid{1}) + ".lock")).string();
    const int another = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    ASSERT_EQ(flock(another, LOCK_EX | LOCK_NB), 0);
    config_.locks = {.folder = folder.path(), .waits = false};
    config_.locks.check_interrupt = [] { throw std::runtime_error("it waits"); };
    EXPECT_THROW(explain(request_, config_, run_info_, {}), DeviceBusy);

    config_.locks.waits = true;
    request_.budget_seconds = 100;
    unsigned interim_analyses = 0;
    config_.locks.check_interrupt = [&] {
        ScriptedClock::advance(1000);
        if (++interim_analyses == 3) flock(another, LOCK_UN);
    };
    const Explanation e = found();
    EXPECT_EQ(interim_analyses, 3u) << "it waits once, for all that it times";
    EXPECT_EQ(flock(another, LOCK_EX | LOCK_NB), 0) << "its turn ends with it";
    close(another);
    ASSERT_FALSE(e.trials.empty());
    for (const Trial& trial : e.trials) EXPECT_THAT(trial.reason, Not(HasSubstr("--budget")));
}

TEST_F(Explaining, ABudgetThatEndsIsSaidSo) {
    b_->seconds_per_run = 1.2e-3;
    request_.budget_seconds = 1e-6;
    const Explanation e = found();
    EXPECT_TRUE(e.conclusion.has_gap);
    ASSERT_FALSE(e.trials.empty());
    for (const Trial& trial : e.trials) {
        EXPECT_EQ(trial.status, TrialStatus::skipped);
        EXPECT_THAT(trial.reason, HasSubstr("--budget"));
    }
    EXPECT_THAT(e.conclusion.not_tried, Contains(HasSubstr("budget")));
    EXPECT_THAT(trials_of(e, "#pragma unroll 1 on all loops"), testing::SizeIs(2));
    EXPECT_THAT(trials_of(e, "one more column in local arrays"), IsEmpty())
        << "the text has no local array, so there is nothing to skip";
    EXPECT_THAT(e.conclusion.ruled_out, IsEmpty());
    EXPECT_FALSE(e.conclusion.explained);
}

TEST_F(Explaining, ABudgetThatEndsSaysWhatItWasSpentOnAndHowMuchIsNeeded) {
    b_->seconds_per_run = 1.2e-3;
    for (const auto& script : {a_, b_}) {
        script->before = [](std::string_view call) {
            if (call == "compile") ScriptedClock::advance(0.5);
        };
    }
    request_.budget_seconds = 10;
    const Explanation e = found();
    const auto skipped = std::ranges::count_if(e.trials, lacks_budget);
    ASSERT_GT(skipped, 5);
    const std::string more = larger_budget(e);
    EXPECT_GT(e.needed_seconds, 10 + 0.5 * static_cast<double>(skipped));
    EXPECT_THAT(e.conclusion.not_tried,
                Contains(AllOf(HasSubstr(": the budget had ended after building "),
                               HasSubstr(" s of 10 s; " + more + " would do"))));
    EXPECT_THAT(e.answer, HasSubstr("look again with " + more));
    for (const Trial& trial : e.trials) {
        if (lacks_budget(trial)) {
            EXPECT_EQ(trial.reason, "The budget had ended; " + more + " would do.");
        }
    }
    kept_.clear();
    request_.budget_seconds = std::ceil(e.needed_seconds);
    const Explanation again = found();
    EXPECT_EQ(std::ranges::count_if(again.trials, lacks_budget), 0) << again.needed_seconds;
    EXPECT_EQ(again.needed_seconds, 0);
}

TEST(SpentTime, IsThatOfTheCommandSinceItBegan) {
    const auto spend = [](Phase phase, double seconds) {
        const InPhase in(phase);
        ScriptedClock::advance(seconds);
    };
    for (const bool is_timed : {true, false}) {
        Profile all;
        const Profiled profiled(is_timed ? &all : nullptr);
        spend(Phase::building, 7);
        const SpentTime spent;
        spend(Phase::timing, 2);
        spend(Phase::translating, 0.5);
        spend(Phase::building, 1);
        spend(Phase::verification, 0.7);
        spend(Phase::other, 0.1);
        EXPECT_EQ(spent.in_words(), "timing 2.00 s, building 1.50 s, verification 702 ms");
    }
}

TEST_F(Explaining, APlantedGapIsNamedOnItsSide) {
    PlantedGap gap{.name = "toy",
                   .what = "a slow option",
                   .suite = "toy",
                   .variant = "plain",
                   .shape = {{100}},
                   .backend = "opencl",
                   .plant = [](Configuration& s) { s.program.floats.contract = true; },
                   .knobs = {"contraction"}};
    request_.planted = &gap;
    a_->seconds_of = [](const Program& p) { return p.floats.contract ? 1.2e-3 : 1e-3; };
    const Explanation e = found();
    EXPECT_EQ(e.planted.a, "a slow option");
    EXPECT_EQ(e.planted.b, "");
    EXPECT_EQ(kept_.size(), 1u) << "no records of a case that was not written";
    EXPECT_EQ(e.trials.at(e.conclusion.by.at(0)).setting, "contraction forbidden");
    kept_.clear();
    gap.on_other = true;
    const Explanation other = found();
    EXPECT_EQ(other.planted.a, "");
    EXPECT_EQ(other.planted.b, "a slow option");
}

TEST_F(Explaining, RecordsPairAndExplanationAreKept) {
    mended_by("--use_fast_math");
    found();
    ASSERT_EQ(kept_.size(), 4u);
    EXPECT_EQ(kept_[0]["side"], "a");
    EXPECT_EQ(kept_[0]["status"], "ok");
    EXPECT_EQ(kept_[1]["side"], "b");
    EXPECT_TRUE(std::holds_alternative<Pair>(read_line(kept_[2]).line));
    EXPECT_TRUE(std::holds_alternative<Explanation>(read_line(kept_[3]).line));
    for (const Json& line : kept_) EXPECT_EQ(line["run"]["id"], "one");
    ResultSet set;
    for (const Json& line : kept_) set.take(read_line(line).line);
    EXPECT_EQ(set.records.size(), 2u);
    EXPECT_EQ(set.explanations.size(), 1u);
}

TEST_F(Explaining, InterruptedGetsOut) {
    unsigned calls = 0;
    config_.check_interrupt = [&] {
        if (++calls == 20) throw Interrupted();
    };
    EXPECT_THROW(explain(request_, config_, run_info_, {}), Interrupted);
    EXPECT_EQ(a_->live_bytes + b_->live_bytes, 0u);
}

TEST_F(Explaining, InterruptedKeepsWhatItHas) {
    mended_by("--use_fast_math");
    unsigned calls = 0, last = 0;
    config_.check_interrupt = [&] {
        if (++calls == last) throw Interrupted();
    };
    request_.all_knobs = true;
    const std::size_t all = found().trials.size();
    last = calls / 2;
    calls = 0;
    kept_.clear();
    EXPECT_THROW(found(), Interrupted);
    ASSERT_EQ(kept_.size(), 4u) << "two records, the pair, the explanation";
    const ResultEntry line = read_line(kept_[3]).line;
    ASSERT_TRUE(std::holds_alternative<Explanation>(line));
    const Explanation& e = std::get<Explanation>(line);
    EXPECT_THAT(e.conclusion.not_tried, Contains(HasSubstr("it was interrupted")));
    EXPECT_THAT(e.trials.size(), AllOf(testing::Gt(0u), testing::Lt(all)));
    EXPECT_NE(e.answer, "");
}

TEST_F(Explaining, GainsAreAtMostThreeAndVerified) {
    // No single change closes the gap of 1.02 and more; all together make B faster.
    b_->seconds_of = [](const Program& p) {
        return 1.04e-3 * (p.floats.contract ? 0.8 : 1) * (p.floats.flush_denormals ? 0.9 : 1) *
               (has(p, "--maxrregcount=64") ? 0.76 : 1) *
               (has(p, "--maxrregcount=128") ? 0.77 : 1) *
               (has(p, "--ptxas-options=-O3") ? 0.7 : 1);
    };
    b_->kernels["twice"] = [](const fake::HostLaunch& launch) {
        fake::twice(launch);
        // Only the whole verification tries 17 elements.
        if (has(*launch.program, "--ptxas-options=-O3") && launch.scalar<std::uint64_t>(2) == 17) {
            launch.buffer<float>(1).back() += 1;
        }
    };
    const Explanation e = found();
    std::vector<std::string> gains;
    for (const std::size_t i : e.conclusion.gains) gains.push_back(e.trials.at(i).setting);
    EXPECT_THAT(gains, ElementsAre("--maxrregcount=64", "contraction allowed"))
        << "one position of a knob, no trades, nothing wrong";
}

TEST_F(Explaining, WhatExplainedTheCaseElsewhereIsTriedFirst) {
    mended_by("--use_fast_math");
    b_->seconds_of = [](const Program& p) { return p.floats.contract ? 1e-3 : 1.2e-3; };
    request_.candidates = {"contraction allowed"};
    const Explanation e = found();
    EXPECT_TRUE(e.conclusion.explained);
    EXPECT_THAT(trials_of(e, "--ptxas-options=-O3"), IsEmpty()) << "it would come earlier";
}

TEST_F(Explaining, WhatThePtxDiffersInIsTriedFirst) {
    // One of them is fused by itself, and both have the knobs of indices before that.
    for (const auto& [script, fused] : {std::pair{a_, true}, {b_, false}}) {
        script->ptx_of = [fused](const Program& p) {
            std::string ptx = ptx_of(p);
            const char* body = fused || p.floats.contract
                                   ? "{\nfma.rn.f32 %f1;\nfma.rn.f32 %f1;\nfma.rn.f32 %f1;\n"
                                   : "{\nmul.f32 %f1;\nmul.f32 %f1;\nmul.f32 %f1;\n";
            return ptx.replace(ptx.find("{\n"), 2, body);
        };
    }
    b_->seconds_of = [](const Program& p) { return p.floats.contract ? 1e-3 : 1.2e-3; };
    const Explanation e = found();
    ASSERT_TRUE(e.conclusion.explained) << e.answer;
    EXPECT_EQ(e.trials.at(e.conclusion.by.front()).setting, "contraction allowed");
    EXPECT_THAT(trials_of(e, "--ptxas-options=-O3"), IsEmpty()) << "it would come earlier";
}

/// The settings that were tried on side B, in order.
std::vector<std::string> tried_in_order(const ExplainRequest& request, const RunConfig& config,
                                        const RunInfo& run) {
    std::vector<std::string> told;
    explain(request, config, run, {.tell = [&](const std::string& what) {
                const auto side = what.find(" on B");
                if (side != what.npos) told.push_back(what.substr(0, side));
            }});
    return told;
}

TEST_F(Explaining, ASettingThatOnlyTheSlowerSideHasIsTriedFirst) {
    // Division is exact on B alone; to make it as A's costs nothing that A has.
    PlantedGap gap{.name = "toy",
                   .what = "exact division",
                   .base = [](Configuration& s) { s.program.floats.exact_division = false; },
                   .backend = "cuda",
                   .plant = [](Configuration& s) { s.program.floats.exact_division = true; },
                   .knobs = {"exact division"}};
    request_.planted = &gap;
    b_->seconds_of = [](const Program& p) { return p.floats.exact_division ? 1.2e-3 : 1e-3; };
    const Explanation e = found();
    ASSERT_TRUE(e.conclusion.explained) << e.answer;
    EXPECT_EQ(e.trials.at(e.conclusion.by.front()).setting, "fast division and square root");
    EXPECT_EQ(e.trials.size(), 1u) << "the first that is tried, and enough";

    gap.base = nullptr;
    gap.plant = [](Configuration& s) { s.program.options.emplace_back("--maxrregcount=16"); };
    b_->seconds_of = [](const Program& p) { return has(p, "--maxrregcount=16") ? 1.2e-3 : 1e-3; };
    EXPECT_EQ(tried_in_order(request_, config_, run_info_).front(), "no --maxrregcount");
}

TEST_F(Explaining, ARegisterCapThatChangesNoRegistersIsNoCause) {
    mended_by("--maxrregcount=64");
    for (const bool changes : {true, false}) {
        b_->registers_of = [changes](const Program& p) {
            return changes && has(p, "--maxrregcount=64") ? 40u : 32u;
        };
        const Explanation e = found();
        EXPECT_EQ(e.conclusion.explained, changes) << e.answer;
        EXPECT_THAT(trials_of(e, "--maxrregcount=64"), Not(IsEmpty()));
        kept_.clear();
    }
}

TEST_F(Explaining, RemediesSpeakOfTheSlowerSidesCompiler) {
    b_->seconds_of = [](const Program& p) { return p.floats.contract ? 1e-3 : 1.2e-3; };
    EXPECT_EQ(found().conclusion.remedy,
              "Say fma() in the source, or allow contraction (--fmad=true).");
    kept_.clear();
    b_->seconds_of = nullptr;
    a_->seconds_of = [](const Program& p) { return p.floats.contract ? 1e-3 : 1.2e-3; };
    EXPECT_EQ(found().conclusion.remedy,
              "Say fma() in the source, or allow contraction (#pragma OPENCL FP_CONTRACT ON).");
}

TEST_F(Explaining, ConstantsOfTheOtherSideAreTriedFirst) {
    Outcome here, there;
    here.program.constants = {{"ALIGN", 4}, {"TILE", 32}};
    there.program.constants = {{"ALIGN", 16}, {"TILE", 32}};
    Configuration before, changed;
    EXPECT_FALSE(is_nearer(changed, before, here, there));
    changed.constants = {{"TILE", 64}};
    EXPECT_FALSE(is_nearer(changed, before, here, there));
    changed.constants = {{"ALIGN", 16}};
    EXPECT_TRUE(is_nearer(changed, before, here, there));
    EXPECT_FALSE(is_nearer(changed, before, there, there));
}

TEST_F(Explaining, InstructionsOfTheSlowerSideSayWhichKnobsComeFirst) {
    const auto outcome = [](const std::string& instructions) {
        Outcome o;
        auto code = std::make_shared<Code>();
        code->ptx = ".visible .entry twice()\n{\n" + instructions + "ret;\n}\n";
        o.codes["twice"] = std::move(code);
        return o;
    };
    const auto likelihood = [&](const std::string& slow, const std::string& fast,
                                std::string_view knob) {
        return PtxSigns(outcome(slow), outcome(fast)).of(knob);
    };
    using enum Likelihood;
    const std::string divided = "div.rn.f32 %f1, %f2, %f3;\n",
                      fast = "div.full.f32 %f1, %f2, %f3;\n";
    EXPECT_EQ(likelihood(divided, fast, "exact division"), by_ptx);
    EXPECT_EQ(likelihood(fast, divided, "exact division"), unknown) << "the faster side has it";
    EXPECT_EQ(likelihood(divided, divided, "exact division"), unknown);
    // Of many classes that differ, this one counts even with few instructions.
    const std::string doubles = "div.rn.f64 %fd1, %fd2, %fd3;\n";
    EXPECT_EQ(likelihood(doubles, divided, "doubles"), by_ptx);
    EXPECT_EQ(likelihood(doubles, divided, "exact division"), unknown);
    EXPECT_EQ(likelihood("ld.volatile.shared.f32 %f1, [%r1];\n", "ld.shared.f32 %f1, [%r1];\n",
                         "volatile"),
              by_ptx);
    EXPECT_EQ(
        likelihood("ld.shared.f32 %f1, [%r1];\n", "ld.shared.v4.f32 {%f1}, [%r1];\n", "alignment"),
        by_ptx);
    EXPECT_EQ(likelihood("bra $L;\nbra $L;\nbra $L;\n", "bra $L;\n", "unrolling"), perhaps);
}

TEST(ConstantsInGlobal, AreDeclaredAndLoadedThere) {
    EXPECT_EQ(with_constants_in_global(
                  ".visible .const .align 4 .b8 table[8] = {1, 0, 0, 0, 2};\n"
                  ".visible .entry f(\n.param .u64 f_param_0\n)\n{\nmov.u64 %rd1, table;\n"
                  "ld.const.u32 %r1, [%rd1+4];\nld.const.v2.u32 {%r2, %r3}, [table];\n}\n"),
              ".visible .global .align 4 .b8 table[8] = {1, 0, 0, 0, 2};\n"
              ".visible .entry f(\n.param .u64 f_param_0\n)\n{\nmov.u64 %rd1, table;\n"
              "ld.global.nc.u32 %r1, [%rd1+4];\nld.global.nc.v2.u32 {%r2, %r3}, [table];\n}\n");
    const std::string without = ".visible .entry f(\n.param .u64 .ptr .const f_param_0\n)\n{\n}\n";
    EXPECT_EQ(with_constants_in_global(without), without);
}

/// A case with transfers, queues and host memory, timed by what the host does.
class Hosting : public Explaining {
protected:
    Variant variant_ = suites()[0].variants[0];

    void plan_of_two_queues() {
        variant_.plan = [](const Case& c) {
            Plan plan;
            plan.buffers = {{"x", Role::input, c.type, c.shape[0]},
                            {"y", Role::output, c.type, c.shape[0]},
                            {"more", Role::scratch, c.type, c.shape[0]}};
            const auto twice = [&](std::size_t to) {
                return Launch{"twice",
                              {{divide_up(c.shape[0], 4), 1, 1}, {4, 1, 1}},
                              {BufferIndex{0}, BufferIndex{to}, c.shape[0]}};
            };
            plan.steps = {{twice(1), 0}, {twice(2), 1}};
            return plan;
        };
        request_.the_case.variant = &variant_;
    }
    static bool has_two_queues(std::span<const Command> commands) {
        return !is_one_queue(commands);
    }
    static bool tried_kernel_knobs(const Explanation& e) {
        return std::ranges::any_of(
            e.trials, [](const Trial& t) { return !knob_named(t.knobs.front()).of_host; });
    }
};

TEST_F(Hosting, WhatQueuesCostIsNoKnobOfTheKernel) {
    plan_of_two_queues();
    // Alone the kernels take 3 ms on both sides. Profiling keeps A's queues apart.
    a_->seconds_of_commands = [](std::span<const Command> commands, const OpenOptions& how) {
        return has_two_queues(commands) && !how.profiling ? 1e-3 : 3e-3;
    };
    b_->seconds_of_commands = [](std::span<const Command> commands, const OpenOptions&) {
        return has_two_queues(commands) ? 1e-3 : 3e-3;
    };
    const Explanation e = found();
    ASSERT_EQ(e.origin.size(), 2u);
    EXPECT_EQ(e.origin.at(0).name, "queues, memory and launches");
    EXPECT_NEAR(*e.origin.at(0).share, 1, 1e-6);
    EXPECT_FALSE(tried_kernel_knobs(e));
    EXPECT_THAT(e.conclusion.not_tried, Contains(HasSubstr("Knobs of the kernel: the gap is not")));
    ASSERT_TRUE(e.conclusion.explained);
    const Trial& best = e.trials.at(e.conclusion.by.at(0));
    EXPECT_EQ(best.setting, "a queue without profiling");
    EXPECT_EQ(best.side, KnobSide::a);
    EXPECT_NEAR(best.closes, 1, 1e-3) << "both timed by the host, as the gap is that it closes";
    EXPECT_NEAR(*best.own_change, 1.0 / 3, 1e-3);
    EXPECT_THAT(e.conclusion.remedy, HasSubstr("CL_QUEUE_PROFILING_ENABLE"));
    EXPECT_LE(std::ranges::count(e.answer, ' '), 59) << e.answer;
}

TEST_F(Hosting, TheHostsTimerIsNotCountedAsAGain) {
    plan_of_two_queues();
    // By the host's timer the two are the same, whatever is changed.
    a_->seconds_of_commands = [](std::span<const Command>, const OpenOptions& how) {
        return how.is_timed_by_host() ? 1e-3 : 2e-3;
    };
    b_->seconds_of_commands = [](std::span<const Command>, const OpenOptions&) { return 1e-3; };
    const Explanation e = found();
    EXPECT_THAT(trials_of(e, "a queue without profiling"), Not(IsEmpty()));
    EXPECT_FALSE(e.conclusion.explained) << e.answer;
}

TEST_F(Hosting, AQueueThatRunsOneAfterTheOtherHasNoRemedyAndIsSaidSo) {
    plan_of_two_queues();
    a_->seconds_per_run = 3e-3;
    b_->seconds_of_commands = [](std::span<const Command> commands, const OpenOptions&) {
        return has_two_queues(commands) ? 1e-3 : 3e-3;
    };
    const Explanation e = found();
    EXPECT_FALSE(e.conclusion.explained);
    EXPECT_THAT(e.conclusion.by, IsEmpty());
    EXPECT_THAT(e.conclusion.where,
                HasSubstr("whether queues run side by side: the faster side, with one queue, in "
                          "order, is as slow as the other."));
    EXPECT_FALSE(tried_kernel_knobs(e));
    EXPECT_THAT(e.answer, HasSubstr("Not explained"));
}

TEST_F(Hosting, AGapThatStaysOnTheDeviceIsTheKernels) {
    plan_of_two_queues();
    a_->seconds_of = [](const Program& p) { return p.floats.contract ? 1e-3 : 3e-3; };
    b_->seconds_per_run = 1e-3;
    const Explanation e = found();
    EXPECT_THAT(e.conclusion.ruled_out,
                Contains(HasSubstr("queues, memory and launches: 0 % of ")));
    ASSERT_TRUE(e.conclusion.explained);
    EXPECT_EQ(e.trials.at(e.conclusion.by.at(0)).setting, "contraction allowed");
}

TEST_F(Hosting, ManyTransfersAreFoundAndNoKernelIsBlamed) {
    variant_.plan = [](const Case& c) {
        Plan plan;
        plan.buffers = {{"x", Role::input, c.type, c.shape[0], Placement::page_locked},
                        {"y", Role::output, c.type, c.shape[0]}};
        const std::uint64_t bytes = c.shape[0] * size_of(c.type);
        for (std::uint64_t at = 0; at < bytes; at += 4) {
            plan.steps.emplace_back(CopyBuffer{{0}, {1}, at, at, 4});
        }
        return plan;
    };
    Suite suite = suites()[0];
    suite.reference = [](const Case&, const std::vector<HostArray>& in) {
        std::vector<Expected> expected(1);
        expected[0].values = in[0].copy();
        return expected;
    };
    request_.the_case.suite = &suite;
    request_.the_case.variant = &variant_;
    a_->seconds_of_commands = [](std::span<const Command> commands, const OpenOptions&) {
        return 1e-4 * static_cast<double>(commands.size());
    };
    b_->seconds_per_run = 1e-4;
    const Explanation e = found();
    ASSERT_TRUE(e.conclusion.explained) << e.answer;
    EXPECT_EQ(e.trials.at(e.conclusion.by.at(0)).setting, "neighbouring transfers in one");
    EXPECT_FALSE(tried_kernel_knobs(e));
}

TEST_F(Hosting, PageableMemoryIsFound) {
    PlantedGap gap{.name = "toy",
                   .what = "pageable memory",
                   .backend = "opencl",
                   .plant =
                       [](Configuration& s) {
                           s.plan_changes.emplace_back(
                               [](Plan& plan) { plan.buffers[2].placement = Placement::pageable; });
                       },
                   .knobs = {"memory"}};
    request_.planted = &gap;
    variant_.plan = [plan = variant_.plan](const Case& c) {
        Plan made = plan(c);
        made.buffers.push_back({"back", Role::scratch, c.type, c.shape[0], Placement::page_locked});
        made.steps.emplace_back(CopyBuffer{{1}, {2}});
        return made;
    };
    request_.the_case.variant = &variant_;
    for (const auto& script : {a_, b_}) {
        script->seconds_of_commands = [](std::span<const Command> commands, const OpenOptions&) {
            const auto* copy = std::get_if<Copy>(&commands.back().what);
            return copy && copy->target->placement() == Placement::pageable ? 5e-3 : 1e-3;
        };
    }
    const Explanation e = found();
    ASSERT_TRUE(e.conclusion.explained) << e.answer;
    EXPECT_EQ(e.trials.at(e.conclusion.by.at(0)).setting, "page-locked host memory");
    EXPECT_THAT(e.conclusion.remedy, HasSubstr("cudaMallocHost"));
}

class Origins : public Explaining {
protected:
    Origins() {
        for (auto& backend : backends_) {
            auto& fake = dynamic_cast<fake::FakeBackend&>(*backend);
            fake.inventory.devices.at(0).features.insert("ptx");
        }
        const Devices devices = find_devices(backends_);
        request_.a = devices.entries.at(0);
        request_.b = devices.entries.at(1);
        request_.budget_seconds = 20;
        for (const auto& [script, front_end] :
             {std::pair{a_, "// by OpenCL\n"}, {b_, "// by NVRTC\n"}}) {
            script->ptx_of = [front_end](const Program& p) {
                if (p.language == Language::ptx) return p.source;
                return std::string(front_end) +
                       ".visible .entry twice(\n.param .u64 twice_param_0,\n"
                       ".param .u64 twice_param_1,\n.param .u64 twice_param_2\n)\n{\nret;\n}\n";
            };
        }
    }
    static bool by_opencl(const Program& p) {
        return p.source.find("by OpenCL") != std::string::npos;
    }
    static const OriginStep& step(const Explanation& e, std::string_view name) {
        const auto found = std::ranges::find(e.origin, name, &OriginStep::name);
        EXPECT_NE(found, e.origin.end()) << name;
        return found == e.origin.end() ? e.origin.front() : *found;
    }
};

TEST_F(Origins, WhatARunTimeCostsArisesAfterTheFrontEnd) {
    a_->seconds_per_run = 1.5e-3;
    b_->seconds_per_run = 1e-3;
    const Explanation e = found();
    EXPECT_EQ(e.why_no_origin, "");
    ASSERT_EQ(e.origin.size(), 4u);
    EXPECT_NEAR(*step(e, "run-time and back end").share, 1, 1e-6);
    EXPECT_NEAR(*step(e, "front end").share, 0, 1e-6);
    EXPECT_NEAR(*step(e, "back end").share, 0, 1e-6);
    EXPECT_NEAR(step(e, "front end, seen through OpenCL").ratio->value, 1, 1e-6);
    EXPECT_FALSE(step(e, "front end, seen through OpenCL").share);
}

TEST_F(Origins, WhatACompilerCostsArisesInTheFrontEnd) {
    // OpenCL's compiler makes code that is slower wherever it runs.
    a_->seconds_of = [](const Program& p) {
        return p.language == Language::ptx && !by_opencl(p) ? 1e-3 : 1.5e-3;
    };
    b_->seconds_of = [](const Program& p) {
        return p.language == Language::ptx && by_opencl(p) ? 1.5e-3 : 1e-3;
    };
    const Explanation e = found();
    ASSERT_EQ(e.origin.size(), 4u);
    EXPECT_NEAR(*step(e, "run-time and back end").share, 0, 1e-6);
    EXPECT_NEAR(*step(e, "front end").share, 1, 1e-6);
    EXPECT_NEAR(step(e, "front end, seen through OpenCL").ratio->value, 1 / 1.5, 1e-6);
}

TEST_F(Origins, WhatFailsElsewhereIsNotTriedHere) {
    a_->seconds_per_run = 1.5e-3;
    b_->seconds_per_run = 1e-3;
    std::vector<bool> asked;
    const Explanation e =
        explain(request_, config_, run_info_, {.try_exchange = [&](const Case&, bool is_b) {
                    asked.push_back(is_b);
                    return std::string("It died.");
                }});
    EXPECT_THAT(asked, ElementsAre(true, false));
    EXPECT_FALSE(step(e, "run-time and back end").ratio);
    EXPECT_EQ(step(e, "run-time and back end").reason, "It died.");
    EXPECT_FALSE(step(e, "front end").ratio);
    EXPECT_TRUE(step(e, "back end").ratio);
}

TEST_F(Origins, WhatIsTriedElsewhereIsTheExchangeAlone) {
    EXPECT_EQ(try_exchange(request_, config_, true), "");
    EXPECT_EQ(a_->runs, 0u) << "the side whose code it is has passed verification";
    const unsigned runs = b_->runs;
    EXPECT_GT(runs, 0u);
    b_->kernels["twice"] = [](const fake::HostLaunch&) {};
    EXPECT_THAT(try_exchange(request_, config_, true), HasSubstr("wrong"));
}

TEST_F(Origins, KnobsComeFirstWhereBuildingIsSlow) {
    for (const auto& [script, front_end] :
         {std::pair{a_, "// by OpenCL\n"}, {b_, "// by NVRTC\n"}}) {
        script->before = [](std::string_view call) {
            if (call == "compile") ScriptedClock::advance(1.2);
        };
        script->ptx_of = [front_end](const Program& p) {
            if (p.language == Language::ptx) return p.source;
            std::string ptx = front_end;
            for (const std::string& option : p.options) ptx += "// " + option + "\n";
            return ptx +
                   ".visible .entry twice(\n.param .u64 twice_param_0,\n"
                   ".param .u64 twice_param_1,\n.param .u64 twice_param_2\n)\n{\nret;\n}\n";
        };
    }
    mended_by("--ptxas-options=-O3");
    request_.budget_seconds = 15;
    std::vector<std::string> told;
    const Explanation e = explain(request_, config_, run_info_,
                                  {.tell = [&](const std::string& what) { told.push_back(what); },
                                   .build_times =
                                       [](const Entry&, const Case&) {
                                           ScriptedClock::advance(4);
                                           return BuildTimes{};
                                       },
                                   .try_exchange =
                                       [](const Case&, bool) {
                                           ScriptedClock::advance(3);
                                           return std::string();
                                       }});
    EXPECT_TRUE(e.conclusion.explained) << e.answer;
    EXPECT_THAT(e.conclusion.remedy, HasSubstr("--ptxas-options=-O3"));
    EXPECT_THAT(told, Contains(HasSubstr("--ptxas-options=-O3 on")));
    EXPECT_LT(e.took_seconds, 15);
    EXPECT_THAT(e.conclusion.not_tried, Contains(HasSubstr("Where the time goes: the budget had")));
}

TEST_F(Origins, WhatDoesMoreThanCloseIsTriedOnBothSides) {
    // Each API has its own word for it, and both gain: with it they are the same.
    for (const auto& [script, seconds] : {std::pair{a_, 1.43e-3}, {b_, 1e-3}}) {
        script->ptx_of = [](const Program& p) {
            if (p.language == Language::ptx) return p.source;
            return p.source +
                   ".visible .entry twice(\n.param .u64 twice_param_0,\n"
                   ".param .u64 twice_param_1,\n.param .u64 twice_param_2\n)\n{\nret;\n}\n";
        };
        script->seconds_of = [seconds](const Program& p) {
            return has(p, "-cl-nv-maxrregcount=64") || has(p, "--maxrregcount=64") ? 0.6e-3
                                                                                   : seconds;
        };
    }
    const Explanation e = found();
    EXPECT_FALSE(e.conclusion.explained) << "both gain: it is not what they differ in";
    EXPECT_THAT(e.answer, AllOf(HasSubstr("): with -cl-nv-maxrregcount=64 on both sides both gain "
                                          "(OpenCL takes 0.42 of its time, CUDA 0.60) and are "
                                          "alike. "),
                                HasSubstr("That change is not what they differ in."),
                                Not(HasSubstr("Not explained"))));
    ASSERT_FALSE(e.conclusion.gains.empty());
    EXPECT_NEAR(*e.trials.at(e.conclusion.gains.front()).own_change, 0.6 / 1.43, 1e-6);
}

TEST_F(Origins, AGainALittleLargerThanTheGapIsNamed) {
    // More than the gap where it is alone; the other gains a little by its own word for it.
    for (const auto& [script, slow, fast] :
         {std::tuple{a_, 1.43e-3, 0.95e-3}, {b_, 1e-3, 0.95e-3}}) {
        script->ptx_of = [](const Program& p) {
            if (p.language == Language::ptx) return p.source;
            return p.source +
                   ".visible .entry twice(\n.param .u64 twice_param_0,\n"
                   ".param .u64 twice_param_1,\n.param .u64 twice_param_2\n)\n{\nret;\n}\n";
        };
        script->seconds_of = [slow = slow, fast = fast](const Program& p) {
            return has(p, "-cl-nv-maxrregcount=64") || has(p, "--maxrregcount=64") ? fast : slow;
        };
    }
    const Explanation e = found();
    ASSERT_TRUE(e.conclusion.explained) << e.answer;
    EXPECT_EQ(e.trials.at(e.conclusion.by.front()).setting, "-cl-nv-maxrregcount=64");
}

TEST_F(Hosting, KnobsOfTheHostComeFirstWhereThereAreQueues) {
    plan_of_two_queues();
    a_->seconds_per_run = 1.3e-3;
    b_->seconds_per_run = 1e-3;
    std::vector<std::string> told;
    explain(request_, config_, run_info_,
            {.tell = [&](const std::string& what) { told.push_back(what); }});
    const auto place = [&](std::string_view what) {
        return std::ranges::find_if(told,
                                    [&](const std::string& one) { return one.starts_with(what); }) -
               told.begin();
    };
    EXPECT_LT(place("one queue, in order on"), place("contraction allowed on"));
    EXPECT_LT(place("contraction allowed on"), std::ssize(told));
}

TEST_F(Explaining, SlowCompilersLeaveTimeForTheAnswer) {
    for (const double seconds : {0.2, 1.2}) {
        for (const auto& script : {a_, b_}) {
            script->before = [seconds](std::string_view call) {
                if (call == "compile") ScriptedClock::advance(seconds);
            };
        }
        b_->seconds_per_run = 1.2e-3;
        request_.budget_seconds = 20;
        const Explanation e = found();
        EXPECT_LT(e.took_seconds, 20) << "compiling takes " << seconds;
        EXPECT_GT(std::ranges::count(e.trials, TrialStatus::measured, &Trial::status), 4);
        EXPECT_NE(e.answer, "");
        kept_.clear();
    }
}

}  // namespace
}  // namespace parallax::explain_test

// Tests that verification rejects every wrong kernel.
#include "measure/verification.hpp"

#include <bit>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"
#include "measure/run_case.hpp"
#include "measure/timed_inputs.hpp"
#include "measure/why_wrong.hpp"

namespace parallax::verification_test {
namespace {

using namespace fake;
using testing::HasSubstr;
using testing::Not;

class ExpectedFinding : public testing::Test {
protected:
    std::shared_ptr<Script> script_ = toy_script();
    FakeBackend backend_{script_};
    ReferenceCache references_{1 << 20};
    Case case_ = make_case(toy_suite(), toy_suite().variants[0], {{1000}}, ElementType::f32);

    RunConfig config_;

    RunConfig config() {
        RunConfig config = config_;
        config.kernel_source = [](std::string_view) { return std::string(toy_text); };
        config.references = &references_;
        config.seed = 7;
        config.rule.most_seconds = 0.5;
        return config;
    }
    Outcome run() {
        const auto device = backend_.open(backend_.inventory.devices.at(0));
        return run_case(*device, case_, {}, config());
    }
    /// Runs `plant` after the right kernel.
    void plant(const std::function<void(const HostLaunch&)>& plant) {
        script_->kernels["twice"] = [plant](const HostLaunch& launch) {
            twice(launch);
            plant(launch);
        };
    }
    void expect_wrong(std::string_view word) {
        const Outcome o = run();
        EXPECT_EQ(o.status, Status::wrong) << o.reason;
        EXPECT_FALSE(o.timing) << "measured although wrong";
        EXPECT_NE(o.reason.find(word), std::string::npos) << o.reason;
    }
};

TEST_F(ExpectedFinding, LetsARightKernelThrough) {
    const Outcome o = run();
    EXPECT_EQ(o.status, Status::ok) << o.reason;
    ASSERT_TRUE(o.checked);
    ASSERT_TRUE(o.timing);
    // 3 check shapes with 3 patterns, one on the shape itself, and the last launch of 3 rounds.
    EXPECT_EQ(o.checked->trials, 3u * 3 + 1 + 3);
    EXPECT_EQ(o.checked->shapes.size(), 4u);
    EXPECT_EQ(script_->live_bytes, 0u);
}

TEST(GateTrials, OfAKernelThatChangesItsInputsHaveRandomOnesAtItsOwnShape) {
    Suite suite = toy_suite();
    Variant& variant = suite.variants[0];
    const Case c = make_case(suite, variant, {{77}}, ElementType::f32);
    EXPECT_EQ(trials_of(c, false, true).back().the_case, c);
    EXPECT_EQ(trials_of(c, false, true).back().pattern.name, "integers");
    variant.plan = [plan = variant.plan](const Case& one) {
        Plan changed = plan(one);
        changed.buffers.at(1).role = Role::in_out;
        return changed;
    };
    EXPECT_EQ(trials_of(c, false, true).back().the_case, c);
    EXPECT_EQ(trials_of(c, false, true).back().pattern.name, "random");
}

TEST(GateTrials, WhereThereIsNoOtherShapeHaveRandomInputsToo) {
    Suite alone = toy_suite();
    alone.check_shapes.clear();
    const Case c = make_case(alone, alone.variants[0], {{1000}}, ElementType::f32);
    const std::vector<VerificationTrial> trials = trials_of(c, false, true);
    ASSERT_EQ(trials.size(), 2u);
    EXPECT_EQ(trials[0].pattern.name, "integers");
    EXPECT_EQ(trials[1].pattern.name, "random");
}

TEST(GateTrials, WithoutATimedLaunchHaveRandomInputsAtTheCasesOwnShape) {
    const Case c = make_case(toy_suite(), toy_suite().variants[0], {{1000}}, ElementType::f32);
    const std::vector<VerificationTrial> trials = trials_of(c, false, false);
    EXPECT_EQ(trials.back().the_case, c);
    EXPECT_EQ(trials.back().pattern.name, "random");
    EXPECT_EQ(trials[trials.size() - 2].the_case, c);
    EXPECT_EQ(trials[trials.size() - 2].pattern.name, "integers");
    EXPECT_EQ(trials_of(c, true, false).size(), trials_of(c, true, true).size()) << "a brief look";
}

TEST(GateTrials, OfAFirstLookAreOfTheSmallestShapeWithSeveralWorkGroups) {
    Suite suite = toy_suite();
    Case c = make_case(suite, suite.variants[0], {{17}}, ElementType::f32);
    EXPECT_EQ(on_smallest_check_shape(c)->shape, Shape{{5}});
    suite.constants.push_back(
        {.name = "LENGTH", .most = 1000000, .meaning = "the size", .follows = [](const Case& one) {
             return static_cast<std::int64_t>(one.shape[0]);
         }});
    c = make_case(suite, suite.variants[0], {{17}}, ElementType::f32);
    EXPECT_EQ(on_smallest_check_shape(c)->shape, Shape{{17}}) << "the code is built for it";
    suite.refuse = [](const Case& one) { return one.shape[0] == 17 ? "no" : ""; };
    EXPECT_EQ(on_smallest_check_shape(c)->shape, Shape{{5}});
    suite.check_shapes.clear();
    EXPECT_FALSE(on_smallest_check_shape(c));
}

TEST_F(ExpectedFinding, AFirstLookIsAtOneShape) {
    const auto device = backend_.open(backend_.inventory.devices.at(0));
    const Program program = program_of(case_, config(), "fake");
    Verifier verifier{*device, references_};
    verifier.is_first_look = true;
    const VerificationResult checked =
        verifier.verify(case_, program, build(*device, program, plan_of(case_)));
    EXPECT_TRUE(checked.right());
    EXPECT_THAT(checked.shapes, testing::ElementsAre(Shape{{5}}));
    EXPECT_THAT(checked.patterns, testing::ElementsAre("integers", "random"));
}

TEST_F(ExpectedFinding, WhatOnlyChecksTriesRandomInputsAtTheCasesOwnShape) {
    plant([](const HostLaunch& l) {
        const float first = l.buffer<float>(0)[0];
        if (l.buffer<float>(0).size() == 1000 && first != std::floor(first)) {
            l.buffer<float>(1)[7] = 0;
        }
    });
    const auto status = [&](bool only_checks) {
        RunConfig only = config();
        only.only_checks = only_checks;
        const auto device = backend_.open(backend_.inventory.devices.at(0));
        return build_and_verify(*device, case_, {}, only).status;
    };
    EXPECT_EQ(status(true), Status::wrong);
    EXPECT_EQ(status(false), Status::ok) << "the timed launches tell";
}

TEST_F(ExpectedFinding, OneWrongElement) {
    plant([](const HostLaunch& l) { l.buffer<float>(1)[0] += 0.5f; });
    expect_wrong("[0]");
}

TEST_F(ExpectedFinding, OneUlp) {
    plant([](const HostLaunch& l) {
        if (l.buffer<float>(1).size() == 1000) l.buffer<float>(1)[999] *= 1.0000001f;
    });
    expect_wrong("[999]");
}

TEST_F(ExpectedFinding, AnElementThatIsNotWritten) {
    script_->kernels["twice"] = [](const HostLaunch& l) {
        const auto n = l.scalar<std::uint64_t>(2);
        for (std::uint64_t i = 0; i + 1 < n; ++i) l.buffer<float>(1)[i] = 2 * l.buffer<float>(0)[i];
    };
    expect_wrong("[0]");
    expect_wrong("the kernel does not write it");
}

TEST_F(ExpectedFinding, LaunchesOfOneSizeShareTheirMemoryAndNothingInIt) {
    unsigned allocations = 0;
    script_->before = [&](std::string_view call) { allocations += call == "allocate"; };
    const auto device = backend_.open(backend_.inventory.devices.at(0));
    const Outcome right = build_and_verify(*device, case_, {}, config());
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    EXPECT_EQ(allocations, right.checked->shapes.size() * right.plan.buffers.size());
    // The previous launch's result is not used, even for the same inputs.
    const std::byte* last = nullptr;
    script_->kernels["twice"] = [&](const HostLaunch& l) {
        const auto* const own = std::as_bytes(l.buffer<float>(1)).data();
        if (std::exchange(last, own) != own) twice(l);
    };
    expect_wrong("1 of 1 element(s) wrong");
}

// A kernel may write values that happen to equal the poison.
TEST_F(ExpectedFinding, AWrittenElementThatHoldsThePoisonIsWritten) {
    for (const std::uint32_t bits : {0xffffffffU, 0xa5a5a5a5U}) {
        plant([=](const HostLaunch& l) { l.buffer<float>(1)[0] = std::bit_cast<float>(bits); });
        expect_wrong("[0]");
        EXPECT_EQ(run().reason.find("does not write"), std::string::npos) << run().reason;
    }
}

TEST_F(ExpectedFinding, LaunchesWithEqualInputsThatDifferAreSaidToDependOnOrder) {
    plant([](const HostLaunch& l) { l.buffer<float>(1)[0] += 1; });
    EXPECT_EQ(run().reason.find("equal inputs"), std::string::npos) << run().reason;
    plant([count = 0](const HostLaunch& l) mutable {
        l.buffer<float>(1)[0] += static_cast<float>(++count);
    });
    expect_wrong("with equal inputs gave other answers, so the order of work-items decides");
}

TEST_F(ExpectedFinding, WhatTheHostFillsLocalMemoryWithIsReadBeforeItIsWritten) {
    plant([](const HostLaunch& l) { l.buffer<float>(1)[0] = std::bit_cast<float>(0xfefdfefdU); });
    EXPECT_EQ(run().reason.find("local memory"), std::string::npos) << "no GPU fills it";
    backend_.inventory.devices.at(0).backend = "host";
    expect_wrong("the kernel reads it before it is written");
}

TEST(WhoseAnswer, HasAName) {
    EXPECT_EQ(whose_answer("opencl:0"), "opencl:0 has");
    EXPECT_EQ(whose_answer("itself"), "another launch on the same device has");
    EXPECT_EQ(whose_answer("reference kernel"), "right is");
    EXPECT_EQ(whose_answer(expected_data), "right is");
}

/// A suite whose inputs can be drawn again, as of a manifest.
class ChangedInputs : public ExpectedFinding {
protected:
    Suite suite_ = toy_suite();

    /// A manifest's source has no `T`.
    static void twice(const HostLaunch& l) {
        std::ranges::transform(l.buffer<float>(0), l.buffer<float>(1).begin(),
                               [](float x) { return 2 * x; });
    }
    ChangedInputs() {
        script_->kernels["twice"] = twice;
        suite_.manifest = "toy.json";
        suite_.text = [](std::string_view) { return std::string(toy_text); };
        suite_.tried_once = {{.name = drawn_again}};
        suite_.inputs = [inputs = suite_.inputs](const Case& c, const InputPattern& pattern,
                                                 std::uint64_t seed) {
            return inputs(c, pattern, pattern.name == drawn_again ? seed + 1 : seed);
        };
        case_ = make_case(suite_, suite_.variants[0], {{1000}}, ElementType::f32);
    }
};

TEST_F(ChangedInputs, AreOthersInEachRound) {
    std::set<float> first;
    script_->kernels["twice"] = [&](const HostLaunch& l) {
        twice(l);
        if (l.buffer<float>(0).size() == 1000) first.insert(l.buffer<float>(0)[0]);
    };
    const Outcome o = run();
    EXPECT_EQ(o.status, Status::ok) << o.reason;
    EXPECT_EQ(first.size(), 1u + 3 + 3) << "integers, and two sets of random numbers in each round";
    EXPECT_EQ(o.checked->changed, 1u + 3) << "at a check shape, and after each round";
    config_.check_rounds_up_to = 0;
    first.clear();
    EXPECT_EQ(run().status, Status::ok);
    EXPECT_EQ(first.size(), 2u) << "integers and one set: the host would take long for more";
}

TEST_F(ChangedInputs, AreNewInEachBatchWhereTheDeviceMakesThem) {
    suite_ = drawn_toy(*script_);
    case_ = make_case(suite_, suite_.variants[0], {{1000}}, ElementType::f32);
    std::set<float> first;
    unsigned made = 0, batches = 0;
    script_->kernels["twice"] = [&, twice = script_->kernels["twice"]](const HostLaunch& l) {
        twice(l);
        if (l.buffer<float>(0).size() == 1000) first.insert(l.buffer<float>(0)[0]);
    };
    suite_.inputs = [&, inputs = suite_.inputs](const Case& c, const InputPattern& pattern,
                                                std::uint64_t seed) {
        made += c.shape[0] == 1000 && pattern.name == "random";
        return inputs(c, pattern, seed);
    };
    const Outcome o = run();
    EXPECT_EQ(o.status, Status::ok) << o.reason;
    batches = static_cast<unsigned>(o.timing->samples.size());
    EXPECT_GT(first.size(), batches + 64) << "each batch, and more than a kernel keeps";
    EXPECT_GE(made, 2u) << "for the last batch, and after it";
    EXPECT_LE(made, 4u) << "for what is verified alone";
    // A wrong answer to inputs that come but once is found in any batch that is verified.
    unsigned launches = 0;
    script_->kernels["twice"] = [&, twice = script_->kernels["twice"]](const HostLaunch& l) {
        twice(l);
        if (++launches > 30) l.buffer<float>(1)[0] += 1;
    };
    expect_wrong("[0]");
}

TEST_F(ChangedInputs, ShowAnAnswerThatIsKept) {
    std::map<const float*, std::vector<float>> kept;
    script_->kernels["twice"] = [&](const HostLaunch& l) {
        std::vector<float>& own = kept[l.buffer<float>(0).data()];
        const std::span<float> y = l.buffer<float>(1);
        if (own.size() != y.size()) {
            twice(l);
            own.assign(y.begin(), y.end());
        }
        std::ranges::copy(own, y.begin());
    };
    // The initial contents of the buffers are no cached result.
    script_->before = [&](std::string_view what) {
        if (what == "allocate" || what == "write") kept.clear();
    };
    expect_wrong("The answer is that to the inputs before them: the kernel keeps what an earlier");
}

TEST_F(ChangedInputs, ShowAnswersOfTheLaunchBefore) {
    std::vector<float> left;
    script_->kernels["twice"] = [&](const HostLaunch& l) {
        twice(l);
        const std::span<float> y = l.buffer<float>(1);
        std::vector<float> own(y.begin(), y.end());
        if (left.size() == own.size()) std::ranges::copy(left, y.begin());
        left = std::move(own);
    };
    expect_wrong("element(s) wrong");
}

TEST_F(ChangedInputs, OfAKernelThatUsesThemUpAreComparedAfterTiming) {
    suite_.variants[0].plan = [plan = suite_.variants[0].plan](const Case& c) {
        Plan changed = plan(c);
        changed.buffers.at(1).role = Role::in_out;
        return changed;
    };
    suite_.inputs = [inputs = suite_.inputs](const Case& c, const InputPattern& pattern,
                                             std::uint64_t seed) {
        std::vector<HostArray> all = inputs(c, pattern, seed);
        all.push_back(all.front().copy());
        return all;
    };
    case_ = make_case(suite_, suite_.variants[0], {{1000}}, ElementType::f32);
    EXPECT_EQ(run().status, Status::ok) << run().reason;
    unsigned launches = 0;
    script_->kernels["twice"] = [&](const HostLaunch& l) {
        twice(l);
        if (++launches > 30) l.buffer<float>(1)[0] += 1;
    };
    expect_wrong("[0]");
}

TEST_F(ChangedInputs, SayWhatWasNotChecked) {
    const auto unchecked = [&](const RunInfo& run_info = {}) {
        const Outcome o = run();
        EXPECT_EQ(o.status, Status::ok) << o.reason;
        const Record record = to_record(o, backend_.inventory.devices.at(0), run_info);
        return fmt::format("{}", fmt::join(record.check->unchecked, "\n"));
    };
    EXPECT_THAT(unchecked(), HasSubstr("Reads outside of buffers, races"));
    EXPECT_THAT(unchecked(), Not(HasSubstr("Other inputs")));
    EXPECT_THAT(unchecked(), Not(HasSubstr("Other sizes")));
    RunInfo given;
    given.command = {"run", "toy.json", "--seed", "7"};
    EXPECT_THAT(unchecked(given), HasSubstr("Inputs that a kernel cannot know"));
    suite_.tried_once.clear();
    EXPECT_THAT(unchecked(), HasSubstr("Other inputs: the manifest fixes"));
    backend_.inventory.devices.at(0).features.insert("sanitizers");
    EXPECT_THAT(unchecked(), Not(HasSubstr("Reads outside")));
    suite_.manifest.clear();
    EXPECT_EQ(unchecked(), "") << "its own suites have planted errors";
}

/// The notes of a right answer, one in each line.
std::string notes_of(const Outcome& o) {
    EXPECT_EQ(o.status, Status::ok) << o.reason;
    return fmt::format("{}", fmt::join(o.notes, "\n"));
}

TEST_F(ChangedInputs, OfOneSizeAreSaidToHideErrors) {
    EXPECT_THAT(notes_of(run()), Not(HasSubstr("All checked launches")));
    suite_.check_shapes.clear();
    EXPECT_THAT(notes_of(run()),
                HasSubstr("All checked launches have the size 1000. An error at another size, such "
                          "as one that work-groups do not divide, does not show. List more sizes "
                          "in \"checked\" of \"sizes\"."));
    suite_.manifest.clear();
    EXPECT_THAT(notes_of(run()), Not(HasSubstr("All checked launches"))) << "of a built-in suite";
}

TEST_F(ChangedInputs, ThatAreAlikeAreSaidToHideErrors) {
    const auto notes_with = [&](const std::function<float(std::size_t)>& element) {
        suite_.name += " again";  // reference data are kept by it
        suite_.inputs = [element](const Case& c, const InputPattern&, std::uint64_t) {
            std::vector<HostArray> all(1);
            all[0] = HostArray(ElementType::f32, c.shape.extents[0]);
            const std::span<float> x = all[0].as<float>();
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = element(i);
            return all;
        };
        return notes_of(run());
    };
    const std::string zeros = notes_with([](std::size_t) { return 0.0F; });
    EXPECT_THAT(zeros,
                HasSubstr("holds only zeros in every checked launch: an error in how it is used "
                          "does not show. Draw it: \"fill\": \"random\"."));
    EXPECT_THAT(zeros, HasSubstr("is 0 everywhere in every checked launch: a kernel that writes it "
                                 "without any work passes. Choose inputs"));
    const std::string alike = notes_with([](std::size_t) { return 3.0F; });
    EXPECT_THAT(alike,
                HasSubstr("holds one number in all elements in every checked launch: reading it "
                          "at a wrong index does not show."));
    EXPECT_THAT(alike, HasSubstr("is the same number everywhere in every checked launch: a kernel "
                                 "that writes it without any work passes."));
    // It cannot be written without the work.
    float next = 0;
    const std::string other_ones =
        notes_with([&](std::size_t i) { return i == 0 ? ++next : next; });
    EXPECT_THAT(other_ones, HasSubstr("is one number everywhere in each checked launch: a wrong "
                                      "index in what it is made of may not show."));
    const std::string other = notes_with([](std::size_t i) { return i == 1 ? 1.0F : 3.0F; });
    EXPECT_THAT(other, Not(HasSubstr("in every checked launch")));
}

TEST_F(ChangedInputs, OfACaptureAreMendedByAnotherCapture) {
    suite_.reference_name = expected_data;
    suite_.name = "captured";
    suite_.inputs = [](const Case& c, const InputPattern&, std::uint64_t) {
        std::vector<HostArray> all(1);
        all[0] = HostArray(ElementType::f32, c.shape.extents[0]);
        std::ranges::fill(all[0].as<float>(), 0.0F);
        return all;
    };
    suite_.tried_once.clear();
    suite_.check_shapes.clear();
    const Outcome o = run();
    EXPECT_THAT(notes_of(o), HasSubstr("does not show. Capture the program on other data."));
    EXPECT_THAT(notes_of(o), HasSubstr("All checked launches have the size 1000."));
    EXPECT_THAT(notes_of(o), HasSubstr("does not show. Capture the program on others."));
}

TEST_F(ChangedInputs, AScoreOfTheChecksIsNoted) {
    RunConfig scored = config();
    scored.score_of_checks = [](const Case& c) { return "score of " + c.variant->name; };
    const auto device = backend_.open(backend_.inventory.devices.at(0));
    EXPECT_THAT(notes_of(run_case(*device, case_, {}, scored)), HasSubstr("score of "));
}

// Its second part is past the end of the struct, which only the hash detects.
TEST_F(ExpectedFinding, AnErrorBesideTheComparisonIsNoAnswer) {
    Suite suite = toy_suite();
    suite.manifest = "toy.json";
    suite.text = [](std::string_view) { return std::string(toy_text); };
    suite.variants[0].plan = [plan = suite.variants[0].plan](const Case& c) {
        Plan changed = plan(c);
        changed.buffers.at(1).parts = {{0, ElementType::f32, 1}, {4, ElementType::i32, 2}};
        changed.buffers.at(1).struct_bytes = 8;
        return changed;
    };
    case_ = make_case(suite, suite.variants[0], {{1000}}, ElementType::f32);
    EXPECT_EQ(run().status, Status::failed) << run().reason;
}

TEST_F(ExpectedFinding, NothingWritten) {
    script_->kernels["twice"] = [](const HostLaunch&) {};
    expect_wrong("wrong");
}

TEST_F(ExpectedFinding, AnInputOverwritten) {
    plant([](const HostLaunch& l) { l.buffer<float>(0).back() = 0; });
    expect_wrong("altered its input 'x'");
}

// Guard zones hold no number that every comparison skips.
TEST_F(ExpectedFinding, AReadBehindTheEndThatTheSmallestIsTakenOf) {
    plant([](const HostLaunch& l) {
        const float behind = *l.buffer<float>(0).end().base();
        l.buffer<float>(1)[0] = std::fmin(l.buffer<float>(1)[0], behind);
    });
    expect_wrong("[0]");
}

TEST_F(ExpectedFinding, AReadBehindTheEndThatTheLargestIsTakenOf) {
    plant([](const HostLaunch& l) {
        const auto behind = std::bit_cast<std::int32_t>(*l.buffer<float>(0).end().base());
        if (behind > 0) l.buffer<float>(1)[0] += 1;
    });
    expect_wrong("[0]");
}

TEST_F(ExpectedFinding, AWriteBehindTheEnd) {
    plant([](const HostLaunch& l) { *l.buffer<float>(1).end().base() = 1; });
    expect_wrong("past the end of buffer 'y'");
}

TEST_F(ExpectedFinding, AWriteBeforeTheStart) {
    plant([](const HostLaunch& l) { *(l.buffer<float>(0).data() - 1) = 1; });
    expect_wrong("before the start of buffer 'x'");
}

TEST_F(ExpectedFinding, AWriteFarOutButInTheGuardZone) {
    plant([](const HostLaunch& l) {
        *(reinterpret_cast<char*>(l.buffer<float>(1).data() + l.buffer<float>(1).size()) + 4095) ^=
            1;
    });
    expect_wrong("past the end of buffer 'y'");
}

TEST_F(ExpectedFinding, ZonesAreLeftOutForToolsThatKnowWhatWasAllocated) {
    const auto allocated = [&] {
        std::size_t bytes = 0;
        plant([&](const HostLaunch&) { bytes = script_->live_bytes; });
        const Outcome o = run();
        EXPECT_EQ(o.status, Status::ok) << o.reason;
        return bytes;
    };
    unsetenv("PARALLAX_GUARDS");
    const std::size_t guarded = allocated();
    setenv("PARALLAX_GUARDS", "none", 1);
    const std::size_t bare = allocated();
    unsetenv("PARALLAX_GUARDS");
    EXPECT_EQ(guarded - bare, 2 * 2 * guard_bytes) << "two buffers";
}

TEST_F(ExpectedFinding, OnlyWithNan) {
    plant([](const HostLaunch& l) {
        for (float& y : l.buffer<float>(1)) {
            if (y != y) y = 0;
        }
    });
    expect_wrong("'nan'");
}

TEST_F(ExpectedFinding, OnlyOnOddSizes) {
    plant([](const HostLaunch& l) {
        if (l.buffer<float>(1).size() == 17) l.buffer<float>(1)[16] = 0;
    });
    expect_wrong("Shape 17");
}

TEST_F(ExpectedFinding, OnlyTheLastTimedLaunch) {
    // Verification's own launches are right: the timed batches fail.
    plant([this](const HostLaunch& l) {
        if (script_->runs > 15) l.buffer<float>(1)[3] = 0;
    });
    expect_wrong("[3]");
}

TEST_F(ExpectedFinding, OnlyLaterRounds) {
    plant([this](const HostLaunch& l) {
        if (script_->loads > 1) l.buffer<float>(1)[5] = 0;
    });
    expect_wrong("[5]");
}

/// A kernel with right results that takes time only for missing ones.
struct Lazy {
    std::shared_ptr<Script> script;
    double slow = 1e-3, fast = 1e-3;

    void plant() {
        auto worked = std::make_shared<bool>(false);
        script->kernels["twice"] = [worked](const HostLaunch& launch) {
            const auto out = launch.buffer<float>(1);
            const std::vector<float> before(out.begin(), out.end());
            twice(launch);
            *worked = *worked || !std::ranges::equal(before, out);
        };
        script->seconds_of = [this, worked](const Program&) {
            return std::exchange(*worked, false) ? slow : fast;
        };
    }
};

TEST_F(ExpectedFinding, AKernelThatLeavesOutFinishedWork) {
    Lazy lazy{script_, 1e-2, 1e-4};
    lazy.plant();
    expect_wrong("its speed cannot be told");
}

TEST_F(ExpectedFinding, AKernelThatTakesTwiceAsLongOnColdOutputsIsLetThrough) {
    Lazy lazy{script_, 2e-3, 1e-3};
    lazy.plant();
    EXPECT_EQ(run().status, Status::ok);
}

TEST_F(ExpectedFinding, ABuildThatFailsIsFailedWithTheLog) {
    RunConfig bad = config();
    bad.kernel_source = [](std::string_view) { return std::string("__kernel void twice( {"); };
    const auto device = backend_.open(backend_.inventory.devices.at(0));
    const Outcome o = run_case(*device, case_, {}, bad);
    EXPECT_EQ(o.status, Status::failed);
    EXPECT_NE(o.log.find("unmatched brace"), std::string::npos);
}

TEST_F(ExpectedFinding, AFailingCallIsFailedAndNamesIt) {
    for (const char* call : {"allocate", "write", "read", "run", "compile"}) {
        script_->before = fail_nth(call, 1);
        const Outcome o = run();
        EXPECT_EQ(o.status, Status::failed) << call;
        EXPECT_NE(o.reason.find(call), std::string::npos) << o.reason;
        EXPECT_FALSE(o.timing);
        EXPECT_EQ(script_->live_bytes, 0u) << call;
    }
}

TEST_F(ExpectedFinding, AFailureInTheMiddleOfMeasuring) {
    script_->before = fail_nth("run", 30);
    const Outcome o = run();
    EXPECT_EQ(o.status, Status::failed);
    EXPECT_FALSE(o.timing);
}

TEST_F(ExpectedFinding, WhatADeviceLacksIsUnsupported) {
    case_.variant = &toy_suite().variants[1];
    EXPECT_EQ(run().status, Status::unsupported);
    case_.variant = &toy_suite().variants[2];
    const Outcome o = run();
    EXPECT_EQ(o.status, Status::unsupported);
    EXPECT_NE(o.reason.find("wings"), std::string::npos);
    EXPECT_FALSE(o.refused);
    case_.variant = &toy_suite().variants[0];
    backend_.inventory.devices.at(0).features.clear();
    case_.type = ElementType::f64;
    EXPECT_EQ(run().status, Status::unsupported) << "no double precision";
}

TEST_F(ExpectedFinding, AGroupThatIsTooLargeIsRefused) {
    case_ = make_case(toy_suite(), toy_suite().variants[0], {{1000}}, ElementType::f32,
                      {{"GROUP", 2048}});
    const Outcome o = run();
    EXPECT_EQ(o.status, Status::unsupported);
    EXPECT_TRUE(o.refused);
    EXPECT_NE(o.reason.find("1024"), std::string::npos) << o.reason;
}

TEST_F(ExpectedFinding, AnInterruptGetsThrough) {
    RunConfig stopped = config();
    stopped.check_interrupt = [] { throw Interrupted(); };
    const auto device = backend_.open(backend_.inventory.devices.at(0));
    EXPECT_THROW(run_case(*device, case_, {}, stopped), Interrupted);
}

TEST(ReferenceCache, AreSharedAndForgotten) {
    ReferenceCache references(5000);
    const Case c = make_case(toy_suite(), toy_suite().variants[0], {{100}}, ElementType::f32);
    Case other = c;
    other.variant = &toy_suite().variants[1];
    const InputPattern random{"random"};
    const auto first = references.get(c, random, 1);
    EXPECT_EQ(first, references.get(other, random, 1)) << "variants share";
    EXPECT_NE(first, references.get(c, random, 2)) << "another seed";
    Case way =
        make_case(toy_suite(), toy_suite().variants[0], {{100}}, ElementType::f32, {{"WAY", 1}});
    EXPECT_NE(first, references.get(way, random, 1)) << "another answer";
    Case large = c;
    large.shape = {{100000}};
    references.get(large, random, 1);
    EXPECT_NE(first, references.get(c, random, 1)) << "forgotten when others need the room";
}

TEST(ReferenceCache, ExpectedDataAreReadOnce) {
    Suite suite = toy_suite();
    suite.reference_name = expected_data;
    ReferenceCache references(5000);
    const Case c = make_case(suite, suite.variants[0], {{100}}, ElementType::f32);
    EXPECT_EQ(references.get(c, {"integers", true}, 1), references.get(c, {"random"}, 2));
}

}  // namespace
}  // namespace parallax::verification_test

// Every verdict and its reason, from records to the case of the report.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::judge_test {
namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<Kept> steady(double median, const Kept& kept = {}) {
    return runs_of({median, 1.0001 * median, 0.9999 * median}, kept);
}

TEST(Verdicts, Same) {
    const CaseDiff c = case_of(steady(1e-3), steady(1.001e-3, on_cuda()));
    EXPECT_EQ(c.verdict, Verdict::same);
    EXPECT_THAT(c.reason,
                AllOf(HasSubstr("All of the interval"), HasSubstr("inside the margin of 2 %")));
    EXPECT_NEAR(c.ratio->value, 1.001, 1e-6);
    EXPECT_TRUE(c.answer.right_a && c.answer.right_b);
    EXPECT_EQ(c.a.runs, 3u);
    EXPECT_NEAR(c.a.seconds, 1e-3, 1e-9) << "geometric mean over runs";
}

TEST(Verdicts, SlowerAndFaster) {
    const CaseDiff slower = case_of(steady(1e-3), steady(1.1e-3, on_cuda()));
    EXPECT_EQ(slower.verdict, Verdict::slower);
    EXPECT_THAT(slower.reason, HasSubstr("above the margin"));
    const CaseDiff faster = case_of(steady(1.1e-3), steady(1e-3, on_cuda()));
    EXPECT_EQ(faster.verdict, Verdict::faster);
    EXPECT_THAT(faster.reason, HasSubstr("below the margin"));
    EXPECT_NEAR(faster.ratio->value, 1 / slower.ratio->value, 1e-6);
}

TEST(Verdicts, Undecided) {
    const CaseDiff c = case_of(runs_of({1e-3, 1.05e-3}), runs_of({1e-3, 1.05e-3}, on_cuda()));
    EXPECT_EQ(c.verdict, Verdict::undecided);
    EXPECT_THAT(c.reason, HasSubstr("An edge of the margin of 2 % lies in the interval"));
}

TEST(Verdicts, OfFewRoundsSayWhatSoFewMiss) {
    CaseDiff c = case_of(steady(1e-3), steady(1e-3, on_cuda()));
    StoredRatio rounds{.ratio = c.ratio};
    rounds.ratio->basis = "paired rounds";
    const auto reason_of_rounds = [&](std::size_t count) {
        rounds.ratio->units_a = rounds.ratio->units_b = count;
        judge(c, rounds, {});
        return c.reason;
    };
    EXPECT_THAT(reason_of_rounds(6), HasSubstr("The time allowed 6 rounds: so few miss a state "
                                               "that affects a fifth of all rounds in 26.2 % of "
                                               "cases."));
    EXPECT_THAT(reason_of_rounds(12), HasSubstr("in 6.87 % of cases."));
    EXPECT_THAT(reason_of_rounds(13), Not(HasSubstr("The time allowed"))) << "one was left out";
}

TEST(Verdicts, FollowTheMargin) {
    EXPECT_EQ(case_of(steady(1e-3), steady(1.1e-3), {.margin = 0.2}).verdict, Verdict::same);
    EXPECT_EQ(case_of(steady(1e-3), steady(1.01e-3), {.margin = 0.005}).verdict, Verdict::slower);
}

TEST(Verdicts, WrongBeatsAll) {
    const Kept wrong = ended(Status::wrong, "Element 7 is 3, not 4.", on_cuda());
    CaseDiff c = case_of({Kept{}}, {wrong});
    EXPECT_EQ(c.verdict, Verdict::wrong);
    EXPECT_EQ(c.reason, "CUDA is wrong: Element 7 is 3, not 4.");
    EXPECT_FALSE(c.ratio);
    EXPECT_TRUE(c.answer.right_a);
    EXPECT_FALSE(c.answer.right_b);

    Kept other_text = wrong;
    other_text.source_hash = "bb";
    EXPECT_EQ(case_of({Kept{}}, {other_text}).verdict, Verdict::wrong) << "another kernel";
    const Kept unsupported = ended(Status::unsupported, "There is none.");
    c = case_of({unsupported}, {wrong});
    EXPECT_EQ(c.verdict, Verdict::wrong) << "unsupported on the other side";
    EXPECT_EQ(c.reason,
              "OpenCL is unsupported: There is none. CUDA is wrong: Element 7 is 3, not 4.");
}

TEST(Verdicts, ARunThatWasWrongOnceIsWrong) {
    std::vector<Kept> a = steady(1e-3);
    a[0].status = Status::wrong;
    a[0].reason = "Element 1 is 2.";
    const CaseDiff c = case_of(a, steady(1e-3, on_cuda()));
    EXPECT_EQ(c.verdict, Verdict::wrong);
    EXPECT_THAT(c.reason, HasSubstr("Element 1 is 2."));
}

TEST(Verdicts, AFailureIsNamedWithItsLog) {
    Kept failed = ended(Status::failed, "It does not build.", on_cuda());
    failed.log = "error: x";
    const CaseDiff c = case_of({Kept{}}, {failed});
    EXPECT_EQ(c.verdict, Verdict::failed);
    EXPECT_EQ(c.reason, "CUDA is failed: It does not build.");
    EXPECT_EQ(c.b.log, "error: x");
}

TEST(Verdicts, WrongFailedAndRefusedAreThreeThings) {
    const auto verdict = [](Status a, Status b) {
        return case_of({ended(a, "Of A.")}, {ended(b, "Of B.", on_cuda())}).verdict;
    };
    EXPECT_EQ(verdict(Status::checked, Status::refused), Verdict::refused);
    EXPECT_EQ(verdict(Status::refused, Status::unsupported), Verdict::refused);
    EXPECT_EQ(verdict(Status::refused, Status::failed), Verdict::failed);
    EXPECT_EQ(verdict(Status::failed, Status::wrong), Verdict::wrong);
    EXPECT_EQ(verdict(Status::wrong, Status::refused), Verdict::wrong);
    const CaseDiff c = case_of({Kept{}}, {ended(Status::refused, "x.cl:1: no rule.", on_cuda())},
                               {.max_slowdown = 0.05});
    EXPECT_EQ(c.reason, "CUDA is refused: x.cl:1: no rule.");
    EXPECT_EQ(c.decision, Decision::undecided) << "it cannot be told";
}

TEST(Verdicts, WhereAnswersAloneCanBeComparedTheyAreWhatItIsAbout) {
    Kept a = ended(Status::checked, "Every answer was right."), b = a;
    b.device = "host:0";
    a.output_hash = b.output_hash = "a";
    CaseDiff c = case_of({a}, {b});
    EXPECT_EQ(c.verdict, Verdict::equal);
    EXPECT_EQ(c.reason,
              "Both sides are right, and their answers are bitwise identical. Nothing was timed.");
    b.output_hash = "b";
    c = case_of({a}, {b});
    EXPECT_EQ(c.verdict, Verdict::within_tolerance);
    EXPECT_THAT(c.reason, HasSubstr("differ within the tolerance"));
    EXPECT_EQ(exit_code(diff_of({a}, {b})), 0);
    EXPECT_EQ(exit_code(diff_of({a}, {b}, {.max_slowdown = 0.05})), 4) << "no speed is known";
    Kept timed;
    timed.output_hash = "b";
    c = case_of({timed}, {b});
    EXPECT_EQ(c.verdict, Verdict::within_tolerance) << "other inputs were hashed";
    EXPECT_THAT(c.reason, HasSubstr("Nothing was timed on new."));
    b.source_hash = "bb";
    EXPECT_EQ(case_of({a}, {b}).verdict, Verdict::not_comparable) << "another kernel";
    EXPECT_EQ(case_of({a}, {ended(Status::wrong, "No.", b)}).verdict, Verdict::wrong);
}

TEST(Verdicts, UnsupportedAndSkippedAreNotComparable) {
    for (const Status status : {Status::unsupported, Status::skipped}) {
        const CaseDiff c = case_of({Kept{}}, {ended(status, "For a reason.", on_cuda())});
        EXPECT_EQ(c.verdict, Verdict::not_comparable);
        EXPECT_THAT(c.reason, HasSubstr("For a reason."));
        EXPECT_THAT(c.reason, HasSubstr(std::string(name_of(status))));
        EXPECT_FALSE(c.ratio);
    }
}

TEST(Verdicts, ASideWithoutTheCaseIsNotComparable) {
    Kept other;
    other.variant = "other";
    const Diff diff = diff_of({Kept{}, other}, {on_cuda()});
    ASSERT_EQ(diff.cases.size(), 2u);
    EXPECT_EQ(diff.cases.at(1).verdict, Verdict::not_comparable);
    EXPECT_EQ(diff.cases.at(1).reason, "CUDA has no such case.");
    EXPECT_FALSE(diff.cases.at(1).b.status);
    EXPECT_EQ(diff.cases.at(1).b.runs, 0u);
    Kept cuda_other = on_cuda();
    cuda_other.variant = "other";
    const Diff turned = diff_of({Kept{}}, {on_cuda(), cuda_other});
    EXPECT_EQ(turned.cases.at(1).reason, "OpenCL has no such case.");
}

TEST(Verdicts, WrongWithoutAPartnerSaysBoth) {
    Kept bad = ended(Status::wrong, "Element 1 is 2.");
    bad.variant = "other";
    const Diff diff = diff_of({Kept{}, bad}, {on_cuda()});
    EXPECT_EQ(diff.cases.at(1).verdict, Verdict::wrong);
    EXPECT_THAT(diff.cases.at(1).reason,
                AllOf(HasSubstr("Element 1 is 2."), HasSubstr("CUDA has no such case.")));
}

TEST(Verdicts, AnotherKernelAcrossBackendsIsNotComparable) {
    Kept other = on_cuda();
    other.source_hash = "bb";
    const CaseDiff c = case_of(steady(1e-3), steady(1e-3, other));
    EXPECT_EQ(c.verdict, Verdict::not_comparable);
    EXPECT_EQ(c.reason,
              "The sides do not do the same: kernel source differs (OpenCL: aa; CUDA: bb).");
    EXPECT_FALSE(c.kernel.same);
    EXPECT_FALSE(c.ratio);
}

TEST(Verdicts, AnotherKernelWithinABackendIsNamed) {
    Kept patched;
    patched.source_hash = "bb";
    const CaseDiff c = case_of(steady(1e-3), steady(1e-3, patched));
    EXPECT_EQ(c.verdict, Verdict::same);
    EXPECT_TRUE(c.kernel.same);
    ASSERT_EQ(c.kernel.differences.size(), 1u);
    EXPECT_EQ(c.kernel.differences[0].what, "kernel source");
    EXPECT_EQ(c.source_hash, "aa") << "of side A";
}

TEST(Verdicts, AnotherScopeOrWorkIsNeverComparable) {
    Kept scope, work;
    scope.scope = "one launch";
    work.bytes = 1;
    EXPECT_EQ(case_of(steady(1e-3), steady(1e-3, scope)).verdict, Verdict::not_comparable);
    EXPECT_EQ(case_of(steady(1e-3), steady(1e-3, work)).verdict, Verdict::not_comparable);
}

TEST(Verdicts, RunsOfASideThatAreNotOfOneThingHaveNone) {
    const std::pair<const char*, std::function<void(Kept&)>> changes[] = {
        {"kernel source", [](Kept& k) { k.source_hash = "bb"; }},
        {"float rules", [](Kept& k) { k.contract = true; }},
        {"launch configuration", [](Kept& k) { k.groups = 5; }},
        {"timer scope", [](Kept& k) { k.scope = "one launch"; }},
        {"work model", [](Kept& k) { k.bytes = 9000; }},
        {"build options", [](Kept& k) { k.options.emplace_back("-O0"); }},
        {"build options", [](Kept& k) { k.options.clear(); }},
        {"text that the compiler got", [](Kept& k) { k.given_hash = "cc"; }},
        {"values of the arguments, by their hashes", [](Kept& k) { k.values_hash = "dd"; }},
        {"working set in the last-level cache", [](Kept& k) { k.in_cache = true; }},
        {"device", [](Kept& k) { k.uuid = "0e"; }},
        {"driver", [](Kept& k) { k.driver = "2.0"; }}};
    for (const auto& [what, make] : changes) {
        for (const bool is_b : {false, true}) {
            // Two runs of another thing, and the last is as the other side's.
            std::vector<Kept> a = steady(1e-3), b = steady(1e-3, on_cuda());
            std::vector<Kept>& mixed = is_b ? b : a;
            for (Kept* one : {&mixed[0], &mixed[1]}) {
                make(*one);
                one->rounds = {0.8e-3, 0.8e-3, 0.8e-3};
            }
            const CaseDiff c = case_of(a, b, {.max_slowdown = 0.5});
            EXPECT_EQ(c.verdict, Verdict::not_comparable) << what;
            EXPECT_FALSE(c.kernel.same) << what;
            EXPECT_FALSE(c.ratio) << what;
            EXPECT_EQ(c.decision, Decision::undecided) << what;
            const std::string_view api = is_b ? "CUDA" : "OpenCL", file = is_b ? "new" : "old";
            EXPECT_THAT(c.reason, HasSubstr(fmt::format(
                                      "Its runs do not belong together: {} among the runs "
                                      "of {} differs (",
                                      what, what == std::string_view("device") ? file : api)));
            const Side& side = is_b ? c.b : c.a;
            EXPECT_NEAR(side.seconds, 1e-3, 1e-6)
                << what << ": of the last, and of what is like it";
        }
    }
    std::vector<Kept> seeds = steady(1e-3);
    seeds[0].seed = 7;
    EXPECT_EQ(case_of(seeds, steady(1e-3, on_cuda())).verdict, Verdict::same);
}

TEST(Verdicts, OneRunASideDecidesNothing) {
    const CaseDiff c = case_of({Kept{}}, {on_cuda()});
    EXPECT_EQ(c.verdict, Verdict::undecided);
    EXPECT_THAT(c.reason, HasSubstr("nothing shows how runs of this case differ"));
    EXPECT_THAT(c.reason, HasSubstr("--processes 5"));
    ASSERT_TRUE(c.least_visible);
    EXPECT_GE(*c.least_visible, 1.02) << "it has to leave the margin";
    EXPECT_THAT(c.reason, HasSubstr("would not even stand out"));
    EXPECT_EQ(c.ratio->basis, "rounds of one run");
}

/// Cases of two sides whose runs are 1 but for noise: `runs` of each.
std::pair<std::vector<Kept>, std::vector<Kept>> noisy(unsigned cases, unsigned runs,
                                                      const std::function<double()>& factor) {
    std::pair<std::vector<Kept>, std::vector<Kept>> sides;
    for (unsigned i = 0; i < cases; ++i) {
        for (unsigned run = 0; run < runs; ++run) {
            for (std::vector<Kept>* side : {&sides.first, &sides.second}) {
                Kept kept = side == &sides.first ? Kept{} : on_cuda();
                kept.shape = {1000 + i};
                kept.run = fmt::format("run {}", run);
                const double seconds = 1e-3 * factor();
                kept.rounds = {0.9999 * seconds, seconds, 1.0001 * seconds};
                side->push_back(std::move(kept));
            }
        }
    }
    return sides;
}

bool has_false_verdict(const Diff& diff) {
    return std::ranges::any_of(diff.cases, [](const CaseDiff& c) {
        return c.verdict == Verdict::faster || c.verdict == Verdict::slower;
    });
}

TEST(Reports, OfManyCasesWithOneRunASideHaveNoFalseVerdict) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (const bool is_skewed : {false, true}) {
        for (unsigned report = 0; report < 10; ++report) {
            const auto [a, b] = noisy(30, 1, [&] {
                return is_skewed ? 1 + 0.03 * std::exp(normal(random))
                                 : std::exp(0.03 * normal(random));
            });
            const Diff diff = diff_of(a, b);
            EXPECT_EQ(diff.summary.count[static_cast<std::size_t>(Verdict::undecided)], 30u);
        }
    }
}

TEST(Reports, OfManyCasesControlTheErrorOfAllTogether) {
    // Five runs a side, all of one true time. With an interval of 95 % for each of 20 cases, nearly
    // a third of such reports would call one FASTER or SLOWER at a margin of next to nothing.
    std::mt19937_64 random(2);
    std::normal_distribution<double> normal;
    unsigned wrong = 0;
    constexpr unsigned reports = 30;
    for (unsigned report = 0; report < reports; ++report) {
        const auto [a, b] = noisy(20, 5, [&] { return std::exp(0.03 * normal(random)); });
        wrong += has_false_verdict(diff_of(a, b, {.margin = 1e-6}));
    }
    EXPECT_LE(wrong, 5u) << "5 % of 30 are 1.5, and 6 or more come once in 300 times";
}

TEST(Reports, SayWhatTheIntervalsOfAllHoldTogether) {
    const auto [a, b] = noisy(4, 3, [] { return 1.0; });
    const Diff diff = diff_of(a, b);
    for (const CaseDiff& c : diff.cases) EXPECT_NEAR(c.ratio->confidence, 1 - 0.05 / 4, 1e-12);
    const Diff one = diff_of(steady(1e-3), steady(1e-3, on_cuda()));
    EXPECT_NEAR(one.cases.at(0).ratio->confidence, 0.95, 1e-12);
}

TEST(Verdicts, WithoutAnIntervalThereIsNone) {
    Kept once = on_cuda();
    once.rounds = {1e-3};
    const CaseDiff c = case_of({Kept{}}, {once});
    EXPECT_EQ(c.verdict, Verdict::not_comparable);
    EXPECT_THAT(c.reason, HasSubstr("One run of one round"));
}

TEST(Verdicts, LaunchingIsSaid) {
    Kept a, b = on_cuda();
    a.launch_seconds = b.launch_seconds = 0.6e-3;
    a.share = b.share = 0.1;
    const CaseDiff c = case_of(runs_of({1e-3, 1e-3}, a), runs_of({1e-3, 1e-3}, b));
    EXPECT_TRUE(c.launching);
    EXPECT_THAT(c.reason, HasSubstr("tells about launching"));
    a.launch_seconds = b.launch_seconds = 0.4e-3;
    EXPECT_FALSE(case_of({a}, {b}).launching);
    a.launches = b.launches = 2;
    EXPECT_TRUE(case_of({a}, {b}).launching) << "two launches in the same time";
}

TEST(Verdicts, AFigureThatCannotBeDecidesNothing) {
    Kept a, b = on_cuda();
    a.share = 0.9;
    b.share = 1.5;
    EXPECT_EQ(case_of(steady(1.6e-3, a), steady(1e-3, b)).verdict, Verdict::faster)
        << "a processor's own copy is one core's";
    a.pci = b.pci = "0000:06:00.0";
    const Judgement limit{.max_slowdown = 0.05};
    CaseDiff c = case_of(steady(1.6e-3, a), steady(1e-3, b), limit);
    EXPECT_EQ(c.verdict, Verdict::undecided) << "not FASTER in silence";
    EXPECT_EQ(c.decision, Decision::undecided);
    EXPECT_THAT(c.reason, HasSubstr("Doubtful: CUDA: it does 1.5 times what the device's own "
                                    "copies do at most."));
    ASSERT_EQ(c.b.doubts.size(), 1u);
    EXPECT_EQ(c.b.doubts[0].kind, DoubtKind::beyond_ceiling);
    EXPECT_TRUE(c.ratio);
    b.in_cache = true;
    a.in_cache = true;
    EXPECT_EQ(case_of(steady(1.6e-3, a), steady(1e-3, b)).verdict, Verdict::faster)
        << "a cache is faster than memory";
    a.in_cache = b.in_cache = false;
    a.share = 1.4;
    c = case_of(steady(1.6e-3, a), steady(1e-3, b));
    EXPECT_EQ(c.verdict, Verdict::faster) << "what both have is the ceiling's fault";
    EXPECT_EQ(c.a.doubts.size(), 1u);
    a.share = b.share = 1.19;
    EXPECT_TRUE(case_of(steady(1e-3, a), steady(1e-3, b)).a.doubts.empty());
}

TEST(Verdicts, AnswersOfFilesAreComparedByHash) {
    Kept a, b = on_cuda();
    EXPECT_FALSE(case_of({a}, {b}).answer.identical) << "not known";
    a.output_hash = b.output_hash = "c";
    EXPECT_EQ(case_of({a}, {b}).answer.identical, true);
    Kept other = b;
    other.output_hash = "e", other.run = "two";
    EXPECT_EQ(case_of({a}, {other, b}).answer.identical, false) << "not in all runs";
    b.output_hash = "d";
    b.worst_ulp = 3;
    const CaseDiff c = case_of({a}, {b});
    EXPECT_EQ(c.answer.identical, false);
    EXPECT_EQ(c.answer.ulp_b, 3);
    EXPECT_EQ(c.answer.repeatable_a, true);
    b.seed = 5;
    EXPECT_FALSE(case_of({a}, {b}).answer.identical) << "other inputs";
}

TEST(SelfChecks, AreJudgedLikeCases) {
    const SelfCheck good = self_check(pair_of({.b = "opencl:0"}), {});
    EXPECT_EQ(good.verdict, Verdict::same);
    EXPECT_EQ(good.device, "opencl:0");
    EXPECT_EQ(good.title, "copy/plain float 1000");
    EXPECT_NEAR(good.seconds, 1e-3, 1e-9);
    const KeptPair lie{.b = "opencl:0", .log_ratios = {0.1, 0.1001, 0.1, 0.1001, 0.1}};
    EXPECT_EQ(self_check(pair_of(lie), {}).verdict, Verdict::slower);
    const KeptPair disturbed{.b = "opencl:0", .look = 0, .disturbed = "heat"};
    EXPECT_EQ(self_check(pair_of(disturbed), {}).verdict, Verdict::undecided);
}

}  // namespace
}  // namespace parallax::judge_test

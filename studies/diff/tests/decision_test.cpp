// Decisions by a limit, and exit codes.
#include <gtest/gtest.h>

#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::decision_test {
namespace {

using namespace test;

std::vector<Kept> steady(double median, const Kept& kept = {}) {
    return runs_of({median, 1.0001 * median, 0.9999 * median}, kept);
}

const Judgement five_percent{.margin = 0.02, .max_slowdown = 0.05};

TEST(Decisions, AreOnlyMadeWhenAskedFor) {
    EXPECT_EQ(case_of(steady(1e-3), steady(2e-3)).decision, Decision::none);
    EXPECT_EQ(exit_code(diff_of(steady(1e-3), steady(2e-3))), 0);
}

TEST(Decisions, ByTheLimitNotByTheMargin) {
    const Diff slower = diff_of(steady(1e-3), steady(1.04e-3), five_percent);
    EXPECT_EQ(slower.cases.at(0).verdict, Verdict::slower);
    EXPECT_EQ(slower.cases.at(0).decision, Decision::pass) << "slower, but allowed";
    EXPECT_EQ(slower.max_slowdown, 0.05);
    EXPECT_EQ(exit_code(slower), 0);
    const Diff too_slow = diff_of(steady(1e-3), steady(1.06e-3), five_percent);
    EXPECT_EQ(too_slow.cases.at(0).decision, Decision::fail);
    EXPECT_EQ(exit_code(too_slow), 3);
    EXPECT_EQ(case_of(steady(1e-3), steady(0.5e-3), five_percent).decision, Decision::pass);
}

TEST(Decisions, UndecidedByTheMarginMayPassTheLimit) {
    const CaseDiff c = case_of(runs_of({1e-3, 1.002e-3, 1.004e-3}),
                               runs_of({1.02e-3, 1.022e-3, 1.024e-3}), five_percent);
    EXPECT_EQ(c.verdict, Verdict::undecided);
    EXPECT_EQ(c.decision, Decision::pass);
}

TEST(Decisions, AnIntervalWithTheLimitInItIsOpen) {
    const Diff diff = diff_of(runs_of({1e-3, 1.1e-3}), runs_of({1.05e-3, 1.15e-3}), five_percent);
    EXPECT_EQ(diff.cases.at(0).decision, Decision::undecided);
    EXPECT_EQ(exit_code(diff), 4);
}

TEST(Decisions, WrongFails) {
    const Diff diff = diff_of({Kept{}}, {ended(Status::wrong, "No.")}, five_percent);
    EXPECT_EQ(diff.cases.at(0).decision, Decision::fail);
    EXPECT_EQ(exit_code(diff), 1) << "wrong is said before slow";
}

TEST(Decisions, WhatADeviceHasNotGotIsAllowed) {
    const Kept unsupported = ended(Status::unsupported, "No.");
    EXPECT_EQ(case_of({Kept{}}, {unsupported}, five_percent).decision, Decision::none);
    EXPECT_EQ(case_of({unsupported}, {Kept{}}, five_percent).decision, Decision::none);
    EXPECT_EQ(case_of({Kept{}}, {ended(Status::skipped, "No time.")}, five_percent).decision,
              Decision::undecided);
}

TEST(Decisions, NewCasesAreAllowedAndLostOnesAreNot) {
    Kept other;
    other.variant = "other";
    const std::vector<Kept> two = runs_of({1e-3, 1e-3});
    std::vector<Kept> more = two;
    more.push_back(other);
    const Diff added = diff_of(two, more, five_percent);
    EXPECT_EQ(added.cases.at(1).decision, Decision::none);
    EXPECT_EQ(exit_code(added), 0);
    const Diff lost = diff_of(more, two, five_percent);
    EXPECT_EQ(lost.cases.at(1).decision, Decision::undecided);
    EXPECT_EQ(exit_code(lost), 4);
}

TEST(Decisions, AnotherKernelIsOpen) {
    Kept other = on_cuda();
    other.source_hash = "bb";
    EXPECT_EQ(case_of({Kept{}}, {other}, five_percent).decision, Decision::undecided);
}

/// A live diff of one case with this pair.
Diff live_diff(const KeptPair& pair) {
    Kept a, b = on_cuda();
    a.side = 'a';
    b.side = 'b';
    const ResultSet set = set_of("live", {line(a), line(b), line(pair)});
    return build_diff(sides_within(set, {}), five_percent);
}

TEST(Decisions, ADisturbedMeasurementDecidesNothing) {
    // For every position of the interval: inside the margin, on its edge, above the limit.
    for (const double log_ratio : {0.0, 0.0198, 0.03, 0.2}) {
        KeptPair pair{.look = 0, .disturbed = "heat"};
        for (double& one : pair.log_ratios) one += log_ratio;
        const Diff diff = live_diff(pair);
        EXPECT_EQ(diff.cases.at(0).verdict, Verdict::undecided);
        EXPECT_EQ(diff.cases.at(0).decision, Decision::undecided) << log_ratio;
        EXPECT_EQ(exit_code(diff), 4);
    }
    EXPECT_EQ(live_diff({}).cases.at(0).decision, Decision::pass) << "undisturbed";
}

TEST(ExitCodes, NothingMeasuredIsFive) {
    EXPECT_EQ(exit_code(diff_of({Kept{}}, {ended(Status::unsupported, "No.")})), 5);
}

TEST(ExitCodes, WrongFailedAndRefusedAreThreeThings) {
    const auto code = [](Status status, const Judgement& judgement = {}) {
        Kept other = ended(status, "So.", on_cuda());
        other.variant = "other";
        Kept fine;
        fine.variant = "other";
        std::vector<Kept> a = steady(1e-3), b = steady(1e-3, on_cuda());
        a.push_back(fine), b.push_back(other);
        return exit_code(diff_of(a, b, judgement));
    };
    EXPECT_EQ(code(Status::wrong), 1);
    EXPECT_EQ(code(Status::failed), 6);
    EXPECT_EQ(code(Status::refused), 0) << "as unsupported";
    EXPECT_EQ(code(Status::refused, {.strict = true}), 1);
    EXPECT_EQ(code(Status::refused, five_percent), 4);
    EXPECT_EQ(code(Status::unsupported), 0);
    EXPECT_EQ(code(Status::unsupported, {.strict = true}), 1) << "a side was not compared";
    EXPECT_EQ(exit_code(diff_of({Kept{}}, {ended(Status::refused, "No.")})), 5);
}

TEST(ExitCodes, ADoubtIsOneWhereItIsAskedFor) {
    Kept doubtful = on_cuda();
    doubtful.notes = {"Suspicious: zeros would be right, too."};
    const Diff diff = diff_of(steady(1e-3), steady(1e-3, doubtful));
    EXPECT_EQ(diff.summary.doubtful, 1u);
    EXPECT_EQ(exit_code(diff), 0);
    EXPECT_EQ(exit_code(diff_of(steady(1e-3), steady(1e-3, doubtful), {.strict = true})), 1);
    EXPECT_EQ(exit_code(diff_of(steady(1e-3), steady(1e-3, on_cuda()), {.strict = true})), 0);
}

TEST(ExitCodes, TheWorstCaseCounts) {
    const auto named = [](const char* variant, double median) {
        Kept kept;
        kept.variant = variant;
        return steady(median, kept);
    };
    const auto all = [](std::vector<std::vector<Kept>> lists) {
        std::vector<Kept> sum;
        for (auto& list : lists) sum.insert(sum.end(), list.begin(), list.end());
        return sum;
    };
    Kept open;
    open.variant = "open";
    const std::vector<Kept> a =
        all({named("fine", 1e-3), named("slow", 1e-3), runs_of({1e-3, 1.2e-3}, open)});
    std::vector<Kept> b =
        all({named("fine", 1e-3), named("slow", 2e-3), runs_of({1e-3, 1.2e-3}, open)});
    EXPECT_EQ(exit_code(diff_of(a, b, five_percent)), 3) << "fail before open";
    b[0].status = Status::wrong;
    EXPECT_EQ(exit_code(diff_of(a, b, five_percent)), 1) << "wrong before fail";
}

}  // namespace
}  // namespace parallax::decision_test

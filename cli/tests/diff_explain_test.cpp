// Tests `parallax diff --explain` on fake devices, one of which is slower.
#include "studies/explain/diff_explain.hpp"

#include <atomic>
#include <csignal>
#include <memory>

#include <gmock/gmock.h>

#include "cli/tests/diff_fixture.hpp"
#include "common/tests/fake_device.hpp"
#include "common/tests/scripted_clock.hpp"

namespace parallax::cli::diff_explain_test {
namespace {

class ExplainedDiffs : public Diffs {
protected:
    std::shared_ptr<fake::Script> script_a_ = std::make_shared<fake::Script>();
    std::shared_ptr<fake::Script> script_b_ = std::make_shared<fake::Script>();
    std::vector<std::unique_ptr<Backend>> on_;

    ExplainedDiffs() {
        for (const auto& [script, name] : {std::pair{script_a_, "one"}, {script_b_, "two"}}) {
            script->kernels["copy"] = script->kernels["copy4"] = copy;
            on_.push_back(std::make_unique<fake::FakeBackend>(script, name));
        }
        script_b_->seconds_per_run = 1.5 * script_a_->seconds_per_run;
    }
    static void copy(const fake::HostLaunch& launch) {
        std::ranges::copy(launch.buffer<std::byte>(0), launch.buffer<std::byte>(1).begin());
    }

    Ended explain(const Words& more = {}) {
        return run(
            Words{"diff", "one:0", "two:0", "-s", "strided_copy/copy", "-s", "strided_copy/copy4",
                  "-n", "1000", "--seed", "3", "--explain", "--data", "d.jsonl"} +
                more,
            on_);
    }
    static std::size_t count(const std::string& schema) {
        std::ifstream lines("d.jsonl");
        std::size_t found = 0;
        for (std::string line; std::getline(lines, line);) {
            found += Json::parse(line)["schema"] == schema ? 1 : 0;
        }
        return found;
    }
    /// Calls `what` once, when a device is opened after this number of stored explanations.
    void when_explained(std::size_t many, std::function<void()> what) {
        script_b_->before = [many, what = std::move(what),
                             done = false](std::string_view call) mutable {
            if (done || call != "open" || count("parallax.pair") < 2 ||
                count("parallax.explanation") < many)
                return;
            done = true;
            what();
        };
    }
};

TEST_F(ExplainedDiffs, SlowerCasesHaveTheirWhyInAllReports) {
    const Ended e = explain({"--format", "text", "-o", "r.md", "-o", "r.html", "-o", "r.json", "-o",
                             "r.xml", "--max-slowdown", "5%"});
    EXPECT_EQ(e.code, 3) << e.err;
    EXPECT_TRUE(holds(e.err, "2 cases to explain")) << e.err;
    const Json report = Json::parse(text_of("r.json"));
    ASSERT_EQ(report["cases"].size(), 2u);
    for (const Json& c : report["cases"]) {
        EXPECT_EQ(c["verdict"], "SLOWER");
        ASSERT_TRUE(c.contains("explanation"));
        EXPECT_EQ(c["explanation"]["variant"], c["variant"]);
        EXPECT_EQ(c["explanation"]["constants"], c["constants"]);
        EXPECT_NEAR(c["explanation"]["gap"]["value"].get<double>(), 1.5, 1e-6);
    }
    for (const std::string& said : {e.out, text_of("r.md"), text_of("r.html"), text_of("r.xml")}) {
        EXPECT_TRUE(holds(said, "1.50x slower than")) << said.substr(0, 2000);
    }
    EXPECT_EQ(count("parallax.explanation"), 2u);
    EXPECT_EQ(count("parallax.pair"), 4u) << "two cases, and one of them against itself twice";
    EXPECT_EQ(json({"d.jsonl", "--max-slowdown", "5%"})["cases"], report["cases"]);
}

TEST_F(ExplainedDiffs, EqualSpeedsAreNotExplained) {
    script_b_->seconds_per_run = script_a_->seconds_per_run;
    const Ended e = explain();
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_FALSE(holds(e.err, "to explain")) << e.err;
    EXPECT_EQ(count("parallax.explanation"), 0u);
}

TEST_F(ExplainedDiffs, WithoutTheOptionNothingIsExplained) {
    run({"diff", "one:0", "two:0", "-s", "strided_copy/copy", "-n", "1000", "--data", "d.jsonl"},
        on_);
    EXPECT_EQ(count("parallax.pair"), 3u);
    EXPECT_EQ(count("parallax.explanation"), 0u);
}

TEST_F(ExplainedDiffs, OneThatCannotBeExplainedIsSaidAndTheOthersGoOn) {
    when_explained(0, [&] { script_b_->kernels["copy"] = [](const fake::HostLaunch&) {}; });
    const Ended e = explain({"--format", "json"});
    EXPECT_TRUE(holds(e.err, "copy float 1000 is not explained: ")) << e.err;
    const Json cases = Json::parse(e.out)["cases"];
    ASSERT_EQ(cases.size(), 2u);
    for (const Json& c : cases) {
        EXPECT_EQ(c["verdict"], "SLOWER");
        EXPECT_EQ(c.contains("explanation"), c["variant"] == "copy4");
    }
    EXPECT_EQ(e.code, 0) << "both were right when they were compared";
}

TEST_F(ExplainedDiffs, CtrlCKeepsWhatWasMade) {
    when_explained(1, [] { std::raise(SIGINT); });
    const Ended e = explain({"--format", "md"});
    EXPECT_EQ(e.code, 130) << e.err;
    EXPECT_TRUE(holds(e.err, "kept in d.jsonl")) << e.err;
    EXPECT_TRUE(holds(e.out, "the explanations that are missing were not made")) << e.out;
    EXPECT_TRUE(holds(e.out, "1.50x slower than")) << e.out;
    EXPECT_EQ(count("parallax.explanation"), 1u);
}

TEST_F(ExplainedDiffs, CtrlCBeforeTheyAreExplainedKeepsAndShowsThePairs) {
    // Once: a second signal would end the program.
    // Both devices of a side are called by threads of their own.
    const auto done = std::make_shared<std::atomic_flag>();
    script_a_->before = [done](std::string_view call) {
        if (call != "run" || count("parallax.pair") < 4 || done->test_and_set()) return;
        std::raise(SIGINT);
    };
    const Ended e = explain({"--format", "text"});
    EXPECT_EQ(e.code, 130) << e.err;
    EXPECT_TRUE(holds(e.err, "kept in d.jsonl")) << e.err;
    EXPECT_TRUE(holds(e.out, "strided_copy/copy")) << "what was measured is shown: " << e.out;
    EXPECT_TRUE(holds(e.out, "nterrupted")) << "a part is not shown as the whole";
    EXPECT_EQ(count("parallax.pair"), 4u) << "with those of each side against itself";
    EXPECT_EQ(count("parallax.explanation"), 0u);
    EXPECT_EQ(json({"d.jsonl"}).at("cases").size(), 2u);
}

TEST_F(ExplainedDiffs, FilesAreNotExplained) {
    put_two(1.25);
    expect_usage({"diff", "a.jsonl", "b.jsonl", "--explain"}, "--explain is for what is measured");
}

TEST(GapsToExplain, AreThoseOfOneTextThatWasMeasuredUndisturbed) {
    const auto with = [](Verdict verdict) {
        CaseDiff c;
        c.verdict = verdict;
        return c;
    };
    EXPECT_TRUE(has_gap_to_explain(with(Verdict::faster)));
    CaseDiff c = with(Verdict::slower);
    EXPECT_TRUE(has_gap_to_explain(c));
    c.doubted = true;
    EXPECT_FALSE(has_gap_to_explain(c));
    c.doubted = false;
    c.native = true;
    EXPECT_FALSE(has_gap_to_explain(c));
    for (const Verdict none :
         {Verdict::same, Verdict::undecided, Verdict::wrong, Verdict::not_comparable}) {
        EXPECT_FALSE(has_gap_to_explain(with(none))) << word_of(none);
    }
}

/// Gaps of these ratios, each of a size of its own: 1000, 2000, ...
Diff diff_of(const std::vector<double>& ratios) {
    Diff diff;
    for (const double ratio : ratios) {
        CaseDiff c;
        c.key = {"strided_copy", "copy", "float", {1000 * (diff.cases.size() + 1)}, {}};
        c.title = fmt::format("copy {}", ratio);
        c.ratio = Ratio{.value = ratio, .low = ratio, .high = ratio};
        c.verdict = ratio > 1 ? Verdict::slower : Verdict::faster;
        diff.cases.push_back(std::move(c));
    }
    return diff;
}

TEST(GapsToExplain, TheLargestComeFirstForOneMinute) {
    ExplainRequest request;
    request.a.info.backend = "opencl";
    request.b.info.backend = "cuda";
    std::vector<std::string> troubles;
    std::vector<std::pair<std::uint64_t, double>> asked;
    const auto explain_all = [&](const std::vector<double>& ratios, double share) {
        asked.clear();
        troubles.clear();
        explain_gaps(
            diff_of(ratios), request,
            [&](const ExplainRequest& one) {
                asked.emplace_back(one.the_case.shape[0], std::round(one.budget_seconds));
                ScriptedClock::advance(share * one.budget_seconds);
                if (asked.size() == 2) throw Error("It fell off.");
                return Explanation{};
            },
            [](const Explanation&) {},
            [&](const std::string& what) { troubles.push_back(what); });
    };
    using testing::ElementsAre;
    using testing::Pair;
    explain_all({1.1, 1.5, 0.4, 1.2, 1.3, 1.05}, 1);
    EXPECT_THAT(asked, ElementsAre(Pair(3000, 20), Pair(2000, 20), Pair(5000, 20)));
    EXPECT_THAT(troubles,
                ElementsAre("copy 1.5 is not explained: It fell off.",
                            "Not explained, since 60 s had passed: copy 1.2, copy 1.1 and 1 more; "
                            "about 20 s each: 'parallax explain strided_copy/copy opencl:0 cuda:0 "
                            "-n 4000'."));
    explain_all({1.1, 1.5, 0.4, 1.2, 1.3}, 0.7);
    EXPECT_THAT(asked, ElementsAre(Pair(3000, 20), Pair(2000, 20), Pair(5000, 20), Pair(4000, 18),
                                   Pair(1000, 5)))
        << "the last ones get what is left";
    EXPECT_EQ(troubles.size(), 1u);
    explain_all({1.1, 1.5, 0.4, 1.2}, 0.9);
    EXPECT_EQ(asked.back(), (std::pair<std::uint64_t, double>(1000, 6)));
}

}  // namespace
}  // namespace parallax::cli::diff_explain_test

// The answer in words, for each kind of explanation.
#include <algorithm>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records/results.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/tests/explanations.hpp"

namespace parallax::words_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Answer, FullyExplained) {
    EXPECT_EQ(
        answer_in_words(test::fully_explained()),
        "OpenCL is 1.64x slower than CUDA (1.63 to 1.65): say aligned(16) of local arrays. 97 % "
        "of it arises in the front end (source to PTX). Cause: OpenCL aligns local arrays to 4 "
        "bytes, so that shared loads are 32 bits wide. Gain: OpenCL takes 0.61 of its time "
        "(SAME).");
}

TEST(Answer, PlacesOfTheGap) {
    Explanation e = test::fully_explained();
    std::swap(e.origin.at(0).share, e.origin.at(1).share);
    EXPECT_THAT(answer_in_words(e), HasSubstr("97 % of it arises after the front end."));
    e.origin.at(0).share = 1.2;
    EXPECT_THAT(answer_in_words(e), HasSubstr("arrays. It arises after the front end"))
        << "more than all of it is no share";
    e.origin.at(0).share = e.origin.at(1).share = 0.4;
    EXPECT_THAT(answer_in_words(e), HasSubstr("It arises in several places."));
    e.origin = {{"queues, memory and launches", "", test::made_ratio(2), "", 0.9}};
    EXPECT_THAT(answer_in_words(e), HasSubstr("90 % of it arises in queues, memory and launches."));
    e.origin.clear();
    EXPECT_THAT(answer_in_words(e), Not(HasSubstr("arises")));
}

TEST(Answer, OtherChangesThatDoTheSameAreLeftToTheTable) {
    Explanation e = test::fully_explained();
    e.conclusion.by = {0, 1};
    EXPECT_EQ(answer_in_words(e), answer_in_words(test::fully_explained()));
}

TEST(Answer, AChangeOfBothSaysWhatItDoesToEach) {
    Explanation e = test::fully_explained();
    Trial& best = e.trials.at(0);
    best.side = KnobSide::both;
    best.closes = 1;
    best.own_change = 0.9;
    EXPECT_THAT(answer_in_words(e),
                AllOf(HasSubstr("say aligned(16) of local arrays, on OpenCL. "),
                      EndsWith("On both sides (SAME): OpenCL takes 0.90 of its time, CUDA 1.48.")));
    best.own_change = 0.61;
    EXPECT_THAT(answer_in_words(e),
                AllOf(HasSubstr("say aligned(16) of local arrays, on both sides. "),
                      EndsWith("(SAME): OpenCL takes 0.61 of its time, CUDA 1.00.")));
    // It might be a gain of both: that was not tried.
    Trial common = best;
    best.side = KnobSide::a;
    common.status = TrialStatus::skipped;
    e.trials.push_back(common);
    e.origin.clear();
    EXPECT_THAT(answer_in_words(e), EndsWith("Not tried on both sides; --budget 123 does."));
}

TEST(Answer, ExplainedInPart) {
    Explanation e = test::explained_in_part();
    e.trials.at(0).own_change = 0.7;
    EXPECT_EQ(answer_in_words(e),
              "CUDA is 2.00x slower than OpenCL (1.99 to 2.01): use ALIGN=16 on CUDA. Cause of "
              "60 %: Loads are narrower. Gain: CUDA takes 0.70 of its time.");
}

TEST(Answer, Unexplained) {
    Explanation e = test::unexplained();
    EXPECT_EQ(
        answer_in_words(e),
        "CUDA is 1.050x slower than OpenCL (1.044 to 1.056): nothing to do was found; the cause is "
        "in "
        "the compilers. It arises in several places. Not explained: none of 3 changes closes half "
        "of it by making CUDA faster.");
    e.trials.at(0).closes = 2.36;
    e.trials.at(0).own_change = 0.43;
    EXPECT_THAT(answer_in_words(e),
                AllOf(HasSubstr("1.056): with ALIGN=16, CUDA takes 0.43 of its time, less than "
                                "OpenCL. "),
                      EndsWith("That change need not be what they differ in.")));
    Trial both = e.trials.at(0);
    both.side = KnobSide::both;
    both.ratio = test::made_ratio(1.2);
    e.trials.push_back(both);
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("With it on both sides, CUDA over OpenCL is 1.200 ("));
    e.trials.pop_back();
    e.trials.at(0).closes = 0.38;
    e.trials.at(0).closes_low = 0.3;
    EXPECT_THAT(answer_in_words(e), AllOf(HasSubstr("1.056): use ALIGN=16 on CUDA, which closes "
                                                    "38 %. "),
                                          Not(HasSubstr("Most of it"))));
    e.trials.at(0).closes_low = -0.1;
    EXPECT_THAT(answer_in_words(e), EndsWith("Most of it: ALIGN=16 on CUDA, 38 %."));
    e.conclusion.where = "The faster side, with one queue, is as slow.";
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("faster. The faster side, with one queue, is as slow."));
    e.trials.resize(1);
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("the one change that was tried closes less than half"));
    e.trials.push_back({.status = TrialStatus::skipped});
    EXPECT_THAT(answer_in_words(e),
                HasSubstr(": look again with --budget 123, since not all changes were tried."))
        << "an older program did not record how much is needed";
    e.needed_seconds = 29.3;
    EXPECT_THAT(answer_in_words(e), HasSubstr(": look again with --budget 30, "));
    e.trials.at(0).closes = 2.36;
    e.trials.at(0).own_change = 0.43;
    EXPECT_THAT(answer_in_words(e), EndsWith(" --budget 30 tries the rest."));
    e.trials.clear();
    EXPECT_THAT(answer_in_words(e), HasSubstr("no change could be tried"));
}

TEST(Answer, AGainOfBothIsWhatToDo) {
    Explanation e = test::with_common_gain();
    EXPECT_EQ(
        answer_in_words(e),
        "CUDA is 1.050x slower than OpenCL (1.044 to 1.056): with contraction allowed on both "
        "sides both gain (CUDA takes 0.81 of its time, OpenCL 0.85) and are alike. It arises "
        "in several places. That change is not what they differ in.");
    e.trials.at(0).closes = 0.6;
    e.conclusion.by = {0};
    e.conclusion.cause = "Loads are narrower.";
    EXPECT_THAT(answer_in_words(e), AllOf(HasSubstr(": with contraction allowed on both sides"),
                                          HasSubstr("Cause of 60 %: Loads are narrower."),
                                          Not(HasSubstr("Not explained"))));
    e.conclusion.explained = true;
    EXPECT_THAT(answer_in_words(e), HasSubstr("1.056): use ALIGN=16 on CUDA. "));
}

TEST(Answer, WithoutAChangeTheOtherSidesPtxIsWhatToDo) {
    Explanation e = test::unexplained();
    e.origin = {{"front end", "", test::made_ratio(1.2), "", 1},
                {"back end", "", test::made_ratio(1.1), "", 0},
                {"front end, seen through OpenCL", "", test::made_ratio(0.9), "", {}}};
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("1.056): load the PTX that OpenCL's compiler made by cuModuleLoadData "
                          "(CUDA takes 0.76 of its time). "));
    e.gap = test::made_ratio(1 / 1.05);
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("1.056): load CUDA's PTX by clCreateProgramWithBinary "
                          "(OpenCL takes 0.90 of its time). "));
    std::swap(e.device.a, e.device.b);
    e.origin.at(0).ratio = test::made_ratio(0.8);
    EXPECT_THAT(answer_in_words(e), HasSubstr("cuModuleLoadData (CUDA takes 0.88 of its time). "));
    e.gap = test::made_ratio(1.05);
    e.origin.at(2).ratio = test::made_ratio(1.25);
    EXPECT_THAT(answer_in_words(e), HasSubstr("clCreateProgramWithBinary (OpenCL takes 0.80 of "));
    e.origin.at(2).ratio = test::made_ratio(1.01);
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("nothing to do was found; the cause is in the compilers"));
}

TEST(Answer, SaysInWhatAGapLiesThatNothingCloses) {
    Explanation e = test::unexplained();
    e.origin = {{"queues, memory and launches", "", test::made_ratio(1.05), "", 0.9}};
    EXPECT_THAT(answer_in_words(e),
                HasSubstr("found; the cause is in queues, memory and launches."));
    e.device_name.b = "Another GPU";
    e.origin.clear();
    EXPECT_THAT(answer_in_words(e), HasSubstr("found; the cause is in the devices."));
    e.kernel = {"base", "candidate"};
    EXPECT_THAT(answer_in_words(e), HasSubstr("found; the cause is in the two kernels."));
}

std::size_t words_in(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
}

TEST(Answer, HasAtMostSixtyWords) {
    for (Explanation e : test::all_explanations()) {
        EXPECT_LE(words_in(e.answer), 60u) << e.answer;
        std::string sentence = "It";
        for (int i = 0; i < 30; ++i) sentence += " goes on";
        e.conclusion.cause = e.conclusion.remedy = e.conclusion.where = e.planted.a =
            sentence + ".";
        EXPECT_LE(words_in(answer_in_words(e)), 60u) << answer_in_words(e);
    }
    Explanation two = test::fully_explained();
    two.conclusion.cause = "One" + std::string(50, 'x');
    for (int i = 0; i < 50; ++i) two.conclusion.cause += " x";
    EXPECT_THAT(answer_in_words(two), AllOf(StartsWith("OpenCL is 1.64x slower"),
                                            HasSubstr("): say aligned(16) of local arrays.")));
}

/// At most sixty words, the slower side named once, and no sentence twice.
void expect_short(const std::string& answer) {
    EXPECT_LE(words_in(answer), 60u) << answer;
    std::set<std::string> seen;
    std::size_t slower = 0;
    for (std::size_t at = 0; at < answer.size();) {
        const std::size_t end = std::min(answer.find(". ", at), answer.size());
        const std::string sentence = answer.substr(at, end - at);
        EXPECT_TRUE(seen.insert(sentence).second) << "twice: " << sentence << "\n" << answer;
        slower += sentence.find("x slower than ") != sentence.npos ? 1 : 0;
        at = end + 2;
    }
    EXPECT_LE(slower, 1u) << answer;
}

TEST(Answer, IsShortForAllThatWasRecorded) {
    std::size_t answers = 0;
    for (const char* device : {"nvidia-h100-80gb-hbm3", "nvidia-h200"}) {
        for (const char* file : {"explain.jsonl", "planted.jsonl"}) {
            const auto read =
                read_results(fmt::format("{}/results/{}/{}", SOURCE_ROOT, device, file));
            for (const Explanation& e : read.explanations) {
                expect_short(answer_in_words(e));
                ++answers;
            }
        }
    }
    EXPECT_GT(answers, 50u);
}

TEST(Answer, IsShortWhateverWasFound) {
    std::mt19937 random(1);
    const auto number = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
    unsigned next = 0;
    const auto sentence = [&](unsigned most) {
        std::string text = fmt::format("Sentence {}", ++next);
        for (unsigned more = number(most); more > 0; --more) text += " goes on";
        return text + ".";
    };
    for (int i = 0; i < 2000; ++i) {
        Explanation e = test::all_explanations()[number(9)];
        for (Trial& trial : e.trials) {
            if (number(2) == 0) trial.side = static_cast<KnobSide>(number(3));
            if (number(3) == 0) trial.setting = sentence(8);
            if (number(3) == 0) trial.knobs = {"front end"};
            if (number(2) == 0) trial.closes = number(300) / 100.0;
            if (number(2) == 0) trial.own_change = 0.3 + number(100) / 100.0;
            if (number(6) == 0) trial.status = TrialStatus::skipped;
            if (trial.status == TrialStatus::measured && !trial.ratio)
                trial.ratio = test::made_ratio(1.1);
        }
        Conclusion& c = e.conclusion;
        if (number(2) == 0) c.cause = sentence(30);
        if (number(2) == 0) c.remedy = sentence(30);
        if (number(2) == 0) c.where = sentence(40);
        c.explained = number(2) == 0;
        if (number(3) == 0) c.by.clear();
        if (number(4) == 0) e.planted.a = sentence(10);
        if (number(4) == 0) e.planted.b = sentence(10);
        e.launching = e.launching || number(5) == 0;
        if (number(4) == 0) e.origin.clear();
        expect_short(answer_in_words(e));
    }
}

TEST(Answer, APlaceIsNoCause) {
    Explanation e = test::fully_explained();
    std::erase_if(e.trials, [](const Trial& one) { return one.status == TrialStatus::skipped; });
    e.trials.at(0).knobs = {"front end"};
    e.trials.at(0).own_change = 0.25;
    e.conclusion.remedy = "";
    e.conclusion.cause =
        "It arises in the loop of lines 27 to 35 in 'kernel_oilify', where a work-item executes in "
        "OpenCL and CUDA: branches and selections 135 and 126, tests of integers 135 and 126.";
    EXPECT_EQ(answer_in_words(e),
              "OpenCL is 1.64x slower than CUDA (1.63 to 1.65): load CUDA's PTX by "
              "clCreateProgramWithBinary (OpenCL takes 0.25 of its time). " +
                  e.conclusion.cause);
    EXPECT_LE(words_in(answer_in_words(e)), 60u);
    e.conclusion.explained = false;
    e.trials.at(0).closes = 0.71;
    EXPECT_THAT(answer_in_words(e), HasSubstr(" 71 % of it arises in the loop of lines 27 to 35"));
}

TEST(Answer, NoGap) {
    EXPECT_EQ(
        answer_in_words(test::same_speed()),
        "OpenCL (opencl:1) and CUDA (cuda:0) take the same time: CUDA's divided by OpenCL's is "
        "1.003 (0.997 to 1.009). There is no gap to explain.");
    EXPECT_EQ(answer_in_words(test::undecided()),
              "Whether OpenCL (opencl:1) and CUDA (cuda:0) differ is not decided: CUDA's time "
              "divided by OpenCL's is 1.018 (1.012 to 1.024), and the interval contains an edge of "
              "the margin. A larger --budget narrows it.");
    Explanation claimed = test::undecided();
    claimed.conclusion.has_gap = true;
    EXPECT_EQ(answer_in_words(claimed), answer_in_words(test::undecided()))
        << "what is not decided is no gap yet";
}

TEST(Answer, NoSpeeds) {
    EXPECT_EQ(answer_in_words(test::wrong_answer()),
              "OpenCL (opencl:1) and CUDA (cuda:0): an answer is not right or a side failed, so "
              "there are no speeds to explain. Cause: CUDA's element 7 is 3, not 4. 'parallax diff "
              "opencl:1 cuda:0 -s transpose/broken' says what it is.");
    EXPECT_EQ(answer_in_words(test::not_comparable()),
              "OpenCL (opencl:1) and CUDA (cuda:0) cannot be compared: a side is missing or "
              "unsupported, or it is not the same kernel, so there are no speeds to explain. "
              "'parallax diff opencl:1 cuda:0 -s transpose/builtin' says what it is.");
}

TEST(Answer, Launching) {
    EXPECT_THAT(answer_in_words(test::launching()),
                AllOf(HasSubstr(": take a larger size (-n), since it is shorter than two empty "
                                "launches. "),
                      HasSubstr("Not explained: no change could be tried.")));
}

TEST(Answer, OnOneCpu) {
    EXPECT_EQ(answer_in_words(test::on_one_cpu()),
              "B is 1.30x slower than A (1.29 to 1.31): use ALIGN=16 on B. Put in on purpose, on "
              "B: ALIGN=4. Cause: ALIGN=4 was put in. Gain: B takes 0.77 of its time (SAME).");
}

TEST(Names, OfSides) {
    Explanation e = test::fully_explained();
    EXPECT_EQ(short_names(e).a, "OpenCL");
    EXPECT_EQ(full_names(e).b, "CUDA (cuda:0)");
    e.device = {"opencl:0", "opencl:1"};
    EXPECT_EQ(short_names(e).b, "opencl:1");
    EXPECT_EQ(full_names(e).b, "B (opencl:1)");
    EXPECT_EQ(changed_side(e, KnobSide::a), "opencl:0");
    EXPECT_EQ(changed_side(e, KnobSide::both), "both sides");
}

TEST(Names, OfFigures) {
    EXPECT_EQ(share_words(0.968), "97 %");
    EXPECT_EQ(share_words(1), "100 %");
    EXPECT_EQ(share_words(0.0423), "4.2 %");
    EXPECT_EQ(share_words(-0.3), "-30 %");
    EXPECT_EQ(share_words(0), "0 %");
    EXPECT_EQ(times_words(1.0234), "1.023x");
    EXPECT_EQ(times_words(12.34), "12.3x");
    EXPECT_EQ(times_words(1234.5), "1234x");
}

}  // namespace
}  // namespace parallax::words_test

// Explanations in the reports: their own, and those of a diff.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text/text.hpp"
#include "records/json.hpp"
#include "report/report.hpp"
#include "report/tests/diffs.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/tests/explanations.hpp"

namespace parallax::explanation_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++found;
    }
    return found;
}

std::size_t place_of(const std::string& text, const std::string& word) {
    const std::size_t at = text.find(word);
    EXPECT_NE(at, std::string::npos) << word << " is missing in " << text;
    return at;
}

/// Every text that comes from elsewhere is this one.
Explanation hostile(const std::string& data) {
    Explanation e = test::fully_explained();
    e.title = e.device_name.a = e.planted.b = e.why_no_origin = data;
    for (Stage& stage : e.stages) stage.name = stage.scope = stage.note = data;
    for (OriginStep& step : e.origin) step.name = step.what = data;
    for (Trial& trial : e.trials) {
        trial.setting = data;
        trial.reason = data;
        trial.consequences = {data};
    }
    for (KernelEvidence* k : {&e.evidence.a[0], &e.evidence.b[0]}) {
        k->kernel = data;
        k->occupancy->limited_by = data;
        k->ptx_text = data + "\n" + k->ptx_text;
    }
    e.conclusion.cause = e.conclusion.remedy = data;
    e.conclusion.ruled_out = e.conclusion.not_tried = {data};
    return e;
}

const std::string evil = "<b>\x1b[31m\xe2\x80\xae|`@x http://www.x [a](b)\xff";

TEST(ExplanationText, AnswersFirstAndInOrder) {
    const Explanation e = test::fully_explained();
    const std::string text = text_report({e}, 2000, false);
    EXPECT_THAT(text, StartsWith("transpose/tiled float 4096x4096: OpenCL is 1.64x slower\n  " +
                                 answer_in_words(e) + "\n"));
    std::size_t before = 0;
    for (const char* title : {"What closes the gap\n", "Where it arises\n", "Where the time goes\n",
                              "What the kernels need\n", "Instructions in the PTX\n",
                              "Instructions in the machine code\n", "Where the texts differ\n",
                              "What else was looked at\n", "cuda:0 against opencl:1"}) {
        const std::size_t at = place_of(text, title);
        EXPECT_GT(at, before) << title;
        before = at;
    }
}

TEST(ExplanationText, ListsBesideTheAnswerAreOneTable) {
    Explanation e = test::fully_explained();
    e.conclusion.by = {0, 1};
    EXPECT_THAT(text_report({e}, 100, false),
                HasSubstr("  outcome        changes\n"
                          "  does the same  1\n"
                          "      #pragma unroll 4 on CUDA (closes 34 %)\n"
                          "  ruled out      1\n"
                          "      restrict (the same code)\n"
                          "  not tried      1\n"
                          "      tile 64 (the budget had ended)\n"));
    e.conclusion.not_tried = {"restrict, not in all positions: OpenCL 1 %; CUDA not tried",
                              "division, not in all positions: OpenCL 3 %; CUDA not tried"};
    EXPECT_THAT(
        text_report({e}, 100, false),
        HasSubstr("  tried in part  2\n      restrict (OpenCL 1 %; CUDA not tried), division "
                  "(OpenCL 3 %; CUDA not tried)\n"));
}

TEST(ExplanationText, GainsOfOneSideAreOffered) {
    EXPECT_THAT(
        text_report({test::unexplained()}, 100, false),
        AllOf(testing::ContainsRegex("What else would make it faster\n +change +on +own time\n"
                                     " +--maxrregcount=64 +OpenCL +0.760\n"),
              HasSubstr("not what makes the two differ")));
    EXPECT_THAT(text_report({test::fully_explained()}, 100, false),
                Not(HasSubstr("What else would")));
}

TEST(ExplanationText, PartsThatDoNotAddUpHaveNoShares) {
    Explanation e = test::fully_explained();
    e.stages.push_back({"whole", "All of it.", {0.2, 0.41}, false, ""});
    EXPECT_THAT(text_report({e}, 100, false), HasSubstr("+190 ms           100 %"));
    e.stages.back().seconds.b = 0.41 / 2.9;
    EXPECT_THAT(text_report({e}, 200, false),
                AllOf(Not(HasSubstr("+190 ms           100 %")), HasSubstr("no part has a share")));
}

TEST(ExplanationText, OneDeviceIsOneSide) {
    Explanation e = test::fully_explained();
    e.device.b = e.device.a;
    e.device_name.b = e.device_name.a;
    e.conclusion.has_gap = false;
    const std::string two = "CUDA less OpenCL";
    EXPECT_THAT(text_report({test::fully_explained()}, 200, false), HasSubstr(two));
    e.verdict = Verdict::undecided;
    const std::string text = text_report({e}, 200, false);
    EXPECT_THAT(text, StartsWith("transpose/tiled float 4096x4096: " + e.device.a +
                                 " is both sides, so there is no gap\n"));
    EXPECT_THAT(text, Not(HasSubstr(two)));
    EXPECT_THAT(text, Not(HasSubstr("own time")));
    EXPECT_THAT(text, Not(HasSubstr("Where the texts differ")));
    EXPECT_THAT(text, HasSubstr("\n  stage                 " + e.device.a + "\n"));
    EXPECT_THAT(text, testing::ContainsRegex("kernel +1.64 ms\n"));
    EXPECT_THAT(text, HasSubstr("The time with the change over the time without"));
    e.planted.b = "a loop that is not unrolled";
    EXPECT_THAT(text_report({e}, 200, false), HasSubstr("B less A")) << "that are two sides";
}

// clang-format off
TEST(ExplanationText, Tables) {
    const std::string text = text_report({test::fully_explained()}, 100, false);
    EXPECT_THAT(text, HasSubstr(
R"(  change            on                        interval       CUDA over OpenCL     own time
  ALIGN=16          OpenCL      closes 100 %  97 % to 102 %  0.998 (0.992-1.004)  0.610
      SAME with it; registers 96 -> 128; 128-bit shared loads 0 -> 16
  #pragma unroll 4  CUDA        closes 34 %   31 % to 36 %   0.720 (0.716-0.724)  1.180
  1 change          both sides  no effect
      restrict: The compilers made the same code.
)"));
    EXPECT_THAT(text, HasSubstr(
R"(  build, cold           210 ms   400 ms   +190 ms           100 %
      From the text to code that can be launched. The compilers' caches were empty.
  launch                6.00 ms  4.00 ms  -2.00 ms
      From the call to its return.
  kernel                1.64 ms  1.00 ms  -640 us           -0.34 %
      From the first launch to the last.
  mapped memory         100 us
      From the host's write to the kernel's read. CUDA has no such call.
  one use from scratch  212 ms   401 ms   +189 ms           100 %
)"));
    EXPECT_THAT(text, HasSubstr(
R"(  tiled   32-bit shared loads   64      0     -64
  tiled   128-bit shared loads  0       16    +16
  tiled   fused multiply-adds   256     256
  tiled   barriers              2       2
  tiled   all                   322     274   -48
)"));
    EXPECT_THAT(text, HasSubstr(
R"(  PTX of tiled: 2 lines of A alone (-), 1 of B alone (+).
      mov %r1
    - ld.shared.f32 %f1
    - ld.shared.f32 %f2
    + ld.shared.v4.f32 %f1
      fma %f3
)"));
    EXPECT_THAT(text, HasSubstr("50 % (32 of 64 warps)"));
}
// clang-format on

TEST(ExplanationText, FitsAndIsPrintable) {
    for (const unsigned width : {10u, 60u, 72u, 100u, 160u}) {
        for (const Explanation& e : {test::fully_explained(), hostile(evil), test::unexplained()}) {
            const std::string text = text_report({e}, width, false);
            std::istringstream lines(text);
            for (std::string line; std::getline(lines, line);) {
                EXPECT_EQ(printable(line), line);
                EXPECT_LE(columns_of(line), std::max(60u, width)) << line;
            }
        }
    }
    std::istringstream lines(text_report({test::fully_explained()}, 72, false));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of(line), 72u) << line;
}

TEST(ExplanationText, ColoursOnlyWhenAsked) {
    EXPECT_THAT(text_report({test::fully_explained()}, 80, false), Not(HasSubstr("\033")));
    EXPECT_THAT(text_report({test::fully_explained()}, 80, true),
                HasSubstr("\033[1mWhat closes the gap\033[0m"));
}

TEST(ExplanationText, OfSeveralBeginsWithATally) {
    EXPECT_THAT(text_report(test::all_explanations(), 100, false),
                StartsWith("9 cases, 5 with a gap: 2 explained, 1 in part, 2 not.\n\n"));
    EXPECT_THAT(text_report({test::with_common_gain(), test::unexplained()}, 100, false),
                StartsWith("2 cases, 2 with a gap: 0 explained, 1 closed by a gain of both, 0 in "
                           "part, 1 not.\n\n"));
    EXPECT_EQ(text_report(std::vector<Explanation>{}, 100, false),
              "0 cases, 0 with a gap: 0 explained, 0 in part, 0 not.\n");
}

TEST(ExplanationText, LeavesOutWhatIsNotKnown) {
    const std::string text = text_report({test::same_speed()}, 100, false);
    EXPECT_THAT(text, AllOf(Not(HasSubstr("What closes")), Not(HasSubstr("Where")),
                            Not(HasSubstr("kernels need")), HasSubstr("no gap to explain")));
}

TEST(ExplanationText, CutsLongChangesOff) {
    Explanation e = test::fully_explained();
    for (int i = 0; i < 200; ++i) e.evidence.a[0].ptx_text += "\nline " + std::to_string(i);
    const std::string text = text_report({e}, 100, false);
    EXPECT_THAT(text, HasSubstr("202 lines of A alone"));
    EXPECT_EQ(count(text, "- line "), 18u) << "24 lines of changes, with those around them";
    e.evidence.b[0].ptx_text = e.evidence.a[0].ptx_text;
    EXPECT_THAT(text_report({e}, 100, false), HasSubstr("PTX of tiled: equal on both sides."));
}

TEST(ExplanationMarkdown, SaysTheSame) {
    const Explanation e = test::fully_explained();
    const std::string text = markdown_report(std::vector{e});
    EXPECT_THAT(text, StartsWith("### transpose/tiled float 4096x4096: OpenCL is 1.64x slower\n\n" +
                                 answer_in_words(e) + "\n\n**What closes the gap**\n\n"));
    EXPECT_THAT(text, HasSubstr("| ALIGN=16 | OpenCL | closes 100 % | 97 % to 102 % | 0.998 "
                                "(0.992-1.004) | 0.610 | SAME with it; registers 96 -&#62; 128"));
    EXPECT_THAT(text, HasSubstr("<details><summary>Where it arises</summary>"));
    EXPECT_THAT(text, HasSubstr("```diff\n  mov %r1\n- ld.shared.f32 %f1\n"));
    EXPECT_EQ(count(text, "<details>"), count(text, "</details>"));
    EXPECT_EQ(count(text, "<details>"), 5u);
}

TEST(ExplanationMarkdown, DataIsNotTakenForMarkup) {
    const std::string text = markdown_report(std::vector{hostile(evil)});
    EXPECT_THAT(text, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\xe2\x80\xae"))));
    std::string outside = text;  // in a block of code nothing is markup
    for (auto at = outside.find("```diff"); at != std::string::npos; at = outside.find("```diff")) {
        outside.erase(at, outside.find("```\n", at + 7) + 4 - at);
    }
    EXPECT_THAT(outside, AllOf(Not(HasSubstr("<b>")), Not(HasSubstr("[a]")), Not(HasSubstr("@x")),
                               Not(HasSubstr("http://")), Not(HasSubstr("`"))));
}

TEST(ExplainedDiff, CasesSayWhy) {
    Diff diff = test::small_diff();
    const auto explained = [&](std::string_view variant) -> std::optional<Explanation>& {
        return std::ranges::find(
                   diff.cases, variant, [](const CaseDiff& c) -> auto& { return c.key.variant; })
            ->explanation;
    };
    explained("staged") = test::answered(test::fully_explained());
    explained("naive") = test::answered(test::same_speed());
    const std::string why = " Why: " + answer_in_words(test::fully_explained());
    const std::string text = text_report(diff, 2000, false), markdown = markdown_report(diff);
    EXPECT_THAT(text,
                HasSubstr("  stencil1d/staged: CUDA slower. The interval lies wholly above the "
                          "margin." +
                          why + "\n"));
    EXPECT_THAT(text,
                HasSubstr("  stencil1d/global: CUDA slower. The interval lies wholly above the "
                          "margin.\n"));
    EXPECT_THAT(markdown, HasSubstr("margin." + why + "\n"));
    EXPECT_EQ(count(text, " Why: "), 1u) << "a case that is SAME has no reason to show";
}

}  // namespace
}  // namespace parallax::explanation_test

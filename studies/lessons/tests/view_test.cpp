// How a lesson shows stored results: in words, on a terminal, as Markdown.
#include "studies/lessons/view.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "report/lessons/lesson_document.hpp"
#include "studies/lessons/tests/sample_walk.hpp"
#include "suites/planted.hpp"

namespace parallax::view_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

KernelSource own_kernels() {
    return [](std::string_view file) { return kernel_source(file); };
}

LessonView sample_view(const Walk& walk) {
    return view_of(sample_lesson(), walk.lessons.at(0), walk, own_kernels());
}

double median_of(const Walk& walk, std::size_t step, std::size_t device) {
    return walk.lessons.at(0).steps[step].points.at(0).records[device].seconds();
}

TEST(LessonView, ATimeHasHalfOfItsIntervalBehindIt) {
    Walk walk = sample_walk();
    Estimate& estimate = walk.lessons.at(0).steps.at(0).points.at(0).records.at(0).timing->estimate;
    estimate.median = 1e-3;
    estimate.low = 0.98e-3;
    estimate.high = 1.04e-3;
    EXPECT_EQ(sample_view(walk).steps.at(0).figures.rows.at(0)[2], "1.00 ms ±3.0 %");
    const std::string page = course_markdown({sample_view(walk)}, walk, {});
    EXPECT_THAT(page, HasSubstr(" | 1.00 ms ±3.0 % | "));
    EXPECT_THAT(page, HasSubstr("█")) << "bars, which the page in HTML has as elements";
}

TEST(LessonView, TheFiguresDecideWhichChoiceIsRight) {
    const Walk walk = sample_walk();
    const LessonView view = sample_view(walk);
    const double speedup = median_of(walk, 0, 0) / median_of(walk, 1, 0);
    ASSERT_GT(speedup, 2);
    ASSERT_LT(speedup, 20);
    EXPECT_THAT(view.steps.at(1).right, ElementsAre(1u));
    EXPECT_THAT(view.steps.at(1).answers, Contains(HasSubstr("On opencl:0: ")));
    EXPECT_THAT(view.steps.at(1).answers, Contains(HasSubstr("On cuda:0: ")));
    EXPECT_THAT(view.steps.at(1).answers[0], HasSubstr("That is choice 2."));
    EXPECT_THAT(view.steps.at(2).right, ElementsAre(1u)) << "a choice in words is right everywhere";

    Walk scattered = walk;
    Estimate& estimate =
        scattered.lessons.at(0).steps.at(1).points.at(0).records.at(0).timing->estimate;
    estimate.low = estimate.median / 10;
    estimate.high = estimate.median * 10;
    EXPECT_THAT(sample_view(scattered).steps.at(1).right, ElementsAre(1u)) << "by the other device";
    EXPECT_THAT(sample_view(scattered).steps.at(1).answers[0],
                AllOf(HasSubstr("but the times scatter"), HasSubstr("decides no choice")));
    scattered.lessons.at(0).steps.at(1).points.at(0).records.resize(1);
    EXPECT_TRUE(sample_view(scattered).steps.at(1).right.empty()) << "nothing is graded";

    Walk rough = walk;
    for (Record& record : rough.lessons.at(0).steps.at(0).points.at(0).records) {
        record.timing->estimate.low /= 100;
        record.timing->estimate.high *= 100;
    }
    EXPECT_TRUE(sample_view(rough).steps.at(0).right.empty()) << "a share scatters as its time";

    Walk slow = walk;
    for (Record& record : slow.lessons.at(0).steps.at(1).points.at(0).records) {
        record = walk.lessons.at(0).steps.at(0).points.at(0).records.at(0);
    }
    slow.lessons.at(0).steps.at(1).points.at(0).records.resize(1);
    EXPECT_THAT(sample_view(slow).steps.at(1).right, ElementsAre(0u))
        << "as slow as the one before";
}

TEST(LessonView, TheTableHasARowADevice) {
    const FigureTable table = sample_view(sample_walk()).steps.at(1).figures;
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows.at(0)[0], "opencl:0");
    EXPECT_EQ(table.rows.at(1)[0], "cuda:0");
    EXPECT_EQ(table.head.back(), "against naive");
    EXPECT_THAT(table.rows.at(0).back(), HasSubstr("x as fast"));
    EXPECT_EQ(table.rows.at(0).size(), table.head.size());
}

TEST(LessonView, OneDeviceThroughBothApisHasARatio) {
    const Walk walk = sample_walk();
    EXPECT_THAT(sample_view(walk).steps.at(0).remarks, Contains(HasSubstr("cuda:0 over opencl:0")));
    Walk two = walk;
    two.devices.at(1).physical = 1;
    EXPECT_THAT(sample_view(two).steps.at(0).remarks, Not(Contains(HasSubstr(" over "))));
}

TEST(LessonView, TextsAreWholeAtFirstAndThenWhatChanges) {
    const LessonView view = sample_view(sample_walk());
    ASSERT_EQ(view.steps.at(0).texts.size(), 1u);
    EXPECT_EQ(view.steps.at(0).texts[0].language, "c");
    EXPECT_THAT(view.steps.at(0).texts[0].text, HasSubstr("__kernel void naive("));
    EXPECT_THAT(view.steps.at(0).texts[0].text, Not(HasSubstr("__kernel void tiled(")));
    EXPECT_THAT(view.steps.at(0).other_texts.at(0).text, HasSubstr("__global__ void naive("));
    EXPECT_EQ(view.steps.at(1).texts.at(0).language, "diff");
    EXPECT_THAT(view.steps.at(1).texts[0].text, HasSubstr("+     barrier(CLK_LOCAL_MEM_FENCE);"));
    EXPECT_THAT(view.steps.at(1).other_texts.at(0).text, HasSubstr("__syncthreads()"));
    EXPECT_THAT(view.steps.at(1).remarks_on_text, ElementsAre(HasSubstr("PAD from 0 to 1")));
    EXPECT_THAT(view.steps.at(2).texts.at(0).text,
                HasSubstr("-     barrier(CLK_LOCAL_MEM_FENCE);"));
    EXPECT_THAT(view.exercises.at(0).solved.texts.at(0).text, HasSubstr("__kernel void tiled("));
}

TEST(LessonView, PublishedFiguresStandBesideTodays) {
    const LessonView view = sample_view(sample_walk());
    EXPECT_THAT(view.steps.at(1).published,
                Contains(testing::AllOf(HasSubstr("30.3 GB/s"), HasSubstr("GeForce GTX 280"),
                                        HasSubstr("OpenCL Optimization"))));
}

TEST(LessonView, WhatTheGateSaidIsSaid) {
    const std::vector<std::string> remarks = sample_view(sample_walk()).steps.at(2).remarks;
    ASSERT_EQ(remarks.size(), 2u);
    EXPECT_EQ(remarks[0], "opencl:0: verification caught it. 3 elements wrong.");
    EXPECT_THAT(remarks[1], HasSubstr("cuda:0: every answer was right this time"));
}

TEST(LessonView, ASpreadWithPointsThatWereNotTriedDecidesTheHighestChoiceAlone) {
    Lesson lesson = sample_lesson();
    Walk walk = sample_walk();
    lesson.steps.resize(1);
    lesson.steps.at(0).run.over = {"TILE=16,32"};
    lesson.steps.at(0).predict = {.ask = "?",
                                  .of = Prediction::Quantity::spread,
                                  .bounds = {2, 5},
                                  .choices = {"a", "b", "c"}};
    std::vector<WalkedPoint>& points = walk.lessons.at(0).steps.at(0).points;
    points.push_back(walk.lessons.at(0).steps.at(1).points.at(0));
    points.at(0).label = "TILE=16";
    points.at(1).label = "TILE=32";
    ASSERT_GT(median_of(walk, 0, 0) / points.at(1).records.at(0).seconds(), 5);
    const auto right = [&] {
        return view_of(lesson, walk.lessons.at(0), walk, own_kernels()).steps.at(0).right;
    };
    EXPECT_THAT(right(), ElementsAre(2u));
    points.push_back({.label = "TILE=8", .the_case = {}});
    EXPECT_THAT(right(), ElementsAre(2u)) << "it can only be more";
    points.erase(points.begin() + 1);
    EXPECT_TRUE(right().empty()) << "the last point was not tried";
    EXPECT_THAT(view_of(lesson, walk.lessons.at(0), walk, own_kernels()).steps.at(0).remarks,
                Contains("There is no record of TILE=8."));
}

TEST(LessonView, OneSampleHasNoIntervalAndGradesNothing) {
    Walk walk = sample_walk();
    for (Record& record : walk.lessons.at(0).steps.at(0).points.at(0).records) {
        record.timing->samples.resize(1);
    }
    const LessonView view = sample_view(walk);
    EXPECT_THAT(view.steps.at(0).figures.rows.at(0).at(2), HasSubstr("s n=1"));
    for (const std::size_t step : {0u, 1u}) {
        EXPECT_TRUE(view.steps.at(step).right.empty()) << "its own, and that it is held against";
        EXPECT_THAT(view.steps.at(step).answers.at(0), HasSubstr("only once (n=1)"));
    }
}

TEST(LessonView, AnApiThatWasNotAskedAboutDecidesNothing) {
    Lesson lesson = sample_lesson();
    const Walk walk = sample_walk();
    Prediction& predict = lesson.steps.at(0).predict;
    const auto step = [&] {
        return view_of(lesson, walk.lessons.at(0), walk, own_kernels()).steps.at(0);
    };
    predict.bounds = {1e-9, 2};
    predict.api = "cuda";
    EXPECT_THAT(step().right, ElementsAre(1u));
    EXPECT_THAT(step().answers, ElementsAre(HasSubstr("On opencl:0, which was not asked about: "),
                                            HasSubstr("On cuda:0: ")));
    predict.api = "metal";
    EXPECT_TRUE(step().right.empty());
    EXPECT_THAT(step().answers.back(), HasSubstr("Nothing decides it here"));
}

/// The course, with the results of one H100.
TEST(Course, EachQuestionHasOneAnswerOnTheH100) {
    std::vector<const Lesson*> all;
    for (const Lesson& lesson : lessons()) all.push_back(&lesson);
    const Walk walk = walk_from_records(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/walk.jsonl",
                                        all, [](const auto&) {
                                            return CommandOutput{"", true};
                                        });
    EXPECT_GT(walk.lessons.size(), all.size() / 2) << "a new one has no records yet";
    for (const WalkedLesson& walked : walk.lessons) {
        const LessonView view = view_of(lesson_named(walked.name), walked, walk, own_kernels());
        for (const StepView& step : view.steps) {
            SCOPED_TRACE(view.name + ": " + step.ask);
            const bool scatters = std::ranges::any_of(step.answers, [](const std::string& answer) {
                return answer.find("the times scatter") != answer.npos;
            });
            EXPECT_TRUE(step.right.size() == 1 || (scatters && step.right.size() < 2))
                << "the APIs differ: say in the question, and by 'api', which of them is asked "
                   "about";
        }
    }
}

TEST(LessonView, FromCudaItsSourcesAndItsWordsComeFirst) {
    EXPECT_EQ(
        in_cuda_words("An item of the group reads local\nmemory; `item` and *group* stay, a "
                      "sub-group, work-items' and groups."),
        "A thread of the block reads shared memory; `item` and *group* stay, a warp, threads' "
        "and blocks.");
    const Walk walk = sample_walk();
    const LessonView opencl = sample_view(walk), cuda = told_from_cuda(opencl);
    ASSERT_FALSE(opencl.steps.at(0).texts.empty());
    EXPECT_EQ(cuda.steps.at(0).texts.at(0).text, opencl.steps.at(0).other_texts.at(0).text);
    EXPECT_EQ(cuda.steps.at(0).texts.at(0).title, "transpose.cl, CUDA C++");
    EXPECT_EQ(cuda.steps.at(0).other_texts.at(0).text, opencl.steps.at(0).texts.at(0).text);
    const std::string page = to_markdown(cuda, {});
    const std::size_t first = page.find("__global__");
    EXPECT_LT(first, page.find("__kernel"));
    EXPECT_THAT(page, HasSubstr("The same in OpenCL C"));
    for (const Lesson& lesson : lessons()) {
        for (const LessonStep& step : lesson.steps) {
            const std::string told = in_cuda_words(step.idea);
            EXPECT_THAT(told, Not(testing::ContainsRegex("[^`*a-z_-]items? "))) << told;
        }
    }
}

TEST(LessonView, ASheetForTheClassHasNoAnswers) {
    const Walk walk = sample_walk();
    const LessonView view = sample_view(walk);
    for (const bool for_page : {false, true}) {
        const std::string sheet =
            course_markdown({view}, walk, {.for_page = for_page, .answers = false});
        for (const char* hidden : {"That is choice", "is right", "After padded", "The solution",
                                   "What was measured", "data-right=\"2\""}) {
            EXPECT_THAT(sheet, Not(HasSubstr(hidden)));
        }
        EXPECT_THAT(sheet, AllOf(HasSubstr("Which share?"), HasSubstr("The first hint."),
                                 HasSubstr("The task.")));
    }
}

TEST(LessonView, FiguresOfOtherSizesAreNotCompared) {
    Walk walk = sample_walk();
    walk.lessons.at(0).steps.at(0).points.at(0).records.at(0).key.shape = {64, 64};
    const LessonView view = sample_view(walk);
    EXPECT_EQ(view.steps.at(1).figures.rows.at(0).back(), "");
    EXPECT_THAT(view.steps.at(1).answers, Not(Contains(HasSubstr("opencl:0"))));
}

TEST(LessonView, OutputIsCutWhereTheLessonSaysSo) {
    Lesson lesson = sample_lesson();
    Walk walk = sample_walk();
    walk.lessons.at(0).steps.at(3).output = "1\n2\n3\n";
    const auto shown = [&](std::size_t lines) {
        lesson.steps.at(3).lines = lines;
        return view_of(lesson, walk.lessons.at(0), walk, own_kernels()).steps.at(3).output.text;
    };
    EXPECT_EQ(shown(0), "1\n2\n3\n");
    EXPECT_EQ(shown(2), "1\n2\n...\n");
    EXPECT_EQ(shown(3), "1\n2\n3\n");
    EXPECT_EQ(shown(9), "1\n2\n3\n");
}

TEST(LessonView, ACpuIsNamedAsOne) {
    Walk walk = sample_walk();
    EXPECT_EQ(sample_view(walk).on_cpu, "");
    EXPECT_EQ(sample_view(walk).steps.at(0).then_cpu, "");
    walk.devices.at(0).is_gpu = false;
    LessonView view = sample_view(walk);
    EXPECT_EQ(view.on_cpu, "There are caches.");
    EXPECT_EQ(view.steps.at(0).then, "After naive.");
    EXPECT_EQ(view.steps.at(0).then_cpu, "After naive on a CPU.");
    walk.devices.at(1).is_gpu = false;
    view = sample_view(walk);
    EXPECT_EQ(view.steps.at(0).then, "") << "nobody here has what it speaks of";
    EXPECT_EQ(view.steps.at(1).then, "After padded.") << "there is no other";
}

TEST(LessonText, TheAnswerIsNotInTheQuestion) {
    const LessonView view = sample_view(sample_walk());
    for (std::size_t i = 0; i < view.steps.size(); ++i) {
        const std::string question = question_text(view, i + 1, 100);
        const std::string answer = answer_text(view.steps[i], 100);
        EXPECT_THAT(question, HasSubstr(view.steps[i].ask));
        EXPECT_THAT(question, HasSubstr("  2. " + view.steps[i].choices[1]));
        EXPECT_THAT(question, Not(HasSubstr(view.steps[i].then)));
        EXPECT_THAT(question, Not(HasSubstr("hoice ")));
        EXPECT_THAT(answer, HasSubstr(view.steps[i].then));
        EXPECT_THAT(answer, HasSubstr("hoice "));
    }
    EXPECT_THAT(end_text(view, 100), HasSubstr("The second hint."));
}

TEST(LessonText, ParagraphsAreWrappedAndCodeIsNot) {
    StepView step{.title = "t",
                  .idea = "word " + std::string(150, 'x') + "\n\n- an item " +
                          std::string(20, 'y') + "\n- another\n\n```c\nint a;   int b;\n```"};
    step.ask = "?";
    LessonView view;
    view.steps = {std::move(step)};
    const std::string text = question_text(view, 1, 60);
    EXPECT_THAT(text, HasSubstr("\n  - another\n"));
    EXPECT_THAT(text, HasSubstr("\n      int a;   int b;\n"));
    EXPECT_THAT(text, Not(HasSubstr("```")));
}

TEST(LessonMarkdown, AnswersAreFolded) {
    const LessonView view = sample_view(sample_walk());
    const std::string text = to_markdown(view, {});
    const std::size_t folded = text.find("<details><summary>What was measured");
    ASSERT_NE(folded, std::string::npos);
    EXPECT_LT(text.find("1. less than 10 %"), folded);
    EXPECT_GT(text.find("After naive."), folded);
    EXPECT_EQ(text.find("data-right"), std::string::npos);
    EXPECT_THAT(to_markdown(view, {.for_page = true}), HasSubstr("data-right=\"2\""));
}

TEST(LessonMarkdown, WhatDevicesAndCompilersSayIsNoMarkup) {
    Walk walk = sample_walk();
    walk.devices.at(0).name = "<script>alert(1)</script> *x*";
    walk.lessons.at(0).steps.at(2).broken.at(0).said = "</details><b>| a |";
    walk.started = "<script>alert(2)</script>";
    walk.program = "<script>alert(3)</script>";
    const std::string text = course_markdown({sample_view(walk)}, walk, {.for_page = true});
    EXPECT_THAT(text, Not(HasSubstr("<script>")));
    walk.from_records = true;
    EXPECT_THAT(course_markdown({}, walk, {.for_page = true}), Not(HasSubstr("<script>")));
    walk.lessons.at(0).steps.at(3).output = std::string("a\0b\x1b[2Jc\n\n\n", 10);
    const std::string with_output = course_markdown({sample_view(walk)}, walk, {});
    EXPECT_THAT(with_output, HasSubstr("```text\na\\x00b\\x1b[2Jc\n```\n"));
    EXPECT_THAT(text, Not(HasSubstr("</details><b>")));
}

TEST(LessonView, AnInterruptedWalkSaysWhatIsMissing) {
    Walk walk = sample_walk();
    const std::string said = "The walk was interrupted: what is missing was not run.";
    EXPECT_THAT(head_text(sample_view(walk), walk, 100), Not(HasSubstr(said)));
    EXPECT_THAT(course_markdown({}, walk, {}), Not(HasSubstr(said)));
    walk.interrupted = true;
    for (WalkedPoint& point : walk.lessons.at(0).steps.at(1).points) point.records.clear();
    walk.lessons.at(0).steps.at(2).broken.clear();
    walk.lessons.at(0).steps.at(3).output.clear();
    const LessonView view = sample_view(walk);
    EXPECT_THAT(head_text(view, walk, 100), HasSubstr(said));
    EXPECT_THAT(course_markdown({view}, walk, {}), HasSubstr(said));
    EXPECT_THAT(view.steps.at(1).remarks, ElementsAre("There is no record of it."));
    EXPECT_THAT(view.steps.at(2).remarks,
                ElementsAre("It was not tried in this run of the lesson."));
    EXPECT_THAT(view.steps.at(3).remarks, ElementsAre("This run of the lesson left it out."));
    EXPECT_THAT(sample_view(sample_walk()).steps.at(3).remarks, testing::IsEmpty());
}

TEST(Edits, MustStandThereOnce) {
    EXPECT_EQ(edited_source("a b c", {{"b", "x"}}, "f"), "a x c");
    EXPECT_THROW(edited_source("a b b", {{"b", "x"}}, "f"), UsageError);
    EXPECT_THROW(edited_source("a", {{"b", "x"}}, "f"), UsageError);
}

}  // namespace
}  // namespace parallax::view_test

// The reader of lessons: accepted and rejected files, the positions in messages, and the program's
// own lessons.
#include "studies/lessons/lesson.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"

namespace parallax::lesson_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string head = R"(order: 7
title: A title
teaches: Something.
introduction: |
  Two lines
  of text.
on_cpu: Slower.
steps:
)";

const std::string first = R"(  - name: one
    title: First
    idea: An idea.
    run: transpose/naive
    define: {TILE: 16}
    size: 64x32
    type: int
    predict: {ask: "What share?", of: share, bounds: [0.1, 0.5]}
    then: Because.
)";

const std::string broken = R"(  - name: two
    title: Second
    idea: An idea.
    break: one
    replace:
      - {find: "a\n", by: ""}
    predict:
      ask: Why?
      choices: [This., That.]
      right: 2
    then: Because.
)";

const std::string exercise = "{title: a, task: b, hints: [c], solution: d}";

std::string shown_lines(const std::string& count) {
    return R"(  - name: word
    title: Word
    idea: An idea.
    command: map  barrier
    lines: )" +
           count + R"(
    predict: {ask: "Which?", choices: [This., That.], right: 1}
    then: Because of `a < b` and a < b.
)";
}

std::string refusal(const std::string& text) {
    try {
        parse_lesson("mine", text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "it was taken";
}

std::string changed(std::string text, const std::string& find, const std::string& by) {
    const std::size_t at = text.find(find);
    EXPECT_NE(at, std::string::npos) << find;
    return text.replace(at, find.size(), by);
}

TEST(Lesson, IsReadAsItIsWritten) {
    const Lesson lesson = parse_lesson("mine", head + first + broken);
    EXPECT_EQ(lesson.name, "mine");
    EXPECT_EQ(lesson.order, 7);
    EXPECT_EQ(lesson.introduction, "Two lines\nof text.");
    ASSERT_EQ(lesson.steps.size(), 2u);
    const LessonStep& run = lesson.steps.at(0);
    EXPECT_EQ(run.kind, LessonStep::Kind::run);
    EXPECT_EQ(run.run.what, "transpose/naive");
    EXPECT_THAT(run.run.defines, ElementsAre("TILE=16"));
    EXPECT_EQ(run.run.size, "64x32");
    EXPECT_EQ(run.run.type, "int");
    EXPECT_FALSE(run.against);
    EXPECT_THAT(run.predict.choices,
                ElementsAre("less than 10 %", "10 % to 50 %", "more than 50 %"));
    const LessonStep& wrong = lesson.steps.at(1);
    EXPECT_EQ(wrong.kind, LessonStep::Kind::broken);
    EXPECT_EQ(wrong.breaks, 0u);
    EXPECT_EQ(wrong.edits.at(0).find, "a\n");
    EXPECT_EQ(wrong.edits.at(0).replace, "");
    EXPECT_EQ(wrong.predict.right, 1u);
}

TEST(Lesson, ACommandIsWordsAndMayBeCutShort) {
    const LessonStep step = parse_lesson("mine", head + shown_lines("3")).steps.at(0);
    EXPECT_EQ(step.kind, LessonStep::Kind::command);
    EXPECT_THAT(step.command, ElementsAre("map", "barrier"));
    EXPECT_EQ(step.lines, 3u);
}

TEST(Lesson, ARunIsComparedWithTheRunBeforeIt) {
    const std::string third =
        changed(changed(first, "name: one", "name: three"), "of: share", "of: speedup");
    const Lesson lesson = parse_lesson("mine", head + first + broken + third);
    EXPECT_EQ(lesson.steps.at(2).against, 0u) << "a broken one has no figures";
}

TEST(Lesson, ARunIsNotComparedWithAnotherSuitesUnlessItSaysSo) {
    const std::string other =
        changed(changed(first, "name: one", "name: two"), "transpose/naive", "transposed/naive");
    const std::string third = changed(first, "name: one", "name: three");
    const Lesson lesson = parse_lesson("mine", head + first + other + third);
    EXPECT_FALSE(lesson.steps.at(1).against);
    EXPECT_EQ(lesson.steps.at(2).against, 0u) << "the last one of its own suite";
    const std::string said = changed(other, "    run:", "    against: one\n    run:");
    EXPECT_EQ(parse_lesson("mine", head + first + said).steps.at(1).against, 0u);
}

TEST(Lesson, ListsAndRangesOfOver) {
    const std::string swept =
        changed(changed(first, "define: {TILE: 16}", "over: {TILE: [8, 16, 32], size: \"1..4\"}"),
                "of: share", "of: spread");
    EXPECT_THAT(parse_lesson("mine", head + swept).steps.at(0).run.over,
                ElementsAre("TILE=8,16,32", "size=1..4"));
}

TEST(Lesson, AQuoteIsReadWithoutItsSource) {
    const std::string quoted =
        changed(first, "An idea.", "It took [[2.1 | longer one\n      two]] times, `a[[i]]`.");
    EXPECT_EQ(parse_lesson("mine", head + quoted).steps.at(0).idea, "It took 2.1 times, `a[[i]]`.");
}

TEST(Lesson, APredictionMayAskAboutOneApi) {
    const std::string asked = changed(first, "of: share", "of: share, api: cuda");
    EXPECT_EQ(parse_lesson("mine", head + asked).steps.at(0).predict.api, "cuda");
    EXPECT_EQ(parse_lesson("mine", head + first).steps.at(0).predict.api, "");
}

TEST(Lesson, ChoicesBeginAtTheirBounds) {
    const Prediction p{.ask = "", .of = Prediction::Quantity::speedup, .bounds = {0.5, 2}};
    EXPECT_EQ(choice_of(p, 0.1), 0u);
    EXPECT_EQ(choice_of(p, 0.5), 1u);
    EXPECT_EQ(choice_of(p, 1.99), 1u);
    EXPECT_EQ(choice_of(p, 2), 2u);
    EXPECT_EQ(choice_of(p, 1e9), 2u);
}

TEST(Lesson, WhatIsNotAsDocumentedIsSaidWithItsLine) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"a: [", "mine.yaml:"},
        {"", "write keys and values"},
        {"- a\n", "write keys and values"},
        {head, "steps: write a list"},
        {changed(head, "order: 7\n", "") + first, "'order' is missing"},
        {changed(head, "order: 7", "order: many") + first, "mine.yaml:1: order: write a whole"},
        {changed(head, "title:", "titel:") + first, "mine.yaml:1: the lesson: the key 'titel'"},
        {changed(head, "on_cpu: Slower.", "on_cpu: ''") + first, "on_cpu: the text is empty"},
        {head + first + first, "a step before has the name 'one'"},
        {head + changed(first, "    run: transpose/naive\n", ""), "one of 'run', 'break'"},
        {head + changed(first, "of: share", "of: luck"), "there are speedup, slowdown, share"},
        {head + changed(first, "of: share", "of: share, api: metal"), "opencl, cuda"},
        {head + first + changed(broken, "right: 2", "right: 2\n      api: cuda"), "figures decide"},
        {head + changed(first, "of: share", "of: speedup"), "no step before"},
        {head + changed(first, "of: share", "of: spread"), "only a step with 'over'"},
        {head + changed(first, "[0.1, 0.5]", "[0.5, 0.1]"), "bounds ascend"},
        {head + changed(first, "[0.1, 0.5]", "[0, 1]"), "above 0"},
        {head + changed(first, "[0.1, 0.5]", "[.nan]"), "above 0"},
        {head + changed(first, "bounds: [0.1, 0.5]", "choices: [a, b]"), "leave 'choices'"},
        {head + changed(first, "size: 64x32", "replace: []"), "'replace' does not go with 'run'"},
        {head + changed(first, "size: 64x32", "text: changes"), "no step before"},
        {head + changed(first, "size: 64x32", "against: none"), "is no 'run' step before"},
        {head + first + changed(broken, "right: 2", "right: 3"), "there are choices 1 to 2"},
        {head + first + changed(broken, "break: one", "break: two"), "no 'run' step before"},
        {head + first + changed(broken, "find: \"a\\n\"", "find: \"\""), "'find' is empty"},
        {head + first + broken + "exercises: [{title: a}]\n", "'task' is missing"},
        {head + first + broken + "exercises: [" + exercise + ", " + exercise + "]\n",
         "an exercise before has the title 'a'"},
        {head + changed(first, "run: transpose/naive", "command: '  '"), "write the words"},
        {head + changed(first, "An idea.", "An <img src=x onerror=y> idea."), "no HTML"},
        {head + changed(first, "An idea.", "A [link](JavaScript:alert(1))."), "no HTML"},
        {head + changed(first, "title: First", "title: '</script>'"), "no HTML"},
        {head + shown_lines("0"), "from 1 on"},
    };
    for (const auto& [text, word] : cases) {
        EXPECT_THAT(refusal(text), HasSubstr(word)) << text;
    }
}

TEST(Lesson, AFileThatIsNotThereIsSaid) {
    EXPECT_THROW(read_lesson("nowhere/at-all.yaml"), UsageError);
}

TEST(Lesson, NamesThatAreNoneAreToldWhatThereIs) {
    try {
        lesson_named("nonsense");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr(lessons().front().name));
    }
}

TEST(Course, EachLessonKeepsWhatTheCoursePromises) {
    ASSERT_FALSE(lessons().empty());
    std::set<int> orders;
    for (const Lesson& lesson : lessons()) {
        SCOPED_TRACE(lesson.name);
        EXPECT_TRUE(orders.insert(lesson.order).second) << "two lessons have one place";
        const auto broken_steps =
            std::ranges::count(lesson.steps, LessonStep::Kind::broken, &LessonStep::kind);
        EXPECT_GE(broken_steps, 2) << "two steps are broken on purpose";
        EXPECT_LE(lesson.description.size(), 160u);
        for (const LessonStep& step : lesson.steps) {
            SCOPED_TRACE(step.name);
            EXPECT_LE(step.idea.size(), 900u) << "an idea is two sentences or so";
            EXPECT_GE(step.predict.choices.size(), 2u);
        }
    }
}

TEST(Lesson, NoShortFileStandsForALongOne) {
    const std::string once = head + changed(first, "idea: An idea.", "idea: &a An idea.");
    EXPECT_EQ(refusal(once), "it was taken");
    const std::string twice = changed(once, "then: Because.", "then: *a");
    EXPECT_EQ(refusal(twice), "mine.yaml:17: no alias (*): write the text once more");
    EXPECT_THAT(refusal("&a [*a, *a]"), HasSubstr("no alias"));
}

TEST(Lesson, WhatIsNestedTooDeeplyIsRefused) {
    for (const char* open : {"[", "{a: ", "- ", "? "}) {
        std::string text;
        for (int i = 0; i < 100'000; ++i) text += open;
        EXPECT_EQ(refusal(text), "mine.yaml:1: nested too deeply") << open;
    }
}

TEST(Lesson, IsOneDocument) {
    EXPECT_EQ(refusal("---\n" + head + first + "...\n"), "it was taken");
    EXPECT_THAT(refusal(head + first + "---\n" + head + first), HasSubstr("begins another"));
}

}  // namespace
}  // namespace parallax::lesson_test

// Tests complete lessons on a real device, and the command `parallax lesson`.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/interrupt_guard.hpp"
#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "common/tests/scripted_clock.hpp"
#include "common/tests/thorough.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax::cli::course_test {
namespace {

using testing::HasSubstr;

/// The walk that `--from` shows; its commands print nothing.
Walk walk_in(const std::string& path, const std::vector<const Lesson*>& lessons) {
    return walk_from_records(path, lessons, [](const auto&) {
        return CommandOutput{"printed", true};
    });
}

class Course : public CommandLine, public testing::WithParamInterface<std::string> {};

TEST_P(Course, RunsToItsEnd) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended walked = run(
        {"lesson", GetParam(), "-d", "opencl:0", "--budget", "15", "--quiet", "-o", "walk.jsonl"});
    ASSERT_EQ(walked.code, 0) << walked.err;
    EXPECT_EQ(walked.err, "wrote walk.jsonl\n");
    const Lesson& lesson = lesson_named(GetParam());
    const Walk walk = walk_in("walk.jsonl", {&lesson});
    ASSERT_EQ(walk.lessons.at(0).steps.size(), lesson.steps.size());
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const WalkedStep& step = walk.lessons.at(0).steps[i];
        SCOPED_TRACE(step.name);
        switch (lesson.steps[i].kind) {
            case LessonStep::Kind::run:
                ASSERT_FALSE(step.points.empty());
                for (const WalkedPoint& point : step.points) {
                    ASSERT_EQ(point.records.size(), 1u) << point.label;
                    const Record& record = point.records.at(0);
                    EXPECT_TRUE(record.status == Status::ok || record.status == Status::unsupported)
                        << point.label << ": " << parallax::text_of(ResultEntry(record));
                }
                break;
            case LessonStep::Kind::broken:
                ASSERT_EQ(step.broken.size(), 1u);
                EXPECT_EQ(step.broken.at(0).status, "wrong") << step.broken.at(0).said;
                break;
            case LessonStep::Kind::command: EXPECT_NE(step.output, ""); break;
        }
    }
    for (const char* format : {"text", "md", "html"}) {
        const Ended shown = run({"lesson", GetParam(), "--from", "walk.jsonl", "--format", format});
        EXPECT_EQ(shown.code, 0) << shown.err;
        EXPECT_THAT(shown.out, HasSubstr(lesson.title.substr(0, lesson.title.find('\''))));
    }
}

/// All lessons; the sample has three with runs, series of runs, broken kernels, commands, copies
/// and several queues. EveryLessonOfTheProgramCanRun checks the names of all lessons.
INSTANTIATE_TEST_SUITE_P(All, Course, testing::ValuesIn([] {
                             std::vector<std::string> names;
                             for (const Lesson& lesson : lessons()) names.push_back(lesson.name);
                             return test::is_thorough() ? names
                                                        : std::vector<std::string>{
                                                              "transpose", "host", "transfers"};
                         }()),
                         [](const auto& one) { return one.param; });

const std::string small_lesson = R"(order: 1
title: Small
teaches: Little.
introduction: It is small.
on_cpu: On CPUs as well.
steps:
  - name: copy
    title: Copy
    idea: A copy.
    run: strided_copy/copy
    size: 1000
    predict: {ask: "Which?", choices: [This., That.], right: 2}
    then: Done.
  - name: nothing
    title: Nothing
    idea: Nothing breaks.
    break: copy
    replace: [{find: "strided", by: "strided"}]
    predict: {ask: "Which?", choices: [This., That.], right: 1}
    then: Done.
)";

class LessonCommand : public CommandLine {
protected:
    void write(const std::string& file, const std::string& text) {
        std::ofstream(file, std::ios::binary) << text;
    }
    std::string without_break() {
        return small_lesson.substr(0, small_lesson.find("  - name: nothing"));
    }
};

TEST_F(LessonCommand, ListsTheCourseInItsOrder) {
    const Ended e = run({"lesson"});
    EXPECT_EQ(e.code, 0);
    std::size_t at = 0;
    for (const Lesson& lesson : lessons()) {
        const std::size_t found = e.out.find(lesson.title, at);
        ASSERT_NE(found, std::string::npos) << lesson.name;
        at = found;
    }
}

TEST_F(LessonCommand, ListsTheCourseAsDataAndRunsNothing) {
    const Ended e = run({"lesson", "--json"}, {});
    EXPECT_EQ(e.code, 0) << e.err;
    const Json list = Json::parse(e.out);
    ASSERT_EQ(list.size(), lessons().size());
    EXPECT_EQ(list.at(0).at("name"), lessons().at(0).name);
}

TEST_F(LessonCommand, EveryLessonOfTheProgramCanRun) {
    for (const Lesson& lesson : lessons()) EXPECT_NO_THROW(check_lesson(lesson)) << lesson.name;
}

TEST_F(LessonCommand, OfOthersPrintsNoFile) {
    const fs::path outside = folder_ / "outside";
    fs::create_directories(outside);
    for (const char* name : {"secret.cu", "secret.cl", "secret"}) {
        std::ofstream(outside / name) << "__global__ void secret(float* a) { a[0] = 1; }\n";
    }
    const auto said = [&](const std::string& command) {
        std::ofstream("own.yaml")
            << "order: 7\ntitle: A title\nteaches: Something.\nintroduction: Text.\n"
               "on_cpu: Slower.\nsteps:\n  - name: word\n    title: Word\n"
               "    idea: An idea.\n    command: "
            << command
            << "\n    lines: 1\n    predict: {ask: \"Which?\", choices: [This., That.], right: 1}\n"
               "    then: Because.\n";
        return run({"lesson", "own.yaml", "-d", "opencl:0", "--quiet"}, {});
    };
    const std::string at = outside.string();
    for (const std::string& command :
         {"show " + at + "/secret.cu", "show " + at + "/secret.cl",
          "show " + at + "/../outside/secret.cu", "show --language=" + at + "/secret",
          "map " + at + "/secret.cu:1", "list " + at + "/secret"}) {
        const Ended e = said(command);
        EXPECT_EQ(e.code, 2) << command << e.out;
        EXPECT_THAT(e.err, HasSubstr("may name no file")) << command;
    }
    EXPECT_THAT(said("show transpose/padded").err, testing::Not(HasSubstr("may name no file")));
}

TEST_F(LessonCommand, WhatNamesNothingIsTwo) {
    expect_usage({"lesson", "nonsense"}, "no lesson 'nonsense'");
    expect_usage({"lesson", "nowhere.yaml"}, "there is no file nowhere.yaml");
    expect_usage({"lesson", "all", "--format", "pdf"}, "json");
    expect_usage({"lesson", "all", "--html", "--format", "md"}, "different things");
    expect_usage({"lesson", "all", "--budget", "0"}, "--budget");
    if (has_device()) {
        expect_usage({"lesson", "all", "-d", "opencl:4711"}, "names no device");
    }
    expect_usage({"lesson", "all", "--from", "nowhere.json"}, "Cannot read nowhere.json");
    write("w.json", "{\"schema\": \"parallax.walk\"}\n");
    expect_usage({"lesson", "all", "--from", "w.json"}, "w.json:1: not a record");
    expect_usage({"lesson", "all", "--from", "w.json", "--seed", "1"}, "--seed is for what is run");
    std::ofstream("none.jsonl").close();
    expect_usage({"lesson", "all", "--from", "none.jsonl"}, "holds no walk");
    expect_usage({"lesson", "all", "--from", "."}, "holds no walk");
    expect_usage({"lesson", "all", "--from", "nowhere.jsonl"}, "nowhere.jsonl");
    expect_usage({"lesson", "all", "--from", std::string(5000, 'x')}, "File name too long");
    // A subfolder, whatever its name, is not one of the files.
    fs::create_directories("kept/old.jsonl");
    expect_usage({"lesson", "all", "--from", "kept"}, "kept holds no walk");
    write("bad.yaml", "order: 1\n");
    expect_usage({"lesson", "bad.yaml"}, "bad.yaml");
    for (const auto& [find, by] : std::vector<std::pair<std::string, std::string>>{
             {"strided_copy/copy", "strided_copy/none"},
             {"strided_copy/copy", "strided_copy"},
             {"size: 1000", "size: 0"},
             {"size: 1000", "define: {NONE: 1}"},
             {"size: 1000", "type: quad"},
             {"{find: \"strided\"", "{find: \"nowhere in it\""}}) {
        std::string text = small_lesson;
        text.replace(text.find(find), find.size(), by);
        write("bad.yaml", text);
        expect_usage({"lesson", "bad.yaml"}, "Lesson bad");
    }
}

TEST_F(LessonCommand, CommandsOfALessonOnlyPrint) {
    for (const char* words :
         {"run -s transpose", "lesson bad.yaml", "show transpose/tiled -o x.md", "devices",
          "frobnicate", "show transpose/tiled --output=x.md", "occupancy x -dcuda", "list /x.json",
          "show x.json/y", "show transpose/tiled --kernels=/", "list transpose --allow=/"}) {
        write("bad.yaml",
              "order: 1\ntitle: t\nteaches: t\nintroduction: i\non_cpu: o\nsteps:\n"
              "  - {name: a, title: a, idea: a, command: '" +
                  std::string(words) +
                  "', then: a, predict: {ask: a, choices: [a, b], right: 1}}\n");
        expect_usage({"lesson", "bad.yaml"}, "list, map, occupancy and show");
    }
}

TEST_F(LessonCommand, TheSameCaseAtTwoSizesIsTwo) {
    if (!has_device()) GTEST_SKIP() << "no device";
    std::string again = without_break().substr(without_break().find("  - name: copy"));
    again.replace(again.find("name: copy"), 10, "name: open");
    again.erase(again.find("    size: 1000\n"), 15);
    write("small.yaml", without_break() + again);
    ASSERT_EQ(
        run({"lesson", "small.yaml", "-d", "opencl:0", "--budget", "5", "-o", "walk.jsonl"}).code,
        0);
    const Lesson lesson = read_lesson("small.yaml");
    const Walk walk = walk_in("walk.jsonl", {&lesson});
    const auto sizes_of = [&](std::size_t step) {
        std::vector<std::uint64_t> sizes;
        for (const Record& record : walk.lessons.at(0).steps.at(step).points.at(0).records) {
            sizes.push_back(record.key.shape.at(0));
        }
        return sizes;
    };
    EXPECT_EQ(sizes_of(0), std::vector<std::uint64_t>{1000});
    ASSERT_EQ(sizes_of(1).size(), 1u);
    EXPECT_NE(sizes_of(1)[0], 1000u);
}

TEST_F(LessonCommand, WhatABudgetDidNotReachIsNothing) {
    if (!has_device()) GTEST_SKIP() << "no device";
    write("small.yaml", without_break());
    EXPECT_EQ(run({"lesson", "small.yaml", "-d", "opencl:0", "--budget", "0.001"}).code, 5);
}

TEST_F(LessonCommand, TheFilesNameSaysTheFormat) {
    write("small.yaml", without_break());
    const std::string from = SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/overview.jsonl";
    for (const char* name : {"a.md", "a.html", "a.txt"}) {
        ASSERT_EQ(run({"lesson", "transpose", "--from", from, "-o", name}).code, 0);
    }
    EXPECT_THAT(text_of("a.md"), HasSubstr("### 1. "));
    EXPECT_THAT(text_of("a.html"), HasSubstr("<!doctype html>"));
    expect_usage({"lesson", "transpose", "--from", from, "-o", "a.jsonl"}, "in the file already");
    EXPECT_THAT(text_of("a.txt"), HasSubstr("\n1. Read rows, write columns (1 of "));
}

TEST_F(LessonCommand, IsToldFromCudaAndWithoutAnswers) {
    const std::string from = SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/walk.jsonl";
    const Ended opencl = run({"lesson", "transpose", "--from", from, "--no-questions"});
    const Ended cuda = run({"lesson", "transpose", "--from", from, "--side", "cuda"});
    EXPECT_THAT(opencl.out, HasSubstr("__kernel"));
    EXPECT_THAT(cuda.out, testing::AllOf(HasSubstr("__global__"), HasSubstr("A block of 32 x 8 "
                                                                            "threads")));
    EXPECT_LT(cuda.out.find("__global__"), cuda.out.find("__kernel"));
    EXPECT_THAT(cuda.out, HasSubstr("show transpose/tiled --side cuda --why"));
    EXPECT_THAT(opencl.out, HasSubstr("That is choice"));
    const Ended sheet = run({"lesson", "transpose", "--from", from, "--no-answers"});
    EXPECT_THAT(sheet.out, HasSubstr("Predict."));
    EXPECT_EQ(sheet.out.find("That is choice"), std::string::npos);
    EXPECT_LT(sheet.out.size(), opencl.out.size());
    expect_usage({"lesson", "transpose", "--side", "metal"}, "opencl, cuda");
}

TEST_F(LessonCommand, WithoutADeviceNothingRuns) {
    write("small.yaml", without_break());
    EXPECT_EQ(run({"lesson", "small.yaml"}, {}).code, 5);
}

TEST_F(LessonCommand, AWalkIsKeptAndShownAgain) {
    if (!has_device()) GTEST_SKIP() << "no device";
    write("small.yaml", without_break());
    const Ended e = run({"lesson", "small.yaml", "-d", "opencl:0", "--budget", "3", "-o",
                         "deep/walk.jsonl", "--quiet"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(run({"lesson", "small.yaml", "--from", "deep/walk.jsonl"}).out, HasSubstr("Done."));
    expect_usage({"lesson", lessons().front().name, "--from", "deep/walk.jsonl"},
                 "no walk through");
}

TEST_F(LessonCommand, RecordsOfAnotherDeviceAreShown) {
    const std::string folder = SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3";
    std::vector<const Lesson*> all;
    for (const Lesson& lesson : lessons()) all.push_back(&lesson);
    const Walk walk = walk_in(folder, all);
    EXPECT_TRUE(walk.from_records);
    ASSERT_EQ(walk.devices.size(), 2u) << "one card through two APIs, whichever run it was";
    EXPECT_EQ(walk.devices.at(0).physical, walk.devices.at(1).physical);
    EXPECT_TRUE(walk.devices.at(0).is_gpu && walk.devices.at(1).is_gpu);
    EXPECT_GT(walk.lessons.size(), lessons().size() / 2) << "a new one has no records yet";
    std::size_t with = 0, without = 0;
    for (const WalkedLesson& lesson : walk.lessons) {
        for (const WalkedStep& step : lesson.steps) {
            for (const WalkedPoint& point : step.points) {
                ++(point.records.empty() ? without : with);
                std::set<std::string> devices;
                for (const Record& record : point.records) {
                    EXPECT_TRUE(devices.insert(record.device).second)
                        << lesson.name << " " << step.name << " " << point.label;
                }
            }
        }
    }
    EXPECT_GT(with, 9 * without) << "the committed records hold nearly all of the course";
    const WalkedStep* padded = nullptr;
    for (const WalkedLesson& lesson : walk.lessons) {
        if (lesson.name == "transpose") {
            padded = &*std::ranges::find(lesson.steps, "padded", &WalkedStep::name);
        }
        for (const WalkedStep& step : lesson.steps) {
            for (const BrokenRun& broken : step.broken) EXPECT_EQ(broken.status, "wrong");
        }
    }
    ASSERT_TRUE(padded);
    EXPECT_EQ(padded->points.at(0).records.at(0).key.variant, "padded");
    EXPECT_EQ(run({"lesson", "transpose", "--from", folder + "/overview.jsonl"}).code, 0);
    expect_usage({"lesson", "matvec", "--from", folder + "/types.jsonl"}, "holds no walk");
}

TEST_F(LessonCommand, RecordsOfExperimentsAreNoFiguresOfALesson) {
    const std::string kept = text_of(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/overview.jsonl");
    const auto with = [&](const std::string& member, const Json& value) {
        std::istringstream lines(kept);
        std::string text;
        for (std::string line; std::getline(lines, line);) {
            Json record = Json::parse(line);
            if (record["suite"] != "transpose") continue;
            record[Json::json_pointer(member)] = value;
            text += record.dump() + "\n";
        }
        write("r.jsonl", text);
        return run({"lesson", "transpose", "--from", "r.jsonl"}).code;
    };
    EXPECT_EQ(with("/run/seed", 1), 0);
    EXPECT_EQ(with("/program/edits", {"without barriers"}), 2);
    EXPECT_EQ(with("/program/floats/relaxed", true), 2);
    EXPECT_EQ(with("/program/floats/contract", true), 2);
}

TEST_F(LessonCommand, AFaultThatNobodyNoticesIsOne) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const std::string find = "find: \"strided\", by: \"strided\"";
    // A comment: a change without effect must be reported as such.
    const std::string kernel = run({"show", "strided_copy", "--language", "opencl"}).out;
    const std::string line = kernel.substr(0, kernel.find('\n'));
    std::string text = small_lesson;
    text.replace(text.find(find), find.size(),
                 "find: \"" + line + "\", by: \"" + line + " or not\"");
    write("small.yaml", text);
    const Ended e =
        run({"lesson", "small.yaml", "-d", "opencl:0", "--budget", "3", "--no-questions"});
    EXPECT_EQ(e.code, 1);
    EXPECT_THAT(e.err, HasSubstr("passed every check"));
}

TEST_F(LessonCommand, AsksAndTakesTheAnswer) {
    if (!has_device()) GTEST_SKIP() << "no device";
    write("small.yaml", without_break());
    const auto answered = [&](const std::string& words) {
        std::istringstream in(words);
        std::ostringstream out, err;
        EXPECT_EQ(run_program({"lesson", "small.yaml", "-d", "opencl:0", "--budget", "3"},
                              {out, err, paced_backends(), {}, {}, &in}),
                  0)
            << err.str();
        return out.str();
    };
    EXPECT_THAT(answered("2\n"), HasSubstr("You predicted 1 of 1."));
    EXPECT_THAT(answered("1\n"), HasSubstr("You predicted 0 of 1."));
    EXPECT_THAT(answered("x\n0\n3\n99999999999999999999\n2\n"), HasSubstr("You predicted 1 of 1."))
        << "what is no choice is asked for again";
    EXPECT_THAT(answered("\n"), testing::Not(HasSubstr("You predicted")));
    EXPECT_THAT(answered("q\n"), testing::Not(HasSubstr("Done.")));
    EXPECT_THAT(answered(""), testing::Not(HasSubstr("Done."))) << "the input has ended";
}

TEST_F(LessonCommand, WhereItIsWrittenIsTriedBeforeAnythingRuns) {
    write("small.yaml", without_break());
    expect_usage({"lesson", "small.yaml", "-d", "opencl:4711", "-o", "."}, "it is a folder");
    const std::string from = SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/overview.jsonl";
    fs::create_directories("kept");
    fs::copy_file(from, "kept/a.jsonl");
    for (const char* place : {"kept/a.jsonl", "kept"}) {
        expect_usage({"lesson", "transpose", "--from", place, "-o", "kept/a.jsonl"},
                     "would replace the data");
    }
    EXPECT_EQ(text_of("kept/a.jsonl"), text_of(from));
    EXPECT_EQ(run({"lesson", "transpose", "--from", "kept", "-o", "kept/a.md"}).code, 0);
}

TEST_F(LessonCommand, AStepThatCannotBeIsNamed) {
    std::string text = without_break();
    text.replace(text.find("size: 1000"), 10, "size: 0");
    write("bad.yaml", text);
    expect_usage({"lesson", "bad.yaml"}, "Lesson bad: step 'copy': A size of 0");
    // The names of an external lesson refer to this program.
    text.replace(text.find("run: "), text.find('\n', text.find("run: ")) - text.find("run: "),
                 "run: /x.json/y");
    write("bad.yaml", text);
    expect_usage({"lesson", "bad.yaml"}, "a lesson runs the program's own suites");
    text = small_lesson;
    text.replace(text.find("by: \"strided\""), 13, R"(by: "strided\n#include \"/x\"\n")");
    write("bad.yaml", text);
    expect_usage({"lesson", "bad.yaml"}, "includes a file");
}

/// Presses Ctrl-C at a chosen call of a fake device.
class InterruptedLesson : public LessonCommand {
protected:
    std::shared_ptr<fake::Script> script_ = std::make_shared<fake::Script>();
    std::vector<std::unique_ptr<Backend>> on_;

    InterruptedLesson() {
        script_->kernels["copy"] = [](const fake::HostLaunch& launch) {
            std::ranges::copy(launch.buffer<std::byte>(0), launch.buffer<std::byte>(1).begin());
        };
        on_.push_back(std::make_unique<fake::FakeBackend>(script_));
        // Three runs, then the broken kernel.
        const std::string copy = without_break().substr(without_break().find("  - name: copy"));
        std::string text = without_break();
        for (const char* more : {"2000", "3000"}) {
            std::string another = copy;
            another.replace(another.find("name: copy"), 10, std::string("name: copy") + more);
            another.replace(another.find("size: 1000"), 10, std::string("size: ") + more);
            text += another;
        }
        write("small.yaml", text + small_lesson.substr(small_lesson.find("  - name: nothing")));
    }

    void press_at(const std::string& wanted, unsigned nth) {
        script_->before = [wanted, nth](std::string_view call) mutable {
            if (call == wanted && --nth == 0) std::raise(SIGINT);
        };
    }
    unsigned calls_of(const std::string& wanted) {
        auto count = std::make_shared<unsigned>(0);
        script_->before = [wanted, count](std::string_view call) { *count += call == wanted; };
        lesson();
        return *count;
    }
    Ended lesson(const std::vector<std::string>& more = {}) {
        std::vector<std::string> words{"lesson", "small.yaml", "--no-questions"};
        if (std::ranges::count(more, "--budget") == 0) words.insert(words.end(), {"--budget", "5"});
        words.insert(words.end(), more.begin(), more.end());
        return run(words, on_);
    }
    std::vector<std::size_t> records_in(const std::string& file) {
        const Lesson lesson = read_lesson("small.yaml");
        const Walk walk = walk_in(file, {&lesson});
        std::vector<std::size_t> counts;
        for (const WalkedStep& step : walk.lessons.at(0).steps) {
            for (const WalkedPoint& point : step.points) counts.push_back(point.records.size());
            EXPECT_TRUE(step.broken.empty());
        }
        return counts;
    }
};

TEST_F(InterruptedLesson, KeepsWhatWasMeasured) {
    // After the first of three points, before the last has ended.
    const unsigned runs = calls_of("run");
    press_at("run", runs * 6 / 10);
    const Ended e = lesson({"-o", "w.jsonl"});
    EXPECT_EQ(e.code, 130) << e.err;
    EXPECT_THAT(e.err,
                HasSubstr("parallax: Interrupted. What was measured until then is in w.jsonl."));
    const std::vector<std::size_t> records = records_in("w.jsonl");
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records.at(0), 1u);
    EXPECT_EQ(records.back(), 0u);
    EXPECT_EQ(e.out, "");
}

TEST_F(InterruptedLesson, OnABusyMachineTheStepsAreMeasuredAndNotAllCeilings) {
    for (const bool is_busy : {false, true}) {
        script_->before = [is_busy, slow = 4](std::string_view call) mutable {
            if (is_busy && call == "run" && slow-- > 0) ScriptedClock::advance(10);
        };
        const Ended e = lesson({"--budget", "100", "-o", "w.jsonl", "--fresh-ceilings"});
        const Lesson small = read_lesson("small.yaml");
        const Walk walk = walk_in("w.jsonl", {&small});
        for (const WalkedStep& step : walk.lessons.at(0).steps) {
            for (const WalkedPoint& point : step.points)
                EXPECT_EQ(point.records.at(0).status, Status::ok) << e.err;
        }
        EXPECT_EQ(e.err.find("fake:0 is busy: its peak rate 'launch' is not") != e.err.npos,
                  is_busy);
    }
}

TEST_F(InterruptedLesson, BeforeABrokenKernelKeepsAllCases) {
    const unsigned opened = calls_of("open");  // the last one for the broken kernel
    for (const char* file : {"w.jsonl", "w.md", "w.html", "w.txt"}) {
        press_at("open", opened);
        const Ended e = lesson({"-o", file});
        EXPECT_EQ(e.code, 130) << e.err;
        EXPECT_THAT(e.err, HasSubstr(std::string("is in ") + file));
    }
    EXPECT_EQ(records_in("w.jsonl"), (std::vector<std::size_t>{1, 1, 1}));
    EXPECT_THAT(text_of("w.md"), HasSubstr("It was not tried in this run of the lesson."));
    EXPECT_THAT(text_of("w.txt"), HasSubstr("The walk was interrupted"));
    const Ended again = run({"lesson", "small.yaml", "--from", "w.jsonl"});
    EXPECT_EQ(again.code, 0) << again.err;
}

TEST_F(InterruptedLesson, WithoutAFileOnlyWhatIsNoTaleIsWritten) {
    const unsigned opened = calls_of("open");
    press_at("open", opened);
    const Ended told = lesson();
    EXPECT_EQ(told.code, 130);
    EXPECT_EQ(told.out, "");
    EXPECT_THAT(told.err, HasSubstr("With -o FILE what was measured until then is kept."));
    press_at("open", opened);
    const Ended written = lesson({"--format", "json"});
    EXPECT_EQ(written.code, 130);
    EXPECT_THAT(written.out, testing::StartsWith("{\"schema\":\"parallax.record\""));
}

TEST_F(InterruptedLesson, BeforeAnythingWasMeasuredAnOldFileStays) {
    write("w.json", "old");
    press_at("open", 1);
    const Ended e = lesson({"-o", "w.json"});
    EXPECT_EQ(e.code, 130);
    EXPECT_THAT(e.err, HasSubstr("before anything was measured: w.json is not written."));
    EXPECT_EQ(text_of("w.json"), "old");
}

TEST(Interrupt, OfACommandWithinACommandIsNotLost) {
    const InterruptGuard outer;
    EXPECT_NO_THROW(InterruptGuard::check());
    { const InterruptGuard inner; }
    std::raise(SIGINT);  // ends the program unless it is handled
    { const InterruptGuard inner; }
    EXPECT_THROW(InterruptGuard::check(), Interrupted);
}

}  // namespace
}  // namespace parallax::cli::course_test

// Tests a manifest's reference command: its inputs, its results, and its failures.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process/child.hpp"
#include "common/process/process_folders.hpp"
#include "measure/verification.hpp"
#include "suites/manifest/tests/loading.hpp"

namespace parallax::command_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Command : public testing_manifest::Loading {
protected:
    Command() { permissions_.commands = CommandUse::allowed; }

    /// Sets the command to a shell script, whose $1 is the folder.
    void say(const std::string& script) {
        folder_.write("reference.sh", script + "\n");
        json_["reference"] = {{"command", {"sh", "reference.sh"}}};
    }
    std::vector<Expected> answers(std::uint64_t n = 3) {
        const Suite suite = load();
        const Case c = make_case(suite, suite.variants[0], {{n}}, ElementType::f32);
        return suite.reference(c, suite.inputs(c, input_patterns_of(c)[1], 7));
    }
    std::string failure() {
        try {
            answers();
        } catch (const Error& error) {
            return error.what();
        }
        return "none";
    }
};

TEST_F(Command, ReadsInputsAndWritesAnswers) {
    say("cp \"$1/in/x.bin\" \"$1/out/y.bin\"");
    const Suite suite = load();
    EXPECT_EQ(suite.reference_name, "reference command");
    for (const std::uint64_t n : {1, 33, 4096}) {
        const Case c = make_case(suite, suite.variants[0], {{n}}, ElementType::f32);
        const auto inputs = suite.inputs(c, input_patterns_of(c)[1], 7);
        const auto expected = suite.reference(c, inputs);
        ASSERT_EQ(expected.size(), 1u);
        const auto& y = std::get<HostArray>(expected[0].values);
        EXPECT_EQ(y.type(), ElementType::f32);
        EXPECT_TRUE(std::ranges::equal(y.bytes(), inputs[0].bytes())) << n;
    }
}

TEST_F(Command, IsToldTheCase) {
    say("cp \"$1/case.json\" told.json; cp \"$1/in/x.bin\" \"$1/out/y.bin\"");
    answers(3);
    std::ifstream in(folder_.path / "told.json");
    const Json told = Json::parse(in);
    EXPECT_EQ(told, Json::parse(R"({"variant": "scale", "sizes": {"n": 3},
        "constants": {"ITEMS": 4}, "values": {"n": 3, "a": 2.5},
        "inputs": {"x": {"type": "float", "elements": 3}},
        "outputs": {"y": {"type": "float", "elements": 3}}})"));
}

TEST_F(Command, LeavesNoFolderBehind) {
    say("echo \"$1\" > where; cp \"$1/in/x.bin\" \"$1/out/y.bin\"");
    answers();
    std::string where;
    std::getline(std::ifstream(folder_.path / "where"), where);
    EXPECT_THAT(where, HasSubstr("parallax-reference-"));
    EXPECT_FALSE(std::filesystem::exists(where));
}

TEST_F(Command, OfAKilledProcessTheFolderIsRemoved) {
    const pid_t child = fork();
    if (child == 0) {
        say("echo \"$1\" > where; kill -9 " + std::to_string(getpid()));
        failure();
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    std::string where;
    std::getline(std::ifstream(folder_.path / "where"), where);
    ASSERT_TRUE(std::filesystem::exists(where)) << where;
    remove_folders_of_ended_processes();
    EXPECT_FALSE(std::filesystem::exists(where));
}

TEST_F(Command, OfEndlessWordsTheLastAreKept) {
    say("yes parallax | head -c 200000000 >&2; echo the end >&2; exit 3");
    EXPECT_THAT(failure(), HasSubstr("the end"));
    const ProcessResult ended =
        run_program("sh", {"-c", "yes | head -c 200000000"}, std::chrono::hours(1));
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_EQ(ended.out.size(), most_output);
}

TEST_F(Command, SaysHowItFailed) {
    say("echo what is this >&2; exit 3");
    EXPECT_THAT(failure(),
                AllOf(HasSubstr("The reference command 'sh reference.sh', for n = 3, failed"),
                      HasSubstr("it ended with exit code 3: what is this")));
    say("printf 'two\\nlines\\n' >&2; exit 3");
    EXPECT_THAT(failure(), HasSubstr("exit code 3: two lines."));
    say("true");
    EXPECT_THAT(failure(), HasSubstr("it wrote no file out/y.bin"));
    say("mkdir \"$1/out/y.bin\"");
    EXPECT_THAT(failure(), HasSubstr("it wrote no file out/y.bin"));
    say("printf 12345 > \"$1/out/y.bin\"");
    EXPECT_THAT(failure(),
                HasSubstr("it wrote 5 bytes into out/y.bin, and 3 elements of float are 12"));
    say("kill -9 $$");
    EXPECT_THAT(failure(), HasSubstr("it was ended by a signal"));
    json_["reference"] = {{"command", {"no-such-program-of-parallax"}}};
    EXPECT_THAT(failure(), HasSubstr("No such file"));
}

TEST_F(Command, IsEndedWithAllThatItStarted) {
    // The shell's child keeps the outputs open: it is waited for, and killed as well.
    say("sleep 100000 & echo $! > child; wait");
    std::string child;
    // On a busy machine the script may end before it has started one.
    for (int seconds = 1; child.empty() && seconds < 1000; seconds *= 2) {
        json_["reference"]["seconds"] = seconds;
        ASSERT_THAT(failure(), HasSubstr(fmt::format("its {} seconds and was ended", seconds)));
        std::getline(std::ifstream(folder_.path / "child"), child);
    }
    ASSERT_FALSE(child.empty());
    // A killed process runs until it is scheduled to end.
    std::string state = "yet unknown";
    const auto is_there = [&] { return !state.empty() && state.find(") Z") == state.npos; };
    for (int tried = 0; is_there() && tried < 1'000'000; ++tried) {
        usleep(1000);
        state.clear();
        std::getline(std::ifstream("/proc/" + child + "/stat"), state);
    }
    EXPECT_FALSE(is_there()) << state;
}

TEST_F(Command, RunsOnlyWhenAllowed) {
    say("touch was-run");
    permissions_.commands = CommandUse::refused;
    EXPECT_THAT(complaint(), AllOf(HasSubstr("$.reference.command: "),
                                   HasSubstr("'sh reference.sh'"), HasSubstr("--allow-command")));
    permissions_.commands = CommandUse::unneeded;
    EXPECT_EQ(complaint(), "it loads") << "who only looks at it";
    EXPECT_THAT(failure(), HasSubstr("it needs --allow-command"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path / "was-run"));
}

TEST_F(Command, IsWrittenAsWords) {
    say("true");
    EXPECT_THAT(with("/reference/command", "rm"), HasSubstr("a list of words such as"));
    EXPECT_THAT(with("/reference/command", Json::array()), HasSubstr("a list of words such as"));
    EXPECT_THAT(with("/reference/seconds", 0), HasSubstr("from 1 to 3600"));
    EXPECT_THAT(with("/reference/kernel", "scale"), HasSubstr("the key 'kernel' is not known"));
}

TEST_F(Command, TellsVariantsWithOtherNumbersApart) {
    Json variant{{"name", "one"}, {"kernel", "scale"}, {"arguments", json_["arguments"]}};
    variant["items"] = {64};
    variant["groups"] = {"ceil(n / 64)"};
    Json other = variant;
    other["name"] = "two";
    other["arguments"][1]["value"] = 3.5;
    for (const char* key : {"kernel", "arguments", "items", "groups"}) json_.erase(key);
    json_["variants"] = {variant, other};
    say("true");
    const Suite suite = load();
    EXPECT_NE(suite.variants[0].problem, suite.variants[1].problem);
}

}  // namespace
}  // namespace parallax::command_test

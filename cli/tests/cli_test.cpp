// The command line: what it says, where, and how it ends.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/request.hpp"
#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "common/text.hpp"
#include "records/result_set.hpp"
#include "report/run/run_table.hpp"
#include "studies/explain/knobs.hpp"

namespace parallax::cli::cli_test {
namespace {

namespace fs = std::filesystem;

TEST_F(CommandLine, HelpOfEveryCommandHasExamples) {
    EXPECT_EQ(run({"--help"}).code, 0);
    EXPECT_EQ(run({"--version"}).code, 0);
    EXPECT_EQ(run({}).code, 2);
    for (const Command& command : commands()) {
        const Ended e = run({command.name, "--help"});
        EXPECT_EQ(e.code, 0);
        EXPECT_NE(e.out.find("examples:\n  parallax " + command.name), std::string::npos) << e.out;
        EXPECT_NE(run({"--help"}).out.find(command.summary), std::string::npos);
        EXPECT_EQ(run({"help", command.name}).out, run({command.name, "--help"}).out);
        EXPECT_EQ(e.err, "");
    }
}

TEST_F(CommandLine, WhatNamesNothingIsTwo) {
    expect_usage({"frobnicate"}, "no command 'frobnicate'");
    expect_usage({"run", "--frob"}, "frob");
    expect_usage({"run", "--bud", "3"}, "bud");
    expect_usage({"run", "-s", "nothing"}, "reduction");
    expect_usage({"run", "-s", "reduction/nothing"}, "sequential");
    expect_usage({"run", "-s", "reduction/"}, "sequential");
    expect_usage({"run", "--type", "quad"}, "double");
    expect_usage({"run", "--format", "xml"}, "json");
    expect_usage({"run", "-d", "metal"}, "names no device");
    expect_usage({"run", "-d", "opencl:4711"}, "names no device");
    expect_usage({"list", "nothing"}, "no suite 'nothing'");
    expect_usage({"show", "reduction"}, "SUITE/VARIANT");
    expect_usage({"show"}, "SUITE/VARIANT");
    expect_usage({"show", "reduction/vector", "--language", "hip"}, "cuda");
    expect_usage({"show", "reduction/builtin", "--language", "cuda"}, "native");
    expect_usage({"map", "nowhere to be found"}, "No row");
    expect_usage({"devices", "--format", "csv"}, "json");
    expect_usage({"list", "a", "b"}, "list --help");
}

TEST_F(CommandLine, SizesThatCannotBe) {
    for (const char* size : {"", "x", "12x", "x12", "-1", "1.5", "ten", "2^", "2^64", "2^-1", "1T",
                             "99999999999999999999", "18014398509481984K", " 1", "1 ", "0x10x"}) {
        expect_usage({"run", "-s", "reduction", "-n", size}, "ize");
    }
    expect_usage({"run", "-s", "reduction", "-n", "0"}, "size of 0");
    expect_usage({"run", "-s", "transpose", "-n", "5x0"}, "size of 0");
    expect_usage({"run", "-s", "transpose", "-n", "100"}, "width x height");
    expect_usage({"run", "-s", "reduction", "-n", "3x3"}, "needs 1");
    expect_usage({"run", "-n", "3x3x3x3"}, "No suite");
    expect_usage({"run", "-s", "transpose", "-n", "2^40x2^40"}, "smaller");
    if (has_device()) expect_usage({"run", "-s", "reduction", "-n", "2^50"}, "smaller");
}

TEST_F(CommandLine, ConstantsThatCannotBe) {
    expect_usage({"run", "-s", "reduction", "--define", "GROUP"}, "has no value");
    expect_usage({"run", "-s", "reduction", "--define", "GROUP="}, "has no value");
    expect_usage({"run", "-s", "reduction", "--define", "=3"}, "has no value");
    expect_usage({"run", "-s", "reduction", "--define", "GROUP=many"}, "not a value");
    expect_usage({"run", "-s", "reduction", "--define", "GROUP=0"}, "out of range");
    expect_usage({"run", "-s", "reduction", "--define", "GROUP=-5"}, "out of range");
    expect_usage({"run", "-s", "reduction", "--define", "TILE=8"}, "TILE");
    expect_usage({"run", "-s", "reduction", "--define", "OP=median"}, "not a value");
    expect_usage({"run", "-s", "transpose", "--define", "ROWS=5"}, "multiple of ROWS");
    expect_usage({"run", "--budget", "0"}, "--budget");
    expect_usage({"run", "--budget", "soon"}, "budget");
    for (const char* seed : {"x", "-1", "1.5", "18446744073709551616", ""}) {
        expect_usage({"run", "--seed", seed}, "--seed");
    }
    for (const char* width : {"0", "-1", "39", "4294967295", "wide"}) {
        expect_usage({"show", "transpose/tiled", "--width", width}, "--width");
    }
    expect_usage({"run", "-s", "ceiling", "-n", "5"}, "follow from the device");
    expect_usage({"run", "-s", "ceiling", "--type", "int"}, "no type 'int'");
}

TEST_F(CommandLine, FloatRulesReachTheRecord) {
    expect_usage({"run", "--floats", "sloppy"}, "exact, contract, relaxed");
    expect_usage({"diff", "opencl", "cuda", "--floats", "sloppy"}, "exact, contract, relaxed");
    if (!has_device()) GTEST_SKIP() << "no device";
    // A transpose rounds nothing: it is right under any rules.
    for (const char* rules : {"contract", "relaxed"}) {
        const std::string file = std::string(rules) + ".jsonl";
        const Ended e = run({"run", "-d", "opencl:0", "-s", "transpose/naive", "-n", "64x64",
                             "--floats", rules, "-o", file});
        EXPECT_EQ(e.code, 0) << e.err;
        const Json floats = json_results(file).records.at(3)["program"]["floats"];
        EXPECT_EQ(floats["contract"], true) << rules;
        EXPECT_EQ(floats["relaxed"], rules == std::string("relaxed")) << rules;
        EXPECT_EQ(floats["exact_division"], rules != std::string("relaxed")) << rules;
    }
}

TEST_F(CommandLine, WhatFollowsFromAnswersAndErrorsIsShown) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended volume = run({"run", "-d", "opencl:0", "-s", "sphere/count_tree", "-n", "65536",
                              "--seed", "1", "--quiet"});
    EXPECT_EQ(volume.code, 0) << volume.err;
    EXPECT_NE(volume.out.find("the right one is 4.18879"), std::string::npos) << volume.out;
    EXPECT_NE(volume.out.find("OP/s"), std::string::npos) << volume.out;
    EXPECT_EQ(volume.out.find("FLOP/s"), volume.out.rfind("FLOP/s")) << "the ceiling's at most";
    const Ended error = run({"run", "-d", "opencl:0", "-s", "functions/native", "-n", "64",
                             "--define", "FUNCTION=exp", "--quiet"});
    EXPECT_EQ(error.code, 0) << error.err;
    EXPECT_NE(error.out.find(" exp 64"), std::string::npos) << error.out;
    EXPECT_NE(error.out.find(" ULP"), std::string::npos) << error.out;
}

TEST_F(CommandLine, CeilingsCanBeAskedForAlone) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e =
        run({"run", "-d", "opencl:0", "-s", "ceiling", "--type", "double", "-o", "c.jsonl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_EQ(json_results("c.jsonl").records.size(), 3u);
}

TEST_F(CommandLine, WhatASweepIsTooLargeForIsLeftOut) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e =
        run({"run", "-d", "opencl:0", "-s", "strided_copy/offset", "-n", "2", "--quiet"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_NE(e.out.find("OFFSET=2 "), std::string::npos) << e.out;
    EXPECT_EQ(e.out.find("OFFSET=4"), std::string::npos) << e.out;
}

TEST_F(CommandLine, ListTouchesNoPlatform) {
    struct Untouchable final : Backend {
        std::string_view name() const override { return "untouchable"; }
        Inventory find() override { throw Error("touched"); }

    private:
        std::unique_ptr<Device> do_open(const DeviceInfo&, OpenOptions) override {
            throw Error("touched");
        }
    };
    std::vector<std::unique_ptr<Backend>> on;
    on.push_back(std::make_unique<Untouchable>());
    for (const std::vector<std::string>& words : {std::vector<std::string>{"list"},
                                                  {"list", "reduction"},
                                                  {"map"},
                                                  {"show", "transpose/tiled"}}) {
        const Ended e = run(words, on);
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_FALSE(e.out.empty());
    }
    for (const Suite& suite : suites()) {
        EXPECT_NE(run({"list"}).out.find(suite.question), std::string::npos);
        EXPECT_EQ(run({"list", suite.name}).code, 0);
    }
}

TEST_F(CommandLine, ShowPrintsBothTexts) {
    for (const Suite& suite : suites()) {
        for (const Variant& variant : suite.variants) {
            const std::string name = suite.name + "/" + variant.name;
            const Ended e = run({"show", name, "--width", "120"});
            EXPECT_EQ(e.code, 0) << name << e.err;
        }
    }
    const Ended both = run({"show", "transpose/padded", "--width", "160"});
    EXPECT_NE(both.out.find("barrier(CLK_LOCAL_MEM_FENCE)"), std::string::npos);
    EXPECT_NE(both.out.find("__syncthreads()"), std::string::npos);
    EXPECT_EQ(both.out.find("naive"), std::string::npos) << "the one kernel only";
    const Ended cuda = run({"show", "reduction/vector", "--language", "cuda", "--type", "int"});
    EXPECT_NE(cuda.out.find("int4"), std::string::npos);
    EXPECT_EQ(cuda.out.find("__kernel"), std::string::npos);
}

TEST_F(CommandLine, MapFindsWordsOfBothLanguages) {
    for (const char* word : {"barrier", "__syncthreads", "THREADIDX", "get_global_id", "aligned"}) {
        EXPECT_EQ(run({"map", word}).code, 0) << word;
    }
}

TEST_F(CommandLine, NoDeviceIsFive) {
    const Ended e = run({"run"}, {});
    EXPECT_EQ(e.code, 5);
    EXPECT_NE(e.err.find("no device"), std::string::npos);
    EXPECT_EQ(run({"devices"}, {}).code, 5);
    EXPECT_FALSE(fs::exists("results")) << "nothing ran, nothing is kept";
}

TEST_F(CommandLine, DevicesAreListed) {
    auto script = std::make_shared<fake::Script>();
    std::vector<std::unique_ptr<Backend>> on;
    auto one = std::make_unique<fake::FakeBackend>(script, "one");
    auto two = std::make_unique<fake::FakeBackend>(script, "two");
    one->inventory.devices.at(0).uuid = two->inventory.devices.at(0).uuid = Uuid{1, 2, 3};
    two->inventory.problem = "Half of it is missing.";
    on.push_back(std::move(one));
    on.push_back(std::move(two));
    const Ended e = run({"devices"}, on);
    EXPECT_EQ(e.code, 0);
    EXPECT_NE(e.out.find("same device as    "), std::string::npos) << e.out;
    EXPECT_NE(e.out.find("01020300-0000-0000-0000-000000000000"), std::string::npos);
    EXPECT_NE(e.err.find("two: Half of it is missing."), std::string::npos);
    const Json json = Json::parse(run({"devices", "--format", "json"}, on).out);
    EXPECT_EQ(json["devices"].at(0)["same_device_as"].at(0), "two:0");
    EXPECT_EQ(json["devices"].size(), 2u);
}

TEST_F(CommandLine, TheHostIsTakenByNameForChecksAlone) {
    if (find_devices(small_backends(), "opencl").entries.empty()) GTEST_SKIP() << "no host";
    const std::vector<std::string> check{"run", "--check", "-s", "transpose/naive", "-n", "64x64"};
    if (has_device()) {
        EXPECT_EQ(run(check).out.find("host:"), std::string::npos) << "nobody named it";
    }
    // Without a word for it, nothing but checks as well.
    const Ended e = run({"run", "-d", "host:0", "-s", "transpose/naive", "-n", "64x64"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_NE(e.out.find("checked"), std::string::npos) << e.out;
    EXPECT_NE(e.out.find("no measure of speed"), std::string::npos) << e.out;
    EXPECT_NE(run({"devices"}).out.find("never timed"), std::string::npos);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"explain", "transpose/naive", "host:0"},
          {"sweep", "reduction/items", "--over", "GROUP=64,128", "-d", "host:0"},
          {"tune", "reduction/items", "-d", "host:0"},
          {"lesson", "transpose", "-d", "host:0"},
          {"selftest", "-d", "host:0"}}) {
        expect_usage(words, "no measure of speed");
    }
}

TEST_F(CommandLine, CeilingsAreCheckedWhereTheyAreAskedFor) {
    if (find_devices(small_backends(), "opencl").entries.empty()) GTEST_SKIP() << "no host";
    const Ended e =
        run({"run", "--check", "-s", "ceiling", "-d", "host:0", "-n", "1000", "-o", "c.jsonl"});
    EXPECT_EQ(e.code, 0) << e.out << e.err;
    const auto records = json_results("c.jsonl").records;
    EXPECT_EQ(records.size(), 3u) << e.out;
    for (const Json& record : records) EXPECT_EQ(record.at("status"), "checked") << record.dump();
    const Ended stored = run({"run", "--from", "c.jsonl"});
    EXPECT_EQ(stored.out, e.out);
    EXPECT_EQ(stored.err,
              e.err.substr(0, e.err.find("\nkept in")) + "; 3 records shown, 3 of ceilings\n");
    expect_usage({"run", "-s", "ceiling", "-d", "host:0"}, "--check");
}

TEST_F(CommandLine, WithoutGuardZonesTheRecordSaysSo) {
    if (find_devices(small_backends(), "opencl").entries.empty()) GTEST_SKIP() << "no host";
    const std::vector<std::string> words{"run", "--check", "-s",    "strided_copy/copy4",
                                         "-d",  "host:0",  "-n",    "2^20",
                                         "-o",  "z.jsonl", "--json"};
    unsetenv("PARALLAX_GUARDS");
    EXPECT_EQ(run(words).out.find("PARALLAX_GUARDS"), std::string::npos);
    setenv("PARALLAX_GUARDS", "none", 1);
    const Ended e = run(words);
    unsetenv("PARALLAX_GUARDS");
    EXPECT_EQ(e.code, 0) << e.out << e.err;
    EXPECT_NE(e.out.find("nothing saw a write outside"), std::string::npos) << e.out;
}

TEST_F(CommandLine, EverySuiteIsRightOnTheHost) {
    if (find_devices(small_backends(), "opencl").entries.empty()) GTEST_SKIP() << "no host";
    const Ended e =
        run({"run", "--check", "-d", "host:0", "--budget", "100000", "-o", "all.jsonl"});
    EXPECT_EQ(e.code, 0) << e.out << e.err;
    std::set<std::string> right;
    for (const Json& record : json_results("all.jsonl").records) {
        EXPECT_EQ(record.at("status"), "checked") << record.dump();
        right.insert(record.at("suite"));
    }
    for (const Suite& suite : suites()) {
        EXPECT_EQ(right.contains(suite.name), !suite.is_ceiling) << suite.name;
    }
}

TEST_F(CommandLine, RunKeepsValidRecords) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e = run({"run", "-d", "opencl:0", "-s", "transpose/padded", "-n", "100x50", "-n",
                         "33x7", "--seed", "3", "-o", "out/all.jsonl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_NE(e.out.find("padded"), std::string::npos);
    EXPECT_NE(e.err.find("out/all.jsonl"), std::string::npos);
    EXPECT_EQ(e.err.find('\r'), std::string::npos) << "no progress line but on a terminal";
    const JsonResults file = json_results("out/all.jsonl");
    ASSERT_EQ(file.records.size(), 5u) << "three ceilings and two sizes";
    EXPECT_EQ(file.records.at(4)["shape"], Json::array({33, 7}));
    EXPECT_EQ(file.records.at(4)["run"]["seed"], 3);
    EXPECT_EQ(file.records.at(4)["run"]["command"].at(0), "run");
    run({"run", "-d", "opencl:0", "-s", "transpose/padded", "-n", "5x5", "-o", "out/all.jsonl",
         "--quiet"});
    EXPECT_EQ(json_results("out/all.jsonl").records.size(), 9u) << "appended, nothing lost";
}

TEST_F(CommandLine, RunNamesItsFileAfterTheDevice) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e =
        run({"run", "-d", "opencl:0", "-s", "reduction/vector", "-n", "1000", "--format", "json"});
    EXPECT_EQ(e.code, 0) << e.err;
    std::istringstream lines(e.out);
    std::string line;
    while (std::getline(lines, line)) EXPECT_TRUE(problems_of(Json::parse(line)).empty()) << line;
    std::size_t files = 0;
    for (const auto& path : fs::recursive_directory_iterator("results")) {
        if (!path.is_regular_file()) continue;
        EXPECT_EQ(json_results(path.path()).records.size(), 4u);
        ++files;
    }
    EXPECT_EQ(files, 1u);
}

TEST_F(CommandLine, AResultsFolderThatCannotBeMadeIsTwo) {
    if (!has_device()) GTEST_SKIP() << "no device";
    std::ofstream("results") << "a file, not a folder";
    const Ended e = run({"run", "-d", "opencl:0", "-s", "transpose/tiled", "-n", "8x8"});
    EXPECT_EQ(e.code, 2);
    EXPECT_NE(e.err.find("Cannot make the folder"), std::string::npos) << e.err;
    EXPECT_EQ(e.err.find("kept in"), std::string::npos) << e.err;
}

TEST_F(CommandLine, OutputThatCannotBeWrittenIsTwo) {
    expect_usage({"run", "-s", "reduction/vector", "-n", "100", "-o", ""}, "-o names no file");
    expect_usage({"run", "-s", "reduction/vector", "-n", "100", "-o", "/proc/nothing/x"},
                 "Choose another file");
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended full =
        run({"run", "-d", "opencl:0", "-s", "reduction/vector", "-n", "100", "-o", "/dev/full"});
    EXPECT_EQ(full.code, 2);
    EXPECT_NE(full.err.find("No space left"), std::string::npos) << full.err;
}

class KernelFolders : public CommandLine {
protected:
    static void put(const std::string& name, const std::string& text) {
        fs::create_directories("k");
        std::ofstream("k/" + name) << text;
    }
    static std::string own(const std::string& name) { return kernel_text(name, {}); }
    static void put_own() {
        // Nothing of the ceilings': the yardstick is the program's own.
        put("transpose.cl", own("transpose.cl"));
    }
    Ended run_it() {
        return run({"run", "-d", "opencl:0", "-s", "transpose/naive", "-n", "64x64", "--kernels",
                    "k", "-o", "o.jsonl"});
    }
};

TEST_F(KernelFolders, AMissingFileIsTwo) {
    fs::create_directories("k");
    const Ended e = run_it();
    EXPECT_EQ(e.code, 2);
    EXPECT_NE(e.err.find("k/transpose.cl"), std::string::npos) << e.err;
    EXPECT_FALSE(fs::exists("o.jsonl") && fs::file_size("o.jsonl") > 0);
}

TEST_F(KernelFolders, AFolderForAFileIsTwo) {
    fs::create_directories("k/transpose.cl");
    const Ended e = run_it();
    EXPECT_EQ(e.code, 2);
    EXPECT_NE(e.err.find("k/transpose.cl"), std::string::npos) << e.err;
}

TEST_F(KernelFolders, OwnTextsRun) {
    if (!has_device()) GTEST_SKIP() << "no device";
    put_own();
    EXPECT_EQ(run_it().code, 0);
}

TEST_F(KernelFolders, AWrongKernelIsOneAndNotMeasured) {
    if (!has_device()) GTEST_SKIP() << "no device";
    put_own();
    std::string text = own("transpose.cl");
    const std::string from = "out[x * height + y + k]";
    text.replace(text.find(from), from.size(), "out[x * height + y]");
    put("transpose.cl", text);
    const Ended e = run_it();
    EXPECT_EQ(e.code, 1) << e.err;
    EXPECT_NE(e.out.find("wrong"), std::string::npos) << e.out;
    const Json record = json_results("o.jsonl").records.back();
    EXPECT_EQ(record["status"], "wrong");
    EXPECT_FALSE(record.contains("timing"));
}

TEST_F(KernelFolders, ATextThatDoesNotLexOrCompileIsOne) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const std::vector<std::array<const char*, 2>> texts{
        {"divergence", "__kernel void lanes("},
        {"strided_copy", ""},
        {"stencil1d", "/* never closed"},
        {"conversions", "__kernel void float_only() { this is not C }"},
        {"functions", "\"open string\n"},
        {"integers", "\xff\xfe"}};
    std::vector<std::string> words{"run", "-d",      "opencl:0",  "-n", "64",
                                   "-o",  "o.jsonl", "--kernels", "k",  "--check"};
    for (const auto& [suite, text] : texts) {
        put(fmt::format("{}.cl", suite), text);
        words.insert(words.end(), {"-s", suite});
    }
    const Ended e = run(words);
    EXPECT_EQ(e.code, 1) << e.err;
    std::set<std::string> failed;
    for (const Json& record : json_results("o.jsonl").records) {
        // The API's own copy has no text.
        if (record["suite"] == "ceiling" || record["variant"] == "runtime") continue;
        EXPECT_EQ(record["status"], "failed") << record;
        failed.insert(record["suite"]);
    }
    for (const auto& [suite, text] : texts) EXPECT_TRUE(failed.contains(suite)) << e.out;
}

/// Starts the real program, and sends it a signal once it has kept two records.
class Signals : public CommandLine {
protected:
    static int run_until(int signal) {
        const char* program = std::getenv("PARALLAX_PROGRAM");
        const pid_t child = fork();
        if (child == 0) {
            execl(program, program, "run", "-d", "opencl:0", "--full", "--budget", "100000", "-o",
                  "cut.jsonl", "--quiet", nullptr);
            _exit(127);
        }
        wait_for(child, [] { return lines() >= 2; });
        kill(child, signal);
        int status = 0;
        waitpid(child, &status, 0);
        return status;
    }
    static std::ptrdiff_t lines() {
        std::ifstream file("cut.jsonl");
        return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
    }
    void SetUp() override {
        if (!has_device()) GTEST_SKIP() << "no device";
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
    }
};

TEST_F(Signals, CtrlCKeepsWhatWasMeasured) {
    const int status = run_until(SIGINT);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130);
    const JsonResults file = json_results("cut.jsonl");
    EXPECT_GE(file.records.size(), 2u);
    EXPECT_FALSE(file.cut_short);
}

TEST_F(Signals, AKilledRunCanBeReadBack) {
    const int status = run_until(SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_GE(json_results("cut.jsonl").records.size(), 2u);
}

TEST(CommittedResults, HoldACaseOfARunOnce) {
    for (const auto& entry : fs::recursive_directory_iterator(SOURCE_ROOT "/results")) {
        if (entry.path().extension() != ".jsonl") continue;
        ResultSet set;
        set.name = entry.path();
        EXPECT_NO_THROW(read_results(entry.path(), [&](Line&& line, unsigned number) {
            set.take(std::move(line), number);
        }));
    }
}

TEST_F(CommandLine, AStoredRunIsShownAsItWasPrinted) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const std::vector<std::string> words{"run",    "-s", "transpose/padded", "-n",
                                         "33x7",   "-d", "opencl:0",         "--budget",
                                         "100000", "-o", "r.jsonl"};
    const Ended now = run(words), stored = run({"run", "--from", "r.jsonl"});
    EXPECT_EQ(now.code, 0) << now.err;
    EXPECT_EQ(stored.code, 0) << stored.err;
    EXPECT_EQ(stored.out, now.out);
    const std::string counts = now.err.substr(0, now.err.find("\nkept in"));
    EXPECT_EQ(stored.err, counts + "; 4 records shown, 3 of ceilings\n");
    expect_usage({"run", "--from", "r.jsonl", "-d", "opencl"}, "--device is for what is run now");
    std::ofstream("none.jsonl").close();
    expect_usage({"run", "--from", "none.jsonl"}, "none.jsonl holds no record");
}

TEST_F(CommandLine, AFolderOfStoredRunsIsShownTogether) {
    const fs::path results = SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3";
    fs::create_directory("runs");
    fs::copy(results / "run.jsonl", "runs/a.jsonl");
    fs::copy(results / "run.jsonl", "runs/b.jsonl");
    const auto shown = [&](const char* from, std::vector<std::string> more) {
        std::vector<std::string> words{"run", "--from", from};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const Ended one = shown("runs/a.jsonl", {"-s", "transpose/naive"});
    EXPECT_EQ(one.err, "2 ok, 0 wrong, 0 failed; 2 records shown\n");
    EXPECT_THAT(one.out, testing::Not(testing::HasSubstr("padded")));
    const Ended both = shown("runs", {"-s", "transpose/naive"});
    EXPECT_EQ(both.err,
              "4 ok, 0 wrong, 0 failed; 4 records shown, 2 older measurements of the same case\n");
    const std::string title = "transpose: What does";
    EXPECT_EQ(both.out.find(title, both.out.find(title) + 1), both.out.npos) << "one table";
    EXPECT_EQ(shown("runs", {"-s", "ceiling"}).code, 0);
    expect_usage({"run", "--from", "runs", "-s", "transpose", "-n", "3x3"}, "-s, --type and -n");
    fs::create_directory("none");
    expect_usage({"run", "--from", "none"}, "none holds no record");
}

TEST(RunTable, FitsIntoTheColumnsThatThereAre) {
    const ResultFile file = read_results(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/run.jsonl");
    for (const std::size_t width : {80U, 100U}) {
        std::ostringstream out;
        RunTable table(out, width);
        for (const Record& record : file.records) table.add(record);
        table.finish();
        std::istringstream lines(out.str());
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(columns_of(line), width) << line;
        }
        EXPECT_THAT(out.str(), testing::HasSubstr("\u2588")) << "bars, where there is room";
    }
}

TEST_F(CommandLine, AKernelBrokenOnPurposeIsNoWrongAnswer) {
    const Ended e = run({"run", "--from", SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/walk.jsonl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.err, testing::HasSubstr(" 0 wrong"));
    EXPECT_THAT(e.err, testing::HasSubstr(" broken on purpose"));
    EXPECT_THAT(e.out, testing::HasSubstr("broken by lesson"));
}

TEST_F(CommandLine, TheNextRunTakesTheCeilingsOfTheOneBefore) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const auto run_kept = [](std::vector<std::string> more) {
        std::vector<std::string> words{"run",  "-s", "transpose/naive", "-n", "64x64", "--format",
                                       "json", "-o", "kept.jsonl"};
        words.insert(words.end(), more.begin(), more.end());
        std::ostringstream out, err;
        World world{out, err, small_backends()};
        world.ceilings_file = "ceilings.jsonl";
        EXPECT_EQ(run_program(words, world), 0) << err.str();
        std::size_t kept = 0;
        const std::string text = out.str(), member = "\"measured\":";
        for (auto at = text.find(member); at != text.npos; at = text.find(member, at + 1)) ++kept;
        return kept;
    };
    EXPECT_EQ(run_kept({}), 0u);
    EXPECT_EQ(run_kept({"--fresh-ceilings"}), 0u);
    // Of GPUs only: on a CPU nobody sees who else is there.
    const std::vector<Entry> entries = find_devices(small_backends(), "host").entries;
    const auto gpus =
        std::ranges::count_if(entries, [](const Entry& entry) { return entry.info.is_gpu; });
    if (gpus > 0) GTEST_SKIP() << "where others compute on a GPU its ceilings are not kept";
    EXPECT_EQ(run_kept({}), 0u);
}

TEST(CeilingsFile, IsInTheUsersCache) {
    EXPECT_EQ(ceilings_file_in("/c", "/h"), "/c/parallax/ceilings.jsonl");
    EXPECT_EQ(ceilings_file_in("", "/h"), "/h/.cache/parallax/ceilings.jsonl");
    EXPECT_EQ(ceilings_file_in("no/whole/path", "/h"), "/h/.cache/parallax/ceilings.jsonl");
    EXPECT_EQ(ceilings_file_in(nullptr, nullptr), "");
}

TEST(CommittedResults, AreValidRecords) {
    std::size_t records = 0;
    for (const auto& entry : fs::recursive_directory_iterator(SOURCE_ROOT "/results")) {
        if (entry.path().extension() != ".jsonl") continue;
        const JsonResults file = json_results(entry.path());
        EXPECT_FALSE(file.cut_short) << entry.path();
        EXPECT_GT(file.records.size() + file.pairs.size() + file.explanations.size(), 0u)
            << entry.path();
        for (const Json& record : file.records) {
            EXPECT_EQ(entry.path().parent_path().filename(),
                      folder_name(record["where"]["name"].get<std::string>()));
            EXPECT_NE(record["status"], "failed");
            // NVIDIA's OpenCL starts a maximum of floats from the smallest positive one.
            const Json& edits = record["program"]["edits"];
            const bool broken_on_purpose =
                !edits.empty() && edits.at(0).get<std::string>().starts_with("broken by lesson");
            EXPECT_TRUE(record["status"] != "wrong" || record["variant"] == "builtin" ||
                        broken_on_purpose);
        }
        records += file.records.size();
    }
    EXPECT_GT(records, 0u);
}

TEST(Documents, TheTableOfKnobsHasThemAllInTheirOrder) {
    std::ifstream file(std::string(SOURCE_ROOT "/results") + "/../docs/explain.md");
    std::vector<std::string> rows, known;
    bool in_section = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("#")) in_section = line == "### The knobs";
        if (in_section && line.starts_with("| `"))
            rows.push_back(line.substr(3, line.find('`', 3) - 3));
    }
    for (const Knob& knob : knobs()) known.push_back(knob.name);
    EXPECT_EQ(rows, known);
}

}  // namespace
}  // namespace parallax::cli::cli_test

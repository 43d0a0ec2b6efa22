// Tests `parallax run` on real devices: stored records, output and rejected requests.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/tests/command_line.hpp"
#include "common/tests/thorough.hpp"
#include "common/text/text.hpp"
#include "measure/session.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli::run_device_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(CommandLine, FloatRulesReachTheRecord) {
    expect_usage({"run", "--floats", "sloppy"}, "exact, contract, relaxed");
    expect_usage({"diff", "opencl", "cuda", "--floats", "sloppy"}, "exact, contract, relaxed");
    if (!has_device()) GTEST_SKIP() << "no device";
    // A transpose does not round: it is right under any rules.
    for (const char* rules : {"contract", "relaxed"}) {
        const std::string file = std::string(rules) + ".jsonl";
        const Ended e = run({"run", "-d", "opencl:0", "-s", "transpose/naive", "-n", "64x64",
                             "--check", "--floats", rules, "-o", file});
        EXPECT_EQ(e.code, 0) << e.err;
        const Json floats = json_results(file).records.at(0)["program"]["floats"];
        EXPECT_EQ(floats["contract"], true) << rules;
        EXPECT_EQ(floats["relaxed"], rules == std::string("relaxed")) << rules;
        EXPECT_EQ(floats["exact_division"], rules != std::string("relaxed")) << rules;
    }
}

TEST_F(CommandLine, JunitHasATestForEachCase) {
    expect_usage({"run", "--junit", "a.xml", "--processes", "2"}, "--from FILE --junit FILE");
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e = run({"run", "--check", "-d", "opencl:0", "-s", "transpose/naive", "-s",
                         "transpose/tiled", "-n", "64x64", "-o", "a.jsonl", "--junit", "a.xml"});
    EXPECT_EQ(e.code, 0) << e.err;
    const std::string xml = text_of("a.xml");
    EXPECT_THAT(xml, HasSubstr("<testsuites name=\"parallax run\" tests=\"2\" failures=\"0\""));
    EXPECT_THAT(xml, HasSubstr("classname=\"transpose.tiled\" name=\"transpose/tiled float 64x64"));
    EXPECT_THAT(xml, Not(HasSubstr("system-out"))) << "what is right says nothing";
    run({"run", "--from", "a.jsonl", "--junit", "again.xml"});
    EXPECT_EQ(text_of("again.xml"), xml) << "records say the same later";
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

TEST_F(CommandLine, TheHostIsTakenByNameForChecksAlone) {
    if (find_devices(small_backends(), "opencl").entries.empty()) GTEST_SKIP() << "no host";
    const std::vector<std::string> check{"run", "--check", "-s", "transpose/naive", "-n", "64x64"};
    if (has_device()) {
        EXPECT_EQ(run(check).out.find("host:"), std::string::npos) << "it was not named";
    }
    // Without --check, the host only verifies as well.
    const Ended e = run({"run", "-d", "host:0", "-s", "transpose/naive", "-n", "64x64"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_NE(e.out.find("checked"), std::string::npos) << e.out;
    EXPECT_NE(e.out.find("checks answers on the processor"), std::string::npos) << e.out;
    EXPECT_NE(run({"devices"}).out.find("never timed"), std::string::npos);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"explain", "transpose/naive", "host:0"},
          {"sweep", "reduction/items", "--over", "GROUP=64,128", "-d", "host:0"},
          {"tune", "reduction/items", "-d", "host:0"},
          {"lesson", "transpose", "-d", "host:0"},
          {"selftest", "-d", "host:0"}}) {
        expect_usage(words, "is never timed");
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
    std::vector<std::string> words{"run",      "--check", "-d", "host:0",
                                   "--budget", "100000",  "-o", "all.jsonl"};
    std::vector<const Suite*> all;
    for (const Suite& suite : suites()) {
        if (!suite.is_ceiling) all.push_back(&suite);
    }
    // The suites' own tests verify each case on the host: here one variant of some shows that the
    // command verifies them.
    std::set<std::string> asked;
    for (const Suite* suite : test::every_nth(all, 6)) {
        asked.insert(suite->name);
        if (test::is_thorough()) continue;
        words.insert(words.end(), {"-s", suite->name + "/" + suite->variants.front().name});
    }
    std::set<std::string> of_overview;
    for (const Case& c : expand(Request())) of_overview.insert(c.suite->name);
    for (const Suite* suite : all) EXPECT_TRUE(of_overview.contains(suite->name)) << suite->name;
    const Ended e = run(words);
    EXPECT_EQ(e.code, 0) << e.out << e.err;
    std::set<std::string> right;
    for (const Json& record : json_results("all.jsonl").records) {
        EXPECT_EQ(record.at("status"), "checked") << record.dump();
        right.insert(record.at("suite"));
    }
    EXPECT_EQ(right, asked);
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

TEST_F(CommandLine, TheNextRunTakesTheCeilingsOfTheOneBefore) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const auto run_kept = [](std::vector<std::string> more) {
        std::vector<std::string> words{"run",  "-s", "transpose/naive", "-n", "64x64", "--format",
                                       "json", "-o", "kept.jsonl"};
        words.insert(words.end(), more.begin(), more.end());
        std::ostringstream out, err;
        CommandContext context{out, err, paced_backends()};
        context.ceilings_file = "ceilings.jsonl";
        EXPECT_EQ(run_program(words, context), 0) << err.str();
        std::size_t kept = 0;
        const std::string text = out.str(), member = "\"measured\":";
        for (auto at = text.find(member); at != text.npos; at = text.find(member, at + 1)) ++kept;
        return kept;
    };
    EXPECT_EQ(run_kept({}), 0u);
    EXPECT_EQ(run_kept({"--fresh-ceilings"}), 0u);
    // On GPUs only: a CPU's other users are not visible.
    const std::vector<Entry> entries = find_devices(small_backends(), "host").entries;
    const auto gpus =
        std::ranges::count_if(entries, [](const Entry& entry) { return entry.info.is_gpu; });
    if (gpus > 0) GTEST_SKIP() << "where others compute on a GPU its ceilings are not kept";
    EXPECT_EQ(run_kept({}), 0u);
}

class KernelFolders : public CommandLine {
protected:
    static void put(const std::string& name, const std::string& text) {
        fs::create_directories("k");
        std::ofstream("k/" + name) << text;
    }
    static std::string own(const std::string& name) { return kernel_source(name, {}); }
    static void put_own() {
        // Without kernels of ceilings: the program's own are used.
        put("transpose.cl", own("transpose.cl"));
    }
    Ended run_it() {
        return run({"run", "-d", "opencl:0", "-s", "transpose/naive", "-n", "64x64", "--kernels",
                    "k", "-o", "o.jsonl"});
    }
};

TEST_F(KernelFolders, CeilingsAreTheFoldersWhereTheyAreAskedFor) {
    if (find_devices(small_backends(), "opencl").entries.empty()) GTEST_SKIP() << "no host";
    put_own();
    std::string broken = own("ceiling.cl");
    put("ceiling.cl", broken.insert(broken.find("__kernel"), "xx yy "));
    const auto checked = [&](const char* suite) {
        return run(
            {"run", "--check", "-s", suite, "-d", "host:0", "-n", "64x64", "--kernels", "k"});
    };
    const Ended other = checked("transpose/naive");
    EXPECT_EQ(other.code, 0) << other.err;
    EXPECT_THAT(other.err, HasSubstr("ceiling.cl of k is not used"));
    const Ended asked =
        run({"run", "--check", "-s", "ceiling", "-d", "host:0", "-n", "1000", "--kernels", "k"});
    EXPECT_EQ(asked.code, 6) << asked.out;
    EXPECT_THAT(asked.err, Not(HasSubstr("is not used")));
}

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
    // One variant of each: all of a suite have the same source.
    const std::vector<std::array<const char*, 3>> texts{
        {"divergence", "lanes", "__kernel void lanes("},
        {"strided_copy", "copy", ""},
        {"stencil1d", "global", "/* never closed"},
        {"conversions", "float_only", "__kernel void float_only() { this is not C }"},
        {"functions", "native", "\"open string\n"},
        {"integers", "exclusive_or", "\xff\xfe"}};
    std::vector<std::string> words{"run", "-d",      "opencl:0",  "-n", "64",
                                   "-o",  "o.jsonl", "--kernels", "k",  "--check"};
    for (const auto& [suite, variant, text] : texts) {
        put(fmt::format("{}.cl", suite), text);
        words.insert(words.end(), {"-s", fmt::format("{}/{}", suite, variant)});
    }
    const Ended e = run(words);
    EXPECT_EQ(e.code, 6) << e.err;
    std::set<std::string> failed;
    for (const Json& record : json_results("o.jsonl").records) {
        EXPECT_EQ(record["status"], "failed") << record;
        failed.insert(record["suite"]);
    }
    EXPECT_EQ(failed.size(), texts.size()) << e.out;
}

}  // namespace
}  // namespace parallax::cli::run_device_test

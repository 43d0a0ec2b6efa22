// Tests the command line: output, messages and exit codes.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "cli/request.hpp"
#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "common/text/text.hpp"
#include "records/result_set.hpp"
#include "report/run/run_table.hpp"
#include "studies/explain/knobs.hpp"

namespace parallax::cli::cli_test {
namespace {

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

TEST_F(CommandLine, WhatTimesMayBeToldNotToWait) {
    std::set<std::string> told;
    for (const Command& command : commands()) {
        for (const OptionWords& option : options_of(command)) {
            if (option.long_name == "no-wait") told.insert(command.name);
        }
    }
    EXPECT_THAT(told, testing::ElementsAre("diff", "explain", "lesson", "run", "selftest", "sweep",
                                           "tune"));
    std::ostringstream out, err;
    CommandContext context{out, err, {}};
    EXPECT_TRUE(run_config(context, 0, {}).locks.waits);
    context.waits = false;
    EXPECT_FALSE(run_config(context, 0, {}).locks.waits);
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
    for (const Words& words :
         {Words{"list", "nowhere/"}, Words{"show", "nowhere/saxpy"},
          Words{"diff", "-s", "nowhere/"}, Words{"run", "-s", "nowhere/saxpy"}}) {
        expect_usage(words, "There is no suite and no folder 'nowhere'. 'parallax capture -o DIR");
    }
    expect_usage({"show", "transpos/naive"}, "Did you mean 'transpose'?");
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

TEST(CommittedResults, HoldACaseOfARunOnce) {
    for (const auto& entry : fs::recursive_directory_iterator(SOURCE_ROOT "/results")) {
        if (entry.path().extension() != ".jsonl") continue;
        ResultSet set;
        set.name = entry.path();
        EXPECT_NO_THROW(read_results(entry.path(), [&](ResultEntry&& line, unsigned number) {
            set.take(std::move(line), number);
        }));
    }
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

TEST(RunTable, AnOverviewHasALineForEachSuiteAndWhatIsNotRight) {
    ResultFile file = read_results(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/overview.jsonl");
    Record& wrong = *std::ranges::find(file.records, "reduction",
                                       [](const Record& one) { return one.key.suite; });
    wrong.status = Status::wrong;
    wrong.reason = "Element 7 is 3, not 4.";
    const std::string suite = wrong.key.suite, name = wrong.key.name() + " on " + wrong.device;
    std::ostringstream out;
    RunTable table(out, 100, RunTables::overview);
    for (const Record& record : file.records) table.add(record);
    table.finish();
    EXPECT_LE(std::ranges::count(out.str(), '\n'), 60) << out.str();
    EXPECT_THAT(out.str(), testing::HasSubstr("\n" + suite + " "));
    EXPECT_THAT(out.str(), testing::HasSubstr("1 wrong"));
    EXPECT_THAT(out.str(), testing::HasSubstr("\n" + name + ": wrong: Element 7 is 3, not 4.\n"));
    EXPECT_THAT(out.str(), testing::Not(testing::HasSubstr("GTX")));
}

/// Short tables of `suites` suites with `variants` each, of which all say much.
std::string short_table(std::size_t suites, std::size_t variants) {
    const ResultFile file = read_results(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/run.jsonl");
    Record one = *std::ranges::find(file.records, Status::ok, &Record::status);
    one.check->checked_against = "itself";
    one.key.constants.clear();
    std::ostringstream out;
    RunTable table(out, 100, suites > 1 ? RunTables::overview : RunTables::as_they_come, false,
                   true);
    for (std::size_t suite = 0; suite < suites; ++suite) {
        one.key.suite = fmt::format("mine{}", suite);
        for (std::size_t i = 0; i < variants; ++i) {
            one.key.variant = fmt::format("variant{}", i);
            one.notes = {fmt::format("It is number {}.", i) + std::string(300, 'n'), "All say so."};
            one.status = i % 3 == 2 || suite % 3 == 2 ? Status::failed : Status::ok;
            one.reason =
                one.status == Status::failed ? std::string(suites > 1 ? 60 : 600, 'r') : "";
            one.log = one.status == Status::failed ? std::string(50, '\n') + "error: what" : "";
            table.add(one);
        }
    }
    table.finish();
    return out.str();
}

TEST(RunTable, AShortOneIsAScreen) {
    for (const auto& [suites, variants, most] :
         {std::tuple(1, 1, 25), {1, 3, 25}, {1, 28, 40}, {28, 1, 40}}) {
        const std::string text = short_table(suites, variants);
        EXPECT_LE(std::ranges::count(text, '\n'), most) << text;
        EXPECT_THAT(text, testing::HasSubstr("no reference"));
        EXPECT_EQ(text.find("\n-v shows all tables and remarks") != text.npos,
                  suites * variants > 3);
    }
    EXPECT_THAT(short_table(1, 28), testing::HasSubstr(" more remarks: -v shows all."));
    EXPECT_THAT(short_table(28, 1), testing::HasSubstr("error: what"));
}

TEST(RunTable, CeilingsAreASentenceWhereAShareIsOfThem) {
    const ResultFile file = read_results(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/run.jsonl");
    std::vector<Record> ceilings, copies;
    for (const Record& record : file.records) {
        if (record.key.suite == "ceiling") ceilings.push_back(record);
        if (record.key.suite == "transpose" && record.share.of == "copy") copies.push_back(record);
    }
    ASSERT_GE(ceilings.size(), 3U);
    ASSERT_GE(copies.size(), 2U);
    const auto printed = [](std::vector<Record> records, const std::vector<Record>& more,
                            bool asked = false) {
        records.insert(records.end(), more.begin(), more.end());
        std::ostringstream out;
        RunTable table(out, 100, RunTables::as_they_come, asked);
        for (const Record& record : records) table.add(record);
        table.finish();
        return out.str();
    };
    const std::string table = "ceiling: ", sentence = "The device's own peak rates: copy ";
    const std::string used = printed(ceilings, copies);
    EXPECT_THAT(used, testing::Not(testing::HasSubstr(table)));
    EXPECT_THAT(used, testing::HasSubstr(sentence));
    std::set<std::string> devices;
    for (const Record& record : copies) devices.insert(record.device);
    std::size_t sentences = 0;
    for (auto at = used.find(sentence); at != used.npos; at = used.find(sentence, at + 1))
        ++sentences;
    EXPECT_EQ(sentences, devices.size()) << used;
    for (Record& record : copies) record.share = {};
    EXPECT_THAT(printed(ceilings, copies), testing::Not(testing::HasSubstr("peak rates")));
    EXPECT_THAT(printed(ceilings, copies, true), testing::HasSubstr(table));
    EXPECT_THAT(printed(ceilings, {}), testing::HasSubstr(table)) << "there is nothing else";
    ceilings.front().status = Status::failed;
    EXPECT_THAT(printed(ceilings, copies), testing::HasSubstr(table)) << "it has to be seen";
}

TEST(RunTable, OneSampleHasNoInterval) {
    const ResultFile file = read_results(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/run.jsonl");
    Record once = *std::ranges::find(file.records, Status::ok, &Record::status);
    once.timing->samples.resize(1);
    std::ostringstream out;
    RunTable table(out, 100);
    table.add(once);
    table.finish();
    EXPECT_THAT(out.str(), testing::HasSubstr(" n=1 "));
    EXPECT_THAT(out.str(), testing::Not(testing::HasSubstr("\u00b1")));
}

TEST(RunTable, SaysFirstAndOnceWhatTheEnvironmentDoesToTimes) {
    ResultFile file = read_results(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/run.jsonl");
    for (Record& record : file.records) record.run.environment["CUDA_LAUNCH_BLOCKING"] = "1";
    for (const bool all_at_the_end : {false, true}) {
        std::ostringstream out;
        RunTable table(out, 100,
                       all_at_the_end ? RunTables::all_at_the_end : RunTables::as_they_come);
        for (const Record& record : file.records) table.add(record);
        table.finish();
        const std::string warning = "Warning: CUDA_LAUNCH_BLOCKING=1: ";
        EXPECT_TRUE(out.str().starts_with(warning)) << out.str().substr(0, 200);
        EXPECT_EQ(out.str().rfind(warning), 0U);
    }
}

TEST_F(CommandLine, AKernelBrokenOnPurposeIsNoWrongAnswer) {
    const Ended e = run({"run", "--from", SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/walk.jsonl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.err, testing::HasSubstr(" 0 wrong"));
    EXPECT_THAT(e.err, testing::HasSubstr(" broken on purpose"));
    EXPECT_THAT(e.out, testing::HasSubstr("broken by lesson"));
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
    std::ifstream file(std::string(SOURCE_ROOT "/results") + "/../docs/reference/explain.md");
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

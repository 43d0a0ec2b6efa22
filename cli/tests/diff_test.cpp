// Tests `parallax diff` of files: output, messages and exit codes.

#include <fcntl.h>
#include <sys/stat.h>

#include "cli/tests/diff_fixture.hpp"

namespace parallax::cli::diff_test {
namespace {

TEST_F(Diffs, TheSameIsZero) {
    put_two(1.001);
    EXPECT_EQ(only_verdict(), "SAME");
    EXPECT_EQ(code(), 0);
    EXPECT_EQ(code(decision), 0);
}

TEST_F(Diffs, FasterIsNoFailure) {
    put_two(0.5);
    EXPECT_EQ(only_verdict(), "FASTER");
    EXPECT_EQ(code(), 0);
    EXPECT_EQ(code(decision), 0);
}

TEST_F(Diffs, SlowerThanAllowedIsThree) {
    put_two(1.25);
    EXPECT_EQ(only_verdict(), "SLOWER");
    EXPECT_EQ(code(), 0) << "no decision was asked for";
    EXPECT_EQ(code(decision), 3);
    EXPECT_EQ(code({"--max-slowdown", "0.2"}), 3);
    EXPECT_EQ(code({"--max-slowdown", "50%"}), 0);
    EXPECT_EQ(code({"--max-slowdown", "50 %"}), 0);
}

TEST_F(Diffs, AShareFromOneOnHasItsSign) {
    put_two(1);
    for (const auto& [share, said] : {std::pair{"5", "5: is that 5% or 500%?"},
                                      {"1", "1: is that 1% or 100%?"},
                                      {"2.5", "2.5: is that 2.5% or 250%?"}}) {
        expect_usage({"diff", "a.jsonl", "b.jsonl", "--max-slowdown", share}, said);
        expect_usage({"diff", "a.jsonl", "b.jsonl", "--margin", share}, said);
    }
    EXPECT_EQ(code({"--max-slowdown", "100%"}), 0);
}

TEST_F(Diffs, UndecidedIsFourWhereADecisionWasAskedFor) {
    put_two(1.05, 0.1);
    EXPECT_EQ(only_verdict(), "UNDECIDED");
    EXPECT_EQ(code(), 0);
    EXPECT_EQ(code(decision), 4);
    EXPECT_EQ(code({"--max-slowdown", "500%"}), 0) << "beyond what it could be";
}

TEST_F(Diffs, WrongIsOneAndFailedSix) {
    keep("a.jsonl", runs(real_record(), 1e-3));
    for (const auto& [status, verdict, expected] :
         {std::tuple{"wrong", "WRONG", 1}, {"failed", "FAILED", 6}}) {
        keep("b.jsonl", {not_ok(real_record(), status)});
        EXPECT_EQ(only_verdict(), verdict);
        EXPECT_EQ(code(), expected);
        EXPECT_EQ(code(decision), expected);
    }
    const Json report = json({"a.jsonl", "b.jsonl"});
    EXPECT_TRUE(report["cases"].at(0)["ratio"].is_null()) << "no speed of what failed";
}

TEST_F(Diffs, OneWrongRunOfManyIsOne) {
    std::vector<Json> some = runs(real_record(), 1e-3);
    keep("a.jsonl", some);
    some[1] = not_ok(some[1], "wrong");
    keep("b.jsonl", some);
    EXPECT_EQ(only_verdict(), "WRONG");
    EXPECT_EQ(code(), 1);
}

TEST_F(Diffs, WhatADeviceDoesNotSupportIsAllowed) {
    std::vector<Json> some = runs(real_record(), 1e-3);
    Json other = not_ok(real_record(), "unsupported");
    other["variant"] = "other";
    some.push_back(other);
    keep("a.jsonl", some);
    keep("b.jsonl", some);
    EXPECT_EQ(code(decision), 0);
    keep("b.jsonl", {other});
    keep("a.jsonl", {other});
    EXPECT_EQ(diff({"a.jsonl", "b.jsonl"}).code, 5) << "nothing could be compared";
}

TEST_F(Diffs, WhatIsMissingIsOpenAndWhatIsNewIsNot) {
    std::vector<Json> some = runs(real_record(), 1e-3);
    keep("a.jsonl", some);
    Json other = real_record();
    other["variant"] = "other";
    some.push_back(other);
    keep("b.jsonl", some);
    EXPECT_EQ(code(decision), 0) << "only B has it";
    const Ended e = diff(Words{"b.jsonl", "a.jsonl"} + decision);
    EXPECT_EQ(e.code, 4) << "only A has it";
    EXPECT_TRUE(holds(e.out, "NOT COMPARABLE")) << e.out;
    EXPECT_TRUE(holds(e.out, "a.jsonl has no such case")) << e.out;
    EXPECT_EQ(diff({"b.jsonl", "a.jsonl"}).code, 0);
}

TEST_F(Diffs, TextsThatDifferAreNotComparedBetweenTwoBackends) {
    const Json opencl = real_record("opencl");
    Json cuda = real_record("cuda");
    keep("a.jsonl", runs(opencl, 1e-3));
    keep("b.jsonl", runs(cuda, 1e-3));
    EXPECT_EQ(only_verdict(), "SAME");
    cuda["program"]["source_hash"] = "another";
    keep("b.jsonl", runs(cuda, 1e-3));
    EXPECT_EQ(only_verdict(), "NOT COMPARABLE");
    EXPECT_EQ(code(), 5);
    EXPECT_EQ(code(decision), 4);
    EXPECT_TRUE(holds(diff({"a.jsonl", "b.jsonl"}).out, "kernel source")) << "the reason";
    Json old = opencl;
    old["program"]["source_hash"] = "another";
    keep("b.jsonl", runs(old, 1e-3));
    EXPECT_EQ(only_verdict(), "SAME") << "old and new of one backend are what is compared";
    EXPECT_TRUE(holds(diff({"a.jsonl", "b.jsonl"}).out, "kernel source")) << "and it is said";
}

TEST_F(Diffs, WhatChangedIsSaid) {
    Json other = real_record();
    other["where"]["driver"] = "newdriver";
    other["program"]["floats"]["contract"] = true;
    other["run"]["program_version"] = "newprogram";
    keep("a.jsonl", runs(real_record(), 1e-3));
    keep("b.jsonl", runs(other, 1e-3));
    for (const std::string& format : formats) {
        if (format == "junit") continue;
        const std::string out = diff({"a.jsonl", "b.jsonl", "--format", format}).out;
        EXPECT_TRUE(holds(out, "newdriver")) << format;
        EXPECT_TRUE(holds(out, "newprogram")) << format;
        EXPECT_TRUE(holds(out, "float rules")) << format;
    }
}

TEST_F(Diffs, RecordsFromBeforeARuleWereMadeWithoutIt) {
    Json old = real_record(), fast = real_record();
    old["program"]["floats"].erase("relaxed");
    Json now = old;
    now["program"]["floats"]["relaxed"] = false;
    fast["program"]["floats"]["relaxed"] = true;
    keep("a.jsonl", runs(old, 1e-3));
    keep("b.jsonl", runs(now, 1e-3));
    EXPECT_FALSE(holds(diff({"a.jsonl", "b.jsonl"}).out, "float rules"));
    keep("b.jsonl", runs(fast, 1e-3));
    EXPECT_TRUE(holds(diff({"a.jsonl", "b.jsonl"}).out, "float rules"));
}

TEST_F(Diffs, OneRunASideSaysWhatItCouldSee) {
    keep("a.jsonl", {real_record()});
    keep("b.jsonl", {lasting(real_record(), 2e-3)});
    const Json one = json({"a.jsonl", "b.jsonl"})["cases"].at(0);
    EXPECT_EQ(one["ratio"]["basis"], "rounds of one run");
    EXPECT_GT(one["least_visible"].get<double>(), 1);
    EXPECT_TRUE(holds(one["reason"].get<std::string>(), "would not even stand out"));
    put_two(1.1);
    const Json five = json({"a.jsonl", "b.jsonl"})["cases"].at(0);
    EXPECT_EQ(five["ratio"]["basis"], "runs");
    EXPECT_EQ(five["ratio"]["units_a"], 5);
    EXPECT_NEAR(five["ratio"]["value"].get<double>(), 1.1, 1e-6);
    EXPECT_LT(five["ratio"]["degrees_of_freedom"].get<double>(), 9) << "runs, not rounds";
}

TEST_F(Diffs, NothingInCommonIsFive) {
    Json other = real_record();
    other["shape"] = Json::array({5});
    keep("a.jsonl", {real_record()});
    keep("b.jsonl", {other});
    const Ended e = diff({"a.jsonl", "b.jsonl"});
    EXPECT_EQ(e.code, 5);
    EXPECT_EQ(e.out, "");
    EXPECT_TRUE(holds(e.err, "no case in common")) << e.err;
    EXPECT_TRUE(holds(e.err, "reduction/vector float 5 ")) << e.err;
    EXPECT_TRUE(holds(e.err, fmt::format("reduction/vector float {} ", size_of_real()))) << e.err;
    EXPECT_EQ(diff({"a.jsonl", "a.jsonl", "-s", "transpose"}).code, 5);
}

TEST_F(Diffs, CasesAreChosen) {
    put_two(1);
    EXPECT_EQ(code({"-s", "reduction/vector"}), 0);
    EXPECT_EQ(code({"-n", size_of_real(), "--type", "float"}), 0);
    EXPECT_EQ(diff({"a.jsonl", "b.jsonl", "-n", "2^20"}).code, 5);
    EXPECT_EQ(diff({"a.jsonl", "b.jsonl", "--type", "int"}).code, 5);
    EXPECT_EQ(code({"-d", "opencl"}), 0);
    expect_usage({"diff", "a.jsonl", "b.jsonl", "-d", "cuda"}, "names no device");
    expect_usage({"diff", "transpose", "reduction"}, "write transpose/VARIANT");
    expect_usage({"diff", "a.jsonl", "b.jsonl", "-d", "a", "-d", "b", "-d", "c"}, "two sides");
}

TEST_F(Diffs, OptionsOfMeasuringAreNotForFiles) {
    put_two(1);
    for (const Words& words : {Words{"--data", "d.jsonl"}, Words{"--define", "GROUP=64"},
                               Words{"--seed", "3"}, Words{"--budget", "3"}, Words{"--full"}}) {
        expect_usage(Words{"diff", "a.jsonl", "b.jsonl"} + words, words.front());
    }
    EXPECT_FALSE(fs::exists("d.jsonl"));
}

TEST_F(Diffs, WhatCannotBeIsTwo) {
    put_two(1);
    const Words two{"diff", "a.jsonl", "b.jsonl"};
    expect_usage(two + Words{"c.jsonl"}, "--help");
    expect_usage(two + Words{"--frob"}, "frob");
    for (const char* share : {"", "%", "many", "5%%", "nan", "inf", "5x", "1e999", "20000%"}) {
        expect_usage(two + Words{"--margin", share}, "--margin");
        expect_usage(two + Words{"--max-slowdown", share}, "--max-slowdown");
    }
    expect_usage(two + Words{"--max-slowdown", "fast"},
                 "a share such as 5% or 0.05, or 'noise' with --baseline FILE, and not 'fast'");
    expect_usage(two + Words{"--margin=-5%"}, "--margin");
    expect_usage(two + Words{"--max-slowdown=-5%"}, "--max-slowdown");
    expect_usage(two + Words{"--margin", "0"}, "--margin");
    expect_usage(two + Words{"--margin", "200%"}, "below 100%");
    for (const char* format : {"", "xml", "TEXT", "htm"}) {
        expect_usage(two + Words{"--format", format}, "--format");
    }
    expect_usage(two + Words{"-o", "report"}, "--format");
    expect_usage(two + Words{"-o", ""}, "no file");
    expect_usage(two + Words{"--baseline", "nowhere.jsonl"}, "nowhere.jsonl");
    expect_usage({"diff", "a.jsonl", "opencl:0"}, "a device and a file");
    expect_usage({"diff", "opencl:0", "a.jsonl"}, "parallax run -d DEVICE -o FILE");
    expect_usage({"diff", "a.jsonl", "nowhere.jsonl"}, "nowhere.jsonl");
    expect_usage({"diff", "a.jsonl", "."}, "folder");
    expect_usage({"diff", "a.jsonl"}, "does not hold two sides");
    const std::string live = SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/diff.jsonl";
    expect_usage({"diff", live, "-d", "cuda:0", "-d", "opencl:1"},
                 "holds no live diff of cuda:0 against opencl:1. There are: opencl:1 against "
                 "cuda:0. Choose one");
    expect_usage({"diff", "metal", "metal"}, "names no device");
    expect_usage({"diff", "metal", "metal"}, "No file has this name, either.");
    EXPECT_THAT(run({"diff", "metal:7", "metal"}).err, testing::Not(testing::HasSubstr("No file")));
    expect_usage({"diff", "", ""}, "");
}

TEST_F(Diffs, OutputThatCannotBeWrittenIsTwo) {
    put_two(1);
    const Words two{"diff", "a.jsonl", "b.jsonl"};
    fs::create_directories("folder.md");
    expect_usage(two + Words{"-o", "folder.md"}, "folder");
    expect_usage(two + Words{"-o", "/proc/nothing/x.md"}, "Cannot");
    put("file", "not a folder");
    expect_usage(two + Words{"-o", "file/x.md"}, "Cannot");
    EXPECT_EQ(text_of("file"), "not a folder");
}

TEST_F(Diffs, AReportNeverReplacesWhatIsCompared) {
    put_two(1);
    const std::string before = text_of("a.jsonl");
    for (const char* same : {"a.jsonl", "./a.jsonl"}) {
        expect_usage({"diff", "a.jsonl", "b.jsonl", "--format", "md", "-o", same}, "a.jsonl");
    }
    expect_usage({"diff", "b.jsonl", "--baseline", "a.jsonl", "--format", "md", "-o", "a.jsonl"},
                 "a.jsonl");
    EXPECT_EQ(text_of("a.jsonl"), before);
}

TEST_F(Diffs, OneFileOnBothSidesIsSaid) {
    put_two(1);
    fs::create_symlink("a.jsonl", "link.jsonl");
    for (const char* other : {"a.jsonl", "./a.jsonl", "link.jsonl"}) {
        for (const char* format : {"text", "md", "html", "json"}) {
            const Ended e = diff({"a.jsonl", other, "--format", format});
            EXPECT_EQ(e.code, 0) << e.err;
            EXPECT_TRUE(holds(e.out, "5 of B's 5 records are A's own")) << format;
        }
    }
    put_two(1.01);
    EXPECT_FALSE(holds(diff({"a.jsonl", "b.jsonl"}).out, "A's own"));
    // A copy under other names.
    std::vector<Json> renamed = runs(real_record(), 1e-3);
    for (Json& record : renamed) record["run"]["id"] = record["run"]["id"].get<std::string>() + "x";
    keep("a.jsonl", runs(real_record(), 1e-3));
    keep("copy.jsonl", renamed);
    EXPECT_TRUE(holds(diff({"a.jsonl", "copy.jsonl"}).out, "5 of B's 5 records are A's own"));
    // A copy in another order, with other runs.
    std::vector<Json> some = runs(real_record(), 1e-3);
    keep("a.jsonl", some);
    std::ranges::reverse(some);
    some.push_back(lasting(some[0], 2e-3));
    some.back()["run"]["id"] = "another";
    keep("copy.jsonl", some);
    EXPECT_TRUE(holds(diff({"a.jsonl", "copy.jsonl"}).out, "5 of B's 6 records are A's own"));
    const std::string both = SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/run.jsonl";
    EXPECT_FALSE(holds(diff({both, both, "-d", "opencl", "-d", "cuda"}).out, "A's own"))
        << "two devices of it";
}

TEST_F(Diffs, WhatIsNoFileIsWrittenInPlace) {
    // A report must not replace a device file or a pipe.
    put_two(1);
    ASSERT_EQ(mkfifo("pipe.md", 0600), 0);
    const Ended alone = diff({"a.jsonl", "b.jsonl", "-o", "pipe.md"});
    EXPECT_EQ(alone.code, 2);
    EXPECT_TRUE(holds(alone.err, "The pipe pipe.md has no reader")) << alone.err;
    const int reader = open("pipe.md", O_RDWR | O_NONBLOCK);
    EXPECT_EQ(diff({"a.jsonl", "b.jsonl", "-o", "pipe.md"}).code, 0);
    EXPECT_TRUE(fs::is_fifo("pipe.md"));
    char first[64]{};
    EXPECT_GT(read(reader, first, sizeof first), 0);
    close(reader);
    fs::create_symlink("target.md", "link.md");
    put("target.md", "old");
    EXPECT_EQ(diff({"a.jsonl", "b.jsonl", "-o", "link.md"}).code, 0);
    EXPECT_TRUE(fs::is_symlink("link.md"));
    EXPECT_TRUE(holds(text_of("target.md"), "reduction"));
    const Ended full = diff({"a.jsonl", "b.jsonl", "--format", "md", "-o", "/dev/full"});
    EXPECT_EQ(full.code, 2);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Diffs, EveryExtensionIsAFormat) {
    put_two(1.25);
    const Ended e = diff({"a.jsonl", "b.jsonl", "-o", "new/r.txt", "-o", "new/r.md", "-o",
                          "new/r.html", "-o", "new/r.json", "-o", "new/r.xml"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_TRUE(holds(e.out, "b.jsonl is slower in 1 case: ")) << "the answer as well";
    EXPECT_FALSE(holds(e.out, "Same kernel?")) << e.out;
    EXPECT_TRUE(holds(e.err, "wrote new/r.html: 'parallax open new/r.html' shows it")) << e.err;
    const std::vector<std::pair<std::string, std::string>> expected{
        {"txt", "text"}, {"md", "md"}, {"html", "html"}, {"json", "json"}, {"xml", "junit"}};
    for (const auto& [extension, format] : expected) {
        const std::string file = text_of("new/r." + extension);
        // A case that no limit fails is no more than its name to CI.
        EXPECT_TRUE(holds(file, extension == "xml"    ? "<testcase"
                                : extension == "json" ? "SLOWER"
                                                      : "b.jsonl"))
            << extension;
        EXPECT_EQ(file, diff({"a.jsonl", "b.jsonl", "--format", format}).out) << extension;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator("new"), fs::directory_iterator()), 5);
    EXPECT_EQ(diff({"a.jsonl", "b.jsonl", "--format", "md", "-o", "new/other"}).code, 0);
    EXPECT_EQ(text_of("new/other"), text_of("new/r.md"));
}

TEST_F(Diffs, TheFormatIsThatOfStandardOutput) {
    put_two(1);
    const Ended e = diff({"a.jsonl", "b.jsonl", "--format", "json", "-o", "r.md"});
    EXPECT_TRUE(Json::accept(e.out)) << e.out;
    EXPECT_FALSE(Json::accept(text_of("r.md")));
}

TEST_F(Diffs, CommittedResultsInEveryFormat) {
    for (const std::string& format : formats) {
        const Ended e = diff({committed, "--format", format});
        EXPECT_EQ(e.code, 0) << format << e.err;
        EXPECT_EQ(e.err, "");
        EXPECT_TRUE(holds(e.out, "transpose")) << format;
        EXPECT_EQ(e.out.find('\033'), std::string::npos) << "no colours but on a terminal";
    }
    const Json report = json({committed});
    EXPECT_EQ(report["schema"], "parallax.diff");
    const std::vector<Json> records = json_results(committed).records;
    const auto cases = static_cast<std::size_t>(std::ranges::count_if(
        records, [](const Json& r) { return r["device"] == "cuda:0" && r["suite"] != "ceiling"; }));
    EXPECT_EQ(report["cases"].size(), cases);
    EXPECT_EQ(report["live"], false);
    EXPECT_TRUE(report["a"]["name"].get<std::string>().starts_with("opencl:"));
    EXPECT_EQ(report["b"]["name"], "cuda:0");
    std::size_t sum = 0;
    for (const auto& [word, count] : report["summary"]["counts"].items()) {
        sum += count.get<std::size_t>();
    }
    EXPECT_EQ(sum, cases);
    const Json turned = json({committed, "-d", "cuda:0", "-d", "opencl"});
    EXPECT_EQ(turned["a"]["name"], "cuda:0");
    const double one = report["cases"].at(0)["ratio"]["value"];
    EXPECT_NEAR(one * turned["cases"].at(0)["ratio"]["value"].get<double>(), 1, 1e-9);
}

TEST_F(Diffs, OneFileOfARunIsComparedWithItsBaseline) {
    put_two(1.25);
    EXPECT_EQ(diff(Words{"b.jsonl", "--baseline", "a.jsonl"} + decision).code, 3);
    EXPECT_EQ(diff(Words{"a.jsonl", "--baseline", "b.jsonl"} + decision).code, 0);
}

}  // namespace
}  // namespace parallax::cli::diff_test

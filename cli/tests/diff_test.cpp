// `parallax diff`: what it says, where, and how it ends.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/arguments.hpp"
#include "cli/tests/command_line.hpp"
#include "common/record.hpp"
#include "common/results.hpp"
#include "common/tests/fake_device.hpp"

namespace parallax::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

const std::string committed = std::string(RESULTS_FOLDER) + "/nvidia-h100-80gb-hbm3/run.jsonl";
const Words formats{"text", "md", "html", "json", "junit"};

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

Words operator+(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// Files made of a real record whose times, runs and names are changed.
class Diffs : public CommandLine {
protected:
    /// reduction/vector on `backend`, as it was measured.
    static Json real_record(const std::string& backend = "opencl") {
        static const ResultFile file = read_results(committed);
        const auto found = std::ranges::find_if(file.records, [&](const Json& record) {
            return record["suite"] == "reduction" && record["variant"] == "vector" &&
                   record["where"]["backend"] == backend;
        });
        return *found;
    }
    /// As if its median had been so many seconds.
    static Json lasting(Json record, double seconds) {
        Json& timing = record["timing"];
        const double scale = seconds / timing["median"].get<double>();
        for (const char* name : {"median", "low", "high"}) {
            timing[name] = timing[name].get<double>() * scale;
        }
        for (const char* name : {"samples", "host_samples"}) {
            for (Json& sample : timing[name]) sample = sample.get<double>() * scale;
        }
        return record;
    }
    static Json not_ok(Json record, const std::string& status) {
        record["status"] = status;
        record["reason"] = "It is so.";
        record.erase("timing");
        return record;
    }
    /// So many runs of the record, whose times scatter by `spread`.
    static std::vector<Json> runs(const Json& record, double seconds, double spread = 0.001,
                                  int count = 5) {
        std::vector<Json> all;
        for (int i = 0; i < count; ++i) {
            Json one = lasting(record, seconds * (1 + spread * (i - count / 2)));
            one["run"]["id"] = fmt::format("run-{}", i);
            all.push_back(std::move(one));
        }
        return all;
    }
    static void keep(const std::string& name, const std::vector<Json>& records) {
        std::ofstream file(name);
        for (const Json& record : records) file << record.dump() << "\n";
    }
    static void put(const std::string& name, const std::string& text) {
        std::ofstream(name, std::ios::binary) << text;
    }
    /// a.jsonl, and b.jsonl whose times are `ratio` of a's.
    static void put_two(double ratio, double spread = 0.001) {
        keep("a.jsonl", runs(real_record(), 1e-3, spread));
        keep("b.jsonl", runs(real_record(), 1e-3 * ratio, spread));
    }
    static Ended diff(const Words& words) { return run(Words{"diff"} + words); }
    /// Of a.jsonl and b.jsonl.
    static int code(const Words& words = {}) {
        const Ended e = diff(Words{"a.jsonl", "b.jsonl"} + words);
        EXPECT_EQ(e.err, "");
        return e.code;
    }
    static Json json(const Words& words) {
        const Ended e = diff(words + Words{"--format", "json"});
        EXPECT_TRUE(Json::accept(e.out)) << e.out << e.err;
        return Json::accept(e.out) ? Json::parse(e.out) : Json();
    }
    static std::string only_verdict() {
        const Json report = json({"a.jsonl", "b.jsonl"});
        EXPECT_EQ(report["cases"].size(), 1u);
        return report["cases"][0]["verdict"];
    }
    static const Words decision;
};
const Words Diffs::decision{"--max-slowdown", "5%"};

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

TEST_F(Diffs, UndecidedIsFourWhereADecisionWasAskedFor) {
    put_two(1.05, 0.1);
    EXPECT_EQ(only_verdict(), "UNDECIDED");
    EXPECT_EQ(code(), 0);
    EXPECT_EQ(code(decision), 4);
    EXPECT_EQ(code({"--max-slowdown", "500%"}), 0) << "beyond what it could be";
}

TEST_F(Diffs, WrongIsOne) {
    keep("a.jsonl", runs(real_record(), 1e-3));
    for (const char* status : {"wrong", "failed"}) {
        keep("b.jsonl", {not_ok(real_record(), status)});
        EXPECT_EQ(only_verdict(), "WRONG");
        EXPECT_EQ(code(), 1);
        EXPECT_EQ(code(decision), 1);
    }
    const Json report = json({"a.jsonl", "b.jsonl"});
    EXPECT_TRUE(report["cases"][0]["ratio"].is_null()) << "no speed of what failed";
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
    EXPECT_TRUE(holds(e.out, "Side B has no such case")) << e.out;
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
    EXPECT_TRUE(holds(diff({"a.jsonl", "b.jsonl"}).out, "kernel text")) << "the reason";
    Json old = opencl;
    old["program"]["source_hash"] = "another";
    keep("b.jsonl", runs(old, 1e-3));
    EXPECT_EQ(only_verdict(), "SAME") << "old and new of one backend are what is compared";
    EXPECT_TRUE(holds(diff({"a.jsonl", "b.jsonl"}).out, "kernel text")) << "and it is said";
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

TEST_F(Diffs, OneRunASideSaysWhatItCouldSee) {
    keep("a.jsonl", {real_record()});
    keep("b.jsonl", {lasting(real_record(), 2e-3)});
    const Json one = json({"a.jsonl", "b.jsonl"})["cases"][0];
    EXPECT_EQ(one["ratio"]["basis"], "rounds of one run");
    EXPECT_GT(one["least_visible"].get<double>(), 1);
    EXPECT_TRUE(holds(one["reason"].get<std::string>(), "would not be called one"));
    put_two(1.1);
    const Json five = json({"a.jsonl", "b.jsonl"})["cases"][0];
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
    EXPECT_TRUE(holds(e.err, "reduction/vector float 268435456 ")) << e.err;
    EXPECT_EQ(diff({"a.jsonl", "a.jsonl", "-s", "transpose"}).code, 5);
}

TEST_F(Diffs, CasesAreChosen) {
    put_two(1);
    EXPECT_EQ(code({"-s", "reduction/vector"}), 0);
    EXPECT_EQ(code({"-n", "2^28", "--type", "float"}), 0);
    EXPECT_EQ(diff({"a.jsonl", "b.jsonl", "-n", "2^20"}).code, 5);
    EXPECT_EQ(diff({"a.jsonl", "b.jsonl", "--type", "int"}).code, 5);
    EXPECT_EQ(code({"-d", "opencl"}), 0);
    expect_usage({"diff", "a.jsonl", "b.jsonl", "-d", "cuda"}, "names no device");
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
    expect_usage(two + Words{"--margin=-5%"}, "--margin");
    expect_usage(two + Words{"--max-slowdown=-5%"}, "--max-slowdown");
    expect_usage(two + Words{"--margin", "0"}, "--margin");
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
    expect_usage({"diff", "metal", "metal"}, "names no device");
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

TEST_F(Diffs, WhatIsNoFileIsWrittenInPlace) {
    // A report moved over a device file or a pipe would take it away from everybody.
    put_two(1);
    ASSERT_EQ(mkfifo("pipe.md", 0600), 0);
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
    EXPECT_TRUE(holds(e.out, "SLOWER")) << "the text as well";
    const std::vector<std::pair<std::string, std::string>> expected{
        {"txt", "text"}, {"md", "md"}, {"html", "html"}, {"json", "json"}, {"xml", "junit"}};
    for (const auto& [extension, format] : expected) {
        const std::string file = text_of("new/r." + extension);
        EXPECT_TRUE(holds(file, "SLOWER")) << extension;
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
    const std::vector<Json> records = read_results(committed).records;
    const auto cases = static_cast<std::size_t>(std::ranges::count_if(
        records, [](const Json& r) { return r["device"] == "cuda:0" && r["suite"] != "ceiling"; }));
    EXPECT_EQ(report["cases"].size(), cases);
    EXPECT_EQ(report["live"], false);
    EXPECT_EQ(report["a"]["name"], "opencl:1");
    EXPECT_EQ(report["b"]["name"], "cuda:0");
    std::size_t sum = 0;
    for (const auto& [word, count] : report["summary"]["counts"].items()) {
        sum += count.get<std::size_t>();
    }
    EXPECT_EQ(sum, cases);
    const Json turned = json({committed, "-d", "cuda:0", "-d", "opencl"});
    EXPECT_EQ(turned["a"]["name"], "cuda:0");
    const double one = report["cases"][0]["ratio"]["value"];
    EXPECT_NEAR(one * turned["cases"][0]["ratio"]["value"].get<double>(), 1, 1e-9);
}

TEST_F(Diffs, OneFileOfARunIsComparedWithItsBaseline) {
    put_two(1.25);
    EXPECT_EQ(diff(Words{"b.jsonl", "--baseline", "a.jsonl"} + decision).code, 3);
    EXPECT_EQ(diff(Words{"a.jsonl", "--baseline", "b.jsonl"} + decision).code, 0);
}

TEST_F(Diffs, HandEditedFilesAreTwo) {
    const Json good = real_record();
    keep("a.jsonl", {good});
    const auto refused = [&](const std::string& what, const auto& edit) {
        Json record = good;
        edit(record);
        keep("b.jsonl", {record});
        expect_usage({"diff", "a.jsonl", "b.jsonl"}, what);
        expect_usage({"diff", "b.jsonl", "a.jsonl"}, "b.jsonl:1");
    };
    refused("samples", [](Json& r) { r["timing"]["samples"][0] = -1.0; });
    refused("samples", [](Json& r) { r["timing"]["samples"].erase(0); });
    refused("samples", [](Json& r) { r["timing"]["samples"][0] = "0x7ff8000000000000"; });
    refused("median", [](Json& r) { r["timing"]["median"] = 1e-9; });
    refused("round", [](Json& r) { r["timing"]["round"][0] = 99; });
    refused("suite", [](Json& r) { r.erase("suite"); });
    refused("shape", [](Json& r) { r["shape"] = Json::array({-1}); });
    refused("version", [](Json& r) { r["version"] = 2; });
    refused("schema", [](Json& r) { r["schema"] = "somebody.else"; });
    refused("status", [](Json& r) { r["status"] = "splendid"; });
    keep("b.jsonl", {good, good});
    expect_usage({"diff", "a.jsonl", "b.jsonl"}, "twice");
}

TEST_F(Diffs, FilesThatAreNoneAreTwo) {
    keep("a.jsonl", {real_record()});
    const std::string line = real_record().dump();
    std::string nan = line;
    const std::size_t value = nan.find("\"median\":") + 9;
    nan.replace(value, nan.find(',', value) - value, "NaN");
    for (const std::string& text :
         {std::string(), std::string("\n\n"), std::string("hello\n"), std::string(1000, '\0'),
          std::string("\x7f"
                      "ELF\x02\x01\x01\0\0\0",
                      10),
          std::string("[]\n"), std::string("{}\n"), line.substr(0, line.size() / 2),
          "{\"suite\":\"x\"," + line.substr(1) + "\n", nan + "\n", std::string(100000, '[') + "\n",
          std::string(17 << 20, 'a') + "\n", line + "\n\xff\xfe\n"}) {
        put("b.jsonl", text);
        expect_usage({"diff", "a.jsonl", "b.jsonl"}, "b.jsonl");
        expect_usage({"diff", "b.jsonl"}, "b.jsonl");
    }
}

TEST_F(Diffs, ALineThatWasCutIsLeftOutAndSaid) {
    std::string text;
    for (const Json& record : runs(real_record(), 1e-3)) text += record.dump() + "\n";
    put("a.jsonl", text);
    put("b.jsonl", text + real_record().dump().substr(0, 500));
    for (const std::string& format : formats) {
        const Ended e = diff({"a.jsonl", "b.jsonl", "--format", format});
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_TRUE(holds(e.out, "broken line")) << format;
    }
}

/// All texts of a valid record that no program chooses.
Json hostile(Json record) {
    const std::string evil =
        "\x1b[2J\x1b]0;x\x07<script>alert(1)</script><img src=x onerror=alert(2)>"
        "\u009b31m\u202e|`]]>&\"'\r\n\u2028";
    record["suite"] = evil;
    record["variant"] = evil + "v";
    record["device"] = evil;
    record["where"]["name"] = record["where"]["driver"] = record["where"]["platform"] = evil;
    record["where"]["backend"] = "x" + evil;
    record["program"]["file"] = evil;
    record["program"]["options"] = Json::array({evil});
    record["notes"] = Json::array({evil});
    record["run"]["id"] = evil;
    record["launches"][0]["name"] = evil;
    record["check"]["output_hash"] = "00000000000000000000000000000000";
    record["constants"][evil.substr(0, 30)] = 1;
    return record;
}

/// Markdown without its blocks of code, in which nothing is read as a tag.
std::string outside_of_code(const std::string& markdown) {
    std::istringstream lines(markdown);
    std::string line, fence, rest;
    while (std::getline(lines, line)) {
        const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
        if (fence.empty() ? ticks >= 3 : line == fence) {
            fence = fence.empty() ? std::string(ticks, '`') : std::string();
        } else if (fence.empty()) {
            rest += line + "\n";
        }
    }
    EXPECT_EQ(fence, "") << "a block of code has no end";
    return rest;
}

/// Holds nothing that steers a terminal.
void expect_harmless(const std::string& text, const std::string& where) {
    for (const char* bad : {"\x1b", "\x07", "\u009b", "\u202e"}) {
        EXPECT_FALSE(holds(text, bad)) << where << ": " << testing::PrintToString(bad);
    }
}

/// Holds nothing that a browser takes for what a record says.
void expect_no_tags(const std::string& text, const std::string& where) {
    for (const char* bad : {"<script>alert(1)", "<img src=x"}) {
        EXPECT_FALSE(holds(text, bad)) << where << ": " << bad;
    }
}

TEST_F(Diffs, NamesFromAnywhereAreHarmlessEverywhere) {
    const Json one = hostile(real_record());
    Json failed = not_ok(one, "failed");
    failed["variant"] = "failing";
    failed["reason"] = one["suite"];
    failed["log"] = "```\n" + one["suite"].get<std::string>() + "\n````\n";
    Json other = one;
    other["where"]["driver"] = "\x1b[31mother<script>alert(1)</script>";
    other["where"]["backend"] = "other";
    keep("a.jsonl", {one, failed});
    keep("b.jsonl", {lasting(one, 1), failed});
    keep("c.jsonl", {other});
    for (const char* second : {"b.jsonl", "c.jsonl"}) {
        for (const std::string& format : formats) {
            const Ended e = diff({"a.jsonl", second, "--format", format, "--max-slowdown", "5%"});
            EXPECT_EQ(e.code, 1) << e.err;
            EXPECT_FALSE(e.out.empty());
            expect_harmless(e.out, format);
            const bool page = format != "json" && format != "text";
            if (page) expect_no_tags(format == "md" ? outside_of_code(e.out) : e.out, format);
            expect_harmless(e.err, "messages");
        }
    }
}

TEST_F(Diffs, NamesFromAnywhereAreHarmlessInMessages) {
    const Json one = hostile(real_record());
    Json other = one;
    other["shape"] = Json::array({3});
    keep("a.jsonl", {one});
    keep("b.jsonl", {other});
    keep("twice.jsonl", {one, one});
    const std::string evil_file = "e\x1b[2J.jsonl";
    keep(evil_file, {one});
    for (const Words& words :
         {Words{"a.jsonl", "b.jsonl"}, Words{"a.jsonl"}, Words{"a.jsonl", "b.jsonl", "-d", "cuda"},
          Words{"twice.jsonl", "b.jsonl"}, Words{evil_file}, Words{evil_file, "b.jsonl"},
          Words{"no\x1b[2J.jsonl", "b.jsonl"}, Words{"\x1b[2J", "cuda"}, Words{"\x1b[2J/x", "cuda"},
          Words{"a.jsonl", "a.jsonl", "--margin", "\x1b[2J"},
          Words{"a.jsonl", "a.jsonl", "-o", "\x1b[2J/x/"},
          Words{"a.jsonl", "a.jsonl", "--format", "\x1b[2J"}}) {
        const Ended e = diff(words);
        EXPECT_NE(e.code, 0);
        EXPECT_FALSE(e.err.empty());
        expect_harmless(e.err, words.back());
    }
}

TEST_F(Diffs, WithoutDevicesItIsFive) {
    for (const Words& words : {Words{"diff"}, Words{"diff", "--max-slowdown", "5%"}}) {
        const Ended e = run(words, {});
        EXPECT_EQ(e.code, 5);
        EXPECT_EQ(e.out, "");
        EXPECT_TRUE(holds(e.err, "two APIs")) << e.err;
    }
    EXPECT_FALSE(fs::exists("results"));
}

TEST_F(Diffs, OneDeviceThroughOneApiIsFive) {
    std::vector<std::unique_ptr<Backend>> on;
    on.push_back(std::make_unique<fake::FakeBackend>(std::make_shared<fake::Script>(), "one"));
    const Ended e = run({"diff"}, on);
    EXPECT_EQ(e.code, 5);
    EXPECT_TRUE(holds(e.err, "parallax diff one:0 one:0")) << e.err;
    EXPECT_TRUE(holds(e.err, "two APIs")) << e.err;
    const Ended half = run({"diff", "one:0"}, on);
    EXPECT_EQ(half.code, 2);
    EXPECT_TRUE(holds(half.err, "one side")) << half.err;
    EXPECT_EQ(run({"diff", "one:0", "one:7"}, on).code, 2);
    EXPECT_EQ(run({"diff", "one:0", "one:0", "-d", "one"}, on).code, 2);
}

/// On the device that is always there.
class LiveDiffs : public Diffs {
protected:
    void SetUp() override {
        if (!has_device()) GTEST_SKIP() << "no device";
    }
    static const Words tiny;
};
const Words LiveDiffs::tiny{"-s", "transpose/padded", "-n", "64x64", "--budget", "4"};

TEST_F(LiveDiffs, TwoRunsEndToEnd) {
    for (const char* file : {"a.jsonl", "b.jsonl"}) {
        ASSERT_EQ(run({"run", "-d", "opencl:0", "-s", "reduction/vector", "-n", "65536", "--seed",
                       "3", "-o", file})
                      .code,
                  0);
    }
    for (const std::string& format : formats) {
        const Ended e = diff({"a.jsonl", "b.jsonl", "--format", format});
        EXPECT_EQ(e.code, 0) << format << e.err;
        EXPECT_EQ(e.err, "");
        EXPECT_TRUE(holds(e.out, "reduction")) << format;
    }
    const Json report = json({"a.jsonl", "b.jsonl"});
    ASSERT_EQ(report["cases"].size(), 1u);
    EXPECT_EQ(report["cases"][0]["kernel"]["same"], true);
    EXPECT_EQ(report["cases"][0]["answer"]["identical"], true);
}

TEST_F(LiveDiffs, ADeviceAgainstItself) {
    const Ended e =
        diff(Words{"opencl:0", "opencl:0", "--data", "d.jsonl", "--format", "json", "--seed", "3"} +
             tiny);
    ASSERT_TRUE(e.code == 0) << e.code << e.err;
    EXPECT_TRUE(holds(e.err, "kept in d.jsonl")) << e.err;
    EXPECT_EQ(e.err.find('\r'), std::string::npos) << "no progress line but on a terminal";
    const Json live = Json::parse(e.out);
    ASSERT_EQ(live["cases"].size(), 1u);
    EXPECT_EQ(live["live"], true);
    EXPECT_EQ(live["self"].size(), 2u) << "each side against itself";
    EXPECT_EQ(live["cases"][0]["answer"]["identical"], true);
    EXPECT_EQ(live["cases"][0]["kernel"]["same"], true);
    EXPECT_GT(live["cases"][0]["ratio"]["units_a"].get<int>(), 4);

    const ResultFile file = read_results("d.jsonl");
    EXPECT_FALSE(file.cut_short);
    for (const Json& record : file.records) EXPECT_TRUE(problems_of(record).empty());
    const Json again = json({"d.jsonl"});
    EXPECT_EQ(again["cases"], live["cases"]) << "the same verdicts, to the last digit";
    EXPECT_EQ(again["self"], live["self"]);
    EXPECT_EQ(again["summary"], live["summary"]);
    EXPECT_EQ(again["live"], true);

    // A pair from which rounds were taken out.
    std::vector<Json> fewer;
    std::ifstream lines("d.jsonl");
    for (std::string line; std::getline(lines, line);) {
        fewer.push_back(Json::parse(line));
        if (!fewer.back().contains("rounds")) continue;
        Json& rounds = fewer.back()["rounds"];
        const int left = 4;  // and the first look is taken after five
        rounds.erase(rounds.begin() + left, rounds.end());
    }
    keep("fewer.jsonl", fewer);
    expect_usage({"diff", "fewer.jsonl"}, "rounds");

    // The two ratios are those of one device with itself: far from 10 times.
    const Words wide{"--baseline", "d.jsonl", "--max-slowdown", "1000%"};
    EXPECT_EQ(diff(Words{"d.jsonl"} + wide).code, 0);
    const Json judged = json(Words{"d.jsonl"} + wide);
    EXPECT_NEAR(judged["cases"][0]["against_baseline"]["value"].get<double>(), 1, 1e-9);
    EXPECT_EQ(judged["cases"][0]["decision"], "pass");
    EXPECT_EQ(judged["baseline"], "d.jsonl");
}

TEST_F(LiveDiffs, WhatCannotBeIsSaidBeforeAnythingIsMeasured) {
    const Words two{"diff", "opencl:0", "opencl:0"};
    expect_usage(two + tiny + Words{"--data", "/proc/nothing/x"}, "Cannot");
    expect_usage(two + tiny + Words{"--data", ""}, "--data names no file");
    expect_usage(two + tiny + Words{"-o", "/proc/nothing/x.md"}, "Cannot");
    expect_usage(two + tiny + Words{"--baseline", "nowhere.jsonl"}, "nowhere.jsonl");
    expect_usage(two + Words{"-s", "transpose/tiled", "-n", "0x5"}, "size of 0");
    expect_usage(two + Words{"-s", "transpose/tiled", "--kernels", "nowhere"}, "transpose.cl");
    expect_usage({"diff", "opencl:0"}, "one side");
    fs::create_directories("opencl");
    expect_usage({"diff", "opencl"}, "one side");
    expect_usage(two + Words{"-d", "opencl"}, "-d chooses");
    keep("one.jsonl", {real_record()});
    expect_usage(two + tiny + Words{"--baseline", "one.jsonl"}, "two sides");
    EXPECT_FALSE(fs::exists("results"));
}

TEST_F(LiveDiffs, AWrongKernelIsOneAndHasNoRatio) {
    std::string text = kernel_text("transpose.cl", {});
    const std::string from = "out[x * height + y + k]";
    text.replace(text.find(from), from.size(), "out[x * height + y]");
    fs::create_directories("k");
    put("k/transpose.cl", text);
    const Ended e =
        diff({"opencl:0", "opencl:0", "-s", "transpose/naive", "-n", "64x64", "--budget", "4",
              "--kernels", "k", "--data", "d.jsonl", "--format", "json"});
    EXPECT_EQ(e.code, 1) << e.err;
    const Json report = Json::parse(e.out);
    EXPECT_EQ(report["cases"][0]["verdict"], "WRONG");
    EXPECT_TRUE(report["cases"][0]["ratio"].is_null());
}

TEST_F(LiveDiffs, SelftestOfTheGateAlone) {
    const Ended e = run({"selftest", "-d", "opencl:0", "--trials", "0"});
    EXPECT_EQ(e.code, 0) << e.out << e.err;
    EXPECT_TRUE(holds(e.out, "planted errors")) << e.out;
    EXPECT_FALSE(holds(e.out, "missed:")) << e.out;
    EXPECT_FALSE(holds(e.out, "Against itself")) << e.out;
    expect_usage({"selftest", "--trials", "-1"}, "--trials");
    expect_usage({"selftest", "--margin", "0"}, "--margin");
    expect_usage({"selftest", "-d", "metal"}, "names no device");
}

/// Through the real program.
class DiffProgram : public LiveDiffs {
protected:
    void SetUp() override {
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
    }
    /// @param command  of the shell; $P is the program
    static int shell(const std::string& command) {
        const std::string all = fmt::format("P='{}'; {}", std::getenv("PARALLAX_PROGRAM"), command);
        const int status = std::system(all.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
};

TEST_F(DiffProgram, PipesAreFiles) {
    put_two(1.25);
    EXPECT_EQ(shell("$P diff a.jsonl /dev/stdin --max-slowdown 5% <b.jsonl >out 2>err"), 3);
    EXPECT_TRUE(holds(text_of("out"), "SLOWER"));
    EXPECT_EQ(text_of("err"), "");
    EXPECT_EQ(shell("cat b.jsonl | $P diff a.jsonl /dev/stdin --max-slowdown 5% >out"), 3);
    EXPECT_EQ(shell("$P diff a.jsonl /dev/null >out 2>err"), 2);
    EXPECT_TRUE(holds(text_of("err"), "/dev/null holds no record"));
    EXPECT_EQ(shell("$P diff a.jsonl b.jsonl >/dev/full 2>err"), 2);
    EXPECT_TRUE(holds(text_of("err"), "standard output")) << text_of("err");
}

TEST_F(DiffProgram, CtrlCKeepsAndShowsWhatWasMeasured) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const std::string program = std::getenv("PARALLAX_PROGRAM");
    const pid_t child = fork();
    if (child == 0) {
        dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
        dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        execl(program.c_str(), program.c_str(), "diff", "opencl:0", "opencl:0", "-s", "transpose",
              "-n", "64x64", "-n", "32x32", "-n", "16x16", "-n", "48x48", "-n", "80x80", "--full",
              "--budget", "20", "--data", "cut.jsonl", nullptr);
        _exit(127);
    }
    const auto pairs = [] {
        std::size_t count = 0;
        const std::string text = text_of("cut.jsonl");
        for (std::size_t at = 0; (at = text.find("parallax.pair", at)) != std::string::npos; ++at) {
            ++count;
        }
        return count;
    };
    for (int i = 0; i < 6000 && pairs() < 1; ++i) usleep(10000);
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130) << text_of("err");
    EXPECT_TRUE(holds(text_of("err"), "Interrupted"));
    EXPECT_TRUE(holds(text_of("err"), "kept in cut.jsonl")) << text_of("err");
    EXPECT_TRUE(holds(text_of("out"), "transpose/")) << "what was measured is shown";
    EXPECT_TRUE(holds(text_of("out"), "nterrupted")) << "a part is not shown as the whole";
    EXPECT_FALSE(read_results("cut.jsonl").cut_short);
    EXPECT_FALSE(json({"cut.jsonl"})["cases"].empty());
}

}  // namespace
}  // namespace parallax::cli

// `parallax published`: which records stand beside which figures, and what is said where none is.
#include "suites/published.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/published_records.hpp"
#include "cli/tests/command_line.hpp"
#include "common/results.hpp"

namespace parallax::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// A record of a real run, to be altered.
Json record_of(const std::string& suite, const std::string& variant, const std::string& backend) {
    static const ResultFile file =
        read_results(fs::path(RESULTS_FOLDER) / "nvidia-h100-80gb-hbm3" / "run.jsonl");
    const auto found = std::ranges::find_if(file.records, [&](const Json& record) {
        return record["suite"] == suite && record["variant"] == variant &&
               record["where"]["backend"] == backend;
    });
    if (found == file.records.end()) throw std::runtime_error("no such record");
    return *found;
}

/// The same as if every batch had taken so long.
Json timed(Json record, double seconds) {
    Json& timing = record["timing"];
    for (const char* name : {"median", "low", "high"}) timing[name] = seconds;
    for (Json& sample : timing["samples"]) sample = seconds;
    return record;
}

Json naive(double seconds) {
    return timed(record_of("transpose", "naive", "opencl"), seconds);
}

class PublishedCommand : public CommandLine {
protected:
    void keep(const std::vector<Json>& records, const std::string& name = "a.jsonl") {
        ResultWriter writer(folder_ / "results" / "device" / name);
        for (const Json& record : records) {
            ASSERT_EQ(problems_of(record), std::vector<std::string>{});
            writer.add(record);
        }
    }
    /// Of the row of transposes.
    std::string shown(const std::string& format = "text") {
        const Ended e = run({"published", "transpose", "--format", format});
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_EQ(e.err, "");
        return e.out;
    }
};

TEST_F(PublishedCommand, RowsAreFoundByNameAndBySuite) {
    EXPECT_THAT(run({"published", "transpose"}).out, HasSubstr("30.3 GB/s"));
    const std::string all = run({"published"}).out;
    for (const PublishedRow& row : published_rows()) {
        EXPECT_THAT(all, HasSubstr(row.name + ": " + row.title));
        EXPECT_THAT(run({"published", row.name}).out, HasSubstr(row.commands.front()));
    }
    // A suite of several rows shows them all.
    const std::string ceiling = run({"published", "ceiling"}).out;
    EXPECT_THAT(ceiling, HasSubstr("141.6 GB/s"));
    EXPECT_THAT(ceiling, HasSubstr("transfer: "));
    EXPECT_THAT(ceiling, HasSubstr("clock: "));
    expect_usage({"published", "nothing"}, "transpose");
    expect_usage({"published", "--format", "html"}, "md");
    expect_usage({"published", "--results", "nowhere"}, "nowhere");
}

TEST_F(PublishedCommand, EveryRowsCommandsExist) {
    for (const PublishedRow& row : published_rows()) {
        for (const std::string& command : row.commands) {
            const std::string rest = command.substr(std::string("parallax ").size());
            const std::string word = rest.substr(0, rest.find(' '));
            EXPECT_TRUE(word == "--help" ||
                        std::ranges::find(commands(), word, &Command::name) != commands().end())
                << command;
        }
    }
}

TEST_F(PublishedCommand, WithoutRecordsItSaysHowToGetThem) {
    const Ended e = run({"published", "transpose"});
    EXPECT_EQ(e.code, 0);
    EXPECT_THAT(e.err, HasSubstr("There is no folder 'results'"));
    EXPECT_THAT(e.out, HasSubstr("1.1 GB/s"));
    EXPECT_THAT(e.out, HasSubstr("no record of it yet"));
    EXPECT_THAT(e.out, HasSubstr("parallax run -s transpose"));
    EXPECT_THAT(e.out, Not(HasSubstr("H100")));
}

TEST_F(PublishedCommand, StepsAreComparedThenAndNow) {
    keep({naive(12e-3), timed(record_of("transpose", "tiled", "opencl"), 3e-3),
          timed(record_of("transpose", "padded", "opencl"), 1e-3),
          record_of("transpose", "naive", "cuda")});
    const std::string text = shown();
    EXPECT_THAT(text, HasSubstr("24.8 GB/s  22.5x"));
    EXPECT_THAT(text, HasSubstr("12.0 ms, 44.7 GB/s, size 8192x8192\n"));
    EXPECT_THAT(text, HasSubstr("3.00 ms, 179 GB/s, size 8192x8192  4.00x"));
    EXPECT_THAT(text, HasSubstr("1.00 ms, 537 GB/s, size 8192x8192  3.00x"));
    EXPECT_THAT(text, HasSubstr("H100 80GB HBM3, cuda"));
    EXPECT_THAT(text, HasSubstr("Where a figure is missing"));
    const std::string page = shown("md");
    EXPECT_THAT(page, HasSubstr("| `naive` | 1.1 GB/s | 0.4 GB/s | 12.0 ms"));
    EXPECT_THAT(page, HasSubstr("3.00 ms, 179 GB/s, size 8192x8192 (4.00x) |  |"));
}

TEST_F(PublishedCommand, TheNewestRunOfOneSizeIsTaken) {
    Json old = naive(1e-3), newest = naive(2e-3), small = naive(4e-3);
    old["run"]["started"] = "2026-01-01T00:00:00Z";
    newest["run"]["started"] = "2026-01-03T00:00:00Z";
    small["run"]["started"] = "2026-01-04T00:00:00Z";
    small["shape"] = {64, 64};
    // Whatever the order in which they are read.
    keep({old}, "0.jsonl");
    keep({newest, small});
    keep({old}, "b.jsonl");
    EXPECT_THAT(shown(), HasSubstr("2.00 ms"));
    EXPECT_THAT(shown(), Not(HasSubstr("1.00 ms")));
}

TEST_F(PublishedCommand, TheSizeThatMostVariantsHaveIsTaken) {
    Json large = naive(9e-3);
    large["shape"] = {16384, 16384};
    keep({large, naive(2e-3), record_of("transpose", "tiled", "opencl")});
    EXPECT_THAT(shown(), HasSubstr("2.00 ms"));
    EXPECT_THAT(shown(), Not(HasSubstr("16384")));
}

TEST_F(PublishedCommand, SizesThatDifferAreNotCompared) {
    Json large = naive(9e-3);
    large["shape"] = {16384, 16384};
    keep({large, record_of("transpose", "tiled", "opencl")});
    EXPECT_THAT(shown(), HasSubstr("size 16384x16384"));
    EXPECT_THAT(shown("md"), HasSubstr("size 8192x8192 |"));
}

TEST_F(PublishedCommand, OtherKernelsAndTypesAreLeftOut) {
    Json edited = naive(1e-3), other_type = naive(3e-3);
    edited["program"]["edits"] = {"no barrier"};
    other_type["type"] = "double";
    keep({edited, other_type});
    EXPECT_THAT(shown(), HasSubstr("no record of it yet"));
}

TEST_F(PublishedCommand, UnusualConstantsGiveWayAndAreNamed) {
    Json unusual = naive(1e-3);
    unusual["run"]["started"] = "2030-01-01T00:00:00Z";
    unusual["constants"]["TILE"] = 16;
    keep({unusual});
    EXPECT_THAT(shown(), HasSubstr("1.00 ms, 537 GB/s, size 8192x8192, TILE=16"));
    keep({naive(2e-3)}, "b.jsonl");
    EXPECT_THAT(shown(), HasSubstr("2.00 ms, 268 GB/s, size 8192x8192\n"));
    EXPECT_THAT(shown(), Not(HasSubstr("TILE=16")));
}

TEST_F(PublishedCommand, ConstantsOfTheFigureAreRequired) {
    Json record = timed(record_of("strided_copy", "offset", "cuda"), 3e-3);
    record["constants"]["OFFSET"] = 1;
    Json from_start = timed(record, 2e-3);
    from_start["constants"]["OFFSET"] = 0;
    keep({record, from_start});
    const std::string text = run({"published", "strided_copy"}).out;
    EXPECT_THAT(text, HasSubstr("1.7 times slower than with OFFSET=0"));
    EXPECT_THAT(text, HasSubstr("1.50 times slower than with OFFSET=0"));
    // No record of another offset stands in for one that is missing.
    EXPECT_THAT(text, HasSubstr("\n    offset OFFSET=2\n"));
}

TEST_F(PublishedCommand, ReasonsAreShownAndHarmless) {
    Json record = record_of("reduction", "builtin", "cuda");
    record["where"]["name"] = "a|b\033[31m";
    keep({record});
    const Ended e = run({"published", "reduction", "--format", "md"});
    EXPECT_THAT(e.out, HasSubstr("a&#124;b&#92;x1b&#91;31m, cuda"));
    EXPECT_THAT(e.out, HasSubstr("unsupported. 'builtin' is a native variant"));
    EXPECT_EQ(e.out.find('\033'), std::string::npos);
    EXPECT_EQ(run({"published", "reduction"}).out.find('\033'), std::string::npos);
}

TEST_F(PublishedCommand, RunsReportSaysWhatWasPublished) {
    if (!has_device()) GTEST_SKIP() << "no device";
    const Ended e = run({"run", "-d", "opencl:0", "-s", "transpose/naive", "-n", "64x64", "--quiet",
                         "-o", "r.jsonl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, HasSubstr("Published: transpose: naive 1.1 GB/s on GeForce GTX 280"));
    EXPECT_THAT(e.out, Not(HasSubstr("padded 30.3")));
}

}  // namespace
}  // namespace parallax::cli

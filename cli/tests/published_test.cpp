// `parallax published`: which records stand beside which figures, and what is said where none is.
#include "studies/published/published.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "records/results.hpp"
#include "studies/published/published_records.hpp"
#include "studies/published/published_shapes.hpp"

namespace parallax::cli::published_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// A record of a real run, to be altered.
Json record_of(const std::string& suite, const std::string& variant, const std::string& backend) {
    static const ResultFile file =
        read_results(fs::path(SOURCE_ROOT "/results") / "nvidia-h100-80gb-hbm3" / "run.jsonl");
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
    const std::string all = run({"published", "all"}).out;
    for (const PublishedRow& row : published_rows()) {
        EXPECT_THAT(all, HasSubstr(row.name + ": " + row.title));
        EXPECT_THAT(run({"published", row.name}).out, HasSubstr(row.commands.front()));
        EXPECT_NE(row.name, "all");
    }
    // A suite of several rows shows them all.
    const std::string ceiling = run({"published", "ceiling"}).out;
    EXPECT_THAT(ceiling, HasSubstr("141.6 GB/s"));
    EXPECT_THAT(ceiling, HasSubstr("transfer: "));
    EXPECT_THAT(ceiling, HasSubstr("clock: "));
    expect_usage({"published", "nothing"}, "transpose");
    expect_usage({"published", "nothing"}, "'all'");
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
    EXPECT_THAT(text, HasSubstr("What has no record on NVIDIA H100 80GB HBM3 yet"));
    EXPECT_THAT(text, HasSubstr("-s transpose/tiled -s transpose/padded -d cuda:nvidia"));
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
    const std::string text = run({"published", "reduction"}).out;
    EXPECT_EQ(text.find('\033'), std::string::npos);
    // Nor does a name become more than a word of a command.
    EXPECT_THAT(text, HasSubstr(" -d cuda:a\n"));
}

/// A record of the ladder of products, made of one of another suite on the same device.
Json rung(const std::string& variant, int group, int transfers, double seconds) {
    Json record = timed(record_of("multiply", "naive", "cuda"), seconds);
    record["suite"] = "multiply_ladder";
    record["variant"] = variant;
    record["shape"] = {4096, 4096, 4096};
    record["constants"] = {{"GROUP", group}, {"ROWS", 1}, {"COLUMNS", 1}, {"ALIGN", 16}};
    if (transfers >= 0) record["constants"]["TRANSFERS"] = transfers;
    record["work"]["operations"] = 2.0 * 4096 * 4096 * 4096;
    return record;
}

TEST_F(PublishedCommand, ShapesAreJudgedByTheRecords) {
    keep({naive(12e-3), timed(record_of("transpose", "tiled", "opencl"), 11.9e-3),
          timed(record_of("transpose", "padded", "opencl"), 11e-3)});
    const std::string text = shown();
    EXPECT_THAT(text, HasSubstr("1.01x, gone\n"));
    EXPECT_THAT(text, HasSubstr("1.08x, kept, smaller\n"));
    EXPECT_THAT(text, HasSubstr("opencl: 1 kept, smaller; 1 gone."));
    EXPECT_THAT(text, HasSubstr("From the slowest to the fastest"));
    const std::string page = shown("md");
    EXPECT_THAT(page, HasSubstr("| `naive -> tiled` | 22.5x | 33.2x | 1.01x, gone |"));
    EXPECT_THAT(page, HasSubstr("opencl: **1 kept, smaller; 1 gone**"));
    // What is looked at then, and that it has not been.
    EXPECT_THAT(text, HasSubstr("    parallax run -s constant_memory -s bank_conflicts\n"));
    EXPECT_THAT(text, HasSubstr("opencl: some of it has no record yet"));
}

TEST_F(PublishedCommand, WhatIsKeptNeedsNoExperiment) {
    keep({naive(240e-3), timed(record_of("transpose", "tiled", "opencl"), 12e-3),
          timed(record_of("transpose", "padded", "opencl"), 10e-3)});
    EXPECT_THAT(shown(), HasSubstr("opencl: kept.\n"));
    EXPECT_THAT(shown(), Not(HasSubstr("constant_memory")));
}

TEST_F(PublishedCommand, StepsBetweenUnlikeRecordsAreNotJudged) {
    Json other = timed(record_of("transpose", "tiled", "opencl"), 3e-3);
    other["constants"]["TILE"] = 8;
    keep({naive(12e-3), other});
    EXPECT_THAT(shown(), HasSubstr("TILE=8"));
    EXPECT_THAT(shown(), Not(HasSubstr("opencl: kept")));
}

TEST_F(PublishedCommand, ExperimentsFiguresAreThoseOfTheRecords) {
    Json copy = timed(record_of("ceiling", "copy", "opencl"), 1);
    copy["work"]["bytes"] = 100e9;
    Json global = timed(record_of("stencil1d", "global", "opencl"), 1);
    global["work"]["bytes"] = 50e9;
    const Json staged = timed(record_of("stencil1d", "staged", "opencl"), 2);
    keep({copy, global, staged});
    const auto text = [&] { return run({"published", "stencil1d", "--format", "md"}).out; };
    EXPECT_THAT(text(), HasSubstr("asks for 200 GB/s"));
    EXPECT_THAT(text(),
                HasSubstr("a copy moves 100 GB/s: at least 50 % of it comes out of caches"));
    EXPECT_THAT(text(), HasSubstr("moves 50.0 GB/s, 50 % of what a copy moves"));
    // Where memory is fast enough, the figures do not speak of caches.
    copy["work"]["bytes"] = 1000e9;
    copy["run"]["started"] = "2030-01-01T00:00:00Z";
    keep({copy}, "b.jsonl");
    EXPECT_THAT(text(), HasSubstr("a copy moves 1000 GB/s: memory could deliver all of it"));
    EXPECT_THAT(text(), Not(HasSubstr("out of caches")));
}

TEST_F(PublishedCommand, TheLadderIsTheTableOfTheDocument) {
    // Of before there was TRANSFERS, without it, with it.
    keep({rung("plain", 32, -1, 0.1), rung("strip_of_c", 32, 0, 0.05),
          rung("strip_of_c", 32, 1, 0.2), rung("plain", 64, 1, 0.2)});
    // Of other circumstances: in no cell.
    Json unusual = rung("plain", 128, 0, 0.1);
    unusual["constants"]["ALIGN"] = 4;
    keep({unusual}, "b.jsonl");
    const std::string page = run({"published", "multiply_ladder", "--format", "md"}).out;
    EXPECT_THAT(page, HasSubstr("| version 1 (plain) | 23.3 / 24.2 | 26.0 / 27.0 | 24.5 / 25.3 | "
                                "24.9 / 25.9 |"));
    EXPECT_THAT(page, HasSubstr("| version 1 (plain) | - / 1374 | 687.2 / - | - | - |"));
    EXPECT_THAT(page, HasSubstr("| version 2 (strip_of_c) | 687.2 / 2749 | - | - | - |"));
    EXPECT_THAT(page, HasSubstr("2.00x, kept"));
    EXPECT_THAT(page, HasSubstr("parallax run -s multiply_ladder -n 4096x4096x4096 "
                                "--define GROUP=128 -d cuda:nvidia\n"));
    // What is measured already is not asked for again, and what was not published neither.
    EXPECT_THAT(page, HasSubstr("-s multiply_ladder/two_rows -s multiply_ladder/four_rows "
                                "-s multiply_ladder/two_columns -s multiply_ladder/four_columns "
                                "-n 4096x4096x4096 --define GROUP=32 -d cuda:nvidia\n"));
    EXPECT_THAT(page, HasSubstr("-s multiply_ladder/plain -s multiply_ladder/strip_of_c "
                                "-n 4096x4096x4096 --define GROUP=256 --define TRANSFERS=1 "
                                "-d cuda:nvidia\n"));
}

TEST_F(PublishedCommand, SizesOfThenAreNotAskedOfACpu) {
    Json record = naive(1e-3);
    record["where"]["name"] = "pthread-something";
    record["where"]["compute_capability"] = "unknown";
    keep({record});
    const std::string text = run({"published", "smoothing"}).out;
    EXPECT_THAT(text, HasSubstr("    parallax run -s smoothing -d opencl:pthread\n"));
}

TEST_F(PublishedCommand, OccupancyIsWorkedOut) {
    const std::string text = run({"published", "occupancy", "--format", "md"}).out;
    EXPECT_THAT(text, HasSubstr("12 of 24 warps, 50 %: kept"));
    EXPECT_THAT(text, Not(HasSubstr("not the same")));
}

TEST_F(PublishedCommand, ThePageBeginsWithWhatBecameOfEveryShape) {
    keep({naive(12e-3), timed(record_of("transpose", "tiled", "opencl"), 3e-3)});
    const std::string page = run({"published", "all", "--format", "md"}).out;
    EXPECT_THAT(page, HasSubstr("| transpose | kept, smaller; 1 not measured |"));
    EXPECT_LT(page.find("| transpose |"), page.find("## "));
    EXPECT_THAT(run({"published", "all"}).out,
                HasSubstr("    transpose  transpose  kept, smaller; 1 not measured\n"));
}

TEST_F(PublishedCommand, AloneItIsAnOverview) {
    keep({naive(12e-3), timed(record_of("transpose", "tiled", "opencl"), 3e-3)});
    const std::string text = run({"published"}).out;
    EXPECT_THAT(text, HasSubstr("    transpose  transpose  kept, smaller; 1 not measured\n"));
    EXPECT_THAT(text, HasSubstr("'parallax published ROW'"));
    EXPECT_THAT(text, HasSubstr("'all'"));
    const std::string page = run({"published", "--format", "md"}).out;
    EXPECT_THAT(page, HasSubstr("| transpose | kept, smaller; 1 not measured |"));
    EXPECT_THAT(page, HasSubstr("| `strided_copy` | Copy with an offset, copy with a stride | "
                                "offset; stride; vectors |"));
    for (const PublishedRow& row : published_rows()) {
        EXPECT_THAT(text, HasSubstr("    " + row.name + " "));
        EXPECT_THAT(text, HasSubstr(row.title));
    }
    // Figures and commands are for those who ask for a row.
    for (const std::string& overview : {text, page}) {
        EXPECT_THAT(overview, Not(HasSubstr("GB/s")));
        EXPECT_THAT(overview, Not(HasSubstr("parallax run")));
    }
}

// The committed records: every shape that is not kept has something to look at.
TEST(PublishedRecords, WhatIsNotKeptHasAnExperiment) {
    const TodaysRecords records(SOURCE_ROOT "/results");
    std::size_t not_kept = 0;
    for (const PublishedRow& row : published_rows()) {
        for (const ShapeView& shape : shapes_of(row, &records)) {
            if (std::ranges::all_of(shape.outcomes, &ShapeView::Outcome::is_kept)) continue;
            ++not_kept;
            EXPECT_TRUE(std::ranges::any_of(experiments(), [&](const Experiment& e) {
                return std::ranges::find(e.claims, shape.claim->name) != e.claims.end();
            })) << shape.claim->name;
        }
    }
    EXPECT_GT(not_kept, 0u);
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
}  // namespace parallax::cli::published_test

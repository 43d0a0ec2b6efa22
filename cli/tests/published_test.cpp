// Tests `parallax published`: records next to published results, and messages without records.
#include "studies/published/published.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "common/text/text_lines.hpp"
#include "records/results.hpp"
#include "report/published/published_report.hpp"

namespace parallax::cli::published_test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// A record of a real run, to be altered.
Json record_of(const std::string& suite, const std::string& variant, const std::string& backend) {
    static const JsonResults file =
        json_results(fs::path(SOURCE_ROOT "/results") / "nvidia-h100-80gb-hbm3" / "run.jsonl");
    const auto found = std::ranges::find_if(file.records, [&](const Json& record) {
        return record["suite"] == suite && record["variant"] == variant &&
               record["where"]["backend"] == backend;
    });
    if (found == file.records.end()) throw std::runtime_error("no such record");
    return *found;
}

/// The record with this duration of every batch.
Json timed(Json record, double seconds) {
    Json& timing = record["timing"];
    Json &rate = record["rate"], &ceiling = record["ceiling"];
    rate["gigabytes_per_second"] = record["work"]["bytes"].get<double>() / seconds / 1e9;
    rate["gigaoperations_per_second"] = record["work"]["operations"].get<double>() / seconds / 1e9;
    const bool is_copy = ceiling["of"] == "copy";
    ceiling["share"] =
        rate[is_copy ? "gigabytes_per_second" : "gigaoperations_per_second"].get<double>() /
        ceiling[is_copy ? "copy_gigabytes_per_second" : "fma_gigaoperations_per_second"]
            .get<double>();
    for (const char* name : {"median", "low", "high"}) timing[name] = seconds;
    timing["spread"] = 0;
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
            writer.add(read_line(record).line);
        }
    }
    /// The output for the row of transposes.
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
        EXPECT_THAT(all, HasSubstr(fmt::format("{}: {}", row.name, row.title)));
        EXPECT_THAT(run({"published", row.name}).out, HasSubstr(row.commands.front()));
        EXPECT_NE(row.name, "all");
        for (const std::string& command : row.commands) {
            const std::string word = command.substr(9, command.find(' ', 9) - 9);
            EXPECT_TRUE(word == "--help" ||
                        std::ranges::find(commands(), word, &Command::name) != commands().end())
                << command;
        }
    }
    // A suite of several rows shows them all.
    const std::string ceiling = run({"published", "ceiling"}).out;
    EXPECT_THAT(ceiling, HasSubstr("141.6 GB/s"));
    EXPECT_THAT(ceiling, HasSubstr("transfer: "));
    EXPECT_THAT(ceiling, HasSubstr("clock: "));
    expect_usage({"published", "nothing"}, "transpose");
    expect_usage({"published", "nothing"}, "'all'");
    expect_usage({"published", "--format", "html"}, "md, json");
    expect_usage({"published", "--results", "nowhere"}, "nowhere");
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

TEST(PublishedReport, IsNoWiderThanTheTerminal) {
    const Today today(records_of_devices((fs::path(SOURCE_ROOT) / "results").string()));
    std::vector<ThenAndNow> views;
    for (const PublishedRow& row : published_rows()) views.push_back(then_and_now(row, today));
    for (const std::string& text : {published_page(views, true, PublishedFormat::text, 80),
                                    published_overview(views, PublishedFormat::text, 80)}) {
        std::size_t figures = 0;
        for (const std::string_view line : lines_of(text)) {
            figures += line.find("NVIDIA H100") != line.npos;
            // A command stays on one line, so that it can be copied.
            if (line.starts_with("    parallax ")) continue;
            EXPECT_LE(line.size(), 80u) << line;
        }
        EXPECT_GT(figures, 0u);
    }
}

TEST_F(PublishedCommand, ThenAndNowStandInOneTable) {
    keep({naive(12e-3), timed(record_of("transpose", "tiled", "opencl"), 3e-3),
          timed(record_of("transpose", "padded", "opencl"), 2.9e-3),
          record_of("transpose", "naive", "cuda")});
    const std::string text = shown();
    EXPECT_THAT(text, ContainsRegex("GeForce GTX 280, published +24.8 GB/s +22.5x\n"));
    EXPECT_THAT(text, ContainsRegex("opencl +12.0 ms, 11.2 GB/s, size 4096x4096\n"));
    EXPECT_THAT(text,
                ContainsRegex("opencl +3.00 ms, 44.7 GB/s, size 4096x4096 +4.00x +smaller\n"));
    EXPECT_THAT(text, ContainsRegex("size 4096x4096 +1.03x +gone\n"));
    const std::string page = shown("md");
    EXPECT_THAT(page, HasSubstr("| then: GeForce GTX 280 | then: Quadro FX 5600 | "
                                "now: NVIDIA H100 80GB HBM3, opencl | "
                                "now: NVIDIA H100 80GB HBM3, cuda | kept? |"));
    EXPECT_THAT(page, HasSubstr("| transpose | `naive` | 1.1 GB/s | 0.4 GB/s | 12.0 ms"));
    EXPECT_THAT(page, HasSubstr("|  | `naive -> tiled` | 24.8 GB/s (22.5x) | 13.3 GB/s (33.2x) | "
                                "3.00 ms, 44.7 GB/s, size 4096x4096 (4.00x) |  | smaller / - |"));
    const Json json = Json::parse(shown("json"));
    const Json& line = json.at("rows").at(0).at("lines").at(1);
    EXPECT_EQ(line["what"], "naive -> tiled");
    EXPECT_EQ(line.at("then").at(0).at("figure"), "24.8 GB/s");
    EXPECT_EQ(line.at("now").at(0).at("backend"), "opencl");
    EXPECT_EQ(line.at("now").at(0).at("kept"), "smaller");
    EXPECT_FALSE(line.at("now").at(1).contains("kept"));
}

TEST_F(PublishedCommand, TheNewestRunOfOneSizeIsTaken) {
    Json old = naive(1e-3), newest = naive(2e-3), small = naive(4e-3);
    old["run"]["started"] = "2026-01-01T00:00:00Z";
    newest["run"]["started"] = "2026-01-03T00:00:00Z";
    small["run"]["started"] = "2026-01-04T00:00:00Z";
    small["shape"] = {64, 64};
    // Independent of the order in which they are read.
    keep({old}, "0.jsonl");
    keep({newest, small});
    keep({old}, "b.jsonl");
    EXPECT_THAT(shown(), HasSubstr("2.00 ms"));
    EXPECT_THAT(shown(), Not(HasSubstr("1.00 ms")));
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
    EXPECT_THAT(shown(), HasSubstr("1.00 ms, 134 GB/s, size 4096x4096, TILE=16"));
    keep({naive(2e-3)}, "b.jsonl");
    EXPECT_THAT(shown(), HasSubstr("2.00 ms, 67.1 GB/s, size 4096x4096\n"));
    EXPECT_THAT(shown(), Not(HasSubstr("TILE=16")));
}

TEST_F(PublishedCommand, ReasonsAreShownAndHarmless) {
    Json record = record_of("reduction", "builtin", "cuda");
    record["variant"] = "warp";
    record["where"]["name"] = "a|b\033[31m";
    keep({record});
    const Ended e = run({"published", "reduction", "--format", "md"});
    EXPECT_THAT(e.out, HasSubstr("a&#124;b&#92;x1b&#91;31m, cuda"));
    EXPECT_THAT(e.out, HasSubstr("unsupported. 'builtin' is a native variant"));
    for (const char* format : {"md", "text", "json"}) {
        for (const char* row : {"reduction", "all"}) {
            EXPECT_EQ(run({"published", row, "--format", format}).out.find('\033'),
                      std::string::npos);
        }
    }
}

/// A record of the ladder of matrix products, made from that of another suite.
Json rung(const std::string& variant, int group, int transfers, double seconds) {
    Json record = record_of("multiply", "naive", "cuda");
    record["suite"] = "multiply_ladder";
    record["variant"] = variant;
    record["shape"] = {4096, 4096, 4096};
    record["constants"] = {{"GROUP", group}, {"ROWS", 1}, {"COLUMNS", 1}, {"ALIGN", 16}};
    if (transfers >= 0) record["constants"]["TRANSFERS"] = transfers;
    record["work"]["operations"] = 2.0 * 4096 * 4096 * 4096;
    return timed(std::move(record), seconds);
}

TEST_F(PublishedCommand, TheLadderTellsTransfersFromKernels) {
    // Records from before TRANSFERS, without it, and with it.
    keep({rung("plain", 32, -1, 0.1), rung("strip_of_c", 32, 0, 0.05),
          rung("strip_of_c", 32, 1, 0.2), rung("plain", 64, 1, 0.2)});
    const std::string page = run({"published", "multiply_ladder", "--format", "md"}).out;
    EXPECT_THAT(page, HasSubstr("| ladder, groups of 32 | `plain GROUP=32 TRANSFERS=0 "
                                "4096x4096x4096` | 24.2 GFLOP/s | 100 ms, 1374 GFLOP/s |  |"));
    EXPECT_THAT(page, HasSubstr("|  | `plain -> strip_of_c` | 29.8 GFLOP/s (1.23x) | 50.0 ms, 2749 "
                                "GFLOP/s (2.00x) | kept |"));
    EXPECT_THAT(page, HasSubstr("`strip_of_c GROUP=32 TRANSFERS=1 4096x4096x4096` | 28.5 GFLOP/s | "
                                "200 ms, 687 GFLOP/s |"));
    EXPECT_THAT(page,
                HasSubstr("`plain GROUP=128 TRANSFERS=1 4096x4096x4096` | 24.5 GFLOP/s |  |"));
}

TEST_F(PublishedCommand, AloneItIsAnOverview) {
    keep({naive(12e-3), timed(record_of("transpose", "tiled", "opencl"), 3e-3)});
    const std::string text = run({"published"}).out;
    EXPECT_THAT(text, HasSubstr("\n  transpose  transpose  smaller; 2 not measured\n"));
    EXPECT_THAT(text, HasSubstr("'parallax published ROW'"));
    EXPECT_THAT(text, HasSubstr("'all'"));
    const std::string page = run({"published", "--format", "md"}).out;
    const std::string whole = run({"published", "all", "--format", "md"}).out;
    for (const std::string& one : {page, whole}) {
        EXPECT_THAT(one, HasSubstr("| `transpose` | transpose | smaller; 2 not measured |"));
    }
    EXPECT_LT(whole.find("| transpose |"), whole.find("## ")) << "the page begins with it";
    EXPECT_THAT(page, HasSubstr("| `strided_copy` | Copy with an offset, copy with a stride |"));
    for (const PublishedRow& row : published_rows()) {
        EXPECT_THAT(text, HasSubstr(fmt::format("\n  {} ", row.name)));
        EXPECT_THAT(text, HasSubstr(row.title));
    }
    // Results and commands are shown only for a selected row.
    for (const std::string& overview : {text, page}) {
        EXPECT_THAT(overview, Not(HasSubstr("GB/s")));
        EXPECT_THAT(overview, Not(HasSubstr("parallax run")));
    }
    const Json json = Json::parse(run({"published", "--format", "json"}).out);
    EXPECT_EQ(json["rows"].size(), published_rows().size());
}

}  // namespace
}  // namespace parallax::cli::published_test

// Tests closed standard streams: printed text must not get into a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::streams_test {
namespace {

using testing::HasSubstr;

class Streams : public CommandLine {
protected:
    void SetUp() override {
        if (!std::getenv("PARALLAX_PROGRAM")) GTEST_SKIP() << "PARALLAX_PROGRAM names no program";
        if (!has_device()) GTEST_SKIP() << "no device";
    }
    static int run_case(const std::string& streams) {
        return shell(
            "$P run -d opencl:0 -s transpose/padded -n 33x7 --check --budget 100000 -o "
            "kept.jsonl " +
            streams);
    }
    /// The file holds only records.
    static void expect_records() {
        JsonResults kept;
        EXPECT_NO_THROW(kept = json_results("kept.jsonl"));
        EXPECT_FALSE(kept.records.empty());
        EXPECT_FALSE(kept.cut_short);
    }
};

TEST_F(Streams, AClosedOutputIsAnError) {
    EXPECT_EQ(run_case(">&- 2>err"), 2);
    EXPECT_THAT(text_of("err"), HasSubstr("Cannot write to standard output"));
    EXPECT_THAT(text_of("err"), HasSubstr("kept in kept.jsonl"));
    expect_records();
}

TEST_F(Streams, AClosedErrorOutputTakesTheMessagesAlone) {
    EXPECT_EQ(run_case("2>&- >out"), 0);
    EXPECT_THAT(text_of("out"), HasSubstr("padded"));
    expect_records();
}

TEST_F(Streams, NoneOfThemIsNeededToKeepRecords) {
    EXPECT_EQ(run_case("<&- >&- 2>&-"), 2);
    expect_records();
}

}  // namespace
}  // namespace parallax::cli::streams_test

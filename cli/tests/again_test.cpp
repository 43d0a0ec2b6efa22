// Tests `run --again`: repeating a stored case, and every reason that prevents it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::again_test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class RunAgain : public CommandLine {
protected:
    /// The cases of a run on the host, which needs no other device.
    void SetUp() override {
        if (find_devices(small_backends()).entries.empty()) GTEST_SKIP() << "no host";
        for (const auto& [suite, size] :
             {std::pair{"transpose/naive", "33x17"}, std::pair{"strided_copy/copy", "100"}}) {
            const Ended made = run({"run", "-s", suite, "-n", size, "-d", "host:0", "--check",
                                    "--seed", "7", "-o", "then.jsonl", "--quiet"});
            ASSERT_EQ(made.code, 0) << made.err;
        }
    }

    /// The file with a member of each record changed.
    static void spoil(const std::function<void(Json&)>& change) {
        std::ofstream file("other.jsonl");
        for (Json record : json_results("then.jsonl").records) {
            change(record);
            file << record.dump() << "\n";
        }
    }
};

TEST_F(RunAgain, TheSameCaseGivesTheSameBits) {
    const Ended again = run({"run", "--again", "then.jsonl:transpose/naive", "-o", "now.jsonl"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.out, ContainsRegex("transpose/naive float 33x17.* on host:0:"));
    EXPECT_THAT(again.out, ContainsRegex("status +checked +checked"));
    EXPECT_THAT(again.out, ContainsRegex("answers +(\\w+) +\\w+: the same bits"));
    EXPECT_THAT(again.out, HasSubstr("Nothing else differs that a record knows of."));
    const JsonResults now = json_results("now.jsonl");
    ASSERT_EQ(now.records.size(), 1u);
    EXPECT_EQ(now.records[0]["shape"], Json({33, 17}));
    EXPECT_EQ(now.records[0]["run"]["seed"], 7);
}

TEST_F(RunAgain, AnotherDeviceIsTakenWhereItIsNamed) {
    if (!has_device()) GTEST_SKIP() << "no device but the host";
    const Ended again =
        run({"run", "--again", "then.jsonl:transpose", "-d", "opencl:0", "-o", "now.jsonl"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.out, ContainsRegex("entry +host:0 +opencl:0"));
    EXPECT_THAT(again.out, Not(HasSubstr("Nothing else")));
}

TEST_F(RunAgain, WhatDiffersIsSaid) {
    spoil([](Json& record) {
        record["where"]["compiler"] = "another one";
        record["program"]["source_hash"] = std::string(32, '0');
    });
    const Ended again =
        run({"run", "--again", "other.jsonl:transpose/naive", "-o", "now.jsonl", "--quiet"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.out, ContainsRegex("compiler +another one +"));
    EXPECT_THAT(again.out, ContainsRegex("text of the kernel +0{32} +[0-9a-f]{32}"));
}

TEST_F(RunAgain, WhatCannotBeRepeatedSaysWhy) {
    expect_usage({"run", "--again", "none.jsonl"}, "none.jsonl");
    expect_usage({"run", "--again", "then.jsonl"}, "then.jsonl has 2 cases");
    expect_usage({"run", "--again", "then.jsonl"}, "then.jsonl:CASE");
    expect_usage({"run", "--again", "then.jsonl:nope"}, "no record of 'nope'");
    expect_usage({"run", "--again", "then.jsonl:transpose", "-n", "4"}, "--size");
    expect_usage({"run", "--again", "then.jsonl:transpose", "--from", "then.jsonl"}, "--again");
    expect_usage({"run", "--again", "then.jsonl:transpose", "-o", "then.jsonl"}, "-o names");
    spoil([](Json& record) { record["where"]["name"] = "A device of long ago"; });
    expect_usage({"run", "--again", "other.jsonl:transpose"}, "A device of long ago");
    spoil([](Json& record) { record["suite"] = "mine"; });
    expect_usage({"run", "--again", "other.jsonl:mine/naive"}, "manifest");
    spoil([](Json& record) { record["variant"] = "gone"; });
    expect_usage({"run", "--again", "other.jsonl:transpose"}, "no variant gone");
    spoil([](Json& record) { record["type"] = "uchar"; });
    expect_usage({"run", "--again", "other.jsonl:transpose"}, "no type uchar");
    spoil([](Json& record) { record["program"]["edits"] = {"broken by lesson x"}; });
    expect_usage({"run", "--again", "other.jsonl:transpose"}, "changed on purpose");
}

}  // namespace
}  // namespace parallax::cli::again_test

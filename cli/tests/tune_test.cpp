// Tests `parallax tune` as a command, and its stored constants in `run` and `diff`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "records/tuned.hpp"

namespace parallax::cli::tune_test {
namespace {

using testing::HasSubstr;

class TuneCommand : public CommandLine {};

TEST_F(TuneCommand, BadWordsEndWithTwo) {
    expect_usage({"tune"}, "SUITE/VARIANT");
    expect_usage({"tune", "reduction"}, "SUITE/VARIANT");
    expect_usage({"tune", "reduction/items", "--over", "FROB=1"}, "neither a constant");
    expect_usage({"tune", "reduction/items", "--define", "FROB=1"}, "no constant 'FROB'");
    expect_usage({"tune", "reduction/items", "--over", "n=1024"}, "no constant");
    expect_usage({"tune", "stencil1d/staged", "--over", "RADIUS=1,2"}, "changes the answer");
    expect_usage({"tune", "functions/precise"}, "--over");
    expect_usage({"tune", "ceiling/copy"}, "cannot be swept or tuned");
    expect_usage({"tune", "reduction/items", "--trials", "0"}, "--trials");
    expect_usage({"tune", "reduction/items", "--strategy", "magic"}, "basin");
    expect_usage({"tune", "reduction/items", "--budget", "-1"}, "--budget");
    expect_usage({"tune", "reduction/items", "--format", "html"}, "json");
    expect_usage({"tune", "reduction/items", "-d", "metal"}, "names no device");
    expect_usage({"tune", "reduction/items", "--from", "no.jsonl"}, "no.jsonl");
    expect_usage({"tune", "reduction/items", "--keep", "."}, "folder");
}

TEST_F(TuneCommand, WithoutADeviceItIsFive) {
    const Ended e = run({"tune", "reduction/items", "--quiet"}, {});
    EXPECT_EQ(e.code, 5);
    EXPECT_THAT(e.err, HasSubstr("parallax doctor"));
}

TEST_F(TuneCommand, WhatHasNoConstantsSaysWhatToDo) {
    expect_usage({"tune", std::string(SOURCE_ROOT) + "/docs/examples/saxpy/saxpy.json/plain"},
                 "'worth'");
}

}  // namespace
}  // namespace parallax::cli::tune_test

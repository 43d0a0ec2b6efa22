// Reports of cases that a budget did not reach, with the command that runs them.
#include "report/left_out.hpp"

#include <gtest/gtest.h>

namespace parallax::left_out_test {
namespace {

CaseKey key(const char* suite, const char* variant) {
    CaseKey one;
    one.suite = suite;
    one.variant = variant;
    return one;
}

const std::vector<CaseKey> all{key("transpose", "naive"), key("transpose", "padded"),
                               key("reduction", "vector")};

TEST(LeftOut, NothingIsSaidOfNothing) {
    EXPECT_EQ(left_out_of({}, all, {"run"}).sentence, "");
}

TEST(LeftOut, TheCommandPicksThemInTheOrderOfTheSuites) {
    // Each once, whatever the number of devices; a report of before is not replaced.
    const LeftOut rest = left_out_of({all[1], all[2], all[1]}, {all[0], all[1], all[2], all[1]},
                                     {"diff", "cuda:0", "opencl:1", "-s", "transpose", "--budget=3",
                                      "-o", "a.md", "--data", "my file"});
    EXPECT_EQ(rest.sentence,
              "The budget had ended, and 2 of 3 cases were left out. This does the rest, at sizes "
              "that suit it:");
    EXPECT_EQ(rest.command,
              "parallax diff cuda:0 opencl:1 --data 'my file' -s reduction/vector -s "
              "transpose/padded");
}

TEST(LeftOut, OfASuiteThatNobodyKnowsALargerBudgetReachesIt) {
    const LeftOut rest = left_out_of({key("mine", "own")}, {key("mine", "own")}, {"run"});
    EXPECT_NE(rest.sentence.find("1 of 1 case was left out"), std::string::npos) << rest.sentence;
    EXPECT_NE(rest.sentence.find("larger --budget"), std::string::npos);
    EXPECT_EQ(rest.command, "");
}

}  // namespace
}  // namespace parallax::left_out_test

// Tests suggestions for mistyped words, and tables in little space.
#include "common/text/text.hpp"

#include <gtest/gtest.h>

namespace parallax::text_test {
namespace {

TEST(Text, AShareBeyondAPeakRateSaysSo) {
    EXPECT_EQ(beyond_text(1.02, true), "");
    EXPECT_EQ(beyond_text(3.31, true), " (cached)");
    EXPECT_EQ(beyond_text(3.31, false), " (beyond it)");
}

TEST(DidYouMean, TheOneThatIsASlipAway) {
    const std::vector<std::string> names{"run", "diff", "transpose", "reduction"};
    EXPECT_EQ(did_you_mean("rnu", names), " Did you mean 'run'?") << "two changed places";
    EXPECT_EQ(did_you_mean("dif", names), " Did you mean 'diff'?");
    EXPECT_EQ(did_you_mean("trnaspsoe", names), " Did you mean 'transpose'?");
}

TEST(DidYouMean, NothingWhereNothingIsNearOrTwoAre) {
    EXPECT_EQ(did_you_mean("explain", {"run", "diff"}), "");
    EXPECT_EQ(did_you_mean("rnn", {"run", "ran"}), "");
    EXPECT_EQ(did_you_mean("", {"run"}), "");
    EXPECT_EQ(did_you_mean(std::string(1 << 20, 'a'), {std::string(1 << 20, 'b')}), "");
}

TEST(Table, AWideOneWrapsTheWordsOfItsWidestColumns) {
    using enum Table::Align;
    Table table({left, right, left});
    table.add({"naive", "16", "work-items of a group, and its tiles", "left"});
    table.add({"tiled by rows", "4", "rows"});
    const std::string wide =
        "  naive          16  work-items of a group, and its tiles  left\n"
        "  tiled by rows   4  rows\n";
    EXPECT_EQ(table.text(2), wide);
    EXPECT_EQ(table.columns(2), 63U);
    EXPECT_EQ(table.text(2, 63), wide);
    EXPECT_EQ(table.text(2, 50),
              "  naive          16  work-items of a group,   left\n"
              "                     and its tiles\n"
              "  tiled by rows   4  rows\n");
    EXPECT_EQ(table.text(2, 29),
              "  naive  16  work-items  left\n"
              "             of a\n"
              "             group, and\n"
              "             its tiles\n"
              "  tiled   4  rows\n"
              "  by\n"
              "  rows\n")
        << "no column is narrower than its longest word";
}

}  // namespace
}  // namespace parallax::text_test

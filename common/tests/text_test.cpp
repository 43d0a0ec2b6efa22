// What somebody meant who slipped.
#include "common/text.hpp"

#include <gtest/gtest.h>

namespace parallax::text_test {
namespace {

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

}  // namespace
}  // namespace parallax::text_test

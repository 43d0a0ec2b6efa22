// The bar of a ratio: where 1, the margin, the interval and the value stand.
#include "report/diff/ratio_bar.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace parallax::report::ratio_bar_test {
namespace {

// Four margins reach to the end: a column is half a margin.
const RatioBar narrow(17, 0.02, {});

TEST(RatioBar, DrawsIntervalAndValue) {
    EXPECT_EQ(narrow.axis(), "0.924   1    1.08");
    EXPECT_EQ(narrow.text({.value = 1, .low = 0.96, .high = 1.04}), "    ├─┼─█─┼─┤    ");
    EXPECT_EQ(narrow.text({.value = 1, .low = 1, .high = 1}), "      ┊ █ ┊      ");
    EXPECT_EQ(narrow.text({.value = 1.05, .low = 1.04, .high = 1.06}), "      ┊ │ ┊ ├█┤  ");
}

TEST(RatioBar, IsSymmetric) {
    EXPECT_EQ(narrow.text({.value = 1 / 1.05, .low = 1 / 1.06, .high = 1 / 1.04}),
              "  ├█┤ ┊ │ ┊      ");
}

TEST(RatioBar, PointsAtWhatLiesBeyond) {
    EXPECT_EQ(narrow.text({.value = 9, .low = 8, .high = 10}), "      ┊ │ ┊     ►");
    EXPECT_EQ(narrow.text({.value = 0.1, .low = 0.09, .high = 0.11}), "◄     ┊ │ ┊      ");
    EXPECT_EQ(narrow.text({.value = 1, .low = 0.5, .high = 2}), "◄─────┼─█─┼─────►");
}

TEST(RatioBar, LeavesOutWhatIsNoRatio) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    for (const double value : {nan, inf, -inf, 0.0, -1.0}) {
        EXPECT_EQ(narrow.text({.value = value, .low = value, .high = value}), "      ┊ │ ┊      ");
        EXPECT_EQ(RatioBar(17, value, {{.value = value}}).axis().size(), 17);
    }
    EXPECT_EQ(RatioBar(17, nan, {}).text({}), "        █        ");
}

TEST(RatioBar, ReachesAsFarAsTheRatios) {
    EXPECT_EQ(RatioBar(17, 0.02, {{.value = 1.2}}).axis(), "0.833   1     1.2");
    // Not so far that the margin would vanish.
    const RatioBar far(17, 0.02, {{.value = 100}});
    EXPECT_EQ(far.text({.value = 1, .low = 1, .high = 1}), "       ┊█┊       ");
    EXPECT_EQ(far.text({.value = 1.021, .low = 1.021, .high = 1.021}), "       ┊│█       ");
    EXPECT_EQ(RatioBar(5, 0.5, {{.value = 3}}).text({.value = 1}), " ┊█┊ ");
}

}  // namespace
}  // namespace parallax::report::ratio_bar_test

// Tests the counts and the list of results.
#include "benchmarks/mutation/tally.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parallax::tally_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

Tried one(std::string suite, std::string name, End end, bool is_argued = false) {
    Tried tried{std::move(suite), {}, end, "toy:0", is_argued};
    tried.mutant.name = std::move(name);
    return tried;
}

const std::vector<Tried> all{one("a", "a1", End::wrong),       one("a", "a2", End::lived),
                             one("a", "a3", End::lived, true), one("a", "a4", End::not_built),
                             one("b", "b1", End::died),        one("b", "b2", End::refused),
                             one("b", "b3", End::same_code),   one("b", "b4", End::not_tried)};

TEST(Tally, ARowASuiteAndOneForAll) {
    const std::string table = table_of(all, false);
    EXPECT_THAT(table,
                MatchesRegex(".*\na +4 +0 +1 +0 +1 +0 +0 +1 +1\nb +4 +1 +0 +1 +0 +1 +1 +0 +0\n"
                             "all +8 +1 +1 +1 +1 +1 +1 +1 +1\n.*"));
    EXPECT_THAT(table,
                HasSubstr("3 of 4 that compile to another kernel were noticed, 1 are argued"));
    EXPECT_EQ(open_in(all, false), 1u);
}

TEST(Tally, TheGateAloneFindsLess) {
    EXPECT_THAT(table_of(all, true), HasSubstr("1 of 4 that compile to another kernel were noticed "
                                               "by verification, 1 are argued"));
    EXPECT_EQ(open_in(all, true), 3u);
}

TEST(Tally, TheListSaysHowEachEndedAndGivesTheNamesBack) {
    const std::string list = list_of(all);
    EXPECT_THAT(list, HasSubstr("wrong\ttoy:0\ta1\nlived\ttoy:0\ta2\nargued\ttoy:0\ta3\n"));
    EXPECT_THAT(list, Not(HasSubstr("b4")));
    EXPECT_THAT(names_in(list), ElementsAre("a1", "a2", "a3", "a4", "b1", "b2", "b3"));
    EXPECT_THAT(names_in("x: 'a' -> 'b' in: c\n"), ElementsAre("x: 'a' -> 'b' in: c"));
}

}  // namespace
}  // namespace parallax::tally_test

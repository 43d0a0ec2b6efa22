// Tests the order of comparisons that run round-robin.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/paired.hpp"

namespace parallax::interleave_test {
namespace {

/// The sequence of rounds, one letter for each.
std::string turns_of(const std::vector<unsigned>& rounds, const std::set<std::size_t>& calm = {}) {
    std::vector<unsigned> left = rounds;
    std::string taken;
    run_round_robin(
        rounds.size(), nullptr,
        [&](std::size_t i) {
            taken += static_cast<char>('a' + i);
            return --left[i] > 0;
        },
        [&](std::size_t i) { return !calm.contains(i); });
    return taken;
}

TEST(InTurn, ARoundOfEachUntilItHasEnded) {
    EXPECT_EQ(turns_of({3, 1, 2}), "abcaca");
    EXPECT_EQ(turns_of({2}), "aa");
    EXPECT_EQ(turns_of({}), "");
}

TEST(InTurn, ThoseThatTheHostDoesNotDisturbGoFirstWhereTheyAreEnough) {
    EXPECT_EQ(turns_of({2, 2, 2, 2, 2, 2, 2, 2}, {1, 3, 5, 7}), "abcdefghbdfhaceg");
    EXPECT_EQ(turns_of({2, 2, 2, 2, 2}, {1, 2, 3, 4}), "abcdeabcde") << "one would be alone";
    EXPECT_EQ(turns_of({2, 2, 2, 2, 2}, {0}), "abcdeabcde");
    EXPECT_EQ(turns_of({2, 2}, {0, 1}), "abab") << "all are";
}

TEST(InTurn, WhatATurnThrowsEndsAll) {
    std::string taken;
    EXPECT_THROW(run_round_robin(
                     3, nullptr,
                     [&](std::size_t i) {
                         taken += static_cast<char>('a' + i);
                         if (taken == "abcab") throw std::runtime_error("It failed.");
                         return true;
                     },
                     [](std::size_t) { return true; }),
                 std::runtime_error);
    EXPECT_EQ(taken, "abcab");
}

}  // namespace
}  // namespace parallax::interleave_test

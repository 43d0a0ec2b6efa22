// Strategies on scripted costs: the optimum found, the number of trials, and tolerated failures.
#include "studies/tune/search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parallax::search_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// A space without gaps, the last axis fastest.
SearchSpace grid_of(const std::vector<std::size_t>& sizes) {
    SearchSpace grid{.points = {{}}, .start = 0};
    for (const std::size_t size : sizes) {
        std::vector<std::vector<std::size_t>> points;
        for (const auto& point : grid.points) {
            for (std::size_t value = 0; value < size; ++value) {
                points.push_back(point);
                points.back().push_back(value);
            }
        }
        grid.points = std::move(points);
    }
    return grid;
}

using Place = std::vector<std::size_t>;
using Script = std::function<std::optional<double>(const Place&)>;

/// Costs that a test scripts, and a budget of a given number of trials.
class Scripted final : public Costs {
public:
    Scripted(const SearchSpace& grid, Script script, std::size_t budget = 1'000'000)
        : grid_(grid), script_(std::move(script)), budget_(budget) {}

    Cost of(std::size_t point) override {
        if (asked.size() == budget_) return {.has_ended = true};
        EXPECT_TRUE(asked.insert(point).second) << "asked twice for " << point;
        return {.has_ended = false, .value = script_(grid_.points[point])};
    }
    void expect(std::span<const std::size_t> points) override {
        for (const std::size_t point : points) told.insert(point);
    }

    std::set<std::size_t> asked, told;

private:
    const SearchSpace& grid_;
    Script script_;
    std::size_t budget_;
};

double distance(const Place& from, const Place& to) {
    double sum = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        sum += std::fabs(static_cast<double>(from[i]) - static_cast<double>(to[i]));
    }
    return sum;
}

/// One valley, with its bottom there.
Script valley(Place bottom) {
    return [bottom = std::move(bottom)](const Place& at) {
        return std::optional(1 + distance(at, bottom));
    };
}

TEST(TuneSearch, EachStrategyTriesAllWhereItMay) {
    const SearchSpace grid = grid_of({3, 4, 2});
    for (const Strategy strategy : {Strategy::basin, Strategy::random, Strategy::all}) {
        Scripted costs(grid, valley({2, 1, 1}));
        const Search found = search(grid, strategy, 100, 1, costs);
        EXPECT_EQ(found.end, Search::End::all) << name_of(strategy);
        EXPECT_THAT(found.tried, SizeIs(24)) << name_of(strategy);
        ASSERT_TRUE(found.best);
        EXPECT_THAT(grid.points.at(*found.best), ElementsAre(2, 1, 1)) << name_of(strategy);
    }
}

TEST(TuneSearch, StaysWithinTrialsAndBudget) {
    const SearchSpace grid = grid_of({5, 5, 5});
    for (const Strategy strategy : {Strategy::basin, Strategy::random, Strategy::all}) {
        Scripted costs(grid, valley({4, 4, 4}));
        const Search by_trials = search(grid, strategy, 10, 1, costs);
        EXPECT_EQ(by_trials.end, Search::End::trials);
        EXPECT_THAT(by_trials.tried, SizeIs(10));
        Scripted few(grid, valley({4, 4, 4}), 7);
        const Search by_budget = search(grid, strategy, 10, 1, few);
        EXPECT_EQ(by_budget.end, Search::End::budget);
        EXPECT_THAT(by_budget.tried, SizeIs(7));
    }
}

TEST(TuneSearch, BeginsWhereItIsTold) {
    SearchSpace grid = grid_of({4, 4});
    grid.start = 9;
    for (const Strategy strategy : {Strategy::basin, Strategy::random, Strategy::all}) {
        Scripted costs(grid, valley({0, 0}));
        EXPECT_EQ(search(grid, strategy, 3, 5, costs).tried.at(0), 9u) << name_of(strategy);
    }
}

TEST(TuneSearch, GoesDownAValleyInFewTrials) {
    const SearchSpace grid = grid_of({8, 8, 8, 8});
    Scripted costs(grid, valley({7, 7, 7, 7}));
    const Search found = search(grid, Strategy::basin, 200, 3, costs);
    EXPECT_THAT(grid.points.at(*found.best), ElementsAre(7, 7, 7, 7)) << "200 of 4096";
}

TEST(TuneSearch, LeavesAValleyThatIsNotTheDeepest) {
    const SearchSpace grid = grid_of({9, 9, 4});
    const Script two = [](const Place& at) {
        return std::optional(
            std::min(10 + distance(at, {0, 0, 0}), 1 + 3 * distance(at, {7, 6, 2})));
    };
    std::size_t deepest = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Scripted costs(grid, two);
        const Search found = search(grid, Strategy::basin, 120, seed, costs);
        deepest += grid.points.at(*found.best) == Place{7, 6, 2};
    }
    EXPECT_GE(deepest, 18u) << "it begins in the other one, and tries 120 of 324";
}

TEST(TuneSearch, TheSameSeedIsTheSameSearch) {
    const SearchSpace grid = grid_of({6, 6, 6});
    const auto tried = [&](Strategy strategy, std::uint64_t seed) {
        Scripted costs(grid, valley({5, 0, 3}));
        return search(grid, strategy, 60, seed, costs).tried;
    };
    for (const Strategy strategy : {Strategy::basin, Strategy::random}) {
        EXPECT_EQ(tried(strategy, 4), tried(strategy, 4));
        EXPECT_NE(tried(strategy, 4), tried(strategy, 5));
    }
}

TEST(TuneSearch, UselessPointsAreTrialsAndNeverTheBest) {
    const SearchSpace grid = grid_of({6, 6});
    const Script half = [](const Place& at) -> std::optional<double> {
        if ((at[0] + at[1]) % 2 == 0) return {};
        return 1 + distance(at, {5, 5});
    };
    Scripted costs(grid, half);
    const Search found = search(grid, Strategy::basin, 1000, 1, costs);
    EXPECT_THAT(found.tried, SizeIs(36));
    ASSERT_TRUE(found.best);
    EXPECT_EQ((grid.points.at(*found.best)[0] + grid.points.at(*found.best)[1]) % 2, 1u);
    Scripted nothing(grid, [](const Place&) -> std::optional<double> { return {}; });
    const Search none = search(grid, Strategy::basin, 1000, 1, nothing);
    EXPECT_FALSE(none.best);
    EXPECT_THAT(none.tried, SizeIs(36)) << "all of them, and no more";
}

TEST(TuneSearch, GapsAreSteppedOver) {
    SearchSpace grid = grid_of({9, 3});
    std::erase_if(grid.points, [](const Place& at) { return at[0] > 1 && at[0] < 7; });
    Scripted costs(grid, valley({8, 1}));
    const Search found = search(grid, Strategy::basin, 9, 2, costs);
    EXPECT_THAT(grid.points.at(*found.best), ElementsAre(8, 1));
}

TEST(TuneSearch, NoiseDoesNotKeepItForEver) {
    const SearchSpace grid = grid_of({10, 10, 3});
    const Script noisy = [](const Place& at) {
        const auto hash = (at[0] * 7919 + at[1] * 104729 + at[2] * 1299709) % 1000;
        return std::optional(10 + distance(at, {6, 3, 1}) + static_cast<double>(hash) / 300);
    };
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Scripted costs(grid, noisy);
        const Search found = search(grid, Strategy::basin, 100, seed, costs);
        EXPECT_THAT(found.tried, SizeIs(100));
        EXPECT_LT(distance(grid.points.at(*found.best), {6, 3, 1}), 6) << "of 16 at most";
    }
}

TEST(TuneSearch, WhatIsTriedNextIsToldBefore) {
    const SearchSpace grid = grid_of({6, 6, 6});
    Scripted costs(grid, valley({5, 5, 5}));
    const Search found = search(grid, Strategy::basin, 40, 1, costs);
    const auto told = std::ranges::count_if(
        found.tried, [&](std::size_t point) { return costs.told.contains(point); });
    EXPECT_GT(told, 30) << "all but where a descent begins";
}

TEST(TuneSearch, NothingToSearch) {
    const SearchSpace grid;
    Scripted costs(grid, valley({}));
    EXPECT_THAT(search(grid, Strategy::basin, 10, 1, costs).tried, SizeIs(0));
}

}  // namespace
}  // namespace parallax::search_test

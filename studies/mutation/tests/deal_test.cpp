// Tests processes that share work, and die at some of it.
#include "studies/mutation/deal.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::deal_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Deal : testing::Test {
    std::vector<std::string> deal_to(
        unsigned jobs, const std::vector<std::size_t>& places,
        const std::vector<std::string>& killing,
        std::optional<std::chrono::steady_clock::time_point> until = {}) {
        std::vector<std::string> words{SOURCE_ROOT "/studies/mutation/tests/worker.py", log};
        words.insert(words.end(), killing.begin(), killing.end());
        return deal("python3", words, places, jobs, until);
    }
    std::size_t processes() const { return lines_of(log); }
    std::size_t places_taken() const { return lines_of(log.string() + ".places"); }
    static std::size_t lines_of(const std::filesystem::path& path) {
        std::ifstream file(path);
        return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(file),
                                                   std::istreambuf_iterator<char>(), '\n'));
    }

    const TemporaryFolder folder{"parallax-deal-"};
    const std::filesystem::path log = folder.path() / "log";
};

TEST_F(Deal, ResultsAreInTheOrderOfPlacesAndNoneIsTakenTwice) {
    std::vector<std::size_t> places(5000);
    std::iota(places.begin(), places.end(), 1000);
    std::swap(places.front(), places.back());
    const auto results = deal_to(4, places, {});
    ASSERT_EQ(results.size(), places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        EXPECT_EQ(results[i], "result " + std::to_string(places[i] * places[i]));
    EXPECT_EQ(processes(), 4u);
    EXPECT_EQ(places_taken(), places.size());
}

TEST_F(Deal, OneThatDiesCostsItsPlaceAndIsStartedAgain) {
    EXPECT_THAT(deal_to(1, {3, 1, 4, 5, 9}, {"1", "9"}),
                ElementsAre("result 9", "died: a signal ended it", "result 16", "result 25",
                            "died: a signal ended it"));
    EXPECT_EQ(processes(), 5u) << "each was tried once more alone";
}

TEST_F(Deal, OneThatDiesOfWhatItDidBeforeIsTriedOnceMore) {
    EXPECT_THAT(deal_to(1, {3, 1, 4}, {"1=later"}),
                ElementsAre("result 9", "result 1", "result 16"));
    EXPECT_THAT(deal_to(1, {3, 5}, {"5=124"}), ElementsAre("result 9", "died: exit code 124"));
    EXPECT_EQ(places_taken(), 6u) << "what takes too long takes as long again";
}

TEST_F(Deal, NothingIsBegunWhenItIsStopped) {
    std::vector<std::size_t> places(200000);
    std::iota(places.begin(), places.end(), 1);
    const auto results =
        deal("python3", {SOURCE_ROOT "/studies/mutation/tests/worker.py", log}, places, 1, {},
             std::chrono::seconds(45), [&] { return places_taken() > 0; });
    EXPECT_EQ(results.front(), "result 1");
    EXPECT_EQ(results.back(), "");
}

TEST_F(Deal, OneThatGivesUpIsStartedAgainToo) {
    EXPECT_THAT(deal_to(2, {3, 1, 4}, {"3=1", "4=7"}),
                ElementsAre("died: it says why", "result 1", "died: exit code 7"));
}

TEST_F(Deal, NoMoreProcessesThanPlaces) {
    EXPECT_THAT(deal_to(8, {2}, {}), ElementsAre("result 4"));
    EXPECT_EQ(processes(), 1u);
    EXPECT_THAT(deal_to(8, {}, {}), ElementsAre());
}

TEST_F(Deal, WhatCannotBeDoneIsAnErrorAndNoDeath) {
    EXPECT_THROW(deal_to(2, {1, 2, 3}, {"2=2"}), Error);
    EXPECT_THAT(
        [&] {
            deal("python3", {"-c", "import sys; sys.exit('no such device')"},
                 std::vector<std::size_t>{1, 2}, 2);
        },
        ThrowsMessage<Error>(HasSubstr("no such device")));
    EXPECT_THROW(deal("no-such-program", {}, std::vector<std::size_t>{1}, 1), Error);
}

TEST_F(Deal, NothingIsBegunWhenTheTimeIsOver) {
    EXPECT_THAT(deal_to(2, {1, 2}, {}, std::chrono::steady_clock::time_point::min()),
                ElementsAre("", ""));
    EXPECT_THAT(deal_to(2, {1, 2}, {}, std::chrono::steady_clock::time_point::max()),
                ElementsAre("result 1", "result 4"));
}

TEST_F(Deal, WhatHangsIsGivenUpAndHasNoResult) {
    using std::chrono::steady_clock, std::chrono::milliseconds;
    // Independent of whether it has begun by then.
    EXPECT_THAT(deal("python3", {SOURCE_ROOT "/studies/mutation/tests/worker.py", log, "7=hang"},
                     std::vector<std::size_t>{7}, 1, steady_clock::now() + milliseconds(300),
                     milliseconds(0)),
                ElementsAre(""));
}

}  // namespace
}  // namespace parallax::deal_test

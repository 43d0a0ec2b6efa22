// Tests which stored records belong to a case, and which one represents it.
#include "records/result_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/suite/suite.hpp"

namespace parallax::result_store_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Record record(std::uint64_t size, const char* started, Status status = Status::ok) {
    return {.key = {"reduction", "items", "float", {size}},
            .status = status,
            .run = {.started = started}};
}

TEST(ResultStore, FindsACaseByWhatIsSaidOfIt) {
    ResultStore store;
    store.add(record(8, "1"));
    store.add(record(9, "1"));
    EXPECT_THAT(store.of({"reduction", "items"}), SizeIs(2));
    EXPECT_THAT(store.of({.suite = "reduction", .variant = "items", .shape = {9}}), SizeIs(1));
    EXPECT_THAT(store.of({"reduction", "items", "double"}), IsEmpty());
    EXPECT_THAT(store.of({"reduction", "vector"}), IsEmpty());
}

// A record from before its suite got a constant belongs to the case with the variant's default
// value.
TEST(ResultStore, AConstantThatCameLaterHadItsUsualValue) {
    const Suite& suite = suites().front();
    const Variant& variant = suite.variants.front();
    const CaseKey old{suite.name, variant.name, "int", {8}};
    CaseKey now = old;
    now.constants = constants_of(suite, variant, {});
    EXPECT_TRUE(is_case(old, now));
    EXPECT_TRUE(completed(old) == now);
    EXPECT_THAT(unusual_constants(now, old), IsEmpty());
    now.constants.front().value += 1;
    EXPECT_FALSE(is_case(old, now));
    EXPECT_THAT(unusual_constants(now, old), ElementsAre(now.constants.front()));
}

TEST(ResultStore, TheBestIsMeasuredThenOfTheSizeThenNew) {
    const Record failed = record(8, "4", Status::failed), large = record(9, "1"),
                 old = record(8, "2"), now = record(8, "3");
    const Records all{&failed, &now, &old, &large};
    const CaseKey wanted{.suite = "reduction", .variant = "items", .shape = {8}};
    EXPECT_EQ(chosen(all, SelectionPolicy::best, wanted), &now);
    EXPECT_EQ(chosen(all, SelectionPolicy::best), &large) << "any size: the largest";
    EXPECT_EQ(chosen({&failed}, SelectionPolicy::best), &failed);
    EXPECT_EQ(chosen({}, SelectionPolicy::best), nullptr);
}

TEST(ResultStore, AComparisonDoesNotLookAwayFromAnError) {
    const Record wrong = record(8, "1", Status::wrong), failed = record(8, "1", Status::failed),
                 one = record(8, "1"), other = record(8, "1");
    EXPECT_EQ(chosen({&one, &wrong, &failed, &other}, SelectionPolicy::worst), &wrong);
    EXPECT_EQ(chosen({&one, &other}, SelectionPolicy::worst), &other) << "the last";
}

TEST(ResultStore, TheCommonSizeIsThatOfMostCases) {
    const Record a = record(8, "1"), b = record(8, "1"), large = record(9, "1"),
                 failed = record(9, "1", Status::failed);
    EXPECT_THAT(common_size({{&a, &large}, {&b, &failed}}), ElementsAre(8));
    EXPECT_THAT(common_size({{&a, &large}}), ElementsAre(9));
    EXPECT_THAT(common_size({{&failed}}), IsEmpty());
}

}  // namespace
}  // namespace parallax::result_store_test

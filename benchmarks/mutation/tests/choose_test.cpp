// Parts of all mutants are even, and cases are those that launch what was changed.
#include "benchmarks/mutation/choose.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parallax::choose_test {
namespace {

TEST(Chosen, AreEachOnceAndEvenWhereverTheTimeEnds) {
    for (const std::size_t most : {0, 1, 7, 50, 99, 100, 1000}) {
        const std::vector<std::size_t> some = evenly(100, most);
        EXPECT_EQ(some.size(), std::min<std::size_t>(most, 100));
        EXPECT_EQ(std::set(some.begin(), some.end()).size(), some.size());
    }
    const std::vector<std::size_t> all = evenly(100, 100);
    EXPECT_TRUE(std::ranges::is_sorted(all.begin(), all.begin() + 25));
    EXPECT_EQ(all[24], 96u);
    EXPECT_EQ(evenly(100, 10)[1], 40u);
}

TEST(Chosen, ByChanceAreEachOnceAndTheSameForASeed) {
    for (const std::size_t most : {0, 1, 50, 100, 1000}) {
        const std::vector<std::size_t> some = by_chance(100, most, 7);
        EXPECT_EQ(some.size(), std::min<std::size_t>(most, 100));
        EXPECT_EQ(std::set(some.begin(), some.end()).size(), some.size());
        EXPECT_EQ(some, by_chance(100, most, 7));
    }
    EXPECT_NE(by_chance(100, 50, 7), by_chance(100, 50, 8));
    EXPECT_EQ(by_chance(0, 5, 1).size(), 0u);
}

Mutant in(const char* file, const char* function) {
    Mutant mutant;
    mutant.file = file;
    mutant.function = function;
    return mutant;
}

TEST(CasesFor, AreOfTheVariantsThatLaunchTheKernel) {
    const Suite& suite = suite_named("matvec");
    const std::vector<Case> cases = cases_for(suite, in("matvec.cl", "tree_interleaved"), {});
    std::set<ElementType> types;
    for (const Case& c : cases) {
        EXPECT_EQ(c.variant->name, "tree_interleaved");
        types.insert(c.type);
    }
    EXPECT_EQ(types.size(), suite.types.size());
}

TEST(CasesFor, AreAllWhereTheFunctionIsNoKernel) {
    const Suite& suite = suite_named("matvec");
    std::set<std::string> variants;
    for (const Case& c : cases_for(suite, in("matvec.cl", "part_of_row"), {}))
        variants.insert(c.variant->name);
    EXPECT_GT(variants.size(), 3u);
}

TEST(CasesFor, TakeEachChoiceOfAConstant) {
    const Suite& suite = suite_named("reduction");
    std::set<std::int64_t> operations;
    for (const Case& c : cases_for(suite, in("reduction.cl", "vector"), {}))
        operations.insert(c.constants.front().value);
    EXPECT_GT(operations.size(), 1u);
}

TEST(CasesFor, TakeConstantsAtTheirEnds) {
    std::set<std::int64_t> groups;
    for (const Case& c : cases_for(suite_named("reduction"), in("reduction.cl", "vector"), {}))
        groups.insert(c["GROUP"]);
    EXPECT_TRUE(groups.contains(2) && groups.contains(3) && groups.contains(1024));
    EXPECT_FALSE(groups.contains(1)) << "the suite refuses it";
}

TEST(CasesFor, TakeTheLargestConstantThatGoesWithGroupsAsTheyAreAndWithLargerOnes) {
    std::set<std::pair<std::int64_t, std::int64_t>> teams;
    for (const Case& c : cases_for(suite_named("matvec"), in("matvec.cl", "modern"), {}))
        teams.emplace(c["GROUP"], c["TEAM"]);
    EXPECT_TRUE(teams.contains({256, 256}) && teams.contains({1024, 1024}));
}

TEST(CasesFor, AreNoLargerThanTheGatesOnADeviceThatOnlyChecks) {
    const Suite& suite = suite_named("reduction");
    DeviceInfo info;
    EXPECT_NE(cases_for(suite, in("reduction.cl", "vector"), info).at(0).shape,
              suite.check_shapes.back());
    info.only_checks = true;
    EXPECT_EQ(cases_for(suite, in("reduction.cl", "vector"), info).at(0).shape,
              suite.check_shapes.back());
}

TEST(Mutants, OfAllSuitesAreOfEachTextOnce) {
    const std::vector<Tried> all = all_mutants();
    std::set<std::string> names;
    for (const Tried& one : all) EXPECT_TRUE(names.insert(one.mutant.name).second);
    EXPECT_GT(all.size(), 1000u);
}

}  // namespace
}  // namespace parallax::choose_test

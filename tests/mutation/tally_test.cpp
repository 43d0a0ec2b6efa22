// Tests the counts of results, and what is argued to be no error.
#include "tests/mutation/tally.hpp"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text/read_file.hpp"

namespace parallax::tally_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

Tried one(std::string suite, std::string name, End end) {
    Tried tried{.suite = std::move(suite), .mutant = {}, .end = end, .device = "toy:0"};
    tried.mutant.name = std::move(name);
    return tried;
}

std::vector<Tried> some() {
    return {one("a", "a1", End::wrong),     one("a", "a2", End::lived),
            one("a", "a3", End::lived),     one("a", "a4", End::not_built),
            one("b", "b1", End::died),      one("b", "b2", End::refused),
            one("b", "b3", End::same_code), one("b", "b4", End::not_tried)};
}

TEST(Tally, ARowASuiteAndOneForAll) {
    std::vector<Tried> all = some();
    EXPECT_TRUE(hold_against({"a3", "b3", "b4"}, all).empty());
    const std::string table = table_of(all);
    EXPECT_THAT(table, MatchesRegex(".*\na +0 +1 +0 +1 +1 +0 +0 +1\nb +1 +0 +1 +0 +0 +1 +1 +0\n"
                                    "all +1 +1 +1 +1 +1 +1 +1 +1\n.*"));
    EXPECT_THAT(table,
                HasSubstr("3 of 4 that compile to another kernel were noticed, 1 are argued"));
    EXPECT_EQ(std::ranges::count_if(all, is_open), 1);
}

TEST(Equivalents, AreComplainedOfWhereTheirMutantIsNoticedOrNone) {
    std::vector<Tried> all = some();
    EXPECT_THAT(hold_against({"a1", "a4", "b1", "b2"}, all),
                ElementsAre(HasSubstr("toy:0 says it is wrong: a1"), HasSubstr("not built: a4"),
                            HasSubstr("died: b1"), HasSubstr("refused: b2")));
    EXPECT_EQ(std::ranges::count_if(all, &Tried::is_argued), 0);
}

TEST(Equivalents, AreLongerArraysOfAGroup) {
    std::vector<Tried> all;
    for (const Mutant& mutant : mutants_of(
             "a.cl",
             "__kernel void f() {\n__local int x[4];\n__local int* y = x + 1;\ny[0] = 2;\n}"))
        all.push_back({.suite = "a", .mutant = mutant, .end = End::lived});
    EXPECT_TRUE(hold_against({}, all).empty());
    for (const Tried& one : all)
        EXPECT_EQ(one.is_argued, one.mutant.line == 2 && one.mutant.is == "5") << one.mutant.name;
    EXPECT_EQ(std::ranges::count_if(all, &Tried::is_argued), 1);
}

TEST(Equivalents, OfTheProgramAreAboutTheKernelsOfToday) {
    std::set<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(SOURCE_ROOT "/kernels")) {
        if (file.path().extension() != ".cl" && file.path().extension() != ".cu") continue;
        const std::string text = read_file(file.path(), 1 << 20);
        for (const Mutant& one : mutants_of(file.path().filename().string(), text))
            EXPECT_TRUE(names.insert(one.name).second) << one.name;
    }
    EXPECT_GT(names.size(), 1000u);
    EXPECT_GT(argued_mutants().size(), 100u);
    for (const std::string_view argued : argued_mutants())
        EXPECT_TRUE(names.contains(std::string(argued))) << argued;
}

}  // namespace
}  // namespace parallax::tally_test

// Tests that arguments are read, checked against results, and invalidated by changes.
#include "benchmarks/mutation/argued.hpp"

#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/read_file.hpp"

namespace parallax::argued_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

constexpr std::string_view kernel = R"(int half_of(int v) { return v / 2; }
__kernel void first(__global int* out) { out[0] = half_of(4) + 1; }
__kernel void second(__global int* out) { out[1] = half_of(6) + 3; }
)";

std::vector<Tried> tried(std::string_view text, End end) {
    std::vector<Tried> all;
    for (Mutant& one : mutants_of("toy.cl", text))
        all.push_back({"toy", std::move(one), end, "toy:0", false});
    return all;
}

/// The first mutant of a function.
std::string name_in(std::string_view text, std::string_view function) {
    for (const Mutant& one : mutants_of("toy.cl", text)) {
        if (one.function == function) return one.name;
    }
    return {};
}

std::string with(std::string text, std::string_view find, std::string_view replace) {
    return text.replace(text.find(find), find.size(), replace);
}

TEST(Equivalents, StandBelowTheirMutants) {
    const auto read = read_equivalents("# words\n\na b 'c'\n    Because\n\tof this.\n\nd\n  No.\n");
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].mutant, "a b 'c'");
    EXPECT_EQ(read[0].because, "Because of this.");
    EXPECT_EQ(read[1].mutant, "d");
    EXPECT_EQ(read[1].because, "No.");
}

TEST(Equivalents, AreNotMissingAndNotThereTwice) {
    const auto reading = [](std::string_view text) { return [=] { read_equivalents(text); }; };
    EXPECT_THAT(reading("a\nb\n  why\n"), ThrowsMessage<UsageError>(HasSubstr("Line 2")));
    EXPECT_THAT(reading("a\n  why\nb\n"), ThrowsMessage<UsageError>(HasSubstr("Line 4")));
    EXPECT_THAT(reading("  why\n"), ThrowsMessage<UsageError>(HasSubstr("Line 1")));
    EXPECT_THAT(reading("a\n  why\na\n  why\n"), ThrowsMessage<UsageError>(HasSubstr("before")));
}

TEST(Equivalents, CountForThoseThatLived) {
    std::vector<Tried> all = tried(kernel, End::lived);
    const std::string name = name_in(kernel, "first");
    EXPECT_THAT(hold_against(std::vector<Equivalent>{{name, "It is so."}}, all), IsEmpty());
    for (const Tried& one : all) EXPECT_EQ(one.is_argued, one.mutant.name == name);
}

TEST(Equivalents, AreComplainedOfWhereTheirMutantIsNoticedOrNone) {
    const std::vector<Equivalent> arguments{{name_in(kernel, "first"), "It is so."}};
    for (const auto& [end, words] :
         {std::pair{End::wrong, "toy:0 did (wrong)"}, std::pair{End::died, "toy:0 did (died)"},
          std::pair{End::refused, "(refused)"}, std::pair{End::not_built, "does not compile"}}) {
        std::vector<Tried> all = tried(kernel, end);
        EXPECT_THAT(hold_against(arguments, all), ElementsAre(HasSubstr(words)));
        for (const Tried& one : all) EXPECT_FALSE(one.is_argued);
    }
    for (const End end : {End::not_tried, End::same_code}) {
        std::vector<Tried> all = tried(kernel, end);
        EXPECT_THAT(hold_against(arguments, all), IsEmpty());
    }
}

TEST(Equivalents, EndWithTheTextThatTheyAreAbout) {
    const std::vector<Equivalent> arguments{{name_in(kernel, "first"), "It is so."}};
    const std::string text(kernel);
    // Comments, layout and other kernels do not matter.
    for (const std::string& same :
         {with(text, "__kernel", "// one\n\n__kernel"), with(text, "half_of(6)", "half_of(7)")}) {
        std::vector<Tried> all = tried(same, End::lived);
        EXPECT_THAT(hold_against(arguments, all), IsEmpty()) << same;
    }
    // The function's own source, what it may call, and file-level code do.
    for (const std::string& other : {with(text, "half_of(4)", "half_of(5)"),
                                     with(text, "v / 2", "v / 3"), "#define v 7\n" + text}) {
        std::vector<Tried> all = tried(other, End::lived);
        EXPECT_THAT(hold_against(arguments, all), ElementsAre(HasSubstr("has changed"))) << other;
    }
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
    for (const Equivalent& argument : own_equivalents())
        EXPECT_TRUE(names.contains(argument.mutant)) << argument.mutant;
}

}  // namespace
}  // namespace parallax::argued_test

// Tests that cases launch what was changed.
#include "tests/mutation/choose.hpp"

#include <set>

#include <gtest/gtest.h>

namespace parallax::choose_test {
namespace {

Mutant in(const char* file, const char* function) {
    Mutant mutant;
    mutant.file = file;
    mutant.function = function;
    return mutant;
}

std::vector<Case> cases_for(const Suite& suite, const Mutant& mutant, const DeviceInfo& info) {
    std::vector<Case> cases;
    for (JudgedCase& one : judged_cases(suite, mutant, info)) cases.push_back(one.the_case);
    return cases;
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

TEST(CasesFor, TakeEachChoiceOfAConstantAndConstantsAtTheirEnds) {
    std::set<std::int64_t> operations, groups;
    for (const Case& c : cases_for(suite_named("reduction"), in("reduction.cl", "vector"), {})) {
        operations.insert(c.constants.front().value);
        groups.insert(c["GROUP"]);
    }
    EXPECT_GT(operations.size(), 1u);
    EXPECT_TRUE(groups.contains(2) && groups.contains(3) && groups.contains(1024));
    EXPECT_FALSE(groups.contains(1)) << "the suite refuses it";
}

TEST(CasesFor, TakeConstantsOfAKernelThatOtherShapesLaunch) {
    const Suite& suite = suite_named("transpose");
    std::set<std::int64_t> rows;
    for (const Case& c : cases_for(suite, in("transpose.cl", "wide"), {})) rows.insert(c["ROWS"]);
    EXPECT_TRUE(rows.contains(1)) << "the last check shape launches pieces, and others wide";
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

TEST(CasesFor, OfANativeTextAreThoseOfWhoTakesIt) {
    const Suite& suite = suite_named("multiply");
    const auto variants_on = [&](const char* backend, decltype(DeviceInfo::features) features,
                                 const char* file) {
        DeviceInfo info;
        info.backend = backend;
        info.features = std::move(features);
        std::set<std::string> variants;
        for (const Case& c : cases_for(suite, in(file, "pipelined"), info)) {
            variants.insert(c.variant->name);
            EXPECT_EQ(c.type, ElementType::f32) << "it is not written for doubles";
        }
        return variants;
    };
    const std::set<std::string> own{"pipelined", "sliced"}, none;
    EXPECT_EQ(variants_on("cuda", {"asynchronous_copies"}, "multiply.cuda.cu"), own);
    EXPECT_EQ(variants_on("host", {"asynchronous_copies"}, "multiply.cuda.cu"), own);
    EXPECT_EQ(variants_on("opencl", {"asynchronous_copies"}, "multiply.opencl.cl"), own);
    EXPECT_EQ(variants_on("opencl", {}, "multiply.opencl.cl"), none) << "it has no PTX";
    EXPECT_EQ(variants_on("host", {}, "multiply.opencl.cl"), own) << "it is translated";
    EXPECT_EQ(variants_on("opencl", {"asynchronous_copies"}, "multiply.cuda.cu"), none);
}

TEST(Mutants, OfNativeTextsOfOpenClAreTranslatedForTheHost) {
    const auto program_for = [](const char* file, const char* backend) {
        DeviceInfo info;
        info.backend = backend;
        info.features = {"asynchronous_copies"};
        return judged_cases(suite_named("multiply"), in(file, "pipelined"), info).at(0).program;
    };
    EXPECT_EQ(program_for("multiply.opencl.cl", "host").language, Language::portable);
    EXPECT_EQ(program_for("multiply.opencl.cl", "host").name, "multiply.opencl.cl");
    EXPECT_EQ(program_for("multiply.opencl.cl", "opencl").language, Language::native);
    EXPECT_EQ(program_for("multiply.cuda.cu", "host").name, "multiply.cuda.cu");
}

TEST(Mutants, OfAllSuitesAreOfEachTextOnce) {
    std::set<std::string> names, files;
    for (const Tried& one : all_mutants()) {
        EXPECT_TRUE(names.insert(one.mutant.name).second);
        files.insert(one.mutant.file);
    }
    EXPECT_GT(names.size(), 1000u);
    EXPECT_TRUE(files.contains("multiply.cuda.cu") && files.contains("multiply.opencl.cl"));
}

}  // namespace
}  // namespace parallax::choose_test

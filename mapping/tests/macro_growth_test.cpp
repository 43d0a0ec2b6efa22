// Sources with exponentially growing macros are rejected before a compiler sees them.
#include "mapping/preprocess/macro_growth.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/instrumented.hpp"
#include "common/tests/thorough.hpp"
#include "kernels/kernel_texts.hpp"
#include "mapping/preprocess/expand.hpp"

namespace parallax::macro_growth_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string said(std::string_view source, const std::vector<Define>& defines = {}) {
    try {
        check_macro_growth("mine.cl", source, defines);
    } catch (const Refused& refused) {
        return refused.what();
    }
    return "";
}

/// `macros` macros, each twice as long as the one before.
std::string doubled(unsigned macros, std::string_view use) {
    std::string text = "#define M0 a b\n";
    for (unsigned i = 1; i <= macros; ++i)
        text += fmt::format("#define M{0} M{1} M{1}\n", i, i - 1);
    return text + std::string(use) + "\n";
}

TEST(MacroGrowth, CountsWhatIsUsed) {
    EXPECT_EQ(said(doubled(21, "M20")), "");
    EXPECT_EQ(said(doubled(21, "M21")), "") << "exactly as many as there may be";
    EXPECT_THAT(said(doubled(21, "M21 x")), AllOf(HasSubstr("mine.cl: "), HasSubstr("4.19e+06"),
                                                  HasSubstr("4194304 are the most")));
    EXPECT_EQ(said(doubled(100, "x")), "") << "they are not used";
    EXPECT_THAT(said(doubled(100, "#if M100\n#endif")), HasSubstr("multiply"));
    EXPECT_EQ(said("#define A A A\n#define B C\n#define C B B\nA B C"), "")
        << "a macro within itself is a word";
}

TEST(MacroGrowth, CountsArguments) {
    const std::string two =
        "#define D(x) x x\n#define E D\n#define F(...) __VA_ARGS__ __VA_ARGS__\n";
    for (const std::string name : {"D", "E", "F"}) {
        std::string nested = "a";
        for (unsigned i = 0; i < 22; ++i) nested = name + "(" + nested + ")";
        EXPECT_EQ(said(two + nested), "") << name;
        EXPECT_THAT(said(two + name + "(" + nested + ")"), HasSubstr("multiply")) << name;
    }
    EXPECT_THAT(said("#define D(x) x x x x\n#define Q(x) D(D(D(D(x))))\nQ(Q(Q(a)))"),
                HasSubstr("multiply"));
    EXPECT_EQ(said("#define D (x) x x\nD(a)"), "") << "no parameters";
    EXPECT_EQ(said("#define D(x) x\nD"), "");
    EXPECT_EQ(said("#define D(x) x\nD(((a)"), "") << "a bracket without its end";
}

TEST(MacroGrowth, CountsTheWorstOfSeveralDefinitionsAndThoseFromOutside) {
    EXPECT_THAT(said(doubled(30, "#define M30 1\nM30")), HasSubstr("multiply"));
    EXPECT_THAT(said("X X", {{"X", std::string(5'000'000, '1')}, {"Y", "1"}}), "");
    std::vector<Define> defines{{"Y0", "1 1"}};
    for (unsigned i = 1; i < 40; ++i) {
        defines.push_back({fmt::format("Y{}", i), fmt::format("Y{0} Y{0}", i - 1)});
    }
    EXPECT_THAT(said("Y39", defines), HasSubstr("multiply"));
    EXPECT_EQ(said("Y3", defines), "");
}

TEST(MacroGrowth, CountsDepth) {
    const unsigned depth = test::is_thorough() ? 100'000 : 20'000;
    std::string chain = "#define M0 1\n", nested = "a";
    for (unsigned i = 1; i <= depth; ++i) chain += fmt::format("#define M{} M{}\n", i, i - 1);
    for (unsigned i = 0; i < depth; ++i) nested = nested + ")";
    std::string calls;
    for (unsigned i = 0; i < depth; ++i) calls += "D(";
    EXPECT_THAT(said(chain + fmt::format("M{}", depth)), HasSubstr("more than 200 deep"));
    EXPECT_THAT(said("#define D(x) x\n" + calls + nested), HasSubstr("more than 200 deep"));
    EXPECT_EQ(said(chain + "M150"), "");
}

TEST(MacroGrowth, ThePreprocessorCountsWhatItExpands) {
    if (!can_expand()) GTEST_SKIP();
    std::string all = "#define M0\n";
    for (unsigned i = 1; i <= 30; ++i) all += fmt::format("#define M{0} M{1} M{1}\n", i, i - 1);
    try {
        expanded("mine.cl", all + "M30\n", {}, {}, PathSandbox({}));
        ADD_FAILURE() << "was expanded";
    } catch (const Refused& refused) {
        EXPECT_THAT(refused.what(), HasSubstr("more than 262144 macros are expanded"));
    }
}

TEST(MacroGrowth, ThePreprocessorCountsTheTokensOfWhatItExpands) {
    if (!can_expand()) GTEST_SKIP();
    if (has_address_sanitizer()) {
        GTEST_SKIP() << "With AddressSanitizer it takes so long that it is ended for that.";
    }
    // The output is empty, but would take longer to make than the input takes to count.
    std::string all = "#define NONE(x)\n#define PASS(x) NONE(x)\n#define BIG";
    for (unsigned i = 0; i < 8192; ++i) all += " 1";
    all += "\n";
    for (unsigned i = 0; i < 200; ++i) all += "PASS(BIG)\n";
    try {
        expanded("mine.cl", all, {}, {}, PathSandbox({}));
        ADD_FAILURE() << "was expanded";
    } catch (const Refused& refused) {
        EXPECT_THAT(refused.what(), HasSubstr("more than 1048576 tokens"));
    }
}

TEST(MacroGrowth, LetsRealTextsPass) {
    for (const EmbeddedFile& one : embedded_kernels()) EXPECT_EQ(said(one.text), "") << one.name;
}

}  // namespace
}  // namespace parallax::macro_growth_test

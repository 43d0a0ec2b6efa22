// Tests the values of formulas, and the rejected ones.
#include "suites/manifest/formula.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"

namespace parallax::formula_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const FormulaNames names{{"n", 1000}, {"ITEMS", 4}, {"items_x", 256}};

TEST(Formula, Calculates) {
    EXPECT_EQ(formula_value("n / 4 + 2 * (ITEMS - 1)", names), 256);
    EXPECT_EQ(formula_value("n / 256", names), 3.90625) << "a real division";
    EXPECT_EQ(formula_value("ceil(n / 256)", names), 4);
    EXPECT_EQ(formula_value("floor(n / items_x)", names), 3);
    EXPECT_EQ(formula_value("n % 256", names), 232);
    EXPECT_EQ(formula_value("2 + 7 % 4 * 2", names), 8) << "as tight as a product";
    EXPECT_EQ(formula_value("min(n, 7, ITEMS)", names), 4);
    EXPECT_EQ(formula_value("max(n, 7)", names), 1000);
    EXPECT_EQ(formula_value("log2(1024) + sqrt(81)", names), 19);
    EXPECT_EQ(formula_value("-3.5e2", names), -350);
    EXPECT_EQ(formula_value("9007199254740992", names), 0x1p53);
}

TEST(Formula, RefusesWithReason) {
    EXPECT_THAT([] { formula_value("m + 1", names); },
                ThrowsMessage<UsageError>(
                    HasSubstr("'m' is not known, and a formula reads no buffer; the names "
                              "here are ITEMS, items_x, n")));
    EXPECT_THAT([] { formula_value("n / 0", names); },
                ThrowsMessage<UsageError>(HasSubstr("no finite value")));
    EXPECT_THAT([] { formula_value("sqrt(-1)", names); },
                ThrowsMessage<UsageError>(HasSubstr("no finite value")));
    EXPECT_THAT([] { formula_value("n = 5", names); },
                ThrowsMessage<UsageError>(HasSubstr("'=' in the formula")));
    EXPECT_THAT([] { formula_value("1, 2", names); },
                ThrowsMessage<UsageError>(HasSubstr("2 formulas")));
    for (const char* wrong : {"", " ", "n +", "(n", "n)", "2 n", "sin(n)", "n ^ 2", "n < 2 ? 1 : 2",
                              "\"n\"", "n\n", "ceil()", "ceil(1, 2)", "min()", "_pi", "n && 1"}) {
        EXPECT_THROW(formula_value(wrong, names), UsageError) << wrong;
    }
    EXPECT_THROW(formula_value(std::string(501, '1'), names), UsageError);
    const auto within = [](std::size_t brackets) {
        return std::string(brackets, '(') + "1" + std::string(brackets, ')');
    };
    EXPECT_EQ(formula_value(within(50), names), 1);
    EXPECT_THAT([&] { formula_value(within(51), names); },
                ThrowsMessage<UsageError>(HasSubstr("brackets more than 50 deep")));
}

TEST(Formula, CountsAreWholeAndInRange) {
    EXPECT_EQ(formula_count("n / 8", names, 1, 200), 125);
    EXPECT_THAT([] { formula_count("n / 16", names, 1, 200); },
                ThrowsMessage<UsageError>(HasSubstr("is 62.5, and a whole number is needed")));
    EXPECT_THAT([] { formula_count("n", names, 1, 999); },
                ThrowsMessage<UsageError>(HasSubstr("1 to 999 is possible")));
    EXPECT_THROW(formula_count("1 - n", names, 1, 999), UsageError);
}

TEST(Formula, NamesAreWords) {
    for (const char* good : {"n", "ITEMS_2", "_x"}) EXPECT_TRUE(is_formula_name(good)) << good;
    for (const char* bad : {"", "2n", "a b", "a-b", "min", "ceil", "n\xc3\xa4"}) {
        EXPECT_FALSE(is_formula_name(bad)) << bad;
    }
}

}  // namespace
}  // namespace parallax::formula_test

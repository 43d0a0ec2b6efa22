// Do lines meet, wrap and get marked?
#include "kernels/sidebyside.hpp"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parallax {
namespace {

using ::testing::HasSubstr;

TEST(SideBySide, MarksLinesThatDiffer) {
    EXPECT_EQ(side_by_side("left", "a\nb\n\nc d", "right", "a\nB\n\nc  d\ne", 40, 1, 9),
              "  left                 right\n"
              "  ----------------     ----------------\n"
              "1 a                  1 a\n"
              "2 b                | 2 B\n"
              "3                    3\n"
              "4 c d                4 c  d\n"
              "5                  > 5 e\n");
}

TEST(SideBySide, TakesTheLinesAskedFor) {
    const std::string text = side_by_side("l", "a\nb\nc\n", "r", "a\nb\nc\n", 40, 2, 2);
    EXPECT_THAT(text, HasSubstr("2 b"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
    EXPECT_EQ(side_by_side("l", "", "r", "", 40, 1, 5).find("1 "), std::string::npos);
}

TEST(SideBySide, WrapsAndLosesNothing) {
    const std::string line =
        "    const size_t i = get_group_id(0) * (2 * GROUP) + lane; // \xc3\xa4" +
        std::string(90, 'x');
    for (unsigned width = 0; width <= 200; width += 7) {
        const std::string text = side_by_side("l", line, "r", "", width, 1, 1);
        std::string kept, wanted;
        std::istringstream stream(text);
        for (std::string row; std::getline(stream, row);) {
            const auto columns = std::count_if(row.begin(), row.end(), [](char c) {
                return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
            });
            EXPECT_LE(columns, std::max(width, 40U));
            kept += row;
        }
        for (const char c : line) wanted += c == ' ' ? "" : std::string(1, c);
        std::erase(kept, ' ');
        std::erase(kept, '<');
        std::erase(kept, '|');
        EXPECT_THAT(kept, HasSubstr(wanted.substr(wanted.size() - 12)));
        EXPECT_EQ(std::count(kept.begin(), kept.end(), 'x'), 90);
    }
}

TEST(SideBySide, LetsNoControlCharacterThrough) {
    const std::string text = side_by_side("l", "\ta\x1b[2J\r\n\xff\xfe", "r", "b", 60, 1, 9);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\t'), std::string::npos);
    EXPECT_EQ(text.find('\r'), std::string::npos);
}

}  // namespace
}  // namespace parallax

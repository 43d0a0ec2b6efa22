// Tests of line differences.
#include "common/text/line_difference.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>
namespace parallax::line_difference_test {
namespace {

using Changes = std::vector<LineChange>;

TEST(LineDifference, NamesWhatChanged) {
    EXPECT_EQ(line_difference("a\nb\nc\nd\n", "a\nB\nd\ne\n"),
              (Changes{{LineChange::same, "a", "a"},
                       {LineChange::changed, "b", "B"},
                       {LineChange::only_a, "c", ""},
                       {LineChange::same, "d", "d"},
                       {LineChange::only_b, "", "e"}}));
    EXPECT_EQ(line_difference("", ""), Changes{});
    EXPECT_EQ(line_difference("", "x"), (Changes{{LineChange::only_b, "", "x"}}));
    EXPECT_EQ(line_difference("x\n", ""), (Changes{{LineChange::only_a, "x", ""}}));
    EXPECT_EQ(line_difference("x", "x\n"), (Changes{{LineChange::same, "x", "x"}}));
}

/// A side's text reconstructed from the changes.
std::string side(const Changes& changes, bool b) {
    std::string text;
    for (const LineChange& c : changes) {
        if (c.kind != (b ? LineChange::only_a : LineChange::only_b)) text += (b ? c.b : c.a) + "\n";
    }
    return text;
}

std::string text_of(const std::vector<int>& lines) {
    std::string text;
    for (const int line : lines) text += std::to_string(line) + "\n";
    return text;
}

/// Checks that both inputs can be reconstructed, and that lines reported as equal are.
void expect_whole(const std::string& a, const std::string& b, std::size_t least_same) {
    const Changes changes = line_difference(a, b);
    EXPECT_EQ(side(changes, false), a);
    EXPECT_EQ(side(changes, true), b);
    std::size_t same = 0;
    for (const LineChange& c : changes) {
        EXPECT_EQ(c.kind == LineChange::same, c.a == c.b);
        same += c.kind == LineChange::same;
    }
    EXPECT_GE(same, least_same);
}

TEST(LineDifference, LargeTextsWithLittleInCommon) {
    std::vector<int> lines(5000);
    std::iota(lines.begin(), lines.end(), 0);
    const std::string a = text_of(lines);
    std::vector<int> other = lines;
    for (int& line : other) line += 5000;
    expect_whole(a, text_of(other), 0);
    std::mt19937 random(1);
    other = lines;
    std::shuffle(other.begin(), other.end(), random);
    expect_whole(a, text_of(other), 10);
    other = lines;
    for (std::size_t i = 0; i < other.size(); i += 100) other[i] = -1;
    expect_whole(a, text_of(other), 4950);
    for (int& line : lines) line = static_cast<int>(random() % 20);
    for (int& line : other) line = static_cast<int>(random() % 20);
    expect_whole(text_of(lines), text_of(other), 500);
}

TEST(DifferingLines, HaveTheirContext) {
    const Changes changes =
        line_difference("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\nx\ny\n5\n6\n7\n8\n");
    EXPECT_EQ(differing_lines(changes, 1, 100), "...\n  3\n- 4\n+ x\n+ y\n  5\n...\n  8\n- 9\n");
    EXPECT_EQ(differing_lines(changes, 0, 100), "...\n- 4\n+ x\n+ y\n...\n- 9\n");
    EXPECT_EQ(differing_lines(changes, 9, 100),
              "  1\n  2\n  3\n- 4\n+ x\n+ y\n  5\n  6\n  7\n  8\n- 9\n");
    EXPECT_EQ(differing_lines(changes, 1, 3), "...\n  3\n- 4\n... and 3 more lines that differ\n");
    EXPECT_EQ(differing_lines(line_difference("a\nb\n", "c\nb\n"), 0, 9), "- a\n+ c\n...\n");
    EXPECT_EQ(differing_lines(line_difference("a\n", "a\n"), 3, 9), "");
    EXPECT_EQ(differing_lines({}, 3, 9), "");
}

}  // namespace
}  // namespace parallax::line_difference_test

// Are changes found, grouped and written as programs that apply them expect?
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text/text_lines.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace parallax::changes_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Kind = ChangedLine::Kind;

std::string numbered(int from, int to) {
    std::string text;
    for (int i = from; i <= to; ++i) text += std::to_string(i) + "\n";
    return text;
}

TEST(Changes, OfTheSameTextAreNone) {
    EXPECT_TRUE(changes("", "").hunks.empty());
    EXPECT_TRUE(changes("a\nb\n", "a\nb").hunks.empty());
    EXPECT_TRUE(changes("a\r\nb\r\n", "a\nb\n").hunks.empty());
    EXPECT_EQ(text_of(changes("a", "a"), false) + markdown_of(Changes{}) + html_of(Changes{}), "");
}

TEST(Changes, HaveWhatSurroundsThem) {
    const Changes found = changes(numbered(1, 9), numbered(1, 4) + "five\n" + numbered(6, 9));
    ASSERT_EQ(found.hunks.size(), 1U);
    EXPECT_EQ(text_of(found, false), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    EXPECT_EQ(found.added(), 1U);
    EXPECT_EQ(found.removed(), 1U);
    EXPECT_EQ(found.hunks[0].lines[3], (ChangedLine{Kind::removed, "5", 5, 0}));
    EXPECT_EQ(found.hunks[0].lines[4], (ChangedLine{Kind::added, "five", 0, 5}));
    EXPECT_EQ(found.hunks[0].lines[5], (ChangedLine{Kind::both, "6", 6, 6}));
}

TEST(Changes, AreOneHunkWhereTheirSurroundingsMeet) {
    const auto hunks_between = [](int same) {
        return changes("a\n" + numbered(1, same) + "b\n", "A\n" + numbered(1, same) + "B\n")
            .hunks.size();
    };
    EXPECT_EQ(hunks_between(0), 1U);
    EXPECT_EQ(hunks_between(6), 1U);
    EXPECT_EQ(hunks_between(7), 2U);
    EXPECT_EQ(text_of(changes("a\n1\n2\nb\n", "A\n1\n2\nB\n", 0), false),
              "@@ -1,1 +1,1 @@\n-a\n+A\n@@ -4,1 +4,1 @@\n-b\n+B\n");
}

TEST(Changes, CountFromTheLineBeforeWhereASideHasNone) {
    EXPECT_EQ(text_of(changes("", "a\n"), false), "@@ -0,0 +1,1 @@\n+a\n");
    EXPECT_EQ(text_of(changes("a\nb\n", "a\n", 0), false), "@@ -2,1 +1,0 @@\n-b\n");
}

/// Applies the hunks to a source.
std::string applied(const Changes& all, const std::string& old_text) {
    const auto lines = lines_of(old_text);
    std::string text;
    std::size_t at = 0;
    for (const Hunk& hunk : all.hunks) {
        const std::size_t first = hunk.old_first - (hunk.old_count > 0);
        for (; at < first; ++at) text += std::string(lines[at]) + "\n";
        unsigned old_count = 0, new_count = 0;
        for (const ChangedLine& line : hunk.lines) {
            if (line.kind != Kind::added) {
                EXPECT_EQ(lines[at], line.text);
                EXPECT_EQ(line.old_line, ++at);
                ++old_count;
            }
            if (line.kind != Kind::removed) {
                text += line.text + "\n";
                ++new_count;
                EXPECT_EQ(line.new_line, hunk.new_first + new_count - 1);
            }
        }
        EXPECT_EQ(hunk.old_count, old_count);
        EXPECT_EQ(hunk.new_count, new_count);
    }
    for (; at < lines.size(); ++at) text += std::string(lines[at]) + "\n";
    return text;
}

TEST(Changes, MakeTheNewTextOfTheOld) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const auto text = [&] {
            std::string made;
            const auto count = random() % 30;
            for (unsigned i = 0; i < count; ++i)
                made += std::string(1, "abcde"[random() % 5]) + "\n";
            return made;
        };
        const std::string old_text = text(), new_text = text();
        const Changes all = changes(old_text, new_text, random() % 4);
        EXPECT_EQ(applied(all, old_text), new_text) << old_text << "->\n" << new_text;
    }
}

TEST(Changes, AreSafeToShow) {
    const Changes all = changes("a\x1b[2J```\n", "<b>&\"\tc\n");
    EXPECT_THAT(text_of(all, false), Not(HasSubstr("\x1b")));
    EXPECT_THAT(text_of(all, false), HasSubstr("+<b>&\"   c"));
    EXPECT_THAT(text_of(all, true), HasSubstr("\x1b[31m-a\\x1b[2J```\x1b[0m\n"));
    EXPECT_THAT(markdown_of(all), ::testing::StartsWith("````diff\n"));
    EXPECT_THAT(html_of(all), HasSubstr("&lt;b&gt;&amp;&quot;"));
    EXPECT_THAT(html_of(all), Not(HasSubstr("<b>")));
}

}  // namespace
}  // namespace parallax::changes_test

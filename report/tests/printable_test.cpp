// Control characters that move a cursor or turn the direction of writing are escaped.
#include <gtest/gtest.h>

#include "report/report.hpp"
#include "report/wording.hpp"

namespace parallax::printable_test {
namespace {

TEST(Printable, LeavesTextAsItIs) {
    for (const char* text : {"", "plain ASCII ~!", "Grüße, 中文, عربي, 😀", "a\\nb", "é"}) {
        EXPECT_EQ(printable(text), text);
        EXPECT_EQ(printable(printable(text)), text);
    }
}

TEST(Printable, SpellsControls) {
    EXPECT_EQ(printable("\033[31mred\033[0m"), "\\x1b[31mred\\x1b[0m");
    EXPECT_EQ(printable("a\r\n\tb\a\b\x7f"), "a\\r\\n\\tb\\x07\\x08\\u007f");
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0"), "\\u0080\\u009b\\u009f\xc2\xa0");
    for (char c = 1; c < 0x20; ++c) EXPECT_EQ(printable(std::string(1, c)).front(), '\\');
}

TEST(Printable, SpellsWhatTurnsTheDirection) {
    const std::pair<const char*, const char*> pairs[] = {
        {"\u202a", "\\u202a"}, {"\u202b", "\\u202b"},  {"\u202c", "\\u202c"}, {"\u202d", "\\u202d"},
        {"\u202e", "\\u202e"}, {"\u2066", "\\u2066"},  {"\u2067", "\\u2067"}, {"\u2068", "\\u2068"},
        {"\u2069", "\\u2069"}, {"\u200e", "\\u200e"},  {"\u200f", "\\u200f"}, {"\u061c", "\\u061c"},
        {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"},  {"\ufeff", "\\ufeff"}, {"\ufffe", "\\ufffe"},
        {"\uffff", "\\uffff"}, {"\u2029x", "\\u2029x"}};
    for (const auto& [text, expected] : pairs) EXPECT_EQ(printable(text), expected);
    for (const char* text : {"\u2027", "\u202f", "\u205f", "\u2070", "\ufffd"}) {
        EXPECT_EQ(printable(text), text);
    }
}

// Names that differ in one of these look the same.
TEST(Printable, SpellsWhatNobodySees) {
    const std::pair<const char*, const char*> pairs[] = {
        {"a\u00ad", "a\\u00ad"},     {"a\u200b", "a\\u200b"}, {"a\u200d", "a\\u200d"},
        {"a\u2060", "a\\u2060"},     {"a\u3164", "a\\u3164"}, {"a\ufe0f", "a\\ufe0f"},
        {"a\U000e0041", "a\\ue0041"}};
    for (const auto& [text, expected] : pairs) EXPECT_EQ(printable(text), expected);
    for (const char* text : {"\u00ac", "\u00ae", "\u200a", "\u3163", "\ufe10", "\U000e1000"}) {
        EXPECT_EQ(printable(text), text);
    }
}

TEST(Printable, SpellsEachBadByte) {
    EXPECT_EQ(printable("\xff"), "\\xff");
    EXPECT_EQ(printable("a\x80z"), "a\\x80z");
    EXPECT_EQ(printable("\xc3"), "\\xc3");                             // cut off
    EXPECT_EQ(printable("\xe2\x82z"), "\\xe2\\x82z");                  // cut off
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // longer than need be
    EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // the same
    EXPECT_EQ(printable("\xf0\x80\x80\xaf"), "\\xf0\\x80\\x80\\xaf");  // the same
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a pair
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond Unicode
    EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");  // the same
    EXPECT_EQ(printable("\xf4\x8f\xbf\xbf"), "\xf4\x8f\xbf\xbf");      // the last one
    EXPECT_EQ(printable("\xc3\xc3\xa9"), "\\xc3\xc3\xa9");             // finds its way back
}

TEST(PrintableLines, KeepsLinesAndColumns) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(report::printable_lines(""), Lines{});
    EXPECT_EQ(report::printable_lines("a\r\n\tb\n\n c\033\n\n"),
              (Lines{"a", "    b", "", " c\\x1b"}));
    EXPECT_EQ(report::printable_lines("a\rb"), Lines{"a\\rb"});
}

TEST(Words, Ratios) {
    using namespace report;
    EXPECT_EQ(ratio_text({.value = 1.003, .low = 0.998, .high = 1.008}), "1.003 (0.998-1.008)");
    EXPECT_EQ(factor(0.61), "1.64x");
    EXPECT_EQ(factor(1.64), "1.64x");
    EXPECT_EQ(factor(1.0234), "1.023x");
    EXPECT_EQ(factor(12.34), "12.3x");
    EXPECT_EQ(factor(0.001), "1000x");
    EXPECT_EQ(percent(0.02), "2 %");
    EXPECT_EQ(clipped("Grüße", 5), "Grüße");
    EXPECT_EQ(clipped("Grüße", 4), "Grü…");
}

}  // namespace
}  // namespace parallax::printable_test

// Tests the rejection of invalid lines while they are parsed, and its messages.
#include "records/line.hpp"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

#include "common/text/text.hpp"
#include "records/record.hpp"
#include "records/tests/plain_lines.hpp"

namespace parallax::line_test {
namespace {

using namespace fake;

/// Expects an error that is no truncation, with these words.
void expect_refused(const std::string& text, const std::vector<std::string>& words) {
    const ParsedLine line = parse_line(text);
    EXPECT_FALSE(line.cut) << text.substr(0, 200);
    EXPECT_TRUE(line.json.is_null());
    EXPECT_LT(line.problem.size(), 500u);
    for (const std::string& word : words) {
        EXPECT_NE(line.problem.find(word), std::string::npos) << line.problem;
    }
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

TEST(ResultEntry, IsWhatTheLibraryMakesOfIt) {
    for (const Json& one :
         {plain_record(), plain_pair(), plain_explanation(), Json(1.5), Json("text"), Json(nullptr),
          Json::array(), Json::object(), Json{{"a", {{"b", {1, -2, 3e300}}}}}}) {
        const ParsedLine line = parse_line(one.dump());
        EXPECT_EQ(line.problem, "");
        EXPECT_EQ(line.json, one);
        EXPECT_EQ(line.json.dump(), one.dump()) << "in the same order";
    }
}

TEST(ResultEntry, AKeyThatStandsTwice) {
    expect_refused(R"({"a":1,"b":2,"a":3})", {"'a' occurs twice"});
    expect_refused(R"({"timing":{"round":[0],"median":1,"median":2}})",
                   {"'median' occurs twice in timing"});
    expect_refused(R"({"l":[0,{"x":{"k":1,"k":1}}]})", {"'k' occurs twice in l[1].x"});
    expect_refused(R"({"a":1,"\u0061":3})", {"'a' occurs twice"});
    expect_refused(R"({"a\n":1,"a\n":3})", {"'a\\n' occurs twice"});
}

TEST(ResultEntry, Depth) {
    EXPECT_EQ(parse_line(repeated("[", 32) + repeated("]", 32)).problem, "");
    expect_refused(repeated("[", 33) + repeated("]", 33), {"deeper than 32"});
    expect_refused("{\"launches\":" + repeated("[", 1000000), {"deeper than 32", "launches"});
    expect_refused(repeated("{\"a\":", 100000), {"deeper than 32"});
}

TEST(ResultEntry, TooManyMembers) {
    std::string text = "{\"constants\":{";
    for (int i = 0; i < 200000; ++i) text += "\"k" + std::to_string(i) + "\":0,";
    expect_refused(text + "\"z\":0}}", {"more than 1000 members in constants"});
}

TEST(ResultEntry, AProblemInSeveralLinesHasItsOwn) {
    const ParsedLine parsed = parse_line("{\n  \"a\": 1,\n  \"b\" 2\n}");
    EXPECT_EQ(parsed.line, 3U);
    EXPECT_THAT(parsed.problem, testing::HasSubstr("after b, character 7; expected ':'"));
}

TEST(ResultEntry, BytesThatAreNoText) {
    expect_refused("{\"reason\":\"caf\xe9\"}", {"not UTF-8", "at or after reason, character 1"});
    expect_refused("{\"a\":\"\xed\xa0\x80\"}", {"not UTF-8", "at or after a"});  // half a pair
    expect_refused("{\"a\":\"\xc0\xaf\"}", {"not UTF-8"});  // longer than needed
    expect_refused(std::string("{\"a\":1}\0garbage", 15), {"NUL byte, at character 8", "damaged"});
    expect_refused("\xef\xbb\xbf{}", {"byte order mark"});
    expect_refused("{\"a\":\"\x1b[2J\"}", {"cannot stand there", "character 7"});
}

TEST(ResultEntry, NumbersThatJsonHasNot) {
    for (const char* word : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "-nan"}) {
        expect_refused("{\"timing\":{\"samples\":[0.5," + std::string(word) + "]}}",
                       {"JSON has no " + std::string(word), "timing.samples[0]", "0x7ff8"});
    }
    expect_refused("{\"a\":1e999}", {"1e999", "larger than any double"});
    expect_refused("{\"a\":0x10}", {"cannot stand there"});
    expect_refused("{\"a\":01}", {"cannot stand there"});
    expect_refused("{\"a\":1.}", {"cannot stand there"});
    expect_refused("{\"a\":+1}", {"cannot stand there"});
}

TEST(ResultEntry, WhatIsNotJson) {
    expect_refused("hello", {"not JSON", "'hello'", "character 1"});
    expect_refused("{'a':1}", {"not JSON", "character 2"});
    expect_refused("{\"a\":1,}", {"not JSON", "at or after a, character 8"});
    expect_refused("{\"a\":1}}", {"not JSON"});
    expect_refused("{\"a\":1} // a remark", {"not JSON"});
    expect_refused("{\"a\":\"\\x\"}", {"not JSON"});
    expect_refused("[1,2", {"ends in the middle"});
    expect_refused("", {"ends in the middle"});
    expect_refused(std::string(300, 'x'), {"xxxxx..."});
    expect_refused("\x1b]0;title\x07", {"\\x1b"});
}

TEST(ResultEntry, TooLong) {
    std::string text = "{\"log\":\"";
    text.resize(most_line_bytes - 2, 'x');
    EXPECT_EQ(parse_line(text + "\"}").problem, "");
    expect_refused(text + "xx\"}", {"longer than 16 MiB"});
}

TEST(ResultEntry, EveryBeginningOfOneWasCut) {
    for (const std::string& text :
         {plain_record().dump(), plain_pair().dump(), plain_explanation().dump()}) {
        for (std::size_t size = 1; size < text.size(); ++size) {
            const ParsedLine line = parse_line(text.substr(0, size));
            EXPECT_TRUE(line.cut) << text.substr(0, size) << line.problem;
            EXPECT_NE(line.problem, "");
            // Like files joined by `cat`: the rest of the line is another one.
            EXPECT_TRUE(parse_line(text.substr(0, size) + text).cut) << size;
        }
    }
}

TEST(ResultEntry, TextInMessagesIsPrintable) {
    EXPECT_EQ(printable("plain, with ü and 速"), "plain, with ü and 速");
    EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
    EXPECT_EQ(printable(std::string_view("\x1b[31m\0\x7f", 7)), "\\x1b[31m\\x00\\u007f");
    EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\u009b31m");
    EXPECT_EQ(printable("abc\xe2\x80\xae"
                        "def"),
              "abc\\u202edef");
    EXPECT_EQ(printable("abcdef", 3), "abc...");
    EXPECT_EQ(printable("速速速", 3), "速速速");
    EXPECT_EQ(printable(""), "");
}

TEST(ResultEntry, ReadsOverWhatNobodyAskedFor) {
    constexpr std::array<std::string_view, 2> left_out{"check", "timing.samples"};
    const ParsedLine parsed =
        parse_line(R"({"check":{"a":[1,{"b":2}]},"timing":{"samples":[1,2],"median":3},)"
                   R"("constants":{"samples":4,"check":5},"last":"x"})",
                   left_out);
    EXPECT_EQ(parsed.problem, "");
    EXPECT_EQ(parsed.json.dump(),
              R"({"timing":{"median":3},"constants":{"samples":4,"check":5},"last":"x"})");
    EXPECT_NE(parse_line(R"({"check":[1,)", left_out).problem, "");
    EXPECT_TRUE(parse_line(R"({"check":[1,)", left_out).cut);
    const std::string deep = R"({"check":)" + std::string(100, '[') + std::string(100, ']') + "}";
    EXPECT_NE(parse_line(deep, left_out).problem.find("nested"), std::string::npos);
}

}  // namespace
}  // namespace parallax::line_test

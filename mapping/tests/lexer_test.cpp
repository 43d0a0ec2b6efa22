// Does the lexer keep every character, and say where it stopped?
#include "mapping/analyze/lexer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/kernel_texts.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::lexer_test {
namespace {

using ::testing::HasSubstr;

std::string joined(const std::vector<Token>& tokens) {
    std::string text;
    for (const Token& token : tokens) text.append(token.space).append(token.text);
    return text;
}

std::vector<std::string> texts(std::string_view source) {
    std::vector<std::string> words;
    for (const Token& token : lex("x.cl", source)) words.emplace_back(token.text);
    return words;
}

std::string complaint(std::string_view source) {
    try {
        lex("x.cl", source);
    } catch (const Refused& refused) {
        return refused.what();
    }
    return {};
}

TEST(Lexer, GivesBackEveryKernel) {
    for (const EmbeddedFile& file : embedded_kernels()) {
        EXPECT_EQ(joined(lex(file.name, file.text)), file.text) << file.name;
    }
}

TEST(Lexer, GivesBackOddLayouts) {
    for (const std::string_view source :
         {"", " ", "\n", "a", "a \\\r\n b\r\n", "// end", "/**/a/* \xc3\xa4 */b",
          "#define X \\\n 1\nx", "\ta\v\f b\n\n", "a+++b->c...d<<=e", "1.5e-3f*0x1.8p+3f-.5f+7.",
          "'a' '\\'' \"b\\\"c\"", "// a\\\n still\nb"}) {
        EXPECT_EQ(joined(lex("x.cl", source)), source);
    }
}

TEST(Lexer, TakesTheLongestToken) {
    EXPECT_EQ(texts("a>>=b>>c>d"),
              (std::vector<std::string>{"a", ">>=", "b", ">>", "c", ">", "d", ""}));
    EXPECT_EQ(texts("x+++y"), (std::vector<std::string>{"x", "++", "+", "y", ""}));
    EXPECT_EQ(texts("1e+5f-0x1p-3"), (std::vector<std::string>{"1e+5f", "-", "0x1p-3", ""}));
}

TEST(Lexer, CountsLinesAndColumns) {
    const auto tokens = lex("x.cl", "a\r\n  b /*\n*/ c \\\n d");
    ASSERT_EQ(tokens.size(), 5U);
    EXPECT_EQ(tokens[1].line, 2U);
    EXPECT_EQ(tokens[1].column, 3U);
    EXPECT_EQ(tokens[2].line, 3U);
    EXPECT_EQ(tokens[2].column, 4U);
    EXPECT_EQ(tokens[3].line, 4U);
}

TEST(Lexer, TakesDirectivesOnlyWhereLinesBegin) {
    EXPECT_EQ(lex("x.cl", "  #pragma unroll\na")[0].kind, TokenKind::directive);
    EXPECT_THAT(complaint("a #b"), HasSubstr("x.cl:1:3"));
}

TEST(Lexer, SaysWhatToWriteForANumber) {
    EXPECT_THAT(complaint("0xfe+1"), HasSubstr("a blank in front of the sign"));
    EXPECT_THAT(complaint("0b11"), HasSubstr("write it in hexadecimal"));
    EXPECT_THAT(complaint("1.0L"), HasSubstr("no suffix but u, l, f or h"));
    EXPECT_EQ(complaint("0xf+1 1e+1 0x1p-3f"), "");
}

TEST(Lexer, RefusesWhatIsNotOpenClC) {
    EXPECT_THAT(complaint("a\n  @"), HasSubstr("x.cl:2:3"));
    EXPECT_THAT(complaint("/* a\nb"), HasSubstr("x.cl:1:1"));
    for (const std::string_view source :
         {"\"a",   "'a\n'",       "\"a\\",  "0x",   "09",        "1e",
          "0x1.0", "1uu",         "1.5.5",  "3d",   "a\xc3\xa4", "a \\ b",
          "\\",    "a\\\nb",      "+\\\n+", "?\?=", "a<:1:>",    "// ?\?/\nx",
          "a\rb",  "// a \\ \nb", "$",      "`",    "\x01",      "\xef\xbb\xbf"}) {
        EXPECT_THAT(complaint(source), HasSubstr("x.cl:")) << source;
    }
    EXPECT_THAT(complaint(std::string_view("a\0b", 3)), HasSubstr("NUL"));
    EXPECT_THAT(complaint(std::string_view("// a\0b", 6)), HasSubstr("NUL"));
}

}  // namespace
}  // namespace parallax::lexer_test

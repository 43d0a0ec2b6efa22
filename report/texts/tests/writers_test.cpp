// Whether the writers of a view print all of it, and escape markup in a kernel's source.
#include <algorithm>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/markup.hpp"
#include "report/report.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace parallax::writers_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SideBySide example() {
    const std::string source =
        "__kernel void f(__global T* a) { // <i>&\"'|`\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    a[get_local_id(0)] = rsqrt(a[0]);\n"
        "}\n";
    return side_by_side(source, to_cuda("x.cl", source, {ElementType::f32}));
}

TEST(ReasonsText, HasEachRowOnce) {
    const SideBySide view = example();
    const std::string text = reasons_text(view, 100, false);
    for (const Reason& reason : view.reasons) {
        const std::string row = "\n  " + words_of(reason).left;
        const std::size_t at = text.find(row);
        ASSERT_NE(at, text.npos) << row;
        EXPECT_EQ(text.find(row + "  ->", at + 1), text.npos) << row;
    }
    EXPECT_THAT(text, HasSubstr("  __global  ->  (nothing)\n      same, line 1: A CUDA pointer"));
    EXPECT_THAT(text, HasSubstr("__syncthreads()\n      nearly, line 2: All work-items"));
    EXPECT_THAT(text, HasSubstr("Spelt alike on both sides:\n  rsqrt($)\n"));
    EXPECT_EQ(reasons_text(side_by_side("a", "x", "b", "y"), 100, false), "");
}

TEST(LinesInWords, JoinNeighbours) {
    EXPECT_EQ(lines_in_words({4}), "line 4");
    EXPECT_EQ(lines_in_words({4, 5}), "lines 4, 5");
    EXPECT_EQ(lines_in_words({1, 4, 5, 6, 9}), "lines 1, 4 to 6, 9");
}

TEST(Markdown, HasBothTextsTheLinesAndTheReasons) {
    const std::string text = markdown_of(example());
    EXPECT_THAT(text, HasSubstr("```c\n__kernel void f(__global T* a) {"));
    EXPECT_THAT(text, HasSubstr("```cuda\nextern \"C\" __global__ void f(float* a) {"));
    EXPECT_THAT(text, HasSubstr("| 2 | <code><b>barrier(CLK_LOCAL_MEM_FENCE)</b>;</code> | "
                                "<code><b>&#95;&#95;syncthreads()</b>;</code> | 4 |"));
    EXPECT_THAT(text, HasSubstr("| nearly | 2 | All work-items"));
    // No bar of a kernel may end a cell: each row of a table has its number of them.
    std::istringstream lines(text);
    long columns = 0;
    bool in_code = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) in_code = !in_code;
        if (in_code || !line.starts_with("| ")) {
            columns = 0;
            continue;
        }
        const long bars = std::ranges::count(line, '|');
        EXPECT_TRUE(columns == 0 || bars == columns) << line;
        columns = bars;
    }
}

TEST(Html, LinksMarksWithReasonsThatAreThere) {
    const std::string text = html_of(example(), "", "k1x");
    EXPECT_THAT(text, Not(HasSubstr("<i>")));
    EXPECT_THAT(text, HasSubstr("// &lt;i&gt;&amp;&quot;&#39;|`"));
    EXPECT_THAT(text, HasSubstr("title=\"__global \u2192 nothing: A CUDA pointer"));
    EXPECT_THAT(text, HasSubstr("class=\"mark alike\" href=\"#k1xwhy-6\""));
    const std::regex link("href=\"#([^\"]*)\"");
    std::size_t count = 0;
    for (std::sregex_iterator one(text.begin(), text.end(), link), end; one != end; ++one) {
        const std::string id = "id=\"" + (*one)[1].str() + "\"";
        const std::size_t at = text.find(id);
        EXPECT_NE(at, text.npos) << id;
        EXPECT_EQ(text.find(id, at + 1), text.npos) << id;
        ++count;
    }
    EXPECT_GT(count, 10U);
}

TEST(Html, PageHoldsTheBodyAndAsksNobody) {
    const std::string page = html_text_page("<a> & b", html_of(example()));
    EXPECT_THAT(page, HasSubstr("<title>&lt;a&gt; &amp; b</title>"));
    EXPECT_THAT(page, HasSubstr("<table class=\"pair\">"));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, Not(HasSubstr("{{body}}")));
    EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)=\"(https?:)?//")));
}

TEST(ShownLine, PutsTabsWhereTheyWouldBe) {
    EXPECT_EQ(shown_line("\ta\tb"), "    a   b");
    EXPECT_EQ(shown_line("\tb", 3), " b");
    EXPECT_EQ(shown_line("\xc3\xa4\tb"), "\xc3\xa4   b");
    EXPECT_EQ(shown_line("\x1b\tb"), "\\x1b    b");
}

// An algorithm of quadratic time in the length of a line would not end within the test's time.
TEST(LongLines, AreShown) {
    constexpr std::size_t long_enough = 2'000'000;
    EXPECT_EQ(shown_line(std::string(long_enough, '\t')), std::string(4 * long_enough, ' '));

    LinePair line{1, 1, {}};
    std::string text;
    for (std::size_t i = 0; i < long_enough / 8; ++i) {
        line.parts.push_back({"abc ", "x\t"});
        text += "abc ";
    }
    const SideBySide view{"left", "right", {line}, {}};
    const std::string shown = text_of(view, 100, false);
    std::istringstream lines(shown);
    std::string all;
    for (std::string one; std::getline(lines, one);) {
        EXPECT_LE(one.size(), 100U);
        // The left side's words; the mark of lines that differ is between the sides.
        std::istringstream words(one.substr(0, one.find(" | ")));
        for (std::string word; words >> word;) {
            if (word == "abc") all += word + ' ';
        }
    }
    EXPECT_TRUE(all == text) << "every word is there, in order";
    EXPECT_GT(markdown_of(view).size(), text.size());
    EXPECT_GT(html_of(view).size(), text.size());
}

}  // namespace
}  // namespace parallax::writers_test

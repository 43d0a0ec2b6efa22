// The report for a pull request: what it says, that data cannot break out, that it stays short.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text/text.hpp"
#include "report/report.hpp"
#include "report/tests/diffs.hpp"

namespace parallax::markdown_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// GitHub's limit is 65,536; the project promises this one.
constexpr std::size_t most = 60'000;

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++found;
    }
    return found;
}

void expect_closed(const std::string& text) {
    EXPECT_LT(text.size(), most);
    EXPECT_EQ(count(text, "<details>"), count(text, "</details>"));
    EXPECT_EQ(count(text, "<code>"), count(text, "</code>"));
}

/// A report with one case whose suite, title and reason are this.
std::string with(const std::string& data) {
    Diff diff = test::empty_diff();
    diff.cases = {test::wrong(data, "x"), test::same("transpose", "naive")};
    diff.cases[0].title = diff.cases[0].reason = diff.cases[0].b.reason = data;
    return markdown_report(diff);
}

// clang-format off
TEST(MarkdownReport, SmallDiff) {
    const std::string text = markdown_report(test::small_diff());
    EXPECT_THAT(text, StartsWith(
R"(### Look at strided_copy/offset, strided_copy/strided first: only right answers have a speed to compare.

- OpenCL (opencl:1) and CUDA (cuda:0) on NVIDIA H100: 1 WRONG (strided_copy/offset), 1 FAILED (strided_copy/strided), 1 SAME, CUDA slower in 2, OpenCL slower in 1, 1 UNDECIDED, 1 NOT COMPARABLE.
- OpenCL is slower in 1 case, the cost of staying with OpenCL: multiply/blocked 1.64x.
- CUDA is slower in 2 cases, the gain of staying with OpenCL: stencil1d/global 1.40x, stencil1d/staged 1.050x.
- Median of CUDA over OpenCL: 1.035 (4 cases, from 0.610 to 1.400); launch-bound, apart: 1.003.

| case | OpenCL | CUDA | verdict | CUDA over OpenCL |
| --- | --- | --- | --- | --- |
| <code>strided_copy/offset float 1024x1024</code> | 1.00 ms | wrong | **WRONG** |  |
| <code>strided_copy/strided float 1024x1024</code> | 1.00 ms | failed | **FAILED** |  |
| <code>multiply/blocked float 1024x1024</code> | 1.00 ms | 610 us | **OpenCL 1.64x slower** | 0.610 (0.607-0.613) |
| <code>stencil1d/global float 1024x1024</code> | 1.00 ms | 1.40 ms | **CUDA 1.40x slower** | 1.400 (1.393-1.407) |
| <code>stencil1d/staged float 1024x1024</code> | 1.00 ms | 1.05 ms | **CUDA 1.050x slower** | 1.050 (1.045-1.055) |
| <code>reduction/items float 1024x1024</code> | 1.00 ms | 1.02 ms | **UNDECIDED** | 1.020 (1.015-1.025) |
| <code>reduction/builtin float 1024x1024</code> | 1.00 ms | unsupported | NOT COMPARABLE |  |
| <code>transpose/naive float 1024x1024</code> (launching, cached) | 1.00 ms | 1.00 ms | SAME | 1.003 (0.998-1.008) |

Above 1, CUDA is slower.

<details><summary>Why</summary>

- strided_copy/offset: WRONG. B's answer is not right. CUDA: Element 7 is 3, not 4.
- strided_copy/strided: FAILED. B failed. CUDA: It does not build.
- multiply/blocked: OpenCL slower. The interval lies wholly below the margin.
- stencil1d/global, stencil1d/staged: CUDA slower. The interval lies wholly above the margin.
- reduction/items: UNDECIDED. The interval holds an edge of the margin.
- reduction/builtin: NOT COMPARABLE. B does not support it. CUDA: CUDA has no work_group_reduce_add.

The compiler of cuda:0 says of strided_copy/strided:

```text
x.cu(3): error: expected a ";"
  int i
      ^
```

</details>

<details><summary>Same kernel?</summary>
)"));
    expect_closed(text);
}
// clang-format on

TEST(MarkdownReport, DataIsNoMarkup) {
    const std::pair<const char*, const char*> pairs[] = {
        {"a|b", "a&#124;b"},
        {"a`b``", "a&#96;b&#96;&#96;"},
        {"<b>&amp;", "&#60;b&#62;&#38;amp;"},
        {"[a](b)", "&#91;a&#93;(b)"},
        {"ping @mention", "ping &#64;&#8203;mention"},
        {"see #1", "see &#35;&#8203;1"},
        {"*a* _b_ c_d", "&#42;a&#42; &#95;b&#95; c_d"},
        {"https://a.b www.c.d", "https&#58;//a.b &#119;ww.c.d"},
        {"a\\|b", "a&#92;&#124;b"},
        {"~~a~~ $b$", "&#126;&#126;a&#126;&#126; &#36;b&#36;"},
        {"a\nb\033", "a&#92;nb&#92;x1b"},
        {"plain-text: it's (1.5)", "plain-text: it's (1.5)"},
        {"1.06x as fast", "1.06x as fast"}};
    for (const auto& [data, expected] : pairs) {
        const std::string text = with(data);
        EXPECT_THAT(text, HasSubstr("| <code>" + std::string(expected) + "</code> | 1.00 ms |"))
            << data;
        if (std::string_view(data) != expected) {
            EXPECT_THAT(text, Not(HasSubstr(data)));
        }
        expect_closed(text);
    }
    // At the start of a line these would make a list.
    EXPECT_THAT(with("1. a"), HasSubstr("<code>1&#46; a</code>"));
    EXPECT_THAT(with("12) a"), HasSubstr("\n- 12&#41; a/x: WRONG."));
    EXPECT_THAT(with("7."), HasSubstr("<code>7&#46;</code>"));
    EXPECT_THAT(with("- a"), HasSubstr("\n- &#45; a/x: WRONG."));
}

TEST(MarkdownReport, HostileDiffStaysText) {
    const std::string text = markdown_report(test::hostile_diff());
    expect_closed(text);
    // A log is a block, where only the fence has a meaning: one longer than any within.
    std::string outside = text;
    for (std::size_t at = 0; (at = outside.find("````text\n", at)) != std::string::npos;) {
        const std::size_t end = outside.find("\n````\n", at);
        ASSERT_NE(end, std::string::npos);
        outside.erase(at, end + 6 - at);
    }
    EXPECT_EQ(count(text, "````text\n"), 2);
    for (const char* word : {"<script", "@", "](", "`", "www.", "://", "<!--"}) {
        EXPECT_THAT(outside, Not(HasSubstr(word)));
    }
    std::string joined = text;
    std::erase(joined, '\n');
    EXPECT_EQ(printable(joined), joined);
}

TEST(MarkdownReport, FenceIsLongerThanAnyInTheLog) {
    Diff diff = test::empty_diff();
    diff.cases = {test::failed("x", "y")};
    diff.cases[0].b.log = "`````\n# no heading\n```\n";
    EXPECT_THAT(markdown_report(diff),
                HasSubstr("\n``````text\n`````\n# no heading\n```\n``````\n"));
}

TEST(MarkdownReport, NoCase) {
    const std::string text = markdown_report(test::empty_diff());
    EXPECT_THAT(text, HasSubstr("there is no case to compare."));
    EXPECT_THAT(text, Not(HasSubstr("| case |")));
    expect_closed(text);
}

TEST(MarkdownReport, ManySameAreFolded) {
    const std::string text = markdown_report(test::large_diff(2000));
    EXPECT_THAT(text,
                HasSubstr("| <code>suite0</code> (200 cases) |  |  | SAME | 0.995 to 1.015 |\n"));
    expect_closed(text);
}

TEST(MarkdownReport, StaysShortWhateverTheDataAre) {
    for (const std::string& data :
         {std::string(2000, '|'), std::string(2000, 'x'), test::hostile_text,
          std::string("\U0001F600\U0001F600") + std::string(3000, '@')}) {
        Diff diff = test::large_diff(100);
        diff.a.name = diff.b.name = diff.baseline = data;
        for (std::size_t i = 0; i < diff.cases.size(); ++i) {
            CaseDiff& c = diff.cases[i];
            const std::string mine = std::to_string(i) + data;
            c = i % 2 ? test::failed(mine, mine) : test::same(mine, mine);
            c.reason = c.a.reason = mine;
            c.b.log = mine;
            c.a.notes = {mine};
            c.kernel.differences = {{mine, mine, mine, true}};
            c.answer.distance = {.elements = 2, .differing = 1, .first_a = mine, .first_b = mine};
            diff.warnings.push_back(mine);
            diff.never_equal.push_back(mine);
            diff.environment.push_back({mine, mine, mine});
            diff.self.push_back({mine, mine, 1, test::ratio_of(2), Verdict::slower});
        }
        const std::string text = markdown_report(diff);
        expect_closed(text);
        EXPECT_THAT(text, HasSubstr("left out: GitHub takes no longer text."));
    }
}

TEST(MarkdownReport, DecisionsAndWarnings) {
    Diff diff = test::stored_diff();
    diff.warnings = {"Clocks <moved>."};
    const std::string text = markdown_report(diff);
    EXPECT_THAT(text, StartsWith("> **Warning:** Clocks &#60;moved&#62;.\n>\n\n### runs.jsonl"));
    EXPECT_THAT(
        text,
        HasSubstr("- Asked for: new.jsonl at most 5 % slower than in the baseline: 1 "
                  "within it, 1 NOT: transpose/tiled; 1 UNDECIDED: transpose/padded; 1 without a "
                  "decision: reduction/builtin.\n"));
}

}  // namespace
}  // namespace parallax::markdown_test

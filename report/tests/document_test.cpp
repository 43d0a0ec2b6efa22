// A document in every format: what is in it is the same, and each has its own look.
#include "report/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace parallax::document_test {
namespace {

using namespace report;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Document sample() {
    Grid grid{.title = "Speeds", .columns = {"case", {"time", {}, true}}};
    grid.rows = {{.cells = {Cell("a|b", Cell::Style::code), "1 ms"}, .note = "n"},
                 {.cells = {"c", "20 ms"}, .tags = {"cached"}}};
    Section section{.title = "What", .blocks = {Paragraph{"One <b>."}, Prose{"**Two** is `2`."}}};
    section.say("First.");
    section.say("Second.");
    section.blocks.emplace_back(std::move(grid));
    section.blocks.emplace_back(Texts{{{.heading = "Log:", .lines = {"x", "  ^"}}}});
    return {.title = "All",
            .blocks = {Warnings{{"Hot."}}, ShellCommand{"parallax run"}, std::move(section),
                       Section{.title = "Rest", .blocks = {List{{"More."}}}, .is_folded = true}}};
}

TEST(Documents, OnATerminal) {
    EXPECT_EQ(text_of(sample(), 80, false), R"(Warning: Hot.
  parallax run

What
  One <b>.
  Two is `2`.
  First.
  Second.
  Speeds
  case         time
  a|b          1 ms
      n
  c [cached]  20 ms
  Log:
    x
      ^

Rest
  More.
)");
    EXPECT_THAT(text_of(sample(), 80, true), AllOf(HasSubstr("\033[1;31mWarning: Hot.\033[0m"),
                                                   HasSubstr("\033[1mWhat\033[0m")));
}

TEST(Documents, InMarkdown) {
    EXPECT_EQ(markdown_of(sample()), R"(# All

> **Warning:** Hot.
>

    parallax run

## What

One &#60;b&#62;.

**Two** is `2`.

- First.
- Second.

**Speeds**

| case | time |  |
| --- | ---: | --- |
| <code>a&#124;b</code> | 1 ms | n |
| c (cached) | 20 ms |  |

Log:

```text
x
  ^
```

<details><summary>Rest</summary>

- More.

</details>

)");
}

TEST(Documents, ForThePagesScripts) {
    const Document document = sample();
    const Json json = json_of(std::get<Section>(document.blocks.at(2)));
    EXPECT_EQ(json["title"], "What");
    EXPECT_EQ(json["open"], true);
    EXPECT_EQ(json["sentences"], Json({"One <b>.", "First.", "Second."}));
    EXPECT_EQ(json["grids"].at(0)["rows"].at(1)["tags"], Json({"cached"}));
    EXPECT_EQ(json["texts"].at(0)["heading"], "Log:");
}

TEST(Documents, ASectionTakesAThirdOfWhatIsLeftAndSaysWhatItLoses) {
    Section section{.title = "Many"};
    for (int i = 0; i < 100; ++i) section.say("Sentence " + std::to_string(i) + ".");
    const Document document{.title = {}, .blocks = {section, section}};
    const std::string text = markdown_of(document, 1800);
    EXPECT_LT(text.size(), 1800u);
    EXPECT_THAT(text, AllOf(HasSubstr("- Sentence 20.\n"), Not(HasSubstr("- Sentence 99.\n")),
                            HasSubstr("more lines left out: GitHub takes no longer text.")));
    EXPECT_THAT(text_of(document, 80, false), HasSubstr("Sentence 99."));
}

TEST(Documents, RangesWithoutTextsAreBarsOnATerminalAlone) {
    Grid grid{.title = {}, .columns = {"case", "interval"}};
    grid.columns[1].scale =
        Scale{.low = 0.9, .high = 1.1, .band_low = 0.98, .band_high = 1.02, .logarithmic = false};
    const auto add = [&](const char* name, double low, double value, double high) {
        grid.rows.push_back({.cells = {name, Cell("", {}, {}, Range{low, value, high})}});
    };
    add("a", 0.96, 1, 1.04);
    add("b", 1.04, 1.05, 1.06);
    add("c", 8, 9, 10);
    add("d", 0.5, 1, 2);
    const Document document{.title = {}, .blocks = {grid}};
    EXPECT_THAT(text_of(document, 60, false),
                testing::StartsWith("  case  0.9                 1                 1.1\n"));
    EXPECT_THAT(text_of(document, 25, false), HasSubstr("a"));
    EXPECT_THAT(markdown_of(document), HasSubstr("| case |\n| --- |\n| a |\n"));
    grid.columns[1].scale = {};
    EXPECT_THAT(text_of({.title = {}, .blocks = {grid}}, 60, false), Not(HasSubstr("█")));
}

}  // namespace
}  // namespace parallax::document_test

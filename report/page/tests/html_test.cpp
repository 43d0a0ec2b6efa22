// Tests the page as text: it is complete, contains the diff's JSON, and loads nothing.
#include <array>
#include <regex>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "report/diff/cases.hpp"
#include "report/markup.hpp"
#include "report/page/page.hpp"
#include "report/page/tests/synthetic.hpp"
#include "report/sweep/sweep_report.hpp"
#include "report/tests/diffs.hpp"
#include "report/texts/sidebyside_texts.hpp"
#include "report/wording.hpp"
#include "studies/explain/tests/explanations.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax::html_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr PageLibraries stand_in{.chart = "/* chart */", .highlight = "/* highlight */"};

std::string between(const std::string& text, std::string_view from, std::string_view to) {
    const auto start = text.find(from);
    if (start == std::string::npos) return {};
    const auto first = start + from.size();
    return text.substr(first, text.find(to, first) - first);
}

std::string data_of(const std::string& page, std::string_view id) {
    return between(page, "<script type=\"application/json\" id=\"" + std::string(id) + "\">",
                   "</script>");
}

std::size_t count_of(const std::string& text, std::string_view word) {
    std::size_t count = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
}

/// The diff as a page gives it back: what is not UTF-8 has been replaced in both.
Json as_text(const Json& json) {
    return Json::parse(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

TEST(JsonForScript, EscapesWhatMarkupIsMadeOf) {
    EXPECT_EQ(json_for_script(R"(["</script>&"])"), R"(["\u003c/script\u003e\u0026"])");
    EXPECT_EQ(json_for_script("\"\u2028\u2029\u2027\""), "\"\\u2028\\u2029\u2027\"");
    EXPECT_EQ(json_for_script("\xe2\x80"), "\xe2\x80");
    EXPECT_EQ(json_for_script(""), "");
}

TEST(HtmlPage, HoldsTheJsonOfTheDiff) {
    for (const std::size_t count : std::array<std::size_t, 4>{0, 1, 40, 400}) {
        const Diff diff = synthetic_diff(count);
        const std::string page = html_report(diff, {}, stand_in);
        EXPECT_TRUE(page.starts_with("<!doctype html>"));
        EXPECT_TRUE(page.ends_with("</html>\n"));
        EXPECT_EQ(Json::parse(data_of(page, "diff")), as_text(to_json(diff))) << count;
    }
}

TEST(HtmlPage, HoldsHostileTextsAsJsonOnly) {
    const std::string plain = html_report(synthetic_diff(1), synthetic_kernels(), stand_in);
    const std::string page = html_report(hostile_diff(), hostile_kernels(), stand_in);
    EXPECT_EQ(Json::parse(data_of(page, "diff")), as_text(to_json(hostile_diff())));
    EXPECT_THAT(page, HasSubstr(fmt::format("<article data-file=\"{}\" hidden>",
                                            html_text(printable(hostile_kernels()[0].file)))));
    EXPECT_THAT(data_of(page, "diff"), AllOf(Not(HasSubstr("<")), Not(HasSubstr(">")),
                                             Not(HasSubstr("&")), Not(HasSubstr("\u2028"))));
    for (const char* id : {"data", "details"}) {
        EXPECT_THAT(data_of(page, id), AllOf(Not(HasSubstr("<")), Not(HasSubstr("&")))) << id;
    }
    EXPECT_EQ(count_of(page, "<script"), count_of(plain, "<script"));
    EXPECT_EQ(count_of(page, "</script"), count_of(plain, "</script"));
    EXPECT_EQ(count_of(page, "<!--"), count_of(plain, "<!--"));
    // A {{word}} in a name is a name.
    EXPECT_THAT(data_of(page, "diff"), HasSubstr("{{chart.js}}"));
}

TEST(HtmlPage, AsksNobody) {
    const std::string page = html_report(synthetic_diff(1), synthetic_kernels(), stand_in);
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    const std::regex asks(R"((src|href|action)\s*=\s*["']?\s*(https?:|//)|url\(|@import|fetch\()"
                          R"(|XMLHttpRequest|WebSocket|sendBeacon)");
    EXPECT_FALSE(std::regex_search(page, asks));
    for (const char* markup : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"}) {
        EXPECT_THAT(std::string(page_part("page.js")), Not(HasSubstr(markup)));
    }
    EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(HtmlPage, BringsHighlightingForTextsOnly) {
    EXPECT_THAT(html_report(synthetic_diff(1), {}, stand_in),
                AllOf(HasSubstr(stand_in.chart), Not(HasSubstr(stand_in.highlight))));
    EXPECT_THAT(html_report(synthetic_diff(1), synthetic_kernels(), stand_in),
                AllOf(HasSubstr(stand_in.chart), HasSubstr(stand_in.highlight)));
}

TEST(HtmlPage, SaysWhatToInstall) {
    const auto message = [](const PageLibraries& libraries) -> std::string {
        try {
            html_report(synthetic_diff(1), synthetic_kernels(), libraries);
        } catch (const UsageError& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_THAT(message({.highlight = "x"}),
                AllOf(HasSubstr("libjs-chart.js"), HasSubstr("build")));
    EXPECT_THAT(message({.chart = "x"}), HasSubstr("libjs-highlight.js"));
    // Without sources highlight.js is not needed.
    EXPECT_NO_THROW(html_report(synthetic_diff(1), {}, {.chart = "x", .highlight = {}}));
}

TEST(HtmlPage, IsWhatTheReportGives) {
    const PageLibraries libraries = page_libraries();
    if (libraries.chart.empty()) {
        EXPECT_THROW(html_report(synthetic_diff(1), {}), UsageError);
        return;
    }
    EXPECT_EQ(html_report(synthetic_diff(1), {}), html_report(synthetic_diff(1), {}, libraries));
    for (const std::string_view library : {libraries.chart, libraries.highlight}) {
        EXPECT_EQ(library.find("</script"), std::string_view::npos);
        EXPECT_EQ(library.find("<!--"), std::string_view::npos);
    }
}

/// The strings of cells: a cell with a string alone is a string.
std::string text_of(const Json& cell) {
    return cell.is_string() ? cell.get<std::string>() : cell["text"].get<std::string>();
}

/// The one line of a report that has this title; empty: none or several.
std::string line_with(const std::string& report, const std::string& title) {
    std::istringstream lines(report);
    std::string found;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  " + title + " ")) continue;
        if (!found.empty()) return {};
        found = line;
    }
    return found;
}

TEST(HtmlPage, CellsOfCasesAreThoseOfTheTextAndOfMarkdown) {
    for (const Diff& diff : {synthetic_diff(40), test::small_diff(), test::stored_diff()}) {
        const std::string page = html_report(diff, {}, stand_in), markdown = markdown_report(diff);
        const Json cases = Json::parse(data_of(page, "data"))["cases"];
        // Wide enough for times next to statuses.
        const std::string text = text_report(diff, 250, false);
        ASSERT_EQ(cases["rows"].size(), diff.cases.size());
        for (const Json& row : cases["rows"]) {
            const std::string title = text_of(row["cells"][0]);
            const std::string line = line_with(text, title);
            ASSERT_FALSE(line.empty()) << title;
            EXPECT_THAT(markdown, HasSubstr(title));
            for (std::size_t i = 1; i < row["cells"].size(); ++i) {
                const std::string key = cases["columns"][i]["key"], cell = text_of(row["cells"][i]);
                // The terminal has no room for others, and a time says that it is ok.
                const bool is_brief = key == "verdict" || key == "ratio" ||
                                      key.starts_with("status") || key.starts_with("time");
                if (cell.empty() || cell == "ok" || !is_brief) continue;
                EXPECT_THAT(line, HasSubstr(cell)) << key;
                EXPECT_THAT(markdown, HasSubstr(cell)) << key;
            }
        }
    }
}

TEST(HtmlPage, SectionsAreThoseOfTheText) {
    const Diff diff = test::small_diff();
    const Json data = Json::parse(data_of(html_report(diff, {}, stand_in), "data"));
    const std::string text = text_report(diff, 5000, false);
    ASSERT_GE(data["sections"].size(), 5u);
    for (const Json& section : data["sections"]) {
        EXPECT_THAT(text, HasSubstr("\n" + section["title"].get<std::string>() + "\n"));
        for (const Json& sentence : section.value("sentences", Json::array())) {
            EXPECT_THAT(text, HasSubstr("\n  " + sentence.get<std::string>() + "\n"));
        }
    }
    EXPECT_THAT(text, HasSubstr(data["title"].get<std::string>() + ": " +
                                data["sentence"].get<std::string>() + "\n"));
    ASSERT_GE(data["answers"].size(), 4u);
    for (const Json& line : data["answers"]) {
        EXPECT_THAT("\n" + text, HasSubstr("\n" + line.get<std::string>() + "\n"));
    }
}

TEST(HtmlPage, WhatAProgramWouldTakeIsNotFolded) {
    Diff diff = test::small_diff();
    diff.programs.push_back({.name = "app", .seconds = 2, .kernel_seconds = 1});
    const Json data = Json::parse(data_of(html_report(diff, {}, stand_in), "data"));
    const Json& sections = data.at("sections");
    EXPECT_EQ(sections.at(0).at("title"), "The program");
    EXPECT_EQ(sections.at(0).value("open", false), true);
    EXPECT_FALSE(sections.at(1).contains("open"));
}

TEST(HtmlPage, ExplanationsAreThoseOfTheText) {
    Diff diff = synthetic_diff(40);
    const std::vector<Explanation> explanations = test::all_explanations();
    const Json details = Json::parse(data_of(html_report(diff, {}, stand_in), "details"));
    const std::vector<const CaseDiff*> order = report::by_weight(diff);
    for (std::size_t i = 0; i < explanations.size(); ++i) {
        const std::string text = text_report({explanations[i]}, 5000, false);
        const auto place = std::ranges::find(order, &diff.cases[i + 1]) - order.begin();
        const Json& why = details[static_cast<std::size_t>(place)]["why"];
        EXPECT_THAT(text, HasSubstr(why["answer"].get<std::string>()));
        for (const Json& section : why["sections"]) {
            for (const Json& grid : section.value("grids", Json::array())) {
                EXPECT_THAT(text, HasSubstr("\n" + grid["title"].get<std::string>() + "\n"));
                for (const Json& row : grid["rows"]) {
                    for (const Json& cell : row["cells"]) {
                        EXPECT_THAT(text, HasSubstr(text_of(cell)));
                    }
                }
            }
            for (const Json& sentence : section.value("sentences", Json::array())) {
                EXPECT_THAT(text, HasSubstr(sentence.get<std::string>()));
            }
            for (const Json& lines : section.value("texts", Json::array())) {
                EXPECT_THAT(text, HasSubstr(lines["heading"].get<std::string>()));
                EXPECT_TRUE(lines["difference"].get<bool>());
            }
        }
    }
}

TEST(HtmlPage, RatesHaveTheUnitsOfTheirTypes) {
    Diff diff = synthetic_diff(40);
    for (CaseDiff& c : diff.cases) c.key.type = "float";
    const std::string floats = html_report(diff, {}, stand_in);
    EXPECT_THAT(data_of(floats, "data"), HasSubstr("FLOP/s"));
    for (CaseDiff& c : diff.cases) c.key.type = "int";
    const std::string integers = html_report(diff, {}, stand_in);
    EXPECT_THAT(data_of(integers, "data"), AllOf(HasSubstr("OP/s"), Not(HasSubstr("FLOP/s"))));
    EXPECT_THAT(data_of(integers, "details"), Not(HasSubstr("FLOP/s")));
    EXPECT_THAT(std::string(page_part("page.js")), Not(HasSubstr("op/s")));
}

TEST(HtmlPage, ShowsTheTextsOfKernelsAsPagesOfTextsDo) {
    const std::vector<KernelTexts> kernels = synthetic_kernels();
    const std::string page = html_report(synthetic_diff(1), kernels, stand_in);
    EXPECT_THAT(page, HasSubstr("<article data-file=\"transpose.cl\" hidden>\n" +
                                html_of(kernels[0].texts, kernels[0].prelude, "f0x")));
    EXPECT_THAT(page, HasSubstr(html_of(kernels[1].texts, "", "f1x")));
}

TEST(SweepPage, HoldsTheGridAndAsksNobody) {
    const Suite suite{.name = "</script>"};
    const Variant variant{.name = "items"};
    SweepResult sweep{.points = {.suite = &suite, .variant = &variant}};
    sweep.points.axes = {{.name = "GROUP", .values = {64, 128}}};
    sweep.points.points = {{.values = {64}}, {.values = {128}}};
    sweep.devices.resize(1);
    sweep.devices[0].id = "cuda:0";
    sweep.devices[0].cells = {
        {.status = "ok", .seconds = 1e-3, .low = 9e-4, .high = 1.1e-3, .work = {.bytes = 3e9}},
        {.status = "missing"}};
    const std::string page = html_sweep(sweep, stand_in);
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    const Json data = Json::parse(data_of(page, "sweep"));
    EXPECT_EQ(data["title"], sweep.title());
    EXPECT_EQ(data["curve"]["lines"][0]["points"][0]["y"], 3000);
    EXPECT_EQ(data["curve"]["unit"], "GB/s");
    const std::string text = text_of(sweep_document(sweep), 100, false);
    for (const Json& row : data["points"]["rows"]) {
        for (const Json& cell : row["cells"]) EXPECT_THAT(text, HasSubstr(text_of(cell)));
    }
    EXPECT_EQ(page.find("{{"), std::string::npos) << "every word of the template was replaced";
    EXPECT_THAT(page, HasSubstr("function curveConfig("));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
    EXPECT_THROW(html_sweep(sweep, {.chart = "", .highlight = ""}), UsageError);
}

}  // namespace
}  // namespace parallax::html_test

// Tests the page as text: it is whole, it holds the diff's JSON, and it asks nobody for anything.
#include <array>
#include <regex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "report/page/page.hpp"
#include "report/page/parts.hpp"
#include "report/page/tests/synthetic.hpp"

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
    for (const std::size_t count : std::array<std::size_t, 4>{0, 1, 40, 2000}) {
        const Diff diff = synthetic_diff(count);
        const std::string page = page_of(diff, {}, stand_in);
        EXPECT_TRUE(page.starts_with("<!doctype html>"));
        EXPECT_TRUE(page.ends_with("</html>\n"));
        EXPECT_EQ(Json::parse(data_of(page, "diff")), as_text(to_json(diff))) << count;
    }
}

TEST(HtmlPage, HoldsWhatWasPublishedOfTheVariants) {
    Diff diff = synthetic_diff(1);
    diff.cases[0].suite = "transpose";
    diff.cases[0].variant = "padded";
    const Json published = Json::parse(data_of(page_of(diff, {}, stand_in), "published"));
    ASSERT_EQ(published.size(), 2u);
    EXPECT_THAT(published[0].get<std::string>(), HasSubstr("padded 30.3 GB/s on GeForce GTX 280"));
    diff.cases[0].suite = "of_nobody";
    EXPECT_EQ(data_of(page_of(diff, {}, stand_in), "published"), "[]");
}

TEST(HtmlPage, HoldsHostileTextsAsJsonOnly) {
    const std::string plain = page_of(synthetic_diff(1), synthetic_kernels(), stand_in);
    const std::string page = page_of(hostile_diff(), hostile_kernels(), stand_in);
    EXPECT_EQ(Json::parse(data_of(page, "diff")), as_text(to_json(hostile_diff())));
    EXPECT_EQ(Json::parse(data_of(page, "kernels"))[0]["opencl"], hostile_kernels()[0].opencl);
    EXPECT_THAT(data_of(page, "diff"), AllOf(Not(HasSubstr("<")), Not(HasSubstr(">")),
                                             Not(HasSubstr("&")), Not(HasSubstr("\u2028"))));
    EXPECT_THAT(data_of(page, "kernels"), Not(HasSubstr("<")));
    EXPECT_EQ(count_of(page, "<script"), count_of(plain, "<script"));
    EXPECT_EQ(count_of(page, "</script"), count_of(plain, "</script"));
    EXPECT_EQ(count_of(page, "<!--"), count_of(plain, "<!--"));
    // A {{word}} in a name is a name.
    EXPECT_THAT(data_of(page, "diff"), HasSubstr("{{chart.js}}"));
}

TEST(HtmlPage, AsksNobody) {
    const std::string page = page_of(synthetic_diff(1), synthetic_kernels(), stand_in);
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
    EXPECT_THAT(page_of(synthetic_diff(1), {}, stand_in),
                AllOf(HasSubstr(stand_in.chart), Not(HasSubstr(stand_in.highlight))));
    EXPECT_THAT(page_of(synthetic_diff(1), synthetic_kernels(), stand_in),
                AllOf(HasSubstr(stand_in.chart), HasSubstr(stand_in.highlight)));
}

TEST(HtmlPage, SaysWhatToInstall) {
    const auto message = [](const PageLibraries& libraries) -> std::string {
        try {
            page_of(synthetic_diff(1), synthetic_kernels(), libraries);
        } catch (const UsageError& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_THAT(message({.highlight = "x"}),
                AllOf(HasSubstr("libjs-chart.js"), HasSubstr("build")));
    EXPECT_THAT(message({.chart = "x"}), HasSubstr("libjs-highlight.js"));
    // Without texts highlight.js is not needed.
    EXPECT_NO_THROW(page_of(synthetic_diff(1), {}, {.chart = "x", .highlight = {}}));
}

TEST(HtmlPage, IsWhatTheReportGives) {
    const PageLibraries libraries = page_libraries();
    if (libraries.chart.empty()) {
        EXPECT_THROW(html_report(synthetic_diff(1), {}), UsageError);
        return;
    }
    EXPECT_EQ(html_report(synthetic_diff(1), {}), page_of(synthetic_diff(1), {}, libraries));
    for (const std::string_view library : {libraries.chart, libraries.highlight}) {
        EXPECT_EQ(library.find("</script"), std::string_view::npos);
        EXPECT_EQ(library.find("<!--"), std::string_view::npos);
    }
}

TEST(SweepPage, HoldsTheJsonAndAsksNobody) {
    const Json sweep{{"title", "</script>"}, {"over", Json::array()}};
    const std::string page = sweep_page_of(sweep, stand_in);
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    EXPECT_EQ(Json::parse(data_of(page, "sweep")), sweep);
    EXPECT_EQ(page.find("{{"), std::string::npos) << "every word of the template was replaced";
    EXPECT_THAT(page, HasSubstr("function curveConfig("));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
    EXPECT_THROW(sweep_page_of(sweep, {.chart = "", .highlight = ""}), UsageError);
}

}  // namespace
}  // namespace parallax::html_test

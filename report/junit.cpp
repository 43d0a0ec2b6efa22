// Renders tests and their outcomes as JUnit's XML.
#include "report/junit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "common/text/unique_values.hpp"
#include "report/markup.hpp"

namespace parallax::report {
namespace {

using Tests = std::vector<const TestResult*>;

double seconds_of(const TestResult& test) {
    return std::isfinite(test.seconds) && test.seconds > 0 ? test.seconds : 0;
}

std::string one_line(std::string_view text) {
    return html_text(printable(text));
}

std::string outcome_text(const TestResult& test) {
    const std::string message = html_text(test.message + repeat_words(test));
    switch (test.outcome) {
        case TestOutcome::failure:
            return fmt::format("      <failure type=\"{}\" message=\"{}\"/>\n", test.type, message);
        case TestOutcome::error:
            return fmt::format("      <error type=\"{}\" message=\"{}\"/>\n", test.type, message);
        case TestOutcome::skipped: return fmt::format("      <skipped message=\"{}\"/>\n", message);
        case TestOutcome::passed: break;
    }
    return {};
}

std::string text_of(const TestResult& test) {
    std::string inner = outcome_text(test);
    if (!test.details.empty()) {
        inner += fmt::format("      <system-out>{}</system-out>\n", html_text(test.details));
    }
    const std::string head =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.9f}\"",
                    one_line(test.classname), one_line(test.name), seconds_of(test));
    return inner.empty() ? head + "/>\n" : fmt::format("{}>\n{}    </testcase>\n", head, inner);
}

/// The attributes of a suite or of all.
std::string totals(const Tests& tests) {
    const auto count = [&](TestOutcome outcome) {
        return std::ranges::count(tests, outcome, &TestResult::outcome);
    };
    double seconds = 0;
    for (const TestResult* test : tests) seconds += seconds_of(*test);
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.9f}")",
                       tests.size(), count(TestOutcome::failure), count(TestOutcome::error),
                       count(TestOutcome::skipped), seconds);
}

}  // namespace

std::string repeat_words(const TestResult& test) {
    return test.repeat.empty() ? "" : " To repeat: " + test.repeat;
}

std::string first_error(std::string_view log) {
    for (const std::string_view line : lines_of(log)) {
        constexpr std::string_view word = "error";
        std::size_t end = line.find(word);
        if (end != line.npos) end = line.find_first_not_of(' ', end + word.size());
        if (end == line.npos || line[end] != ':') continue;
        return " " + clipped(printable(line.substr(line.find_first_not_of(' '))), 300);
    }
    return {};
}

std::string junit_text(const TestReport& report) {
    std::vector<std::pair<std::string_view, Tests>> suites;
    Tests all;
    for (const TestResult& test : report.tests) {
        all.push_back(&test);
        at_key(suites, test.suite).push_back(&test);
    }
    std::string properties;
    for (const auto& [name, value] : report.properties) {
        properties +=
            fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, one_line(value));
    }
    if (!properties.empty()) {
        properties = fmt::format("    <properties>\n{}    </properties>\n", properties);
    }
    std::string text =
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
                    report.name, totals(all));
    for (const auto& [name, tests] : suites) {
        text += fmt::format("  <testsuite name=\"{}\" {}>\n{}", one_line(name), totals(tests),
                            properties);
        for (const TestResult* test : tests) text += text_of(*test);
        text += "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

}  // namespace parallax::report

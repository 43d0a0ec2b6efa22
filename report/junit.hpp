// A report for CI: tests with their outcomes, in the XML that JUnit made common.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace parallax::report {

/// The outcome of a test for CI. `error`: it decided nothing.
enum class TestOutcome { passed, failure, error, skipped };

/// Strings are escaped by junit_text().
struct TestResult {
    std::string suite, classname, name;
    double seconds = 0;  ///< not finite or below 0: 0
    TestOutcome outcome = TestOutcome::passed;
    std::string type = {};     ///< of a failure or an error: `wrong`
    std::string message = {};  ///< unless it passed
    std::string details = {};  ///< shown with the test; may be empty
};

struct TestReport {
    std::string name;                                             ///< `parallax diff`
    std::vector<std::pair<std::string, std::string>> properties;  ///< of every suite
    std::vector<TestResult> tests;
};

/// Suites in the order of their first tests.
std::string junit_text(const TestReport&);

}  // namespace parallax::report

// A report for CI: tests with their outcomes, in the XML that JUnit made common.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parallax::report {

/// The outcome of a test for CI. `error`: it decided nothing.
enum class TestOutcome { passed, failure, error, skipped };

/// The type of a test whose case asked for a decision, and got none.
inline constexpr std::string_view undecided_test = "undecided";

/// A line of a source that a test is about, from 1 on.
struct SourcePlace {
    std::string file;
    std::size_t line = 0;
    std::string message = {};  ///< a compiler's; empty: the test's
    bool operator==(const SourcePlace&) const = default;
};

/// Strings are escaped by junit_text().
struct TestResult {
    std::string suite, classname, name;
    double seconds = 0;  ///< not finite or below 0: 0
    TestOutcome outcome = TestOutcome::passed;
    std::string type = {};     ///< of a failure or an error: `wrong`
    std::string message = {};  ///< unless it passed
    std::string details = {};  ///< shown with the test; may be empty
    /// The command that repeats it with its seed; empty: not known.
    std::string repeat = {};
    /// For SARIF, which asks for them, unless it passed; sources are read then.
    std::function<std::vector<SourcePlace>()> places = {};
};

/// ` To repeat: parallax run ...`; empty where the command is not known.
std::string repeat_words(const TestResult&);

/// ` mine.cl:4:27: error: what`, with a blank before it: the first error of a compiler's log;
/// empty: it has none.
std::string first_error(std::string_view log);

struct TestReport {
    std::string name;                                             ///< `parallax diff`
    std::vector<std::pair<std::string, std::string>> properties;  ///< of every suite
    std::vector<TestResult> tests;
};

/// Suites in the order of their first tests.
std::string junit_text(const TestReport&);

}  // namespace parallax::report

// Turns the records of a run into tests for CI.
#include <algorithm>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "report/junit.hpp"
#include "report/run/run_table.hpp"
#include "report/wording.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t longest_message = 500;

TestResult test_of(const Record& record, bool strict) {
    TestResult test{.suite = record.key.suite,
                    .classname = record.key.name(),
                    .name = fmt::format("{} on {}", to_string(record.key), record.device),
                    .seconds = record.seconds()};
    std::ranges::replace(test.classname, '/', '.');
    const std::string_view word = status_word(record.status, record.doubts);
    const std::string_view not_strict = strict ? strict_failure(record) : "";
    const bool doubtful = is_doubtful(record.status, record.doubts);
    if (is_right(record.status) && !doubtful && not_strict.empty()) return test;
    const bool fails =
        record.status == Status::wrong || record.status == Status::failed || !not_strict.empty();
    test.outcome = fails ? TestOutcome::failure : TestOutcome::skipped;
    test.type = not_strict.empty() ? word : not_strict;
    const std::string why = doubtful ? sentences_of(record.doubts) : record.reason;
    test.message = fmt::format("{}: {}", test.type, clipped(printable(why), longest_message));
    test.details = harmless(record.reason + (record.log.empty() ? "" : "\n" + record.log));
    return test;
}

}  // namespace

std::string run_junit(const std::vector<Record>& records, bool strict) {
    TestReport report{.name = "parallax run", .properties = {}, .tests = {}};
    for (const Record& record : records) report.tests.push_back(test_of(record, strict));
    return junit_text(report);
}

}  // namespace parallax::report

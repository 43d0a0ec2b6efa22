// Turns the records of a run into tests for CI.
#include "report/run/run_junit.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/junit.hpp"
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
    const bool is_right = record.status == Status::ok || record.status == Status::checked;
    const bool doubtful = is_doubtful(record.status, record.doubts);
    if (is_right && !(strict && doubtful)) return test;
    const bool fails = record.status == Status::wrong || record.status == Status::failed ||
                       (strict && (doubtful || record.status == Status::refused));
    test.outcome = fails ? TestOutcome::failure : TestOutcome::skipped;
    test.type = doubtful ? "doubtful" : name_of(record.status);
    const std::string why =
        doubtful ? fmt::format("{}", fmt::join(remarks_of({}, record.doubts), " ")) : record.reason;
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

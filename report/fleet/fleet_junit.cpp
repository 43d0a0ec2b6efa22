// A fleet as tests for CI.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/junit.hpp"
#include "report/wording.hpp"

namespace parallax {
namespace {

using namespace report;

/// Why a device fails in CI; empty: it does not.
struct FleetFailure {
    std::string type;
    std::vector<std::string> messages;

    void add(std::string_view what, std::string message) {
        if (type.empty()) type = what;
        messages.push_back(std::move(message));
    }
};

}  // namespace

std::string fleet_junit(const FleetView& view) {
    const FleetRecords& fleet = view.fleet;
    std::map<std::uint32_t, FleetFailure> failures;
    for (const FleetTrouble& one : view.report.troubles) {
        failures[one.device].add(
            one.answers.wrong > 0 ? "wrong" : "failed",
            fmt::format("{}: {} wrong, {} failed of {}: {}", fleet.cases[one.the_case].title,
                        one.answers.wrong, one.answers.failed, counted(one.answers.runs, "run"),
                        one.answers.reason));
    }
    for (const FleetFigure& one : view.report.devices) {
        if (!one.is_slow()) continue;
        failures[one.devices.front()].add(
            "slow", fmt::format("{}: {} from its peers, z {:+.1f}", name_of(one.kind),
                                deviation_text(one.deviation), one.z));
    }
    for (const FleetFigure& one : view.report.nodes) {
        if (!one.is_slow()) continue;
        for (const std::uint32_t device : one.devices) {
            failures[device].add(
                "slow node", fmt::format("{}: its node is {} from others, z {:+.1f}",
                                         name_of(one.kind), deviation_text(one.deviation), one.z));
        }
    }
    TestReport report{.name = "parallax fleet", .properties = {}, .tests = {}};
    for (const std::uint32_t i : fleet.in_place()) {
        const FleetDevice& device = fleet.devices[i];
        TestResult test{.suite = device.model,
                        .classname = device.model,
                        .name = fmt::format("{} {}", device.place(), device.identity())};
        if (const auto failure = failures.find(i); failure != failures.end()) {
            test.outcome = TestOutcome::failure;
            test.type = failure->second.type;
            test.message =
                printable(fmt::format("{}", fmt::join(failure->second.messages, "; ")), 4000);
        } else if (device.is_busy()) {
            test.outcome = TestOutcome::skipped;
            test.message = "busy: " + busy_text(device);
        }
        std::string facts = fmt::format("UUID: {}\n", device.identity());
        for (const auto& [fact, values] : device.facts) {
            facts += fmt::format("{}: {}\n", fact, fmt::join(values, " and "));
        }
        test.details = harmless(facts);
        report.tests.push_back(std::move(test));
    }
    for (const FleetMissing& one : view.report.missing) {
        for (std::size_t i = 0; i < one.expected - one.found; ++i) {
            const std::string name =
                i < one.uuids.size() ? one.uuids[i] : fmt::format("missing {}", i + 1);
            report.tests.push_back(
                {.suite = "missing",
                 .classname = "missing",
                 .name = fmt::format("{} {}", one.host, name),
                 .outcome = TestOutcome::error,
                 .type = "missing",
                 .message = fmt::format("{} of {} devices have records", one.found, one.expected)});
        }
    }
    std::ranges::stable_sort(report.tests, {}, &TestResult::suite);
    return junit_text(report);
}

}  // namespace parallax

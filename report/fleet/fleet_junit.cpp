// The report of a fleet in JUnit's XML.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/fleet/fleet_parts.hpp"
#include "report/texts/html_words.hpp"
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

std::string test_case(std::string_view model, std::string_view name, std::string_view inner) {
    return fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n{}    </testcase>\n",
                       html_text(printable(model)), html_text(printable(name)), inner);
}

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
    struct Tests {
        std::string text;
        std::size_t count = 0, failures = 0, errors = 0, skipped = 0;
    };
    std::map<std::string, Tests> suites;
    for (const std::uint32_t i : fleet.in_place()) {
        const FleetDevice& device = fleet.devices[i];
        Tests& tests = suites[device.model];
        std::string inner;
        if (const auto failure = failures.find(i); failure != failures.end()) {
            ++tests.failures;
            inner = fmt::format(
                "      <failure type=\"{}\" message=\"{}\"/>\n", failure->second.type,
                html_text(
                    printable(fmt::format("{}", fmt::join(failure->second.messages, "; ")), 4000)));
        }
        if (inner.empty() && device.is_busy()) {
            ++tests.skipped;
            inner = fmt::format("      <skipped message=\"busy: {}\"/>\n",
                                html_text(busy_text(device)));
        }
        std::string facts = fmt::format("UUID: {}\n", device.identity());
        for (const auto& [fact, values] : device.facts) {
            facts += fmt::format("{}: {}\n", fact, fmt::join(values, " and "));
        }
        inner += fmt::format("      <system-out>{}</system-out>\n", html_text(harmless(facts)));
        ++tests.count;
        tests.text +=
            test_case(device.model, fmt::format("{} {}", device.place(), device.identity()), inner);
    }
    for (const FleetMissing& one : view.report.missing) {
        Tests& tests = suites["missing"];
        for (std::size_t i = 0; i < one.expected - one.found; ++i) {
            ++tests.count;
            ++tests.errors;
            tests.text += test_case(
                "missing",
                fmt::format("{} {}", one.host,
                            i < one.uuids.size() ? one.uuids[i] : fmt::format("missing {}", i + 1)),
                fmt::format("      <error type=\"missing\" message=\"{} of {} devices have "
                            "records\"/>\n",
                            one.found, one.expected));
        }
    }
    std::string out =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"parallax fleet\">\n";
    for (const auto& [name, tests] : suites) {
        out += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
            "skipped=\"{}\">\n{}  </testsuite>\n",
            html_text(printable(name)), tests.count, tests.failures, tests.errors, tests.skipped,
            tests.text);
    }
    return out + "</testsuites>\n";
}

}  // namespace parallax

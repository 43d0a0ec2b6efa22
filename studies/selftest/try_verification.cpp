// Shows the verifier kernels with planted errors, on a device.
#include <fmt/format.h>

#include "common/error.hpp"
#include "measure/device_handle.hpp"
#include "measure/device_lock.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"
#include "studies/selftest/selftest.hpp"
#include "suites/planted.hpp"

namespace parallax {

VerificationTally try_verification(const Entry& entry, std::uint64_t seed, double budget_seconds,
                                   const std::function<void()>& check) {
    VerificationTally tally;
    const BudgetClock clock;
    DeviceHandle handle(entry);
    handle.device();  // one that cannot be opened is said before anything is tried
    ReferenceCache references(std::uint64_t{1} << 28);
    for (const Planted& planted : planted_errors()) {
        if (planted.is_race || planted.finding == ExpectedFinding::blind ||
            planted.finding == ExpectedFinding::unfit)
            continue;
        const Case c = case_of(planted);
        if (!missing_capability(entry.info, c).empty()) continue;
        check();
        if (clock.elapsed() > budget_seconds) {
            ++tally.untried;
            continue;
        }
        bool noticed = true;
        try {
            const Program program = program_with(planted, c);
            Device& device = handle.device();
            const Codes codes = build(device, program, plan_of(c));
            noticed = !verify_case(device, c, program, codes, seed, references).right();
        } catch (const Unsupported&) {
            continue;  // a kind of memory or of queue that the backend has not
        } catch (const DeviceError& error) {
            // An access that the device does not let pass; the context is dead.
            handle.reopen(watchdog_name(entry.info, c), error.what());
            if (handle.is_lost()) {
                tally.ended_by =
                    fmt::format("{}/{}: {}", planted.suite, planted.variant, planted.name);
            }
        }
        ++tally.planted;
        tally.noticed += noticed;
        if (!tally.ended_by.empty()) break;
        if (!noticed) {
            tally.missed.push_back(
                fmt::format("{}/{}: {}", planted.suite, planted.variant, planted.name));
        }
    }
    return tally;
}

}  // namespace parallax

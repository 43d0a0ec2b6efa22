// Counts outcomes, and estimates the remaining time.
#include "measure/progress.hpp"

#include <algorithm>

namespace parallax {

void Progress::estimate(double elapsed, double budget) {
    elapsed_seconds = elapsed;
    const double by_pace =
        done > 0 ? elapsed / static_cast<double>(done) * static_cast<double>(total - done) : budget;
    left_seconds = std::max(0.0, std::min(by_pace, budget - elapsed));
}

void Totals::add(const Record& record, bool is_asked_for) {
    not_strict += is_asked_for && !strict_failure(record).empty();
    switch (record.status) {
        case Status::ok:
        case Status::checked:
            (is_doubtful(record.status, record.doubts) ? doubtful : ok) += is_asked_for;
            break;
        case Status::wrong: ++wrong; break;
        case Status::failed: ++failed; break;
        case Status::unsupported: unsupported += is_asked_for; break;
        case Status::refused: refused += is_asked_for; break;
        case Status::skipped: skipped += is_asked_for; break;
    }
}

int exit_code(const Totals& totals, bool strict) {
    if (totals.wrong > 0) return 1;
    if (totals.failed + totals.lost_devices > 0) return 6;
    if (strict && totals.not_strict > 0) return 1;
    return totals.ok + totals.doubtful == 0 ? 5 : 0;
}

}  // namespace parallax

// The comparisons of a live diff: their order, and the result of each.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "measure/paired_timer.hpp"
#include "records/explanation.hpp"
#include "studies/diff/live_diff_context.hpp"

namespace parallax {

/// One case in this number is also measured against itself, on each side.
inline constexpr std::size_t cases_per_self_check = 12;

/// A case on both sides, or on one side against itself.
struct PairedComparison {
    std::size_t number = 0;  ///< of the case
    Both<DeviceSession*> device_sessions;
    Both<DeviceSession::VerifiedCase> checked;  ///< the case alone, of one that is against itself
    bool self = false;
    std::unique_ptr<PairedTimer> turns;  ///< null: they have not begun, or have ended
    double late_seconds = 0;  ///< that it takes at least, where that is as long as many others

    /// As A runs it; B may have other constants.
    const Case& the_case() const { return checked.a.outcome.the_case; }
};
using Contests = std::vector<std::unique_ptr<PairedComparison>>;

/// Compares verified cases, and stores the results.
class ComparisonScheduler {
public:
    explicit ComparisonScheduler(LiveDiffContext& live) : live_(live) {}

    /// Times them alternately; where one side alone is right, that one. Some are compared with
    /// themselves, too. What would take as long as many others is put off.
    /// @param ask_ahead  gives the pool work for later blocks: called while it disturbs nothing
    /// @throws Interrupted
    void compare(std::vector<std::pair<std::size_t, Both<DeviceSession::VerifiedCase>>>&& numbered,
                 std::function<void()> ask_ahead);
    /// Compares what was put off, as far as there is time.
    void compare_late();
    /// Seconds that are to be left for that: half of what there is, and enough for one at least.
    double reserved() const;
    /// Whether a case is to be measured against itself.
    bool is_self_checked(std::size_t number) const;

private:
    void add_self_check(Contests&, std::size_t number, const Case&, DeviceSession&,
                        DeviceSession& again);
    void compare_all(Contests);
    std::size_t count_with_room(const Contests&) const;
    PairRule rule(std::size_t together) const;
    void compare_some(Contests&);
    void drop_ended(Contests&);
    void drop_self_checks(Contests&, std::size_t number);
    void prepare(Contests&);
    unsigned generations() const;
    bool prepare_both(PairedComparison&);
    bool prepare_self(PairedComparison&);
    bool take_turn(PairedComparison&, const Contests& all);
    void keep_timed(PairedComparison&);
    void keep_records(const PairedComparison&);

    LiveDiffContext& live_;
    std::function<void()> ask_ahead_;  ///< of the block that is compared
    Contests late_;
    bool is_late_ = false;              ///< those are measured now
    unsigned done_self_ = 0, due_ = 0;  ///< self-checks
};

}  // namespace parallax

// Turns knobs on one side or on both, measures what that does, and chooses which are tried.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "studies/explain/conclude.hpp"
#include "studies/explain/explain_context.hpp"
#include "studies/explain/likely.hpp"

namespace parallax {

/// One knob in one position.
struct Turned {
    const Knob* knob = nullptr;
    KnobChange change;
    Likelihood likelihood = Likelihood::unknown;

    /// Whether it is the same knob in the same position, of this side or of the other.
    bool is_alike(const Turned& other) const {
        return knob == other.knob && (change.alike.empty() ? change.setting == other.change.setting
                                                           : change.alike == other.change.alike);
    }
};

/// Trials end while this share of the budget is left for combinations and the last measurement.
inline constexpr double last_share = 0.15;

class Trials {
public:
    /// @param explained  both sides of it passed verification and were timed; it outlives this
    explicit Trials(ExplainContext& explained) : s_(explained) {}

    /// Every knob that a side has, in every position that it is not in and that changes something.
    std::vector<Turned> changes_on(bool is_b) const;
    /// Trials do not depend on each other: the pool builds them while others are judged.
    void ask_ahead(const std::vector<Turned>&, bool is_b) const;
    /// Turns these knobs on one side or on both, and measures: a trial more. It is skipped where
    /// these changes, or some of them, failed in a launch before: a fault is tried once.
    void turn(const std::vector<Turned>&, KnobSide);
    /// Whether a trial that takes as long as the longest one leaves this share of the budget.
    bool has_time(double share) const;
    /// Mean seconds of a trial, building included; nothing: there was none.
    std::optional<double> mean_seconds() const;
    /// Takes one that was measured elsewhere, and cannot be turned again.
    void add(Trial, TrialWords);
    /// Measures that trial once more, and exactly.
    void measure_again(std::size_t place);
    /// Whether the trial explains the gap, and is a remedy as things are.
    bool is_cause(std::size_t place) const;
    bool is_explained() const;

    /// A text of this kernel alone is as fast: the trials that follow are built without the others.
    void set_lean(bool neutral) { lean_is_neutral_ = neutral; }

    const std::vector<Trial>& all() const { return all_; }
    /// The reasons of each trial.
    const std::vector<TrialWords>& reasons() const { return reasons_; }
    bool is_trade(std::size_t place) const { return reasons_[place].trade; }
    /// The changes of each trial that was measured.
    const std::vector<Turned>& what(std::size_t place) const { return what_[place]; }

private:
    /// The combined change of several knobs.
    struct Changed {
        bool after_ptx = false, is_opened_anew = false, lean = false, of_registers = false;
        TrialWords words;
    };
    /// As turn(); it is skipped where it would not end within the budget.
    void turn_in_time(const std::vector<Turned>&, KnobSide);
    Changed changed_by(const std::vector<Turned>&, Trial&) const;
    bool is_had_there(const Turned&) const;
    /// The changes, in the words of that side.
    std::vector<Turned> said_on(const std::vector<Turned>&, bool is_b) const;
    /// @param same  whether the compilers' output is unchanged
    /// @returns the outcome that cannot be built; null: all can
    const Outcome* build_changed(const std::vector<Turned>&, KnobSide, const Changed&,
                                 Both<Configuration>&, Both<Built>&, bool& same);
    /// Builds, or takes, what was not changed, and makes both sides ready. @returns as above
    const Outcome* complete(const Both<Configuration>&, Both<Built>&);
    bool did_something(const Trial&) const;
    void verify(Trial&, Both<Built>&);
    /// Verifies what was changed at a small size. @returns as above
    const Outcome* look_first(Both<Built>&);
    /// The side on which these changes, or some of them, failed in a launch; nothing: none did.
    std::optional<KnobSide> failed_before(const std::vector<Turned>&) const;
    /// Remembers what failed in a launch of a changed side.
    void note_failures(const std::vector<Turned>&, KnobSide, const Both<Built>&);
    const Outcome& unchanged(bool is_b);
    void measure(Trial&, const Both<Configuration>&, Both<Built>&, double seconds,
                 bool exact = false);
    /// The gap without a change, by the timer that measures these; null: it could not be measured.
    const Ratio* gap_by_timer_of(const Both<Configuration>&);
    double own_change(const Trial&, const Ratio& gap, const Both<Configuration>&,
                      const Both<Built>&) const;
    /// For a change of both sides: the slower side with it and without, timed alternately.
    std::optional<double> own_change_again(const Both<Configuration>&, Both<Built>&);
    /// Whether the changed side has as many registers and spills as before, as far as is known.
    bool has_same_registers(const Trial&, const Both<Built>&) const;
    void explain_by_resources(Trial&, const Both<Built>&, bool disassembled) const;
    void end(Trial&, TrialStatus, std::string why, TrialWords);
    void end_badly(Trial&, const Outcome&, TrialWords);

    ExplainContext& s_;
    Both<Built> lean_;
    bool lean_is_neutral_ = false;
    struct {
        bool tried = false;
        std::optional<Ratio> ratio;
    } host_gap_;          ///< by the host's timer
    double slowest_ = 0;  ///< seconds that one of the last trials took, building included, at most
    double seconds_ = 0;  ///< of all trials that were made
    std::size_t made_ = 0;
    std::vector<Trial> all_;
    std::vector<TrialWords> reasons_;
    std::vector<std::vector<Turned>> what_;
    std::vector<std::pair<std::vector<Turned>, KnobSide>> failed_;  ///< in a launch, on that side
};

/// Turns the knobs of the slower side, until one explains the gap at no cost and a closer
/// look confirms it, or all of them where the request says so. Where none does, the best ones on
/// both sides, their combinations, and the knobs of the other side.
/// @param before_rest  other experiments, made where no knob of the slower side explains the gap
/// @returns whether the conclusion was drawn on the way
bool turn_knobs(ExplainContext&, Trials&, const std::function<void()>& before_rest);

/// Draws the conclusion, into the context's explanation. The trial that it names is measured once
/// more, with kernels at another place in every round, and on both sides where that can be: a cause
/// makes the two alike there too.
void conclude_twice(ExplainContext&, Trials&);

/// Adds to the conclusion what makes one side faster and is not the cause: changes that give no
/// exactness up, passed verification, and are measured once more.
void add_gains(ExplainContext&, Trials&);

}  // namespace parallax

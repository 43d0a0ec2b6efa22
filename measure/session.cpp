// Runs cases on devices in turn, within the budget, ceilings first.
#include "measure/session.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "measure/pace.hpp"
#include "measure/seat.hpp"
#include "measure/sizing.hpp"

namespace parallax {
namespace {

/// Share of a case's time that one run of it should take at most: the gate and all batches of all
/// rounds have to fit.
constexpr double run_share = 1.0 / 800;
/// Host time for all batches of a case, where every suite has its turn.
constexpr double overview_seconds = 0.15;

class Session {
public:
    Session(const Request& request, const std::vector<Entry>& entries, const RunContext& context,
            const RunInfo& run, const Listener& listener)
        : request_(request),
          listener_(listener),
          run_(run),
          cases_(request.is_overview()    ? by_worth(expand(request))
                 : request.points.empty() ? expand(request)
                                          : request.points),
          pace_(request.budget_seconds),
          setup_(context, entries) {
        for (const Entry& entry : entries) seats_.emplace_back(entry, setup_);
        if (request.is_overview()) {
            setup_.context.is_brief = true;
            setup_.context.rule.rounds = 1;
            setup_.context.rule.most_seconds = overview_seconds;
        }
        for (const Case& c : cases_) {
            types_.insert(c.type);
            program_of(c, setup_.context);  // a file that is missing is said before anything runs
        }
        // Who asks for nothing else wants them measured.
        setup_.context.fresh_ceilings = setup_.context.fresh_ceilings || cases_.empty();
        if (types_.empty()) {
            const std::vector<ElementType> types = ceiling_types();
            types_.insert(types.begin(), types.end());
        }
        refuse_what_fits_nowhere();
        count_what_is_to_do();
    }

    Totals run() {
        std::erase_if(seats_, [this](Seat& seat) { return !is_open(seat); });
        count_what_is_to_do();
        for (const Case& c : cases_) {
            for (Seat& seat : seats_) setup_.ask_build(seat.device(), c);
        }
        for (Seat& seat : seats_) measure_ceilings(seat);
        for (std::size_t done = 0; !seats_.empty() && done < cases_.size();) {
            done += run_block(done);
        }
        if (totals_.ok + totals_.wrong + totals_.failed == 0 && !refusal_.empty()) {
            throw UsageError(refusal_);
        }
        return totals_;
    }

private:
    void count_what_is_to_do() {
        progress_.total = (cases_.size() + ceiling_cases(types_).size()) * seats_.size();
    }

    Case sized_for(const Case& c, const Seat& seat) {
        Case sized = c;
        if (sized.shape.extents.empty()) sized.shape = open_shape(c, seat);
        return sized;
    }

    std::vector<ElementType> ceiling_types() const {
        return request_.types.empty() ? std::vector{ElementType::f32} : request_.types;
    }

    bool is_open(Seat& seat) {
        try {
            seat.device();
            return true;
        } catch (const Error& error) {
            ++totals_.lost_devices;
            if (listener_.trouble) listener_.trouble(error.what());
            return false;
        }
    }

    /// Some cases on all devices: checked on all of them, side by side as far as there is a crew,
    /// and timed one after the other. @returns how many
    std::size_t run_block(std::size_t first) {
        const std::span<const Case> rest = std::span(cases_).subspan(first);
        std::vector<std::pair<Seat*, Case>> sized;
        std::size_t count = rest.size();
        for (Seat& seat : seats_) {
            std::vector<Case> own;
            for (const Case& c : rest.first(std::min(most_in_block, rest.size()))) {
                own.push_back(sized_for(c, seat));
            }
            count = std::min(count, setup_.block_of(own));
        }
        for (const Case& c : rest.first(count)) {
            for (Seat& seat : seats_) sized.emplace_back(&seat, sized_for(c, seat));
        }
        pace_.begin_block();
        if (pace_.left() > 0) {
            for (const auto& [seat, c] : sized) {
                setup_.ask_workloads(seat->entry.info, c);
                seat->check_ahead(c, [this] { return pace_.may_check(); });
            }
        }
        std::vector<Seat::Checked> checked;
        try {
            for (const auto& [seat, c] : sized) checked.push_back(check(*seat, c));
        } catch (const Interrupted&) {
            keep_what_ended(sized, checked);
            throw;
        }
        count = first_not_reached(checked, count);
        const Crew::Rest rest_of_crew(setup_.context.crew);
        for (std::size_t i = 0; i < count * seats_.size(); ++i) {
            time_one(*sized[i].first, std::move(checked[i]), count * seats_.size() - i - 1, false);
        }
        return count;
    }

    /// The cases that the block's time was enough for, one at least: the rest come next.
    std::size_t first_not_reached(const std::vector<Seat::Checked>& checked,
                                  std::size_t count) const {
        if (pace_.left() <= 0) return count;
        const auto skipped = std::ranges::find_if(checked, [](const Seat::Checked& one) {
            return one.outcome.status == Status::skipped;
        });
        const auto reached = static_cast<std::size_t>(skipped - checked.begin()) / seats_.size();
        return std::clamp<std::size_t>(reached, 1, count);
    }

    /// Of an interrupted block, those that came to an end without being timed.
    void keep_what_ended(const std::vector<std::pair<Seat*, Case>>& sized,
                         const std::vector<Seat::Checked>& checked) {
        for (std::size_t i = 0; i < checked.size(); ++i) {
            const Outcome& o = checked[i].outcome;
            if (o.status == Status::ok || o.status == Status::skipped || !listener_.record)
                continue;
            listener_.record(to_record(o, sized[i].first->entry.info, run_));
        }
    }

    // Of sizes that somebody asked for. A suite's own that is too large here is `unsupported`.
    void refuse_what_fits_nowhere() const {
        if (request_.shapes.empty() || seats_.empty()) return;
        for (const Case& c : cases_) {
            const Plan plan = plan_of(c);
            std::string reason;
            const bool nowhere = std::ranges::all_of(seats_, [&](const Seat& seat) {
                reason = too_large(seat.entry.info, plan);
                return !reason.empty();
            });
            if (nowhere) throw UsageError(fmt::format("{}: {}", c.title(), reason));
        }
    }

    void tell(const std::string& what) {
        progress_.what = what;
        progress_.elapsed_seconds = pace_.elapsed();
        const double by_pace =
            progress_.done > 0 ? progress_.elapsed_seconds / static_cast<double>(progress_.done) *
                                     static_cast<double>(progress_.total - progress_.done)
                               : request_.budget_seconds;
        progress_.left_seconds =
            std::max(0.0, std::min(by_pace, request_.budget_seconds - progress_.elapsed_seconds));
        if (listener_.progress) listener_.progress(progress_);
    }

    Outcome run_one(Seat& seat, const Case& c) {
        pace_.begin_block();
        Seat::Checked checked = seat.check(c, [] { return true; });
        setup_.get_workload(seat.entry.info, checked.outcome);
        const Crew::Rest rest(setup_.context.crew);
        return time_one(seat, std::move(checked), 0, true);
    }

    Seat::Checked check(Seat& seat, const Case& c) {
        tell(fmt::format("{} {}", seat.entry.info.id(), c.title()));
        const HostClock::time_point begin = HostClock::now();
        Seat::Checked checked = seat.check(c, [this] { return pace_.may_check(); });
        setup_.get_workload(seat.entry.info, checked.outcome);
        if (checked.outcome.status != Status::skipped) pace_.note_check(seconds_since(begin));
        return checked;
    }

    /// @param checked_too  cases to be timed after it that are checked already
    Outcome time_one(Seat& seat, Seat::Checked checked, std::size_t checked_too, bool is_ceiling) {
        tell(fmt::format("{} {}", seat.entry.info.id(), checked.outcome.the_case.title()));
        const std::size_t to_do = progress_.total - progress_.done;
        const HostClock::time_point begin = HostClock::now();
        seat.renew(checked);
        Outcome outcome = std::move(checked.outcome);
        if (outcome.status == Status::ok && !is_ceiling && pace_.left() <= 0) {
            outcome.status = Status::skipped;
        }
        if (outcome.status == Status::ok) {
            RunContext context = setup_.context;
            const std::size_t later = to_do > checked_too ? to_do - checked_too - 1 : 0;
            context.rule.most_seconds =
                std::clamp(pace_.for_one(to_do, later), 0.05, context.rule.most_seconds);
            time_case(seat.device(), context, outcome);
            if (outcome.status == Status::failed) seat.reopen();
        }
        note_cost(seconds_since(begin), outcome);
        const std::string trouble = seat.take_trouble();
        if (!trouble.empty() && listener_.trouble) listener_.trouble(trouble);
        if (outcome.status == Status::skipped) {
            outcome.reason =
                fmt::format("The budget of {:g} s was used up. Give more with --budget.",
                            request_.budget_seconds);
        }
        count(outcome, is_ceiling);
        ++progress_.done;
        if (listener_.record) listener_.record(to_record(outcome, seat.entry.info, run_));
        return outcome;
    }

    // Building and checking take their time too: what is left for measuring is learned on the way.
    void note_cost(double seconds, const Outcome& outcome) {
        if (!outcome.timing) return;
        const Timing& timing = *outcome.timing;
        double measuring = 0;
        for (std::size_t i = 0; i < timing.host_samples.size(); ++i) {
            measuring += timing.host_samples[i] * timing.repeats.at(timing.round[i]);
        }
        pace_.note_timing(std::max(0.0, seconds - measuring));
    }

    void count(const Outcome& outcome, bool is_ceiling) {
        const bool asked_for = !is_ceiling || cases_.empty();
        switch (outcome.status) {
            case Status::ok: totals_.ok += asked_for; break;
            case Status::wrong: ++totals_.wrong; break;
            case Status::failed: ++totals_.failed; break;
            case Status::unsupported: totals_.unsupported += asked_for; break;
            case Status::skipped: totals_.skipped += asked_for; break;
        }
        if (outcome.refused) refusal_ = outcome.reason;
    }

    void measure_ceilings(Seat& seat) {
        seat.ceilings = measured_ceilings(
            seat.entry.info, types_, setup_.context, run_,
            {.device = [&] { return seat.device_or_null(); },
             .run =
                 [&](const Case& c) { return to_record(run_one(seat, c), seat.entry.info, run_); },
             .take =
                 [&](const Record& kept) {
                     ++progress_.done;
                     if (listener_.record) listener_.record(kept);
                 }});
    }

    /// The shape that tells most on all entries of the same physical device: both sides of a
    /// comparison run the same.
    Shape shape_for(const Case& c, const Seat& seat) const {
        std::vector<Sized> devices;
        for (const Seat& other : seats_) {
            if (other.entry.physical != seat.entry.physical) continue;
            devices.push_back({&other.entry.info, other.ceiling_of(c.type)});
        }
        return telling_shape(
            c, devices, run_share * request_.budget_seconds / static_cast<double>(progress_.total));
    }

    /// The same for all points with the same shapes: the smallest that suits one of them.
    Shape open_shape(const Case& c, const Seat& seat) {
        if (request_.points.empty()) return shape_for(c, seat);
        const std::vector<Shape>& shapes = shapes_of(*c.suite, *c.variant);
        const auto [known, is_new] = shape_of_points_.try_emplace({seat.entry.physical, &shapes});
        if (!is_new) return known->second;
        std::size_t smallest = shapes.size() - 1;
        for (const Case& point : cases_) {
            if (!point.shape.extents.empty()) continue;
            if (&shapes_of(*point.suite, *point.variant) != &shapes) continue;
            const auto at = std::ranges::find(shapes, shape_for(point, seat)) - shapes.begin();
            smallest = std::min(smallest, static_cast<std::size_t>(at));
        }
        known->second = shapes[smallest];
        return known->second;
    }

    const Request& request_;
    const Listener& listener_;
    const RunInfo& run_;
    std::vector<Case> cases_;
    Pace pace_;
    std::list<Seat> seats_;
    std::set<ElementType> types_;
    Progress progress_;
    Totals totals_;
    std::string refusal_;
    /// The shape that was chosen for each physical device and list of shapes.
    std::map<std::pair<unsigned, const std::vector<Shape>*>, Shape> shape_of_points_;
    Setup setup_;  ///< the last: its crew ends before the devices
};

}  // namespace

Totals run_session(const Request& request, const std::vector<Entry>& entries,
                   const RunContext& context, const RunInfo& run, const Listener& listener) {
    return Session(request, entries, context, run, listener).run();
}

int exit_code(const Totals& totals) {
    if (totals.wrong + totals.failed > 0) return 1;
    if (totals.ok == 0) return 5;
    return totals.lost_devices > 0 ? 1 : 0;
}

}  // namespace parallax

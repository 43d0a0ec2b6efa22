// Runs cases on devices in turn, within the budget, ceilings first.
#include "measure/session.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "measure/sizing.hpp"

namespace parallax {
namespace {

/// Share of a case's time that one run of it should take at most: the gate and all batches of all
/// rounds have to fit.
constexpr double run_share = 1.0 / 800;
/// What filling, checking and moving its buffers may take of a case's time, about.
constexpr double host_share = 0.4;
/// Host time for all batches of a case, where every suite has its turn.
constexpr double overview_seconds = 0.15;

/// Whether fused multiply-adds of this type are measured.
bool has_ceiling(ElementType type) {
    return is_floating(type) && is_suite_type(type);
}

class Session {
public:
    Session(const Request& request, const std::vector<Entry>& entries, const RunContext& context,
            const RunInfo& run, const Listener& listener)
        : request_(request),
          listener_(listener),
          run_(run),
          context_(context),
          cases_(request.points.empty() ? expand(request) : request.points),
          start_(HostClock::now()) {
        for (const Entry& entry : entries) seats_.push_back({entry, nullptr, {}});
        if (!context_.workloads) {
            own_workloads_ = std::make_unique<Workloads>(host_memory_bytes() / 4);
            context_.workloads = own_workloads_.get();
        }
        context_.workloads->set_witnesses(witnesses_among(entries, context_));
        if (request.is_overview()) {
            context_.is_brief = true;
            context_.rule.rounds = 1;
            context_.rule.most_seconds = overview_seconds;
        }
        for (const Seat& seat : seats_) {
            context_.rule.batch_seconds =
                std::max(context_.rule.batch_seconds,
                         least_batch_seconds(seat.entry.info.timer_tick_seconds));
        }
        for (const Case& c : cases_) {
            types_.insert(c.type);
            program_of(c, context_);  // a kernel file that is missing is said before anything runs
        }
        if (types_.empty()) {
            const std::vector<ElementType> types = ceiling_types();
            types_.insert(types.begin(), types.end());
        }
        for (const ElementType type : types_) ceilings_per_seat_ += has_ceiling(type);
        ceilings_per_seat_ += 2;  // the copy and the launch
        refuse_what_fits_nowhere();
        progress_.total = (cases_.size() + ceilings_per_seat_) * seats_.size();
    }

    Totals run() {
        for (Seat& seat : seats_) open(seat);
        std::erase_if(seats_, [](const Seat& seat) { return !seat.device; });
        progress_.total = (cases_.size() + ceilings_per_seat_) * seats_.size();
        for (Seat& seat : seats_) measure_ceilings(seat);
        for (const Case& c : cases_) {
            for (Seat& seat : seats_) {
                Case sized = c;
                if (sized.shape.extents.empty()) sized.shape = open_shape(c, seat);
                run_one(seat, sized, false);
            }
        }
        if (totals_.ok + totals_.wrong + totals_.failed == 0 && !refusal_.empty()) {
            throw UsageError(refusal_);
        }
        return totals_;
    }

private:
    /// A device at the table.
    struct Seat {
        Entry entry;
        std::unique_ptr<Device> device;
        std::map<ElementType, Ceiling> ceilings;
        double host_seconds_per_byte = 0;  ///< of filling, checking and moving buffers
    };

    std::vector<ElementType> ceiling_types() const {
        return request_.types.empty() ? std::vector{ElementType::f32} : request_.types;
    }

    void open(Seat& seat) {
        try {
            seat.device = seat.entry.open();
        } catch (const Error& error) {
            ++totals_.lost_devices;
            if (listener_.trouble) listener_.trouble(error.what());
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

    // A context that has seen an error may be of no use any more.
    void reopen(Seat& seat) {
        try {
            seat.device = nullptr;
            seat.device = seat.entry.open();
        } catch (const Error& error) {
            if (listener_.trouble) listener_.trouble(error.what());
        }
    }

    void tell(const std::string& what) {
        progress_.what = what;
        progress_.elapsed_seconds = seconds_since(start_);
        const double by_pace =
            progress_.done > 0 ? progress_.elapsed_seconds / static_cast<double>(progress_.done) *
                                     static_cast<double>(progress_.total - progress_.done)
                               : request_.budget_seconds;
        progress_.left_seconds =
            std::max(0.0, std::min(by_pace, request_.budget_seconds - progress_.elapsed_seconds));
        if (listener_.progress) listener_.progress(progress_);
    }

    Outcome run_one(Seat& seat, const Case& c, bool is_ceiling) {
        tell(fmt::format("{} {}", seat.entry.info.id(), c.title()));
        const double left = request_.budget_seconds - seconds_since(start_);
        const auto to_do =
            static_cast<double>(std::max<std::size_t>(1, progress_.total - progress_.done));
        Outcome outcome;
        if (left <= 0 && !is_ceiling) {
            outcome.the_case = c;
            outcome.reason =
                fmt::format("The budget of {:g} s was used up. Give more with --budget.",
                            request_.budget_seconds);
        } else if (!seat.device) {
            outcome.the_case = c;
            outcome.status = Status::failed;
            outcome.reason = fmt::format("{} ({}) could not be opened again after an error.",
                                         seat.entry.info.id(), seat.entry.info.name);
        } else {
            RunContext context = context_;
            const double others =
                cases_run_ > 0 ? beside_measuring_ / cases_run_ : left / to_do / 2;
            context.rule.most_seconds =
                std::clamp(left / to_do - others, 0.05, context_.rule.most_seconds);
            const HostClock::time_point begin = HostClock::now();
            outcome = run_case(*seat.device, c, seat.ceilings[c.type], context);
            note_cost(seconds_since(begin), outcome);
            if (outcome.status == Status::failed) reopen(seat);
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
        beside_measuring_ += std::max(0.0, seconds - measuring);
        ++cases_run_;
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
        const Suite* suite = nullptr;
        for (const Suite& one : suites()) {
            if (one.is_ceiling) suite = &one;
        }
        if (!suite) return;
        const double beside_before = beside_measuring_;
        const Outcome copy = run_ceiling(seat, *suite, "copy", ElementType::f32);
        seat.host_seconds_per_byte = (beside_measuring_ - beside_before) /
                                     static_cast<double>(footprint(copy.plan).total + 1);
        const Outcome launch = run_ceiling(seat, *suite, "launch", ElementType::f32);
        for (const ElementType type : types_) {
            Ceiling ceiling{copy.bytes_per_second(), 0,
                            launch.timing ? launch.timing->estimate.median : 0};
            if (has_ceiling(type)) {
                ceiling.operations_per_second =
                    run_ceiling(seat, *suite, "fma", type).operations_per_second();
            }
            seat.ceilings[type] = ceiling;
        }
    }

    Outcome run_ceiling(Seat& seat, const Suite& suite, std::string_view name, ElementType type) {
        const Variant& variant = variant_named(suite, name);
        return run_one(seat, growing_case(seat, suite, variant, type), true);
    }

    /// The first shape that keeps the device busy for a while, beyond its cache, or the largest
    /// that it has room for.
    Case growing_case(Seat& seat, const Suite& suite, const Variant& variant,
                      ElementType type) const {
        // A batch lasts longer in any case; what a wave of groups leaves idle at its end must not
        // count.
        constexpr double long_enough_to_move = 1.5e-4, long_enough_to_compute = 1e-3;
        Case chosen;
        for (const Shape& shape : shapes_of(suite, variant)) {
            const Case c = make_case(suite, variant, shape, type);
            const Plan plan = plan_of(c);
            if (chosen.suite && !has_room(seat.entry.info, plan)) break;
            chosen = c;
            if (!seat.device) break;
            try {
                Binding binding(
                    *seat.device, plan,
                    build(*seat.device, program_of(c, context_, seat.entry.info.backend), plan));
                binding.run();
                const double seconds = binding.run().device;
                const bool moves = c.suite->work(c).moves_much();
                if (moves && fits_in_cache(seat.entry.info, plan)) continue;
                if (seconds > (moves ? long_enough_to_move : long_enough_to_compute)) break;
            } catch (const Error&) {
                break;  // the case itself will say what is wrong
            }
        }
        return chosen;
    }

    static Ceiling ceiling_of(const Seat& seat, ElementType type) {
        const auto found = seat.ceilings.find(type);
        return found == seat.ceilings.end() ? Ceiling{} : found->second;
    }

    /// The largest of the suite's shapes that takes no more than a case's time, on every entry of
    /// the same physical device: both sides of a comparison run the same. A shape that fits in the
    /// cache gives way to the first that does not, as long as that is no more than a few times too
    /// slow.
    Shape shape_for(const Case& c, const Seat& seat) const {
        constexpr double patience = 4;
        const double limit =
            request_.budget_seconds / static_cast<double>(progress_.total) * run_share;
        const std::vector<Shape>& shapes = shapes_of(*c.suite, *c.variant);
        const double host_limit =
            request_.budget_seconds / static_cast<double>(progress_.total) * host_share;
        const auto fits = [&](const Shape& shape, double times) {
            Case sized = c;
            sized.shape = shape;
            const Plan plan = plan_of(sized);
            const auto bytes = static_cast<double>(footprint(plan).total);
            return std::ranges::all_of(seats_, [&](const Seat& other) {
                return other.entry.physical != seat.entry.physical ||
                       (has_room(other.entry.info, plan) &&
                        bytes * other.host_seconds_per_byte <= times * host_limit &&
                        least_seconds(sized, ceiling_of(other, c.type)) <= times * limit);
            });
        };
        const auto in_cache = [&](const Shape& shape) {
            Case sized = c;
            sized.shape = shape;
            return c.suite->work(sized).moves_much() &&
                   fits_in_cache(seat.entry.info, plan_of(sized));
        };
        Shape chosen = shapes.front();
        for (const Shape& shape : shapes) {
            if (fits(shape, 1) || (in_cache(chosen) && fits(shape, patience))) {
                chosen = shape;
            }
        }
        return chosen;
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
    RunContext context_;
    std::unique_ptr<Workloads> own_workloads_;
    std::vector<Case> cases_;
    HostClock::time_point start_;
    std::vector<Seat> seats_;
    std::set<ElementType> types_;
    std::size_t ceilings_per_seat_ = 0;
    Progress progress_;
    Totals totals_;
    std::string refusal_;
    /// The shape that was chosen for each physical device and list of shapes.
    std::map<std::pair<unsigned, const std::vector<Shape>*>, Shape> shape_of_points_;
    double beside_measuring_ = 0;  ///< seconds of the cases that were measured, in all
    unsigned cases_run_ = 0;
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

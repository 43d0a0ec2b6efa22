// Runs cases on two devices by turns.
#include "studies/diff/live.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "common/interval.hpp"
#include "common/profile.hpp"
#include "measure/sizing.hpp"
#include "measure/turns.hpp"
#include "studies/diff/judge.hpp"

namespace parallax {
namespace {

/// Runs shorter than this say more about launching than about kernels.
constexpr double long_enough = 8e-5;
/// Share of a case's time that one run of it should take at most: the gate and the quads of five
/// rounds on both sides have to fit.
constexpr double run_share = 1.0 / 200;
/// The share of the budget that ceilings may take.
constexpr double ceiling_share = 0.15;
/// One case in so many is also measured against itself, on each side.
constexpr std::size_t cases_per_self_check = 8;

/// A device at the table, opened twice: once to be compared, once to be compared with itself.
struct Seat {
    Entry entry;
    std::unique_ptr<Device> device, again;
    std::map<ElementType, Ceiling> ceilings;
};

class LiveDiff {
public:
    LiveDiff(const LiveRequest& request, const RunContext& context, const RunInfo& run,
             const LiveListener& listener)
        : request_(request),
          context_(context),
          run_(run),
          listener_(listener),
          cases_(expand(request.what)),
          start_(HostClock::now()) {
        a_.entry = request.a;
        b_.entry = request.b;
        if (!context_.workloads) {
            own_workloads_ = std::make_unique<Workloads>(host_memory_bytes() / 4);
            context_.workloads = own_workloads_.get();
        }
        context_.workloads->set_witnesses(witnesses_among({request.a, request.b}, context_));
        for (const Entry* entry : {&request.a, &request.b}) {
            context_.rule.batch_seconds = std::max(
                context_.rule.batch_seconds, least_batch_seconds(entry->info.timer_tick_seconds));
        }
        if (cases_.empty()) {
            throw UsageError(
                "Ceilings are measured with every diff, each side on its own; there is nothing "
                "else to compare. Pick another suite with -s.");
        }
        for (const Case& c : cases_) {
            program_of(c, context_);
            refuse_what_fits_nowhere(c);
        }
        self_checks_ = (cases_.size() + cases_per_self_check - 1) / cases_per_self_check;
        progress_.total = cases_.size() + 2 * self_checks_;
    }

    void run() {
        measure_ceilings();
        for (Seat* seat : {&a_, &b_}) {
            seat->device = seat->entry.open();
            seat->again = seat->entry.open();
        }
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            Case c = cases_[i];
            if (c.shape.extents.empty()) {
                c.shape = shape_to_compare(c, a_.entry.info, a_.ceilings[c.type], b_.entry.info,
                                           b_.ceilings[c.type],
                                           run_share * request_.what.budget_seconds /
                                               static_cast<double>(progress_.total));
            }
            const bool both = compare(c);
            due_ += i % cases_per_self_check == cases_per_self_check / 2 || cases_.size() == 1 ||
                    (i + 1 == cases_.size() && done_self_ == 0 && due_ == 0);
            // A case that one side cannot do is no measure of the clock: the next one is.
            if (both && due_ > 0) {
                for (Seat* seat : {&a_, &b_}) check_self(*seat, c);
                --due_;
                ++done_self_;
            }
        }
    }

private:
    void refuse_what_fits_nowhere(const Case& c) const {
        if (c.shape.extents.empty()) return;
        const Plan plan = plan_of(c);
        const std::string reason = too_large(a_.entry.info, plan);
        if (!reason.empty() && !too_large(b_.entry.info, plan).empty()) {
            throw UsageError(fmt::format("{}: {}", c.title(), reason));
        }
    }

    void tell(const std::string& what) {
        progress_.what = what;
        progress_.elapsed_seconds = seconds_since(start_);
        progress_.left_seconds =
            std::max(0.0, request_.what.budget_seconds - progress_.elapsed_seconds);
        if (listener_.progress) listener_.progress(progress_);
    }

    void keep(const Outcome& outcome, const Entry& entry, char side) {
        Record record = to_record(outcome, entry.info, run_);
        record.side = side;
        listener_.keep(std::move(record));
    }

    void measure_ceilings() {
        Request ceilings;
        for (const Suite& suite : suites()) {
            if (suite.is_ceiling) ceilings.picks.push_back({&suite, nullptr});
        }
        if (ceilings.picks.empty()) return;
        std::set<ElementType> types;
        for (const Case& c : cases_) types.insert(c.type);
        ceilings.types.assign(types.begin(), types.end());
        std::erase_if(ceilings.types,
                      [](ElementType type) { return !is_floating(type) || !is_suite_type(type); });
        ceilings.seed = request_.what.seed;
        ceilings.budget_seconds = ceiling_share * request_.what.budget_seconds;
        std::vector<Entry> entries{a_.entry};
        if (a_.entry.info.id() != b_.entry.info.id()) entries.push_back(b_.entry);
        const auto take = [&](const Record& record, Seat& seat) {
            for (const ElementType type : all_scalar_types) {
                Ceiling& ceiling = seat.ceilings[type];
                const std::string& name = record.key.variant;
                if (name == "copy") ceiling.bytes_per_second = record.bytes_per_second();
                if (name == "launch") ceiling.launch_seconds = record.seconds();
                if (name == "fma" && name_of(type) == record.key.type) {
                    ceiling.operations_per_second = record.operations_per_second();
                }
            }
        };
        run_session(ceilings, entries, context_, run_,
                    {.progress = [&](const Progress& p) { tell(p.what); },
                     .record =
                         [&](const Record& record) {
                             for (Seat* seat : {&a_, &b_}) {
                                 if (seat->entry.info.id() == record.device) take(record, *seat);
                             }
                             listener_.keep(record);
                         },
                     .trouble = listener_.trouble});
    }

    double left() const { return request_.what.budget_seconds - seconds_since(start_); }

    /// Seconds that one measurement may take: its share of what is left, less what building and
    /// checking have taken so far.
    double time_for_one() const {
        const auto to_do =
            static_cast<double>(std::max<std::size_t>(1, progress_.total - progress_.done));
        const double others = measured_ > 0 ? beside_ / static_cast<double>(measured_) : 0;
        return std::clamp(left() / to_do - others, 0.1, 20.0);
    }

    PairRule rule() const {
        PairRule rule;
        rule.edges = edges_of(request_.judgement.margin, request_.judgement.max_slowdown);
        rule.most_seconds = time_for_one();
        return rule;
    }

    Outcome skipped(const Case& c) const {
        Outcome o;
        o.the_case = c;
        o.program.name = c.suite->source;
        o.reason = fmt::format("The budget of {:g} s was used up. Give more with --budget.",
                               request_.what.budget_seconds);
        return o;
    }

    // A context that has seen an error may be of no use any more.
    void reopen(Seat& seat) {
        seat.device = nullptr;
        seat.again = nullptr;
        seat.device = seat.entry.open();
        seat.again = seat.entry.open();
    }

    Outcome check(Seat& seat, const Case& c) {
        tell(fmt::format("{} {}", seat.entry.info.id(), c.title()));
        Outcome o = check_case_on(*seat.device, c, seat.ceilings[c.type], context_);
        if (o.status == Status::failed) {
            o.codes.clear();
            reopen(seat);
        }
        return o;
    }

    /// @returns whether it was timed on both
    bool compare(const Case& c) {
        const HostClock::time_point begin = HostClock::now();
        if (left() <= 0) {
            keep(skipped(c), a_.entry, 'a');
            keep(skipped(c), b_.entry, 'b');
            ++progress_.done;
            return false;
        }
        Outcome a = check(a_, c), b = check(b_, c);
        bool both = a.status == Status::ok && b.status == Status::ok;
        std::optional<Pair> pair;
        if (both) {
            tell(c.title());
            pair = take_turns(*a_.device, *b_.device, a, b, a_, b_);
            both = a.status == Status::ok && b.status == Status::ok;
        }
        // A side that stands alone keeps its figure.
        if (!both) {
            pair.reset();
            if (a.status == Status::ok) time_case(*a_.device, alone(), a);
            if (b.status == Status::ok) time_case(*b_.device, alone(), b);
        }
        keep(a, a_.entry, 'a');
        keep(b, b_.entry, 'b');
        if (pair) {
            listener_.keep(*pair);
            beside_ += std::max(0.0, seconds_since(begin) - spent_);
            ++measured_;
        }
        ++progress_.done;
        return both;
    }

    RunContext alone() const {
        RunContext context = context_;
        context.rule.most_seconds = std::min(context.rule.most_seconds, time_for_one());
        return context;
    }

    /// Nothing: a side failed; its outcome says so.
    std::optional<Pair> take_turns(Device& device_a, Device& device_b, Outcome& a, Outcome& b,
                                   Seat& seat_a, Seat& seat_b) {
        Pair pair{.key = key_of(a.the_case),
                  .run = run_,
                  .a = device_a.info().id(),
                  .b = device_b.info().id()};
        pair.launch_seconds_a = seat_a.ceilings[a.the_case.type].launch_seconds;
        pair.launch_seconds_b = seat_b.ceilings[a.the_case.type].launch_seconds;
        const HostClock::time_point begin = HostClock::now();
        try {
            Turns turns(device_a, device_b, a, b, context_);
            pair.timing =
                measure_pair([&](unsigned number) { return turns.round(number); }, rule());
            turns.finish(pair.timing);
            pair.measuring_seconds = turns.measuring_seconds();
            pair.answer = turns.answers().distance();
            spent_ = seconds_since(begin);
            return pair;
        } catch (const SideError& error) {
            Outcome& o = error.on_b ? b : a;
            if (o.checked && !o.checked->right()) {
                settle(error.on_b ? device_b.info() : device_a.info(), o);
            } else {
                conclude(error.on_b ? device_b.info() : device_a.info(), o, error.cause);
                o.codes.clear();
                reopen(error.on_b ? seat_b : seat_a);
            }
            return {};
        }
    }

    Outcome passed(Device& device, const Case& c) const {
        Outcome o = outcome_for(c, context_, device.info().backend);
        o.codes = build(device, o.program, o.plan);
        o.status = Status::ok;
        o.checked.emplace();
        return o;
    }

    // Two device objects of one entry, with their own buffers and builds.
    void check_self(Seat& seat, const Case& c) {
        ++progress_.done;
        if (left() <= 0) return;
        const InPhase phase(Phase::self_checks);
        tell(fmt::format("{} against itself: {}", seat.entry.info.id(), c.title()));
        // The gate has seen the case on this device; what the timed launches leave is checked.
        std::optional<Pair> pair;
        try {
            Outcome a = passed(*seat.device, c), b = passed(*seat.again, c);
            pair = take_turns(*seat.device, *seat.again, a, b, seat, seat);
        } catch (const Interrupted&) {
            throw;
        } catch (const Error& error) {
            if (listener_.trouble) listener_.trouble(error.what());
            reopen(seat);
        }
        if (!pair) return;
        pair->self = true;
        pair->answer.reset();
        listener_.keep(*pair);
    }

    const LiveRequest& request_;
    RunContext context_;
    const RunInfo& run_;
    const LiveListener& listener_;
    std::unique_ptr<Workloads> own_workloads_;
    std::vector<Case> cases_;
    HostClock::time_point start_;
    Seat a_, b_;
    Progress progress_;
    std::size_t self_checks_ = 0, done_self_ = 0, due_ = 0;
    double beside_ = 0;  ///< seconds of the measured cases that were not measuring
    double spent_ = 0;   ///< seconds of the last measurement
    std::size_t measured_ = 0;
};

}  // namespace

void run_live(const LiveRequest& request, const RunContext& context, const RunInfo& run,
              const LiveListener& listener) {
    LiveDiff(request, context, run, listener).run();
}

std::pair<Entry, Entry> entries_to_compare(const Devices& devices) {
    for (const Entry& a : devices.entries) {
        for (const Entry& b : devices.entries) {
            if (a.physical == b.physical && a.info.backend != b.info.backend) return {a, b};
        }
    }
    std::string text =
        "No physical device is here through two APIs, so there are no two sides to "
        "compare.";
    if (!devices.entries.empty()) {
        std::vector<std::string> known;
        for (const Entry& entry : devices.entries) {
            known.push_back(fmt::format("{} ({})", entry.info.id(), entry.info.name));
        }
        const std::string& id = devices.entries.front().info.id();
        text += fmt::format(
            " There are: {}. Name two of them, or one twice to try the clock: 'parallax diff {} "
            "{}'. Result files can be compared anywhere: 'parallax diff OLD NEW'.",
            fmt::join(known, ", "), id, id);
    }
    for (const std::string& problem : devices.problems) text += " " + problem;
    throw NothingToCompare(text);
}

Shape shape_to_compare(const Case& c, const DeviceInfo& a, const Ceiling& ceiling_a,
                       const DeviceInfo& b, const Ceiling& ceiling_b, double most_seconds) {
    const std::vector<Shape>& shapes = shapes_of(*c.suite, *c.variant);
    Shape chosen = shapes.front();
    for (const Shape& shape : shapes) {
        Case sized = c;
        sized.shape = shape;
        const Plan plan = plan_of(sized);
        // Both sides may be on one card, each with a second set of inputs.
        if (!has_room(a, plan, 4) || !has_room(b, plan, 4)) break;
        const double seconds_a = least_seconds(sized, ceiling_a);
        const double seconds_b = least_seconds(sized, ceiling_b);
        if (&shape != &shapes.front() && std::max(seconds_a, seconds_b) > most_seconds) break;
        chosen = shape;
        const bool in_cache =
            c.suite->work(sized).moves_much() && (fits_in_cache(a, plan) || fits_in_cache(b, plan));
        if (std::min(seconds_a, seconds_b) >= long_enough && !in_cache) {
            // An even size beside an odd one of nearly the same work is the usual one.
            const Shape* next = &shape + 1;
            if (next == shapes.data() + shapes.size()) break;
            Case evened = c;
            evened.shape = *next;
            if (c.suite->work(evened).bytes < 1.01 * c.suite->work(sized).bytes) chosen = *next;
            break;
        }
    }
    return chosen;
}

}  // namespace parallax

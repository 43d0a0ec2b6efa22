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
#include "common/text.hpp"
#include "measure/pace.hpp"
#include "measure/seat.hpp"
#include "measure/sizing.hpp"
#include "measure/turns.hpp"
#include "studies/diff/judge.hpp"

namespace parallax {
namespace {

/// Share of a case's time that one run of it should take at most: the gate and the quads of five
/// rounds on both sides have to fit.
constexpr double run_share = 1.0 / 200;
/// The share of the budget that ceilings may take.
constexpr double ceiling_share = 0.15;
/// One case in so many is also measured against itself, on each side.
constexpr std::size_t cases_per_self_check = 12;

/// So many cases are looked at with care; with more the rounds would not fit into a minute.
constexpr std::size_t few_cases = 8;

/// Times its share of what is left that a case may take at least, while others wait.
constexpr double late_share = 3;

class LiveDiff {
public:
    LiveDiff(const LiveRequest& request, const RunContext& context, const RunInfo& run,
             const LiveListener& listener)
        : request_(request),
          run_(run),
          listener_(listener),
          cases_(by_worth(expand(request.what))),
          pace_(request.what.budget_seconds),
          a_(request.a, setup_),
          b_(request.b, setup_),
          a_again_(request.a, setup_),
          b_again_(request.b, setup_),
          setup_(context, {request.a, request.b}) {
        if (cases_.empty()) {
            throw UsageError(
                "Ceilings are measured with every diff, each side on its own; there is nothing "
                "else to compare. Pick another suite with -s.");
        }
        for (const Case& c : cases_) {
            program_of(c, setup_.context);
            refuse_what_fits_nowhere(c);
        }
        self_checks_ = (cases_.size() + cases_per_self_check - 1) / cases_per_self_check;
        progress_.total = cases_.size() + 2 * self_checks_;
    }

    void run() {
        open_all();
        for (const Case& c : cases_) {
            if (earlier(c)) continue;
            for (Seat* seat : {&a_, &b_}) setup_.ask_build(seat->device(), c);
        }
        measure_ceilings(a_, a_again_);
        measure_ceilings(b_, b_again_);
        for (Case& c : cases_) {
            if (const Record* const made = earlier(c)) {
                c = with_shape(c, Shape{made->key.shape});
            } else if (c.shape.extents.empty()) {
                const Sized both[]{{&a_.entry.info, a_.ceiling_of(c.type)},
                                   {&b_.entry.info, b_.ceiling_of(c.type)}};
                c = with_shape(c, telling_shape(c, both,
                                                run_share * request_.what.budget_seconds /
                                                    static_cast<double>(progress_.total)));
            }
        }
        for (std::size_t done = 0; done < cases_.size();) done += run_block(done);
        std::ranges::sort(late_, {}, &Late::seconds);
        is_late_ = true;
        for (Late& late : late_) {
            if (cases_.size() > 1 && late.seconds > pace_.left()) {
                for (Seat::Checked* one : {&late.checked.a, &late.checked.b}) {
                    one->outcome = skipped(late.the_case);
                    one->outcome.reason +=
                        fmt::format(" It takes {} at least.", duration(late.seconds));
                }
            }
            compare(late.the_case, std::move(late.checked));
        }
    }

private:
    /// What would take as long as many others is measured when they are done.
    struct Late {
        Case the_case;
        Both<Seat::Checked> checked;
        double seconds = 0;  ///< that it takes at least
    };

    /// Both sides, and each once more to be compared with itself, side by side.
    void open_all() {
        std::vector<std::shared_ptr<Ahead<Device*>>> opened;
        for (Seat* seat : {&a_, &b_, &a_again_, &b_again_}) {
            opened.push_back(std::make_shared<Ahead<Device*>>([seat] { return &seat->device(); }));
            if (setup_.context.crew) {
                setup_.context.crew->add([one = opened.back()] { one->make(); });
            }
        }
        for (const auto& one : opened) one->get();
    }

    /// Some cases: checked on both sides, side by side as far as there is a crew, and timed one
    /// after the other. @returns how many
    std::size_t run_block(std::size_t first) {
        const std::span<const Case> rest = std::span(cases_).subspan(first);
        const std::span<const Case> cases = rest.first(setup_.block_of(rest));
        pace_.begin_block();
        for (std::size_t i = 0; i < cases.size() && pace_.left() > 0; ++i) {
            if (earlier(cases[i])) continue;
            ask_workloads(cases[i]);
            for (const bool is_b : {false, true}) {
                Seat &seat = is_b ? b_ : a_, &again = is_b ? b_again_ : a_again_;
                seat.check_ahead(cases[i], [this] { return pace_.may_check(); });
                Device* device = is_self_checked(first + i) ? again.device_or_null() : nullptr;
                if (device) setup_.ask_build(*device, cases[i]);
            }
        }
        std::vector<Both<Seat::Checked>> checked;
        try {
            for (const Case& c : cases) {
                checked.push_back(checked_on_both(c));
                // The rest come next, when these have been timed.
                if (pace_.left() > 0 && checked.size() > 1 && is_skipped(checked.back())) {
                    checked.pop_back();
                    break;
                }
            }
        } catch (const Interrupted&) {
            keep_what_ended(checked);
            throw;
        }
        // Where a long launch does not mind, the crew makes what the next block needs.
        const std::span<const Case> later = rest.subspan(checked.size());
        for (const Case& c : later.first(setup_.block_of(later))) ask_workloads(c);
        const Crew::Rest rest_of_crew(setup_.context.crew, Crew::Load::device);
        for (std::size_t i = 0; i < checked.size(); ++i) {
            checked_too_ = checked.size() - i - 1;
            compare_and_check(first + i, std::move(checked[i]));
        }
        return checked.size();
    }

    void ask_workloads(const Case& c) {
        if (earlier(c)) return;
        for (const Seat* seat : {&a_, &b_}) setup_.ask_workloads(seat->entry.info, c);
    }

    static bool is_skipped(const Both<Seat::Checked>& checked) {
        return checked.a.outcome.status == Status::skipped ||
               checked.b.outcome.status == Status::skipped;
    }

    /// Of an interrupted block, those that came to an end without being timed.
    void keep_what_ended(const std::vector<Both<Seat::Checked>>& checked) {
        const auto has_ended = [](const Outcome& o) {
            return o.status != Status::ok && o.status != Status::skipped;
        };
        for (const auto& [a, b] : checked) {
            if (has_ended(a.outcome)) keep(a.outcome, a_.entry, 'a');
            if (has_ended(b.outcome)) keep(b.outcome, b_.entry, 'b');
        }
    }

    /// What an earlier process of this run has made of it on B, and so on both; null: nothing.
    const Record* earlier(const Case& c) const {
        return setup_.context.earlier.record(b_.entry.info.id(), c, 'b');
    }

    Both<Seat::Checked> checked_on_both(const Case& c) {
        if (earlier(c)) {
            Both<Seat::Checked> made;
            made.a.outcome.status = made.b.outcome.status = Status::ok;
            return made;
        }
        if (setup_.context.between) setup_.context.between();
        tell(fmt::format("checking {}", c.title()));
        const HostClock::time_point begin = HostClock::now();
        const auto is_time = [this] { return pace_.may_check(); };
        Both<Seat::Checked> checked{a_.check(c, is_time), b_.check(c, is_time)};
        setup_.get_workload(a_.entry.info, checked.a.outcome);
        setup_.get_workload(b_.entry.info, checked.b.outcome);
        if (!is_skipped(checked)) pace_.note_check(seconds_since(begin));
        return checked;
    }

    bool is_self_checked(std::size_t i) const {
        return i % cases_per_self_check == cases_per_self_check / 2 || cases_.size() == 1;
    }

    void compare_and_check(std::size_t i, Both<Seat::Checked> checked) {
        const Case& c = cases_[i];
        const bool both = compare(c, std::move(checked));
        due_ += is_self_checked(i) || (i + 1 == cases_.size() && done_self_ == 0 && due_ == 0);
        // A case that one side cannot do is no measure of the clock: the next one is.
        if (both && due_ > 0) {
            check_self(a_, a_again_, c);
            check_self(b_, b_again_, c);
            --due_;
            ++done_self_;
        }
    }

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
        progress_.elapsed_seconds = pace_.elapsed();
        progress_.left_seconds =
            std::max(0.0, request_.what.budget_seconds - progress_.elapsed_seconds);
        if (listener_.progress) listener_.progress(progress_);
    }

    void keep(const Outcome& outcome, const Entry& entry, char side) {
        Record record = to_record(outcome, entry.info, run_);
        record.side = side;
        listener_.keep(std::move(record));
    }

    void measure_ceilings(Seat& seat, Seat& again) {
        if (&seat == &b_ && a_.entry.info.id() == b_.entry.info.id()) {
            seat.ceilings = again.ceilings = a_.ceilings;
            return;
        }
        std::set<ElementType> types;
        for (const Case& c : cases_) types.insert(c.type);
        RunContext context = setup_.context;
        context.rule.most_seconds = std::min(
            context.rule.most_seconds, ceiling_share * request_.what.budget_seconds /
                                           static_cast<double>(2 * ceiling_cases(types).size()));
        seat.ceilings = measured_ceilings(
            seat.entry.info, types, context, run_,
            {.device = [&] { return seat.device_or_null(); },
             .run =
                 [&](const Case& c) {
                     tell(fmt::format("{} {}", seat.entry.info.id(), c.title()));
                     Record record =
                         to_record(run_case(seat.device(), c, {}, context), seat.entry.info, run_);
                     listener_.keep(record);
                     if (record.status == Status::failed) seat.reopen(c, record.reason);
                     return record;
                 },
             .take = listener_.keep});
        again.ceilings = seat.ceilings;
    }

    /// Seconds that one measurement may take: its share of what is left.
    double time_for_one() const {
        const std::size_t to_do = progress_.total - progress_.done;
        const std::size_t later = to_do > checked_too_ ? to_do - checked_too_ - 1 : 0;
        return std::clamp(pace_.for_one(static_cast<double>(to_do), later), 0.1, 20.0);
    }

    PairRule rule() const {
        PairRule rule;
        if (cases_.size() <= few_cases) rule.looks = careful_looks;
        rule.edges = edges_of(request_.judgement.margin, request_.judgement.max_slowdown);
        rule.error = error_of_each(cases_.size());
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

    /// @returns whether it was timed on both
    bool compare(const Case& c, Both<Seat::Checked> checked) {
        if (earlier(c)) return take_over(c);
        tell(c.title());
        const HostClock::time_point begin = HostClock::now();
        a_.renew(checked.a);
        b_.renew(checked.b);
        Outcome a = std::move(checked.a.outcome), b = std::move(checked.b.outcome);
        for (Outcome* o : {&a, &b}) {
            const bool is_late = o->status == Status::ok && pace_.left() <= 0;
            const bool was_not_reached = o->status == Status::skipped && o->reason.empty();
            if (was_not_reached || is_late) *o = skipped(c);
        }
        std::optional<Pair> pair;
        try {
            pair = timed(a, b);
        } catch (const TakesTooLong& late) {
            checked.a.outcome = std::move(a);
            checked.b.outcome = std::move(b);
            late_.push_back({c, std::move(checked), late.seconds});
            return false;
        }
        keep(a, a_.entry, 'a');
        keep(b, b_.entry, 'b');
        if (pair) {
            listener_.keep(*pair);
            pace_.note_timing(std::max(0.0, seconds_since(begin) - spent_));
        }
        ++progress_.done;
        for (Seat* seat : {&a_, &b_, &a_again_, &b_again_}) {
            const std::string trouble = seat->take_trouble();
            if (!trouble.empty() && listener_.trouble) listener_.trouble(trouble);
        }
        return pair.has_value();
    }

    /// The same of what was made before.
    bool take_over(const Case& c) {
        const Earlier& all = setup_.context.earlier;
        const std::string a = a_.entry.info.id(), b = b_.entry.info.id();
        for (const Record* one : {all.record(a, c, 'a'), all.record(b, c, 'b')}) {
            if (one) listener_.keep(*one);
        }
        const Pair* const pair = all.pair(key_of(c), a, b, false);
        if (pair) listener_.keep(*pair);
        ++progress_.done;
        return pair;
    }

    /// Both by turns where both are right, else the one that is right alone.
    std::optional<Pair> timed(Outcome& a, Outcome& b) {
        const auto is_ok = [](const Outcome& o) { return o.status == Status::ok; };
        std::optional<Pair> pair;
        if (is_ok(a) && is_ok(b)) {
            PairRule within = rule();
            if (!is_late_) within.longest_seconds = late_share * time_for_one();
            pair = take_turns(a, b, a_, b_, within);
        }
        if (is_ok(a) && is_ok(b)) return pair;
        // A side that stands alone keeps its figure.
        for (const bool is_b : {false, true}) {
            Outcome& o = is_b ? b : a;
            Seat& seat = is_b ? b_ : a_;
            if (!is_ok(o)) continue;
            time_case(seat.device(), alone(), o);
            if (o.status == Status::failed) seat.reopen(o.the_case, o.reason);
        }
        return {};
    }

    RunContext alone() const {
        RunContext context = setup_.context;
        context.rule.most_seconds = std::min(context.rule.most_seconds, time_for_one());
        return context;
    }

    /// Nothing: a side failed; its outcome says so.
    std::optional<Pair> take_turns(Outcome& a, Outcome& b, Seat& seat_a, Seat& seat_b,
                                   const PairRule& within) {
        Device &device_a = seat_a.device(), &device_b = seat_b.device();
        Pair pair{.key = key_of(a.the_case),
                  .run = run_,
                  .a = device_a.info().id(),
                  .b = device_b.info().id()};
        pair.launch_seconds_a = seat_a.ceiling_of(a.the_case.type).launch_seconds;
        pair.launch_seconds_b = seat_b.ceiling_of(a.the_case.type).launch_seconds;
        const HostClock::time_point begin = HostClock::now();
        try {
            Turns turns(device_a, device_b, a, b, setup_.context);
            pair.timing = turns.measure(within);
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
                (error.on_b ? seat_b : seat_a).reopen(o.the_case, o.reason);
            }
            return {};
        }
    }

    Outcome passed(Device& device, const Case& c) {
        Outcome o = outcome_for(c, setup_.context, device.info().backend);
        o.codes = setup_.context.workshop->take(device, o.program, o.plan);
        o.status = Status::ok;
        o.checked.emplace();
        return o;
    }

    // Two device objects of one entry, with their own buffers and builds.
    void check_self(Seat& seat, Seat& again, const Case& c) {
        ++progress_.done;
        const std::string id = seat.entry.info.id();
        if (const Pair* const made = setup_.context.earlier.pair(key_of(c), id, id, true)) {
            listener_.keep(*made);
            return;
        }
        if (pace_.left() <= 0 || !seat.device_or_null() || !again.device_or_null()) return;
        const InPhase phase(Phase::self_checks);
        tell(fmt::format("{} against itself: {}", seat.entry.info.id(), c.title()));
        // The gate has seen the case on this device; what the timed launches leave is checked.
        std::optional<Pair> pair;
        try {
            Outcome a = passed(seat.device(), c), b = passed(again.device(), c);
            pair = take_turns(a, b, seat, again, rule());
        } catch (const Interrupted&) {
            throw;
        } catch (const Error& error) {
            if (listener_.trouble) listener_.trouble(error.what());
            seat.reopen(c, error.what());
            again.reopen(c, error.what());
        }
        if (!pair) return;
        pair->self = true;
        pair->answer.reset();
        listener_.keep(*pair);
    }

    const LiveRequest& request_;
    const RunInfo& run_;
    const LiveListener& listener_;
    std::vector<Case> cases_;
    Pace pace_;
    std::vector<Late> late_;
    bool is_late_ = false;         ///< those are measured now
    std::size_t checked_too_ = 0;  ///< cases of the block that are timed after the present one
    Seat a_, b_, a_again_, b_again_;
    Progress progress_;
    std::size_t self_checks_ = 0, done_self_ = 0, due_ = 0;
    double spent_ = 0;  ///< seconds of the last measurement
    Setup setup_;       ///< the last: its crew ends before the devices
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

}  // namespace parallax

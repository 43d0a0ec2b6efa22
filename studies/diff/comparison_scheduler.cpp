// Runs the comparisons of a live diff round-robin.
#include "studies/diff/comparison_scheduler.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "common/profile.hpp"
#include "common/statistics/interval.hpp"
#include "common/text/text.hpp"
#include "measure/paired.hpp"

namespace parallax {
namespace {

/// Up to this number of cases get careful comparisons; the rounds of more would not fit into a
/// minute.
constexpr std::size_t few_cases = 8;
/// Share of the smaller device's memory that interleaved comparisons may use.
constexpr double share_of_memory = 0.25;
/// A case may take this many times its share of the remaining time, while others wait.
constexpr double late_share = 3;

bool passed_both(const Both<DeviceSession::VerifiedCase>& checked) {
    return checked.a.outcome.status == Status::ok && checked.b.outcome.status == Status::ok;
}

std::unique_ptr<PairedComparison> take(Contests& from, const PairedComparison* which) {
    const auto found =
        std::ranges::find_if(from, [&](const auto& one) { return one.get() == which; });
    std::unique_ptr<PairedComparison> taken = std::move(*found);
    from.erase(found);
    return taken;
}

/// Does a part of a comparison. If the host has no memory or no thread for it, this comparison
/// fails, and no other does: the error is reported for side A.
void as_one_side(const std::function<void()>& part) {
    try {
        part();
    } catch (const std::bad_alloc&) {
        throw SideError(false, std::current_exception());
    } catch (const std::system_error&) {
        throw SideError(false, std::current_exception());
    }
}

}  // namespace

bool ComparisonScheduler::is_self_checked(std::size_t number) const {
    return number % cases_per_self_check == cases_per_self_check / 2 || live_.cases.size() == 1;
}

void ComparisonScheduler::compare(
    std::vector<std::pair<std::size_t, Both<DeviceSession::VerifiedCase>>>&& numbered,
    std::function<void()> ask_ahead) {
    ask_ahead_ = std::move(ask_ahead);
    if (!numbered.empty()) live_.lock_devices();
    const ThreadPool::Pause rest(live_.context.config.pool, ThreadPool::TaskKind::device);
    Contests comparisons;
    for (auto& [number, checked] : numbered) {
        const bool is_last = number + 1 == live_.cases.size() && done_self_ == 0 && due_ == 0;
        due_ += is_self_checked(number) || is_last;
        const bool both = passed_both(checked);
        auto one = std::make_unique<PairedComparison>();
        one->number = number;
        one->device_sessions = {&live_.a, &live_.b};
        one->checked = std::move(checked);
        comparisons.push_back(std::move(one));
        // A case that one side cannot run says nothing about the timer: the next one is checked
        // instead.
        if (!both || due_ == 0) continue;
        --due_;
        ++done_self_;
        const Case of_a = comparisons.back()->checked.a.outcome.the_case;
        const Case of_b = comparisons.back()->checked.b.outcome.the_case;
        add_self_check(comparisons, number, of_a, live_.a, live_.a_again);
        add_self_check(comparisons, number, of_b, live_.b, live_.b_again);
    }
    compare_all(std::move(comparisons));
}

void ComparisonScheduler::add_self_check(Contests& all, std::size_t number, const Case& c,
                                         DeviceSession& device_session, DeviceSession& again) {
    const std::string id = device_session.entry.info.id();
    if (const Pair* const made = live_.context.config.earlier.pair(asked_key_of(c), id, id, true)) {
        ++live_.progress.done;
        live_.listener.keep(*made);
        return;
    }
    auto one = std::make_unique<PairedComparison>();
    one->number = number;
    one->device_sessions = {&device_session, &again};
    one->checked.a.outcome.the_case = c;
    one->self = true;
    all.push_back(std::move(one));
}

// Compares the cases that take as long as many others, now that the others are done.
void ComparisonScheduler::compare_late() {
    std::ranges::sort(late_, {}, &PairedComparison::late_seconds);
    is_late_ = true;
    double seconds = 0;
    for (const auto& late : late_) {
        seconds += late->late_seconds;
        if (live_.cases.size() == 1 || seconds <= live_.time_budget.left()) continue;
        for (const bool is_b : {false, true}) {
            Outcome& o = late->checked.of(is_b).outcome;
            o = live_.unreached(o.the_case, late->device_sessions.of(is_b)->entry);
            o.reason += fmt::format(" It takes {} at least.", duration(late->late_seconds));
        }
    }
    compare_all(std::exchange(late_, {}));
}

double ComparisonScheduler::reserved() const {
    if (late_.empty()) return 0;
    double sum = 0, least = late_.front()->late_seconds;
    for (const auto& late : late_) {
        sum += late->late_seconds;
        least = std::min(least, late->late_seconds);
    }
    return std::max(least, std::min(sum, live_.time_budget.left() / 2));
}

// All of them alternately, as many at once as the devices have room for.
void ComparisonScheduler::compare_all(Contests comparisons) {
    while (!comparisons.empty()) {
        const auto begin = comparisons.begin();
        const auto end = begin + static_cast<std::ptrdiff_t>(count_with_room(comparisons));
        Contests some(std::make_move_iterator(begin), std::make_move_iterator(end));
        comparisons.erase(begin, end);
        while (!some.empty()) compare_some(some);
    }
}

// At least one.
std::size_t ComparisonScheduler::count_with_room(const Contests& comparisons) const {
    if (supervision().one_at_a_time) return 1;
    double bytes = 0;
    const auto least = static_cast<double>(
        std::min(live_.a.entry.info.memory_bytes, live_.b.entry.info.memory_bytes));
    std::size_t count = 0;
    for (const auto& one : comparisons) {
        if (one->checked.a.outcome.status == Status::ok || one->self) {
            bytes += 2 * static_cast<double>(footprint(plan_of(one->the_case())).total);
        }
        if (count > 0 && bytes > least * share_of_memory) break;
        ++count;
    }
    return count;
}

PairRule ComparisonScheduler::rule(std::size_t together) const {
    PairRule rule;
    if (live_.cases.size() <= few_cases || together < fewest_interleaved) {
        rule.interim_analyses = careful_analyses;
    }
    const Judgement& judgement = live_.request.judgement;
    rule.edges = edges_of(judgement.margin, judgement.max_slowdown);
    rule.error = error_of_each(live_.cases.size());
    rule.most_seconds = live_.time_for_one(together);
    if (!is_late_) rule.longest_seconds = late_share * rule.most_seconds;
    return rule;
}

// @param some  those that came to an end are taken out; of the others one has failed
void ComparisonScheduler::compare_some(Contests& some) {
    prepare(some);
    const PairRule each = rule(some.size());
    // A self-comparison must find no difference; how near to 1 it comes is irrelevant.
    PairRule self = each;
    self.interim_analyses = {PairRule{}.interim_analyses.front()};
    PairedComparison* at = nullptr;
    bool all_have_begun = false;
    try {
        for (const auto& one : some) {
            at = one.get();
            as_one_side([&] {
                one->turns = std::make_unique<PairedTimer>(
                    one->device_sessions.a->device(), one->device_sessions.b->device(),
                    one->checked.a.outcome, one->checked.b.outcome, live_.context.config);
                if (one->self) one->turns->look_no_further();
                one->turns->begin(one->self ? self : each);
            });
        }
        all_have_begun = true;
        run_round_robin(
            some.size(), live_.context.config.pool,
            [&](std::size_t i) {
                at = some[i].get();
                return !take_turn(*at, some);
            },
            [&](std::size_t i) { return some[i]->turns->minds_the_host(); },
            [this] {
                if (const auto ask = std::exchange(ask_ahead_, {})) ask();
            });
        drop_ended(some);
    } catch (const SideError& error) {
        std::unique_ptr<PairedComparison> failed = take(some, at);
        if (all_have_begun) drop_ended(some);
        // Before a device is reopened nothing of it may be in use.
        failed->turns = nullptr;
        for (const auto& one : some) one->turns = nullptr;
        Outcome& o = failed->checked.of(error.on_b).outcome;
        failed->device_sessions.of(error.on_b)->fail(o, error.cause);
        if (failed->self) {
            ++live_.progress.done;
            if (live_.listener.trouble) live_.listener.trouble(o.reason);
        } else {
            drop_self_checks(some, failed->number);
            some.insert(some.begin(), std::move(failed));
        }
    }
}

// Drops the comparisons that ended, and postpones those that take too long.
void ComparisonScheduler::drop_ended(Contests& some) {
    std::vector<std::size_t> put_off;
    for (auto& one : some) {
        if (one->late_seconds == 0 || one->self) continue;
        put_off.push_back(one->number);
        late_.push_back(std::move(one));
    }
    std::erase(some, nullptr);
    for (const std::size_t number : put_off) drop_self_checks(some, number);
    std::erase_if(some, [](const auto& one) { return !one->turns; });
}

// A case that one side cannot run says nothing about the timer: the next one is checked instead.
void ComparisonScheduler::drop_self_checks(Contests& some, std::size_t number) {
    const auto dropped =
        std::erase_if(some, [&](const auto& one) { return one->self && one->number == number; });
    if (dropped == 0) return;
    ++due_;
    --done_self_;
}

// Leaves those that can be timed alternately; the others are settled.
void ComparisonScheduler::prepare(Contests& some) {
    unsigned generation = 0;
    do {
        generation = generations();
        std::erase_if(some, [&](const auto& one) {
            return one->self ? !prepare_self(*one) : !prepare_both(*one);
        });
    } while (generation != generations());
}

unsigned ComparisonScheduler::generations() const {
    return live_.a.generation() + live_.b.generation() + live_.a_again.generation() +
           live_.b_again.generation();
}

bool ComparisonScheduler::prepare_both(PairedComparison& one) {
    live_.a.renew(one.checked.a);
    live_.b.renew(one.checked.b);
    Outcome &a = one.checked.a.outcome, &b = one.checked.b.outcome;
    for (const bool is_b : {false, true}) {
        Outcome& o = is_b ? b : a;
        const bool is_late = o.status == Status::ok && live_.time_budget.left() <= 0;
        const bool was_not_reached = o.status == Status::skipped && o.reason.empty();
        if (was_not_reached || is_late) {
            o = live_.unreached(o.the_case, one.device_sessions.of(is_b)->entry);
        }
    }
    if (a.status == Status::ok && b.status == Status::ok) return true;
    // A side without a counterpart keeps its result.
    for (const bool is_b : {false, true}) {
        Outcome& o = is_b ? b : a;
        DeviceSession& device_session = is_b ? live_.b : live_.a;
        if (o.status != Status::ok) continue;
        live_.tell(o.the_case.title());
        device_session.time(o, live_.time_for_one(1));
    }
    keep_records(one);
    return false;
}

// Two device objects of one entry, with their own buffers and builds. Verification has seen the
// case on this device; what the timed launches leave is checked.
bool ComparisonScheduler::prepare_self(PairedComparison& one) {
    DeviceSession &device_session = *one.device_sessions.a, &again = *one.device_sessions.b;
    const Case c = one.the_case();
    if (live_.time_budget.left() > 0 && device_session.device_or_null() && again.device_or_null()) {
        try {
            const RunConfig& config = live_.context.config;
            one.checked = {{outcome_as_verified(device_session.device(), c, config)},
                           {outcome_as_verified(again.device(), c, config)}};
            return true;
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& error) {  // the host may have no memory, too
            if (live_.listener.trouble) live_.listener.trouble(error.what());
            device_session.reopen(c, error.what());
            again.reopen(c, error.what());
        }
    }
    ++live_.progress.done;
    return false;
}

// @returns whether it was the last
bool ComparisonScheduler::take_turn(PairedComparison& one, const Contests& all) {
    if (one.turns->rounds().next() == 0) {
        const std::string title = one.the_case().title();
        const std::string& device = one.device_sessions.a->entry.info.id();
        live_.tell(one.self ? fmt::format("{} against itself: {}", device, title) : title);
    }
    std::optional<InPhase> phase;
    if (one.self) phase.emplace(Phase::self_checks);
    try {
        as_one_side([&] { one.turns->go_on(); });
    } catch (const TakesTooLong& late) {
        one.late_seconds = late.seconds;
        one.turns = nullptr;
        return true;
    }
    if (!one.turns->rounds().has_ended()) return false;
    keep_timed(one);
    const double spare = one.turns->rounds().left_seconds();
    one.turns = nullptr;
    const std::size_t to_do = live_.progress.total - live_.progress.done;
    for (const auto& other : all) {
        if (other->turns && spare > 0) {
            other->turns->rounds().allow_more(spare / static_cast<double>(to_do));
        }
    }
    return true;
}

void ComparisonScheduler::keep_timed(PairedComparison& one) {
    const Both<const Entry*> entries{&one.device_sessions.a->entry, &one.device_sessions.b->entry};
    const Case& c = one.the_case();
    Pair pair{.key = asked_key_of(one.the_case()),
              .run = live_.run,
              .a = entries.a->info.id(),
              .b = entries.b->info.id(),
              .self = one.self};
    pair.launch_seconds_a = one.device_sessions.a->ceiling_of(c).launch_seconds;
    pair.launch_seconds_b = one.device_sessions.b->ceiling_of(c).launch_seconds;
    pair.timing = one.turns->rounds().timing();
    pair.measuring_seconds = one.turns->measuring_seconds();
    if (one.self) {
        ++live_.progress.done;
    } else {
        if (live_.context.config.compares_answers) pair.answer = one.turns->answers().distance();
        keep_records(one);
    }
    live_.listener.keep(pair);
}

void ComparisonScheduler::keep_records(const PairedComparison& one) {
    live_.keep(one.checked.a.outcome, live_.a.entry, 'a');
    live_.keep(one.checked.b.outcome, live_.b.entry, 'b');
    ++live_.progress.done;
    for (DeviceSession* device_session : {&live_.a, &live_.b, &live_.a_again, &live_.b_again}) {
        const std::string trouble = device_session->take_trouble();
        if (!trouble.empty() && live_.listener.trouble) live_.listener.trouble(trouble);
    }
}

}  // namespace parallax

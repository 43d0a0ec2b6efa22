// Lets the comparisons of a live diff take turns.
#include "studies/diff/contests.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/in_hand.hpp"
#include "common/interval.hpp"
#include "common/profile.hpp"
#include "common/text.hpp"
#include "measure/in_turn.hpp"

namespace parallax {
namespace {

/// So many cases are looked at with care; with more the rounds would not fit into a minute.
constexpr std::size_t few_cases = 8;
/// Of the smaller device's memory, what comparisons that take turns may have in it.
constexpr double share_of_memory = 0.25;
/// Times its share of what is left that a case may take at least, while others wait.
constexpr double late_share = 3;

bool passed_both(const Both<Seat::Checked>& checked) {
    return checked.a.outcome.status == Status::ok && checked.b.outcome.status == Status::ok;
}

std::unique_ptr<Contest> take(Contests& from, const Contest* which) {
    const auto found =
        std::ranges::find_if(from, [&](const auto& one) { return one.get() == which; });
    std::unique_ptr<Contest> taken = std::move(*found);
    from.erase(found);
    return taken;
}

/// Does a part of a comparison. Where the host gives it no memory or no thread, that is its trouble
/// and no other's: it is said of side A.
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

bool Comparing::is_self_checked(std::size_t number) const {
    return number % cases_per_self_check == cases_per_self_check / 2 || bench_.cases.size() == 1;
}

void Comparing::compare(std::vector<std::pair<std::size_t, Both<Seat::Checked>>>&& numbered) {
    if (!numbered.empty()) bench_.lock_devices();
    const Crew::Rest rest(bench_.setup.context.crew, Crew::Load::device);
    Contests contests;
    for (auto& [number, checked] : numbered) {
        const bool is_last = number + 1 == bench_.cases.size() && done_self_ == 0 && due_ == 0;
        due_ += is_self_checked(number) || is_last;
        const bool both = passed_both(checked);
        auto one = std::make_unique<Contest>();
        one->number = number;
        one->seats = {&bench_.a, &bench_.b};
        one->checked = std::move(checked);
        contests.push_back(std::move(one));
        // A case that one side cannot do is no measure of the clock: the next one is.
        if (!both || due_ == 0) continue;
        --due_;
        ++done_self_;
        const Case of_a = contests.back()->checked.a.outcome.the_case;
        const Case of_b = contests.back()->checked.b.outcome.the_case;
        add_self_check(contests, number, of_a, bench_.a, bench_.a_again);
        add_self_check(contests, number, of_b, bench_.b, bench_.b_again);
    }
    compare_all(std::move(contests));
}

void Comparing::add_self_check(Contests& all, std::size_t number, const Case& c, Seat& seat,
                               Seat& again) {
    const std::string id = seat.entry.info.id();
    if (const Pair* const made = bench_.setup.context.earlier.pair(asked_key_of(c), id, id, true)) {
        ++bench_.progress.done;
        bench_.listener.keep(*made);
        return;
    }
    auto one = std::make_unique<Contest>();
    one->number = number;
    one->seats = {&seat, &again};
    one->checked.a.outcome.the_case = c;
    one->self = true;
    all.push_back(std::move(one));
}

// Those that take as long as many others: now that the others are done.
void Comparing::compare_late() {
    std::ranges::sort(late_, {}, &Contest::late_seconds);
    is_late_ = true;
    double seconds = 0;
    for (const auto& late : late_) {
        seconds += late->late_seconds;
        if (bench_.cases.size() == 1 || seconds <= bench_.pace.left()) continue;
        for (const bool is_b : {false, true}) {
            Outcome& o = late->checked.of(is_b).outcome;
            o = bench_.unreached(o.the_case, late->seats.of(is_b)->entry);
            o.reason += fmt::format(" It takes {} at least.", duration(late->late_seconds));
        }
    }
    compare_all(std::exchange(late_, {}));
}

double Comparing::reserved() const {
    if (late_.empty()) return 0;
    double sum = 0, least = late_.front()->late_seconds;
    for (const auto& late : late_) {
        sum += late->late_seconds;
        least = std::min(least, late->late_seconds);
    }
    return std::max(least, std::min(sum, bench_.pace.left() / 2));
}

// All of them by turns, as many at once as the devices have room for.
void Comparing::compare_all(Contests contests) {
    while (!contests.empty()) {
        const auto begin = contests.begin();
        const auto end = begin + static_cast<std::ptrdiff_t>(count_with_room(contests));
        Contests some(std::make_move_iterator(begin), std::make_move_iterator(end));
        contests.erase(begin, end);
        while (!some.empty()) compare_some(some);
    }
}

// At least one.
std::size_t Comparing::count_with_room(const Contests& contests) const {
    if (watched().one_at_a_time) return 1;
    double bytes = 0;
    const auto least = static_cast<double>(
        std::min(bench_.a.entry.info.memory_bytes, bench_.b.entry.info.memory_bytes));
    std::size_t count = 0;
    for (const auto& one : contests) {
        if (one->checked.a.outcome.status == Status::ok || one->self) {
            bytes += 2 * static_cast<double>(footprint(plan_of(one->the_case())).total);
        }
        if (count > 0 && bytes > least * share_of_memory) break;
        ++count;
    }
    return count;
}

PairRule Comparing::rule(std::size_t together) const {
    PairRule rule;
    if (bench_.cases.size() <= few_cases || together < fewest_in_turn) {
        rule.looks = careful_looks;
    }
    const Judgement& judgement = bench_.request.judgement;
    rule.edges = edges_of(judgement.margin, judgement.max_slowdown);
    rule.error = error_of_each(bench_.cases.size());
    rule.most_seconds = bench_.time_for_one(together);
    if (!is_late_) rule.longest_seconds = late_share * rule.most_seconds;
    return rule;
}

// @param some  those that came to an end are taken out; of the others one has failed
void Comparing::compare_some(Contests& some) {
    prepare(some);
    const PairRule each = rule(some.size());
    // A look at the clock is to find no lie; how near to 1 it comes is nobody's question.
    PairRule self = each;
    self.looks.resize(1);
    Contest* at = nullptr;
    bool all_have_begun = false;
    try {
        for (const auto& one : some) {
            at = one.get();
            as_one_side([&] {
                one->turns = std::make_unique<Turns>(one->seats.a->device(), one->seats.b->device(),
                                                     one->checked.a.outcome, one->checked.b.outcome,
                                                     bench_.setup.context);
                one->turns->begin(one->self ? self : each);
            });
        }
        all_have_begun = true;
        by_turns(
            some.size(), bench_.setup.context.crew,
            [&](std::size_t i) {
                at = some[i].get();
                return !take_turn(*at, some);
            },
            [&](std::size_t i) { return some[i]->turns->minds_the_host(); });
        drop_ended(some);
    } catch (const SideError& error) {
        std::unique_ptr<Contest> failed = take(some, at);
        if (all_have_begun) drop_ended(some);
        // Before a device is opened anew nothing of it may be in use.
        failed->turns = nullptr;
        for (const auto& one : some) one->turns = nullptr;
        fail(*failed, error);
        if (failed->self) {
            ++bench_.progress.done;
            const Outcome& o = failed->checked.of(error.on_b).outcome;
            if (bench_.listener.trouble) bench_.listener.trouble(o.reason);
        } else {
            drop_self_checks(some, failed->number);
            some.insert(some.begin(), std::move(failed));
        }
    }
}

// Those that came to an end go, and those that take too long wait.
void Comparing::drop_ended(Contests& some) {
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

// A case that one side cannot do is no measure of the clock: the next one is.
void Comparing::drop_self_checks(Contests& some, std::size_t number) {
    const auto dropped =
        std::erase_if(some, [&](const auto& one) { return one->self && one->number == number; });
    if (dropped == 0) return;
    ++due_;
    --done_self_;
}

// Leaves those that can be timed by turns; the others are settled.
void Comparing::prepare(Contests& some) {
    unsigned generation = 0;
    do {
        generation = generations();
        std::erase_if(some, [&](const auto& one) {
            return one->self ? !prepare_self(*one) : !prepare_both(*one);
        });
    } while (generation != generations());
}

unsigned Comparing::generations() const {
    return bench_.a.generation() + bench_.b.generation() + bench_.a_again.generation() +
           bench_.b_again.generation();
}

bool Comparing::prepare_both(Contest& one) {
    bench_.a.renew(one.checked.a);
    bench_.b.renew(one.checked.b);
    Outcome &a = one.checked.a.outcome, &b = one.checked.b.outcome;
    for (const bool is_b : {false, true}) {
        Outcome& o = is_b ? b : a;
        const bool is_late = o.status == Status::ok && bench_.pace.left() <= 0;
        const bool was_not_reached = o.status == Status::skipped && o.reason.empty();
        if (was_not_reached || is_late) {
            o = bench_.unreached(o.the_case, one.seats.of(is_b)->entry);
        }
    }
    if (a.status == Status::ok && b.status == Status::ok) return true;
    // A side that stands alone keeps its figure.
    for (const bool is_b : {false, true}) {
        Outcome& o = is_b ? b : a;
        Seat& seat = is_b ? bench_.b : bench_.a;
        if (o.status != Status::ok) continue;
        bench_.tell(o.the_case.title());
        RunContext alone = bench_.setup.context;
        alone.rule.most_seconds = std::min(alone.rule.most_seconds, bench_.time_for_one(1));
        time_case(seat.device(), alone, o);
        if (o.status == Status::failed) seat.reopen(o.the_case, o.reason);
    }
    keep_records(one);
    return false;
}

// Two device objects of one entry, with their own buffers and builds. The gate has seen the
// case on this device; what the timed launches leave is checked.
bool Comparing::prepare_self(Contest& one) {
    Seat &seat = *one.seats.a, &again = *one.seats.b;
    const Case c = one.the_case();
    if (bench_.pace.left() > 0 && seat.device_or_null() && again.device_or_null()) {
        try {
            one.checked = {{passed(seat.device(), c)}, {passed(again.device(), c)}};
            return true;
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& error) {  // the host may have no memory, too
            if (bench_.listener.trouble) bench_.listener.trouble(error.what());
            seat.reopen(c, error.what());
            again.reopen(c, error.what());
        }
    }
    ++bench_.progress.done;
    return false;
}

Outcome Comparing::passed(Device& device, const Case& c) {
    Outcome o = outcome_for(c, bench_.setup.context, device.info().backend);
    o.codes = bench_.setup.context.workshop->take(device, o.program, o.plan);
    o.status = Status::ok;
    o.checked.emplace();
    return o;
}

// @returns whether it was the last
bool Comparing::take_turn(Contest& one, const Contests& all) {
    if (one.turns->rounds().next() == 0) {
        const std::string title = one.the_case().title();
        const std::string& device = one.seats.a->entry.info.id();
        bench_.tell(one.self ? fmt::format("{} against itself: {}", device, title) : title);
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
    const std::size_t to_do = bench_.progress.total - bench_.progress.done;
    for (const auto& other : all) {
        if (other->turns && spare > 0) {
            other->turns->rounds().allow_more(spare / static_cast<double>(to_do));
        }
    }
    return true;
}

void Comparing::keep_timed(Contest& one) {
    const Both<const Entry*> entries{&one.seats.a->entry, &one.seats.b->entry};
    const ElementType type = one.the_case().type;
    Pair pair{.key = asked_key_of(one.the_case()),
              .run = bench_.run,
              .a = entries.a->info.id(),
              .b = entries.b->info.id(),
              .self = one.self};
    pair.launch_seconds_a = one.seats.a->ceiling_of(type).launch_seconds;
    pair.launch_seconds_b = one.seats.b->ceiling_of(type).launch_seconds;
    pair.timing = one.turns->rounds().timing();
    pair.measuring_seconds = one.turns->measuring_seconds();
    if (one.self) {
        ++bench_.progress.done;
    } else {
        pair.answer = one.turns->answers().distance();
        keep_records(one);
    }
    bench_.listener.keep(pair);
}

void Comparing::keep_records(const Contest& one) {
    bench_.keep(one.checked.a.outcome, bench_.a.entry, 'a');
    bench_.keep(one.checked.b.outcome, bench_.b.entry, 'b');
    ++bench_.progress.done;
    for (Seat* seat : {&bench_.a, &bench_.b, &bench_.a_again, &bench_.b_again}) {
        const std::string trouble = seat->take_trouble();
        if (!trouble.empty() && bench_.listener.trouble) bench_.listener.trouble(trouble);
    }
}

// A side that failed in its turn; nothing of the devices is in use.
void Comparing::fail(Contest& one, const SideError& error) {
    Outcome& o = error.on_b ? one.checked.b.outcome : one.checked.a.outcome;
    Seat& seat = error.on_b ? *one.seats.b : *one.seats.a;
    if (o.checked && !o.checked->right()) {
        settle(seat.entry.info, o);
    } else {
        conclude(seat.entry.info, o, error.cause);
        o.codes.clear();
        seat.reopen(o.the_case, o.reason);
    }
}

}  // namespace parallax

// Runs cases on two devices by turns.
#include "studies/diff/live.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "measure/sizing.hpp"
#include "studies/diff/contests.hpp"
#include "studies/diff/judge.hpp"

namespace parallax {
namespace {

/// Share of a case's time that one run of it should take at most: the gate and the quads of five
/// rounds on both sides have to fit.
constexpr double run_share = 1.0 / 200;
/// The share of the budget that ceilings may take.
constexpr double ceiling_share = 0.15;
class LiveDiff {
public:
    LiveDiff(const LiveRequest& request, const RunContext& context, const RunInfo& run,
             const LiveListener& listener)
        : bench_(request, context, run, listener) {
        if (bench_.cases.empty()) {
            throw UsageError(
                "Ceilings are measured with every diff, each side on its own; there is nothing "
                "else to compare. Pick another suite with -s.");
        }
        for (const Case& c : bench_.cases) {
            program_of(c, bench_.setup.context);
            if (!c.shape.extents.empty()) {
                refuse_what_fits_nowhere(c, std::array{request.a, request.b});
            }
        }
        const std::size_t checks =
            (bench_.cases.size() + cases_per_self_check - 1) / cases_per_self_check;
        bench_.progress.total = bench_.cases.size() + (bench_.untimed() ? 0 : 2 * checks);
    }

    void run() {
        open_all();
        for (const Case& c : bench_.cases) {
            // What tuning gives follows from a size that is not known yet.
            if (bench_.earlier(c) || bench_.request.what.tuned) continue;
            for (Seat* seat : {&bench_.a, &bench_.b}) bench_.setup.ask_build(seat->device(), c);
        }
        if (!bench_.untimed()) {
            measure_ceilings(bench_.a, bench_.a_again);
            measure_ceilings(bench_.b, bench_.b_again);
        }
        for (Case& c : bench_.cases) {
            if (const Record* const made = bench_.earlier(c)) {
                c = with_shape(c, Shape{made->key.shape});
            } else if (c.shape.extents.empty() && bench_.untimed()) {
                c = with_shape(c, shapes_of(*c.suite, *c.variant).front());
            } else if (c.shape.extents.empty()) {
                const Sized both[]{{&bench_.a.entry.info, bench_.a.ceiling_of(c.type)},
                                   {&bench_.b.entry.info, bench_.b.ceiling_of(c.type)}};
                c = with_shape(c, telling_shape(c, both,
                                                run_share * bench_.request.what.budget_seconds /
                                                    static_cast<double>(bench_.progress.total)));
            }
        }
        drop_repeated();
        for (const Case& c : bench_.cases) {
            if (!bench_.has_other_buffers(c) || !bench_.listener.trouble) continue;
            bench_.listener.trouble(
                fmt::format("{}: with the kept constants the two sides would have other inputs or "
                            "outputs, so both have the case's own constants.",
                            c.title()));
        }
        for (std::size_t done = 0; done < bench_.cases.size();) done += run_block(done);
        comparing_.compare_late();
    }

private:
    /// Both sides, and each once more to be compared with itself, side by side.
    void open_all() {
        std::vector<std::shared_ptr<Ahead<Device*>>> opened;
        for (Seat* seat : {&bench_.a, &bench_.b, &bench_.a_again, &bench_.b_again}) {
            opened.push_back(std::make_shared<Ahead<Device*>>([seat] { return &seat->device(); }));
            if (bench_.setup.context.crew) {
                bench_.setup.context.crew->add([one = opened.back()] { one->make(); });
            }
        }
        for (const auto& one : opened) one->get();
    }

    /// A size that was left open may have come out as one that was asked for, too.
    void drop_repeated() {
        std::vector<Case> once;
        std::set<CaseKey> keys;
        for (Case& c : bench_.cases) {
            if (keys.insert(key_of(c)).second) once.push_back(std::move(c));
        }
        bench_.progress.total -= bench_.cases.size() - once.size();
        bench_.cases = std::move(once);
    }

    /// Some cases: checked on both sides, side by side as far as there is a crew, and timed by
    /// turns. @returns how many
    std::size_t run_block(std::size_t first) {
        const std::span<const Case> rest = std::span(bench_.cases).subspan(first);
        const std::span<const Case> cases = rest.first(bench_.setup.block_of(rest, fewest_in_turn));
        bench_.pace.begin_block(comparing_.reserved());
        for (std::size_t i = 0; i < cases.size() && bench_.pace.left() > 0; ++i) {
            if (bench_.earlier(cases[i])) continue;
            ask_workloads(cases[i]);
            for (const bool is_b : {false, true}) {
                Seat &seat = is_b ? bench_.b : bench_.a,
                     &again = is_b ? bench_.b_again : bench_.a_again;
                const Case c = bench_.on(is_b, cases[i]);
                seat.check_ahead(c, [this] { return bench_.pace.may_check(); });
                const bool twice = comparing_.is_self_checked(first + i) && !bench_.untimed();
                Device* device = twice ? again.device_or_null() : nullptr;
                if (device) bench_.setup.ask_build(*device, c);
            }
        }
        std::vector<Both<Seat::Checked>> checked;
        try {
            for (const Case& c : cases) {
                checked.push_back(checked_on_both(c));
                // The rest come next, when these have been timed.
                if (bench_.pace.left() > 0 && checked.size() > 1 && is_skipped(checked.back())) {
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
        for (const Case& c : later.first(bench_.setup.block_of(later, fewest_in_turn)))
            ask_workloads(c);
        std::vector<std::pair<std::size_t, Both<Seat::Checked>>> numbered;
        for (std::size_t i = 0; i < checked.size(); ++i) {
            if (bench_.earlier(cases[i])) {
                take_over(cases[i]);
            } else if (bench_.untimed()) {
                keep_checked(checked[i]);
            } else {
                numbered.emplace_back(first + i, std::move(checked[i]));
            }
        }
        comparing_.compare(std::move(numbered));
        return checked.size();
    }

    /// Where one side is for checks alone, that is all there is.
    void keep_checked(Both<Seat::Checked>& checked) {
        for (const bool is_b : {false, true}) {
            Outcome& o = checked.of(is_b).outcome;
            if (o.status == Status::skipped && o.reason.empty()) {
                o = bench_.unreached(o.the_case, is_b ? bench_.b.entry : bench_.a.entry);
            }
            end_checked(o, never_timed(bench_.untimed()->info));
        }
        bench_.keep(checked.a.outcome, bench_.a.entry, 'a');
        bench_.keep(checked.b.outcome, bench_.b.entry, 'b');
        ++bench_.progress.done;
    }

    /// The same of what was made before.
    void take_over(const Case& c) {
        const Earlier& all = bench_.setup.context.earlier;
        const std::string a = bench_.a.entry.info.id(), b = bench_.b.entry.info.id();
        for (const Record* one :
             {all.record(a, bench_.on(false, c), 'a'), all.record(b, bench_.on(true, c), 'b')}) {
            if (one) bench_.listener.keep(*one);
        }
        if (const Pair* const pair = all.pair(key_of(c), a, b, false)) bench_.listener.keep(*pair);
        ++bench_.progress.done;
    }

    void ask_workloads(const Case& c) {
        if (bench_.earlier(c)) return;
        for (const bool is_b : {false, true}) {
            bench_.setup.ask_workloads((is_b ? bench_.b : bench_.a).entry.info, bench_.on(is_b, c));
        }
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
            if (has_ended(a.outcome)) bench_.keep(a.outcome, bench_.a.entry, 'a');
            if (has_ended(b.outcome)) bench_.keep(b.outcome, bench_.b.entry, 'b');
        }
    }

    Both<Seat::Checked> checked_on_both(const Case& c) {
        if (bench_.earlier(c)) {
            Both<Seat::Checked> made;
            made.a.outcome.status = made.b.outcome.status = Status::ok;
            return made;
        }
        if (bench_.setup.context.between) bench_.setup.context.between();
        bench_.tell(fmt::format("checking {}", c.title()));
        const HostClock::time_point begin = HostClock::now();
        const auto is_time = [this] { return bench_.pace.may_check(); };
        Both<Seat::Checked> checked{bench_.a.check(bench_.on(false, c), is_time),
                                    bench_.b.check(bench_.on(true, c), is_time)};
        if (!bench_.untimed()) {
            bench_.setup.get_workload(bench_.a.entry.info, checked.a.outcome);
            bench_.setup.get_workload(bench_.b.entry.info, checked.b.outcome);
        }
        if (!is_skipped(checked)) bench_.pace.note_check(seconds_since(begin));
        return checked;
    }

    void measure_ceilings(Seat& seat, Seat& again) {
        if (&seat == &bench_.b && bench_.a.entry.info.id() == bench_.b.entry.info.id()) {
            seat.ceilings = again.ceilings = bench_.a.ceilings;
            return;
        }
        std::set<ElementType> types;
        for (const Case& c : bench_.cases) types.insert(c.type);
        RunContext context = bench_.setup.context;
        context.rule.most_seconds =
            std::min({context.rule.most_seconds, ceiling_seconds,
                      ceiling_share * bench_.request.what.budget_seconds /
                          static_cast<double>(2 * ceiling_cases(types).size())});
        seat.ceilings = measured_ceilings(
            seat.entry.info, types, context, bench_.run,
            {.device =
                 [&] {
                     bench_.lock_devices();
                     return seat.device_or_null();
                 },
             .run =
                 [&](const Case& c) {
                     bench_.tell(fmt::format("{} {}", seat.entry.info.id(), c.title()));
                     Record record = to_record(run_case(seat.device(), c, {}, context),
                                               seat.entry.info, bench_.run);
                     bench_.listener.keep(record);
                     if (record.status == Status::failed) seat.reopen(c, record.reason);
                     return record;
                 },
             .take = bench_.listener.keep});
        again.ceilings = seat.ceilings;
    }

    LiveBench bench_;
    Comparing comparing_{bench_};
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
    const auto only_checks = [](const Entry& entry) { return entry.info.only_checks; };
    const auto timed = std::ranges::find_if_not(devices.entries, only_checks);
    const auto checking = std::ranges::find_if(devices.entries, only_checks);
    if (timed != devices.entries.end()) {
        std::vector<std::string> known;
        for (const Entry& entry : devices.entries) {
            if (entry.info.only_checks) continue;
            known.push_back(fmt::format("{} ({})", entry.info.id(), entry.info.name));
        }
        const std::string id = timed->info.id();
        text += fmt::format(
            " There are: {}. Name two of them, or one twice to try the clock: 'parallax diff {} "
            "{}'. Result files can be compared anywhere: 'parallax diff OLD NEW'.",
            fmt::join(known, ", "), id, id);
        if (checking != devices.entries.end()) {
            text += fmt::format(" 'parallax diff {} {}' compares answers alone.", id,
                                checking->info.id());
        }
    }
    for (const Problem& problem : devices.problems) text += " " + to_string(problem);
    throw NothingToCompare(text + " 'parallax doctor' says what keeps devices away.");
}

}  // namespace parallax

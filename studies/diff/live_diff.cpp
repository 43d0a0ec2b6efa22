// Runs cases on two devices alternately.
#include "studies/diff/live_diff.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "measure/case_block.hpp"
#include "measure/sizing.hpp"
#include "studies/diff/comparison_scheduler.hpp"
#include "studies/diff/diff_verdicts.hpp"

namespace parallax {
namespace {

/// Share of a case's time that one run of it should take at most: verification and the quads of
/// five rounds on both sides have to fit.
constexpr double run_share = 1.0 / 200;
/// The share of the budget that ceilings may take.
constexpr double ceiling_share = 0.15;
class LiveDiff {
public:
    LiveDiff(const LiveRequest& request, const RunConfig& config, const RunInfo& run,
             const LiveListener& listener)
        : live_(request, config, run, listener) {
        if (live_.cases.empty()) {
            throw UsageError(
                "Ceilings are measured with every diff, each side on its own; there is nothing "
                "else to compare. Pick another suite with -s.");
        }
        for (const Case& c : live_.cases) {
            for (const bool is_b : {false, true})
                program_of(live_.on(is_b, c), live_.context.config);
            if (!c.shape.extents.empty()) {
                refuse_what_fits_nowhere(c, std::array{request.a, request.b});
            }
        }
        const std::size_t checks =
            (live_.cases.size() + cases_per_self_check - 1) / cases_per_self_check;
        live_.progress.total = live_.cases.size() + (live_.untimed() ? 0 : 2 * checks);
    }

    void run() {
        for (const bool is_b : {false, true}) {
            std::vector<Case> cases;
            for (const Case& c : live_.cases) cases.push_back(live_.on(is_b, c));
            ask_host_trials(live_.context.config, cases,
                            std::array{live_.request.a, live_.request.b});
        }
        open_all();
        if (!live_.untimed()) {
            for (const bool is_b : {false, true})
                ask_ceilings(live_.context, live_.side(is_b), ceiling_types(live_.cases),
                             live_.run);
        }
        for (const Case& c : live_.cases) {
            // Tuned constants depend on a size that is not known yet.
            if (live_.earlier(c) || live_.request.what.tuned) continue;
            for (const bool is_b : {false, true})
                live_.context.ask_build(live_.side(is_b).device(), live_.on(is_b, c));
        }
        if (!live_.untimed()) {
            measure_ceilings(live_.a, live_.a_again);
            measure_ceilings(live_.b, live_.b_again);
        }
        for (Case& c : live_.cases) {
            if (const Record* const made = live_.earlier(c)) {
                c = with_shape(c, Shape{made->key.shape});
            } else if (c.shape.extents.empty() && live_.untimed()) {
                c = with_shape(c, shapes_of(*c.suite, *c.variant).front());
            } else if (c.shape.extents.empty()) {
                const Sized both[]{{&live_.a.entry.info, live_.a.ceiling_of(c)},
                                   {&live_.b.entry.info, live_.b.ceiling_of(c)}};
                c = with_shape(c, choose_shape(c, both,
                                               run_share * live_.request.what.budget_seconds /
                                                   static_cast<double>(live_.progress.total)));
            }
        }
        drop_repeated();
        for (const Case& c : live_.cases) {
            if (!live_.has_other_buffers(c) || !live_.listener.trouble) continue;
            live_.listener.trouble(
                fmt::format("{}: with the kept constants the two sides would have other inputs or "
                            "outputs, so both have the case's own constants.",
                            c.title()));
        }
        for (std::size_t done = 0; done < live_.cases.size();) done += run_block(done);
        comparing_.compare_late();
    }

private:
    /// Both sides, and each once more to be compared with itself, side by side.
    void open_all() {
        std::vector<std::shared_ptr<OnceFuture<Device*>>> opened;
        for (DeviceSession* device_session : {&live_.a, &live_.b, &live_.a_again, &live_.b_again}) {
            opened.push_back(std::make_shared<OnceFuture<Device*>>(
                [device_session] { return &device_session->device(); }));
            if (live_.context.config.pool) {
                live_.context.config.pool->add([one = opened.back()] { one->make(); });
            }
        }
        for (const auto& one : opened) one->get();
    }

    /// A size that was left open may have come out as one that was asked for, too.
    void drop_repeated() {
        std::vector<Case> once;
        std::set<CaseKey> keys;
        for (Case& c : live_.cases) {
            if (keys.insert(key_of(c)).second) once.push_back(std::move(c));
        }
        live_.progress.total -= live_.cases.size() - once.size();
        live_.cases = std::move(once);
    }

    /// Some cases: verified on both sides, and timed alternately. @returns how many
    std::size_t run_block(std::size_t first) {
        const std::span<const Case> rest = std::span(live_.cases).subspan(first);
        std::vector<BlockItem> items;
        for (const Case& c : rest.first(live_.context.block_of(rest, fewest_interleaved))) {
            const std::size_t number = items.size() / 2;
            const Record* const made = live_.earlier(c);
            for (const bool is_b : {false, true}) {
                items.push_back({&live_.side(is_b), live_.on(is_b, c), number, made});
            }
        }
        const std::size_t count = verify_block(live_.context, items, block_rule(first));
        std::vector<std::pair<std::size_t, Both<DeviceSession::VerifiedCase>>> numbered;
        for (std::size_t i = 0; i < count; ++i) {
            if (items[2 * i].earlier) {
                take_over(rest[i]);
                continue;
            }
            Both<DeviceSession::VerifiedCase> both{std::move(items[2 * i].verified),
                                                   std::move(items[2 * i + 1].verified)};
            if (live_.untimed()) {
                keep_checked(both);
            } else {
                numbered.emplace_back(first + i, std::move(both));
            }
        }
        comparing_.compare(std::move(numbered), [this, later = rest.subspan(count)] {
            for (const Case& c : later.first(live_.context.block_of(later, fewest_interleaved)))
                ask_references(c);
        });
        return count;
    }

    /// @param first  the number of the block's first case
    BlockRule block_rule(std::size_t first) {
        BlockRule rule;
        rule.may_check = [&budget = live_.time_budget] { return budget.may_check(); };
        rule.is_timed = !live_.untimed();
        rule.checks_per_item = 0.5;  // a case is verified on both sides
        rule.reserved_seconds = comparing_.reserved();
        rule.was_queued = [this, first](const BlockItem& item) {
            if (live_.untimed() || !comparing_.is_self_checked(first + item.number)) return;
            DeviceSession& again = item.session == &live_.b ? live_.b_again : live_.a_again;
            if (Device* device = again.device_or_null()) {
                live_.context.ask_build(*device, item.the_case);
            }
        };
        rule.tell = [this](const BlockItem& item) {
            if (item.session == &live_.a) live_.tell("checking " + item.the_case.title());
        };
        rule.keep_ended = [this](const BlockItem& item) {
            live_.keep(item.verified.outcome, item.session->entry,
                       item.session == &live_.b ? 'b' : 'a');
        };
        return rule;
    }

    /// Where one side is for checks alone, that is all there is.
    void keep_checked(Both<DeviceSession::VerifiedCase>& checked) {
        for (const bool is_b : {false, true}) {
            Outcome& o = checked.of(is_b).outcome;
            if (o.status == Status::skipped && o.reason.empty()) {
                o = live_.unreached(o.the_case, is_b ? live_.b.entry : live_.a.entry);
            }
            end_checked(o, never_timed(live_.untimed()->info));
        }
        live_.keep(checked.a.outcome, live_.a.entry, 'a');
        live_.keep(checked.b.outcome, live_.b.entry, 'b');
        ++live_.progress.done;
    }

    /// The same of what was made before.
    void take_over(const Case& c) {
        const ResumeState& all = live_.context.config.earlier;
        const std::string a = live_.a.entry.info.id(), b = live_.b.entry.info.id();
        for (const Record* one :
             {all.record(a, live_.on(false, c), 'a'), all.record(b, live_.on(true, c), 'b')}) {
            if (one) live_.listener.keep(*one);
        }
        if (const Pair* const pair = all.pair(key_of(c), a, b, false)) live_.listener.keep(*pair);
        ++live_.progress.done;
    }

    void ask_references(const Case& c) {
        if (live_.earlier(c)) return;
        for (const bool is_b : {false, true}) {
            live_.context.ask_references(live_.side(is_b).entry.info, live_.on(is_b, c));
        }
    }

    void measure_ceilings(DeviceSession& device_session, DeviceSession& again) {
        if (&device_session == &live_.b && live_.a.entry.info.id() == live_.b.entry.info.id()) {
            device_session.ceilings = again.ceilings = live_.a.ceilings;
            return;
        }
        const std::set<ElementType> types = ceiling_types(live_.cases);
        const double share = ceiling_share * live_.request.what.budget_seconds /
                             static_cast<double>(2 * ceiling_cases(types).size());
        device_session.ceilings = measured_ceilings(
            live_.context, device_session, types, std::min(ceiling_seconds, share), live_.run,
            {.begin = [&] { live_.lock_devices(); },
             .tell =
                 [&](const Case& c) {
                     live_.tell(fmt::format("{} {}", device_session.entry.info.id(), c.title()));
                 },
             .keep = live_.listener.keep});
        again.ceilings = device_session.ceilings;
    }

    LiveDiffContext live_;
    ComparisonScheduler comparing_{live_};
};

}  // namespace

void run_live(const LiveRequest& request, const RunConfig& config, const RunInfo& run,
              const LiveListener& listener) {
    LiveDiff(request, config, run, listener).run();
}

std::pair<Entry, Entry> entries_to_compare(const Devices& devices) {
    for (const Entry& a : devices.entries) {
        for (const Entry& b : devices.entries) {
            if (a.physical == b.physical && a.info.backend != b.info.backend) return {a, b};
        }
    }
    std::string text =
        "No physical device is here through two APIs, so there are no two sides to compare.";
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

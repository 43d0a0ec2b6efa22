// Tests the timer where the truth is known, and shows the verifier kernels with planted errors.
#include "studies/selftest/selftest.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/statistics/interval.hpp"
#include "common/statistics/statistics.hpp"
#include "measure/device_handle.hpp"
#include "measure/device_lock.hpp"
#include "measure/device_session.hpp"
#include "measure/measurement_context.hpp"
#include "measure/paired.hpp"
#include "measure/run_case.hpp"
#include "measure/sizing.hpp"
#include "measure/verification.hpp"
#include "suites/planted.hpp"

namespace parallax {
namespace {

/// A kernel that takes longer is the last of its sizes.
constexpr double longest_run = 2e-3;
/// Share of the budget for verifying the kernels, once one has passed.
constexpr double share_for_preparing = 0.25;

/// Kernels that wait for memory, for local memory and for arithmetic; each at several sizes, so
/// that runs of an H100 last from 3 us to 10 ms.
struct Kernel {
    std::string_view suite, variant;
    std::vector<Shape> shapes;
};

std::vector<Kernel> kernels() {
    return {
        {"strided_copy", "copy", {{{1u << 12}}, {{1u << 22}}, {{1u << 25}}}},
        {"reduction", "vector", {{{1u << 24}}, {{1u << 26}}}},
        {"transpose", "padded", {{{2048, 2048}}, {{4096, 4096}}}},
        {"multiply", "blocked", {{{512, 512, 512}}, {{2048, 2048, 2048}}, {{4096, 4096, 4096}}}},
        {"ceiling", "fma", {{{1u << 14}}, {{1u << 20}}, {{1u << 25}}}}};
}

/// Keeps processors and memory of the host busy while it lives.
class Busy {
public:
    explicit Busy(unsigned threads) {
        for (unsigned i = 0; i < threads; ++i) threads_.emplace_back(work);
    }

private:
    static void work(const std::stop_token& stop) {
        std::vector<double> from(std::size_t{1} << 22, 1.0), to(from.size());
        while (!stop.stop_requested()) {
            for (std::size_t i = 0; i < from.size(); ++i) to[i] = 0.5 * (from[i] + to[i]);
            from.swap(to);
        }
    }
    std::vector<std::jthread> threads_;
};

class SelfTest {
public:
    SelfTest(const Entry& entry, const SelfTestRequest& request, const RunConfig& config,
             const RunInfo& run, const std::function<void(const ResultEntry&)>& keep,
             const std::function<void(const Progress&)>& progress)
        : entry_(entry),
          request_(request),
          run_(run),
          keep_(keep),
          tell_(progress),
          context_(config, {entry}),
          a_(context_.add_session(entry).device()),
          b_(context_.add_session(entry).device()) {
        context_.config.seed = request.seed;
        report_.device = entry.info.id();
        report_.name = entry.info.name;
    }

    SelfTestReport run() {
        const std::vector<Case> cases = cases_that_pass();
        progress_.total = request_.trials + request_.planted;
        rows_.resize(cases.size());
        const Busy busy(request_.busy);
        for (std::size_t i = 0; i < cases.size(); ++i) rows_[i].row.title = cases[i].title();
        // Trials of all lengths are interleaved, like the cases of a diff, so that a short budget
        // shortens all alike.
        const auto size = static_cast<unsigned>(cases.size());
        const unsigned most = std::max(request_.trials, request_.planted);
        for (unsigned first = 0; first < most && !report_.out_of_time; first += size) {
            std::vector<std::unique_ptr<Trial>> trials;
            for (unsigned i = 0; i < size; ++i) {
                const auto add = [&](unsigned of_all, Slowdown planted) {
                    if (first + i >= of_all) return;
                    trials.push_back(std::make_unique<Trial>(cases[i], rows_[i], planted));
                };
                add(request_.trials, {});
                add(request_.planted, five_percent);
            }
            try_some(trials);
        }
        for (Row& row : rows_) {
            if (row.seconds.empty()) continue;
            row.row.seconds = estimate_median(row.seconds).median;
            row.row.launching = row.row.seconds < 2 * launch_seconds_ * row.launches;
            if (!row.widths.empty()) row.row.widest = estimate_median(row.widths).median;
            report_.rows.push_back(row.row);
        }
        std::ranges::sort(report_.rows, {}, &SelfTestRow::seconds);
        return report_;
    }

private:
    struct Row {
        SelfTestRow row;
        std::vector<double> seconds, widths;
        double launches = 1;
    };
    struct Trial {
        Case the_case;
        Row& row;
        Slowdown planted;
        Outcome a{}, b{};
        std::unique_ptr<PairedTimer> turns{};
    };

    /// The cases that pass verification on the device, which also times the launch.
    std::vector<Case> cases_that_pass() {
        for (const Suite& suite : suites()) {
            if (!suite.is_ceiling) continue;
            const Variant& launch = variant_named(suite, "launch");
            const Case c =
                make_case(suite, launch, shapes_of(suite, launch).front(), ElementType::f32);
            RunConfig config = context_.config;
            config.rule.most_seconds =
                std::min(config.rule.most_seconds, share_for_preparing * request_.budget_seconds);
            const Outcome o = run_case(a_, c, {}, config);
            if (o.timing) launch_seconds_ = o.timing->estimate.median;
        }
        std::vector<Case> cases;
        std::string reasons;
        const auto is_late = [&] {
            return !cases.empty() &&
                   clock_.elapsed() > share_for_preparing * request_.budget_seconds;
        };
        RunConfig config = context_.config;
        config.has_time = [&] { return !is_late(); };
        for (const Kernel& kernel : kernels()) {
            const Suite& suite = suite_named(kernel.suite);
            for (const Shape& shape : kernel.shapes) {
                if (is_late()) break;
                const Case c =
                    make_case(suite, variant_named(suite, kernel.variant), shape, ElementType::f32);
                if (!has_room(entry_.info, plan_of(c), 2)) continue;
                const Outcome o = build_and_verify(a_, c, {}, config);
                if (o.status != Status::ok) {
                    reasons += fmt::format(" {}: {}", c.title(), o.reason);
                    continue;
                }
                cases.push_back(c);
                // The next size of it would take this device too long.
                if (seconds_of_a_run(o) > longest_run) break;
            }
        }
        if (cases.empty()) {
            throw Error(fmt::format("{} passes verification with no kernel of the self-test.{}",
                                    entry_.info.id(), reasons));
        }
        return cases;
    }

    void try_some(const std::vector<std::unique_ptr<Trial>>& trials) {
        const ThreadPool::Pause rest(context_.config.pool);
        PairRule rule;
        rule.edges = edges_of(request_.margin, {});
        // Each its share; the first look is taken all the same.
        rule.most_seconds = request_.budget_seconds / (request_.trials + request_.planted);
        for (const auto& trial : trials) {
            trial->a = outcome_as_verified(a_, trial->the_case, context_.config);
            trial->b = outcome_as_verified(b_, trial->the_case, context_.config);
            trial->turns = std::make_unique<PairedTimer>(a_, b_, trial->a, trial->b,
                                                         context_.config, trial->planted);
            trial->turns->begin(rule);
        }
        run_round_robin(
            trials.size(), context_.config.pool,
            [&](std::size_t i) {
                Trial& trial = *trials[i];
                if (clock_.elapsed() > request_.budget_seconds) return false;
                tell(trial);
                trial.turns->go_on();
                if (!trial.turns->rounds().has_ended()) return true;
                conclude(trial);
                trial.turns = nullptr;
                return false;
            },
            [](std::size_t) { return true; });
        report_.out_of_time = clock_.elapsed() > request_.budget_seconds;
    }

    void tell(const Trial& trial) {
        progress_.what = fmt::format("{} {}{}", entry_.info.id(), trial.the_case.title(),
                                     trial.planted.more > 0 ? ", 5 % planted" : " against itself");
        progress_.elapsed_seconds = clock_.elapsed();
        progress_.left_seconds = request_.budget_seconds - progress_.elapsed_seconds;
        if (tell_ && trial.turns->rounds().next() == 0) tell_(progress_);
    }

    void conclude(Trial& trial) {
        ++progress_.done;
        const bool is_planted = trial.planted.more > 0;
        Row& row = trial.row;
        Pair pair{.key = key_of(trial.the_case), .run = run_};
        pair.timing = trial.turns->rounds().timing();
        keep(pair, trial.turns->measuring_seconds(), trial.planted);

        const auto ratio = pair.timing.ratio();
        row.launches = static_cast<double>(trial.a.plan.steps.size());
        row.seconds.push_back(trial.a.timing->estimate.median);
        VerdictCounts& counts = is_planted ? row.row.planted : row.row.itself;
        if (!ratio || !pair.timing.doubt().empty()) {
            counts.add(Verdict::undecided);
            return;
        }
        counts.add(verdict_of(*ratio, request_.margin), *ratio, trial.planted.ratio(),
                   request_.margin);
        if (is_planted) return;
        for (std::size_t i = 0; i < lie_margins.size(); ++i) {
            const Verdict verdict = verdict_of(*ratio, lie_margins[i]);
            row.row.lies_at[i] += is_gap(verdict);
        }
        row.widths.push_back(ratio->width());
        if (std::fabs(std::log(ratio->value)) > std::fabs(std::log(row.row.worst))) {
            row.row.worst = ratio->value;
        }
    }

    double seconds_of_a_run(const Outcome& o) const {
        Binding binding(a_, o.plan, o.codes);
        binding.run();
        return binding.run().device;
    }

    void keep(Pair& pair, double measuring_seconds, Slowdown planted) {
        report_.measuring_seconds += measuring_seconds;
        pair.a = pair.b = entry_.info.id();
        pair.self = true;
        pair.launch_seconds_a = pair.launch_seconds_b = launch_seconds_;
        pair.measuring_seconds = measuring_seconds;
        if (planted.more > 0) pair.planted = planted.ratio();
        if (keep_) keep_(pair);
    }

    const Entry& entry_;
    const SelfTestRequest& request_;
    const RunInfo& run_;
    const std::function<void(const ResultEntry&)>& keep_;
    const std::function<void(const Progress&)>& tell_;
    double launch_seconds_ = 0;
    const BudgetClock clock_;
    Progress progress_;
    std::vector<Row> rows_;
    SelfTestReport report_;
    MeasurementContext context_;
    Device &a_, &b_;
};

}  // namespace

SelfTestReport run_selftest(const Entry& entry, const SelfTestRequest& request,
                            const RunConfig& config, const RunInfo& run,
                            const std::function<void(const ResultEntry&)>& keep,
                            const std::function<void(const Progress&)>& progress) {
    return SelfTest(entry, request, config, run, keep, progress).run();
}

VerificationTally try_verification(const Entry& entry, std::uint64_t seed, double budget_seconds,
                                   const std::function<void()>& check) {
    VerificationTally tally;
    const BudgetClock clock;
    DeviceHandle handle(entry);
    handle.device();  // one that cannot be opened is said before anything is tried
    ReferenceCache references(std::uint64_t{1} << 28);
    for (const Planted& planted : planted_errors()) {
        if (planted.is_race || planted.finding == ExpectedFinding::blind ||
            planted.finding == ExpectedFinding::unfit)
            continue;
        const Case c = case_of(planted);
        if (!missing_capability(entry.info, c).empty()) continue;
        check();
        if (clock.elapsed() > budget_seconds) {
            ++tally.untried;
            continue;
        }
        bool noticed = true;
        try {
            const Program program = program_with(planted, c);
            Device& device = handle.device();
            const Codes codes = build(device, program, plan_of(c));
            noticed = !Verifier{device, references, seed}.verify(c, program, codes).right();
        } catch (const Unsupported&) {
            continue;  // a kind of memory or of queue that the backend has not
        } catch (const DeviceError& error) {
            // An access that the device does not let pass; the context is dead.
            handle.reopen(watchdog_name(entry.info, c), error.what());
            if (handle.is_lost()) {
                tally.ended_by =
                    fmt::format("{}/{}: {}", planted.suite, planted.variant, planted.name);
            }
        }
        ++tally.planted;
        tally.noticed += noticed;
        if (!tally.ended_by.empty()) break;
        if (!noticed) {
            tally.missed.push_back(
                fmt::format("{}/{}: {}", planted.suite, planted.variant, planted.name));
        }
    }
    return tally;
}

void VerdictCounts::add(Verdict verdict) {
    switch (verdict) {
        case Verdict::same: ++same; break;
        case Verdict::faster: ++faster; break;
        case Verdict::slower: ++slower; break;
        default: ++undecided; break;
    }
}

void VerdictCounts::add(Verdict verdict, const Ratio& ratio, double true_ratio, double margin) {
    add(verdict);
    missed += true_ratio < ratio.low || ratio.high < true_ratio;
    // On the edge it is not the same any more: SAME is inside.
    const Verdict truth = true_ratio >= 1 + margin         ? Verdict::slower
                          : true_ratio <= 1 / (1 + margin) ? Verdict::faster
                                                           : Verdict::same;
    wrong += verdict != Verdict::undecided && verdict != truth;
}

VerdictCounts& VerdictCounts::operator+=(const VerdictCounts& other) {
    same += other.same;
    faster += other.faster;
    slower += other.slower;
    undecided += other.undecided;
    missed += other.missed;
    wrong += other.wrong;
    return *this;
}

}  // namespace parallax

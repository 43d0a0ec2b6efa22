// Goes through the experiments in order, within a budget.
#include "studies/explain/explain.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "common/interval.hpp"
#include "common/profile.hpp"
#include "measure/setup.hpp"
#include "measure/sizing.hpp"
#include "studies/explain/conclude.hpp"
#include "studies/explain/consequences.hpp"
#include "studies/explain/evidence.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/origin.hpp"
#include "studies/explain/stages.hpp"

namespace parallax {
namespace {

/// Runs shorter than this say more about launching than about kernels.
constexpr double long_enough = 8e-5;
/// Shares of the budget for the turns of one knob, and of what is to be exact: 0.8 and 3 of 55
/// seconds.
constexpr double knob_share = 0.0145, exact_share = 0.0545;
/// Kept back for the combinations and the last measurement.
constexpr double last_share = 0.15;
/// Runs of the case that fit in the budget, at least: some fifty trials of about fifty each.
constexpr double most_runs = 2500;
/// A trial that closes less than this has done nothing.
constexpr double did_nothing = 0.05;
/// Combinations are made of the knobs that close at least this much, and so many of them.
constexpr double worth_combining = 0.1;
constexpr std::size_t most_combined = 3;

/// One trial to make: positions of knobs, by the places in the list of changes.
struct Turned {
    const Knob* knob = nullptr;
    KnobChange change;
};

class Explainer {
public:
    Explainer(const ExplainRequest& request, const RunContext& context, const RunInfo& run,
              const ExplainHelp& help)
        : request_(request), run_(run), help_(help), setup_(context, {request.a, request.b}) {
        // Fifty trials, each checked at its end, say as much as one that is checked in between.
        setup_.context.check_rounds_up_to = std::uint64_t{1} << 20;
        bench_.emplace(request.a, request.b, setup_.context);
        Case c = request.the_case;
        for (const bool is_b : {false, true}) setup_.ask_build(bench_->device(is_b), c);
        start_builds(c);
        if (c.shape.extents.empty()) c = sized(c);
        bench_->set_case(c);
        for (const bool is_b : {false, true}) base_.of(is_b) = base_setup(is_b, c);
        case_ = c;
    }

    Explanation run() {
        prepare();
        wait_for(builds_);
        measure_gap();
        // Stages and origin wait for other processes, and meanwhile the crew can build for the
        // knobs: without the other kernels, which is how most of them will be built.
        const bool ahead = has_cores();
        if (ahead && (has_gap() || one_entry())) {
            lean_is_neutral_ = true;
            ask_ahead(changes_on(slower_side()), slower_side());
            lean_is_neutral_ = false;
        }
        if (ahead && has_gap() && request_.origin) try_exchanges();
        if (request_.stages && help_.build_times) {
            measure_stages();
        } else {
            collect_evidence();
        }
        // Without a gap there is nothing to find the origin of.
        if (has_gap() && request_.origin) look_for_origin();
        if (!has_gap() && !one_entry()) {
            found_.conclusion.not_tried.emplace_back(
                "Knobs: the sides are not apart, so there is no gap to close.");
        } else {
            turn_knobs();
        }
        finish();
        return std::move(found_);
    }

    std::string try_exchange(bool is_b) {
        prepare();
        Configuration setup = origin().exchanged(is_b);
        Built built = bench_->build(is_b, setup);
        if (built.outcome.status == Status::skipped) bench_->check(is_b, built);
        return built.ok() ? std::string() : built.outcome.reason;
    }

private:
    void tell(const std::string& what) const {
        if (setup_.context.between) setup_.context.between();
        if (help_.tell) help_.tell(what);
    }
    double left() const { return request_.budget_seconds - seconds_since(start_); }
    double exact_seconds() const { return exact_share * request_.budget_seconds; }
    bool one_entry() const { return request_.a.info.id() == request_.b.info.id(); }
    bool has_gap() const {
        if (one_entry()) return false;
        return found_.verdict == Verdict::faster || found_.verdict == Verdict::slower;
    }

    Configuration base_setup(bool is_b, const Case& c) const {
        Configuration setup;
        setup.program = program_of(c, setup_.context);
        const PlantedGap* planted = request_.planted;
        if (!planted) return setup;
        if (planted->base) planted->base(setup);
        if (bench_->info(is_b).backend == planted->backend) planted->plant(setup);
        return setup;
    }

    /// The smallest size that keeps both busy for long enough to be judged, and that a cache does
    /// not hold where memory is what matters; the largest that there is room for where none does.
    Case sized(const Case& open) {
        Case chosen = open;
        for (const Shape& shape : shapes_of(*open.suite, *open.variant)) {
            const bool first = chosen.shape.extents.empty();
            try {
                Case c = make_case(*open.suite, *open.variant, shape, open.type, open.constants);
                const Plan plan = plan_of(c);
                if (!first &&
                    (!has_room(request_.a.info, plan, 4) || !has_room(request_.b.info, plan, 4))) {
                    break;
                }
                if (first) chosen = c;
                const double shortest = shortest_run(c, plan);
                chosen = c;
                const bool cached =
                    open.suite->work(c).moves_much() &&
                    (fits_in_cache(request_.a.info, plan) || fits_in_cache(request_.b.info, plan));
                if (shortest >= long_enough && !cached) break;
                // The next size is several times as long.
                if (shortest > request_.budget_seconds / most_runs) break;
            } catch (const Interrupted&) {
                throw;
            } catch (const Error&) {
                // When even the first size fails, the gate explains the failure better.
                if (chosen.shape.extents.empty()) throw;
                break;
            }
        }
        return chosen;
    }

    /// Seconds of one run on the side that takes less. @throws what building and running throw
    double shortest_run(const Case& c, const Plan& plan) {
        double shortest = 1e9;
        for (const bool is_b : {false, true}) {
            const DeviceInfo& info = bench_->info(is_b);
            tell(fmt::format("{} {}: how long it takes", info.id(), c.title()));
            if (std::string lack = what_it_lacks(info, c); !lack.empty()) throw Unsupported(lack);
            Device& device = bench_->device(is_b);
            const Program program = program_of(c, setup_.context);
            Binding binding(device, plan, setup_.context.workshop->take(device, program, plan));
            binding.run();
            shortest = std::min(shortest, binding.run().device);
        }
        return shortest;
    }

    void prepare() {
        found_.key = key_of(case_);
        found_.run = run_;
        found_.title = case_.title();
        for (const bool is_b : {false, true}) {
            const DeviceInfo& info = bench_->info(is_b);
            found_.device.of(is_b) = info.id();
            found_.device_name.of(is_b) = info.name;
            if (request_.planted && slow_by_plan(is_b)) {
                found_.planted.of(is_b) = request_.planted->what;
            }
            tell(fmt::format("{} {}", info.id(), case_.title()));
            Built& built = built_.of(is_b);
            built = bench_->build(is_b, base_.of(is_b));
            if (built.outcome.status == Status::skipped) bench_->check(is_b, built);
            if (!built.ok()) {
                throw nothing_to_explain(built);
            }
        }
    }

    NothingToExplain nothing_to_explain(const Built& bad) const {
        const Outcome& o = bad.outcome;
        const std::string how =
            o.status == Status::failed ? "failed" : fmt::format("is {}", name_of(o.status));
        return {fmt::format("{} on {} {}, so there is no speed to explain: {}", case_.title(),
                            bench_->info(bad.is_b).id(), how, o.reason),
                o.status, o.log};
    }

    bool slow_by_plan(bool is_b) const {
        return (bench_->info(is_b).backend == request_.planted->backend) !=
               request_.planted->on_other;
    }

    PairRule rule(double most_seconds, bool knob) const {
        PairRule rule;
        rule.edges = edges_of(request_.margin, {});
        if (knob) {
            rule.looks = {5, 10, 20};
            // Done as well when it is clear that it did nothing, or only a part.
            const double gap = found_.gap.value;
            if (has_gap()) rule.edges.push_back(std::pow(gap, 1 - explained_share));
        }
        rule.most_seconds = most_seconds;
        return rule;
    }

    void measure_gap() {
        tell("the two by turns");
        const auto timing =
            bench_->turns(built_.a, base_.a, built_.b, base_.b, rule(exact_seconds(), false));
        if (!timing) {
            throw nothing_to_explain(built_.a.ok() ? built_.b : built_.a);
        }
        const auto ratio = timing->ratio();
        if (!ratio || !timing->doubt().empty()) {
            throw NothingToExplain("The two could not be timed: " + timing->doubt(),
                                   Status::skipped);
        }
        keep_base(*timing);
        found_.gap = *ratio;
        found_.verdict = verdict_of(*ratio, request_.margin);
        for (const bool is_b : {false, true}) {
            found_.seconds.of(is_b) = built_.of(is_b).outcome.timing->estimate.median;
        }
    }

    // Two sides with gaps planted in them are not the case that their records would name.
    void keep_base(const PairTiming& timing) {
        if (!help_.keep || request_.planted) return;
        for (const bool is_b : {false, true}) {
            Record record = to_record(built_.of(is_b).outcome, bench_->info(is_b), run_);
            record.side = is_b ? 'b' : 'a';
            help_.keep(std::move(record));
        }
        Pair pair{.key = key_of(case_), .run = run_, .a = found_.device.a, .b = found_.device.b};
        pair.timing = timing;
        help_.keep(std::move(pair));
    }

    void measure_stages() {
        tell("where the time goes");
        Both<StageSide> sides;
        for (const bool is_b : {false, true}) {
            const Built& built = built_.of(is_b);
            sides.of(is_b) = {is_b ? request_.b : request_.a, built.device, built.outcome.program,
                              built.outcome.codes};
        }
        StageRequest stages{.sides = sides,
                            .the_case = case_,
                            .context = &setup_.context,
                            .most_seconds = std::min(6.0, request_.budget_seconds / 9)};
        stages.build_times = [&](const Entry& entry, bool is_b) {
            std::future<BuildTimes>& begun = builds_.of(is_b);
            BuildTimes times = begun.valid() ? begun.get() : help_.build_times(entry, case_);
            machine_code_.of(is_b) = times.machine_code;
            return times;
        };
        stages.before_timing = [&] {
            collect_evidence();
            wait_for(tries_);
        };
        found_.stages = parallax::measure_stages(stages);
    }

    /// In processes of their own, while others build.
    void try_exchanges() {
        if (!help_.try_exchange || !origin().why_not().empty()) return;
        for (const bool is_b : {false, true}) {
            tries_.of(is_b) = std::async(std::launch::async, help_.try_exchange, case_, is_b);
        }
    }

    bool has_cores() const { return side_by_side(setup_.context) == std::launch::async; }

    /// Builds in processes of their own begin while the sides are prepared. Any size will do:
    /// lengths are arguments.
    void start_builds(const Case& open) {
        if (!request_.stages || !help_.build_times || !has_cores()) return;
        Case c = open;
        if (c.shape.extents.empty()) c.shape = shapes_of(*c.suite, *c.variant).front();
        for (const bool is_b : {false, true}) {
            const Entry& entry = is_b ? request_.b : request_.a;
            builds_.of(is_b) = std::async(std::launch::async, help_.build_times, entry, c);
        }
    }

    /// No figure is taken while another process is on the device.
    template <class T>
    static void wait_for(const Both<std::future<T>>& begun) {
        const InPhase phase(Phase::waiting, "processes");
        for (const auto* one : {&begun.a, &begun.b}) {
            if (one->valid()) one->wait();
        }
    }

    /// As ExplainHelp::try_exchange.
    std::string tried_elsewhere(const Case& c, bool is_b) {
        wait_for(tries_);
        std::future<std::string>& begun = tries_.of(is_b);
        if (begun.valid()) return begun.get();
        return help_.try_exchange ? help_.try_exchange(c, is_b) : std::string();
    }

    void collect_evidence() {
        tell("evidence");
        const InPhase phase(Phase::other, "evidence");
        for (const bool is_b : {false, true}) {
            found_.evidence.of(is_b) = evidence_of_all(built_.of(is_b).outcome, bench_->info(is_b),
                                                       machine_code_.of(is_b));
        }
    }

    Origin origin() {
        return {*bench_, base_, built_, case_, request_.a.physical == request_.b.physical};
    }

    void look_for_origin() {
        found_.why_no_origin = origin().why_not();
        if (!found_.why_no_origin.empty()) return;
        found_.origin = origin().steps(
            {.log_gap = std::log(found_.gap.value),
             .rule = rule(exact_seconds() / 2, true),
             .tell = [&](const std::string& what) { tell(what); },
             .try_elsewhere = [&](const Case& c, bool is_b) { return tried_elsewhere(c, is_b); }});
    }

    std::vector<Turned> changes_on(bool is_b) {
        const InPhase phase(Phase::other, "knobs");
        const Built& own = built_.of(is_b);
        const KnobSite site{bench_->info(is_b),     own.outcome.the_case,
                            own.outcome.plan,       own.outcome.program,
                            own.outcome.codes,      built_.of(!is_b).outcome.codes,
                            found_.seconds.of(is_b)};
        std::vector<Turned> turned;
        for (const Knob& knob : knobs()) {
            for (KnobChange& change : knob.changes(site)) {
                turned.push_back({&knob, std::move(change)});
            }
        }
        return turned;
    }

    static void apply(const KnobChange& change, Configuration& setup) {
        if (change.program) change.program(setup.program);
        for (const Constant& constant : change.constants) setup.constants.push_back(constant);
        if (!change.dynamic_local.empty()) setup.dynamic_local = change.dynamic_local;
        setup.profiling = setup.profiling && change.profiling;
        setup.by_driver = setup.by_driver || change.by_driver;
        setup.lean = setup.lean || change.lean;
    }

    /// Turns these knobs on one side or on both, and measures.
    void turn(const std::vector<Turned>& what, KnobSide side) {
        Trial trial;
        trial.side = side;
        std::vector<std::string> settings;
        bool after_ptx = false, profiling = true;
        std::string cause, remedy;
        for (const Turned& one : what) {
            trial.knobs.push_back(one.knob->name);
            settings.push_back(one.change.setting);
            after_ptx = after_ptx || one.change.after_ptx;
            profiling = profiling && one.change.profiling;
            cause += (cause.empty() ? "" : " ") + one.change.cause;
            remedy += (remedy.empty() ? "" : " ") + one.change.remedy;
        }
        trial.setting = fmt::format("{}", fmt::join(settings, ", "));
        Both<Configuration> setup = base_;
        Both<Built> built;
        bool same = profiling;
        const auto changed = [&](bool is_b) {
            return side == KnobSide::both || (side == KnobSide::b) == is_b;
        };
        const double kept_back = what.size() == 1 && side != KnobSide::both ? last_share : 0;
        if (left() < kept_back * request_.budget_seconds) {
            end(trial, TrialStatus::skipped, "The budget had ended; --budget gives more.", cause,
                remedy);
            return;
        }
        tell(fmt::format("{} on {}", trial.setting, name_of(side)));
        for (const bool is_b : {false, true}) {
            // Without profiling a batch is timed by the host, and then it is on both sides.
            setup.of(is_b).profiling = profiling;
            if (!changed(is_b)) continue;
            const bool alone =
                std::ranges::any_of(what, [](const Turned& t) { return t.change.lean; });
            for (const Turned& one : what) apply(one.change, setup.of(is_b));
            if (!alone && !differs(setup.of(is_b), base_.of(is_b))) continue;
            setup.of(is_b).lean = alone || lean_is_neutral_;
            built.of(is_b) = bench_->build(is_b, setup.of(is_b));
            const Outcome& o = built.of(is_b).outcome;
            if (o.status != Status::skipped) {
                end_badly(trial, o, cause, remedy);
                return;
            }
            same = same && !alone && same_code(o, unchanged(is_b), after_ptx);
        }
        if (!built.a.device && !built.b.device) {
            // Nothing in the text that it could change: it is not even a trial.
            return;
        }
        if (same) {
            end(trial, TrialStatus::no_effect, "The compilers made the same code of it.", cause,
                remedy);
            return;
        }
        for (const bool is_b : {false, true}) {
            Built& one = built.of(is_b);
            if (!one.device) {
                one = profiling ? built_.of(is_b) : bench_->build(is_b, setup.of(is_b));
                if (!one.ok() && one.outcome.status != Status::skipped) {
                    end_badly(trial, one.outcome, cause, remedy);
                    return;
                }
            }
            // What was not changed has passed; what was is checked after its last launch, and goes
            // through the whole gate where it did something.
            one.outcome.status = Status::ok;
            one.outcome.checked = Checked{};
        }
        measure(trial, setup, built, knob_share * request_.budget_seconds);
        if (trial.ratio && did_something(trial)) gate(trial, built, changed);
        if (trial.ratio) explain_by_resources(trial, built);
        trials_.push_back(std::move(trial));
        causes_.emplace_back(cause, remedy);
        what_.push_back(what);
    }

    /// Whether the trial is more than chance and worth a closer look.
    bool did_something(const Trial& trial) const {
        if (!has_gap()) return std::fabs(std::log(*trial.own_change)) > std::log1p(request_.margin);
        return trial.closes > did_nothing;
    }

    void gate(Trial& trial, Both<Built>& built, const std::function<bool(bool)>& changed) {
        for (const bool is_b : {false, true}) {
            if (!changed(is_b)) continue;
            bench_->check(is_b, built.of(is_b));
            const Outcome& o = built.of(is_b).outcome;
            if (o.status == Status::ok) continue;
            trial = {.knobs = trial.knobs,
                     .setting = trial.setting,
                     .side = trial.side,
                     .status = status_of(o),
                     .reason = o.reason};
            return;
        }
    }

    /// The side as it is, built as trials are.
    const Outcome& unchanged(bool is_b) {
        if (!lean_is_neutral_) return built_.of(is_b).outcome;
        Built& built = lean_.of(is_b);
        if (!built.device) {
            Configuration setup = base_.of(is_b);
            setup.lean = true;
            built = bench_->build(is_b, setup);
        }
        return built.outcome;
    }

    static bool differs(const Configuration& x, const Configuration& y) {
        return !(x.program == y.program && x.constants == y.constants &&
                 x.dynamic_local == y.dynamic_local && x.profiling == y.profiling &&
                 x.by_driver == y.by_driver);
    }

    void measure(Trial& trial, const Both<Configuration>& setup, Both<Built>& built, double seconds,
                 bool exact = false) {
        const auto timing =
            bench_->turns(built.a, setup.a, built.b, setup.b, rule(seconds, !exact));
        if (!timing) {
            const Outcome& bad = (built.a.ok() ? built.b : built.a).outcome;
            trial.status = status_of(bad);
            trial.reason = bad.reason;
            return;
        }
        if (!timing->doubt().empty() || !timing->ratio()) {
            trial.status = TrialStatus::failed;
            trial.reason = timing->doubt();
            return;
        }
        trial.status = TrialStatus::measured;
        trial.ratio = timing->ratio();
        rate(trial, found_.gap, request_.margin);
        trial.own_change = own_change(trial, setup, built);
    }

    /// Against the other side, which was timed by turns both times, where that is as it was: what
    /// the device's clock rate did in between does not count then.
    double own_change(const Trial& trial, const Both<Configuration>& setup,
                      const Both<Built>& built) const {
        const bool as_it_was = trial.side != KnobSide::both && setup.a.profiling;
        if (as_it_was && one_entry()) return trial.ratio->value;
        if (as_it_was) {
            const double change = trial.ratio->value / found_.gap.value;
            return trial.side == KnobSide::b ? change : 1 / change;
        }
        const bool is_b =
            trial.side == KnobSide::both ? found_.b_is_slower() : trial.side == KnobSide::b;
        return built.of(is_b).outcome.timing->estimate.median / found_.seconds.of(is_b);
    }

    void explain_by_resources(Trial& trial, const Both<Built>& built) {
        const InPhase phase(Phase::other, "evidence");
        const bool is_b =
            trial.side == KnobSide::both ? found_.b_is_slower() : trial.side == KnobSide::b;
        trial.consequences = consequences_of(
            found_.evidence.of(is_b), evidence_of_all(built.of(is_b).outcome, bench_->info(is_b)));
    }

    /// The status of a trial whose side failed.
    static TrialStatus status_of(const Outcome& o) {
        return o.status == Status::wrong         ? TrialStatus::wrong
               : o.status == Status::unsupported ? TrialStatus::unsupported
                                                 : TrialStatus::failed;
    }

    void end(Trial& trial, TrialStatus status, std::string reason, const std::string& cause,
             const std::string& remedy) {
        trial.status = status;
        trial.reason = std::move(reason);
        trials_.push_back(std::move(trial));
        causes_.emplace_back(cause, remedy);
        what_.emplace_back();
    }

    void end_badly(Trial& trial, const Outcome& o, const std::string& cause,
                   const std::string& remedy) {
        end(trial, status_of(o), o.reason, cause, remedy);
    }

    bool is_explained() const { return std::ranges::any_of(trials_, explains); }

    bool slower_side() const { return has_gap() ? found_.b_is_slower() : true; }

    void turn_knobs() {
        // One device against itself: A stays, so that there is something to compare with.
        const bool slower = slower_side();
        const auto side = [](bool is_b) { return is_b ? KnobSide::b : KnobSide::a; };
        const std::vector<Turned> here = changes_on(slower);
        // Leaving out the other kernels builds sooner; whether it does more than that comes first.
        for (const Turned& one : here) {
            if (!one.change.lean) continue;
            turn({one}, side(slower));
            lean_is_neutral_ = is_neutral(trials_.back());
        }
        ask_ahead(here, slower);
        for (const Turned& one : here) {
            if (!one.change.lean) turn({one}, side(slower));
        }
        // What mends the slower side is enough; the rest is for gaps that nothing has mended.
        if (!has_gap() || is_explained()) return;
        const std::vector<Turned> best = best_on(side(slower));
        for (const Turned& one : best) {
            if (can_turn_both(one, slower)) turn({one}, KnobSide::both);
        }
        if (!is_explained()) combine(best, side(slower));
        if (is_explained()) return;
        const std::vector<Turned> there = changes_on(!slower);
        ask_ahead(there, !slower);
        for (const Turned& one : there) turn({one}, side(!slower));
    }

    /// Trials do not depend on each other: the crew builds them while others are judged.
    void ask_ahead(const std::vector<Turned>& trials, bool is_b) {
        for (const Turned& one : trials) {
            Configuration setup = base_.of(is_b);
            apply(one.change, setup);
            setup.lean = setup.lean || lean_is_neutral_;
            bench_->ask(is_b, setup);
        }
    }

    bool is_neutral(const Trial& trial) const {
        constexpr double alike = 0.005;
        return trial.status == TrialStatus::measured && trial.own_change &&
               std::fabs(*trial.own_change - 1) < alike;
    }

    /// Of the knobs that did something on this side, those that did most, in their best positions.
    std::vector<Turned> best_on(KnobSide side) const {
        std::vector<std::size_t> good;
        for (std::size_t i = 0; i < trials_.size(); ++i) {
            const Trial& t = trials_[i];
            if (t.status == TrialStatus::measured && t.side == side && t.knobs.size() == 1 &&
                t.closes >= worth_combining) {
                good.push_back(i);
            }
        }
        std::ranges::sort(good, std::greater{}, [&](std::size_t i) { return trials_[i].closes; });
        std::vector<Turned> best;
        for (const std::size_t i : good) {
            const bool other = std::ranges::none_of(
                best, [&](const Turned& t) { return t.knob->name == trials_[i].knobs[0]; });
            if (other && best.size() < most_combined) best.push_back(what_[i].front());
        }
        return best;
    }

    /// Whether the knob, turned on one side, can be turned on the other too: that has it, and not
    /// in this position.
    bool can_turn_both(const Turned& one, bool is_b) {
        const std::vector<Turned> there = changes_on(!is_b);
        return std::ranges::any_of(there, [&](const Turned& other) {
            return other.knob == one.knob && other.change.setting == one.change.setting;
        });
    }

    void combine(const std::vector<Turned>& best, KnobSide side) {
        for (std::size_t i = 0; i < best.size(); ++i) {
            for (std::size_t k = i + 1; k < best.size(); ++k) turn({best[i], best[k]}, side);
        }
        if (best.size() > 2) turn(best, side);
    }

    /// Draws the conclusion; the one that it names is measured once more, with kernels at another
    /// place in every round, and on both sides, where that can be: a cause makes the two alike
    /// there too.
    void conclude_twice() {
        std::set<std::pair<std::string, KnobSide>> seen;
        for (int i = 0; i < 3; ++i) {
            found_.trials = trials_;
            conclude(found_, causes_);
            if (found_.conclusion.by.empty()) return;
            const Trial& best = found_.trials[found_.conclusion.by.front()];
            if (!seen.emplace(best.setting, best.side).second) return;
            const auto place = static_cast<std::size_t>(
                std::ranges::find_if(trials_,
                                     [&](const Trial& t) {
                                         return t.setting == best.setting && t.side == best.side &&
                                                t.knobs == best.knobs;
                                     }) -
                trials_.begin());
            const std::vector<Turned> turned = what_[place];
            measure_again(trials_[place], turned);
            const bool alone = turned.size() == 1 && trials_[place].side != KnobSide::both;
            const bool tried = std::ranges::any_of(trials_, [&](const Trial& t) {
                return t.side == KnobSide::both && t.setting == trials_[place].setting;
            });
            if (alone && !tried &&
                can_turn_both(turned.front(), trials_[place].side == KnobSide::b)) {
                turn(turned, KnobSide::both);
            }
        }
        found_.trials = trials_;
        conclude(found_, causes_);
    }

    void measure_again(Trial& trial, const std::vector<Turned>& turned) {
        Both<Configuration> setup = base_;
        Both<Built> built = built_;
        tell(fmt::format("{} once more", trial.setting));
        for (const bool is_b : {false, true}) {
            if (trial.side != KnobSide::both && (trial.side == KnobSide::b) != is_b) continue;
            for (const Turned& one : turned) apply(one.change, setup.of(is_b));
            // A queue without profiling has its own clock, and was compared by that.
            if (!setup.of(is_b).profiling) return;
            setup.of(is_b).lean = setup.of(is_b).lean || lean_is_neutral_;
            built.of(is_b) = bench_->build(is_b, setup.of(is_b));
            if (built.of(is_b).outcome.status == Status::skipped)
                bench_->check(is_b, built.of(is_b));
            if (built.of(is_b).ok()) continue;
            trial.status = status_of(built.of(is_b).outcome);
            trial.reason = built.of(is_b).outcome.reason;
            trial.ratio.reset();
            trial.closed = false;
            trial.closes = trial.closes_low = trial.closes_high = 0;
            return;
        }
        Trial again = trial;
        measure(again, setup, built, exact_seconds(), true);
        if (again.status != TrialStatus::measured) {
            again.ratio.reset();
            again.closed = false;
            again.closes = again.closes_low = again.closes_high = 0;
        }
        trial = std::move(again);
    }

    void finish() {
        std::vector<std::string> kept = std::move(found_.conclusion.not_tried);
        conclude_twice();
        found_.conclusion.not_tried.insert(found_.conclusion.not_tried.begin(), kept.begin(),
                                           kept.end());
        for (const Stage& stage : found_.stages) {
            if (stage.name != "launch") continue;
            for (const bool is_b : {false, true}) {
                const double launch = stage.seconds.of(is_b).value_or(0);
                found_.launching = found_.launching || found_.seconds.of(is_b) < 2 * launch;
            }
        }
        found_.took_seconds = request_.budget_seconds - left();
        found_.answer = answer_in_words(found_);
        if (help_.keep) help_.keep(found_);
    }

    const ExplainRequest& request_;
    const RunInfo& run_;
    const ExplainHelp& help_;
    HostClock::time_point start_ = HostClock::now();
    std::optional<Workbench> bench_;
    Case case_;
    Both<Configuration> base_;
    Both<Built> built_, lean_;
    bool lean_is_neutral_ = false;  ///< a text of this kernel alone is as fast
    Both<std::string> machine_code_;
    Both<std::future<BuildTimes>> builds_;  ///< of the stages; invalid: not begun, or taken
    Both<std::future<std::string>> tries_;  ///< of the exchange; invalid: not begun, or taken
    Explanation found_;
    std::vector<Trial> trials_;
    std::vector<std::pair<std::string, std::string>> causes_;  ///< of each trial: cause, remedy
    std::vector<std::vector<Turned>> what_;                    ///< of each measured trial
    Setup setup_;  ///< the last: its crew ends before the devices
};

}  // namespace

Explanation explain(const ExplainRequest& request, const RunContext& context, const RunInfo& run,
                    const ExplainHelp& help) {
    return Explainer(request, context, run, help).run();
}

std::string try_exchange(const ExplainRequest& request, const RunContext& context, bool is_b) {
    try {
        return Explainer(request, context, {}, {}).try_exchange(is_b);
    } catch (const Unsupported& error) {
        return error.what();
    }
}

}  // namespace parallax

// Goes through the experiments in order, within a budget.
#include "studies/explain/explain.hpp"

#include <cmath>
#include <future>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "common/profile.hpp"
#include "common/statistics/interval.hpp"
#include "common/text/demangled.hpp"
#include "studies/case_of.hpp"
#include "studies/explain/conclude.hpp"
#include "studies/explain/evidence.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/gap_location.hpp"
#include "studies/explain/in_ptx.hpp"
#include "studies/explain/spent_time.hpp"
#include "studies/explain/trials.hpp"

namespace parallax {
namespace {

/// Where building and verification, or one side's compiler alone, take this share of the budget,
/// knobs come before all else.
constexpr double slow_share = 0.15, slow_build_share = 0.03;
/// Where less than this share is left, knobs come before the exchange of code, too.
constexpr double share_for_knobs = 0.6;
/// Trying the exchange of code in a process of its own may take this share.
constexpr double tried_share = 0.2;
/// Further searches leave this share of the budget to the answer.
constexpr double answer_share = 0.05;
/// Longer cases are no launches alone.
constexpr double more_than_launches = 1e-4;

class Explainer {
public:
    Explainer(const ExplainRequest& request, const RunConfig& config, const RunInfo& run,
              const ExplainHelp& help)
        : s_(request, config, help), trials_(s_), run_(run) {
        tell_budget(request.budget_seconds);
        Case c = request.the_case;
        // Before others build: what it may have to measure is kept for later runs.
        if (c.shape.extents.empty()) c = sized(s_, c, run_);
        if (request.tuned) {
            c = request.tuned(c, request.a.info);
            c.default_constants
                .clear();  // one kernel with these constants, as if --define had said them
        }
        for (const bool is_b : {false, true}) {
            s_.context.ask_build(s_.bench->device(is_b), s_.on(is_b, c));
        }
        s_.bench->set_cases({s_.on(false, c), s_.on(true, c)});
        for (const bool is_b : {false, true}) s_.base.of(is_b) = base_setup(is_b, c);
        s_.the_case = c;
    }

    Explanation run() {
        const double begin = s_.left();
        prepare();
        preparing_seconds_ = begin - s_.left();
        is_slow_ = takes_long();
        begin_by_guess();
        wait_for(builds_);
        wait_for(tries_);
        measure_gap();
        try {
            look_for_causes();
        } catch (const Interrupted&) {
            keep_so_far();
            throw;
        }
        return std::move(s_.found);
    }

    std::string try_exchange(bool is_b) {
        // The process that asked has put both sides through verification.
        s_.context.ask_references(s_.bench->info(is_b), s_.the_case);
        Built& other = s_.built.of(!is_b);
        other = s_.bench->build(!is_b, s_.base.of(!is_b));
        if (other.outcome.status != Status::skipped) throw nothing_to_explain(other);
        Configuration configuration = origin().exchanged(is_b);
        Built built = s_.bench->build(is_b, configuration);
        if (built.outcome.status == Status::skipped) s_.bench->check(is_b, built);
        return built.ok() ? std::string() : built.outcome.reason;
    }

private:
    void look_for_causes() {
        // Of a kernel that runs for long the gap itself took much of it.
        is_slow_ = is_slow_ || s_.left() < share_for_knobs * s_.request.budget_seconds;
        // Corrects a wrong guess; builds that were started are not started again.
        begin_for_gap(s_.found.gap.value);
        const double shortest = std::min(s_.found.seconds.a, s_.found.seconds.b);
        const bool may_be_launching = shortest < more_than_launches;
        const bool has_knobs = s_.has_gap() || s_.one_entry();
        if (!is_slow_ || may_be_launching || !has_knobs) measure_stages();
        if (s_.found.evidence.a.empty()) collect_evidence();
        see_whether_it_launches();
        if (s_.has_gap()) look_beside_the_kernel();
        // Builds from caches were fast, and builds with changed knobs will not be.
        is_slow_ = is_slow_ || s_.left() < share_for_knobs * s_.request.budget_seconds;
        if (!is_slow_) look_for_origin();
        bool is_concluded = false;
        if (!s_.has_gap() && !s_.one_entry()) {
            s_.not_tried.emplace_back(
                "Knobs: the sides are not apart, so there is no gap to close.");
        } else {
            is_concluded = turn_knobs(s_, trials_, [this] { look_for_origin(); });
        }
        finish(is_concluded);
    }

    void see_whether_it_launches() {
        for (const Stage& stage : s_.found.stages) {
            if (stage.name != "launch") continue;
            for (const bool is_b : {false, true}) {
                const double launch = stage.seconds.of(is_b).value_or(0);
                s_.found.launching = s_.found.launching || s_.found.seconds.of(is_b) < 2 * launch;
            }
        }
    }

    /// Where most of the gap is of queues, memory and launches, no knob of the kernel is turned.
    void look_beside_the_kernel() {
        std::vector<OriginStep> parts = parts_of_host(s_);
        if (parts.empty()) return;
        s_.is_of_host = share_of_host(parts) >= host_share;
        if (s_.is_of_host) {
            s_.found.origin = std::move(parts);
            s_.not_tried.emplace_back("Knobs of the kernel: the gap is not in it.");
        } else {
            s_.ruled_out.push_back(fmt::format("{}: {:.0f} % of the gap. {}", host_step,
                                               100 * share_of_host(parts), parts.front().what));
        }
    }

    /// Keeps the results so far at Ctrl-C, without further measurements.
    void keep_so_far() {
        if (!s_.help.keep) return;
        s_.found.trials = trials_.all();
        conclude(s_.found, trials_.reasons());
        add_notes();
        s_.found.conclusion.not_tried.insert(s_.found.conclusion.not_tried.begin(),
                                             "All that would have come next: it was interrupted.");
        s_.found.took_seconds = s_.request.budget_seconds - s_.left();
        say_what_took_the_time();
        s_.found.answer = answer_in_words(s_.found);
        s_.help.keep(s_.found);
    }

    Configuration base_setup(bool is_b, const Case& c) const {
        Configuration configuration;
        configuration.program =
            program_of(s_.on(is_b, c), s_.context.config, s_.bench->info(is_b).backend);
        const PlantedGap* planted = s_.request.planted;
        if (!planted) return configuration;
        if (planted->base) planted->base(configuration);
        if (is_planted(is_b)) planted->plant(configuration);
        return configuration;
    }

    void prepare() {
        s_.found.key = key_of(s_.the_case);
        s_.found.run = run_;
        s_.found.title = with_changed_constants(s_.the_case.title(), s_.found.key);
        if (s_.request.other_kernel) {
            // Recorded launches of CUDA have mangled names.
            s_.found.kernel = {demangled(s_.the_case.variant->name).name,
                               demangled(s_.request.other_kernel->name).name};
            s_.found.title = fmt::format("{} against {}", s_.found.kernel.b, s_.found.title);
        }
        for (const bool is_b : {false, true}) {
            const DeviceInfo& info = s_.bench->info(is_b);
            s_.found.device.of(is_b) = info.id();
            s_.found.device_name.of(is_b) = info.name;
            if (s_.request.planted && slow_by_plan(is_b)) {
                s_.found.planted.of(is_b) = s_.request.planted->what;
            }
            s_.context.ask_references(info, s_.on(is_b, s_.the_case));
        }
        const auto prepare_side = [this](bool is_b) {
            Built& built = s_.built.of(is_b);
            built = s_.bench->build(is_b, s_.base.of(is_b));
            if (built.outcome.status == Status::skipped) s_.bench->check(is_b, built);
        };
        std::future<void> other = std::async(side_by_side(s_.context.config), [&] {
            const Profiled profiled(spent_.profile(), has_cores());
            prepare_side(true);
        });
        for (const bool is_b : {false, true}) {
            s_.tell(fmt::format("{} {}", s_.bench->info(is_b).id(), s_.the_case.title()));
            if (is_b) {
                const InPhase phase(Phase::waiting);
                other.get();
            } else {
                prepare_side(false);
            }
            if (!s_.built.of(is_b).ok()) throw nothing_to_explain(s_.built.of(is_b));
        }
    }

    bool takes_long() const {
        const double budget = s_.request.budget_seconds;
        const auto building = [&](bool is_b) {
            return build_seconds(s_.built.of(is_b).outcome.codes) > slow_build_share * budget;
        };
        return preparing_seconds_ > slow_share * budget || building(false) || building(true);
    }

    /// Other processes use the devices, so nothing may be timed yet. But if a first, rough
    /// measurement shows a gap, long builds can start.
    void begin_by_guess() {
        if (!has_cores()) return;
        for (const bool is_b : {false, true}) {
            s_.found.seconds.of(is_b) = s_.bench->seconds_of_a_run(s_.built.of(is_b));
        }
        begin_for_gap(s_.found.seconds.b / s_.found.seconds.a);
    }

    /// Builds for knobs, most of which will be without the other kernels, and processes of their
    /// own that try the exchange of code.
    /// @param gap  the time of B over A
    void begin_for_gap(double gap) {
        const bool has_gap = !(std::fabs(std::log(gap)) < std::log1p(s_.request.margin));
        if (!has_cores() || !(has_gap || s_.one_entry())) return;
        if (!is_slow_) begin_stage_builds();
        // With transfers or several queues the gap may not be in the kernel.
        if (!s_.built.a.outcome.plan.is_plain() || !s_.built.b.outcome.plan.is_plain()) return;
        const bool slower = s_.one_entry() ? s_.slower_side() : gap > 1;
        trials_.set_lean(true);
        trials_.ask_ahead(trials_.changes_on(slower), slower);
        trials_.set_lean(false);
        if (has_gap && s_.request.origin && !is_slow_) try_exchanges();
    }

    NothingToExplain nothing_to_explain(const Built& bad) const {
        const Outcome& o = bad.outcome;
        const std::string how =
            o.status == Status::failed ? "failed" : fmt::format("is {}", name_of(o.status));
        return {fmt::format("{} on {} {}, so there is no speed to explain: {}", s_.the_case.title(),
                            s_.bench->info(bad.is_b).id(), how, o.reason),
                o.status, o.log};
    }

    bool is_planted(bool is_b) const {
        const std::string& backend = s_.bench->info(is_b).backend;
        return (backend == "host" ? "cuda" : backend) == s_.request.planted->backend;
    }

    bool slow_by_plan(bool is_b) const { return is_planted(is_b) != s_.request.planted->on_other; }

    void measure_gap() {
        s_.lock();
        s_.tell("the two alternately");
        const auto timing = s_.bench->time_paired(s_.built.a, s_.base.a, s_.built.b, s_.base.b,
                                                  s_.rule(s_.exact_seconds(), false));
        if (!timing) {
            throw nothing_to_explain(s_.built.a.ok() ? s_.built.b : s_.built.a);
        }
        const auto ratio = timing->ratio();
        if (!ratio || !timing->doubt().empty()) {
            throw NothingToExplain("The two could not be timed: " + timing->doubt(),
                                   Status::skipped);
        }
        keep_base(*timing);
        s_.found.gap = *ratio;
        s_.found.verdict = verdict_of(*ratio, s_.request.margin);
        for (const bool is_b : {false, true}) {
            s_.found.seconds.of(is_b) = s_.built.of(is_b).outcome.timing->estimate.median;
        }
    }

    // Two sides with gaps planted in them are not the case that their records would name.
    void keep_base(const PairTiming& timing) {
        if (!s_.help.keep || s_.request.planted) return;
        for (const bool is_b : {false, true}) {
            Record record = to_record(s_.built.of(is_b).outcome, s_.bench->info(is_b), run_);
            record.side = is_b ? 'b' : 'a';
            if (is_b && s_.request.other_kernel) {
                record.compared_with = s_.the_case.variant->name;
                record.compared_constants = key_of(s_.the_case).constants;
            }
            s_.help.keep(std::move(record));
        }
        Pair pair{.key = key_of(s_.the_case),
                  .run = run_,
                  .a = s_.found.device.a,
                  .b = s_.found.device.b};
        pair.timing = timing;
        s_.help.keep(std::move(pair));
    }

    void measure_stages() {
        if (!wants_stages() || !s_.found.stages.empty()) return;
        s_.tell("where the time goes");
        begin_stage_builds();
        Both<StageSide> sides;
        for (const bool is_b : {false, true}) {
            Built& built = s_.built.of(is_b);
            s_.bench->refresh(built, s_.base.of(is_b));
            sides.of(is_b) = {is_b ? s_.request.b : s_.request.a, built.device,
                              built.outcome.program, built.outcome.codes, built.outcome.plan};
        }
        StageRequest stages{.sides = sides,
                            .the_case = s_.the_case,
                            .config = &s_.context.config,
                            .most_seconds = stage_seconds()};
        stages.build_times = [&](const Entry& entry, bool is_b) {
            std::future<BuildTimes>& begun = builds_.of(is_b);
            BuildTimes times =
                begun.valid() ? begun.get() : s_.help.build_times(entry, s_.on(is_b, s_.the_case));
            machine_code_.of(is_b) = times.machine_code;
            return times;
        };
        stages.before_timing = [&] {
            const bool is_new = !machine_code_.a.empty() || !machine_code_.b.empty();
            if (is_new || s_.found.evidence.a.empty()) collect_evidence();
            wait_for(tries_);
        };
        s_.found.stages = parallax::measure_stages(stages);
    }

    double stage_seconds() const { return std::min(2.0, s_.request.budget_seconds / 9); }

    bool wants_stages() const {
        return s_.request.stages && s_.help.build_times && has_same_buffers();
    }

    /// Measures the remaining stages with the rest of the budget.
    void measure_stages_at_last() {
        if (!wants_stages() || !s_.found.stages.empty()) return;
        // Each side is built in two processes, and twice here.
        if (has_time_for(3 * preparing_seconds_ + stage_seconds())) return measure_stages();
        s_.not_tried.push_back(fmt::format("Where the time goes: {}", budget_ended));
        stages_need_ = 3 * preparing_seconds_ + stage_seconds();
    }

    bool has_time_for(double seconds) const {
        return s_.left() > seconds + answer_share * s_.request.budget_seconds;
    }

    /// Stages move the buffers of both sides; two kernels need not have the same.
    bool has_same_buffers() const {
        return s_.built.a.outcome.plan.buffers == s_.built.b.outcome.plan.buffers;
    }

    /// In processes of their own, while others build.
    void try_exchanges() {
        if (!s_.help.try_exchange || tries_.a.valid() || !origin().why_not().empty()) return;
        for (const bool is_b : {false, true}) {
            tries_.of(is_b) =
                std::async(std::launch::async, s_.help.try_exchange, s_.the_case, is_b);
        }
    }

    bool has_cores() const { return side_by_side(s_.context.config) == std::launch::async; }

    /// In processes of their own, as those that try the exchange.
    void begin_stage_builds() {
        if (!wants_stages() || !has_cores() || builds_.a.valid() || !s_.found.stages.empty()) {
            return;
        }
        for (const bool is_b : {false, true}) {
            const Entry& entry = is_b ? s_.request.b : s_.request.a;
            builds_.of(is_b) = std::async(std::launch::async, s_.help.build_times, entry,
                                          s_.on(is_b, s_.the_case));
        }
    }

    /// Measures only while no other process uses the device.
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
        return s_.help.try_exchange ? s_.help.try_exchange(c, is_b) : std::string();
    }

    void collect_evidence() {
        s_.tell("evidence");
        const InPhase phase(Phase::other, "evidence");
        Both<std::future<std::vector<KernelEvidence>>> asked;
        for (const bool is_b : {false, true}) {
            asked.of(is_b) = std::async(side_by_side(s_.context.config), [this, is_b] {
                return evidence_of_all(s_.built.of(is_b).outcome, s_.bench->info(is_b),
                                       machine_code_.of(is_b));
            });
        }
        for (const bool is_b : {false, true}) s_.found.evidence.of(is_b) = asked.of(is_b).get();
    }

    Origin origin() {
        return {*s_.bench, s_.base, s_.built, s_.the_case,
                s_.request.a.physical == s_.request.b.physical};
    }

    /// Both sides are tried in other processes; three builds are verified here, and compared.
    double origin_seconds() const {
        const double tried = tried_share * s_.request.budget_seconds;
        return (has_cores() ? tried : 2 * tried) + 1.5 * preparing_seconds_ +
               2 * s_.exact_seconds();
    }

    /// Without a gap there is nothing to find the origin of.
    void look_for_origin() {
        if (!s_.has_gap() || !s_.request.origin || s_.is_of_host || !s_.found.origin.empty())
            return;
        s_.found.why_no_origin = origin().why_not();
        if (!s_.found.why_no_origin.empty()) return;
        if (is_slow_ && !has_time_for(origin_seconds())) {
            s_.found.why_no_origin = out_of_budget;
            return;
        }
        if (is_slow_ && has_cores()) try_exchanges();
        s_.found.origin = origin().steps(
            {.log_gap = std::log(s_.found.gap.value),
             .rule = s_.rule(s_.exact_seconds() / 2, true),
             .tell = [&](const std::string& what) { s_.tell(what); },
             .try_elsewhere = [&](const Case& c, bool is_b) { return tried_elsewhere(c, is_b); }});
    }

    /// CUDA's compiler can say of which line an instruction is.
    void see_where_ptx_differs() {
        const bool is_b = s_.bench->info(true).backend == "cuda";
        if (s_.bench->info(is_b).backend != "cuda") return;
        Configuration configuration = s_.base.of(is_b);
        configuration.program.options.emplace_back("--generate-line-info");
        const Built built = s_.bench->build(is_b, configuration);
        std::string with_lines;
        for (const auto& [name, code] : built.outcome.codes) with_lines += code->ptx;
        s_.found.conclusion.where =
            difference_in_ptx(s_.found, is_b, with_lines, configuration.program.name);
    }

    void finish(bool is_concluded) {
        std::vector<std::string> kept;
        if (!is_concluded) {
            kept = std::exchange(s_.found.conclusion.not_tried, {});
            conclude_twice(s_, trials_);
        }
        Conclusion& conclusion = s_.found.conclusion;
        conclusion.not_tried.insert(conclusion.not_tried.begin(), kept.begin(), kept.end());
        look_for_origin();
        if (s_.has_gap()) add_gains(s_, trials_);
        measure_stages_at_last();
        see_whether_it_launches();
        add_notes();
        if (s_.has_gap() && conclusion.by.empty() && conclusion.where.empty() && !s_.is_of_host) {
            see_where_ptx_differs();
        }
        s_.found.took_seconds = s_.request.budget_seconds - s_.left();
        say_what_took_the_time();
        s_.found.answer = answer_in_words(s_.found);
        if (s_.help.keep) s_.help.keep(s_.found);
    }

    /// Where the budget had ended: what it was spent on, and how large it would have to be.
    void say_what_took_the_time() {
        Explanation& e = s_.found;
        const double mean =
            trials_.mean_seconds().value_or(preparing_seconds_ + s_.trial_seconds());
        const double more_seconds =
            static_cast<double>(std::ranges::count_if(e.trials, lacks_budget)) * mean +
            (e.why_no_origin == out_of_budget ? origin_seconds() : 0) + stages_need_;
        if (more_seconds == 0) return;
        e.needed_seconds = s_.request.budget_seconds + more_seconds / (1 - last_share);
        const std::string more = larger_budget(e);
        const std::string spent = fmt::format(" after {} of {:.3g} s; {} would do",
                                              spent_.in_words(), s_.request.budget_seconds, more);
        for (std::string& line : e.conclusion.not_tried) {
            if (line.ends_with(budget_ended)) line += spent;
        }
        const auto say_more = [&](std::string& reason) {
            if (reason == out_of_budget)
                reason = fmt::format("{}; {} would do.", clause(reason), more);
        };
        for (Trial& trial : e.trials) say_more(trial.reason);
        say_more(e.why_no_origin);
    }

    void add_notes() {
        Conclusion& conclusion = s_.found.conclusion;
        conclusion.ruled_out.insert(conclusion.ruled_out.begin(), s_.ruled_out.begin(),
                                    s_.ruled_out.end());
        conclusion.not_tried.insert(conclusion.not_tried.begin(), s_.not_tried.begin(),
                                    s_.not_tried.end());
    }

    SpentTime spent_;  // before what starts threads
    ExplainContext s_;
    Trials trials_;
    const RunInfo& run_;
    Both<std::string> machine_code_;
    double preparing_seconds_ = 0;          ///< of building and verifying both sides
    double stages_need_ = 0;                ///< more seconds; 0: they were measured
    bool is_slow_ = false;                  ///< that takes much of the budget
    Both<std::future<BuildTimes>> builds_;  ///< of the stages; invalid: not begun, or taken
    Both<std::future<std::string>> tries_;  ///< of the exchange; invalid: not begun, or taken
};

}  // namespace

Explanation explain(const ExplainRequest& request, const RunConfig& config, const RunInfo& run,
                    const ExplainHelp& help) {
    return Explainer(request, config, run, help).run();
}

std::string try_exchange(const ExplainRequest& request, const RunConfig& config, bool is_b) {
    try {
        return Explainer(request, config, {}, {}).try_exchange(is_b);
    } catch (const Unsupported& error) {
        return error.what();
    }
}

}  // namespace parallax

// Turns knobs on one side or on both, and measures what that does.
#include "studies/explain/trials.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/profile.hpp"
#include "studies/explain/conclude.hpp"
#include "studies/explain/evidence.hpp"
#include "studies/explain/explanation_names.hpp"

namespace parallax {
namespace {

/// Kept back by combinations for the last measurement.
constexpr double closing_share = 0.05;
/// The host's timer must see at least this share of the gap, and not the inverse.
constexpr double least_by_host = 0.5;
/// A trial that closes less than this has done nothing.
constexpr double did_nothing = 0.05;

void apply(const KnobChange& change, Configuration& configuration) {
    if (change.program) change.program(configuration.program);
    for (const Constant& constant : change.constants) configuration.constants.push_back(constant);
    if (!change.dynamic_local.empty()) configuration.dynamic_local = change.dynamic_local;
    if (change.plan) configuration.plan_changes.push_back(change.plan);
    if (change.opened) change.opened(configuration.opened);
    configuration.by_driver = configuration.by_driver || change.by_driver;
    if (change.ptx) configuration.ptx_changes.push_back(change.ptx);
    configuration.lean = configuration.lean || change.lean;
}

bool differs(const Configuration& x, const Configuration& y) {
    return !(x.program == y.program && x.constants == y.constants &&
             x.dynamic_local == y.dynamic_local && x.opened == y.opened &&
             x.plan_changes.size() == y.plan_changes.size() && x.ptx_changes == y.ptx_changes &&
             x.by_driver == y.by_driver);
}

/// The status of a trial whose side failed.
TrialStatus status_of(const Outcome& o) {
    return o.status == Status::wrong         ? TrialStatus::wrong
           : o.status == Status::unsupported ? TrialStatus::unsupported
                                             : TrialStatus::failed;
}

bool is_changed(KnobSide side, bool is_b) {
    return side == KnobSide::both || (side == KnobSide::b) == is_b;
}

bool is_timed_by_host(const Both<Configuration>& context) {
    return context.a.opened.is_timed_by_host() || context.b.opened.is_timed_by_host();
}

/// Where the host times one side, it times both.
void time_alike(Both<Configuration>& context) {
    if (!is_timed_by_host(context)) return;
    for (const bool is_b : {false, true}) context.of(is_b).opened.host_clock = true;
}

void give_up(Trial& trial) {
    trial.ratio.reset();
    trial.closed = false;
    trial.closes = trial.closes_low = trial.closes_high = 0;
}

}  // namespace

std::vector<Turned> Trials::changes_on(bool is_b) const {
    const InPhase phase(Phase::other, "knobs");
    const Built& own = s_.built.of(is_b);
    const KnobSite site{s_.bench->info(is_b),      own.outcome.the_case,
                        own.outcome.plan,          own.outcome.program,
                        own.outcome.codes,         s_.built.of(!is_b).outcome.codes,
                        s_.found.seconds.of(is_b), &s_.built.of(!is_b).outcome.plan,
                        s_.base.of(is_b).opened,   &s_.built.of(!is_b).outcome.program};
    const PtxSigns signs(own.outcome, s_.built.of(!is_b).outcome);
    std::vector<Turned> turned;
    for (const Knob& knob : knobs()) {
        if (s_.is_of_host && !knob.of_host) continue;
        for (KnobChange& change : knob.changes(site)) {
            Configuration configuration = s_.base.of(is_b);
            apply(change, configuration);
            // The position changes nothing on this side: no trial.
            if (!change.lean && !differs(configuration, s_.base.of(is_b))) continue;
            Turned one{&knob, std::move(change), signs.of(knob.name)};
            if (one.change.is_seen) one.likelihood = Likelihood::by_setting;
            if (is_nearer(configuration, s_.base.of(is_b), own.outcome,
                          s_.built.of(!is_b).outcome)) {
                one.likelihood = Likelihood::by_setting;
                one.change.trade = false;  // the other side has it
            }
            turned.push_back(std::move(one));
        }
    }
    std::ranges::stable_sort(turned, {}, &Turned::likelihood);
    // A case of several queues or with transfers is about these.
    if (!own.outcome.plan.is_plain()) {
        std::ranges::stable_partition(turned, [](const Turned& one) { return one.knob->of_host; });
    }
    // Tries the cause of an earlier explanation of this case first.
    std::ranges::stable_partition(turned, [&](const Turned& one) {
        return std::ranges::find(s_.request.candidates, one.change.setting) !=
               s_.request.candidates.end();
    });
    return turned;
}

void Trials::ask_ahead(const std::vector<Turned>& trials, bool is_b) const {
    for (const Turned& one : trials) {
        Configuration configuration = s_.base.of(is_b);
        apply(one.change, configuration);
        configuration.lean = configuration.lean || lean_is_neutral_;
        s_.bench->ask(is_b, configuration);
    }
}

/// Whether a side gives up by this change only what the other one has given up: a setting, or words
/// of the one source that both are built from.
bool Trials::is_had_there(const Turned& one) const {
    const Program &a = s_.base.a.program, &b = s_.base.b.program;
    const bool has_edits = a.language == Language::portable && b.language == Language::portable &&
                           edited_source(a) != edited_source(b);
    return one.likelihood == Likelihood::by_setting || has_edits;
}

Trials::Changed Trials::changed_by(const std::vector<Turned>& what, Trial& trial) const {
    Changed all;
    std::vector<std::string> settings;
    for (const Turned& one : what) {
        trial.knobs.push_back(one.knob->name);
        settings.push_back(one.change.setting);
        all.after_ptx = all.after_ptx || one.change.after_ptx;
        all.is_opened_anew = all.is_opened_anew || one.change.opened != nullptr;
        all.lean = all.lean || one.change.lean;
        all.of_registers = one.change.of_registers && what.size() == 1;
        TrialWords& words = all.words;
        words.cause += (words.cause.empty() ? "" : " ") + one.change.cause;
        words.remedy += (words.remedy.empty() ? "" : " ") + one.change.remedy;
        words.trade = words.trade || (one.change.trade && !is_had_there(one));
        words.reverse = what.size() == 1 ? one.change.reverse : "";
    }
    trial.setting = fmt::format("{}", fmt::join(settings, ", "));
    return all;
}

std::vector<Turned> Trials::said_on(const std::vector<Turned>& what, bool is_b) const {
    std::vector<Turned> said = what;
    for (Turned& one : said) {
        if (one.change.alike.empty()) continue;
        for (Turned& own : changes_on(is_b)) {
            if (own.is_alike(one)) one = std::move(own);
        }
    }
    return said;
}

const Outcome* Trials::build_changed(const std::vector<Turned>& what, KnobSide side,
                                     const Changed& all, Both<Configuration>& context,
                                     Both<Built>& built, bool& same) {
    same = !all.is_opened_anew;
    for (const bool is_b : {false, true}) {
        if (!is_changed(side, is_b)) continue;
        for (const Turned& one : said_on(what, is_b)) apply(one.change, context.of(is_b));
    }
    time_alike(context);
    for (const bool is_b : {false, true}) {
        if (!is_changed(side, is_b)) continue;
        if (!all.lean && !differs(context.of(is_b), s_.base.of(is_b))) continue;
        context.of(is_b).lean = all.lean || lean_is_neutral_;
        built.of(is_b) = s_.bench->build(is_b, context.of(is_b));
        const Outcome& o = built.of(is_b).outcome;
        if (o.status != Status::skipped) return &o;
        same = same && !all.lean && same_code(o, unchanged(is_b), all.after_ptx);
    }
    return nullptr;
}

const Outcome* Trials::complete(const Both<Configuration>& context, Both<Built>& built) {
    for (const bool is_b : {false, true}) {
        Built& one = built.of(is_b);
        if (!one.device) {
            const bool as_it_was = context.of(is_b).opened == s_.base.of(is_b).opened;
            one = as_it_was ? s_.built.of(is_b) : s_.bench->build(is_b, context.of(is_b));
            if (!one.ok() && one.outcome.status != Status::skipped) return &one.outcome;
        }
        // Unchanged sides have passed; a changed one gets a first look before it is timed, is
        // checked after its last launch, and gets the whole verification if it had an effect.
        one.outcome.status = Status::ok;
        one.outcome.checked = VerificationResult{};
    }
    return nullptr;
}

void Trials::turn(const std::vector<Turned>& what, KnobSide side) {
    const double begin = s_.left();
    turn_in_time(what, side);
    const double took = begin - s_.left();
    if (all_.back().status == TrialStatus::skipped) return;
    slowest_ = std::max(slowest_ / 2, took);  // one slow trial need not be like the next
    seconds_ += took;
    ++made_;
}

std::optional<double> Trials::mean_seconds() const {
    return made_ > 0 ? std::optional(seconds_ / static_cast<double>(made_)) : std::nullopt;
}

// Where building takes long, the next trial does as the last ones did.
bool Trials::has_time(double share) const {
    return s_.left() >= share * s_.request.budget_seconds + slowest_;
}

void Trials::turn_in_time(const std::vector<Turned>& what, KnobSide side) {
    Trial trial;
    trial.side = side;
    Changed all = changed_by(what, trial);
    if (const auto where = failed_before(what)) {
        return end(trial, TrialStatus::skipped,
                   fmt::format("{} when it was tried on {}.", failed_in_a_launch,
                               changed_side(s_.found, *where)),
                   all.words);
    }
    // The likeliest one is tried even where the kernel itself takes long.
    const bool is_common = what.size() == 1 && side != KnobSide::both && made_ > 0;
    const double kept_back = is_common ? last_share : closing_share;
    if (!has_time(kept_back)) {
        return end(trial, TrialStatus::skipped, std::string(out_of_budget), all.words);
    }
    s_.tell(fmt::format("{} on {}", trial.setting, name_of(side)));
    Both<Configuration> context = s_.base;
    Both<Built> built;
    bool same = false;
    if (const Outcome* bad = build_changed(what, side, all, context, built, same)) {
        return end_badly(trial, *bad, all.words);
    }
    if (same) {
        return end(trial, TrialStatus::no_effect, "The compilers made the same code of it.",
                   all.words);
    }
    if (const Outcome* bad = look_first(built)) {
        note_failures(what, side, built);
        return end_badly(trial, *bad, all.words);
    }
    if (const Outcome* bad = complete(context, built)) {
        return end_badly(trial, *bad, all.words);
    }
    measure(trial, context, built, s_.trial_seconds());
    if (trial.ratio && did_something(trial)) verify(trial, built);
    note_failures(what, side, built);
    if (trial.ratio) {
        explain_by_resources(trial, built, false);
        all.words.missed = all.of_registers && has_same_registers(trial, built);
    }
    all_.push_back(std::move(trial));
    reasons_.push_back(std::move(all.words));
    what_.push_back(what);
}

void Trials::add(Trial trial, TrialWords reason) {
    all_.push_back(std::move(trial));
    reasons_.push_back(std::move(reason));
    what_.emplace_back();
}

const Outcome* Trials::look_first(Both<Built>& built) {
    for (const bool is_b : {false, true}) {
        Built& changed = built.of(is_b);
        if (!changed.device) continue;
        s_.bench->check(is_b, changed, CaseBench::Check::first_look);
        if (!changed.ok()) return &changed.outcome;
    }
    return nullptr;
}

std::optional<KnobSide> Trials::failed_before(const std::vector<Turned>& what) const {
    for (const auto& [failed, side] : failed_) {
        const bool has_all = std::ranges::all_of(failed, [&](const Turned& one) {
            return std::ranges::any_of(what, [&](const Turned& t) { return t.is_alike(one); });
        });
        if (has_all) return side;
    }
    return {};
}

void Trials::note_failures(const std::vector<Turned>& what, KnobSide side,
                           const Both<Built>& built) {
    for (const bool is_b : {false, true}) {
        if (!is_changed(side, is_b) || built.of(is_b).outcome.status != Status::failed) continue;
        failed_.emplace_back(what, is_b ? KnobSide::b : KnobSide::a);
    }
}

/// Whether the trial is more than chance and worth a closer look.
bool Trials::did_something(const Trial& trial) const {
    const bool is_faster = *trial.own_change < 1 / (1 + s_.request.margin);
    return s_.has_gap() ? trial.closes > did_nothing || is_faster
                        : is_faster || *trial.own_change > 1 + s_.request.margin;
}

void Trials::verify(Trial& trial, Both<Built>& built) {
    for (const bool is_b : {false, true}) {
        if (!is_changed(trial.side, is_b)) continue;
        s_.bench->check(is_b, built.of(is_b));
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
const Outcome& Trials::unchanged(bool is_b) {
    if (!lean_is_neutral_) return s_.built.of(is_b).outcome;
    Built& built = lean_.of(is_b);
    if (!built.device) {
        Configuration configuration = s_.base.of(is_b);
        configuration.lean = true;
        built = s_.bench->build(is_b, configuration);
    }
    return built.outcome;
}

void Trials::measure(Trial& trial, const Both<Configuration>& context, Both<Built>& built,
                     double seconds, bool exact) {
    const auto timing = s_.bench->time_paired(built.a, context.a, built.b, context.b,
                                              s_.rule(seconds, !exact), exact);
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
    const Ratio* const gap = gap_by_timer_of(context);
    if (!gap) {
        trial.status = TrialStatus::failed;
        trial.reason = "Without the change, the host's timer does not show this gap.";
        return;
    }
    trial.status = TrialStatus::measured;
    trial.ratio = timing->ratio();
    rate(trial, *gap, s_.request.margin);
    trial.own_change = own_change(trial, *gap, context, built);
}

const Ratio* Trials::gap_by_timer_of(const Both<Configuration>& context) {
    if (is_timed_by_host(context) == is_timed_by_host(s_.base)) return &s_.found.gap;
    if (!host_gap_.tried) {
        host_gap_.tried = true;
        Both<Configuration> base = s_.base;
        Both<Built> built;
        for (const bool is_b : {false, true}) {
            base.of(is_b).opened.host_clock = true;
            built.of(is_b) = s_.bench->build(is_b, base.of(is_b));
            if (built.of(is_b).outcome.status != Status::skipped) return nullptr;
        }
        if (complete(base, built)) return nullptr;
        const auto timing = s_.bench->time_paired(built.a, base.a, built.b, base.b,
                                                  s_.rule(s_.exact_seconds() / 2, false));
        if (timing && timing->doubt().empty()) host_gap_.ratio = timing->ratio();
        // The timer's part of the gap is not an effect of a change.
        const double seen = host_gap_.ratio ? std::log(host_gap_.ratio->value) : 0;
        const double share = s_.has_gap() ? seen / std::log(s_.found.gap.value) : 1;
        if (share < least_by_host || share > 1 / least_by_host) host_gap_.ratio.reset();
    }
    return host_gap_.ratio ? &*host_gap_.ratio : nullptr;
}

/// Compares with the other side, which was timed alternately both times, where that side is
/// unchanged. Changes of the device's clock frequency in between then cancel.
double Trials::own_change(const Trial& trial, const Ratio& gap, const Both<Configuration>& context,
                          const Both<Built>& built) const {
    const bool as_it_was = trial.side != KnobSide::both;
    if (as_it_was && s_.one_entry() && !is_timed_by_host(context)) return trial.ratio->value;
    if (as_it_was) {
        const double change = trial.ratio->value / gap.value;
        return trial.side == KnobSide::b ? change : 1 / change;
    }
    const bool slower = s_.found.b_is_slower();
    return built.of(slower).outcome.timing->estimate.median / s_.found.seconds.of(slower);
}

std::optional<double> Trials::own_change_again(const Both<Configuration>& context,
                                               Both<Built>& built) {
    const bool slower = s_.found.b_is_slower();
    Built before = s_.built.of(slower);
    const auto timing =
        s_.bench->time_paired(before, s_.base.of(slower), built.of(slower), context.of(slower),
                              s_.rule(s_.exact_seconds() / 2, false));
    if (!timing || !timing->doubt().empty() || !timing->ratio()) return {};
    return timing->ratio()->value;
}

void Trials::explain_by_resources(Trial& trial, const Both<Built>& built, bool disassembled) const {
    const InPhase phase(Phase::other, "evidence");
    const bool slower = s_.found.b_is_slower();
    const bool is_b = is_changed(trial.side, slower) ? slower : !slower;
    const auto evidence =
        evidence_of_all(built.of(is_b).outcome, s_.bench->info(is_b), {}, disassembled);
    trial.consequences = consequences_of(s_.found.evidence.of(is_b), evidence);
}

bool Trials::has_same_registers(const Trial& trial, const Both<Built>& built) const {
    const bool slower = s_.found.b_is_slower();
    const bool is_b = is_changed(trial.side, slower) ? slower : !slower;
    const Codes& before = s_.built.of(is_b).outcome.codes;
    return std::ranges::all_of(built.of(is_b).outcome.codes, [&](const auto& one) {
        const auto then = before.find(one.first);
        const Resources& now = one.second->resources;
        return then != before.end() && now.registers &&
               now.registers == then->second->resources.registers &&
               now.spill_bytes == then->second->resources.spill_bytes;
    });
}

void Trials::end(Trial& trial, TrialStatus status, std::string why, TrialWords reason) {
    trial.status = status;
    trial.reason = std::move(why);
    add(std::move(trial), std::move(reason));
}

void Trials::end_badly(Trial& trial, const Outcome& o, TrialWords reason) {
    end(trial, status_of(o), o.reason, std::move(reason));
}

void Trials::measure_again(std::size_t place) {
    Trial& trial = all_[place];
    const std::vector<Turned>& turned = what_[place];
    if (failed_before(turned)) return;
    Both<Configuration> context = s_.base;
    Both<Built> built = s_.built;
    s_.tell(fmt::format("{} once more", trial.setting));
    for (const bool is_b : {false, true}) {
        if (!is_changed(trial.side, is_b)) continue;
        for (const Turned& one : said_on(turned, is_b)) apply(one.change, context.of(is_b));
    }
    time_alike(context);
    for (const bool is_b : {false, true}) {
        if (!is_changed(trial.side, is_b)) continue;
        context.of(is_b).lean = context.of(is_b).lean || lean_is_neutral_;
        built.of(is_b) = s_.bench->build(is_b, context.of(is_b));
        if (built.of(is_b).outcome.status == Status::skipped) {
            s_.bench->check(is_b, built.of(is_b));
            note_failures(turned, trial.side, built);
        }
        if (built.of(is_b).ok()) continue;
        trial.status = status_of(built.of(is_b).outcome);
        trial.reason = built.of(is_b).outcome.reason;
        give_up(trial);
        return;
    }
    for (const bool is_b : {false, true}) {
        if (!is_changed(trial.side, is_b) && context.of(is_b).opened != s_.base.of(is_b).opened) {
            built.of(is_b) = {};  // for the timer of the other side
        }
    }
    if (const Outcome* bad = complete(context, built)) {
        trial.status = status_of(*bad);
        trial.reason = bad->reason;
        return give_up(trial);
    }
    Trial again = trial;
    measure(again, context, built, s_.exact_seconds(), true);
    note_failures(turned, trial.side, built);
    if (again.status != TrialStatus::measured) give_up(again);
    const bool is_common = again.ratio && trial.side == KnobSide::both;
    if (is_common && !is_timed_by_host(context)) {
        if (const auto own = own_change_again(context, built)) again.own_change = own;
    }
    // It may be the one that is named: its machine code is worth half a second.
    if (again.ratio) explain_by_resources(again, built, true);
    trial = std::move(again);
}

bool Trials::is_cause(std::size_t place) const {
    return explains(all_[place]) && is_remedy(all_, reasons_, place, s_.found.gap);
}

bool Trials::is_explained() const {
    for (std::size_t i = 0; i < all_.size(); ++i) {
        if (is_cause(i)) return true;
    }
    return false;
}

}  // namespace parallax

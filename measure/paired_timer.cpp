// Times one case alternately on two devices.
#include "measure/paired_timer.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <numeric>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "common/process/parallel.hpp"
#include "common/process/watchdog.hpp"
#include "common/profile.hpp"
#include "common/text/hash.hpp"
#include "measure/finished_work.hpp"
#include "measure/result_distance.hpp"
#include "measure/telemetry.hpp"
#include "records/record.hpp"

namespace parallax {
namespace {

/// Longer runs need no lead-in: the cost of a pause before the first launch, a few microseconds, is
/// a tenth of the least margin.
constexpr double long_run_seconds = 2.4e-3;
/// Shorter runs are disturbed by the host: the median of three quads ignores one outlier. For
/// longer runs a round is one quad, so that there are many placements instead of many batches.
constexpr double short_run_seconds = 5e-5;
constexpr unsigned quads_of_short_runs = 3;
/// Longer launches are not affected by work on the host, if they do not use the host's memory:
/// self-comparisons of an H100 with and without busy host threads show it
/// (docs/concepts/timing.md).
constexpr double unmoved_launch_seconds = 1e-4;
/// A side that needs this many times the runs of the other one for a batch has its own number.
constexpr unsigned times_as_fast = 16;
/// An unused allocation of random size up to this precedes a round's buffers: a driver would
/// otherwise return the same addresses again.
constexpr std::size_t most_spacing = std::size_t{64} << 20, fine_spacing = std::size_t{1} << 19;
/// Other processes' use of the device is recorded in one of this number of rounds.
constexpr unsigned rounds_per_record_of_others = 7;
/// A larger difference of clock frequencies between the two ends of a round is a disturbance.
constexpr double clock_drift = 0.02;
/// A GPU is shared by processes in time slices of about 2 ms. A batch within one slice takes as
/// long as without other processes, even next to endless matrix products; a longer one, or one that
/// waits for another engine or the host, does not (docs/concepts/timing.md). A batch that takes
/// more than this longer than the shortest one of its side was interrupted.
constexpr double batch_scatter = 0.05, slice_seconds = 2e-3;

}  // namespace

std::string watchdog_name(const DeviceInfo& info, const Outcome& o) {
    std::string built = digest_of(o.program);
    for (const auto& [kernel, code] : o.codes) {
        built += code->source;
        for (const std::string& option : code->options) built += option;
    }
    return watchdog_name(info, o.the_case) + " " + hash_of(built);
}

PairedTimer::PairedTimer(Device& device_a, Device& device_b, Outcome& a, Outcome& b,
                         const RunConfig& config, Slowdown planted)
    : config_(config),
      device_locks_(lock_devices({device_a.info(), device_b.info()}, config.locks)),
      planted_(planted) {
    a_.device = &device_a;
    a_.outcome = &a;
    b_.device = &device_b;
    b_.outcome = &b;
    for (Side* side : {&a_, &b_}) {
        side->name = watchdog_name(side->device->info(), *side->outcome);
        side->others.emplace(side->device->info());
    }
    // Both in the same way: the second may be able to do less than the first.
    auto renewal = TimedInputs::Renewal::by_batch;
    for (Side* side : {&a_, &b_, &a_}) {
        if (side->inputs && side->inputs->renewal() == renewal) continue;
        const Outcome& o = *side->outcome;
        side->inputs.emplace(*side->device, o.the_case, o.plan, config, renewal);
        renewal = side->inputs->renewal();
    }
    const Suite& suite = *a.the_case.suite;
    const bool has_base =
        !config.base || std::ranges::any_of(std::array{&a, &b}, [&](const Outcome* one) {
            return one->the_case.variant->name == config.base->name;
        });
    sides_agree_ = a_.inputs->by_batch() && a.plan.buffers == b.plan.buffers && !suite.reference &&
                   !suite.reference_kernel && has_base;
    check_each_round_ = footprint(a.plan).total <= config.check_rounds_up_to;
    for (const BufferSpec& buffer : a.plan.buffers) {
        host_moves_memory_ |= buffer.placement == Placement::pageable;
        is_all_on_device_ &= buffer.placement == Placement::device;
    }
    is_all_on_device_ &= a.plan.is_plain();
    a_.before = device_state(device_a.info());
    b_.before = same_physical_device(device_a.info(), device_b.info())
                    ? a_.before
                    : device_state(device_b.info());
}

template <class Step>
auto PairedTimer::on(Side& side, Step&& step) {
    try {
        const WatchdogScope hand(side.name, "it was timed alternately");
        return step();
    } catch (const Interrupted&) {
        throw;
    } catch (...) {
        throw SideError(&side == &b_, std::current_exception());
    }
}

void PairedTimer::space(Side& side) {
    if (!side.device->info().is_gpu) return;
    const std::byte touch{};
    std::vector<HostWrite> touches;
    for (const std::size_t bytes : side.spacing) {
        try {
            side.spacers.push_back(side.device->allocate(bytes, 0));
        } catch (const UsageError&) {
            break;  // no room for it
        }
        touches.push_back({side.spacers.back().get(), {&touch, 1}});
    }
    if (!touches.empty()) side.device->write(touches);
}

void PairedTimer::prepare(Side& side, unsigned number) {
    on(side, [&] {
        Outcome& o = *side.outcome;
        side.device->renew_queue();
        // The first round uses the placement of verification. In the others a driver loads the code
        // while it allocates and copies: nothing is timed yet.
        std::future<Codes> codes;
        if (number > 0 && side.device->info().is_gpu) {
            codes = beside([&, profile = current_profile()] {
                const Profiled profiled(profile, true);
                return relocate(*side.device, o.codes, o.program);
            });
        } else if (number > 0) {
            o.codes = relocate(*side.device, o.codes, o.program);
        }
        space(side);
        side.binding.emplace(*side.device, o.plan, side.kept);
        side.kept = side.binding->host_memories();
        side.inputs->load(*side.binding, side.key, std::byte{0xff});
        if (codes.valid()) {
            const InPhase phase(Phase::loading, side.device->info().backend);
            o.codes = codes.get();
        }
        side.binding->take(o.codes);
    });
}

// Both sides' batches have the same size: the number of runs that the faster side needs. Where one
// side is many times as fast, or the slower one would be timed for long, each has its own.
void PairedTimer::calibrate() {
    const InPhase phase(Phase::timing);
    double a_seconds = 0, b_seconds = 0;
    for (Side* side : {&a_, &b_}) {
        double& seconds = side == &b_ ? b_seconds : a_seconds;
        const auto run = [&](unsigned repeats) {
            const unsigned lead_in = seconds > 0 && seconds < long_run_seconds ? 1 : 0;
            const Elapsed elapsed = on(*side, [&] { return side->binding->run(repeats, lead_in); });
            seconds = elapsed.device / repeats;
            return elapsed;
        };
        // From A's number on, unless that would last.
        unsigned from = std::max(1u, a_.runs);
        if (from > 1 && run(1).device * from > times_as_fast * config_.rule.batch_seconds) from = 1;
        side->runs = repeats_to_fill(config_.rule.batch_seconds, run, from);
    }
    const double run_seconds = std::max(a_seconds, b_seconds);
    const auto [less, more] = std::minmax(a_.runs, b_.runs);
    const bool is_long = more * run_seconds > times_as_fast * config_.rule.batch_seconds;
    if (more <= times_as_fast * less && !is_long) a_.runs = b_.runs = more;
    for (Side* side : {&a_, &b_}) {
        // A multiple of `planted_.counted`, so that a planted slowdown is exact.
        side->runs = (side->runs + planted_.counted - 1) / planted_.counted * planted_.counted;
    }
    lead_in_ = run_seconds < long_run_seconds ? 1 : 0;
    quads_ = run_seconds < short_run_seconds ? quads_of_short_runs : 1;
    const double least =
        4.0 * quads_ * least_rounds * std::max(a_.runs * a_seconds, b_.runs * b_seconds);
    if (longest_seconds_ > 0 && least > longest_seconds_) throw TakesTooLong{least};
    const Plan& plan = a_.outcome->plan;
    if (a_.device->info().is_gpu && b_.device->info().is_gpu && plan.is_plain() &&
        run_seconds > unmoved_launch_seconds * static_cast<double>(plan.steps.size())) {
        minds_the_host_ = false;
    }
}

void PairedTimer::take_turn(Side& side, PairRound& round) {
    if (config_.check_interrupt) config_.check_interrupt();
    const InPhase phase(Phase::timing);
    const bool is_b = &side == &b_;
    const unsigned more = is_b ? side.runs / planted_.counted * planted_.more : 0;
    const Elapsed elapsed = on(side, [&] {
        // A processor would take longer for large ones than for the batch: each round has its own.
        const bool are_gpus = a_.device->info().is_gpu && b_.device->info().is_gpu;
        if (side.inputs->by_batch() && (are_gpus || check_each_round_)) {
            side.key = key_of(side.samples.size());
            side.device->run(side.inputs->writes(*side.binding, side.key));
        }
        return side.binding->run(side.runs + more, lead_in_);
    });
    if (!(elapsed.device > 0)) {
        throw SideError(is_b, std::make_exception_ptr(DeviceError(
                                  "The device's clock stood still over a batch of commands.")));
    }
    measuring_seconds_ += elapsed.host;
    const double seconds = elapsed.device / side.runs;
    (is_b ? round.b : round.a).push_back(seconds);
    side.samples.push_back(seconds);
    side.host_samples.push_back(elapsed.host / side.runs);
    side.round.push_back(static_cast<unsigned>(side.repeats.size()));
}

std::uint64_t PairedTimer::key_of(std::size_t batch) {
    while (keys_.size() <= batch) keys_.push_back(fresh_key());
    return keys_[batch];
}

// As ReferenceProvider chooses: the kernel that others are compared with has but itself.
PairedTimer::Side& PairedTimer::reference_of(Side& side) {
    Side& other = &side == &a_ ? b_ : a_;
    const auto name_of = [](const Side& one) { return one.outcome->the_case.variant->name; };
    const bool has_base = config_.base && name_of(side) != config_.base->name;
    return has_base || name_of(side) == name_of(other) ? other : side;
}

// Without a reference, the reference is the other side's result for the same inputs, from one
// launch of code that never ran. It is compared by hash, and by element where that differs.
// @param is_batch  the outputs are those of many launches
// @returns false: the other device has no room for a second set of buffers
bool PairedTimer::agrees(Side& side, bool is_batch) {
    Side& other = reference_of(side);
    const Plan& plan = side.outcome->plan;
    std::optional<Binding> fresh;
    std::vector<std::uint64_t> inputs;
    const auto hashes_of = [&](Side& of, const Binding& binding, bool of_inputs) {
        std::vector<std::uint64_t> all;
        for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
            const Role role = plan.buffers[i].role;
            if (of_inputs ? role == Role::input : is_compared(role))
                all.push_back(of.inputs->kernels().digest(binding.memory()[i]));
        }
        return all;
    };
    Codes codes;
    try {
        on(other, [&] {
            const Outcome& o = *other.outcome;
            codes = relocate(*other.device, o.codes, o.program);
            fresh.emplace(*other.device, o.plan, codes);
            other.inputs->load(*fresh, side.key, witness_poison);
            inputs = hashes_of(other, *fresh, true);
            fresh->run();
        });
    } catch (const SideError& error) {
        try {
            std::rethrow_exception(error.cause);
        } catch (const UsageError&) {
            return false;
        } catch (...) {
            throw error;
        }
    }
    VerificationResult& checked = *side.outcome->checked;
    const Case& c = side.outcome->the_case;
    const InputPattern pattern = side.inputs->pattern(side.key);
    const std::uint64_t seed = side.inputs->seed(side.key);
    const bool is_compared_too = !is_batch || !side.binding->changes_its_inputs();
    const std::vector<std::uint64_t> outputs = hashes_of(side, *side.binding, false);
    if (is_compared_too && outputs != hashes_of(other, *fresh, false)) {
        ReferenceData data{c.suite->inputs(c, pattern, seed), {}, checked.against};
        for (const std::size_t output : fresh->outputs()) {
            HostArray values(plan.buffers[output].type, plan.buffers[output].elements);
            fresh->read_part(output, 0, values);
            data.expected.push_back({std::move(values), {}});
        }
        compare_outputs(*side.binding, c, pattern, seed, data, checked);
        return true;
    }
    note_launch(c, pattern, checked);
    side.agrees |= is_compared_too;
    std::string damage = side.binding->guard_damage(side.binding->snapshot());
    if (damage.empty() && hashes_of(side, *side.binding, true) != inputs)
        damage = "The kernel altered an input.";
    if (!damage.empty())
        checked.failure = Failure{c.shape.extents, pattern.name, seed, std::move(damage)};
    checked.is_kept_answer |=
        !is_batch && outputs == side.hashes && is_telling(plan, *side.binding);
    side.hashes = outputs;
    return true;
}

void PairedTimer::throw_if_wrong(Side& side) {
    if (side.outcome->checked->right()) return;
    on(side, [&] {
        throw Error(fmt::format("The last timed launch is wrong: {}",
                                side.outcome->checked->failure->what));
    });
}

void PairedTimer::check_batches() {
    if (sides_agree_) {
        const bool could = agrees(a_, true) && agrees(b_, true);
        for (Side* side : {&a_, &b_}) throw_if_wrong(*side);
        if (could) return;
    }
    concurrently(a_, b_, [this](Side& side) {
        on(side, [&] { check_batch(*side.binding, *side.inputs, side.key, *side.outcome); });
        throw_if_wrong(side);
    });
}

void PairedTimer::check_changed_inputs() {
    if (!a_.inputs->vary()) return;
    const std::uint64_t now = fresh_key();
    if (sides_agree_) {
        for (Side* side : {&a_, &b_}) {
            on(*side, [&] { side->inputs->run_changed(*side->binding, fresh_key(), now); });
            side->key = now;
            ++side->outcome->checked->changed;
        }
        const bool could = agrees(a_, false) && agrees(b_, false);
        for (Side* side : {&a_, &b_}) throw_if_wrong(*side);
        if (could) return;
    }
    concurrently(a_, b_, [&](Side& side) {
        on(side, [&] { check_changed(*side.binding, *side.inputs, side.key, now, *side.outcome); });
        throw_if_wrong(side);
    });
}

void PairedTimer::check_work(Side& side) {
    on(side, [&] {
        Outcome& o = *side.outcome;
        const TimedBatch timed{.run_seconds = estimate_median(side.samples).median,
                               .repeats = side.runs};
        look_for_skipped_work(*side.binding, *side.inputs, timed, side.key, o);
        if (!o.checked->right()) throw Error(o.checked->failure->what);
    });
}

// Unless both sides share a device. Nothing is timed meanwhile.
template <class Step>
void PairedTimer::concurrently(Side& first, Side& second, Step&& step) {
    if (first.device == second.device) {
        step(first);
        step(second);
        return;
    }
    auto other = beside([&, profile = current_profile()] {
        const Profiled profiled(profile, true);
        step(second);
    });
    step(first);
    other.get();
}

void PairedTimer::compare_answers() {
    if (!config_.compares_answers) return;
    const InPhase phase(Phase::verification);
    has_compared_answers_ = true;
    const InputPattern pattern = a_.inputs->pattern(a_.key);
    const auto hash_of = [&](const Side& side) {
        return side.outcome->checked->hash_of(a_.outcome->the_case.shape, pattern);
    };
    const bool is_one_hash = sides_agree_ && !a_.hashes.empty() && a_.hashes == b_.hashes;
    if (is_one_hash || (!hash_of(a_).empty() && hash_of(a_) == hash_of(b_))) {
        // Both were verified with these inputs: nothing to read again.
        for (const std::size_t output : a_.binding->outputs()) {
            answers_.add_identical(a_.outcome->plan.buffers.at(output).elements);
        }
        return;
    }
    if (a_.binding->changes_its_inputs()) {
        // Timed launches of such a plan accumulate over many runs.
        for (Side* side : {&a_, &b_}) {
            on(*side, [&] {
                side->inputs->load(*side->binding, side->key, std::byte{0xff});
                side->binding->run();
            });
        }
    }
    // Outputs are compared in parts: a large one held twice would take too much memory.
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 22;
    for (const std::size_t output : a_.binding->outputs()) {
        const BufferSpec& spec = a_.outcome->plan.buffers.at(output);
        if (spec.order == Order::race) continue;  // any result is right
        // Images are read as a whole, and outputs of any order must be sorted.
        const bool is_whole = spec.image || spec.order == Order::any;
        const std::uint64_t step = is_whole ? spec.elements : most_elements;
        for (std::uint64_t first = 0; first < spec.elements; first += step) {
            const std::uint64_t count = std::min(step, spec.elements - first);
            HostArray from_a(spec.type, count), from_b(spec.type, count);
            on(a_, [&] { a_.binding->read_part(output, first, from_a); });
            on(b_, [&] { b_.binding->read_part(output, first, from_b); });
            if (!spec.parts.empty()) {
                for (HostArray* const values : {&from_a, &from_b}) {
                    *values = only_parts(values->bytes(), spec, first);
                }
            }
            if (spec.order == Order::any) {
                from_a = ascending_rows(from_a, spec);
                from_b = ascending_rows(from_b, spec);
            }
            answers_.add(from_a, from_b, first);
        }
    }
}

void PairedTimer::begin_round() {
    for (Side* side : {&a_, &b_}) side->others->begin();
}

// The driver takes 2.5 ms to list other users of a GPU: it is asked where they may affect the
// round, and in some other rounds for the record. The clock frequency is read in each round, and
// the rest of the state twice: before the first round, and after the last one. Each card is queried
// once.
void PairedTimer::note_states(bool asks_for_others) {
    for (Side* side : {&a_, &b_}) {
        side->then = side->outcome->after;
        if (side == &b_ && same_physical_device(a_.device->info(), b_.device->info())) {
            b_.outcome->after = a_.outcome->after;
            continue;
        }
        DeviceState& now = side->outcome->after;
        renew_clock(side->device->info(), now);
        now.others_use.reset();
        if (asks_for_others || !side->device->info().is_gpu)
            now.others_use = side->others->recent_share();
    }
}

bool PairedTimer::scatters(const Side& side, const std::vector<double>& batches) {
    return std::ranges::max(batches) > (1 + batch_scatter) * std::ranges::min(side.samples);
}

// Why other users of the device affect the round; empty: they do not.
std::string_view PairedTimer::feels_others(const PairRound& round) const {
    if (!is_all_on_device_) return "it is no work of kernels alone";
    if (scatters(a_, round.a) || scatters(b_, round.b)) return "its batches scattered";
    const double longest =
        std::max(a_.runs * std::ranges::max(round.a), b_.runs * std::ranges::max(round.b));
    return longest > slice_seconds ? "its batches are longer than a slice of time" : "";
}

// The disturbance of the side's device in the last round.
std::string PairedTimer::disturbance(const Side& side, const PairRound& round) const {
    const DeviceState& then = side.then;
    const DeviceState& now = side.outcome->after;
    if (side.device->info().is_gpu && now.others_use.value_or(0) > others_noticed) {
        if (const std::string_view felt = feels_others(round); !felt.empty()) {
            return fmt::format("others used {:.0f} % of {}, and {}", 100 * *now.others_use,
                               side.device->info().id(), felt);
        }
    }
    if (host_moves_memory_ && config_.cores < 2) {
        return "the one core that this process may use moves the memory and runs the drivers' own "
               "threads";
    }
    if (const std::string words = throttle_words(now.throttle_reasons.value_or(0));
        !words.empty()) {
        return fmt::format("{} ran below its clock ({})", side.device->info().id(), words);
    }
    const double before = then.sm_clock_mhz.value_or(0), after = now.sm_clock_mhz.value_or(0);
    if (before > 0 && after > 0 && std::fabs(after / before - 1) > clock_drift) {
        return fmt::format("the clock of {} moved from {:.0f} to {:.0f} MHz",
                           side.device->info().id(), before, after);
    }
    return {};
}

PairRound PairedTimer::round(unsigned number) {
    // The sides alternate in being the first to be prepared, too.
    Side& first = number % 2 == 0 ? a_ : b_;
    Side& second = number % 2 == 0 ? b_ : a_;
    give_back();
    for (Side* side : {&first, &second}) {
        side->spacing = {1 + random_() % most_spacing, 1 + random_() % fine_spacing};
        side->key = key_of(side->samples.size());
    }
    const auto prepare_side = [&](Side& side) { prepare(side, number); };
    if (a_.device->info().is_gpu && b_.device->info().is_gpu) {
        concurrently(first, second, prepare_side);
    } else {  // the processor is a side: nothing is gained
        prepare_side(first);
        prepare_side(second);
    }
    if (number == 0) {
        calibrate();
        note_states(false);
    }

    begin_round();
    PairRound round;
    round.repeats_a = a_.runs;
    round.repeats_b = b_.runs;
    round.a_first = number % 2 == 0;
    for (unsigned quad = 0; quad < quads_; ++quad) {
        const bool abba = (quad % 2 == 0) == round.a_first;
        Side& outer = abba ? a_ : b_;
        Side& inner = abba ? b_ : a_;
        for (Side* side : {&outer, &inner, &inner, &outer}) take_turn(*side, round);
    }
    for (Side* side : {&a_, &b_}) {
        side->repeats.push_back(side->runs);
    }
    note_states(number % rounds_per_record_of_others == 0 || !feels_others(round).empty());
    for (Side* side : {&a_, &b_}) {
        std::string why = disturbance(*side, round);
        if (!why.empty()) round.disturbed = std::move(why);
        if (const auto use = side->outcome->after.others_use) side->others_use.push_back(*use);
    }
    // Verification leaves the random inputs of the case's own shape to this check.
    is_round_checked_ = check_each_round_ && (number == 0 || a_.inputs->is_chosen());
    if (is_round_checked_) {
        check_batches();
        if (number == 0) compare_answers();
        if (looks_further_ && a_.inputs->renewal() == TimedInputs::Renewal::by_round)
            check_changed_inputs();
    }
    return round;
}

void PairedTimer::give_back() {
    if (!a_.binding && !b_.binding && a_.spacers.empty() && b_.spacers.empty()) return;
    concurrently(a_, b_, [](Side& side) {
        const InPhase phase(Phase::transfers, "given back");
        side.binding.reset();
        side.spacers.clear();
    });
}

void PairedTimer::begin(PairRule rule) {
    rule.launches = static_cast<unsigned>(std::max<std::size_t>(1, a_.outcome->plan.steps.size()));
    longest_seconds_ = rule.longest_seconds;
    rounds_.emplace(std::move(rule));
}

void PairedTimer::go_on() {
    const HostClock::time_point begin = HostClock::now();
    PairRound made = round(rounds_->next());
    rounds_->add(std::move(made), seconds_since(begin));
    if (rounds_->has_ended()) {
        for (Side* side : {&a_, &b_}) side->outcome->after = whole_state(*side);
        finish();
    }
    give_back();
}

PairTiming PairedTimer::measure(PairRule rule) {
    for (begin(std::move(rule)); !rounds_->has_ended();) go_on();
    return rounds_->timing();
}

// The clock frequency is that of the last round's batches.
DeviceState PairedTimer::whole_state(const Side& side) const {
    const bool is_known =
        &side == &b_ && same_physical_device(a_.device->info(), b_.device->info());
    DeviceState state = is_known ? a_.outcome->after : device_state(side.device->info());
    state.sm_clock_mhz = side.outcome->after.sm_clock_mhz;
    state.throttle_reasons = side.outcome->after.throttle_reasons;
    state.others_use.reset();
    return state;
}

void PairedTimer::finish() {
    if (!is_round_checked_) check_batches();
    if (!has_compared_answers_) compare_answers();
    if (looks_further_) {
        for (Side* side : {&a_, &b_}) check_work(*side);
        check_changed_inputs();
    }
    // Bitwise identical results are stronger evidence than inputs that make exact results likely.
    for (Side* side : {&a_, &b_}) {
        side->binding.reset();
        if (!looks_further_ || side->agrees) continue;
        on(*side, [&] { check_own_shape(*side->device, config_, *side->outcome); });
        throw_if_wrong(*side);
    }
    for (Side* side : {&a_, &b_}) {
        side->binding.reset();
        side->kept.clear();
        Outcome& o = *side->outcome;
        o.before = side->before;
        o.after.others_use.reset();
        if (const auto rounds = static_cast<double>(side->others_use.size()); rounds > 0) {
            o.after.others_use =
                std::accumulate(side->others_use.begin(), side->others_use.end(), 0.0) / rounds;
        }
        o.timing.emplace();
        o.timing->samples = std::move(side->samples);
        o.timing->host_samples = std::move(side->host_samples);
        o.timing->round = std::move(side->round);
        o.timing->repeats = std::move(side->repeats);
        o.timing->estimate = estimate_median(o.timing->samples);
        o.timing->stopped_by = rounds_->timing().stopped_by;
        status_from_verification(side->device->info(), o);
    }
}

}  // namespace parallax

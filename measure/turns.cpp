// Lets two devices take turns at one case.
#include "measure/turns.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <numeric>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/hash.hpp"
#include "common/host_clock.hpp"
#include "common/in_hand.hpp"
#include "common/profile.hpp"
#include "measure/answers.hpp"
#include "measure/finished_work.hpp"
#include "measure/telemetry.hpp"
#include "records/others_use.hpp"

namespace parallax {
namespace {

/// Runs longer than this need no lead-in: what a pause costs the first launch is lost in them.
constexpr double long_run_seconds = 5e-3;
/// Shorter runs feel what the host does in between: the median of three quads forgets one of them.
/// Of longer ones a round is one quad, so that placements, not batches, are many.
constexpr double short_run_seconds = 5e-5;
constexpr unsigned quads_of_short_runs = 3;
/// Launches this long do not feel what the host computes meanwhile, if the host's memory has no
/// part in them: self-comparisons of an H100 with and without busy threads beside them show it
/// (docs/diff.md).
constexpr double unmoved_launch_seconds = 1e-4;
/// Memory that nobody uses, of a random size up to this, lies before a round's buffers: a driver
/// would give them the same place again.
constexpr std::size_t most_spacing = std::size_t{64} << 20, fine_spacing = std::size_t{1} << 19;
/// Clocks that differ by more than this between the two ends of a round have moved.
constexpr double clock_drift = 0.02;
/// Processes take turns at a GPU by slices of about 2 ms. A batch within one slice is as long as
/// alone, beside matrix products without end, too; what is longer, or waits for another engine or
/// the host, is not (docs/diff.md). A batch that takes more than this longer than the shortest one
/// of its side had no slice for itself.
constexpr double batch_scatter = 0.05, slice_seconds = 2e-3;

}  // namespace

Uploaded uploaded(Device& device, const Workload& workload) {
    Uploaded inputs;
    for (const HostArray& input : workload.inputs) inputs.push_back(device.upload(input));
    return inputs;
}

std::string name_in_hand(const DeviceInfo& info, const Outcome& o) {
    std::string built = digest_of(o.program);
    for (const auto& [kernel, code] : o.codes) {
        built += code->text;
        for (const std::string& option : code->options) built += option;
    }
    return name_in_hand(info, o.the_case) + " " + hash_of(built);
}

Turns::Turns(Device& device_a, Device& device_b, Outcome& a, Outcome& b, const RunContext& context,
             Slowdown planted)
    : context_(context),
      device_locks_(lock_devices({device_a.info(), device_b.info()}, context.locks)),
      planted_(planted),
      filling_(fillings_of(a.the_case)[1]) {
    workload_ = context.workloads->get(a.the_case, filling_, context.seed, device_a.info().id());
    a_.device = &device_a;
    a_.outcome = &a;
    b_.device = &device_b;
    b_.outcome = &b;
    for (Corner* corner : {&a_, &b_}) {
        corner->name = name_in_hand(corner->device->info(), *corner->outcome);
        corner->others.emplace(corner->device->info());
    }
    check_each_round_ = footprint(a.plan).total <= context.check_rounds_up_to;
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
auto Turns::on(Corner& corner, Step&& step) {
    try {
        const InHand hand(corner.name, "it was timed by turns");
        return step();
    } catch (const Interrupted&) {
        throw;
    } catch (...) {
        throw SideError(&corner == &b_, std::current_exception());
    }
}

void Turns::space(Corner& corner) {
    if (!corner.device->info().is_gpu) return;
    const std::byte touch{};
    for (const std::size_t most : {most_spacing, fine_spacing}) {
        try {
            corner.spacers.push_back(corner.device->allocate(1 + random_() % most, 0));
        } catch (const UsageError&) {
            return;  // there is no room for it
        }
        corner.device->write(*corner.spacers.back(), {&touch, 1});
    }
}

void Turns::prepare(Corner& corner, unsigned number) {
    on(corner, [&] {
        Outcome& o = *corner.outcome;
        corner.device->renew_queue();
        space(corner);
        // The gate's place serves the first round.
        if (number > 0) o.codes = placed_anew(*corner.device, o.codes, o.program);
        corner.binding.emplace(*corner.device, o.plan, o.codes, corner.kept);
        corner.kept = corner.binding->host_memories();
        if (corner.inputs.empty()) corner.inputs = uploaded(*corner.device, *workload_);
        corner.binding->load(corner.inputs, std::byte{0xff});
    });
}

// Batches of both sides are of one size: as many runs as the faster one needs to fill a batch.
void Turns::calibrate() {
    const InPhase phase(Phase::timing);
    double run_seconds = 0;
    for (Corner* corner : {&a_, &b_}) {
        const auto run = [&](unsigned repeats) {
            const Elapsed elapsed = on(*corner, [&] { return corner->binding->run(repeats, 1); });
            run_seconds = elapsed.device / repeats;
            return elapsed;
        };
        const double slower = run_seconds;
        repeats_ = repeats_to_fill(context_.rule.batch_seconds, run, std::max(1u, repeats_));
        run_seconds = std::max(run_seconds, slower);
    }
    // Whole groups of runs, so that a planted slowdown is exact.
    repeats_ = (repeats_ + planted_.counted - 1) / planted_.counted * planted_.counted;
    lead_in_ = run_seconds < long_run_seconds ? 1 : 0;
    quads_ = run_seconds < short_run_seconds ? quads_of_short_runs : 1;
    const double least = 4.0 * quads_ * least_rounds * repeats_ * run_seconds;
    if (longest_seconds_ > 0 && least > longest_seconds_) throw TakesTooLong{least};
    const Plan& plan = a_.outcome->plan;
    if (a_.device->info().is_gpu && b_.device->info().is_gpu && plan.is_plain() &&
        run_seconds > unmoved_launch_seconds * static_cast<double>(plan.steps.size())) {
        minds_the_host_ = false;
    }
}

void Turns::take_turn(Corner& corner, PairRound& round) {
    if (context_.between) context_.between();
    const InPhase phase(Phase::timing);
    const bool is_b = &corner == &b_;
    const unsigned runs = is_b ? repeats_ + repeats_ / planted_.counted * planted_.more : repeats_;
    const Elapsed elapsed = on(corner, [&] { return corner.binding->run(runs, lead_in_); });
    if (!(elapsed.device > 0)) {
        throw SideError(is_b, std::make_exception_ptr(DeviceError(
                                  "The device's clock stood still over a batch of commands.")));
    }
    measuring_seconds_ += elapsed.host;
    const double seconds = elapsed.device / repeats_;
    (is_b ? round.b : round.a).push_back(seconds);
    corner.samples.push_back(seconds);
    corner.host_samples.push_back(elapsed.host / repeats_);
    corner.round.push_back(static_cast<unsigned>(corner.repeats.size()));
}

void Turns::check_last(Corner& corner) {
    on(corner, [&] {
        Outcome& o = *corner.outcome;
        check_after_timing(*corner.binding, o.the_case, filling_, context_.seed, *workload_,
                           *o.checked);
        if (!o.checked->right()) {
            throw Error(
                fmt::format("The last timed launch is wrong: {}", o.checked->failure->what));
        }
    });
}

void Turns::check_all_is_done(Corner& corner) {
    on(corner, [&] {
        Outcome& o = *corner.outcome;
        const TimedBatch timed{.run_seconds = estimate_median(corner.samples).median,
                               .repeats = repeats_};
        LeftOutWork left_out = left_out_work(*corner.binding, timed);
        if (!left_out.doubt.empty()) o.notes.push_back(std::move(left_out.doubt));
        if (left_out.wrong.empty()) {
            std::string doubt = found_its_work_done(*corner.binding, timed, corner.inputs);
            if (!doubt.empty()) o.notes.push_back(std::move(doubt));
            return;
        }
        o.checked->failure = Failure{o.the_case.shape.extents, filling_.name, context_.seed,
                                     std::move(left_out.wrong)};
        throw Error(o.checked->failure->what);
    });
}

// At the same time, as long as no device has two threads on it.
void Turns::check_both() {
    if (a_.device == b_.device) {
        check_last(a_);
        check_last(b_);
        return;
    }
    auto b = std::async(std::launch::async, [this, profile = current_profile()] {
        const Profiled profiled(profile, true);
        check_last(b_);
    });
    check_last(a_);
    b.get();
}

void Turns::compare_answers() {
    if (!context_.compares_answers) return;
    const InPhase phase(Phase::gate);
    const std::string key = output_key(a_.outcome->the_case.shape, filling_.name);
    const auto hash_of = [&](const Corner& corner) {
        const auto found = corner.outcome->checked->output_hashes.find(key);
        return found == corner.outcome->checked->output_hashes.end() ? "" : found->second;
    };
    if (!hash_of(a_).empty() && hash_of(a_) == hash_of(b_)) {
        // Both were checked, with these inputs: nothing to read again.
        for (const std::size_t output : a_.binding->outputs()) {
            answers_.add_identical(a_.outcome->plan.buffers.at(output).elements);
        }
        return;
    }
    if (a_.binding->changes_its_inputs()) {
        // What the timed launches left is the work of many.
        for (Corner* corner : {&a_, &b_}) {
            on(*corner, [&] {
                corner->binding->load(corner->inputs, std::byte{0xff});
                corner->binding->run();
            });
        }
    }
    // Outputs are compared in parts: a large one held twice would take too much memory.
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 22;
    for (const std::size_t output : a_.binding->outputs()) {
        const BufferSpec& spec = a_.outcome->plan.buffers.at(output);
        if (spec.order == Order::race) continue;  // any answer will do
        // An image is read as a whole, and what has any order is put into one.
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

void Turns::begin_round() {
    for (Corner* corner : {&a_, &b_}) corner->others->begin();
}

// The driver takes milliseconds for an answer: one card is asked once.
void Turns::note_states() {
    for (Corner* corner : {&a_, &b_}) {
        corner->then = corner->outcome->after;
        if (corner == &b_ && same_physical_device(a_.device->info(), b_.device->info())) {
            b_.outcome->after = a_.outcome->after;
        } else {
            corner->outcome->after = device_state(corner->device->info());
            corner->outcome->after.others_use = corner->others->share();
        }
    }
}

bool Turns::scatters(const Corner& corner, const std::vector<double>& batches) {
    return std::ranges::max(batches) > (1 + batch_scatter) * std::ranges::min(corner.samples);
}

// What kept the corner's device from running freely in the round that has just ended.
std::string Turns::disturbance(const Corner& corner, const PairRound& round) const {
    const DeviceState& then = corner.then;
    const DeviceState& now = corner.outcome->after;
    if (corner.device->info().is_gpu && now.others_use.value_or(0) > others_noticed) {
        const double longest =
            repeats_ * std::max(std::ranges::max(round.a), std::ranges::max(round.b));
        const std::string_view felt =
            !is_all_on_device_                               ? "it is no work of kernels alone"
            : scatters(a_, round.a) || scatters(b_, round.b) ? "its batches scattered"
            : longest > slice_seconds ? "its batches are longer than a slice of time"
                                      : "";
        if (!felt.empty()) {
            return fmt::format("others used {:.0f} % of {}, and {}", 100 * *now.others_use,
                               corner.device->info().id(), felt);
        }
    }
    if (host_moves_memory_ && context_.cores < 2) {
        return "the one core that this process may use moves the memory, beside the drivers' own "
               "threads";
    }
    if (const std::string words = throttle_words(now.throttle_reasons.value_or(0));
        !words.empty()) {
        return fmt::format("{} ran below its clock ({})", corner.device->info().id(), words);
    }
    const double before = then.sm_clock_mhz.value_or(0), after = now.sm_clock_mhz.value_or(0);
    if (before > 0 && after > 0 && std::fabs(after / before - 1) > clock_drift) {
        return fmt::format("the clock of {} moved from {:.0f} to {:.0f} MHz",
                           corner.device->info().id(), before, after);
    }
    return {};
}

PairRound Turns::round(unsigned number) {
    // The sides take turns in being the first to allocate, too.
    Corner& first = number % 2 == 0 ? a_ : b_;
    Corner& second = number % 2 == 0 ? b_ : a_;
    give_back();
    prepare(first, number);
    prepare(second, number);
    if (number == 0) {
        calibrate();
        note_states();
    }

    begin_round();
    PairRound round;
    round.repeats_a = repeats_;
    round.repeats_b = repeats_;
    round.a_first = number % 2 == 0;
    for (unsigned quad = 0; quad < quads_; ++quad) {
        const bool abba = (quad % 2 == 0) == round.a_first;
        Corner& outer = abba ? a_ : b_;
        Corner& inner = abba ? b_ : a_;
        for (Corner* corner : {&outer, &inner, &inner, &outer}) take_turn(*corner, round);
    }
    for (Corner* corner : {&a_, &b_}) {
        corner->repeats.push_back(repeats_);
    }
    note_states();
    for (Corner* corner : {&a_, &b_}) {
        std::string why = disturbance(*corner, round);
        if (!why.empty()) round.disturbed = std::move(why);
        if (const auto use = corner->outcome->after.others_use) corner->others_use.push_back(*use);
    }
    // Answers to random inputs of the case's own shape are left to it by the gate.
    if (check_each_round_) {
        check_both();
        if (number == 0) compare_answers();
    }
    return round;
}

void Turns::give_back() {
    for (Corner* corner : {&a_, &b_}) {
        const InPhase phase(Phase::transfers, "given back");
        corner->binding.reset();
        corner->spacers.clear();
    }
}

void Turns::begin(PairRule rule) {
    rule.launches = static_cast<unsigned>(std::max<std::size_t>(1, a_.outcome->plan.steps.size()));
    longest_seconds_ = rule.longest_seconds;
    rounds_.emplace(std::move(rule));
}

void Turns::go_on() {
    const HostClock::time_point begin = HostClock::now();
    PairRound made = round(rounds_->next());
    rounds_->add(std::move(made), seconds_since(begin));
    if (rounds_->has_ended()) finish();
    give_back();
}

PairTiming Turns::measure(PairRule rule) {
    for (begin(std::move(rule)); !rounds_->has_ended();) go_on();
    return rounds_->timing();
}

void Turns::finish() {
    for (Corner* corner : {&a_, &b_}) check_all_is_done(*corner);
    if (!check_each_round_) {
        check_both();
        compare_answers();
    }
    for (Corner* corner : {&a_, &b_}) {
        corner->binding.reset();
        corner->kept.clear();
        Outcome& o = *corner->outcome;
        o.before = corner->before;
        o.after.others_use.reset();
        if (const auto rounds = static_cast<double>(corner->others_use.size()); rounds > 0) {
            o.after.others_use =
                std::accumulate(corner->others_use.begin(), corner->others_use.end(), 0.0) / rounds;
        }
        o.timing.emplace();
        o.timing->samples = std::move(corner->samples);
        o.timing->host_samples = std::move(corner->host_samples);
        o.timing->round = std::move(corner->round);
        o.timing->repeats = std::move(corner->repeats);
        o.timing->estimate = estimate_median(o.timing->samples);
        o.timing->stopped_by = rounds_->timing().stopped_by;
        settle(corner->device->info(), o);
    }
}

}  // namespace parallax

// Builds, buffers, transfers and launches of a case, each timed by itself.
#include "studies/explain/stage_probes.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "common/statistics/statistics.hpp"
#include "common/text/text.hpp"
#include "measure/compare.hpp"

namespace parallax {
namespace {

using Locked = std::vector<std::unique_ptr<HostMemory>>;

const Program empty_program{.name = "empty.cl", .source = "__kernel void nothing() {\n}\n"};

std::vector<Command> empty_launch(Device& device) {
    return {{Dispatch{device.compile(empty_program, "nothing"), {}, {}}}};
}

template <class Spans>
std::string amount(const Spans& buffers) {
    std::uint64_t bytes = 0;
    for (const auto& buffer : buffers) bytes += buffer.size();
    return fmt::format("{} in {} buffer{}.", binary_size(bytes), buffers.size(),
                       buffers.size() == 1 ? "" : "s");
}

}  // namespace

StageProbes::StageProbes(const StageRequest& request, std::function<double()> now)
    : request_(request),
      now_(std::move(now)),
      pattern_(input_patterns_of(request.the_case)[1]),
      reference_data_(
          request.config->references->get(request.the_case, pattern_, request.config->seed)) {
    for (const HostArray& input : reference_data_->inputs) inputs_.push_back(input.bytes());
    for (const BufferSpec& buffer : request.sides.a.plan.buffers) {
        if (is_compared(buffer.role)) host_outputs_.emplace_back(buffer.type, buffer.elements);
    }
    for (HostArray& output : host_outputs_) outputs_.push_back(output.bytes());
}

std::string StageProbes::input_amount() const {
    return amount(inputs_);
}

std::string StageProbes::output_amount() const {
    return amount(outputs_);
}

Probe StageProbes::timed(std::function<void()> what) const {
    return {[this, what = std::move(what)] {
        const double start = now_();
        what();
        return now_() - start;
    }};
}

// A driver's cache of compiled code would only look up what it has built before.
Program StageProbes::new_program(bool is_b) {
    Program program = side(is_b).program;
    program.constants.push_back({"PARALLAX_BUILD", ++builds_});
    return program;
}

Binding& StageProbes::bound(bool is_b) {
    auto& binding = bindings_.of(is_b);
    if (!binding) {
        binding = std::make_unique<Binding>(device(is_b), side(is_b).plan, side(is_b).codes);
        binding->load(reference_data_->inputs, std::byte{0xff});
        binding->run();
    }
    return *binding;
}

Probe StageProbes::rebuilding(bool is_b) {
    auto codes = std::make_shared<Codes>();
    const Probe probe =
        timed([=, this] { *codes = build(device(is_b), new_program(is_b), side(is_b).plan); });
    return {[=] {
        codes->clear();  // giving back is not a part of it
        return probe.once();
    }};
}

Probe StageProbes::allocating(bool is_b) {
    auto kept = std::make_shared<std::optional<Binding>>();
    const Probe probe =
        timed([=, this] { kept->emplace(device(is_b), side(is_b).plan, side(is_b).codes); });
    return {[=] {
        kept->reset();  // nor here
        const double seconds = probe.once();
        kept->reset();
        return seconds;
    }};
}

void StageProbes::need_inputs() const {
    if (inputs_.empty()) throw Unsupported("The case has no inputs.");
}

Probe StageProbes::uploading(bool is_b) {
    need_inputs();
    Binding& binding = bound(is_b);
    return timed([=, this, &binding] { binding.write_inputs(inputs_); });
}

Probe StageProbes::uploading_locked(bool is_b) {
    need_inputs();
    Binding& binding = bound(is_b);
    auto locked = std::make_shared<Locked>();
    std::vector<std::span<const std::byte>> parts;
    for (const std::span<const std::byte> input : inputs_) {
        locked->push_back(device(is_b).page_locked(input.size()));
        std::memcpy(locked->back()->bytes().data(), input.data(), input.size());
        parts.emplace_back(locked->back()->bytes());
    }
    return timed([=, &binding] {
        static_cast<void>(locked);  // kept as long as this
        binding.write_inputs(parts);
    });
}

Probe StageProbes::downloading(bool is_b) {
    Binding& binding = bound(is_b);
    binding.read_outputs(outputs_);  // the host's pages are there from now on
    return timed([=, this, &binding] { binding.read_outputs(outputs_); });
}

Probe StageProbes::downloading_locked(bool is_b) {
    Binding& binding = bound(is_b);
    auto locked = std::make_shared<Locked>();
    std::vector<std::span<std::byte>> parts;
    for (const std::span<std::byte> output : outputs_) {
        locked->push_back(device(is_b).page_locked(output.size()));
        parts.push_back(locked->back()->bytes());
    }
    return timed([=, &binding] {
        static_cast<void>(locked);  // kept as long as this
        binding.read_outputs(parts);
    });
}

Probe StageProbes::launching(bool is_b, OpenOptions options) {
    std::shared_ptr<Device> second;
    if (!options.profiling) second = side(is_b).entry.open(options);
    Device& on = second ? *second : device(is_b);
    auto commands = empty_launch(on);
    on.run(commands);
    return {[second, &on, commands = std::move(commands)] {
        return on.run(commands, launches_in_a_row).host / launches_in_a_row;
    }};
}

Probe StageProbes::round_trip(bool is_b) {
    auto commands = empty_launch(device(is_b));
    device(is_b).run(commands);
    return {
        [this, is_b, commands = std::move(commands)] { return device(is_b).run(commands).host; }};
}

Probe StageProbes::running(bool is_b) {
    Binding& binding = bound(is_b);
    const unsigned repeats =
        repeats_to_fill(1e-3, [&](unsigned count) { return binding.run(count); });
    return {[&binding, repeats] { return binding.run(repeats, 1).device / repeats; },
            [this, &binding] { return what_is_wrong(binding); }};
}

Probe StageProbes::running_once(bool is_b) {
    Binding& binding = bound(is_b);
    return {[&binding] { return binding.run().host; }};
}

Probe StageProbes::whole(bool is_b) {
    const Probe use = timed([=, this] {
        const Codes codes = build(device(is_b), new_program(is_b), side(is_b).plan);
        auto& binding = whole_.emplace(device(is_b), side(is_b).plan, codes);
        binding.write_inputs(inputs_);
        binding.run();
        binding.read_outputs(outputs_);
    });
    auto wrong = std::make_shared<std::string>();
    return {[=, this] {
                whole_.reset();
                for (const auto output : outputs_) {
                    std::memset(output.data(), 0xff, output.size());
                }
                const double seconds = use.once();
                whole_.reset();
                if (wrong->empty()) *wrong = what_is_wrong_here();
                return seconds;
            },
            [wrong] { return *wrong; }};
}

std::string StageProbes::what_is_wrong(const Binding& binding) const {
    VerificationResult checked;
    verify_after_timing(binding, request_.the_case, pattern_, request_.config->seed,
                        *reference_data_, checked);
    return checked.right() ? "" : "An answer was wrong: " + checked.failure->what;
}

std::string StageProbes::what_is_wrong_here() const {
    const Tolerance tolerance = request_.the_case.suite->tolerance(request_.the_case);
    for (std::size_t i = 0; i < host_outputs_.size(); ++i) {
        const Comparison found =
            compare(host_outputs_[i], reference_data_->expected.at(i), tolerance, 0);
        if (found.mismatch) {
            return fmt::format("An answer was wrong: {} element(s), the first is [{}].",
                               found.mismatch->count, found.mismatch->index);
        }
    }
    return {};
}

namespace {

/// A side at its stage: its samples, or why it has none.
struct Turn {
    Probe probe;
    std::vector<double> samples;
    std::string why_not;

    /// Does `step` unless the side has failed before. @throws Interrupted
    void attempt(const std::function<void()>& step) {
        if (!why_not.empty()) return;
        try {
            step();
        } catch (const Interrupted&) {
            throw;
        } catch (const std::bad_alloc&) {
            why_not = "The host has not enough memory for it.";
        } catch (const std::exception& error) {
            why_not = error.what();
        }
    }
};

}  // namespace

void add_sentence(std::string& note, const std::string& sentence) {
    if (!note.empty() && !sentence.empty()) note += ' ';
    note += sentence;
}

void add_sentences(std::string& note, const Both<std::string>& sentences) {
    if (sentences.a == sentences.b) {
        add_sentence(note, sentences.a);
        return;
    }
    if (!sentences.a.empty()) add_sentence(note, "A: " + sentences.a);
    if (!sentences.b.empty()) add_sentence(note, "B: " + sentences.b);
}

Stage measure_alternately(const StagePlan& plan, double most_seconds, const Watch& watch) {
    Both<Turn> turns;
    const double start = watch.now();
    const auto name = [&](bool is_b) {
        return fmt::format("stage {} of {}", plan.stage.name, is_b ? 'b' : 'a');
    };
    for (const bool is_b : {false, true}) {
        Turn& turn = turns.of(is_b);
        turn.attempt([&] {
            const WatchdogScope hand(name(is_b), "a stage was prepared");
            turn.probe = plan.prepare(is_b);
        });
    }
    for (unsigned i = 0; i < plan.most_rounds; ++i) {
        const double before = watch.now();
        for (const bool second : {false, true}) {
            if (watch.check_interrupt) watch.check_interrupt();
            const bool is_b = (i % 2 == 1) != second;
            Turn& turn = turns.of(is_b);
            turn.attempt([&] {
                const WatchdogScope hand(name(is_b), "a stage was timed");
                turn.samples.push_back(turn.probe.once());
            });
        }
        const double after = watch.now();
        if (after - start + (after - before) > most_seconds) break;
    }
    Stage stage = plan.stage;
    std::size_t count = 0;
    for (const bool is_b : {false, true}) {
        Turn& turn = turns.of(is_b);
        turn.attempt([&] {
            if (turn.probe.check) turn.why_not = turn.probe.check();
        });
        if (!turn.why_not.empty()) continue;
        stage.seconds.of(is_b) = median_of(turn.samples);
        count = turn.samples.size();
    }
    if (count > 1) add_sentence(stage.note, fmt::format("Medians of {}.", count));
    add_sentences(stage.note, {turns.a.why_not, turns.b.why_not});
    return stage;
}

}  // namespace parallax

// Gives launches other inputs while nothing else changes, and verifies their answers.
#include "measure/input_sets.hpp"

#include <algorithm>
#include <span>

#include "common/error.hpp"
#include "common/suite/inputs.hpp"
#include "measure/compare.hpp"
#include "measure/element_scale.hpp"
#include "measure/verification.hpp"

namespace parallax {
namespace {

/// Whether the outputs are right for other inputs.
bool is_answer_to(const ReferenceData& other, const Binding& binding, const Case& c) {
    const Plan plan = plan_of(c);
    std::size_t next = 0;
    bool is_right = true;
    for (const std::size_t output : binding.outputs()) {
        const BufferSpec& spec = plan.buffers.at(output);
        const Expected& expected = other.expected.at(next++);
        if (!spec.parts.empty() || spec.order != Order::given) return false;
        const Tolerance tolerance = output_tolerance(c.suite->tolerance(c), spec);
        binding.read_in_parts(output, [&](const HostArray& part, std::uint64_t first) {
            is_right = is_right && !compare(part, expected, tolerance, first).mismatch;
        });
    }
    return is_right;
}

/// Whether it has enough outputs for some to change with the inputs: a maximum may stay.
bool is_telling(const Plan& plan) {
    constexpr std::uint64_t least = 64;
    return std::ranges::any_of(plan.buffers, [](const BufferSpec& one) {
        return is_compared(one.role) && one.order == Order::given && one.elements >= least;
    });
}

bool same_answers(const VerificationResult& checked, const Case& c, const InputPattern& a,
                  const InputPattern& b) {
    const auto of_a = checked.output_hashes.find(output_key(c.shape, a.name));
    const auto of_b = checked.output_hashes.find(output_key(c.shape, b.name));
    return of_a != checked.output_hashes.end() && of_b != checked.output_hashes.end() &&
           of_a->second == of_b->second;
}

void run_one_by_one(Binding& binding, const ReferenceData& before, const ReferenceData& now,
                    bool with_poison) {
    for (const ReferenceData* const data : {&before, &now}) {
        std::vector<std::span<const std::byte>> inputs;
        for (const HostArray& one : data->inputs) inputs.push_back(one.bytes());
        binding.write_inputs(inputs);
        if (with_poison) binding.poison(std::byte{0xa5});
        binding.run();
    }
}

/// In one batch where that can be: a kernel may know a launch that comes alone.
void run_changing(Device& device, Binding& binding, const Plan& plan, const ReferenceData& before,
                  const ReferenceData& now, const std::vector<const Uploaded*>& on_device) {
    // What is compared of a race is which elements are written.
    const bool is_race = std::ranges::any_of(
        plan.buffers, [](const BufferSpec& one) { return one.order == Order::race; });
    if (is_race || !binding.can_be_changed()) return run_one_by_one(binding, before, now, is_race);
    if (!on_device.empty()) return binding.run_changing(*on_device.at(0), *on_device.at(1));
    try {
        const Uploaded first = uploaded(device, before), second = uploaded(device, now);
        binding.run_changing(first, second);
    } catch (const UsageError&) {
        // The device has no room for the inputs twice.
        run_one_by_one(binding, before, now, false);
    }
}

}  // namespace

Uploaded uploaded(Device& device, const ReferenceData& reference_data) {
    Uploaded inputs;
    for (const HostArray& input : reference_data.inputs) inputs.push_back(device.upload(input));
    return inputs;
}

bool draws_again(const Case& c) {
    return std::ranges::any_of(c.suite->tried_once,
                               [](const InputPattern& one) { return one.name == drawn_again; });
}

bool has_room_for_both(const DeviceInfo& info, const Plan& plan, unsigned sides) {
    std::uint64_t bytes = footprint(plan).total;
    for (const BufferSpec& one : plan.buffers) {
        if (is_loaded(one.role)) bytes += 2 * one.bytes();
    }
    return sides * bytes < info.memory_bytes / 2;
}

std::vector<InputSet> input_sets_of(const Case& c, const RunConfig& config,
                                    std::string_view device) {
    std::vector<InputSet> sets{{input_patterns_of(c)[1], {}}};
    if (draws_again(c)) sets.push_back({{.name = drawn_again}, {}});
    for (InputSet& set : sets) {
        set.data = config.references->get(c, set.pattern, config.seed, device);
    }
    return sets;
}

std::size_t set_of_round(std::uint64_t seed, unsigned round, std::size_t sets) {
    return mix(~seed, round) % sets;
}

void verify_changed_inputs(Device& device, Binding& binding, const Case& c, std::uint64_t seed,
                           const InputSet& before, const InputSet& now,
                           const std::vector<const Uploaded*>& on_device,
                           VerificationResult& checked) {
    const bool was_right = checked.right();
    run_changing(device, binding, plan_of(c), *before.data, *now.data, on_device);
    compare_outputs(binding, c, now.pattern, seed, *now.data, checked);
    ++checked.changed;
    if (was_right && checked.right()) {
        checked.is_kept_answer |= is_agreement(now.data->against) && is_telling(plan_of(c)) &&
                                  same_answers(checked, c, before.pattern, now.pattern);
    }
    if (!was_right || checked.right()) return;
    checked.failure->what +=
        " These inputs took the place of others in the same buffers, and nothing else was reset.";
    if (is_answer_to(*before.data, binding, c)) {
        checked.failure->what +=
            " The answer is that to the inputs before them: the kernel keeps what an earlier "
            "launch found.";
    }
}

}  // namespace parallax

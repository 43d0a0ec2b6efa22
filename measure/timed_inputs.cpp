// Writes inputs before timed launches, and verifies what launches on changed inputs leave.
#include "measure/timed_inputs.hpp"

#include <algorithm>
#include <iterator>
#include <random>

#include "common/error.hpp"
#include "common/profile.hpp"
#include "common/suite/inputs.hpp"
#include "measure/compare.hpp"
#include "measure/element_scale.hpp"

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

/// For a race only the set of written elements is compared.
bool has_race(const Plan& plan) {
    return std::ranges::any_of(plan.buffers,
                               [](const BufferSpec& one) { return one.order == Order::race; });
}

void run_on(Binding& binding, const ReferenceData& data, bool with_poison) {
    std::vector<std::span<const std::byte>> inputs;
    for (const HostArray& one : data.inputs) inputs.push_back(one.bytes());
    binding.write_inputs(inputs);
    if (with_poison) binding.poison(std::byte{0xa5});
    binding.run();
}

TimedInputs::Renewal renewal_by_host(const Case& c, const Plan& plan, const RunConfig& config) {
    const bool is_small = footprint(plan).total <= config.check_rounds_up_to;
    return draws_again(c) && is_small ? TimedInputs::Renewal::by_round : TimedInputs::Renewal::none;
}

/// Whether the device's compiler takes the kernels: a case does not fail for them.
bool builds(Device& device, DrawKernels& kernels, const std::vector<DrawnBuffer>& drawing) {
    try {
        const std::shared_ptr<Memory> any = device.allocate(2 * sizeof(std::uint64_t), 0);
        for (const DrawnBuffer& buffer : drawing) {
            for (const DrawnPart& part : buffer.parts) kernels.draw(part, 1, any, any, 1);
        }
        kernels.digest(any);
        return true;
    } catch (const Interrupted&) {
        throw;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

Uploaded uploaded(Device& device, const ReferenceData& reference_data) {
    Uploaded inputs;
    for (const HostArray& input : reference_data.inputs) inputs.push_back(device.upload(input));
    return inputs;
}

std::uint64_t fresh_key() {
    thread_local std::random_device source;
    return (std::uint64_t{source()} << 32 | source()) | 1;
}

bool draws_again(const Case& c) {
    return std::ranges::find(c.suite->tried_once, drawn_again, &InputPattern::name) !=
           c.suite->tried_once.end();
}

TimedInputs::Renewal TimedInputs::renewal_on(const DeviceInfo& info, const Case& c,
                                             const Plan& plan, const RunConfig& config) {
    const bool is_plain =
        plan.is_plain() && std::ranges::none_of(plan.buffers, [](const BufferSpec& one) {
            return is_loaded(one.role) && (one.image || one.placement != Placement::device);
        });
    if (c.suite->drawing && DrawKernels::run_on(info) && is_plain) return Renewal::by_batch;
    return renewal_by_host(c, plan, config);
}

bool TimedInputs::leave_own_shape(const DeviceInfo& info, const Case& c, const Plan& plan,
                                  const RunConfig& config) {
    return config.is_paired && is_timed_on(info, config) && !c.suite->reference &&
           !c.suite->reference_kernel && renewal_on(info, c, plan, config) == Renewal::by_batch;
}

TimedInputs::TimedInputs(Device& device, const Case& c, const Plan& plan, const RunConfig& config,
                         Renewal most)
    : device_(&device),
      case_(c),
      plan_(plan),
      config_(config),
      renewal_(std::min(most, renewal_on(device.info(), c, plan, config))) {
    if (!by_batch()) return;
    drawing_ = c.suite->drawing(c);
    kernels_.emplace(device, config.programs);
    if (!builds(device, *kernels_, drawing_)) {
        renewal_ = std::min(most, renewal_by_host(c, plan, config));
        drawing_.clear();
    }
}

bool TimedInputs::vary() const {
    return by_batch() ? std::ranges::any_of(drawing_, &DrawnBuffer::varies)
                      : renewal_ == Renewal::by_round;
}

bool TimedInputs::may_rotate() const {
    return std::ranges::any_of(drawing_, &DrawnBuffer::may_rotate);
}

InputPattern TimedInputs::pattern(std::uint64_t key) const {
    InputPattern random = input_patterns_of(case_)[1];
    if (vary()) random.key = key;
    return random;
}

std::uint64_t TimedInputs::seed(std::uint64_t key) const {
    return vary() ? key : config_.seed;
}

std::shared_ptr<const ReferenceData> TimedInputs::data(std::uint64_t key) const {
    return config_.references->get(case_, pattern(key), seed(key), device_->info().id());
}

// Only what no kernel makes comes from the host, once.
void TimedInputs::upload_fixed(std::uint64_t key) {
    if (has_no_room_) return;
    if (!by_batch()) {
        if (!fixed_.empty() && fixed_seed_ == seed(key)) return;
        fixed_seed_ = seed(key);
        fixed_.clear();
        try {
            fixed_ = uploaded(*device_, *data(key));
        } catch (const UsageError&) {
            has_no_room_ = true;
        }
        return;
    }
    if (!fixed_.empty()) return;
    fixed_.resize(drawing_.size());
    if (std::ranges::none_of(drawing_, &DrawnBuffer::has_rest)) return;
    const std::vector<HostArray> all =
        case_.suite->inputs(case_, input_patterns_of(case_)[1], config_.seed);
    for (std::size_t i = 0; i < fixed_.size(); ++i) {
        if (drawing_[i].has_rest) fixed_[i] = device_->upload(all.at(i));
    }
}

void TimedInputs::load(Binding& binding, std::uint64_t key, std::byte poison) {
    upload_fixed(key);
    if (!by_batch()) {
        const auto inputs = data(key);
        return has_no_room_ ? binding.load(inputs->inputs, poison)
                            : binding.load(fixed_, poison, inputs->inputs);
    }
    const InPhase phase(Phase::transfers, device_->info().backend);
    binding.load_without_inputs(poison);
    device_->run(writes(binding, key));
}

std::vector<Command> TimedInputs::writes(const Binding& binding, std::uint64_t key,
                                         bool only_changed, bool rotated) {
    upload_fixed(key);
    std::vector<Command> first, columns;
    const auto& memory = binding.memory();
    for_loaded(plan_, [&](std::size_t buffer, std::size_t input) {
        const std::shared_ptr<Memory>& to = memory.at(buffer);
        if (only_changed && !is_changed(plan_.buffers[buffer].role)) return;
        if (input < fixed_.size() && fixed_[input]) {
            const bool moves = rotated && by_batch() && drawing_[input].may_rotate;
            const std::uint64_t places =
                moves ? mix(key, input) % plan_.buffers[buffer].elements : 0;
            const std::size_t begin = places * size_of(plan_.buffers[buffer].type);
            first.push_back({Copy{fixed_[input], to, 0, begin, to->bytes() - begin}});
            if (begin > 0)
                first.push_back({Copy{fixed_[input], to, to->bytes() - begin, 0, begin}});
        }
        if (!by_batch()) return;
        const DrawnBuffer& drawn = drawing_.at(input);
        const bool is_whole = drawn.parts.size() == 1 && drawn.parts[0].per == 1 &&
                              drawn.parts[0].kind != DrawnPart::Kind::row_columns;
        if (!drawn.has_rest && !is_whole) first.push_back({Fill{to, 0, to->bytes(), 0}});
        for (const DrawnPart& part : drawn.parts) {
            const bool is_columns = part.kind == DrawnPart::Kind::row_columns;
            const auto rows = is_columns ? plan_.buffers.at(part.begins).elements - 1 : 0;
            (is_columns ? columns : first)
                .push_back(kernels_->draw(part, key, to, memory.at(part.begins), rows));
        }
    });
    std::ranges::move(columns, std::back_inserter(first));
    if (!has_race(plan_) || !by_batch()) return first;
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (plan_.buffers[i].role != Role::output) continue;
        first.push_back({Fill{memory[i], 0, memory[i]->bytes(), 0xa5}});
    }
    return first;
}

void TimedInputs::run_changed(Binding& binding, std::uint64_t before, std::uint64_t now) {
    if (!by_batch()) return run_on(binding, *data(now), has_race(plan_));
    std::vector<Command> all = writes(binding, before);
    for (const std::uint64_t key : {before, now}) {
        if (key == now) std::ranges::move(writes(binding, now), std::back_inserter(all));
        std::ranges::copy(binding.commands(), std::back_inserter(all));
    }
    device_->run(all);
}

std::vector<std::string> TimedInputs::kept_names() const {
    std::vector<std::string> names;
    for_loaded(plan_, [&](std::size_t buffer, std::size_t input) {
        if (by_batch() && drawing_.at(input).has_rest && !drawing_[input].varies())
            names.push_back(plan_.buffers[buffer].name);
    });
    return names;
}

bool is_telling(const Plan& plan, const Binding& binding) {
    constexpr std::size_t least = 32;
    return std::ranges::any_of(binding.outputs(), [&](std::size_t output) {
        const BufferSpec& one = plan.buffers[output];
        if (one.order != Order::given) return false;
        HostArray values(one.type, one.elements);
        binding.read_part(output, 0, values);
        const auto bytes = std::as_const(values).bytes();
        const std::size_t unit = one.struct_bytes > 0 ? one.struct_bytes : size_of(one.type);
        std::size_t changes = 0;
        // Inputs that are drawn again begin alike.
        std::size_t at = unit * (1 + bytes.size() / unit / 4);
        for (; at + unit <= bytes.size() && changes < least; at += unit)
            changes += !have_same_bytes(bytes.subspan(at, unit), bytes.subspan(at - unit, unit));
        return changes >= least;
    });
}

void check_batch(const Binding& binding, const TimedInputs& inputs, std::uint64_t key, Outcome& o) {
    const Case& c = o.the_case;
    const InputPattern pattern = inputs.pattern(key);
    const std::uint64_t seed = inputs.seed(key);
    if (!inputs.by_batch() || !binding.changes_its_inputs()) {
        return verify_after_timing(binding, c, pattern, seed, *inputs.data(key), *o.checked);
    }
    // Its outputs are those of many launches.
    ReferenceData data;
    data.inputs = c.suite->inputs(c, pattern, seed);
    verify_after_timing(binding, c, pattern, seed, data, *o.checked);
}

void check_own_shape(Device& device, const RunConfig& config, Outcome& o) {
    if (!TimedInputs::leave_own_shape(device.info(), o.the_case, o.plan, config)) return;
    Verifier{device, *config.references, config.seed}.launch(
        o.the_case, o.codes, input_patterns_of(o.the_case)[0], *o.checked);
}

void check_changed(Binding& binding, TimedInputs& inputs, std::uint64_t& key, std::uint64_t now,
                   Outcome& o) {
    if (!inputs.vary()) return;
    const std::uint64_t timed = key, before = inputs.by_batch() ? fresh_key() : key;
    inputs.run_changed(binding, before, now);
    key = now;
    verify_changed(
        binding, o.the_case, inputs.pattern(timed), inputs.pattern(now), inputs.seed(now),
        *inputs.data(now), [&] { return inputs.data(before); }, *o.checked);
}

void verify_changed(Binding& binding, const Case& c, const InputPattern& before_pattern,
                    const InputPattern& pattern, std::uint64_t seed, const ReferenceData& now,
                    const std::function<std::shared_ptr<const ReferenceData>()>& before,
                    VerificationResult& checked) {
    const bool was_right = checked.right();
    compare_outputs(binding, c, pattern, seed, now, checked);
    ++checked.changed;
    if (was_right && checked.right()) {
        const std::string answer = checked.hash_of(c.shape, pattern);
        checked.is_kept_answer |= is_agreement(now.against) && !answer.empty() &&
                                  answer == checked.hash_of(c.shape, before_pattern) &&
                                  is_telling(plan_of(c), binding);
    }
    if (!was_right || checked.right()) return;
    checked.failure->what +=
        " These inputs took the place of others in the same buffers, and nothing else was reset.";
    if (is_answer_to(*before(), binding, c)) {
        checked.failure->what +=
            " The answer is that to the inputs before them: the kernel keeps what an earlier "
            "launch found.";
    }
}

void run_changing(Device& device, Binding& binding, const Plan& plan, const ReferenceData& before,
                  const ReferenceData& now) {
    const auto one_by_one = [&] {
        for (const ReferenceData* const data : {&before, &now})
            run_on(binding, *data, has_race(plan));
    };
    if (has_race(plan) || !binding.can_be_changed()) return one_by_one();
    try {
        binding.run_changing(uploaded(device, before), uploaded(device, now));
    } catch (const UsageError&) {
        // The device has no room for the inputs twice.
        one_by_one();
    }
}

}  // namespace parallax

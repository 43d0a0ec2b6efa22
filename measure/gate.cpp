// Checks launches on every shape and kind of inputs that a case has.
#include "measure/gate.hpp"

#include <algorithm>
#include <future>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/hash.hpp"
#include "common/profile.hpp"
#include "measure/compare.hpp"
#include "measure/why_wrong.hpp"

namespace parallax {
namespace {

// Two bytes that poison in turn: all ones is a NaN, which spreads; the other is an ordinary number,
// so that an output that happens to equal the one is caught by the other. Guard zones follow from
// them.
constexpr std::byte poisons[] = {std::byte{0xff}, std::byte{0xa5}};

/// Two fillings a size take turns, too: each meets the other poison at the next size.
std::byte poison_of(unsigned trial) {
    return poisons[(trial + trial / 2) % std::size(poisons)];
}

/// Elements that are hashed beside being compared.
constexpr std::size_t worth_a_thread = 1 << 20;

template <class T>
void add_new(std::vector<T>& list, const T& item) {
    if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

}  // namespace

Tolerance tolerance_for(const Case& c, const Filling& filling) {
    const Tolerance tolerance = c.suite->tolerance(c);
    return filling.exact && tolerance.kind == Tolerance::Kind::rounding ? Tolerance::exact()
                                                                        : tolerance;
}

Plan plan_of(const Case& c) {
    return c.variant->plan(c);
}

std::string output_key(const Shape& shape, std::string_view filling) {
    return fmt::format("{} {}", to_string(shape), filling);
}

std::vector<Filling> fillings_of(const Case& c) {
    std::vector<Filling> fillings{{"integers", true, false}, {"random", false, false}};
    for (const Filling& hostile : c.suite->hostile) {
        if (!hostile.floating_only || is_floating(c.type)) fillings.push_back(hostile);
    }
    return fillings;
}

namespace {

/// The first 64 KiB of each.
std::string hash_of_beginnings(const std::vector<HostArray>& inputs) {
    Hasher hasher;
    for (const HostArray& one : inputs) {
        hasher.add(one.bytes().first(std::min<std::size_t>(one.bytes().size(), 1 << 16)));
    }
    return hasher.digits();
}

/// Whether the bytes are other ones than an output holds before a launch.
/// @param before  what it was loaded with; null: it was poisoned
bool is_altered(std::span<const std::byte> bytes, const HostArray* before, std::size_t first) {
    if (before) return !std::ranges::equal(bytes, before->bytes().subspan(first, bytes.size()));
    return std::ranges::none_of(poisons, [&](std::byte poison) {
        return std::ranges::all_of(bytes, [&](std::byte one) { return one == poison; });
    });
}

HostArray zeros_like(const HostArray& values) {
    HostArray zeros(values.type(), values.size());
    std::ranges::fill(zeros.bytes(), std::byte{0});
    return zeros;
}

bool is_told_from_zeros(const Checked& checked, const std::string& output) {
    const auto known = checked.zeros_would_do.find(output);
    return known != checked.zeros_would_do.end() && !known->second;
}

}  // namespace

bool is_doubtful(Status status, const std::vector<std::string>& notes) {
    return (status == Status::ok || status == Status::checked) &&
           std::ranges::any_of(notes,
                               [](const std::string& note) { return note.starts_with(suspicion); });
}

std::vector<std::string> suspicions_of(const Checked& checked) {
    std::vector<std::string> found;
    if (checked.against == expected_data && !checked.repeatable.value_or(true)) {
        found.push_back(
            "Launches with equal inputs gave different bits, as where numbers are added up in any "
            "order: the answers are held against the expected data within the tolerance alone.");
    }
    for (const auto& [name, altered] : checked.altered) {
        if (altered) continue;
        found.push_back(fmt::format(
            "{}'{}' holds after every launch what it held before: does the kernel write it?",
            suspicion, name));
    }
    for (const auto& [name, would_do] : checked.zeros_would_do) {
        if (!would_do) continue;
        found.push_back(fmt::format(
            "{}zeros in '{}' would be right, too: is the tolerance too wide?", suspicion, name));
    }
    unsigned same = 0, other = 0;
    for (const Shape& shape : checked.shapes) {
        const std::string a = output_key(shape, "integers"), b = output_key(shape, "random");
        const auto input_a = checked.input_hashes.find(a), input_b = checked.input_hashes.find(b);
        const auto output_a = checked.output_hashes.find(a),
                   output_b = checked.output_hashes.find(b);
        if (input_b == checked.input_hashes.end() || input_a == checked.input_hashes.end() ||
            input_a->second == input_b->second || output_a == checked.output_hashes.end() ||
            output_b == checked.output_hashes.end()) {
            continue;
        }
        ++(output_a->second == output_b->second ? same : other);
    }
    if (same > 0 && other == 0 && found.empty()) {
        found.push_back(
            fmt::format("{}the outputs are the same for other inputs: do the lengths "
                        "and the launch let the kernel do its work?",
                        suspicion));
    }
    return found;
}

namespace {

/// check_outputs() that tells which element is the first wrong one.
std::optional<WrongElement> look_at_outputs(const Binding& binding, const Case& c,
                                            const Filling& filling, std::uint64_t seed,
                                            const Workload& workload, Checked& checked) {
    const InPhase phase(Phase::gate);
    std::optional<WrongElement> wrong;
    ++checked.trials;
    checked.against = workload.against;
    add_new(checked.shapes, c.shape);
    add_new(checked.fillings, filling.name);
    const auto fail = [&](std::string what) {
        if (!checked.failure)
            checked.failure = Failure{c.shape.extents, filling.name, seed, std::move(what)};
    };
    std::size_t next = 0;
    Hasher hasher;
    const bool looks = !c.suite->manifest.empty();
    const Plan plan = looks ? plan_of(c) : Plan{};
    if (looks) {
        checked.input_hashes.try_emplace(output_key(c.shape, filling.name),
                                         hash_of_beginnings(workload.inputs));
    }
    for (const std::size_t output : binding.outputs()) {
        const Expected& expected = workload.expected.at(next++);
        Comparison comparison;
        bool* altered = nullptr;
        const HostArray* before = nullptr;
        if (looks) {
            // Where several kernels write the buffer, one may put back what another changed.
            const bool is_shared =
                std::ranges::count_if(launches_of(plan), [&](const Launch* launch) {
                    return std::ranges::any_of(launch->arguments, [&](const LaunchArgument& one) {
                        const auto* buffer = std::get_if<BufferIndex>(&one);
                        return buffer && buffer->index == output;
                    });
                }) > 1;
            if (!is_shared || !is_loaded(plan.buffers.at(output).role)) {
                altered = &checked.altered[plan.buffers.at(output).name];
            }
            if (is_loaded(plan.buffers[output].role)) {
                std::size_t input = 0;
                for (std::size_t i = 0; i < output; ++i) input += is_loaded(plan.buffers[i].role);
                before = &workload.inputs.at(input);
            }
        }
        binding.read_in_parts(output, [&](const HostArray& part, std::uint64_t first) {
            if (altered && !*altered) {
                *altered = is_altered(part.bytes(), before, first * size_of(part.type()));
            }
            const bool in_parts = looks && !plan.buffers[output].parts.empty();
            auto hashed = std::async(
                part.size() > worth_a_thread ? std::launch::async : std::launch::deferred, [&] {
                    if (!in_parts) return hasher.add(part.bytes());
                    hasher.add(only_parts(part.bytes(), plan.buffers[output], first).bytes());
                });
            const Tolerance tolerance = tolerance_for(c, filling);
            const auto* run = std::get_if<HostArray>(&expected.values);
            const auto compared = [&](const HostArray& values, const Tolerance& within) {
                return in_parts && run
                           ? compare_structs(values, *run, plan.buffers[output], within, first)
                           : compare(values, expected, within, first);
            };
            const Comparison one = compared(part, tolerance);
            if (looks && run && tolerance.kind == Tolerance::Kind::difference &&
                !is_told_from_zeros(checked, plan.buffers[output].name)) {
                const HostArray zeros = zeros_like(part);
                if (compared(zeros, Tolerance::exact()).mismatch) {
                    checked.zeros_would_do[plan.buffers[output].name] =
                        !compared(zeros, tolerance).mismatch;
                }
            }
            if (one.mismatch && !wrong) {
                const std::size_t size = size_of(part.type());
                const std::uint64_t index = one.mismatch->index;
                const auto got = part.bytes().subspan((index - first) * size, size);
                wrong = {output, index, {got.begin(), got.end()}};
            }
            comparison.add(one);
            hashed.get();
        });
        checked.worst_share = std::max(checked.worst_share, comparison.worst_share);
        checked.worst_ulp = std::max(checked.worst_ulp, comparison.worst_ulp);
        if (comparison.mismatch) {
            const Mismatch& m = *comparison.mismatch;
            fail(
                fmt::format("{} of {} element(s) wrong; the first is [{}]: got {}, {} {}, "
                            "allowed is {}.",
                            m.count, size_of(expected), m.index, m.got,
                            whose_answer(workload.against), m.expected, m.bound));
        }
    }
    const auto [known, is_new] =
        checked.output_hashes.emplace(output_key(c.shape, filling.name), hasher.digits());
    // Expected data are of one set of inputs, whatever the filling is called.
    const bool is_fixed = c.suite->reference_name == expected_data;
    for (const auto& [key, digits] : checked.output_hashes) {
        if (key == known->first ? is_new : !is_fixed) continue;
        checked.repeatable = checked.repeatable.value_or(true) && digits == hasher.digits();
    }
    if (std::string damage = binding.damage(workload.inputs); !damage.empty()) {
        fail(std::move(damage));
    }
    return wrong;
}

}  // namespace

void check_outputs(const Binding& binding, const Case& c, const Filling& filling,
                   std::uint64_t seed, const Workload& workload, Checked& checked) {
    look_at_outputs(binding, c, filling, seed, workload, checked);
}

void check_after_timing(const Binding& binding, const Case& c, const Filling& filling,
                        std::uint64_t seed, const Workload& workload, Checked& checked) {
    if (!binding.changes_its_inputs()) {
        check_outputs(binding, c, filling, seed, workload, checked);
    } else if (std::string damage = binding.damage(workload.inputs);
               !damage.empty() && !checked.failure) {
        checked.failure = Failure{c.shape.extents, filling.name, seed, std::move(damage)};
    }
}

void check_once(Device& device, const Case& c, const Codes& codes, const Filling& filling,
                std::uint64_t seed, Workloads& workloads, Checked& checked) {
    const auto workload = workloads.get(c, filling, seed, device.info().id());
    const Plan plan = plan_of(c);
    const std::byte poison = poison_of(checked.trials);
    Binding binding(device, plan, codes);
    binding.load(workload->inputs, poison);
    binding.run();
    const bool was_right = checked.right();
    const auto wrong = look_at_outputs(binding, c, filling, seed, *workload, checked);
    if (wrong && was_right) {
        checked.failure->what +=
            why_wrong(device, plan, codes, *workload, binding,
                      {poison, poison == poisons[0] ? poisons[1] : poisons[0]}, *wrong);
    }
}

std::vector<GateTrial> trials_of(const Case& c, bool is_brief) {
    std::vector<GateTrial> trials;
    const std::vector<Filling> fillings = fillings_of(c);
    for (const Shape& shape : c.suite->check_shapes) {
        const Case tried = with_shape(c, shape);
        // Constants that suit the timed shape need not suit a tiny one.
        if (c.suite->refuse && !c.suite->refuse(tried).empty()) continue;
        // The last one is the largest, and odd in every way.
        const bool is_last = &shape == &c.suite->check_shapes.back();
        for (std::size_t i = 0; i < fillings.size(); ++i) {
            if (!is_brief || is_last || i < 2) trials.push_back({tried, fillings[i]});
        }
    }
    // What was captured has one shape alone.
    if (is_brief && c.suite->reference_name != expected_data) return trials;
    trials.push_back({c, fillings[0]});
    // What launches leave in a buffer that they find inputs in is checked after one of them only,
    // and where there are no other sizes whole numbers would be all that is ever tried.
    const Plan plan = plan_of(c);
    const bool is_only_size = c.suite->check_shapes.empty() && fillings.size() > 1 &&
                              c.suite->reference_name != expected_data;
    if (is_only_size || std::ranges::any_of(plan.buffers, [](const BufferSpec& b) {
            return b.role == Role::in_out;
        })) {
        trials.push_back({c, fillings[1]});
    }
    return trials;
}

namespace {

/// The program with the case's values of the constants that it has.
Program with_constants(Program program, const Case& c) {
    for (Constant& one : program.constants) one.value = c[one.name];
    return program;
}

/// Whether all that the plan launches is among them: another shape may need other kernels.
bool holds(const Codes& codes, const Plan& plan) {
    return std::ranges::all_of(
        launches_of(plan), [&](const Launch* launch) { return codes.contains(launch->kernel); });
}

}  // namespace

Checked check_case(Device& device, const Case& c, const Program& program, const Codes& codes,
                   std::uint64_t seed, Workloads& workloads, const std::function<void()>& between,
                   bool is_brief) {
    const InPhase phase(Phase::gate);
    Checked checked;
    Codes own;  // of a text or a plan that follows the shape
    std::vector<Constant> own_constants;
    for (const auto& [tried, filling] : trials_of(c, is_brief)) {
        if (between) between();
        const Plan plan = plan_of(tried);
        if (tried.constants == c.constants && holds(codes, plan)) {
            check_once(device, tried, codes, filling, seed, workloads, checked);
        } else if (program.language != Language::ptx) {  // which knows its own size only
            if (own_constants != tried.constants || !holds(own, plan))
                own = build(device, with_constants(program, tried), plan);
            own_constants = tried.constants;
            check_once(device, tried, own, filling, seed, workloads, checked);
        }
        if (checked.failure) break;
    }
    return checked;
}

}  // namespace parallax

// Runs a case on another device, and reads its results as a reference.
#include "measure/reference_provider.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "measure/run_case.hpp"

namespace parallax {
namespace {

/// By device id.
using Refusals = std::map<std::string, std::exception_ptr>;

/// @param slow  devices that are left out
std::string key_of(const Case& c, std::string_view device, const Refusals& slow = {}) {
    std::string key = fmt::format("{}/{}/{}", c.suite->name, c.variant->name, device);
    for (const auto& [id, why] : slow) key += fmt::format(" without {}", id);
    for (const Constant& constant : c.constants) {
        key += fmt::format(" {}={}", constant.name, constant.value);
    }
    return key;
}

/// The key of devices that are too slow for a size.
std::string sized_key_of(const Case& c, std::string_view device) {
    return fmt::format("{} at {}", key_of(c, device), to_string(c.shape));
}

std::size_t place_of(const Plan& plan, const BufferSpec& wanted, bool (*counts)(Role)) {
    std::size_t place = 0;
    for (const BufferSpec& buffer : plan.buffers) {
        if (!counts(buffer.role)) continue;
        if (buffer.name == wanted.name && buffer.type == wanted.type &&
            buffer.elements == wanted.elements) {
            return place;
        }
        ++place;
    }
    throw Error(fmt::format("The reference kernel and the variant do not agree on the buffer '{}'.",
                            wanted.name));
}

/// Whether an error is a missing capability, as opposed to a failed run.
bool is_refusal(const Error& error) {
    return dynamic_cast<const UsageError*>(&error) || dynamic_cast<const Unsupported*>(&error);
}

}  // namespace

struct ReferenceProvider::ReferenceRunner {
    std::string name;
    DeviceHandle* on = nullptr;
    Codes codes;
    bool has_answered = false;

    std::string device_id() const { return on->entry.info.id(); }
};

ReferenceProvider::ReferenceProvider(
    std::vector<Entry> compared, std::function<std::vector<Entry>()> references,
    std::function<Program(const Case&, std::string_view)> program_of, const Variant* base)
    : compared_(std::move(compared)),
      find_references_(std::move(references)),
      program_of_(std::move(program_of)),
      base_(base) {}

bool ReferenceProvider::is_compared_with_base(const Case& c) const {
    return base_ && !c.suite->reference_kernel && c.variant->name != base_->name;
}

Case ReferenceProvider::case_to_run(const Case& c) const {
    Case run = c;
    if (c.suite->reference_kernel) {
        run.variant = c.suite->reference_kernel.get();
    } else if (is_compared_with_base(c)) {
        // The user's macros are defined for the base, too.
        std::vector<Constant> defines;
        for (const Constant& own : constants_of(*c.suite, *c.variant, {})) {
            if (c[own.name] != own.value) defines.push_back({own.name, c[own.name]});
        }
        std::erase_if(defines, [&](const Constant& one) {
            const auto spec = std::ranges::find(c.suite->constants, one.name, &ConstantSpec::name);
            return static_cast<bool>(spec->follows);
        });
        run = with_kernel(c, *base_, defines);
    }
    return run;
}

ReferenceProvider::~ReferenceProvider() = default;

std::unique_ptr<ReferenceProvider::ReferenceRunner> ReferenceProvider::try_to_build(
    const Entry& entry, const Case& c) {
    auto made = std::make_unique<ReferenceRunner>();
    made->name = entry.info.id();
    // One context for all references: opening takes a good part of a second, and memory.
    made->on = &opened_.try_emplace(entry.info.id(), entry).first->second;
    const Case run = on_backend(case_to_run(c), entry.info.backend);
    if (!run.variant->natives.empty() && !native_source(*run.variant, entry.info.backend)) {
        throw Unsupported(missing_capability(entry.info, run));
    }
    made->codes =
        build(made->on->device(), program_of_(run, entry.info.backend), run.variant->plan(run));
    return made;
}

void ReferenceProvider::put_own_side_first(std::vector<Entry>& candidates) {
    const auto is_own = [](const Entry& entry) { return entry.info.backend == "opencl"; };
    if (std::ranges::none_of(candidates, is_own)) {
        if (references_.empty() && find_references_) references_ = find_references_();
        candidates.insert(candidates.begin(), references_.begin(), references_.end());
    }
    std::ranges::stable_partition(candidates, is_own);
    std::ranges::stable_partition(
        candidates, [&](const Entry& entry) { return is_own(entry) && !entry.info.is_pocl(); });
}

ReferenceProvider::ReferenceRunner& ReferenceProvider::runner_for(const Case& c,
                                                                  std::string_view device) {
    const Refusals& slow = refusals_[sized_key_of(c, device)];
    const std::string key = key_of(c, device, slow);
    if (const auto known = runners_.find(key); known != runners_.end()) return *known->second;
    std::vector<Entry> candidates;
    const std::string first = compared_.empty() ? "" : compared_.front().info.id();
    const std::string_view checked = device.empty() ? first : device;
    if (c.suite->reference_kernel) {
        if (references_.empty() && find_references_) references_ = find_references_();
        candidates = references_.empty() ? compared_ : references_;
    } else {
        candidates = compared_;
        // The verified device comes last: a second run on it proves least.
        std::stable_partition(candidates.begin(), candidates.end(),
                              [&](const Entry& entry) { return entry.info.id() != checked; });
        if (c.suite->reference_name == expected_data) put_own_side_first(candidates);
        std::erase_if(candidates, [&](const Entry& one) { return slow.contains(one.info.id()); });
    }
    std::string why;
    bool all_refuse = !candidates.empty();
    std::map<std::string, std::exception_ptr>& refusals = refusals_[key];
    for (const Entry& entry : candidates) {
        const std::string id = entry.info.id();
        std::exception_ptr& refusal = refusals[id];
        try {
            if (refusal) std::rethrow_exception(refusal);
            auto made = try_to_build(entry, c);
            if (c.suite->reference_kernel) {
                made->name = "reference kernel";
            } else if (is_compared_with_base(c)) {
                made->name = fmt::format("kernel {}", base_->name);
            } else if (id == checked) {
                made->name = "itself";
            }
            return *runners_.insert_or_assign(key, std::move(made)).first->second;
        } catch (const Interrupted&) {
            throw;
        } catch (const Error& error) {
            if (!refusal && is_refusal(error)) refusal = std::current_exception();
            all_refuse = all_refuse && refusal;
            why += fmt::format(" {}: {}", id, error.what());
        }
    }
    // A refusal by the verified device itself is no fault of the kernel, whatever other devices do.
    if (!c.suite->reference_kernel && refusals[std::string(checked)]) {
        std::rethrow_exception(refusals[std::string(checked)]);
    }
    why = fmt::format("{} can run nowhere to say what is right.{}",
                      c.suite->reference_kernel ? "The reference kernel" : c.title(), why);
    if (all_refuse) throw UsageError(why);
    throw Error(why);
}

std::string ReferenceProvider::name_for(const Case& c, std::string_view device) {
    const std::scoped_lock lock(mutex_);
    return runner_for(c, device).name;
}

std::vector<Expected> ReferenceProvider::answers(const Case& c,
                                                 const std::vector<HostArray>& inputs,
                                                 std::string_view device) {
    const std::scoped_lock lock(mutex_);
    while (true) {
        ReferenceRunner& runner = runner_for(c, device);
        try {
            return answers_of(runner, c, inputs);
        } catch (const TooSlow&) {
            // Another device may be fast enough for this size.
            Refusals& slow = refusals_[sized_key_of(c, device)];
            slow[runner.device_id()] = std::current_exception();
            const bool all_are = std::ranges::all_of(
                compared_, [&](const Entry& one) { return slow.contains(one.info.id()); });
            if (!c.suite->reference_kernel && !all_are) continue;
            slow.clear();
            throw;
        } catch (const Error& error) {
            if (!is_refusal(error)) throw;
            // Another device may support it.
            const std::string key = key_of(c, device, refusals_[sized_key_of(c, device)]);
            refusals_[key][runner.device_id()] = std::current_exception();
            runners_.erase(key);
        }
    }
}

std::vector<Expected> ReferenceProvider::answers_of(ReferenceRunner& runner, const Case& c,
                                                    const std::vector<HostArray>& inputs) {
    const Case run = on_backend(case_to_run(c), runner.on->entry.info.backend);
    const Plan plan = run.variant->plan(run), asked = c.variant->plan(c);
    const bool has_own_plan = run.variant != c.variant;
    // After a crash at one size of verification, the other sizes are skipped.
    Case any_size = c;
    any_size.shape = {};
    const std::string in_hand = watchdog_name(runner.on->entry.info, any_size) + " answering";
    try {
        constexpr std::string_view doing = "it computed the answers to compare with";
        const WatchdogScope hand(in_hand, doing);
        const auto at_size = scope_of_size(runner.on->entry.info, c, runner.has_answered, doing);
        Binding binding(runner.on->device(), plan, runner.codes);
        std::vector<HostArray> ordered;  // as this kernel takes them
        for (const BufferSpec& buffer : plan.buffers) {
            if (!has_own_plan || !is_loaded(buffer.role)) continue;
            ordered.push_back(inputs.at(place_of(asked, buffer, is_loaded)).copy());
        }
        const std::vector<HostArray>& loaded = has_own_plan ? ordered : inputs;
        binding.load(loaded, witness_poison);
        binding.run();
        const std::vector<std::size_t> places = binding.outputs();
        std::vector<Expected> expected;
        for (const BufferSpec& buffer : asked.buffers) {
            if (!is_compared(buffer.role)) continue;
            HostArray values(buffer.type, buffer.elements);
            binding.read_part(places.at(place_of(plan, buffer, is_compared)), 0, values);
            expected.push_back({std::move(values), {}});
        }
        if (std::string damage = binding.damage(loaded); !damage.empty()) throw Error(damage);
        runner.has_answered = true;
        return expected;
    } catch (const Interrupted&) {
        throw;
    } catch (const Error& error) {
        if (is_refusal(error)) throw;
        const std::string on = runner.device_id();
        const std::string who =
            runner.name == "itself"
                ? fmt::format("The second run on {}, which the first is compared with,", on)
            : c.suite->reference_kernel ? fmt::format("The reference kernel, on {},", on)
                                        : fmt::format("The run on {} to compare with", on);
        const std::string said = fmt::format("{} failed: {}", who, error.what());
        // After an error of one kernel, all references of its device start again.
        DeviceHandle& failed = *runner.on;
        std::erase_if(runners_, [&](const auto& one) { return one.second->on == &failed; });
        failed.reopen(in_hand, error.what());
        throw Error(said);
    }
}

}  // namespace parallax

// Takes one case on one device through build, check and measurement.
#include "measure/run_case.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/characters.hpp"
#include "common/error.hpp"
#include "common/in_hand.hpp"
#include "common/text_lines.hpp"
#include "measure/device_lock.hpp"
#include "measure/finished_work.hpp"
#include "measure/gate.hpp"
#include "measure/telemetry.hpp"

namespace parallax {
namespace {

/// The time for a case was over before it was checked.
struct OutOfTime : Error {
    OutOfTime() : Error("The budget was used up.") {}
};

bool says(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}

void note_circumstances(const DeviceInfo& info, Outcome& o) {
    const std::string_view feature = feature_for(*o.the_case.variant, info.backend);
    if (info.unclaimed.contains(feature)) {
        o.notes.push_back(
            fmt::format("The driver does not claim {}; its compiler knows them.", feature));
    }
    if (o.in_cache && o.work.moves_much()) o.notes.emplace_back(cache_remark);
    // On a CPU the time of a launch goes with what else the machine does.
    if (info.is_gpu && !o.the_case.suite->manifest.empty() && o.ceiling.launch_seconds > 0 &&
        o.timing->estimate.median < 0.8 * o.ceiling.launch_seconds) {
        o.notes.push_back(
            fmt::format("{}a run takes less time than a launch of nothing: has it "
                        "any work-items that do something?",
                        suspicion));
    }
    for (const auto& [name, code] : o.codes) {
        if (!o.program.floats.contract && says(code->ptx, "fma.rn.f") &&
            !says(o.program.source, "fma")) {
            o.notes.push_back(
                fmt::format("The compiler fused multiplications and additions in '{}' although it "
                            "was told not to.",
                            name));
        }
    }
    if (std::string said = words_of_others(o.after, "the device"); !said.empty()) {
        o.notes.push_back(std::move(said));
    }
    if (const std::string words = throttle_words(o.after.throttle_reasons.value_or(0));
        !words.empty()) {
        o.notes.push_back(fmt::format("The device ran below its clock: {}.", words));
    }
}

/// What the suite has to say of the answers to random inputs, which all were right.
void note_remark(const DeviceInfo& info, const RunContext& context, Outcome& o) {
    const Filling random = fillings_of(o.the_case)[1];
    const auto workload = context.workloads->get(o.the_case, random, context.seed, info.id());
    const std::string remark = o.the_case.suite->remark(o.the_case, workload->expected);
    for (const std::string_view line : lines_of(remark)) {
        if (!line.empty()) o.notes.emplace_back(line);
    }
}

TimedBatch last_batch(const Outcome& o) {
    return {.run_seconds = o.timing->estimate.median, .repeats = o.timing->repeats.back()};
}

void note_work_found_done(Device& device, const Workload& workload, Binding& binding, Outcome& o) {
    if (!binding.changes_its_inputs()) return;
    if (!binding.can_be_restored()) {
        o.notes.emplace_back(
            "It changes an input that no command writes anew, an image for one: whether a run "
            "finds its work done was not looked for.");
        return;
    }
    try {
        std::vector<std::shared_ptr<Memory>> inputs;
        for (const HostArray& input : workload.inputs) inputs.push_back(device.upload(input));
        std::string doubt = found_its_work_done(binding, last_batch(o), inputs);
        if (!doubt.empty()) o.notes.push_back(std::move(doubt));
    } catch (const UsageError&) {
        // The device has no room for the inputs twice: this stays unsaid.
    }
}

/// Times the case, and checks the outputs of the last launch of every round.
void time_alone(Device& device, const RunContext& context, Outcome& o) {
    const Filling random = fillings_of(o.the_case)[1];
    const auto workload =
        context.workloads->get(o.the_case, random, context.seed, device.info().id());
    std::optional<Binding> binding;
    Binding::HostMemories kept;
    const auto check_last = [&] {
        if (binding) {
            check_after_timing(*binding, o.the_case, random, context.seed, *workload, *o.checked);
        }
    };
    const auto be_quiet = [&](bool timing) {
        if (context.quiet) context.quiet(timing);
    };
    const DeviceLocks locks = lock_device(device.info(), context.locks);
    o.before = device_state(device.info());
    OthersUse others(device.info());
    o.timing = measure(
        [&](unsigned round) -> Runnable {
            if (round > 0) be_quiet(false);
            check_last();
            binding.reset();
            if (round > 0) o.codes = placed_anew(device, o.codes, o.program);
            binding.emplace(device, o.plan, o.codes, kept);
            kept = binding->host_memories();
            binding->load(workload->inputs, std::byte{0xff});
            be_quiet(true);
            return [&](unsigned repeats) { return binding->run(repeats); };
        },
        context.rule, context.between);
    const std::optional<double> others_use = others.share();
    LeftOutWork left_out = left_out_work(*binding, last_batch(o));
    if (left_out.wrong.empty()) note_work_found_done(device, *workload, *binding, o);
    be_quiet(false);
    o.after = device_state(device.info());
    o.after.others_use = others_use;
    if (!left_out.doubt.empty()) o.notes.push_back(std::move(left_out.doubt));
    if (!left_out.wrong.empty()) {
        o.checked->failure =
            Failure{o.the_case.shape.extents, random.name, context.seed, std::move(left_out.wrong)};
        return;
    }
    check_last();
}

void end(Outcome& o, Status status, std::string reason) {
    o.status = status;
    o.reason = std::move(reason);
    if (status != Status::ok) o.timing.reset();
}

/// Does a step of the case; what it throws becomes the outcome's status.
void attempt(const DeviceInfo& info, Outcome& o, const std::function<void()>& step) {
    try {
        step();
    } catch (...) {
        conclude(info, o, std::current_exception());
    }
}

}  // namespace

std::string name_in_hand(const DeviceInfo& info, const Case& c) {
    return fmt::format("{} {}", info.id(), to_string(key_of(c)));
}

void end_unreached(Outcome& o, const DeviceInfo& info, double budget_seconds) {
    Case any_size = o.the_case;  // as who answers for it is called
    any_size.shape = {};
    for (const Case& c : {o.the_case, any_size}) {
        if (const Deadly* const found = died_of(name_in_hand(info, c))) {
            return end(o, Status::failed, found->reason);
        }
    }
    end(o, Status::skipped,
        fmt::format("The budget of {:g} s was used up. Give more with --budget.", budget_seconds));
}

namespace {

std::string agreed_with(std::string_view against) {
    if (!is_agreement(against)) return "was right";
    return against == "itself" ? "was that of another launch on the same device"
                               : fmt::format("was that of {}", against);
}

}  // namespace

void end_checked(Outcome& o, std::string_view because) {
    if (o.status != Status::ok) return;
    end(o, Status::checked,
        fmt::format("Every answer {}, and {}.", agreed_with(o.checked->against), because));
    std::ranges::move(suspicions_of(*o.checked), std::back_inserter(o.notes));
}

std::string never_timed(const DeviceInfo& info) {
    return fmt::format("{} is no measure of speed", info.id());
}

double build_seconds(const Codes& codes) {
    double sum = 0;
    for (const auto& [name, code] : codes) sum += code->build_seconds;
    return sum;
}

std::string what_it_lacks(const DeviceInfo& info, const Case& c) {
    const Variant& variant = *c.variant;
    if (!variant.natives.empty() && !native_text(variant, info.backend)) {
        return fmt::format("'{}' is a native variant of the {} backend; {} has nothing like it.",
                           variant.name, native_backends(variant), info.backend);
    }
    if (!variant.types.empty() && std::ranges::find(variant.types, c.type) == variant.types.end()) {
        return fmt::format("'{}' is not written for {}.", variant.name, name_of(c.type));
    }
    const std::string feature(feature_for(variant, info.backend));
    if (!feature.empty() && !info.has(feature) && !info.unclaimed.contains(feature)) {
        return fmt::format("{} ({}) does not offer {}.", info.id(), info.name, feature);
    }
    bool with_double = c.type == ElementType::f64;
    if (!c.suite->manifest.empty()) {
        for (const BufferSpec& buffer : plan_of(c).buffers) {
            with_double |= buffer.type == ElementType::f64;
        }
    }
    if (with_double && !info.has("double")) {
        return fmt::format("{} ({}) has no double precision.", info.id(), info.name);
    }
    return {};
}

std::string too_large(const DeviceInfo& info, const Plan& plan) {
    const Footprint need = footprint(plan);
    if (need.largest > info.max_allocation_bytes || need.total > info.memory_bytes) {
        return fmt::format(
            "Its buffers need {:.1f} GiB, the largest {:.1f}; {} ({}) has {:.1f} GiB "
            "and allows {:.1f} in one piece. Choose a smaller size with -n.",
            static_cast<double>(need.total) / 0x1p30, static_cast<double>(need.largest) / 0x1p30,
            info.id(), info.name, static_cast<double>(info.memory_bytes) / 0x1p30,
            static_cast<double>(info.max_allocation_bytes) / 0x1p30);
    }
    for (const BufferSpec& buffer : plan.buffers) {
        if (!buffer.image) continue;
        if (const std::string reason = cannot_hold(info, *buffer.image); !reason.empty()) {
            return reason + " Choose a smaller size with -n.";
        }
    }
    return {};
}

void refuse_what_fits_nowhere(const Case& c, std::span<const Entry> entries) {
    const Plan plan = plan_of(c);
    std::string reason;
    const bool nowhere = std::ranges::all_of(entries, [&](const Entry& entry) {
        reason = too_large(entry.info, plan);
        return !reason.empty();
    });
    if (nowhere && !reason.empty()) throw UsageError(fmt::format("{}: {}", c.title(), reason));
}

bool is_half_in_cache(const DeviceInfo& info, const Plan& plan) {
    return footprint(plan).total < 2 * info.cache_bytes;
}

Program program_of(const Case& c, const RunContext& context, std::string_view backend) {
    const Variant& variant = *c.variant;
    const NativeText* native = native_text(variant, backend);
    if (!native && !variant.natives.empty()) native = &variant.natives.front();
    Program program;
    program.name = native ? native->source : portable_source(*c.suite, variant);
    const bool own = !c.suite->manifest.empty();
    program.source = own ? c.suite->text(program.name) : context.kernel_text(program.name);
    program.language = !native                   ? Language::portable
                       : native->library.empty() ? Language::native
                                                 : Language::library;
    if (own) {
        program.type.reset();
    } else {
        program.type = c.type;
    }
    program.defines = c.suite->defines;
    // A text that does not name a constant is one program for all its values. Strangers' texts may
    // put names together, so they are told of all.
    for (const ConstantSpec& spec : c.suite->constants) {
        if (spec.is_argument || (!own && !has_word(program.source, spec.name))) continue;
        program.constants.push_back({spec.name, c[spec.name]});
    }
    program.floats = variant.floats.value_or(context.floats);
    program.standard = variant.standard;
    if (native) program.options = native->options;
    return program;
}

std::shared_ptr<Witnesses> witnesses_among(std::vector<Entry> compared, const RunContext& context) {
    return std::make_shared<Witnesses>(std::move(compared), context.reference_entries,
                                       [context](const Case& c) { return program_of(c, context); });
}

Outcome outcome_for(const Case& c, const RunContext& context, std::string_view backend) {
    Outcome o;
    o.the_case = c;
    o.plan = plan_of(c);
    o.program = program_of(c, context, backend);
    o.work = c.suite->work(c);
    o.batch_seconds = context.rule.batch_seconds;
    return o;
}

Outcome check_case_on(Device& device, const Case& c, const Ceiling& ceiling,
                      const RunContext& context) {
    Outcome o;
    o.the_case = c;
    o.ceiling = ceiling;
    attempt(device.info(), o, [&] {
        o = outcome_for(c, context, device.info().backend);
        o.ceiling = ceiling;
        const InHand hand(name_in_hand(device.info(), c), "its answers were checked");
        o.in_cache = o.plan.is_plain() && is_half_in_cache(device.info(), o.plan);
        std::string lack = what_it_lacks(device.info(), c);
        if (lack.empty()) lack = too_large(device.info(), o.plan);
        if (!lack.empty()) {
            end(o, Status::unsupported, std::move(lack));
            return;
        }
        o.codes = context.workshop ? context.workshop->take(device, o.program, o.plan)
                                   : build(device, o.program, o.plan);
        o.build_seconds.push_back(build_seconds(o.codes));
        const auto between = [&] {
            if (context.between) context.between();
            if (context.has_time && !c.suite->is_ceiling && !context.has_time()) throw OutOfTime();
        };
        o.checked = check_case(device, c, o.program, o.codes, context.seed, *context.workloads,
                               between, context.is_brief, is_timed_on(device.info(), context));
        if (c.suite->remark && o.checked->right()) note_remark(device.info(), context, o);
        settle(device.info(), o);
    });
    return o;
}

void time_case(Device& device, const RunContext& context, Outcome& o) {
    attempt(device.info(), o, [&] {
        const InHand hand(name_in_hand(device.info(), o.the_case), "it was timed");
        time_alone(device, context, o);
        settle(device.info(), o);
    });
}

void settle(const DeviceInfo& info, Outcome& o) {
    if (o.checked->right()) {
        end(o, Status::ok, {});
        if (!has_guard_zones()) {
            o.notes.emplace_back("PARALLAX_GUARDS=none: nothing saw a write outside of a buffer.");
        }
        if (o.timing) {
            std::ranges::move(suspicions_of(*o.checked), std::back_inserter(o.notes));
            note_circumstances(info, o);
        }
        return;
    }
    const Failure& failure = *o.checked->failure;
    std::string what = fmt::format("{} Shape {}, inputs '{}', seed {}.", failure.what,
                                   to_string(Shape{failure.shape}), failure.filling, failure.seed);
    const std::string_view feature = feature_for(*o.the_case.variant, info.backend);
    if (info.unclaimed.contains(feature)) {
        end(o, Status::unsupported,
            fmt::format("{} ({}) does not claim {}. Its compiler takes them, and the answer is "
                        "wrong: {}",
                        info.id(), info.name, feature, what));
    } else {
        end(o, Status::wrong, std::move(what));
    }
}

void conclude(const DeviceInfo& info, Outcome& o, const std::exception_ptr& thrown) {
    const std::string_view feature = feature_for(*o.the_case.variant, info.backend);
    try {
        std::rethrow_exception(thrown);
    } catch (const Interrupted&) {
        throw;
    } catch (const DeviceBusy&) {
        throw;
    } catch (const Unsupported& error) {
        end(o, Status::unsupported, error.what());
    } catch (const OutOfTime&) {
        end(o, Status::skipped, {});
    } catch (const Refused& error) {
        end(o, Status::refused, error.what());
    } catch (const UsageError& error) {
        // The device cannot do what was asked for: a group, a tile or a buffer that is too large.
        o.refused = true;
        end(o, Status::unsupported, error.what());
    } catch (const BuildFailed& error) {
        o.log = error.log;
        if (info.unclaimed.contains(feature)) {
            end(o, Status::unsupported,
                fmt::format("{} ({}) does not claim {}, and its compiler does not know them.",
                            info.id(), info.name, feature));
        } else if (says(error.log, "too much shared data")) {
            // What NVIDIA's assembler says where other compilers leave it to the launch.
            o.refused = true;
            end(o, Status::unsupported,
                fmt::format("Its groups need more local memory than {} ({}) gives to one that "
                            "declares it in the kernel's text. Choose a smaller tile or group.",
                            info.id(), info.name));
        } else {
            end(o, Status::failed, error.what());
        }
    } catch (const std::bad_alloc&) {
        end(o, Status::failed,
            "The host has not enough memory for the inputs and their reference. "
            "Choose a smaller size with -n.");
    } catch (const std::exception& error) {
        end(o, Status::failed, error.what());
    }
}

Outcome run_case(Device& device, const Case& c, const Ceiling& ceiling, const RunContext& context) {
    Outcome o = check_case_on(device, c, ceiling, context);
    if (o.status != Status::ok) return o;
    const Crew::Rest rest(context.crew);
    time_case(device, context, o);
    return o;
}

}  // namespace parallax

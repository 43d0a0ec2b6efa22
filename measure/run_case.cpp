// Takes one case on one device through build, verification and timing.
#include "measure/run_case.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "common/text/unique_values.hpp"
#include "measure/device_lock.hpp"
#include "measure/finished_work.hpp"
#include "measure/outcome.hpp"
#include "measure/sizing.hpp"
#include "measure/telemetry.hpp"
#include "measure/timed_inputs.hpp"
#include "measure/verification.hpp"

namespace parallax {
namespace {

/// The time for a case ended before it was verified.
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
    // On a CPU the launch time depends on the load of the machine.
    if (info.is_gpu && !o.the_case.suite->manifest.empty() && o.ceiling.launch_seconds > 0 &&
        o.timing->estimate.median < 0.8 * o.ceiling.launch_seconds) {
        o.doubts.push_back({DoubtKind::empty_launch,
                            "a run takes less time than a launch of nothing: has it any "
                            "work-items that do something?"});
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

/// Adds the suite's remark on right results for random inputs.
void note_remark(const DeviceInfo& info, const RunConfig& config, Outcome& o) {
    const Suite& suite = *o.the_case.suite;
    const InputPattern random = input_patterns_of(o.the_case)[1];
    // A manifest has nothing to say of answers.
    const std::string remark =
        suite.manifest.empty()
            ? suite.summarize(
                  o.the_case,
                  config.references->get(o.the_case, random, config.seed, info.id())->expected)
            : suite.summarize(o.the_case, {});
    for (const std::string_view line : lines_of(remark)) {
        if (!line.empty()) o.notes.emplace_back(line);
    }
}

TimedBatch last_batch(const Outcome& o) {
    return {.run_seconds = o.timing->estimate.median, .repeats = o.timing->repeats.back()};
}

/// Times the case, and verifies what the last launch of some rounds left. Where each batch has new
/// inputs, these rounds are drawn after the timing, and the last one is always among them. A launch
/// on other inputs follows.
void time_alone(Device& device, const RunConfig& config, Outcome& o) {
    TimedInputs inputs(device, o.the_case, o.plan, config);
    std::optional<Binding> binding;
    Binding::HostMemories kept;
    std::uint64_t key = fresh_key();  // of the inputs in the binding
    const auto be_quiet = [&](bool timing) {
        if (config.quiet) config.quiet(timing);
    };
    // A processor would take longer for large ones than for the batch: each round has its own.
    const bool renews = inputs.by_batch() && (device.info().is_gpu ||
                                              footprint(o.plan).total <= config.check_rounds_up_to);
    const DeviceLocks locks = lock_device(device.info(), config.locks);
    o.before = device_state(device.info());
    OthersUse others(device.info());
    o.timing = measure(
        [&](unsigned round) -> Runnable {
            if (round > 0) {
                be_quiet(false);
                if (inputs.is_chosen()) check_batch(*binding, inputs, key, o);
                if (inputs.renewal() == TimedInputs::Renewal::by_round)
                    check_changed(*binding, inputs, key, fresh_key(), o);
            }
            binding.reset();
            if (round > 0) o.codes = relocate(device, o.codes, o.program);
            binding.emplace(device, o.plan, o.codes, kept);
            kept = binding->host_memories();
            key = fresh_key();
            inputs.load(*binding, key, std::byte{0xff});
            be_quiet(true);
            return [&](unsigned repeats) {
                if (!renews) return binding->run(repeats);
                key = fresh_key();
                device.run(inputs.writes(*binding, key));
                return binding->run(repeats, repeats > 1 ? 1 : 0);
            };
        },
        config.rule, config.check_interrupt);
    o.after = device_state(device.info());
    o.after.others_use = others.share();
    be_quiet(false);
    check_batch(*binding, inputs, key, o);
    if (!o.checked->right()) return;
    be_quiet(true);
    look_for_skipped_work(*binding, inputs, last_batch(o), key, o);
    be_quiet(false);
    if (o.checked->right()) check_changed(*binding, inputs, key, fresh_key(), o);
    binding.reset();
    if (o.checked->right()) check_own_shape(device, config, o);
}

void end(Outcome& o, Status status, std::string reason) {
    o.status = status;
    o.reason = std::move(reason);
    if (status != Status::ok) o.timing.reset();
}

/// Runs a step of the case; an exception becomes the outcome's status.
void attempt(const DeviceInfo& info, Outcome& o, const std::function<void()>& step) {
    try {
        step();
    } catch (...) {
        status_from_exception(info, o, std::current_exception());
    }
}

}  // namespace

std::string watchdog_name(const DeviceInfo& info, const Case& c) {
    return fmt::format("{} {}", info.id(), to_string(key_of(c)));
}

std::optional<WatchdogScope> scope_of_size(const DeviceInfo& info, const Case& c,
                                           bool is_smaller_right, std::string_view doing) {
    if (!info.only_checks) return {};
    const std::string name = watchdog_name(info, c) + "|";
    const FatalStep* const found = died_of(name);
    if (found && found->is_hang && is_smaller_right) throw TooSlow(found->reason);
    return std::optional<WatchdogScope>(std::in_place, name, doing);
}

void end_unreached(Outcome& o, const DeviceInfo& info, double budget_seconds) {
    Case any_size = o.the_case;  // matches the name of its reference
    any_size.shape = {};
    for (const Case& c : {o.the_case, any_size}) {
        if (const FatalStep* const found = died_of(watchdog_name(info, c))) {
            return end(o, Status::failed, found->reason);
        }
    }
    end(o, Status::skipped,
        fmt::format("The budget of {:g} s was used up. Give more with --budget.", budget_seconds));
}

namespace {

/// Adds remarks on the right answers of an outcome.
void add_remarks(Outcome& o) {
    for (const auto& [size, why] : o.checked->too_slow)
        o.notes.push_back(fmt::format("The size {} was not tried. {}", size, why));
    auto [notes, doubts] = remarks_of(*o.checked);
    std::ranges::move(notes, std::back_inserter(o.notes));
    std::ranges::move(weak_data_of(o), std::back_inserter(o.notes));
    std::ranges::move(doubts, std::back_inserter(o.doubts));
    if (const std::string& doubt = o.the_case.suite->doubt; !doubt.empty()) {
        o.doubts.push_back({DoubtKind::open_questions, doubt});
    }
}

}  // namespace

void end_checked(Outcome& o, std::string_view because) {
    if (o.status != Status::ok) return;
    add_remarks(o);
    end(o, Status::checked, std::string(because));
}

std::string never_timed(const DeviceInfo& info) {
    return fmt::format("{} checks answers on the processor and is never timed", info.id());
}

double build_seconds(const Codes& codes) {
    double sum = 0;
    for (const auto& [name, code] : codes) sum += code->build_seconds;
    return sum;
}

std::string missing_capability(const DeviceInfo& info, const Case& asked) {
    const Case c = on_backend(asked, info.backend);
    const Variant& variant = *c.variant;
    if (!variant.natives.empty() && !native_source(variant, info.backend)) {
        if (!variant.no_opencl.empty() && info.backend == "opencl")
            return fmt::format("No OpenCL C of it: {}.", variant.no_opencl);
        if (!c.suite->manifest.empty() && info.backend == "opencl") {
            return fmt::format(
                "'{}' has no OpenCL C source, and {} takes no other. Name a CUDA device, or host:0 "
                "that checks without a GPU, or add a 'source' to the manifest.",
                variant.name, info.id());
        }
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
        const Plan plan = plan_of(c);
        for (const BufferSpec& buffer : plan.buffers) {
            with_double |= buffer.type == ElementType::f64;
        }
        if (std::ranges::any_of(launches_of(plan), &Launch::is_cooperative)) {
            if (std::string lack = cannot_cooperate(info); !lack.empty()) return lack;
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

Program program_of(const Case& asked, const RunConfig& config, std::string_view backend) {
    const Case c = backend.empty() ? asked : on_backend(asked, backend);
    const Variant& variant = *c.variant;
    const NativeSource* native = native_source(variant, backend);
    if (!native && !variant.natives.empty()) native = &variant.natives.front();
    Program program;
    program.name = native ? native->source : portable_source(*c.suite, variant);
    const bool own = !c.suite->manifest.empty();
    program.source = own ? c.suite->text(program.name) : config.kernel_source(program.name);
    program.language = !native                   ? Language::portable
                       : native->library.empty() ? native->language
                                                 : Language::library;
    if (own) {
        program.type.reset();
    } else {
        program.type = c.type;
    }
    program.defines = c.suite->defines;
    if (program.language == Language::portable && c.suite->written)
        program.written = c.suite->written(program.name);
    program.files = own ? c.suite->files : config.files;
    // A source that does not mention a constant is one program for all its values. External sources
    // may concatenate names, so they get all constants.
    for (const ConstantSpec& spec : c.suite->constants) {
        if (spec.is_argument || (!own && !has_word(program.source, spec.name))) continue;
        program.constants.push_back({spec.name, c[spec.name]});
        if (!native) continue;
        const auto other = std::ranges::find(native->constants, spec.name, &Constant::name);
        if (other != native->constants.end()) program.constants.back().value = other->value;
    }
    program.floats = variant.floats.value_or(config.floats.of(backend));
    program.standard = variant.standard;
    if (native) {
        program.options = native->options;
        program.name_expressions = native->name_expressions;
    }
    return program;
}

FloatRules FloatChoice::of(std::string_view backend) const {
    if (!as_shipped) return rules;
    return {.contract = true, .exact_division = backend != "opencl"};
}

std::shared_ptr<ReferenceProvider> references_among(std::vector<Entry> compared,
                                                    const RunConfig& config) {
    return std::make_shared<ReferenceProvider>(
        std::move(compared), config.reference_entries,
        [config](const Case& c, std::string_view backend) {
            return program_of(c, config, backend);
        },
        config.base);
}

Outcome outcome_for(const Case& c, const RunConfig& config, std::string_view backend) {
    Outcome o;
    o.the_case = backend.empty() ? c : on_backend(c, backend);
    o.plan = plan_of(o.the_case);
    o.program = program_of(o.the_case, config, backend);
    o.work = c.suite->work(c);
    o.batch_seconds = config.rule.batch_seconds;
    return o;
}

Outcome outcome_as_verified(Device& device, const Case& c, const RunConfig& config) {
    Outcome o = outcome_for(c, config, device.info().backend);
    o.codes = config.programs->take(device, o.program, o.plan);
    o.status = Status::ok;
    o.checked.emplace();
    return o;
}

Outcome build_and_verify(Device& device, const Case& asked, const Ceiling& ceiling,
                         const RunConfig& config) {
    const Case c = on_backend(asked, device.info().backend);
    Outcome o;
    o.the_case = c;
    o.ceiling = ceiling;
    attempt(device.info(), o, [&] {
        o = outcome_for(c, config, device.info().backend);
        o.ceiling = ceiling;
        const WatchdogScope hand(watchdog_name(device.info(), c), "its answers were checked");
        o.in_cache = o.plan.is_plain() && is_half_in_cache(device.info(), o.plan);
        std::string lack = missing_capability(device.info(), c);
        if (lack.empty()) lack = too_large(device.info(), o.plan);
        if (!lack.empty()) {
            end(o, Status::unsupported, std::move(lack));
            return;
        }
        o.codes = config.programs ? config.programs->take(device, o.program, o.plan)
                                  : build(device, o.program, o.plan);
        o.build_seconds.push_back(build_seconds(o.codes));
        for (const auto& [name, code] : o.codes) {
            if (!code->remark.empty()) add_once(o.notes, code->remark);
        }
        const auto check_time = [&] {
            if (config.check_interrupt) config.check_interrupt();
            if (config.has_time && !c.suite->is_ceiling && !config.has_time()) throw OutOfTime();
        };
        const bool leaves = TimedInputs::leave_own_shape(device.info(), c, o.plan, config);
        Verifier verifier{device,     *config.references,    config.seed,
                          check_time, config.is_brief,       is_timed_on(device.info(), config),
                          leaves,     config.checks_one_size};
        if (!config.saved_outputs.empty() && !c.suite->is_ceiling) {
            std::string folder = c.title();
            std::ranges::replace(folder, ' ', '_');
            verifier.saved_outputs = config.saved_outputs / device.info().id() / folder;
        }
        o.checked = verifier.verify(c, o.program, o.codes);
        if (c.suite->summarize && o.checked->right()) note_remark(device.info(), config, o);
        // Other rules, or fewer trials, are other checks.
        const bool is_usual =
            !config.is_brief && !config.floats.as_shipped && config.floats.rules == FloatRules();
        if (config.score_of_checks && is_usual && o.checked->right()) {
            std::string score = config.score_of_checks(c);
            if (!score.empty()) o.notes.push_back(std::move(score));
        }
        status_from_verification(device.info(), o);
    });
    return o;
}

void time_case(Device& device, const RunConfig& config, Outcome& o) {
    attempt(device.info(), o, [&] {
        const WatchdogScope hand(watchdog_name(device.info(), o.the_case), "it was timed");
        time_alone(device, config, o);
        status_from_verification(device.info(), o);
    });
}

void status_from_verification(const DeviceInfo& info, Outcome& o) {
    if (o.checked->right()) {
        end(o, Status::ok, {});
        if (!has_guard_zones()) {
            o.notes.emplace_back("PARALLAX_GUARDS=none: nothing saw a write outside of a buffer.");
        }
        if (o.timing) {
            add_remarks(o);
            note_circumstances(info, o);
        }
        return;
    }
    const Failure& failure = *o.checked->failure;
    std::string what =
        fmt::format("{} Shape {}, {}.", failure.what, to_string(Shape{failure.shape}),
                    o.checked->against == expected_data
                        ? words_of_inputs(expected_data, {})
                        : fmt::format("inputs '{}', seed {}", failure.pattern, failure.seed));
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

void status_from_exception(const DeviceInfo& info, Outcome& o, const std::exception_ptr& thrown) {
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
        // The device cannot do what was requested: the work-group, tile or buffer is too large.
        o.refused = true;
        end(o, Status::unsupported, error.what());
    } catch (const BuildFailed& error) {
        o.log = error.log;
        if (info.unclaimed.contains(feature)) {
            end(o, Status::unsupported,
                fmt::format("{} ({}) does not claim {}, and its compiler does not know them.",
                            info.id(), info.name, feature));
        } else if (says(error.log, "too much shared data")) {
            // NVIDIA's assembler reports at build time what others report at launch.
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

Outcome run_case(Device& device, const Case& c, const Ceiling& ceiling, const RunConfig& config) {
    Outcome o = build_and_verify(device, c, ceiling, config);
    if (o.status != Status::ok) return o;
    const ThreadPool::Pause rest(pauses_the_pool(c, device.info()) ? config.pool : nullptr);
    time_case(device, config, o);
    return o;
}

}  // namespace parallax

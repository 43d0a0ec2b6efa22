// Completes the configuration of a run: thread pool, caches, reference provider, batch length.
#include "measure/measurement_context.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "measure/device_session.hpp"
#include "measure/draw_kernels.hpp"
#include "measure/sizing.hpp"
#include "measure/timed_inputs.hpp"

namespace parallax {

namespace {

/// Oclgrind keeps global state in the process: with two devices in two threads, one executes the
/// other's launch.
bool is_simulated(const Entry& entry) {
    return entry.info.platform.find("Oclgrind") != std::string::npos;
}

}  // namespace

MeasurementContext::MeasurementContext(RunConfig given, const std::vector<Entry>& compared,
                                       double budget_seconds)
    : config(std::move(given)), time_budget(budget_seconds) {
    if (!config.references) {
        own_references_ = std::make_unique<ReferenceCache>(host_memory_bytes() / 4);
        config.references = own_references_.get();
    }
    if (std::ranges::any_of(compared, is_simulated)) config.workers = 0;
    if (!config.pool && config.workers > 0) {
        pool_ = std::make_unique<ThreadPool>(config.workers);
        config.pool = pool_.get();
    }
    if (config.pool && config.host_trials) {
        config.pool->tell_rests(
            [trials = config.host_trials](bool is_resting) { trials->pause(is_resting); });
    }
    if (!config.programs) {
        programs_ = std::make_unique<ProgramCache>(
            config.pool, [this] { return !config.has_time || config.has_time(); });
        config.programs = programs_.get();
    }
    config.references->set_reference_provider(references_among(compared, config));
    for (const Entry& entry : compared) {
        config.rule.batch_seconds =
            std::max(config.rule.batch_seconds, least_batch_seconds(entry.info.timer_tick_seconds));
    }
}

MeasurementContext::~MeasurementContext() = default;

DeviceSession& MeasurementContext::add_session(const Entry& entry) {
    return *sessions_.emplace_back(std::make_unique<DeviceSession>(entry, *this));
}

namespace {

/// Host memory of reference data, at most, as a multiple of the buffers.
constexpr double workload_share = 4;

/// An error ahead of time occurs again when the result is needed, and is reported then.
void quietly(const std::function<void()>& step) {
    try {
        step();
    } catch (const Interrupted&) {
        throw;
    } catch (const Error&) {
    }
}

}  // namespace

void MeasurementContext::ask_build(Device& device, const Case& c) {
    if (!config.pool) return;
    quietly([&] {
        Case sized = c;
        // Lengths are arguments: any shape yields the kernels' names.
        if (sized.shape.extents.empty()) {
            sized = with_shape(c, shapes_of(*c.suite, *c.variant).front());
        }
        if (!missing_capability(device.info(), sized).empty()) return;
        const Outcome o = outcome_for(sized, config, device.info().backend);
        config.programs->ask(device, o.program, o.plan);
        if (is_timed_on(device.info(), config) &&
            renewal_on(device.info(), o.the_case) == TimedInputs::Renewal::by_batch)
            DrawKernels::ask(device, *config.programs, sized.suite->drawing(o.the_case));
    });
}

std::size_t MeasurementContext::block_of(std::span<const Case> cases, std::size_t wanted) const {
    double bytes = 0;
    std::size_t count = 0;
    const std::size_t most =
        config.pool ? std::clamp(std::size_t{config.workers} + 1, wanted, most_in_block) : wanted;
    while (count < std::min(most, cases.size())) {
        quietly([&] {
            bytes += workload_share * static_cast<double>(footprint(plan_of(cases[count])).total);
        });
        if (count > 0 && bytes > static_cast<double>(host_memory_bytes()) / 8) break;
        ++count;
    }
    return count;
}

void MeasurementContext::get_reference_data(const DeviceInfo& info, Outcome& o) {
    if (o.status != Status::ok) return;
    try {
        if (renewal_on(info, o.the_case) == TimedInputs::Renewal::none) {
            config.references->get(o.the_case, input_patterns_of(o.the_case)[1], config.seed,
                                   info.id());
        }
    } catch (...) {
        status_from_exception(info, o, std::current_exception());
    }
}

void MeasurementContext::ask_references(const DeviceInfo& info, const Case& c, Sizes sizes) {
    if (!config.pool) return;
    quietly([&] { ask_all(info, c, sizes); });
}

void MeasurementContext::ask_all(const DeviceInfo& info, const Case& asked, Sizes sizes) {
    const Case c = on_backend(asked, info.backend);
    if (!missing_capability(info, c).empty() || !too_large(info, plan_of(c)).empty()) return;
    const bool leaves = TimedInputs::leave_own_shape(info, c, plan_of(c), config);
    for (const auto& [tried, pattern] :
         trials_of(c, config.is_brief, is_timed_on(info, config), leaves)) {
        if (sizes == Sizes::own && tried.shape != c.shape) continue;
        config.references->ask(*config.pool, tried, pattern, config.seed, info.id());
    }
    if (!is_timed_on(info, config) || renewal_on(info, c) == TimedInputs::Renewal::none)
        config.references->ask(*config.pool, c, input_patterns_of(c)[1], config.seed, info.id());
}

TimedInputs::Renewal MeasurementContext::renewal_on(const DeviceInfo& info, const Case& c) const {
    return TimedInputs::renewal_on(info, c, plan_of(c), config);
}

}  // namespace parallax

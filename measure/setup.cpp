// Completes the context of a run: who works ahead, who answers, how long a batch is.
#include "measure/setup.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "measure/sizing.hpp"

namespace parallax {

namespace {

/// Oclgrind keeps what it runs in one place of the process: of two devices in two threads one does
/// the other's launch.
bool is_simulated(const Entry& entry) {
    return entry.info.platform.find("Oclgrind") != std::string::npos;
}

}  // namespace

Setup::Setup(RunContext given, const std::vector<Entry>& compared) : context(std::move(given)) {
    if (!context.workloads) {
        own_workloads_ = std::make_unique<Workloads>(host_memory_bytes() / 4);
        context.workloads = own_workloads_.get();
    }
    if (std::ranges::any_of(compared, is_simulated)) context.workers = 0;
    if (!context.crew && context.workers > 0) {
        crew_ = std::make_unique<Crew>(context.workers);
        context.crew = crew_.get();
    }
    if (!context.workshop) {
        workshop_ = std::make_unique<Workshop>(context.crew);
        context.workshop = workshop_.get();
    }
    context.workloads->set_witnesses(witnesses_among(compared, context));
    for (const Entry& entry : compared) {
        context.rule.batch_seconds = std::max(context.rule.batch_seconds,
                                              least_batch_seconds(entry.info.timer_tick_seconds));
    }
}

namespace {

/// What a reference takes of memory at most, as a multiple of the buffers.
constexpr double workload_share = 4;

/// What goes wrong ahead of time goes wrong again in its own time, and is said then.
void quietly(const std::function<void()>& step) {
    try {
        step();
    } catch (const Interrupted&) {
        throw;
    } catch (const Error&) {
    }
}

}  // namespace

void Setup::ask_build(Device& device, const Case& c) {
    if (!context.crew) return;
    quietly([&] {
        Case sized = c;
        // Lengths are arguments: any shape will do to find the kernels' names.
        if (sized.shape.extents.empty()) {
            sized = with_shape(c, shapes_of(*c.suite, *c.variant).front());
        }
        if (!what_it_lacks(device.info(), sized).empty()) return;
        const Outcome o = outcome_for(sized, context, device.info().backend);
        context.workshop->ask(device, o.program, o.plan);
    });
}

std::size_t Setup::block_of(std::span<const Case> cases, std::size_t wanted) const {
    double bytes = 0;
    std::size_t count = 0;
    const std::size_t most =
        context.crew ? std::clamp(std::size_t{context.workers} + 1, wanted, most_in_block) : wanted;
    while (count < std::min(most, cases.size())) {
        quietly([&] {
            bytes += workload_share * static_cast<double>(footprint(plan_of(cases[count])).total);
        });
        if (count > 0 && bytes > static_cast<double>(host_memory_bytes()) / 8) break;
        ++count;
    }
    return count;
}

void Setup::get_workload(const DeviceInfo& info, Outcome& o) {
    if (o.status != Status::ok) return;
    try {
        context.workloads->get(o.the_case, fillings_of(o.the_case)[1], context.seed, info.id());
    } catch (...) {
        conclude(info, o, std::current_exception());
    }
}

void Setup::ask_workloads(const DeviceInfo& info, const Case& c) {
    if (!context.crew) return;
    quietly([&] { ask_all(info, c); });
}

void Setup::ask_all(const DeviceInfo& info, const Case& c) {
    if (!what_it_lacks(info, c).empty() || !too_large(info, plan_of(c)).empty()) return;
    for (const auto& [tried, filling] :
         trials_of(c, context.is_brief, is_timed_on(info, context))) {
        context.workloads->ask(*context.crew, tried, filling, context.seed, info.id());
    }
    context.workloads->ask(*context.crew, c, fillings_of(c)[1], context.seed, info.id());
}

}  // namespace parallax

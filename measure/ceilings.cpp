// Chooses the sizes of ceiling measurements, and combines their results.
#include "measure/ceilings.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "measure/device_session.hpp"
#include "measure/kept_ceilings.hpp"
#include "measure/sizing.hpp"

namespace parallax {
namespace {

/// Longer copies are measured as they are: a batch is long enough in any case. Computation must be
/// longer, so that the idle tail of the last wave of work-groups does not count.
constexpr double long_enough_to_move = 1.5e-4, long_enough_to_compute = 1e-3;
/// A run this long by the host's timer must take some time by the device's, unless that timer does
/// not advance.
constexpr double long_by_the_host = 1e-2;

/// The first shape that exceeds the cache and keeps the device busy for a while, or the largest
/// that fits.
Case growing_case(Device* device, const DeviceInfo& info, const Case& open,
                  const RunConfig& config) {
    // Runs are timed.
    const ThreadPool::Pause rest(pauses_the_pool(open, info) ? config.pool : nullptr);
    Case chosen = open;
    for (const Shape& shape : shapes_of(*open.suite, *open.variant)) {
        Case c = open;
        c.shape = shape;
        const Plan plan = plan_of(c);
        if (!chosen.shape.extents.empty() && !has_room(info, plan)) break;
        chosen = c;
        if (!device) break;
        const bool moves = c.suite->work(c).moves_much();
        if (moves && is_half_in_cache(info, plan)) continue;
        try {
            const WatchdogScope hand(watchdog_name(info, c), "its size was chosen");
            const Program program = program_of(c, config, info.backend);
            Binding binding(*device, plan,
                            config.programs ? config.programs->take(*device, program, plan)
                                            : build(*device, program, plan));
            binding.run();
            const Elapsed took = binding.run();
            if (took.device > (moves ? long_enough_to_move : long_enough_to_compute)) break;
            if (!(took.device > 0) && took.host > long_by_the_host) break;
        } catch (const Error&) {
            break;  // the case itself reports the error
        }
    }
    return chosen;
}

}  // namespace

const Suite* suite_of_ceilings() {
    for (const Suite& suite : suites()) {
        if (suite.is_ceiling) return &suite;
    }
    return nullptr;
}

std::set<ElementType> ceiling_types(const std::vector<Case>& cases) {
    std::set<ElementType> types;
    for (const Case& c : cases) {
        types.insert(c.type);
        if (c.suite->manifest.empty() || has_ceiling(c.type)) continue;
        const bool is_open = c.shape.extents.empty();
        try {
            const Case sized = is_open ? with_shape(c, shapes_of(*c.suite, *c.variant).front()) : c;
            if (c.suite->work(sized).operations > 0) types.insert(ElementType::f32);
        } catch (const Error&) {
            // It is impossible, and its verification says why.
        }
    }
    return types;
}

std::vector<Case> ceiling_cases(const std::set<ElementType>& types) {
    const Suite* suite = suite_of_ceilings();
    if (!suite) return {};
    std::vector<Case> cases;
    const auto add = [&](std::string_view name, ElementType type) {
        const Variant& variant = variant_named(*suite, name);
        cases.push_back(make_case(*suite, variant, shapes_of(*suite, variant).front(), type));
        cases.back().shape = {};
    };
    add("copy", ElementType::f32);
    for (const ElementType type : types) {
        if (has_ceiling(type)) add("fma", type);
    }
    // Last: it waits for the background, which builds meanwhile what comes after the ceilings.
    add("launch", ElementType::f32);
    return cases;
}

void ask_ceilings(MeasurementContext& context, DeviceSession& device_session,
                  const std::set<ElementType>& types, const RunInfo& run) {
    const DeviceInfo& info = device_session.entry.info;
    for (const Case& c : ceiling_cases(types)) {
        const bool is_known = context.config.earlier.record(info.id(), c) ||
                              kept_ceiling(c, info, context.config, run);
        if (!is_known) context.ask_build(device_session.device(), c);
    }
}

Record measured_ceiling(const Case& c, const DeviceInfo& info, const RunConfig& config,
                        const RunInfo& run, const CeilingTaker& taker) {
    const Record* const earlier = config.earlier.record(info.id(), c);
    const auto kept = earlier ? std::optional(*earlier) : kept_ceiling(c, info, config, run);
    if (kept) {
        if (taker.take) taker.take(*kept);
        return *kept;
    }
    Record made = taker.run(growing_case(taker.device(), info, c, config));
    keep_ceiling(made, info, config);
    return made;
}

Ceilings measured_ceilings(const MeasurementContext& context, DeviceSession& session,
                           const std::set<ElementType>& types, double most_seconds,
                           const RunInfo& run, const CeilingListener& listener) {
    const DeviceInfo& info = session.entry.info;
    RunConfig config = context.config;
    config.rule.most_seconds = std::min(config.rule.most_seconds, most_seconds);
    const CeilingTaker taker{.device =
                                 [&] {
                                     if (listener.begin) listener.begin();
                                     return session.device_or_null();
                                 },
                             .run =
                                 [&](const Case& c) {
                                     listener.tell(c);
                                     Record record = to_record(
                                         run_case(session.device(), c, {}, config), info, run);
                                     if (listener.keep) listener.keep(record);
                                     if (record.status == Status::failed)
                                         session.reopen(c, record.reason);
                                     return record;
                                 },
                             .take = listener.keep};
    std::vector<Record> records;
    for (const Case& c : ceiling_cases(types)) {
        records.push_back(measured_ceiling(c, info, config, run, taker));
    }
    return ceilings_from(records, types);
}

Ceilings ceilings_from(const std::vector<Record>& records, const std::set<ElementType>& types) {
    Ceilings ceilings;
    for (const ElementType type : types) {
        Ceiling& ceiling = ceilings[type];
        for (const Record& record : records) {
            const std::string& name = record.key.variant;
            ceiling.others_use = std::max(ceiling.others_use, record.after.others_use.value_or(0));
            if (name == "copy") ceiling.bytes_per_second = record.bytes_per_second();
            if (name == "launch") ceiling.launch_seconds = record.seconds();
            if (name == "fma" && record.key.type == name_of(type)) {
                ceiling.operations_per_second = record.operations_per_second();
            }
        }
    }
    return ceilings;
}

}  // namespace parallax

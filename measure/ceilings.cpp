// Chooses the sizes of ceilings, and puts what they say together.
#include "measure/ceilings.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "measure/sizing.hpp"

namespace parallax {
namespace {

/// Whether fused multiply-adds of this type are measured.
bool has_fma(ElementType type) {
    return is_floating(type) && is_suite_type(type);
}

/// Beyond this a copy is measured for what it is: a batch lasts longer in any case, and what a wave
/// of groups leaves idle at its end must not count.
constexpr double long_enough_to_move = 1.5e-4, long_enough_to_compute = 1e-3;

/// The first shape that keeps the device busy for a while, beyond its cache, or the largest that it
/// has room for.
Case growing_case(Device* device, const DeviceInfo& info, const Suite& suite, std::string_view name,
                  ElementType type, const RunContext& context) {
    const Crew::Rest rest(context.crew);  // runs are timed
    const Variant& variant = variant_named(suite, name);
    Case chosen;
    for (const Shape& shape : shapes_of(suite, variant)) {
        const Case c = make_case(suite, variant, shape, type);
        const Plan plan = plan_of(c);
        if (chosen.suite && !has_room(info, plan)) break;
        chosen = c;
        if (!device) break;
        const bool moves = suite.work(c).moves_much();
        if (moves && fits_in_cache(info, plan)) continue;
        try {
            const Program program = program_of(c, context, info.backend);
            Binding binding(*device, plan,
                            context.workshop ? context.workshop->take(*device, program, plan)
                                             : build(*device, program, plan));
            binding.run();
            if (binding.run().device > (moves ? long_enough_to_move : long_enough_to_compute)) {
                break;
            }
        } catch (const Error&) {
            break;  // the case itself will say what is wrong
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

std::size_t ceiling_count(const std::set<ElementType>& types) {
    if (!suite_of_ceilings()) return 0;
    return 2 + static_cast<std::size_t>(std::ranges::count_if(types, has_fma));
}

Ceilings measured_ceilings(const std::function<Device*()>& device, const DeviceInfo& info,
                           const std::set<ElementType>& types, const RunContext& context,
                           const std::function<Record(const Case&)>& run) {
    std::vector<Record> records;
    const auto measure_one = [&](std::string_view name, ElementType type) {
        records.push_back(
            run(growing_case(device(), info, *suite_of_ceilings(), name, type, context)));
    };
    if (!suite_of_ceilings()) return {};
    measure_one("copy", ElementType::f32);
    measure_one("launch", ElementType::f32);
    for (const ElementType type : types) {
        if (has_fma(type)) measure_one("fma", type);
    }
    return ceilings_from(records, types);
}

Ceilings ceilings_from(const std::vector<Record>& records, const std::set<ElementType>& types) {
    Ceilings ceilings;
    for (const ElementType type : types) {
        Ceiling& ceiling = ceilings[type];
        for (const Record& record : records) {
            const std::string& name = record.key.variant;
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

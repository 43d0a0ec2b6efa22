// Shared by suites that time instructions: work-items that compute CHAINS values each in REPEAT
// steps. One chain of one work-group shows an instruction's latency, many show the throughput.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// Values repeat, so that the reference need not compute every chain. The period is a prime, so
/// that it is no multiple of a work-group.
inline constexpr std::uint64_t chain_period = 1021;

/// GROUP, CHAINS and REPEAT.
inline std::vector<ConstantSpec> chain_constants() {
    return {{"GROUP", 256, 1, 1024, "work-items of a group"},
            {"CHAINS", 4, 1, 16, "independent chains of a work-item"},
            {"REPEAT", 256, 1, 65536, "steps of a chain", {}, true}};
}

/// One launch of `chains` on shape[0] values, CHAINS per work-item: `in` and `inputs`, `out`, the
/// number of values and `more`.
inline Plan chains_plan(const Case& c, ElementType type, std::vector<BufferSpec> inputs,
                        const std::vector<LaunchArgument>& more) {
    const auto group = static_cast<std::uint64_t>(c["GROUP"]);
    const std::uint64_t items = divide_up(c.shape[0], static_cast<std::uint64_t>(c["CHAINS"]));
    Plan plan;
    plan.buffers = {{"in", Role::input, type, c.shape[0]}};
    plan.buffers.insert(plan.buffers.end(), inputs.begin(), inputs.end());
    plan.buffers.push_back({"out", Role::output, type, c.shape[0]});
    Launch launch{"chains", {{divide_up(items, group), 1, 1}, {group, 1, 1}}, {}};
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        launch.arguments.emplace_back(BufferIndex{i});
    launch.arguments.emplace_back(c.shape[0]);
    launch.arguments.insert(launch.arguments.end(), more.begin(), more.end());
    plan.steps.push_back(std::move(launch));
    return plan;
}

/// n values: the first chain_period from `value(i)`, the rest repeats them.
template <class T, class Value>
HostArray in_periods(ElementType type, std::uint64_t n, Value&& value) {
    std::vector<T> once(std::min(n, chain_period));
    for_chunks(
        once.size(),
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            for (std::uint64_t i = begin; i < end; ++i) once[i] = value(i);
        },
        64);
    HostArray all(type, n);
    fill_by_index(all.as<T>(), [&](std::uint64_t i) { return once[i % chain_period]; });
    return all;
}

inline double steps_in_all(const Case& c) {
    return static_cast<double>(c.shape[0]) * static_cast<double>(c["REPEAT"]);
}

/// Values read and written once, and `each` operations per step.
inline Work chains_work(const Case& c, double each) {
    return {.bytes = 8.0 * static_cast<double>(c.shape[0]), .operations = each * steps_in_all(c)};
}

/// Small, so that a CPU has a default; the last ones fill the largest GPUs.
inline std::vector<Shape> chain_shapes() {
    return {{{1u << 7}},  {{1u << 12}}, {{1u << 14}}, {{1u << 16}},
            {{1u << 18}}, {{1u << 20}}, {{1u << 22}}, {{1u << 24}}};
}

inline std::vector<Shape> chain_check_shapes() {
    return {{{1}}, {{3}}, {{257}}, {{1023}}, {{2053}}};
}

}  // namespace parallax

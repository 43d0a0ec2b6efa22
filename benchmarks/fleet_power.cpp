// The size of defects that `parallax fleet` finds in simulated fleets, and how often it accuses a
// healthy one. Prints results/fleet_power.txt.
#include <string_view>

#include <fmt/format.h>

#include "common/process/parallel.hpp"
#include "studies/fleet/tests/fleet_simulation.hpp"

namespace parallax {
namespace {

struct Shape {
    unsigned nodes, devices;
};
constexpr std::array shapes{Shape{2, 4}, Shape{16, 4}, Shape{125, 4}};
constexpr std::array faults{0.015, 0.02, 0.03, 0.05, 0.08};
constexpr std::array<std::pair<FleetVariety, std::string_view>, 3> varieties{
    {{FleetVariety::normal, "normal"},
     {FleetVariety::heavy_tailed, "heavy-tailed"},
     {FleetVariety::two_batches, "two batches"}}};

enum class Target { memory, compute, node };

struct Trial {
    bool found = false;        ///< the planted fault
    bool false_alarm = false;  ///< any other finding
};

Trial try_one(SimulatedFleet fleet, Target target, double fault) {
    // Not in the slower batch, where it would be more conspicuous.
    const unsigned node = 1, device = node * fleet.devices + 2;
    if (target == Target::memory) fleet.slow_memory[device] = fault;
    if (target == Target::compute) fleet.slow_compute[device] = fault;
    if (target == Target::node) fleet.slow_node[node] = fault;
    const FleetReport report = judge_fleet(fleet.read());
    Trial trial;
    const auto look = [&](const FleetFigure& one, bool is_node) {
        if (!one.is_outlier) return;
        const bool here = is_node                  ? one.devices.front() / fleet.devices == node
                          : target == Target::node ? one.devices.front() / fleet.devices == node
                                                   : one.devices.front() == device;
        const bool meant = fault > 0 && here && one.deviation < 0;
        // A node is reported as such; its devices may be reported as well.
        trial.found |= meant && is_node == (target == Target::node);
        trial.false_alarm |= !meant;
    };
    for (const FleetFigure& one : report.devices) look(one, false);
    for (const FleetFigure& one : report.nodes) look(one, true);
    return trial;
}

/// In percent of the trials: detections, false alarms.
std::pair<double, double> shares(const SimulatedFleet& base, Target target, double fault,
                                 unsigned trials) {
    std::vector<Trial> made(trials);
    for_chunks(
        trials,
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            for (std::uint64_t i = begin; i < end; ++i) {
                SimulatedFleet fleet = base;
                fleet.seed = 1000 * i + 7;
                made[i] = try_one(std::move(fleet), target, fault);
            }
        },
        1);
    double found = 0, alarms = 0;
    for (const Trial& one : made) {
        found += one.found;
        alarms += one.false_alarm;
    }
    return {100 * found / trials, 100 * alarms / trials};
}

void print_table(FleetVariety variety, std::string_view name, unsigned trials) {
    fmt::print("\n| {}: devices | planted |", name);
    for (const double fault : faults) fmt::print(" {:.1f} % |", 100 * fault);
    fmt::print(" healthy fleets accused |\n|---|---|");
    for (std::size_t i = 0; i <= faults.size(); ++i) fmt::print("---:|");
    fmt::print("\n");
    for (const auto& [nodes, devices] : shapes) {
        const SimulatedFleet fleet{.nodes = nodes, .devices = devices, .variety = variety};
        const unsigned count = nodes > 100 ? (trials + 3) / 4 : trials;
        const double alarms = shares(fleet, Target::memory, 0, count).second;
        for (const auto& [target, word] : {std::pair{Target::memory, "a device's memory"},
                                           std::pair{Target::compute, "a device's arithmetic"},
                                           std::pair{Target::node, "a node"}}) {
            fmt::print("| {} on {} | {} |", nodes * devices, nodes, word);
            for (const double fault : faults) {
                fmt::print(" {:.0f} % |", shares(fleet, target, fault, count).first);
            }
            fmt::print(" {} |\n", target == Target::memory ? fmt::format("{:.1f} %", alarms) : "");
            std::fflush(stdout);
        }
    }
}

}  // namespace
}  // namespace parallax

int main(int argc, char** argv) {
    const unsigned trials = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 400;
    for (const auto& [variety, name] : parallax::varieties) {
        parallax::print_table(variety, name, trials);
    }
}

// Makes records of simulated fleets.
#include "studies/fleet/tests/fleet_simulation.hpp"

#include <random>

#include <fmt/format.h>

namespace parallax {
namespace {

/// The middle half of Student's t with 3 degrees of freedom against the normal distribution's.
constexpr double t3_over_normal = 0.7649 / 0.6745;
constexpr double batch_distance = 3;
constexpr unsigned batch_every = 5;

Record simulated_case(unsigned number, bool computes) {
    Record record;
    record.key = {.suite = computes ? "multiply" : "transpose",
                  .variant = fmt::format("v{}", number),
                  .type = "float",
                  .shape = {4096, 4096}};
    record.status = Status::ok;
    record.where.name = "Simulated GPU";
    record.where.backend = "cuda";
    record.where.driver = "580.1";
    record.where.settings = {
        .mig = "off", .persistence = true, .ecc = true, .power_limit_watts = 700};
    record.device = "cuda:0";
    record.program.source_hash = "0";
    record.run.program_version = "1";
    record.work = computes ? Work{.bytes = 1e9, .operations = 1e12} : Work{.bytes = 1e9};
    record.ceiling.launch_seconds = 3e-6;
    record.share = {.share = 0.9, .of = computes ? "fma" : "copy"};
    return record;
}

}  // namespace

void SimulatedFleet::write(const std::function<void(Record&&)>& take) const {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::student_t_distribution<double> heavy(3);
    const auto deviation = [&](double spread) {
        return spread * (variety == FleetVariety::heavy_tailed ? heavy(random) / t3_over_normal
                                                               : normal(random));
    };
    const auto planted = [](const std::map<unsigned, double>& faults, unsigned number) {
        const auto found = faults.find(number);
        return found == faults.end() ? 0.0 : found->second;
    };
    constexpr unsigned of_memory = 4, cases = 6;
    for (unsigned node = 0; node < nodes; ++node) {
        const bool is_batch = variety == FleetVariety::two_batches && node % batch_every == 0;
        const double batch = is_batch ? batch_distance : 0;
        for (unsigned slot = 0; slot < devices; ++slot) {
            const unsigned device = node * devices + slot;
            const double of_node = planted(slow_node, node);
            const double memory = deviation(memory_spread) - batch * memory_spread - of_node -
                                  planted(slow_memory, device);
            const double compute = deviation(compute_spread) - batch * compute_spread - of_node -
                                   planted(slow_compute, device);
            for (unsigned run = 0; run < runs; ++run) {
                for (unsigned i = 0; i < cases; ++i) {
                    Record record = simulated_case(i, i >= of_memory);
                    record.where.uuid = fmt::format("{:032x}", device + 1);
                    record.where.pci = fmt::format("0000:{:02x}:00.0", slot + 1);
                    record.where.settings.slot = slot;
                    record.run.host = fmt::format("node{}", node + 1);
                    record.run.id = fmt::format("run{}", run);
                    record.run.started = fmt::format("2026-01-{:02}T00:00:00Z", run % 28 + 1);
                    const double speed =
                        1 + (i >= of_memory ? compute : memory) + run_spread * normal(random);
                    record.timing.emplace().estimate.median = 1e-3 * (i + 1) / speed;
                    if (change) change(record, device, run);
                    take(std::move(record));
                }
            }
        }
    }
}

FleetRecords SimulatedFleet::read() const {
    FleetReader reader;
    write([&](Record&& record) { reader.add(record); });
    return reader.take();
}

}  // namespace parallax

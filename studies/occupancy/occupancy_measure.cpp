// Puts the calculator, the API and the clock side by side, from the records of a sweep.
#include "studies/occupancy/occupancy_measure.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/curve.hpp"
#include "common/text.hpp"
#include "studies/occupancy/occupancy_kernel.hpp"

namespace parallax::cli {
namespace {

/// The kernels of a record, each once.
std::vector<Prediction> predictions_of(const Record& record) {
    std::vector<Prediction> kernels;
    for (const LaunchRecord& launch : record.launches) {
        const bool known = std::ranges::any_of(
            kernels, [&](const Prediction& p) { return p.kernel == launch.name; });
        if (known || !launch.resources) continue;
        Prediction p;
        p.kernel = launch.name;
        p.items = launch.items.x * launch.items.y * launch.items.z;
        p.registers = launch.resources->registers;
        p.local_bytes = launch.resources->local_bytes;
        if (p.local_bytes) *p.local_bytes += static_cast<std::uint32_t>(launch.local_bytes);
        p.api_groups = launch.resources->groups_per_unit;
        predict(p, record.where.compute_capability, record.device);
        kernels.push_back(std::move(p));
    }
    return kernels;
}

/// What is said of a point on a device; empty: it was not built.
std::vector<Prediction> at(const SweepResult& result, const std::string& device, std::size_t point,
                           const std::vector<Record>& records) {
    const auto& wanted = result.points.points[point].the_case;
    if (!wanted) return {};
    CaseKey key = key_of(*wanted);
    for (const Record& record : records) {
        if (key.shape.empty()) key.shape = record.key.shape;
        const bool found = record.device == device && record.key == key;
        if (wanted->shape.extents.empty()) key.shape.clear();
        if (found) return predictions_of(record);
    }
    return {};
}

/// A best that does not have the highest occupancy, in words; empty: it has, or none is known.
std::string against_intuition(const SweepResult& result, const SweepDevice& device,
                              const std::vector<Record>& records) {
    if (!device.has_best()) return {};
    const auto share = [&](std::size_t point) -> std::optional<double> {
        const auto kernels = at(result, device.id, point, records);
        if (kernels.size() != 1 || !kernels[0].predicted || !device.cells[point].ran()) return {};
        return kernels[0].predicted->share();
    };
    const auto best = share(*device.highest);
    if (!best) return {};
    std::size_t fullest = *device.highest;
    for (std::size_t i = 0; i < device.cells.size(); ++i) {
        if (share(i).value_or(0) > share(fullest).value_or(0)) fullest = i;
    }
    if (fullest == *device.highest) return {};
    return fmt::format(
        "{}: the best, {}, has {:.0f} % occupancy; {} has {:.0f} % and is slower. Occupancy hides "
        "latency; it is no speed.",
        device.id, result.points.label(result.points.points[*device.highest]), 100 * *best,
        result.points.label(result.points.points[fullest]), 100 * share(fullest).value_or(0));
}

}  // namespace

std::string occupancy_sweep_text(const SweepResult& result, const std::vector<Record>& records,
                                 unsigned width) {
    using enum Table::Align;
    std::string out = result.title() + "\n";
    std::vector<std::string> remarks;
    for (const SweepDevice& device : result.devices) {
        out += fmt::format("\n  {}  {}\n", device.id, printable(device.name));
        Table table({left, left, right, right, right, left, left, left, right, right, left});
        table.add({"", "kernel", "items", "registers", "local", "predicted, of a unit",
                   "limited by", "the API says", "time", "figure", ""});
        for (std::size_t i = 0; i < device.cells.size(); ++i) {
            const SweepCell& cell = device.cells[i];
            const std::string label = result.points.label(result.points.points[i]);
            const std::vector<std::string> speed{
                cell.ran() ? duration(cell.seconds) : cell.status,
                cell.ran() && !result.by_time ? result.figure_text(cell) : "",
                device.highest == i ? (device.has_best() ? "best" : "highest") : ""};
            const auto kernels = at(result, device.id, i, records);
            if (kernels.empty()) {
                table.add({label, "", "", "", "", "", "", "", speed[0], speed[1], speed[2]});
            }
            for (std::size_t k = 0; k < kernels.size(); ++k) {
                const Prediction& p = kernels[k];
                const auto count = [](const std::optional<std::uint32_t>& value) {
                    return value ? std::to_string(*value) : std::string("-");
                };
                table.add({k == 0 ? label : "", p.kernel, std::to_string(p.items),
                           count(p.registers), count(p.local_bytes), p.prediction_text(),
                           p.predicted ? p.predicted->limited_by : "-", p.api_text(),
                           k == 0 ? speed[0] : "", k == 0 ? speed[1] : "", k == 0 ? speed[2] : ""});
                if (!p.why_not.empty() && std::ranges::find(remarks, p.why_not) == remarks.end()) {
                    remarks.push_back(p.why_not);
                }
            }
        }
        out += table.text(4);
    }
    out += "\n";
    for (const std::string& line : result.claims()) out += wrapped(line, width - 2, 2) + "\n";
    for (const SweepDevice& device : result.devices) {
        const std::string line = against_intuition(result, device, records);
        if (!line.empty()) out += wrapped(line, width - 2, 2) + "\n";
    }
    const auto of_sweep = result.remarks();
    remarks.insert(remarks.end(), of_sweep.begin(), of_sweep.end());
    for (const std::string& line : remarks) {
        out += "  " + wrapped(printable(line), width - 2, 4, 2) + "\n";
    }
    return out;
}

Json occupancy_sweep_json(const SweepResult& result, const std::vector<Record>& records) {
    Json json = to_json(result);
    for (std::size_t d = 0; d < result.devices.size(); ++d) {
        for (std::size_t i = 0; i < result.points.points.size(); ++i) {
            PredictedOn on{.where = result.devices[d].id,
                           .capability = {},
                           .kernels = at(result, result.devices[d].id, i, records),
                           .problem = {}};
            json["devices"][d]["points"][i]["kernels"] = predictions_json(on)["kernels"];
        }
    }
    return json;
}

}  // namespace parallax::cli

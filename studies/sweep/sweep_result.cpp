// Sorts records into the points of a sweep, and says what their intervals allow.
#include "studies/sweep/sweep_result.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/suite/answer.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "records/result_store.hpp"

namespace parallax {
namespace {

SweepCell cell_of(const Record& record) {
    return {.status = std::string(status_word(record.status, record.doubts)),
            .reason = record.reason,
            .shape = record.key.shape,
            .seconds = record.seconds(),
            .low = record.low(),
            .high = record.high(),
            .has_interval = record.timing && record.timing->has_interval(),
            .work = record.work,
            .share = record.share.share,
            .share_of = record.share.of,
            .in_cache = record.timing && record.timing->in_cache,
            .notes = remarks_of(record.notes, record.doubts)};
}

/// A point's record on a device; null: there is none.
const Record* record_for(const Case& c, const std::string& device, const ResultStore& store) {
    Records records = store.of(key_of(c));
    std::erase_if(records, [&](const Record* record) { return record->device != device; });
    for (const Record* record : records) {
        if (record->key.shape == records.front()->key.shape) continue;
        throw UsageError(fmt::format("There are several sizes of {} on {}. Say one with -n.",
                                     to_string(record->key), device));
    }
    return chosen(records, SelectionPolicy::best);
}

void judge(const SweepResult& result, SweepDevice& device) {
    for (std::size_t i = 0; i < device.cells.size(); ++i) {
        if (!device.cells[i].ran()) continue;
        if (!device.highest ||
            result.figure(device.cells[i]) > result.figure(device.cells[*device.highest])) {
            device.highest = i;
        }
    }
    if (!device.highest) return;
    const SweepCell& best = device.cells[*device.highest];
    for (std::size_t i = 0; i < device.cells.size(); ++i) {
        const SweepCell& cell = device.cells[i];
        if (!cell.ran() || i == *device.highest) continue;
        if (result.most(cell) >= result.least(best)) device.tied.push_back(i);
        if (result.least(cell) >= (1 - SweepResult::near_share) * result.most(best)) {
            device.near.push_back(i);
        }
    }
}

double work_of_run(const SweepResult& result, const SweepCell& cell) {
    return result.by_time ? 1 : result.by_operations ? cell.work.operations : cell.work.bytes;
}

/// Points that a sentence names; JSON has all.
constexpr std::size_t most_listed = 12;

/// `128, 512` of one axis, `GROUP=128 ITEMS=4, ...` of several.
std::string listed_points(const SweepPoints& points, const std::vector<std::size_t>& which) {
    std::vector<std::string> words;
    for (const std::size_t i : which) {
        if (words.size() == most_listed) {
            words.push_back(fmt::format("and {} more", which.size() - most_listed));
            break;
        }
        const Point& point = points.points[i];
        words.push_back(points.axes.size() == 1 ? points.axes[0].label(point.values[0])
                                                : points.label(point));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

bool SweepDevice::has_best() const {
    const auto ran = std::ranges::count_if(cells, &SweepCell::ran);
    return highest && tied.empty() && ran > 1;
}

double SweepResult::figure(const SweepCell& cell) const {
    return cell.ran() ? work_of_run(*this, cell) / cell.seconds : 0;
}
double SweepResult::least(const SweepCell& cell) const {
    return cell.has_interval ? work_of_run(*this, cell) / cell.high : 0;
}
double SweepResult::most(const SweepCell& cell) const {
    if (!cell.has_interval) return cell.ran() ? std::numeric_limits<double>::infinity() : 0;
    return work_of_run(*this, cell) / cell.low;
}

std::string SweepResult::figure_text(const SweepCell& cell) const {
    if (by_time) return duration(cell.seconds);
    return rate(figure(cell), rate_unit(by_operations, points.type));
}

std::string SweepResult::title() const {
    return fmt::format("{}/{} over {}, {}", points.suite->name, points.variant->name,
                       fmt::join(names(points.axes), " and "), name_of(points.type));
}

std::vector<std::string> SweepResult::claims() const {
    std::vector<std::string> lines;
    for (const SweepDevice& device : devices) {
        if (!device.highest) continue;
        const std::string where =
            fmt::format("{} on {}: {}", points.label(points.points[*device.highest]), device.id,
                        figure_text(device.cells[*device.highest]));
        const auto ran = std::ranges::count_if(device.cells, &SweepCell::ran);
        std::string line = ran == 1            ? "the only one that ran: " + where
                           : device.has_best() ? "best: " + where
                                               : "highest: " + where;
        if (!device.tied.empty()) {
            line += fmt::format("; the intervals do not tell it from: {}",
                                listed_points(points, device.tied));
        }
        if (!device.near.empty()) {
            line += fmt::format("; within {:g} %: {}", 100 * near_share,
                                listed_points(points, device.near));
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<std::string> SweepResult::differences() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        for (std::size_t j = i + 1; j < devices.size(); ++j) {
            const SweepDevice &a = devices[i], &b = devices[j];
            if (!a.highest || !b.highest || a.highest == b.highest) continue;
            const auto apart = [&](const SweepDevice& device, std::size_t other) {
                const SweepCell& cell = device.cells[other];
                return cell.ran() && std::ranges::find(device.tied, other) == device.tied.end();
            };
            if (!apart(a, *b.highest) || !apart(b, *a.highest)) {
                lines.push_back(fmt::format(
                    "The highest of {} and {} differ ({}; {}), but nothing measured says that one "
                    "value cannot be the best of both.",
                    a.id, b.id, points.label(points.points[*a.highest]),
                    points.label(points.points[*b.highest])));
                continue;
            }
            const auto share = [&](const SweepDevice& device, std::size_t other) {
                return 100 * figure(device.cells[other]) / figure(device.cells[*device.highest]);
            };
            lines.push_back(fmt::format(
                "The best differs: {} on {}, {} on {}. With the other's value, {} reaches {:.0f} % "
                "of its own best and {} {:.0f} %.",
                points.label(points.points[*a.highest]), a.id,
                points.label(points.points[*b.highest]), b.id, a.id, share(a, *b.highest), b.id,
                share(b, *a.highest)));
        }
    }
    return lines;
}

std::vector<std::string> SweepResult::remarks() const {
    GroupedMessages said;
    for (const SweepDevice& device : devices) {
        for (std::size_t i = 0; i < device.cells.size(); ++i) {
            const SweepCell& cell = device.cells[i];
            // A point that the suite rejects is rejected on every device.
            const bool everywhere = cell.status == "refused";
            const std::string about = points.label(points.points[i]) +
                                      (everywhere ? "" : fmt::format(" on {}", device.id));
            if (!cell.reason.empty()) said.add(cell.reason, about);
            for (const OccupancyPrediction& p : cell.kernels) {
                if (!p.why_not.empty()) said.add(p.why_not, about);
            }
            for (const std::string& note : cell.notes) said.add(note, about);
        }
    }
    return said.sentences();
}

SweepResult sweep_result(const SweepPoints& points, const std::vector<Record>& records,
                         bool with_occupancy) {
    SweepResult result{.points = points,
                       .by_operations = false,
                       .by_time = false,
                       .devices = {},
                       .with_occupancy = with_occupancy};
    Work sum;
    ResultStore store;
    for (const Record& record : records) {
        store.add(record);
        if (record.key.suite != points.suite->name || record.key.variant != points.variant->name) {
            continue;
        }
        const auto known = std::ranges::find(result.devices, record.device, &SweepDevice::id);
        if (known == result.devices.end()) {
            SweepDevice& device = result.devices.emplace_back();
            device.id = record.device;
            device.name = record.where.name;
        }
    }
    for (SweepDevice& device : result.devices) {
        for (const Point& point : points.points) {
            SweepCell& cell = device.cells.emplace_back();
            const Record* record =
                point.the_case ? record_for(*point.the_case, device.id, store) : nullptr;
            if (record) {
                cell = cell_of(*record);
                if (with_occupancy) cell.kernels = predictions_of(*record);
                sum.bytes += cell.work.bytes;
                sum.operations += cell.work.operations;
            } else if (point.the_case) {
                cell.status = "missing";
                cell.reason = "There is no record of it.";
            } else {
                cell.status = "refused";
                cell.reason = point.refusal;
            }
        }
    }
    // All points show the same quantity, so that they can be compared.
    result.by_time = sum.bytes + sum.operations <= 0;
    result.by_operations = !result.by_time && !sum.moves_much();
    for (SweepDevice& device : result.devices) judge(result, device);
    return result;
}

}  // namespace parallax

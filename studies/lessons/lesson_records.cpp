// Finds the records that a lesson's steps stand for.
#include "studies/lessons/lesson_records.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/read_file.hpp"
#include "common/text.hpp"
#include "records/results.hpp"
#include "records/suite_record.hpp"
#include "studies/lessons/lesson_plan.hpp"

namespace parallax::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

/// A record that may be shown.
struct Kept {
    CaseKey key;
    std::string device;  ///< id in the walk
    std::string started;
    Json record;
};

bool is_cpu(const Json& where) {
    const std::string words =
        lower_case(where.value("platform", "") + " " + where.value("name", ""));
    return words.find("portable computing language") != words.npos ||
           words.find("cpu") != words.npos;
}

/// What was read, and of which devices.
class Shelf {
public:
    void add(const Json& record) {
        const std::string status = record["status"];
        if (status != "ok" && status != "unsupported") return;
        if (!is_of_the_suite(record)) return;
        const Json& where = record["where"];
        const std::string backend = where["backend"], name = where["name"];
        auto device = std::ranges::find_if(walk_.devices, [&](const WalkDevice& one) {
            return one.backend == backend && one.name == name;
        });
        if (device == walk_.devices.end()) {
            const auto others = std::ranges::count(walk_.devices, backend, &WalkDevice::backend);
            const auto same = std::ranges::find(walk_.devices, name, &WalkDevice::name);
            walk_.devices.push_back({.id = fmt::format("{}:{}", printable(backend, 30), others),
                                     .name = name,
                                     .backend = backend,
                                     .is_gpu = !is_cpu(where),
                                     .physical = same == walk_.devices.end()
                                                     ? static_cast<unsigned>(walk_.devices.size())
                                                     : same->physical});
            device = walk_.devices.end() - 1;
        }
        Kept kept{key_of(record), device->id, record["run"]["started"], record};
        kept.record["device"] = device->id;
        if (kept.started > walk_.started) {
            walk_.started = kept.started;
            walk_.program = record["run"].value("program_version", "");
        }
        kept_[{kept.key.suite, kept.key.variant}].push_back(std::move(kept));
    }
    void add(const Walk& walk) {
        for (const WalkedLesson& lesson : walk.lessons) {
            for (const auto* list : {&lesson.steps, &lesson.exercises}) {
                for (const WalkedStep& step : *list) {
                    for (const WalkedPoint& point : step.points) {
                        for (const Json& record : point.records) add(record);
                    }
                }
            }
            for (const WalkedStep& step : lesson.steps) {
                for (BrokenRun run : step.broken) {
                    const auto device =
                        std::ranges::find(walk.devices, run.device, &WalkDevice::id);
                    if (device == walk.devices.end()) continue;
                    broken_[{lesson.name, step.name}].emplace_back(*device, std::move(run));
                }
            }
        }
    }

    Walk walk() const {
        Walk walk = walk_;
        walk.from_records = true;
        return walk;
    }

    /// The newest of each device for every point of a lesson, at one size where that can be.
    std::vector<std::pair<CaseKey, Json>> of(const PlannedLesson& plan) const {
        std::vector<std::pair<CaseKey, Json>> chosen;
        std::map<const std::vector<Shape>*, std::vector<std::uint64_t>> sizes;
        for (const PlannedRun* run : plan.runs()) {
            const std::vector<Shape>* shapes = &shapes_of(*run->pick.suite, *run->pick.variant);
            if (!sizes.contains(shapes)) sizes[shapes] = best_size(plan, *shapes);
            for (const PlannedPoint& point : run->points) {
                add_best(of_point(*run, point), sizes[shapes], chosen);
            }
        }
        return chosen;
    }

    std::vector<BrokenRun> broken(const std::string& lesson, const std::string& step) const {
        std::vector<BrokenRun> runs;
        const auto found = broken_.find({lesson, step});
        if (found == broken_.end()) return runs;
        for (const auto& [device, run] : found->second) {
            const auto known =
                std::ranges::find_if(walk_.devices, [&d = device](const WalkDevice& one) {
                    return one.backend == d.backend && one.name == d.name;
                });
            if (known == walk_.devices.end()) continue;
            std::erase_if(runs, [&](const BrokenRun& one) { return one.device == known->id; });
            runs.push_back({known->id, run.status, run.said});
        }
        return runs;
    }

private:
    /// What is measured, at the lesson's size, and new, comes first.
    static std::tuple<bool, bool, std::string> rank(const Kept& kept,
                                                    const std::vector<std::uint64_t>& size) {
        return {kept.record["status"] == "ok", kept.key.shape == size, kept.started};
    }

    std::vector<const Kept*> of_point(const PlannedRun& run, const PlannedPoint& point) const {
        std::vector<const Kept*> list;
        const auto found = kept_.find({run.pick.suite->name, run.pick.variant->name});
        if (found == kept_.end()) return list;
        for (const Kept& kept : found->second) {
            if (point.takes(kept.key)) list.push_back(&kept);
        }
        return list;
    }

    /// The best of each device.
    void add_best(const std::vector<const Kept*>& list, const std::vector<std::uint64_t>& size,
                  std::vector<std::pair<CaseKey, Json>>& chosen) const {
        for (const WalkDevice& device : walk_.devices) {
            const Kept* best = nullptr;
            for (const Kept* kept : list) {
                if (kept->device != device.id) continue;
                if (!best || rank(*kept, size) > rank(*best, size)) best = kept;
            }
            if (best) chosen.emplace_back(best->key, best->record);
        }
    }

    /// The size at which most points of the lesson with these shapes have a record.
    std::vector<std::uint64_t> best_size(const PlannedLesson& plan,
                                         const std::vector<Shape>& shapes) const {
        std::map<std::vector<std::uint64_t>, std::size_t> count;
        for (const PlannedRun* run : plan.runs()) {
            if (&shapes_of(*run->pick.suite, *run->pick.variant) != &shapes) continue;
            for (const PlannedPoint& point : run->points) {
                std::set<std::pair<std::string, std::vector<std::uint64_t>>> seen;
                for (const Kept* kept : of_point(*run, point)) {
                    if (kept->record["status"] != "ok") continue;
                    if (seen.emplace(kept->device, kept->key.shape).second) {
                        ++count[kept->key.shape];
                    }
                }
            }
        }
        std::vector<std::uint64_t> best;
        std::size_t most = 0;
        for (const auto& [size, times] : count) {
            if (times >= most) {
                best = size;
                most = times;
            }
        }
        return best;
    }

    Walk walk_;
    std::map<std::pair<std::string, std::string>, std::vector<Kept>> kept_;  ///< by suite, variant
    std::map<std::pair<std::string, std::string>, std::vector<std::pair<WalkDevice, BrokenRun>>>
        broken_;
};

/// @throws UsageError
std::string text_in(const std::string& file) {
    try {
        return read_file(file, most_bytes);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("--from: {}.", error.what()));
    }
}

}  // namespace

std::vector<std::string> files_to_read(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return {path.string()};
    std::vector<std::string> files;
    try {
        for (const auto& entry : fs::directory_iterator(path)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".jsonl" && extension != ".json") continue;
            if (!entry.is_directory()) files.push_back(entry.path().string());
        }
    } catch (const fs::filesystem_error& problem) {
        throw UsageError(
            fmt::format("--from: {} cannot be read: {}.", path.string(), problem.code().message()));
    }
    std::ranges::sort(files);
    return files;
}

Walk walk_from_records(const fs::path& path, const std::vector<const Lesson*>& lessons,
                       World& world) {
    Shelf shelf;
    for (const std::string& file : files_to_read(path)) {
        if (file.ends_with(".json")) {
            const std::string text = text_in(file);
            if (is_walk(text)) shelf.add(parse_walk(file, text));
        } else {
            read_results(file, [&](Json&& line, unsigned) {
                if (!is_pair(line) && !is_explanation(line)) shelf.add(line);
            });
        }
    }
    Walk walk = shelf.walk();
    for (const Lesson* lesson : lessons) {
        const PlannedLesson plan(*lesson);
        const std::vector<std::pair<CaseKey, Json>> records = shelf.of(plan);
        if (records.empty()) continue;
        walk.lessons.push_back(
            walked_lesson(*lesson, plan, records, [&](const LessonStep& step, WalkedStep& found) {
                found.broken = shelf.broken(lesson->name, step.name);
                int code = exit_ok;
                if (step.kind == LessonStep::Kind::command) {
                    found.output = output_of(step.command, world, code);
                }
            }));
    }
    return walk;
}

}  // namespace parallax::cli

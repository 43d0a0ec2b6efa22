// Finds the records that a lesson's steps stand for.
#include "studies/lessons/lesson_records.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "records/results.hpp"
#include "studies/lessons/lesson_plan.hpp"

namespace parallax {
namespace {

bool is_cpu(const DeviceRecord& where) {
    const std::string words = lower_case(where.platform + " " + where.name);
    return words.find("portable computing language") != words.npos ||
           words.find("cpu") != words.npos;
}

/// What was read, and of which devices.
class LessonShelf {
public:
    /// A record, with the device's id in the walk.
    void add(Record record) {
        const bool is_broken = is_broken_on_purpose(record);
        const bool shows = record.status == Status::ok || record.status == Status::unsupported;
        if (!is_broken && !(shows && is_of_the_suite(record))) return;
        record.device = device_of(record).id;
        if (is_broken) {
            broken_[record.program.edits.front()].push_back(std::move(record));
            return;
        }
        if (record.run.started > started_) {
            started_ = record.run.started;
            walk_.started = printable(started_, 40);
            walk_.program = printable(record.run.program_version, 40);
        }
        store_.add(std::move(record));
    }

    const Walk& walk() const { return walk_; }

    /// The best of each device for every point of a lesson, at one size where that can be.
    std::vector<Record> of(const PlannedLesson& plan) const {
        std::vector<Record> best;
        std::map<const std::vector<Shape>*, std::vector<Records>> together;
        for (const PlannedRun* run : plan.runs()) {
            for (const PlannedPoint& point : run->points) {
                std::ranges::move(point.by_device(store_),
                                  std::back_inserter(together[shapes_for(*run)]));
            }
        }
        for (const PlannedRun* run : plan.runs()) {
            const std::vector<std::uint64_t> size = common_size(together[shapes_for(*run)]);
            for (const PlannedPoint& point : run->points) {
                for (const Records& records : point.by_device(store_)) {
                    CaseKey wanted = point.key();
                    wanted.shape = size;
                    best.push_back(*chosen(records, SelectionPolicy::best, wanted));
                }
            }
        }
        return best;
    }

    /// What verification said of the kernel that a step broke, the last time on each device.
    std::vector<BrokenRun> broken(const std::string& lesson, const std::string& step) const {
        std::vector<BrokenRun> runs;
        const auto found = broken_.find(name_of_edit(lesson, step));
        if (found == broken_.end()) return runs;
        for (const Record& record : found->second) {
            std::erase_if(runs, [&](const BrokenRun& one) { return one.device == record.device; });
            runs.push_back(broken_run(record));
        }
        return runs;
    }

private:
    const WalkDevice& device_of(const Record& record) {
        // Shown as they are: nothing of them may steer a terminal.
        const std::string backend = printable(record.where.backend, 30);
        const std::string name = printable(record.where.name, 200);
        const auto known = std::ranges::find_if(walk_.devices, [&](const WalkDevice& one) {
            return one.backend == backend && one.name == name;
        });
        if (known != walk_.devices.end()) return *known;
        const auto others = std::ranges::count(walk_.devices, backend, &WalkDevice::backend);
        const auto same = std::ranges::find(walk_.devices, name, &WalkDevice::name);
        const auto physical = same == walk_.devices.end()
                                  ? static_cast<unsigned>(walk_.devices.size())
                                  : same->physical;
        walk_.devices.push_back({.id = fmt::format("{}:{}", backend, others),
                                 .name = name,
                                 .backend = backend,
                                 .is_gpu = !is_cpu(record.where),
                                 .physical = physical});
        return walk_.devices.back();
    }

    /// Cases whose variants share their shapes are shown at one size.
    static const std::vector<Shape>* shapes_for(const PlannedRun& run) {
        return &shapes_of(*run.pick.suite, *run.pick.variant);
    }

    Walk walk_{.program = {}, .started = {}, .from_records = true, .devices = {}, .lessons = {}};
    std::string started_;  ///< of the newest record, as it says
    ResultStore store_;
    std::map<std::string, std::vector<Record>> broken_;  ///< by the name of the edit
};

}  // namespace

Walk walk_from_records(
    const std::filesystem::path& path, const std::vector<const Lesson*>& lessons,
    const std::function<CommandOutput(const std::vector<std::string>& words)>& command) {
    LessonShelf store;
    for (const std::filesystem::path& file : result_files(path)) {
        read_results(file, [&](ResultEntry&& line, unsigned) {
            if (auto* record = std::get_if<Record>(&line)) store.add(std::move(*record));
        });
    }
    Walk walk = store.walk();
    for (const Lesson* lesson : lessons) {
        const PlannedLesson plan(*lesson);
        const std::vector<Record> records = store.of(plan);
        if (records.empty()) continue;
        walk.lessons.push_back(
            walked_lesson(*lesson, plan, records, [&](const LessonStep& step, WalkedStep& found) {
                found.broken = store.broken(lesson->name, step.name);
                if (step.kind == LessonStep::Kind::command) {
                    found.output = command(step.command).text;
                }
            }));
    }
    return walk;
}

}  // namespace parallax

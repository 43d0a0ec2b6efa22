// Finds the records that a lesson's steps refer to.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "records/results.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax {
namespace {

bool is_cpu(const DeviceRecord& where) {
    const std::string words = lower_case(where.platform + " " + where.name);
    return words.find("portable computing language") != words.npos ||
           words.find("cpu") != words.npos;
}

/// The records that were read, and their devices.
class LessonShelf {
public:
    /// A record, with the device's id in the walk.
    void add(Record record) {
        const bool is_broken = is_broken_on_purpose(record);
        const bool shows = record.status == Status::ok || record.status == Status::unsupported;
        if (!is_broken && !(shows && is_of_the_suite(record))) return;
        record.device = device_of(record).id;
        if (is_broken) {
            std::vector<BrokenRun>& runs = broken_[record.program.edits.front()];
            std::erase_if(runs, [&](const BrokenRun& one) { return one.device == record.device; });
            runs.push_back({record.device, std::string(name_of(record.status)), record.reason});
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
    const ResultStore& store() const { return store_; }

    /// The latest verification results of the kernel that a step broke, one per device.
    std::vector<BrokenRun> broken(const std::string& lesson, const std::string& step) const {
        const auto found = broken_.find(name_of_edit(lesson, step));
        return found == broken_.end() ? std::vector<BrokenRun>{} : found->second;
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

    Walk walk_{.program = {}, .started = {}, .from_records = true, .devices = {}, .lessons = {}};
    std::string started_;  ///< of the newest record, as it says
    ResultStore store_;
    std::map<std::string, std::vector<BrokenRun>> broken_;  ///< by the name of the edit
};

}  // namespace

Walk walk_from_records(const std::filesystem::path& path, const std::vector<const Lesson*>& lessons,
                       const RunCommand& command) {
    LessonShelf shelf;
    for (const std::filesystem::path& file : result_files(path)) {
        read_results(file, [&](ResultEntry&& line, unsigned) {
            if (auto* record = std::get_if<Record>(&line)) shelf.add(std::move(*record));
        });
    }
    Walk walk = shelf.walk();
    for (const Lesson* lesson : lessons) {
        WalkedLesson walked = planned_lesson(*lesson);
        if (!walked.take(shelf.store())) continue;
        for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
            const LessonStep& step = lesson->steps[i];
            walked.steps[i].broken = shelf.broken(lesson->name, step.name);
            if (step.kind == LessonStep::Kind::command) {
                walked.steps[i].output = command(step.command).text;
            }
        }
        walk.lessons.push_back(std::move(walked));
    }
    return walk;
}

}  // namespace parallax

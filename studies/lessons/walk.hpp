// A walk through lessons: the cases of the steps, their results, and the verification results of
// broken kernels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/devices.hpp"
#include "measure/session.hpp"
#include "records/record.hpp"
#include "records/result_store.hpp"
#include "studies/lessons/lesson.hpp"

namespace parallax {

/// A device that was walked on.
struct WalkDevice {
    std::string id;  ///< `opencl:0`
    std::string name, backend;
    bool is_gpu = false;
    unsigned physical = 0;  ///< equal for entries that are the same physical device
};

/// The reason of a kernel that was broken on purpose, and passed every check all the same.
inline constexpr std::string_view passed_all_the_same =
    "Every check was passed; a broken kernel is not measured.";

/// The result of a broken kernel on one device.
struct BrokenRun {
    std::string device;  ///< its id
    std::string status;  ///< of the case, as in records: `wrong` when verification caught it
    std::string said;    ///< the error, or why it did not run
};

/// One value of `over`, or all of a step without it.
struct WalkedPoint {
    std::string label;             ///< `STRIDE=2`; empty: the only one
    std::optional<Case> the_case;  ///< its shape may be open; nothing: it cannot be
    /// Where it is open: sizes of other points of the same lesson that are the same case.
    std::vector<std::vector<std::uint64_t>> named_sizes = {};
    std::vector<Record> records = {};  ///< at most one a device

    /// The key of the point's records; there has to be a case.
    CaseKey key() const;
    /// The records of the point, a list for each device that has any: where its size is open,
    /// rather none at a size that another point names.
    std::vector<Records> by_device(const ResultStore&) const;
};

/// One step, or the solution of one exercise.
struct WalkedStep {
    std::string name;              ///< of an exercise its title
    std::optional<Case> the_case;  ///< of a run, on the smallest shape and but for `over`
    std::vector<WalkedPoint> points = {};
    std::vector<BrokenRun> broken = {};
    std::string output = {};  ///< of a command
};

/// One lesson; its steps and exercises are in the lesson's order.
struct WalkedLesson {
    std::string name;
    std::vector<WalkedStep> steps, exercises;

    std::vector<WalkedStep*> all();
    /// The cases to measure: each once, without those that every session measures.
    std::vector<Case> cases() const;
    /// Gives each point the best record of each device, at one size where that can be.
    /// @returns whether there is any
    bool take(const ResultStore&);
};

/// All of a walk.
struct Walk {
    std::string program;        ///< its version
    std::string started;        ///< UTC
    bool from_records = false;  ///< put together from records, the newest of them of `started`
    bool interrupted = false;   ///< before its end: what is missing was not run
    std::vector<WalkDevice> devices;
    std::vector<WalkedLesson> lessons;

    bool any_cpu() const;
    bool only_cpus() const;
};

/// A lesson that was not walked yet.
/// @throws UsageError for a suite, variant, constant or size that cannot be
WalkedLesson planned_lesson(const Lesson&);

/// The kernel that a step breaks. @throws UsageError when a replacement's text is not in it
std::string broken_text(const LessonStep&, const std::string& file);

/// Refuses what no walk could run, before any device is touched.
/// @throws UsageError for a suite, variant, constant, size or command that cannot be, or a
/// replacement whose text is not in the kernel
void check_lesson(const Lesson&);

/// The name of the edit that a record of a kernel carries which a step broke on purpose.
std::string name_of_edit(const std::string& lesson, const std::string& step);

/// The output of a step's command.
struct CommandOutput {
    std::string text;
    bool ok = true;  ///< its exit code was 0
};
using RunCommand = std::function<CommandOutput(const std::vector<std::string>& words)>;

/// Time limit of a lesson; more where the budget allows.
inline constexpr double seconds_a_lesson = 30;

/// Options of a walk.
struct WalkRequest {
    std::vector<const Lesson*> lessons;
    std::vector<Entry> entries;
    double budget_seconds = 0;  ///< for all lessons, each of which may take seconds_a_lesson
    std::uint64_t seed = 0;
};

/// Helpers and callbacks of a walk.
struct WalkHelp {
    RunConfig config;
    RunInfo run;
    RunCommand command;
    std::function<void(const Progress&)> progress;
    std::function<void(const std::string&)> trouble;
    /// Takes each record as it is made; of a broken kernel too.
    std::function<void(const Record&)> keep;
};

/// The outcome of a walk, without its results.
struct WalkTotals {
    std::size_t cases = 0;   ///< that were to be run, on all devices
    std::size_t ok = 0;      ///< that were right and measured
    std::size_t failed = 0;  ///< cases that could not be built or run
    std::size_t wrong = 0;   ///< cases that were wrong or failed though nothing was broken
    std::size_t missed = 0;  ///< broken kernels that no device noticed
    std::size_t failed_commands = 0;
};

/// Runs all that lessons show: the cases, the kernels broken on purpose, the commands. Ends with
/// what there is, marked as interrupted, when Ctrl-C was pressed.
Walk walk_through(const WalkRequest&, const WalkHelp&, WalkTotals&);

/// The walk of stored records: of a file (.jsonl), or all of a folder, as far as they are of the
/// suites' own kernels and ended `ok` or `unsupported`, or of kernels that a lesson broke on
/// purpose. Of each case the best record of a device is taken (records/result_store.hpp), at the
/// size that most of the lesson has. Commands, which only print, are run. Devices of one name and
/// backend are one. A lesson without any record is left out.
/// @throws UsageError when it cannot be read
Walk walk_from_records(const std::filesystem::path&, const std::vector<const Lesson*>&,
                       const RunCommand&);

}  // namespace parallax

// What the steps of a lesson stand for: cases, to be run or to be looked for among records.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/session.hpp"
#include "records/result_store.hpp"
#include "studies/lessons/lesson.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax {

/// One point of a step, and the case that measures it.
struct PlannedPoint {
    std::string label;
    std::optional<Case> the_case;  ///< its shape may be open; nothing: it cannot be
    /// Where it is open: sizes of other points of the same lesson that are the same case.
    std::vector<std::vector<std::uint64_t>> named_sizes = {};

    /// What a record of the point has to be of; there has to be a case.
    CaseKey key() const;
    /// The records of the point, a list for each device that has any: where its size is open,
    /// rather none at a size that another point names.
    std::vector<Records> by_device(const ResultStore&) const;
};

/// What a step's words stand for.
struct PlannedRun {
    CasePick pick;
    ElementType type = ElementType::f32;
    std::vector<Constant> constants;  ///< all of the suite, but for those of `over`
    std::vector<PlannedPoint> points;
};

/// All that a lesson runs; nothing: the step breaks a kernel or is a command, the exercise has no
/// kernel.
struct PlannedLesson {
    std::vector<std::optional<PlannedRun>> steps, exercises;

    /// @throws UsageError for a suite, variant, constant or size that cannot be
    explicit PlannedLesson(const Lesson&);
    /// Each once, without those that every session measures.
    std::vector<Case> cases() const;
    std::vector<const PlannedRun*> runs() const;

private:
    void note_named_sizes(PlannedPoint&) const;
};

/// What a step gets in addition to the records of its points.
using AddToStep = std::function<void(const LessonStep&, WalkedStep&)>;

/// A lesson's steps and exercises with the records of their points.
WalkedLesson walked_lesson(const Lesson&, const PlannedLesson&, const std::vector<Record>& records,
                           const AddToStep& add);

/// The kernel that a step breaks. @throws UsageError when a replacement's text is not in it
std::string broken_text(const LessonStep&, const std::string& file);

/// Refuses what no walk could run, before any device is touched.
/// @throws UsageError for a suite, variant, constant, size or command that cannot be, or a
/// replacement whose text is not in the kernel
void check_lesson(const Lesson&);

}  // namespace parallax

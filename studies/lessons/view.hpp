// A lesson and what a walk found, put together in words and cells: all that any format shows.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "studies/lessons/walk.hpp"

namespace parallax {

/// Lines of code with a sentence before them.
struct CodeBlock {
    std::string title;
    std::string language;  ///< as Markdown names it: `c`, `cpp`, `diff`, `text`
    std::string text;
};

/// The results of a step.
struct FigureTable {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
    std::vector<double> bars;  ///< of each row, 0 to 1; empty: none
};

/// One step. The lesson's own prose is Markdown, everything else plain.
struct StepView {
    std::string title, idea;
    std::vector<CodeBlock> texts;        ///< in the lesson's language, or in a backend's own
    std::vector<CodeBlock> other_texts;  ///< the same in the other language
    std::string shown_by;                ///< the command that shows both, without `parallax`
    std::vector<std::string> remarks_on_text;
    std::string ask;
    std::vector<std::string> choices;
    std::set<std::size_t> right;       ///< choices that are right, here; empty: nothing decides it
    std::vector<std::string> answers;  ///< which is right, and where
    FigureTable figures;
    std::vector<std::string> remarks;  ///< verification results, reasons, notes
    std::vector<std::string> published;
    CodeBlock output;  ///< of a command
    std::string then, then_cpu;
};

/// One exercise.
struct ExerciseView {
    std::string title, task, solution;
    std::vector<std::string> hints;
    StepView solved;  ///< the prose and results of the project's own solution
};

/// A lesson on a reader's devices.
struct LessonView {
    bool is_from_cuda = false;  ///< told in CUDA's words, from CUDA's sources
    std::string name, title, description, introduction;
    std::string on_cpu;  ///< empty: no device is a CPU
    std::vector<std::string> from;
    std::vector<StepView> steps;
    std::vector<ExerciseView> exercises;
    std::vector<std::string> together;  ///< conclusions from all results
};

/// The source of a kernel file by its name. @throws UsageError
using KernelSource = std::function<std::string(std::string_view file)>;

/// @param walked  of this lesson; missing results are noted in the step
/// @throws UsageError for a missing kernel file
LessonView view_of(const Lesson&, const WalkedLesson& walked, const Walk&, const KernelSource&);

/// Markdown with OpenCL's words for work-items, work-groups and memory in CUDA's; code and what is
/// emphasised, where a lesson explains both words, stay.
std::string in_cuda_words(std::string_view markdown);

/// The lesson in CUDA's words, with CUDA's sources first and OpenCL's next to them.
LessonView told_from_cuda(LessonView);

// Parts of view_of().

/// The sources of a `run` step: its kernels, or the difference from an earlier step's.
/// @param before  that step; null: none
void show_texts(const LessonStep&, const Case&, const LessonStep* before, const Case* old,
                const KernelSource&, StepView& view);
/// The kernels of a case, whole.
void show_whole(const Case&, const KernelSource&, StepView& view);
/// The changes that a `broken` step makes to the kernels of another step.
/// @param title  of the other step
void show_edits(const LessonStep& step, const std::string& title, const Case&, const KernelSource&,
                StepView& view);

}  // namespace parallax

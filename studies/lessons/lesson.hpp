// A lesson as it is written: the data and prose of one file.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "common/text/embedded_file.hpp"

namespace parallax {

/// A question before the results.
struct Prediction {
    /// The reader's result that answers the question.
    enum class Quantity {
        speedup,   ///< time of the step it is compared with over its own, on one device
        slowdown,  ///< the other way round
        share,     ///< of the device's ceiling that the step is nearer to; 1 is all of it
        ratio,     ///< CUDA's time divided by OpenCL's on one physical device
        spread     ///< slowest over fastest point
    };
    std::string ask;
    std::optional<Quantity> of;        ///< nothing: one choice is right everywhere
    std::string api;                   ///< backend whose results decide; empty: each one's
    std::vector<double> bounds;        ///< of `of`, ascending: where the next choice begins
    std::vector<std::string> choices;  ///< in words; of `of` made from the bounds
    std::size_t right = 0;             ///< index of the right one without `of`
};

/// The choice that a value of the prediction's quantity falls into: an index of `choices`.
std::size_t choice_of(const Prediction&, double value);

/// The run of a step: words, as on the command line.
struct LessonRun {
    std::string what;                  ///< `SUITE/VARIANT`
    std::vector<std::string> defines;  ///< `NAME=VALUE`
    std::vector<std::string> over;     ///< `NAME=LIST`
    std::string size, type;            ///< empty: what suits
};

/// One step of a walk.
struct LessonStep {
    enum class Kind { run, broken, command };
    enum class Text { whole, changes, none };

    std::string name, title, idea;
    Kind kind = Kind::run;
    LessonRun run;                       ///< `run`
    std::optional<std::size_t> against;  ///< `run`: an earlier step; nothing: none
    std::optional<Text> text;            ///< `run`; nothing: as docs/reference/lessons.md says
    std::size_t breaks = 0;              ///< `broken`: an earlier step
    std::vector<SourceEdit> edits;       ///< `broken`
    std::vector<std::string> command;    ///< `command`: words
    std::size_t lines = 0;               ///< `command`: shown of its output; 0: all
    Prediction predict;
    std::string then;
    std::string then_cpu;  ///< empty: the same
};

/// Something to do alone.
struct Exercise {
    std::string title, task, solution;
    std::vector<std::string> hints;
    std::optional<LessonRun> run;  ///< the project's own solution
};

/// A lesson. Its prose is Markdown.
struct Lesson {
    std::string name;
    int order = 0;
    std::string title, description, introduction, on_cpu;
    std::vector<std::string> from;
    std::vector<LessonStep> steps;
    std::vector<Exercise> exercises;
};

/// A lesson from its text.
/// @param name  what to call it, and the file in messages: `NAME.yaml`
/// @throws UsageError that says where the text is not as docs/reference/lessons.md has it
Lesson parse_lesson(const std::string& name, const std::string& text);

/// From a file, whose name without `.yaml` is the lesson's. @throws UsageError
Lesson read_lesson(const std::string& path);

/// The lessons of this program, in the order of the course.
const std::vector<Lesson>& lessons();

/// @throws UsageError naming what there is.
const Lesson& lesson_named(std::string_view name);

/// The files that were embedded, by their names: `transpose.yaml`.
std::span<const EmbeddedFile> lesson_texts();

}  // namespace parallax

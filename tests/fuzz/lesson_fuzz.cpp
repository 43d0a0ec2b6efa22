// Fuzzes the reading of lessons: any bytes as the text of a file.
//
//     tests/fuzz/run build-fuzz 600 lesson
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "studies/lessons/lesson.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace parallax;
using fuzz::demand;

void look_at(const Prediction& p) {
    demand(p.choices.size() >= 2 && p.right < p.choices.size());
    demand(p.of.has_value() == !p.bounds.empty());
    for (const double value : {0.0, 1.0, std::numeric_limits<double>::infinity()}) {
        demand(!p.of || choice_of(p, value) < p.choices.size());
    }
}

void look_at(const Lesson& lesson, std::size_t bytes) {
    demand(lesson.name == "x" && !lesson.title.empty() && !lesson.steps.empty());
    std::size_t texts = 0;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        look_at(step.predict);
        demand(!step.against || *step.against < i);
        demand(step.kind != LessonStep::Kind::broken || step.breaks < i);
        demand(step.kind != LessonStep::Kind::command || !step.command.empty());
        texts += step.idea.size() + step.then.size();
    }
    // A short file must not expand to a long course.
    demand(texts <= 3 * bytes);
}

}  // namespace

int parallax::fuzz::lesson(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        look_at(parse_lesson("x", text), size);
    } catch (const UsageError& error) {
        demand(std::string_view(error.what()).starts_with("x.yaml:"));
    }
    return 0;
}

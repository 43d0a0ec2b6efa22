// Lessons as GitHub's Markdown.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/markdown_words.hpp"
#include "report/words.hpp"
#include "studies/lessons/view.hpp"

namespace parallax {
namespace {

std::string list_of(const std::vector<std::string>& sentences, std::string_view before = "") {
    std::string out;
    for (const std::string& sentence : sentences) {
        out += fmt::format("- {}{}\n", before, report::escaped(sentence));
    }
    return out;
}

std::string markdown_code(const CodeBlock& block) {
    std::string text;
    for (const std::string& line : report::printable_lines(block.text)) text += line + '\n';
    const std::string title =
        block.title.empty() ? "" : fmt::format("*{}*\n\n", report::escaped(block.title));
    return title + report::fenced(block.language, text) + "\n";
}

/// Something that is folded until it is asked for.
std::string folded_away(std::string_view summary, const std::string& content) {
    return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", summary, content);
}

std::string markdown_code(const std::vector<CodeBlock>& texts, const std::vector<CodeBlock>& cuda) {
    std::string out, other;
    for (const CodeBlock& block : texts) out += markdown_code(block);
    for (const CodeBlock& block : cuda) other += markdown_code(block);
    if (!other.empty()) out += folded_away("The same in CUDA C++", other);
    return out;
}

std::string markdown_table(const FigureTable& figures, bool for_page) {
    if (figures.rows.empty()) return {};
    const bool with_bars = !figures.bars.empty();
    std::vector<std::string> head = report::escaped_cells(figures.head);
    if (with_bars) head.emplace_back("");
    std::string out = report::head_row(head);
    for (std::size_t i = 0; i < figures.rows.size(); ++i) {
        std::vector<std::string> cells = report::escaped_cells(figures.rows[i]);
        cells.resize(figures.head.size());
        if (with_bars) {
            cells.push_back(
                for_page ? fmt::format("<meter min=\"0\" max=\"1\" value=\"{:.3f}\"></meter>",
                                       std::clamp(figures.bars[i], 0.0, 1.0))
                         : bar(figures.bars[i], 16));
        }
        out += report::row(cells);
    }
    return out + "\n";
}

std::string choices(const StepView& step, bool for_page) {
    std::string out;
    if (for_page) {
        std::vector<std::string> right;
        for (const std::size_t one : step.right) right.push_back(std::to_string(one + 1));
        out += fmt::format("<div class=\"choices\" data-right=\"{}\">\n\n", fmt::join(right, " "));
    }
    for (std::size_t i = 0; i < step.choices.size(); ++i) {
        out += fmt::format("{}. {}\n", i + 1, step.choices[i]);
    }
    out += "\n";
    return for_page ? out + "</div>\n\n" : out;
}

std::string step_markdown(const StepView& step, std::size_t number, bool for_page) {
    std::string out = fmt::format("### {}. {}\n\n{}\n\n", number, step.title, step.idea);
    out += markdown_code(step.texts, step.cuda_sources);
    if (!step.remarks_on_text.empty()) out += list_of(step.remarks_on_text) + "\n";
    out += fmt::format("**Predict.** {}\n\n", step.ask) + choices(step, for_page);
    std::string answer = markdown_table(step.figures, for_page);
    if (!step.output.text.empty()) answer += markdown_code(step.output);
    const std::string said =
        list_of(step.answers) + list_of(step.remarks) + list_of(step.published, "Published: ");
    if (!said.empty()) answer += said + "\n";
    if (!step.then.empty()) answer += step.then + "\n\n";
    if (!step.then_cpu.empty()) {
        answer += (step.then.empty() ? "" : "**On a CPU.** ") + step.then_cpu + "\n\n";
    }
    return out + folded_away("What was measured, and why", answer);
}

std::string exercise_markdown(const ExerciseView& exercise, bool for_page) {
    std::string out = fmt::format("### Exercise: {}\n\n{}\n\n", exercise.title, exercise.task);
    for (std::size_t i = 0; i < exercise.hints.size(); ++i) {
        out += folded_away(fmt::format("Hint {}", i + 1), exercise.hints[i] + "\n");
    }
    std::string solution = exercise.solution + "\n\n";
    solution += markdown_code(exercise.texts, exercise.cuda_sources);
    solution += markdown_table(exercise.figures, for_page);
    if (!exercise.remarks.empty()) solution += list_of(exercise.remarks) + "\n";
    return out + folded_away("Solution", solution);
}

}  // namespace

std::string to_markdown(const LessonView& lesson, bool for_page) {
    std::string out = fmt::format("<a id=\"{}\"></a>\n\n## {}\n\n{}\n\n", lesson.name, lesson.title,
                                  lesson.introduction);
    if (!lesson.on_cpu.empty()) out += fmt::format("**On a CPU.** {}\n\n", lesson.on_cpu);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        out += step_markdown(lesson.steps[i], i + 1, for_page);
    }
    if (!lesson.together.empty()) {
        out += folded_away("What the figures say together", list_of(lesson.together));
    }
    for (const ExerciseView& exercise : lesson.exercises) {
        out += exercise_markdown(exercise, for_page);
    }
    if (!lesson.from.empty()) {
        std::vector<std::string> sources;
        for (const std::string& source : lesson.from) sources.push_back(report::escaped(source));
        out += fmt::format("After: {}.\n\n", fmt::join(sources, "; "));
    }
    return out;
}

std::string course_markdown(const std::vector<LessonView>& lessons, const Walk& walk,
                            bool for_page) {
    std::string out = "# OpenCL and CUDA, each from the other\n\n";
    const std::string started = report::escaped(walk.started);
    out += walk.from_records
               ? fmt::format("With the figures of stored records, the newest of {}:\n\n", started)
               : fmt::format("Walked on {} with Parallax {}:\n\n", started,
                             report::escaped(walk.program));
    for (const std::string& device : devices_of(walk)) {
        out += fmt::format("- {}\n", report::escaped(device));
    }
    out += "\n";
    if (walk.interrupted) out += "The walk was interrupted: what is missing was not run.\n\n";
    if (lessons.size() > 1) {
        for (std::size_t i = 0; i < lessons.size(); ++i) {
            out += fmt::format("{}. [{}](#{}): {}\n", i + 1, lessons[i].title, lessons[i].name,
                               lessons[i].description);
        }
        out += "\n";
    }
    for (const LessonView& lesson : lessons) out += to_markdown(lesson, for_page);
    return out;
}

}  // namespace parallax

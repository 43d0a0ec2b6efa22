// Puts lessons into documents.
#include "report/lessons/lesson_document.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/document.hpp"
#include "report/wording.hpp"

namespace parallax {
namespace {

using namespace report;

/// Where a lesson is read.
enum class Reader { terminal, markdown, page };

/// With an empty line before them on a terminal.
Section apart(Blocks blocks) {
    return {.title = {}, .blocks = std::move(blocks)};
}

Texts code_of(const std::vector<CodeBlock>& blocks) {
    Texts texts;
    for (const CodeBlock& one : blocks) {
        if (one.text.empty()) continue;
        texts.items.push_back(
            {.heading = one.title, .lines = printable_lines(one.text), .language = one.language});
    }
    return texts;
}

std::string_view other_language(const LessonView& lesson) {
    return lesson.is_from_cuda ? "OpenCL C" : "CUDA C++";
}

/// The other language's would be long on a terminal: the step names a command that shows them.
void add_code(Blocks& blocks, const std::vector<CodeBlock>& texts,
              const std::vector<CodeBlock>& others, std::string_view language, Reader reader) {
    blocks.emplace_back(code_of(texts));
    if (others.empty() || reader == Reader::terminal) return;
    blocks.emplace_back(Section{.title = fmt::format("The same in {}", language),
                                .blocks = {code_of(others)},
                                .is_folded = true});
}

Cell bar_cell(double share, Reader reader) {
    return reader == Reader::page
               ? Cell(fmt::format("<meter min=\"0\" max=\"1\" value=\"{:.3f}\"></meter>",
                                  std::clamp(share, 0.0, 1.0)),
                      Cell::Style::markup)
               : Cell(bar(share, 16));
}

Grid figures_of(const FigureTable& figures, Reader reader) {
    Grid grid{.title = {}, .columns = {}, .is_compared = true};
    for (const std::string& name : figures.head) {
        const std::size_t place = grid.columns.size();
        grid.columns.emplace_back(name, "", place == 2 || place == 3);
    }
    if (!figures.bars.empty()) grid.columns.emplace_back("");
    for (std::size_t i = 0; i < figures.rows.size(); ++i) {
        GridRow& row = grid.rows.emplace_back();
        row.cells.assign(figures.rows[i].begin(), figures.rows[i].end());
        row.cells.resize(figures.head.size());
        if (!figures.bars.empty()) row.cells.push_back(bar_cell(figures.bars[i], reader));
    }
    return grid;
}

/// The page's code takes answers for them.
Prose choices_of(const StepView& step, Reader reader, bool answers) {
    std::string list;
    for (std::size_t i = 0; i < step.choices.size(); ++i) {
        list += fmt::format("{}{}. {}", i == 0 ? "" : "\n", i + 1, step.choices[i]);
    }
    if (reader != Reader::page) return {list};
    std::vector<std::size_t> right;
    if (answers) {
        for (const std::size_t one : step.right) right.push_back(one + 1);
    }
    return {fmt::format("<div class=\"choices\" data-right=\"{}\">\n\n{}\n\n</div>",
                        fmt::join(right, " "), list)};
}

Section question_of(const LessonView& lesson, std::size_t number, Reader reader, bool answers) {
    const StepView& step = lesson.steps[number - 1];
    // A terminal has nothing else to tell how far the reader is.
    const std::string of =
        reader == Reader::terminal ? fmt::format(" ({} of {})", number, lesson.steps.size()) : "";
    Section section{.title = fmt::format("{}. {}{}", number, step.title, of),
                    .blocks = {Prose{step.idea}},
                    .level = 3,
                    .is_markup = true};
    Blocks code;
    add_code(code, step.texts, step.other_texts, other_language(lesson), reader);
    List remarks{step.remarks_on_text};
    if (!step.other_texts.empty() && reader == Reader::terminal) {
        remarks.items.push_back(fmt::format(
            "Next to its source in {}, and why: parallax {}{} --why", other_language(lesson),
            step.shown_by, lesson.is_from_cuda ? " --side cuda" : ""));
    }
    code.emplace_back(std::move(remarks));
    section.blocks.emplace_back(apart(std::move(code)));
    section.blocks.emplace_back(
        apart({Prose{"**Predict.** " + step.ask}, choices_of(step, reader, answers)}));
    return section;
}

Section answer_of(const StepView& step, Reader reader) {
    Section section{.title = "What was measured, and why",
                    .blocks = {figures_of(step.figures, reader), code_of({step.output})},
                    .is_folded = true};
    List said;
    for (const auto* list : {&step.answers, &step.remarks}) {
        said.items.insert(said.items.end(), list->begin(), list->end());
    }
    for (const std::string& one : step.published) said.items.push_back("Published: " + one);
    section.blocks.emplace_back(std::move(said));
    if (!step.then.empty()) section.blocks.emplace_back(apart({Prose{step.then}}));
    if (!step.then_cpu.empty()) {
        section.blocks.emplace_back(
            apart({Prose{(step.then.empty() ? "" : "**On a CPU.** ") + step.then_cpu}}));
    }
    return section;
}

Section exercise_of(const ExerciseView& exercise, std::string_view language, Reader reader,
                    bool answers) {
    Section section{.title = "Exercise: " + exercise.title,
                    .blocks = {Prose{exercise.task}},
                    .level = 3,
                    .is_markup = true};
    for (std::size_t i = 0; i < exercise.hints.size(); ++i) {
        section.blocks.emplace_back(Section{.title = fmt::format("Hint {}", i + 1),
                                            .blocks = {Prose{exercise.hints[i]}},
                                            .is_folded = true});
    }
    if (!answers) return section;
    Section solution{.title = "Solution", .blocks = {Prose{exercise.solution}}, .is_folded = true};
    const StepView& solved = exercise.solved;
    add_code(solution.blocks, solved.texts, solved.other_texts, language, reader);
    solution.blocks.emplace_back(figures_of(solved.figures, reader));
    solution.blocks.emplace_back(List{solved.remarks});
    section.blocks.emplace_back(std::move(solution));
    return section;
}

Blocks end_of(const LessonView& lesson, Reader reader, bool answers) {
    Blocks blocks;
    if (answers && !lesson.together.empty()) {
        blocks.emplace_back(Section{.title = "What the figures say together",
                                    .blocks = {List{lesson.together}},
                                    .is_folded = true});
    }
    for (const ExerciseView& one : lesson.exercises) {
        blocks.emplace_back(exercise_of(one, other_language(lesson), reader, answers));
    }
    if (!lesson.from.empty()) {
        blocks.emplace_back(
            apart({Paragraph{fmt::format("After: {}.", fmt::join(lesson.from, "; "))}}));
    }
    return blocks;
}

/// The origin of the results.
Blocks origin_of(const Walk& walk) {
    List devices;
    for (const WalkDevice& one : walk.devices) {
        devices.items.push_back(fmt::format("{}  {}{}", one.id, printable(one.name, 200),
                                            one.is_gpu ? "" : " (a CPU)"));
    }
    Blocks blocks{
        Paragraph{
            walk.from_records
                ? fmt::format("With the figures of stored records, the newest of {}:", walk.started)
                : fmt::format("Walked on {} with Parallax {}:", walk.started, walk.program)},
        std::move(devices)};
    if (walk.interrupted) {
        blocks.emplace_back(Paragraph{"The walk was interrupted: what is missing was not run."});
    }
    return blocks;
}

std::string after_a_line(Blocks blocks, unsigned width) {
    return "\n" + text_of(Document{.title = {}, .blocks = std::move(blocks)}, width, false);
}

}  // namespace

std::string head_text(const LessonView& lesson, const Walk& walk, unsigned width) {
    Section section{.title = lesson.title, .blocks = {Prose{lesson.introduction}}};
    section.blocks.emplace_back(apart(origin_of(walk)));
    if (!lesson.on_cpu.empty()) {
        section.blocks.emplace_back(apart({Prose{"**On a CPU.** " + lesson.on_cpu}}));
    }
    return text_of(Document{.title = {}, .blocks = {std::move(section)}}, width, false);
}

std::string question_text(const LessonView& lesson, std::size_t number, unsigned width) {
    return after_a_line({question_of(lesson, number, Reader::terminal, true)}, width);
}

std::string answer_text(const StepView& step, unsigned width) {
    return after_a_line({answer_of(step, Reader::terminal)}, width);
}

std::string end_text(const LessonView& lesson, unsigned width, bool answers) {
    return after_a_line(end_of(lesson, Reader::terminal, answers), width);
}

std::string to_markdown(const LessonView& lesson, LessonStyle style) {
    const Reader reader = style.for_page ? Reader::page : Reader::markdown;
    Section section{
        .title = lesson.title, .blocks = {Prose{lesson.introduction}}, .is_markup = true};
    if (!lesson.on_cpu.empty()) {
        section.blocks.emplace_back(Prose{"**On a CPU.** " + lesson.on_cpu});
    }
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        section.blocks.emplace_back(question_of(lesson, i + 1, reader, style.answers));
        if (style.answers) section.blocks.emplace_back(answer_of(lesson.steps[i], reader));
    }
    std::ranges::move(end_of(lesson, reader, style.answers), std::back_inserter(section.blocks));
    return markdown_of(
        {.title = {},
         .blocks = {Prose{fmt::format("<a id=\"{}\"></a>", lesson.name)}, std::move(section)}});
}

std::string course_markdown(const std::vector<LessonView>& lessons, const Walk& walk,
                            LessonStyle style) {
    Document course{.title = "OpenCL and CUDA, each from the other", .blocks = origin_of(walk)};
    std::string contents;
    for (std::size_t i = 0; i < lessons.size() && lessons.size() > 1; ++i) {
        contents += fmt::format("{}{}. [{}](#{}): {}", i == 0 ? "" : "\n", i + 1, lessons[i].title,
                                lessons[i].name, lessons[i].description);
    }
    if (!contents.empty()) course.blocks.emplace_back(Prose{std::move(contents)});
    std::string out = markdown_of(course);
    for (const LessonView& lesson : lessons) out += to_markdown(lesson, style);
    return out;
}

}  // namespace parallax

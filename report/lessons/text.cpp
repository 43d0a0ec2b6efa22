// Lessons for a terminal.
#include "common/text/text.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "report/words.hpp"
#include "studies/lessons/view.hpp"

namespace parallax {
namespace {

constexpr unsigned figure_width = 16;

bool begins_item(const std::string& line) {
    if (line.starts_with("- ") || line.starts_with("* ")) return true;
    const std::size_t digits = line.find_first_not_of("0123456789");
    return digits != 0 && digits != std::string::npos && line.substr(digits).starts_with(". ");
}

/// Markdown's paragraphs and lists in lines of `width`; code stays as it is.
std::string flowing(const std::string& markdown, std::size_t width, std::size_t indent) {
    std::string out, paragraph;
    std::size_t hang = 0;
    bool in_code = false;
    const std::string margin(indent, ' ');
    const auto flush = [&] {
        if (paragraph.empty()) return;
        out += margin + wrapped(paragraph, width, indent + hang, indent) + "\n";
        paragraph.clear();
        hang = 0;
    };
    std::istringstream lines(markdown);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            flush();
            in_code = !in_code;
            continue;
        }
        if (in_code) {
            out += margin + "    " + line + "\n";
            continue;
        }
        const std::size_t first = line.find_first_not_of(' ');
        if (first == std::string::npos) {
            flush();
            out += "\n";
            continue;
        }
        line.erase(0, first);
        if (begins_item(line) && (paragraph.empty() || hang > 0)) {
            flush();
            hang = line.find(' ') + 1;
        }
        if (!paragraph.empty()) paragraph += ' ';
        paragraph += line;
    }
    flush();
    return out;
}

std::string sentences(const std::vector<std::string>& list, std::string_view before,
                      unsigned width) {
    std::string out;
    for (const std::string& sentence : list) {
        out += "  " + wrapped(std::string(before) + sentence, width, 4, 2) + "\n";
    }
    return out;
}

/// Long lines stay long: code that is cut off teaches nothing.
std::string code(const CodeBlock& block) {
    std::string out;
    if (!block.title.empty()) out += fmt::format("  {}\n", block.title);
    for (const std::string& line : report::printable_lines(block.text)) {
        out += "    " + line + "\n";
    }
    return out;
}

std::string table_text(const FigureTable& figures) {
    if (figures.rows.empty()) return {};
    std::vector<Table::Align> align(figures.head.size(), Table::Align::left);
    for (std::size_t i = 2; i < std::min<std::size_t>(4, align.size()); ++i) {
        align[i] = Table::Align::right;
    }
    align.push_back(Table::Align::left);
    Table table(align);
    table.add(figures.head);
    for (std::size_t i = 0; i < figures.rows.size(); ++i) {
        std::vector<std::string> cells = figures.rows[i];
        cells.resize(figures.head.size());
        if (!figures.bars.empty()) cells.push_back(bar(figures.bars[i], figure_width));
        table.add(std::move(cells));
    }
    return table.text(4);
}

std::string choices_text(const StepView& step) {
    std::string out;
    for (std::size_t i = 0; i < step.choices.size(); ++i) {
        out += fmt::format("    {}. {}\n", i + 1, step.choices[i]);
    }
    return out;
}

}  // namespace

std::string head_text(const LessonView& lesson, const Walk& walk, unsigned width) {
    std::string out =
        fmt::format("{}\n{}\n\n", lesson.title, std::string(columns_of(lesson.title), '='));
    out += flowing(lesson.introduction, width, 0) + "\n";
    if (walk.from_records) {
        out += fmt::format("Figures of stored records, the newest of {}:\n", walk.started);
    }
    for (const std::string& device : devices_of(walk)) out += "  " + device + "\n";
    if (walk.interrupted) out += "The walk was interrupted: what is missing was not run.\n";
    if (!lesson.on_cpu.empty()) out += "\n" + flowing("On a CPU: " + lesson.on_cpu, width, 0);
    return out;
}

std::string question_text(const StepView& step, std::size_t number, unsigned width) {
    const std::string title = fmt::format("{}. {}", number, step.title);
    std::string out = fmt::format("\n{}\n{}\n\n", title, std::string(columns_of(title), '-'));
    out += flowing(step.idea, width, 2) + "\n";
    for (const CodeBlock& block : step.texts) out += code(block) + "\n";
    out += sentences(step.remarks_on_text, "", width);
    if (!step.cuda_sources.empty()) {
        out += fmt::format("  Beside its CUDA text: parallax {}\n", step.shown_by);
    }
    if (!step.remarks_on_text.empty() || !step.cuda_sources.empty()) out += "\n";
    out += flowing("Predict: " + step.ask, width, 2);
    return out + choices_text(step);
}

std::string answer_text(const StepView& step, unsigned width) {
    std::string out = "\n";
    out += table_text(step.figures);
    if (!step.output.text.empty()) out += code(step.output);
    out += sentences(step.remarks, "", width);
    out += sentences(step.answers, "", width);
    out += sentences(step.published, "Published: ", width);
    if (!step.then.empty()) out += "\n" + flowing(step.then, width, 2);
    if (!step.then_cpu.empty()) {
        out += "\n" + flowing((step.then.empty() ? "" : "On a CPU: ") + step.then_cpu, width, 2);
    }
    return out;
}

std::string end_text(const LessonView& lesson, unsigned width) {
    std::string out;
    if (!lesson.together.empty()) {
        out += "\nTogether\n--------\n\n" + sentences(lesson.together, "", width);
    }
    for (const ExerciseView& exercise : lesson.exercises) {
        const std::string title = "Exercise: " + exercise.title;
        out += fmt::format("\n{}\n{}\n\n", title, std::string(columns_of(title), '-'));
        out += flowing(exercise.task, width, 2) + "\n";
        for (std::size_t i = 0; i < exercise.hints.size(); ++i) {
            out += flowing(fmt::format("Hint {}: {}", i + 1, exercise.hints[i]), width, 2);
        }
        out += "\n" + flowing("Solution: " + exercise.solution, width, 2) + "\n";
        for (const CodeBlock& block : exercise.texts) out += code(block) + "\n";
        out += table_text(exercise.figures);
        out += sentences(exercise.remarks, "", width);
    }
    for (const std::string& source : lesson.from) {
        out += "\n" + wrapped("After: " + source, width, 2) + "\n";
    }
    return out;
}

}  // namespace parallax

// Shows lessons on a terminal, or writes them to a file.
#include "cli/lesson_show.hpp"

#include <charconv>
#include <ostream>

#include <fmt/format.h>

#include "cli/terminal.hpp"
#include "common/text/text.hpp"
#include "records/write_file.hpp"
#include "report/lessons/lesson_document.hpp"
#include "report/report.hpp"

namespace parallax::cli {
namespace {

/// Correct predictions, and all.
struct Score {
    unsigned right = 0, all = 0;
};

/// Asks for the reader's choice. @returns false when the reader wants to stop
bool ask(const StepView& step, CommandContext& context, Score& score) {
    for (;;) {
        context.out << fmt::format("\n  Your choice, 1 to {} (Enter: none, q: enough): ",
                                   step.choices.size())
                    << std::flush;
        std::string line;
        if (!std::getline(*context.in, line) || line == "q") return false;
        if (line.empty()) return true;
        std::size_t choice = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), choice);
        if (error != std::errc{} || end != line.data() + line.size() || choice < 1 ||
            choice > step.choices.size()) {
            continue;
        }
        if (step.right.empty()) {
            context.out << "  Not graded: no result decides it here.\n";
            return true;
        }
        const bool is_right = step.right.contains(choice - 1);
        ++score.all;
        score.right += is_right;
        context.out << (is_right ? "  Yes.\n" : "  No.\n");
        return true;
    }
}

/// @returns false when the reader wants to stop
bool tell(const LessonView& lesson, const Walk& walk, bool answers, CommandContext& context) {
    const unsigned width = terminal_width();
    context.out << head_text(lesson, walk, width);
    Score score;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        context.out << question_text(lesson, i + 1, width) << std::flush;
        if (context.in && !ask(lesson.steps[i], context, score)) return false;
        if (answers) context.out << answer_text(lesson.steps[i], width);
    }
    context.out << end_text(lesson, width, answers);
    if (score.all > 0) {
        context.out << fmt::format("\nYou predicted {} of {}.\n", score.right, score.all);
    }
    return true;
}

}  // namespace

void show_lessons(const std::vector<LessonView>& views, const Walk& walk, const std::string& format,
                  bool answers, const std::optional<std::string>& output, CommandContext& context) {
    std::string text;
    if (format == "text") {
        if (!output) {
            for (std::size_t i = 0; i < views.size(); ++i) {
                if (i > 0) context.out << "\n\n";
                if (!tell(views[i], walk, answers, context)) return;
            }
            return;
        }
        for (const LessonView& view : views) {
            text += head_text(view, walk, 100);
            for (std::size_t i = 0; i < view.steps.size(); ++i) {
                text += question_text(view, i + 1, 100);
                if (answers) text += answer_text(view.steps[i], 100);
            }
            text += end_text(view, 100, answers) + "\n\n";
        }
    } else if (format == "md") {
        text = course_markdown(views, walk, {.for_page = false, .answers = answers});
    } else {
        text = html_course(course_markdown(views, walk, {.for_page = true, .answers = answers}));
    }
    write_text(text, output, context);
}

void write_text(const std::string& text, const std::optional<std::string>& output,
                CommandContext& context) {
    if (output) {
        write_file(*output, harmless(text));
        context.err << fmt::format("wrote {}\n", printable(*output));
    } else {
        context.out << text << std::flush;
    }
}

}  // namespace parallax::cli

// `parallax lesson`: a guided tour of kernels on the user's devices, with a question before each
// result.
#include <algorithm>
#include <charconv>
#include <ostream>
#include <sstream>

#include <fmt/format.h>

#include "cli/chosen_devices.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/option_table.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/request.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "records/result_lines.hpp"
#include "records/result_store.hpp"
#include "records/write_file.hpp"
#include "report/json_listings.hpp"
#include "report/lessons/lesson_document.hpp"
#include "report/report.hpp"
#include "studies/lessons/view.hpp"

namespace parallax::cli {
namespace {

int list_lessons(bool as_json, CommandContext& context) {
    if (as_json) {
        context.out << lessons_json(lessons());
        return exit_ok;
    }
    const unsigned width = terminal_width();
    for (const Lesson& lesson : lessons()) {
        context.out << fmt::format("{:<14}{}\n{:14}{}\n", lesson.name, lesson.title, "",
                                   wrapped(lesson.description, width, 14, 14));
    }
    context.out
        << "\n"
        << wrapped(
               "'parallax lesson NAME' walks through one, 'parallax lesson all' through all "
               "of them in this order; 'parallax lesson --html -o course.html' makes a page "
               "of the course.",
               width, 0)
        << "\n";
    return exit_ok;
}

KernelSource own_kernels() {
    return [](std::string_view file) { return kernel_source(file, std::nullopt); };
}

/// The selected lessons; `own` receives one that is read from a file.
std::vector<const Lesson*> chosen(const std::optional<std::string>& word,
                                  std::optional<Lesson>& own) {
    std::vector<const Lesson*> list;
    if (!word || *word == "all") {
        for (const Lesson& lesson : lessons()) list.push_back(&lesson);
    } else if ((word->ends_with(".yaml") || word->ends_with(".yml"))) {
        own = read_lesson(*word);
        list.push_back(&*own);
    } else {
        list.push_back(&lesson_named(*word));
    }
    return list;
}

/// Runs a step's command in this process, and captures its output.
RunCommand commands_of(CommandContext& context) {
    return [&context](const std::vector<std::string>& words) {
        std::ostringstream out, err;
        const int code = run_program(words, {out, err, context.backends, {}, context.program});
        if (code == exit_interrupted) throw Interrupted();
        if (code == exit_ok) return CommandOutput{out.str(), true};
        return CommandOutput{out.str() + err.str() + fmt::format("(exit code {})\n", code), false};
    };
}

/// Views of the lessons of the walk.
std::vector<LessonView> views_of(const std::vector<const Lesson*>& lessons, const Walk& walk,
                                 bool from_cuda) {
    std::vector<LessonView> views;
    for (const Lesson* one : lessons) {
        const auto walked = std::ranges::find(walk.lessons, one->name, &WalkedLesson::name);
        if (walked == walk.lessons.end()) continue;
        views.push_back(view_of(*one, *walked, walk, own_kernels()));
        if (from_cuda) views.back() = told_from_cuda(std::move(views.back()));
    }
    return views;
}

/// Correct predictions, and all.
struct Score {
    unsigned right = 0, all = 0;
};

/// Asks for the reader's choice. @returns false when the reader wants to stop
bool ask(const StepView& step, std::ostream& out, std::istream& in, Score& score) {
    for (;;) {
        out << fmt::format("\n  Your choice, 1 to {} (Enter: none, q: enough): ",
                           step.choices.size())
            << std::flush;
        std::string line;
        if (!std::getline(in, line) || line == "q") return false;
        if (line.empty()) return true;
        std::size_t choice = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), choice);
        if (error != std::errc{} || end != line.data() + line.size() || choice < 1 ||
            choice > step.choices.size()) {
            continue;
        }
        if (step.right.empty()) {
            out << "  Not graded: no result decides it here.\n";
            return true;
        }
        const bool is_right = step.right.contains(choice - 1);
        ++score.all;
        score.right += is_right;
        out << (is_right ? "  Yes.\n" : "  No.\n");
        return true;
    }
}

/// Tells a lesson step by step. @param in  where choices are asked for; null: they are not
/// @returns false when the reader wants to stop
bool tell(const LessonView& lesson, const Walk& walk, bool answers, unsigned width,
          std::ostream& out, std::istream* in) {
    out << head_text(lesson, walk, width);
    Score score;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        out << question_text(lesson, i + 1, width) << std::flush;
        if (in && !ask(lesson.steps[i], out, *in, score)) return false;
        if (answers) out << answer_text(lesson.steps[i], width);
    }
    out << end_text(lesson, width, answers);
    if (score.all > 0) out << fmt::format("\nYou predicted {} of {}.\n", score.right, score.all);
    return true;
}

/// Writes to the file, or to standard output without one.
void write_text(const std::string& text, const std::optional<std::string>& output,
                CommandContext& context) {
    if (output) {
        write_file(*output, harmless(text));
        context.err << fmt::format("wrote {}\n", printable(*output));
    } else {
        context.out << text << std::flush;
    }
}

/// @param format   `text`, `md` or `html`
/// @param answers  with results, reasons and solutions; false: a sheet for a class
/// @param output  the file; nothing: standard output, where `text` asks for predictions
void show_lessons(const std::vector<LessonView>& views, const Walk& walk, const std::string& format,
                  bool answers, const std::optional<std::string>& output, CommandContext& context) {
    if (format != "text") {
        const bool is_page = format == "html";
        const std::string text =
            course_markdown(views, walk, {.for_page = is_page, .answers = answers});
        write_text(is_page ? html_course(text) : text, output, context);
    } else if (output) {
        std::ostringstream text;
        for (const LessonView& view : views) {
            tell(view, walk, answers, 100, text, nullptr);
            text << "\n\n";
        }
        write_text(text.str(), output, context);
    } else {
        for (const LessonView& view : views) {
            if (&view != &views.front()) context.out << "\n\n";
            if (!tell(view, walk, answers, terminal_width(), context.out, context.in)) return;
        }
    }
}

/// Whether a lesson is shown step by step on the terminal.
bool is_told(const std::optional<std::string>& output, const std::string& format) {
    return !output && format == "text";
}

std::string interrupted_words(const std::optional<std::string>& output, const std::string& format,
                              bool is_empty) {
    if (is_empty) {
        return output ? fmt::format("Interrupted before anything was measured: {} is not written.",
                                    *output)
                      : "Interrupted before anything was measured.";
    }
    if (is_told(output, format)) {
        return "Interrupted. With -o FILE what was measured until then is kept.";
    }
    return fmt::format("Interrupted. What was measured until then is {}.",
                       output ? "in " + *output : "written");
}

int code_of(const WalkTotals& totals) {
    if (totals.wrong + totals.missed + totals.failed_commands > 0) return exit_wrong;
    if (totals.failed > 0) return exit_failed;
    return totals.cases > 0 && totals.ok == 0 ? exit_nothing : exit_ok;
}

/// The format from --format, or from the file's extension.
std::string format_for(const Values& values, const std::optional<std::string>& output) {
    std::string usual = "text";
    if (values.count("html") > 0) {
        usual = "html";
    } else if (output) {
        for (const char* one : {"md", "html", "json"}) {
            if (output->ends_with("." + std::string(one))) usual = one;
        }
        if (output->ends_with(".jsonl")) usual = "json";
    }
    std::string format = value_of<std::string>(values, "format").value_or(usual);
    if (values.count("html") > 0 && format != "html") {
        throw UsageError("--html and --format say different things.");
    }
    return format;
}

/// Lessons that are walked through, or shown from the records of an earlier walk.
class LessonCommand {
public:
    LessonCommand(const Values& values, CommandContext& context)
        : values_(values),
          context_(context),
          word_(value_of<std::string>(values, "lesson")),
          output_(value_of<std::string>(values, "output")),
          from_(value_of<std::string>(values, "from")),
          format_(format_for(values, output_)),
          is_quiet_(values.count("quiet") > 0) {}

    int run() {
        // The names of a course are data, too; a page of it has to be walked.
        const bool wants_walk = from_ || output_ || format_ == "html" || format_ == "md";
        if (!word_ && !wants_walk) {
            refuse_given(
                values_,
                {"device", "seed", "budget", "fresh-ceilings", "no-wait", "quiet", "no-questions"},
                "--{}: of which lesson? 'parallax lesson' lists them.");
            return list_lessons(format_ == "json", context_);
        }
        check_output();
        wanted_ = chosen(word_, own_);
        for (const Lesson* one : wanted_) check_lesson(*one);
        if (values_.count("no-questions") > 0 || !answers_ || output_ || format_ != "text") {
            context_.in = nullptr;
        }
        if (from_) {
            read_walk();
            return print(exit_ok);
        }
        const std::vector<Entry> entries =
            entries_for(words_of(values_, "device"), is_quiet_, context_);
        if (entries.empty()) throw no_device("to walk on");
        refuse_untimed(entries);
        measure_walk(entries);
        if (walk_.interrupted) {
            const bool is_empty = walk_.lessons.empty();
            context_.err << "parallax: " << interrupted_words(output_, format_, is_empty) << "\n";
            if (is_empty || is_told(output_, format_)) return exit_interrupted;
        }
        return print(walk_.interrupted ? int{exit_interrupted} : code_of(totals_));
    }

private:
    /// Whether the output can be written, before anything runs.
    void check_output() const {
        if (format_ == "html" && !output_ && is_terminal(context_.out)) {
            throw UsageError("A page is not for a terminal: name a file with -o course.html.");
        }
        if (format_ == "html") html_course("");  // throws where the page lacks something
        if (!output_) return;
        std::vector<std::string> inputs;
        if (from_) {
            for (const auto& file : result_files(*from_)) inputs.push_back(file.string());
        }
        check_writable(*output_, inputs);
    }

    void read_walk() {
        refuse_unheeded(values_, lesson_from);
        if (format_ == "json") {
            throw UsageError(
                "--format json, or -o with .json or .jsonl, keeps the records of a walk, and "
                "--from shows records that were kept: they are in the file already.");
        }
        walk_ = walk_from_records(*from_, wanted_, commands_of(context_));
        if (!walk_.lessons.empty()) return;
        throw UsageError(fmt::format(
            "{} holds no walk through {}. 'parallax lesson NAME -o FILE.jsonl' keeps one.", *from_,
            word_ && *word_ != "all" ? *word_ : "any lesson"));
    }

    void measure_walk(const std::vector<Entry>& entries) {
        const Request within =
            request_within(values_, seconds_a_lesson * static_cast<double>(wanted_.size()));
        const InterruptGuard interrupt;
        if (!is_quiet_) {
            context_.err << fmt::format(
                "Running what {} on {} before the first question...\n",
                wanted_.size() == 1 ? "the lesson shows" : "the lessons show",
                entries.size() == 1 ? entries[0].info.id()
                                    : fmt::format("{} devices", entries.size()));
        }
        ProgressLine line(context_.err, is_quiet_);
        WalkHelp help{.config = run_config(context_, within.seed, std::nullopt),
                      .run = run_info(context_, within.seed),
                      .command = commands_of(context_),
                      .progress = [&](const Progress& progress) { line.show(progress); },
                      .trouble = line.trouble(),
                      .keep = [&](const Record& record) { lines_ += text_of(record) + "\n"; }};
        take_timing_options(values_, help.config);
        if (!is_quiet_) warn_of_environment(help.run, entries, context_);
        walk_ = walk_through({.lessons = wanted_,
                              .entries = entries,
                              .budget_seconds = within.budget_seconds,
                              .seed = within.seed},
                             help, totals_);
        line.clear();
    }

    int print(int code) {
        if (format_ == "json") {
            write_text(lines_, output_, context_);
        } else {
            show_lessons(views_of(wanted_, walk_, side_ == "cuda"), walk_, format_, answers_,
                         output_, context_);
        }
        const auto warn = [&](std::size_t count, std::string_view sentence) {
            if (count > 0) context_.err << "parallax: " << sentence << "\n";
        };
        warn(totals_.wrong, "A case of the walk was wrong.");
        warn(totals_.failed, "A case of the walk failed.");
        warn(totals_.missed,
             "A kernel that was broken on purpose passed every check on every device.");
        warn(totals_.failed_commands, "A command of the walk failed.");
        return code;
    }

    const Values& values_;
    CommandContext& context_;
    const std::optional<std::string> word_, output_, from_;
    const std::string format_;
    const bool is_quiet_;
    const bool answers_ = values_.count("no-answers") == 0;
    const std::string side_ = value_of<std::string>(values_, "side").value_or("opencl");
    std::optional<Lesson> own_;  ///< read from the reader's file
    std::vector<const Lesson*> wanted_;
    Walk walk_;
    WalkTotals totals_;
    std::string lines_;  ///< the records, for --format json
};

int lesson(const Values& values, CommandContext& context) {
    return LessonCommand(values, context).run();
}

}  // namespace

Command lesson_command() {
    return {
        .name = "lesson",
        .arguments = "[NAME|all|FILE.yaml] [-d DEVICE]... [--html] [-o FILE]",
        .summary = "learn one API from the other, from kernels that run on your devices",
        .about =
            "Without a name it lists the lessons. Each is a walk from kernel to kernel: an idea, "
            "what changes in the text, a prediction to make, and then the figure on each of your "
            "devices, beside what was published and the share of what the device can do. Some "
            "kernels are broken on purpose: verification catches them, and you are asked why. All "
            "that a lesson runs is built, checked and measured before its first question, in some "
            "seconds. On a terminal you are asked for your choice; elsewhere the whole lesson is "
            "printed. docs/reference/lessons.md says how a lesson is written.",
        .examples = {"parallax lesson", "parallax lesson transpose",
                     "parallax lesson matvec -d cuda:0 -d opencl:0",
                     "parallax lesson --html -o course.html", "parallax lesson all -o walk.jsonl",
                     "parallax lesson stencil --from walk.jsonl --format md",
                     "parallax lesson stencil --from results/nvidia-h100-80gb-hbm3",
                     "parallax lesson stencil --side cuda",
                     "parallax lesson all --no-answers -o sheets.html",
                     "parallax lesson mine.yaml"},
        .positional = {"lesson"},
        .options =
            [](auto add) {
                add("lesson", po::value<std::string>(),
                    "a name from the list, 'all', or a file of your own that ends with .yaml");
                add("device,d", settable<Words>(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all");
                add("html", settable_flag(),
                    "the same as --format html; without a name, of the whole course");
                add("format", settable<std::string>(),
                    "text (default), md, html, or json: the records, one a line; without a name "
                    "the list of lessons");
                add("output,o", settable<std::string>(Setting::report),
                    "file to write, and not standard output");
                add("from", settable<std::string>(Setting::path),
                    "shows the results of stored records (a .jsonl file, for example of an earlier "
                    "walk, or a folder), and runs nothing");
                add("side", settable<std::string>(),
                    "whose words and sources come first: opencl (default), or cuda for readers who "
                    "know CUDA");
                add("no-answers", settable_flag(),
                    "questions and tasks without results and solutions, to print for a class");
                add("no-questions", settable_flag(), "the whole lesson at once, on a terminal too");
                add("budget", settable<double>(),
                    "seconds for all of it (default 30 for each lesson); what it does not reach is "
                    "skipped");
                add("seed", settable<std::string>(), "of the inputs; none: drawn, and recorded");
                add_timing_options(add);
                add("quiet", settable_flag(), "no progress, no remarks");
            },
        .run = lesson,
        .choices = {{"format", {"text", "md", "html", "json"}}, {"side", {"opencl", "cuda"}}}};
}

}  // namespace parallax::cli

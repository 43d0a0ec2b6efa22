// `parallax lesson`: a walk through kernels on the reader's devices, with a question before each
// figure.
#include <charconv>
#include <filesystem>
#include <istream>
#include <ostream>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/lesson_plan.hpp"
#include "cli/lesson_records.hpp"
#include "cli/lesson_walk.hpp"
#include "cli/request.hpp"
#include "cli/write_file.hpp"
#include "common/error.hpp"
#include "common/read_file.hpp"
#include "common/text.hpp"
#include "lessons/view.hpp"
#include "report/report.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;

constexpr double seconds_a_lesson = 30;

int list_lessons(World& world) {
    const unsigned width = terminal_width();
    for (const Lesson& lesson : lessons()) {
        world.out << fmt::format("{:<14}{}\n{:14}{}\n", lesson.name, lesson.title, "",
                                 wrapped(lesson.teaches, width, 14, 14));
    }
    world.out << "\n"
              << wrapped(
                     "'parallax lesson NAME' walks through one, 'parallax lesson all' through all "
                     "of them in this order; 'parallax lesson --html -o course.html' makes a page "
                     "of the course.",
                     width, 0)
              << "\n";
    return exit_ok;
}

KernelText own_kernels() {
    return [](std::string_view file) { return kernel_text(file, std::nullopt); };
}

/// The lessons that the words name; `own` holds one that is read from a file.
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

/// A walk that was kept, or one put together from records.
Walk walk_in(const std::string& path, const std::vector<const Lesson*>& wanted, World& world) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
    if (path.ends_with(".jsonl") || std::filesystem::is_directory(path)) {
        return walk_from_records(path, wanted, world);
    }
    try {
        return parse_walk(path, read_file(path, most_bytes));
    } catch (const UsageError& error) {
        throw UsageError(
            fmt::format("--from: {}. It takes a walk ('parallax lesson all --format "
                        "json -o FILE' writes one), a .jsonl file of records or a "
                        "folder of both.",
                        error.what()));
    }
}

/// Predictions that came true, and all.
struct Score {
    unsigned right = 0, all = 0;
};

/// Asks for the reader's choice. @returns false when the reader has had enough
bool ask(const StepView& step, World& world, Score& score) {
    for (;;) {
        world.out << fmt::format("\n  Your choice, 1 to {} (Enter: none, q: enough): ",
                                 step.choices.size())
                  << std::flush;
        std::string line;
        if (!std::getline(*world.in, line) || line == "q") return false;
        if (line.empty()) return true;
        std::size_t choice = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), choice);
        if (error != std::errc{} || end != line.data() + line.size() || choice < 1 ||
            choice > step.choices.size()) {
            continue;
        }
        if (step.right.empty()) return true;
        const bool is_right = step.right.contains(choice - 1);
        ++score.all;
        score.right += is_right;
        world.out << (is_right ? "  Yes.\n" : "  No.\n");
        return true;
    }
}

/// @returns false when the reader has had enough
bool tell(const LessonView& lesson, const Walk& walk, World& world) {
    const unsigned width = terminal_width();
    world.out << head_text(lesson, walk, width);
    Score score;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        world.out << question_text(lesson.steps[i], i + 1, width) << std::flush;
        if (world.in && !ask(lesson.steps[i], world, score)) return false;
        world.out << answer_text(lesson.steps[i], width);
    }
    world.out << end_text(lesson, width);
    if (score.all > 0) {
        world.out << fmt::format("\nYou predicted {} of {}.\n", score.right, score.all);
    }
    return true;
}

void show(const std::vector<LessonView>& views, const Walk& walk, const std::string& format,
          const std::optional<std::string>& output, World& world) {
    std::string text;
    if (format == "text") {
        if (!output) {
            for (std::size_t i = 0; i < views.size(); ++i) {
                if (i > 0) world.out << "\n\n";
                if (!tell(views[i], walk, world)) return;
            }
            return;
        }
        for (const LessonView& view : views) {
            text += head_text(view, walk, 100);
            for (std::size_t i = 0; i < view.steps.size(); ++i) {
                text += question_text(view.steps[i], i + 1, 100) + answer_text(view.steps[i], 100);
            }
            text += end_text(view, 100) + "\n\n";
        }
    } else if (format == "md") {
        text = course_markdown(views, walk, false);
    } else if (format == "html") {
        text = html_course(course_markdown(views, walk, true));
    } else {
        text = to_json(walk).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    if (output) {
        write_file(*output, text);
    } else {
        world.out << text << std::flush;
    }
}

int code_of(const WalkTotals& totals) {
    if (totals.wrong + totals.missed + totals.failed_commands > 0) return exit_wrong;
    return totals.cases > 0 && totals.ok == 0 ? exit_nothing : exit_ok;
}

/// What --format says, or the end of the file's name.
std::string format_for(const Values& values, const std::optional<std::string>& output) {
    std::string usual = "text";
    if (values.count("html") > 0) {
        usual = "html";
    } else if (output) {
        for (const char* one : {"md", "html", "json"}) {
            if (output->ends_with("." + std::string(one))) usual = one;
        }
    }
    const std::string format =
        parse_choice("--format", value_of<std::string>(values, "format").value_or(usual),
                     {"text", "md", "html", "json"});
    if (values.count("html") > 0 && format != "html") {
        throw UsageError("--html and --format say different things.");
    }
    return format;
}

int lesson(const Values& values, World& world) {
    const auto word = value_of<std::string>(values, "lesson");
    const auto output = value_of<std::string>(values, "output");
    const auto from = value_of<std::string>(values, "from");
    const std::string format = format_for(values, output);
    const bool wants_walk =
        from || output || values.count("format") > 0 || values.count("html") > 0;
    if (!word && !wants_walk) {
        for (const char* name : {"device", "seed", "budget"}) {
            if (values.count(name) == 0) continue;
            throw UsageError(
                fmt::format("--{}: of which lesson? 'parallax lesson' lists them.", name));
        }
        return list_lessons(world);
    }
    if (format == "html" && !output && is_terminal(world.out)) {
        throw UsageError("A page is not for a terminal: name a file with -o course.html.");
    }
    if (format == "html") html_course("");  // what the page lacks is said before anything runs

    std::optional<Lesson> own;
    std::vector<const Lesson*> wanted = chosen(word, own);
    for (const Lesson* one : wanted) check_lesson(*one);
    if (values.count("no-questions") > 0 || output || format != "text") world.in = nullptr;

    Walk walk;
    WalkTotals totals;
    int code = exit_ok;
    if (from) {
        for (const char* name : {"device", "seed", "budget"}) {
            if (values.count(name) == 0) continue;
            throw UsageError(
                fmt::format("--{} is for what is run now, and --from shows a file.", name));
        }
        walk = walk_in(*from, wanted, world);
        std::erase_if(wanted, [&](const Lesson* one) {
            return std::ranges::find(walk.lessons, one->name, &WalkedLesson::name) ==
                   walk.lessons.end();
        });
        if (wanted.empty()) {
            throw UsageError(fmt::format("{} holds no walk through {}.", *from,
                                         word && *word != "all" ? *word : "any lesson"));
        }
    } else {
        const bool quiet = values.count("quiet") > 0;
        const std::vector<Entry> entries = entries_for(words_of(values, "device"), quiet, world);
        if (entries.empty()) {
            world.err << "parallax: There is no device to walk on. 'parallax devices' says what is "
                         "missing, and how to get it.\n";
            return exit_nothing;
        }
        const Request within = request_within(values, seconds_a_lesson);
        const InterruptGuard interrupt;
        if (!quiet) {
            world.err << fmt::format("Running what {} on {} before the first question...\n",
                                     wanted.size() == 1 ? "the lesson shows" : "the lessons show",
                                     entries.size() == 1
                                         ? entries[0].info.id()
                                         : fmt::format("{} devices", entries.size()));
        }
        walk = walk_through({.lessons = wanted,
                             .entries = entries,
                             .budget_seconds = within.budget_seconds,
                             .seed = within.seed,
                             .quiet = quiet},
                            world, totals);
        code = code_of(totals);
    }
    std::vector<LessonView> views;
    for (const Lesson* one : wanted) {
        const auto walked = std::ranges::find(walk.lessons, one->name, &WalkedLesson::name);
        views.push_back(view_of(*one, *walked, walk, own_kernels()));
    }
    show(views, walk, format, output, world);
    if (totals.wrong > 0) world.err << "parallax: A case of the walk was wrong or failed.\n";
    if (totals.missed > 0) {
        world.err << "parallax: A kernel that was broken on purpose passed every check on every "
                     "device.\n";
    }
    if (totals.failed_commands > 0) world.err << "parallax: A command of the walk failed.\n";
    return code;
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
            "kernels are broken on purpose: the gate catches them, and you are asked why. All that "
            "a lesson runs is built, checked and measured before its first question, in some "
            "seconds. On a terminal you are asked for your choice; elsewhere the "
            "whole lesson is printed. docs/lessons.md says how a lesson is written.",
        .examples = {"parallax lesson", "parallax lesson transpose",
                     "parallax lesson matvec -d cuda:0 -d opencl:0",
                     "parallax lesson --html -o course.html",
                     "parallax lesson all --format json -o walk.json",
                     "parallax lesson stencil --from walk.json --format md",
                     "parallax lesson stencil --from results/nvidia-h100-80gb-hbm3",
                     "parallax lesson mine.yaml"},
        .positional = {"lesson"},
        .options =
            [](auto add) {
                using Words = std::vector<std::string>;
                add("lesson", po::value<std::string>(),
                    "a name from the list, 'all', or a file of your own that ends with .yaml");
                add("device,d", po::value<Words>()->composing(),
                    "BACKEND, BACKEND:INDEX or BACKEND:NAME; no -d: all");
                add("html", "the same as --format html; without a name, of the whole course");
                add("format", po::value<std::string>(), "text (default), md, html or json");
                add("output,o", po::value<std::string>(), "file to write, and not standard output");
                add("from", po::value<std::string>(),
                    "shows a walk that --format json kept, or the figures of stored records (a "
                    ".jsonl "
                    "file or a folder), and runs nothing");
                add("no-questions", "the whole lesson at once, on a terminal too");
                add("budget", po::value<double>(),
                    "seconds for the cases of each lesson (default 30); small ones run on small "
                    "sizes");
                add("seed", po::value<std::string>(), "of the inputs; none: drawn, and recorded");
                add("quiet", "no progress, no remarks");
            },
        .run = lesson,
    };
}

}  // namespace parallax::cli

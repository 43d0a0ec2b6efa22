// `parallax lesson`: a walk through kernels on the reader's devices, with a question before each
// figure.
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
    Table table({Table::Align::left, Table::Align::left, Table::Align::left});
    for (const Lesson& lesson : lessons()) table.add({lesson.name, lesson.title, lesson.teaches});
    world.out << table.text()
              << "\n'parallax lesson NAME' walks through one, 'parallax lesson all' through all of "
                 "them in this order;\n'parallax lesson --html -o course.html' makes a page of the "
                 "course.\n";
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
    } else if (word->ends_with(".yaml")) {
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

/// Asks for the reader's choice. @returns false when the reader has had enough
bool ask(const StepView& step, World& world, std::pair<unsigned, unsigned>& score) {
    world.out << fmt::format("\n  Your choice, 1 to {} (Enter: none, q: enough): ",
                             step.choices.size())
              << std::flush;
    std::string line;
    if (!std::getline(*world.in, line) || line == "q") return false;
    if (line.empty() || step.right.empty()) return true;
    ++score.second;
    const bool is_right = std::ranges::any_of(
        step.right, [&](std::size_t right) { return line == std::to_string(right + 1); });
    score.first += is_right;
    world.out << (is_right ? "  Yes.\n" : "  No.\n");
    return true;
}

void tell(const LessonView& lesson, const Walk& walk, World& world) {
    const unsigned width = terminal_width();
    world.out << head_text(lesson, walk, width);
    std::pair<unsigned, unsigned> score{0, 0};
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        world.out << question_text(lesson.steps[i], i + 1, width) << std::flush;
        if (world.in && !ask(lesson.steps[i], world, score)) return;
        world.out << answer_text(lesson.steps[i], width);
    }
    world.out << end_text(lesson, width);
    if (score.second > 0) {
        world.out << fmt::format("\nYou predicted {} of {}.\n", score.first, score.second);
    }
}

void show(const std::vector<LessonView>& views, const Walk& walk, const std::string& format,
          const std::optional<std::string>& output, World& world) {
    std::string text;
    if (format == "text") {
        if (!output) {
            for (std::size_t i = 0; i < views.size(); ++i) {
                if (i > 0) world.out << "\n\n";
                tell(views[i], walk, world);
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
    return totals.ok > 0 ? exit_ok : exit_nothing;
}

int lesson(const Values& values, World& world) {
    const auto word = value_of<std::string>(values, "lesson");
    const auto output = value_of<std::string>(values, "output");
    const auto from = value_of<std::string>(values, "from");
    const bool html = values.count("html") > 0;
    const std::string format = parse_choice(
        "--format", value_of<std::string>(values, "format").value_or(html ? "html" : "text"),
        {"text", "md", "html", "json"});
    if (html && format != "html") throw UsageError("--html and --format say different things.");
    if (!word && values.count("format") == 0 && !html && !from) return list_lessons(world);
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
                                         word ? *word : std::string("any lesson of this program")));
        }
    } else {
        const Devices devices = find_devices(world.backends);
        const std::vector<std::string> words = words_of(values, "device");
        const bool quiet = values.count("quiet") > 0;
        for (const std::string& problem : devices.problems) {
            if (words.empty() && !quiet) world.err << problem << "\n";
        }
        const std::vector<Entry> entries = chosen_entries(devices, words);
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
            "a lesson runs is built, checked and measured before its first question, in about "
            "ten seconds on a CPU. On a terminal you are asked for your choice; elsewhere the "
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

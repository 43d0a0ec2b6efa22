// Reads lessons, and says where one is not as docs/reference/lessons.md has it.
#include "studies/lessons/lesson.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "studies/lessons/lesson_item.hpp"

namespace parallax {
namespace {

using Keys = LessonItem::Keys;

const Keys lesson_keys{"order",        "title",  "teaches", "from",
                       "introduction", "on_cpu", "steps",   "exercises"};
const Keys step_keys{"name",    "lines",   "title",   "idea", "run",     "break",
                     "command", "define",  "size",    "type", "over",    "against",
                     "text",    "replace", "predict", "then", "then_cpu"};
const std::vector<std::pair<std::string, Keys>> keys_of_kinds{
    {"run", {"define", "size", "type", "over", "against", "text"}},
    {"break", {"replace"}},
    {"command", {"lines"}}};
const Keys predict_keys{"ask", "of", "api", "bounds", "choices", "right"};
const Keys exercise_keys{"title", "task", "hints", "solution", "run", "define", "size", "type"};
const Keys replace_keys{"find", "by"};
const Keys quantities{"speedup", "slowdown", "share", "ratio", "spread"};

constexpr std::size_t most_bytes = std::size_t{1} << 20;

/// The place of the entry's text among the known words.
template <class Enum>
Enum one_of(const LessonItem& item, const Keys& known) {
    const auto found = std::ranges::find(known, item.text());
    if (found == known.end()) item.fail(fmt::format("there are {}", fmt::join(known, ", ")));
    return static_cast<Enum>(found - known.begin());
}

/// `less than 2 times as fast`, `2 to 4 times as fast`, `more than 4 times as fast`
std::vector<std::string> choices_between(Prediction::Quantity of,
                                         const std::vector<double>& bounds) {
    using enum Prediction::Quantity;
    const std::string_view unit = of == speedup    ? " times as fast"
                                  : of == slowdown ? " times as long"
                                  : of == spread   ? " times"
                                                   : "";
    std::vector<std::string> words;
    for (const double bound : bounds) {
        words.push_back(of == share ? fmt::format("{:g} %", 100 * bound)
                                    : fmt::format("{:g}{}", bound, bound == 1 ? ".0" : ""));
    }
    std::vector<std::string> choices{fmt::format("less than {}{}", words.front(), unit)};
    for (std::size_t i = 1; i < words.size(); ++i) {
        choices.push_back(fmt::format("{} to {}{}", words[i - 1], words[i], unit));
    }
    choices.push_back(fmt::format("more than {}{}", words.back(), unit));
    return choices;
}

Prediction read_prediction(const LessonItem& item, const LessonStep& step) {
    item.mapping(predict_keys);
    Prediction p;
    p.ask = item.need("ask").text();
    const auto of = item.find("of");
    if (const auto api = item.find("api")) {
        one_of<int>(*api, {"opencl", "cuda"});
        p.api = api->text();
        if (!of || of->text() == "ratio") api->fail("only what one API's figures decide has it");
    }
    if (!of) {
        p.choices = item.need("choices").texts(2);
        const LessonItem right = item.need("right");
        const auto number = right.number<int>("the number of the right choice, from 1 on");
        if (number < 1 || static_cast<std::size_t>(number) > p.choices.size()) {
            right.fail(fmt::format("there are choices 1 to {}", p.choices.size()));
        }
        p.right = static_cast<std::size_t>(number - 1);
        return p;
    }
    if (item.has("choices") || item.has("right")) {
        of->fail("with 'of' the choices follow from 'bounds': leave 'choices' and 'right' out");
    }
    p.of = one_of<Prediction::Quantity>(*of, quantities);
    using enum Prediction::Quantity;
    if (step.kind != LessonStep::Kind::run) of->fail("only a 'run' step has figures to go by");
    if ((*p.of == speedup || *p.of == slowdown) && !step.against) {
        of->fail("there is no step before that it could be compared with");
    }
    if (*p.of == spread && step.run.over.empty()) of->fail("only a step with 'over' has points");
    if (*p.of != spread && !step.run.over.empty()) of->fail("of several points it is 'spread'");
    const LessonItem bounds = item.need("bounds");
    for (const LessonItem& bound : bounds.list(1)) {
        const auto value = bound.number<double>("a number");
        if (!(value > 0) || !std::isfinite(value)) bound.fail("write a number above 0");
        if (!p.bounds.empty() && value <= p.bounds.back()) bound.fail("bounds ascend");
        p.bounds.push_back(value);
    }
    p.choices = choices_between(*p.of, p.bounds);
    return p;
}

LessonRun read_run(const LessonItem& item) {
    LessonRun run;
    run.what = item.need("run").text();
    if (const auto define = item.find("define")) run.defines = define->assignments();
    run.size = item.text_or_none("size");
    run.type = item.text_or_none("type");
    return run;
}

std::vector<std::string> words_between_spaces(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        if (end > at) words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

std::string suite_word(const LessonRun& run) {
    return run.what.substr(0, run.what.find('/'));
}

std::size_t earlier_run(const LessonItem& item, const std::vector<LessonStep>& earlier) {
    const auto found = std::ranges::find(earlier, item.text(), &LessonStep::name);
    if (found == earlier.end() || found->kind != LessonStep::Kind::run) {
        item.fail(fmt::format("'{}' is no 'run' step before this one", item.text()));
    }
    return static_cast<std::size_t>(found - earlier.begin());
}

void refuse_keys(const LessonItem& item, const Keys& keys, std::string_view kind) {
    for (const std::string& key : keys) {
        if (item.has(key)) item.fail(fmt::format("'{}' does not go with '{}'", key, kind));
    }
}

void read_run_step(const LessonItem& item, const std::vector<LessonStep>& earlier,
                   LessonStep& step) {
    step.run = read_run(item);
    if (const auto over = item.find("over")) step.run.over = over->assignments();
    if (const auto against = item.find("against")) {
        step.against = earlier_run(*against, earlier);
    } else {
        // Another suite does other work, unless the lesson says that it is the same.
        for (std::size_t i = 0; i < earlier.size(); ++i) {
            const bool same_suite = suite_word(earlier[i].run) == suite_word(step.run);
            if (earlier[i].kind == LessonStep::Kind::run && same_suite) step.against = i;
        }
    }
    if (const auto text = item.find("text")) {
        step.text = one_of<LessonStep::Text>(*text, {"whole", "changes", "none"});
        if (step.text == LessonStep::Text::changes && !step.against) {
            text->fail("there is no step before that the text could differ from");
        }
    }
}

void read_broken_step(const LessonItem& item, const std::vector<LessonStep>& earlier,
                      LessonStep& step) {
    step.kind = LessonStep::Kind::broken;
    step.breaks = earlier_run(item.need("break"), earlier);
    for (const LessonItem& one : item.need("replace").list(1)) {
        one.mapping(replace_keys);
        step.edits.push_back({one.need("find").verbatim(), one.need("by").verbatim(), step.name});
        if (step.edits.back().find.empty()) one.fail("'find' is empty");
    }
}

void read_command_step(const LessonItem& item, LessonStep& step) {
    step.kind = LessonStep::Kind::command;
    step.command = words_between_spaces(item.need("command").text());
    if (step.command.empty()) item.need("command").fail("write the words of a command");
    if (const auto lines = item.find("lines")) {
        const auto count = lines->number<int>("a number of lines");
        if (count < 1) lines->fail("write a number of lines from 1 on");
        step.lines = static_cast<std::size_t>(count);
    }
}

LessonStep read_step(const LessonItem& item, const std::vector<LessonStep>& earlier) {
    item.mapping(step_keys);
    LessonStep step;
    step.name = item.need("name").text();
    if (std::ranges::find(earlier, step.name, &LessonStep::name) != earlier.end()) {
        item.need("name").fail(fmt::format("a step before has the name '{}'", step.name));
    }
    step.title = item.need("title").text();
    step.idea = item.need("idea").text();
    const int kinds = item.has("run") + item.has("break") + item.has("command");
    if (kinds != 1) item.fail("a step has one of 'run', 'break' and 'command'");
    if (item.has("run")) {
        read_run_step(item, earlier, step);
    } else if (item.has("break")) {
        read_broken_step(item, earlier, step);
    } else {
        read_command_step(item, step);
    }
    for (const auto& [own, keys] : keys_of_kinds) {
        for (const auto& [kind, others] : keys_of_kinds) {
            if (kind != own && item.has(own)) refuse_keys(item, others, own);
        }
    }
    step.predict = read_prediction(item.need("predict"), step);
    step.then = item.need("then").text();
    step.then_cpu = item.text_or_none("then_cpu");
    return step;
}

Exercise read_exercise(const LessonItem& item) {
    item.mapping(exercise_keys);
    Exercise exercise;
    exercise.title = item.need("title").text();
    exercise.task = item.need("task").text();
    exercise.hints = item.need("hints").texts(1);
    exercise.solution = item.need("solution").text();
    if (item.has("run")) {
        exercise.run = read_run(item);
    } else {
        refuse_keys(item, {"define", "size", "type"}, "an exercise without run");
    }
    return exercise;
}

}  // namespace

std::size_t choice_of(const Prediction& p, double value) {
    return static_cast<std::size_t>(std::ranges::upper_bound(p.bounds, value) - p.bounds.begin());
}

Lesson parse_lesson(const std::string& name, const std::string& text) {
    const std::string file = name + ".yaml";
    const YAML::Node root = load_yaml(file, text);
    const LessonItem top(file, root, "the lesson");
    top.mapping(lesson_keys);
    Lesson lesson{.name = name,
                  .order = top.need("order").number<int>("a whole number"),
                  .title = top.need("title").text(),
                  .description = top.need("teaches").text(),
                  .introduction = top.need("introduction").text(),
                  .on_cpu = top.need("on_cpu").text(),
                  .from = {},
                  .steps = {},
                  .exercises = {}};
    if (const auto from = top.find("from")) lesson.from = from->texts(1);
    for (const LessonItem& step : top.need("steps").list(1)) {
        lesson.steps.push_back(read_step(step, lesson.steps));
    }
    if (const auto exercises = top.find("exercises")) {
        for (const LessonItem& one : exercises->list(1)) {
            Exercise exercise = read_exercise(one);
            if (std::ranges::find(lesson.exercises, exercise.title, &Exercise::title) !=
                lesson.exercises.end()) {
                one.fail(fmt::format("an exercise before has the title '{}'", exercise.title));
            }
            lesson.exercises.push_back(std::move(exercise));
        }
    }
    return lesson;
}

Lesson read_lesson(const std::string& path) {
    std::string text;
    try {
        text = read_file(path, most_bytes);
    } catch (const UsageError& error) {
        throw UsageError(
            fmt::format("Lesson: {}. A lesson is a file as docs/reference/lessons.md describes it.",
                        error.what()));
    }
    return parse_lesson(std::filesystem::path(path).stem().string(), text);
}

const std::vector<Lesson>& lessons() {
    static const std::vector<Lesson> all = [] {
        std::vector<Lesson> list;
        for (const EmbeddedFile& one : lesson_texts()) {
            list.push_back(parse_lesson(std::filesystem::path(one.name).stem().string(),
                                        std::string(one.text)));
        }
        std::ranges::sort(list, {}, &Lesson::order);
        return list;
    }();
    return all;
}

const Lesson& lesson_named(std::string_view name) {
    const std::vector<Lesson>& all = lessons();
    const auto found = std::ranges::find(all, name, &Lesson::name);
    if (found != all.end()) return *found;
    throw UsageError(fmt::format(
        "There is no lesson '{}'.{} There are: {}. A file of your own is named with '.yaml'.", name,
        did_you_mean(name, names(all)), fmt::join(names(all), ", ")));
}

}  // namespace parallax

// Reads lessons, and says where one is not as docs/reference/lessons.md has it.
#include "studies/lessons/lesson.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

/// A value of another type or range than requested is a UsageError that names the file, the line
/// and the value.
class LessonItem {
public:
    using Keys = std::vector<std::string>;

    /// @param file  must live as long as this does
    LessonItem(const std::string& file, const YAML::Node& node, std::string what)
        : file_(file), node_(node), what_(std::move(what)) {}

    [[noreturn]] void fail(std::string_view why) const;
    /// @throws UsageError when it is no mapping, has an unknown key, or a key twice
    const LessonItem& mapping(const Keys& keys) const;
    std::optional<LessonItem> find(const std::string& key) const;
    bool has(const std::string& key) const { return find(key).has_value(); }
    LessonItem need(const std::string& key) const;
    /// Markdown without markup of HTML, not empty.
    std::string text() const;
    /// The text as it is, with the ends of its lines. It may be empty.
    std::string verbatim() const;
    std::string text_or_none(const std::string& key) const;
    template <class Number>
    Number number(std::string_view what) const {
        Number value{};
        if (!node_.IsScalar() || !YAML::convert<Number>::decode(node_, value)) {
            fail(fmt::format("write {}", what));
        }
        return value;
    }
    std::vector<LessonItem> list(std::size_t least) const;
    std::vector<std::string> texts(std::size_t least) const;
    /// Members as `NAME=VALUE`, a list of values with commas between.
    std::vector<std::string> assignments() const;

private:
    const std::string& file_;
    YAML::Node node_;
    std::string what_;
};

/// Rejects what would expand a short file to a long lesson, and ignored content.
class Scan : public YAML::EventHandler {
public:
    explicit Scan(const std::string& file) : file_(file) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) fail(mark, "a lesson is one document, and this begins another");
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        fail(mark, "no alias (*): write the text once more");
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}

private:
    [[noreturn]] void fail(const YAML::Mark& mark, std::string_view why) const {
        throw UsageError(fmt::format("{}:{}: {}", file_, mark.line + 1, why));
    }

    const std::string& file_;
    int documents_ = 0;
};

/// Whether Markdown holds HTML, or a link that a browser would run. Text in backticks is code.
bool has_markup(const std::string& markdown) {
    bool in_code = false;
    for (std::size_t i = 0; i < markdown.size(); ++i) {
        if (markdown[i] == '`') in_code = !in_code;
        if (in_code || markdown[i] != '<' || i + 1 == markdown.size()) continue;
        const char next = markdown[i + 1];
        if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '/' ||
            next == '!' || next == '?') {
            return true;
        }
    }
    const std::string lower = lower_case(markdown);
    return lower.find("javascript:") != lower.npos || lower.find("data:") != lower.npos ||
           lower.find("vbscript:") != lower.npos;
}

/// The text as people read it: of each quote [[TEXT | SOURCE]] the TEXT
/// (docs/reference/lessons.md).
std::string without_sources(std::string_view text) {
    std::string read;
    for (;;) {
        const std::size_t begin = text.find("[["), end = text.find("]]", begin);
        if (begin == text.npos || end == text.npos) return read.append(text);
        const std::string_view quote = text.substr(begin + 2, end - begin - 2);
        const std::size_t bar = quote.find('|'), last = quote.find_last_not_of(" \n", bar - 1);
        read.append(text.substr(0, begin));
        read.append(bar == quote.npos ? text.substr(begin, end + 2 - begin)
                                      : quote.substr(0, last + 1));
        text.remove_prefix(end + 2);
    }
}

/// A YAML document without aliases, so that every value has one position.
/// @param file  its name, for messages
/// @throws UsageError for any other text
YAML::Node load_yaml(const std::string& file, const std::string& text) {
    try {
        std::istringstream in(text);
        YAML::Parser parser(in);
        Scan scan(file);
        while (parser.HandleNextDocument(scan)) {
        }
        return YAML::Load(text);
    } catch (const YAML::DeepRecursion& error) {
        throw UsageError(fmt::format("{}:{}: nested too deeply", file, error.mark.line + 1));
    } catch (const YAML::Exception& error) {
        throw UsageError(fmt::format("{}:{}: no YAML: {}", file, error.mark.line + 1, error.msg));
    }
}

void LessonItem::fail(std::string_view why) const {
    const YAML::Mark mark = node_.Mark();
    throw UsageError(mark.is_null()
                         ? fmt::format("{}: {}: {}", file_, what_, why)
                         : fmt::format("{}:{}: {}: {}", file_, mark.line + 1, what_, why));
}

const LessonItem& LessonItem::mapping(const Keys& keys) const {
    if (!node_.IsMap()) fail(fmt::format("write keys and values: {}", fmt::join(keys, ", ")));
    Keys seen;
    for (const auto& member : node_) {
        const std::string key = member.first.IsScalar() ? member.first.Scalar() : "";
        if (std::ranges::find(keys, key) == keys.end()) {
            fail(fmt::format("the key '{}' is not known.{} There are {}", printable(key, 60),
                             did_you_mean(key, keys), fmt::join(keys, ", ")));
        }
        if (std::ranges::find(seen, key) != seen.end()) {
            fail(fmt::format("the key '{}' stands twice", key));
        }
        seen.push_back(key);
    }
    return *this;
}

std::optional<LessonItem> LessonItem::find(const std::string& key) const {
    const YAML::Node& node = node_;
    const YAML::Node found = node[key];
    if (!found.IsDefined()) return {};
    return LessonItem(file_, found, key);
}

LessonItem LessonItem::need(const std::string& key) const {
    if (auto item = find(key)) return *item;
    fail(fmt::format("the key '{}' is missing", key));
}

std::string LessonItem::text() const {
    if (!node_.IsScalar()) fail("write a text");
    std::string text = node_.Scalar();
    while (text.ends_with('\n')) text.pop_back();
    if (text.empty()) fail("the text is empty");
    if (has_markup(text)) {
        fail(
            "no HTML, and no link but to http, https or a file: put '<' into backticks, or "
            "write &lt;");
    }
    return without_sources(text);
}

std::string LessonItem::verbatim() const {
    if (!node_.IsScalar()) fail("write a text");
    return node_.Scalar();
}

std::string LessonItem::text_or_none(const std::string& key) const {
    const auto item = find(key);
    return item ? item->text() : "";
}

std::vector<LessonItem> LessonItem::list(std::size_t least) const {
    if (!node_.IsSequence() || node_.size() < least) {
        fail(fmt::format("write a list of {} or more", least));
    }
    std::vector<LessonItem> items;
    for (std::size_t i = 0; i < node_.size(); ++i) {
        items.emplace_back(file_, node_[i], fmt::format("{} {}", what_, i + 1));
    }
    return items;
}

std::vector<std::string> LessonItem::texts(std::size_t least) const {
    std::vector<std::string> texts;
    for (const LessonItem& item : list(least)) texts.push_back(item.text());
    return texts;
}

std::vector<std::string> LessonItem::assignments() const {
    if (!node_.IsMap()) fail("write names and values: {NAME: VALUE}");
    std::vector<std::string> words;
    for (const auto& member : node_) {
        const LessonItem value(file_, member.second, what_);
        std::string list;
        if (member.second.IsSequence()) {
            list = fmt::format("{}", fmt::join(value.texts(1), ","));
        } else {
            list = value.text();
        }
        words.push_back(fmt::format("{}={}", member.first.Scalar(), list));
    }
    return words;
}

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

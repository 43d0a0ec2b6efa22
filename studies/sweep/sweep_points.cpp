// Reads the lists of --over, finds the axes of a search, and makes the case of each point.
#include "studies/sweep/sweep_points.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"
#include "suites/case_words.hpp"

namespace parallax {
namespace {

constexpr std::size_t most_points = 1000;
constexpr std::size_t most_candidates = 50'000;

/// Calls `take` with each word between commas.
void each_word(std::string_view list, const std::function<void(std::string_view)>& take) {
    for (;;) {
        const std::size_t comma = list.find(',');
        take(list.substr(0, comma));
        if (comma == list.npos) return;
        list.remove_prefix(comma + 1);
    }
}

/// A whole number; `2^20` and `64M` too.
std::int64_t parse_value(std::string_view name, std::string_view word) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc{} && end == word.data() + word.size()) return value;
    const bool powers =
        word.starts_with("2^") || word.ends_with('K') || word.ends_with('M') || word.ends_with('G');
    if (powers && word.find('x') == word.npos) {
        const std::uint64_t extent = parse_shape(word)[0];
        if (extent <= INT64_MAX) return static_cast<std::int64_t>(extent);
    }
    throw UsageError(fmt::format(
        "'{}' is no value for {}. A list looks like 32,64,128, like 32..1024 (doubling) or like "
        "32..256+32 (in steps); 2^20 and 64M are numbers too.",
        word, name));
}

void add_range(std::string_view name, std::string_view word, std::vector<std::int64_t>& values) {
    const std::size_t dots = word.find("..");
    const std::size_t plus = word.find('+', dots);
    const std::int64_t first = parse_value(name, word.substr(0, dots));
    const std::int64_t last =
        parse_value(name, word.substr(dots + 2, plus == word.npos ? plus : plus - dots - 2));
    const bool doubles = plus == word.npos;
    const std::int64_t step = doubles ? 0 : parse_value(name, word.substr(plus + 1));
    if (first > last) {
        throw UsageError(fmt::format("{}={}: the range ends before it begins. Write it as {}..{}.",
                                     name, word, last, first));
    }
    if (doubles && first < 1) {
        throw UsageError(
            fmt::format("{}={}: doubling starts at 1 or more. {}..{}+1 goes in steps of one.", name,
                        word, first, last));
    }
    if (!doubles && step < 1) {
        throw UsageError(fmt::format("{}={}: a step is 1 or more.", name, word));
    }
    for (std::int64_t value = first;;) {
        values.push_back(value);
        const std::int64_t next = doubles ? value : step;
        // As unsigned numbers, since the difference of two far ends is more than 63 bits hold.
        const auto left = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(value);
        if (values.size() > most_points || static_cast<std::uint64_t>(next) > left) return;
        value += next;
    }
}

const ConstantSpec* constant_named(const Suite& suite, std::string_view name) {
    const auto found = std::ranges::find(suite.constants, name, &ConstantSpec::name);
    return found == suite.constants.end() ? nullptr : &*found;
}

/// Whether an axis is an extent of the shape.
bool sweeps_extents(const std::vector<Axis>& axes) {
    return std::ranges::any_of(axes, [](const Axis& axis) { return !axis.constant; });
}

void refuse_open_extents(const SweepRequest& request, const std::vector<Axis>& axes) {
    const std::vector<std::string>& dimensions = request.pick.suite->dimensions;
    if (request.shape || !sweeps_extents(axes)) return;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        const bool swept = std::ranges::any_of(
            axes, [&](const Axis& axis) { return !axis.constant && axis.extent.value_or(i) == i; });
        if (swept) continue;
        throw UsageError(fmt::format(
            "How large is {}? Say the whole shape ({}) with -n, of which the swept extent is "
            "replaced; or sweep size, which is every extent.",
            dimensions[i], fmt::join(dimensions, "x")));
    }
}

using Words = std::set<std::string, std::less<>>;

void add_words(const std::vector<Token>& tokens, std::size_t first, Words& words) {
    for (std::size_t i = first; i < tokens.size(); ++i) {
        if (tokens[i].kind == TokenKind::identifier) words.emplace(tokens[i].text);
    }
}

/// The words of a source, and those of the macros that it uses.
Words words_of(std::string_view file, std::string_view text) {
    Words words;
    std::vector<std::vector<Token>> macros;  // of each `#define`: the word, its name, its body
    for (const Token& token : lex(file, text)) {
        if (token.kind == TokenKind::identifier) words.emplace(token.text);
        if (token.kind != TokenKind::directive) continue;
        std::vector<Token> tokens = lex_directive(token);
        if (tokens.size() > 1 && tokens.front().is("define")) {
            macros.push_back(std::move(tokens));
        } else {
            add_words(tokens, 1, words);
        }
    }
    for (bool more = true; more;) {
        more = false;
        std::erase_if(macros, [&](const std::vector<Token>& macro) {
            const bool is_used = words.contains(macro[1].text);
            if (is_used) add_words(macro, 2, words);
            more = more || is_used;
            return is_used;
        });
    }
    return words;
}

/// The words that the case's kernels need, of all sources that it may be built from.
Words words_of(const Case& c, const KernelSource& kernel_source) {
    const std::vector<std::string> kernels = kernels_of(plan_of(c));
    std::vector<std::string> backends{""};
    for (const NativeSource& native : c.variant->natives) backends.push_back(native.backend);
    RunConfig config;
    config.kernel_source = kernel_source;
    Words all;
    for (const std::string& backend : backends) {
        const Program program = program_of(c, config, backend);
        std::string text = program.source;
        // Only in OpenCL C are functions and kernels told apart.
        if (program.language == Language::portable) {
            text = only_kernels(text, kernels).value_or(text);
        }
        all.merge(words_of(program.name, text));
    }
    return all;
}

Case with_value(const Case& c, const std::string& constant, std::int64_t value) {
    Case other = c;
    std::ranges::find(other.constants, constant, &Constant::name)->value = value;
    return with_shape(std::move(other), c.shape);
}

/// Whether the plans of both are there and differ.
bool differ(const Case& a, const Case& b) {
    try {
        return plan_of(a) != plan_of(b);
    } catch (const Error&) {
        return true;
    }
}

/// Whether another value of the constant makes another program of the case: the kernels that it
/// launches, with the functions and macros that they need, have its name, or its plan is another.
bool is_used(const Case& c, const ConstantSpec& spec, const KernelSource& text) {
    if (!spec.is_argument && words_of(c, text).contains(spec.name)) return true;
    return std::ranges::any_of(spec.tuning_values, [&](std::int64_t value) {
        return differ(c, with_value(c, spec.name, value));
    });
}

}  // namespace

std::string Axis::label(std::int64_t value) const {
    if (constant && value >= 0 && static_cast<std::size_t>(value) < constant->choices.size()) {
        return constant->choices[static_cast<std::size_t>(value)];
    }
    return std::to_string(value);
}

std::string SweepPoints::label(const Point& point) const {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        words.push_back(fmt::format("{}={}", axes[i].name, axes[i].label(point.values[i])));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

std::vector<Case> SweepPoints::cases() const {
    std::vector<Case> cases;
    for (const Point& point : points) {
        if (point.the_case) cases.push_back(*point.the_case);
    }
    return cases;
}

std::vector<std::int64_t> parse_values(std::string_view name, std::string_view list) {
    std::vector<std::int64_t> values;
    each_word(list, [&](std::string_view word) {
        if (word.find("..") != word.npos) {
            add_range(name, word, values);
        } else {
            values.push_back(parse_value(name, word));
        }
        if (values.size() > most_points) {
            throw UsageError(fmt::format("{}={}: more than {} values. Choose larger steps.", name,
                                         list, most_points));
        }
    });
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

namespace {

Axis axis_of(const SweepRequest& request, const std::string& word) {
    const Suite& suite = *request.pick.suite;
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
        throw UsageError(
            fmt::format("'--over {}' has no values. It looks like --over GROUP=32..1024.", word));
    }
    Axis axis{.name = word.substr(0, equals), .values = {}, .constant = nullptr, .extent = {}};
    const std::string_view list = std::string_view(word).substr(equals + 1);
    axis.constant = constant_named(suite, axis.name);
    const auto extent = std::ranges::find(suite.dimensions, axis.name);
    if (!axis.constant && extent != suite.dimensions.end()) {
        axis.extent = static_cast<std::size_t>(extent - suite.dimensions.begin());
    }
    if (!axis.constant && !axis.extent && axis.name != "size") {
        throw UsageError(fmt::format(
            "'{}' is neither a constant of {} nor an extent of its shape. There are: {}{}{}; and "
            "size, which is every extent.",
            axis.name, suite.name, fmt::join(names(suite.constants), ", "),
            suite.constants.empty() ? "" : "; ", fmt::join(suite.dimensions, ", ")));
    }
    if (axis.constant && !axis.constant->choices.empty()) {
        each_word(list, [&](std::string_view value) {
            axis.values.push_back(
                parse_define(fmt::format("{}={}", axis.name, value), {request.pick}).value);
        });
    } else {
        axis.values = parse_values(axis.name, list);
    }
    if (std::ranges::find(request.defines, axis.name, &Constant::name) != request.defines.end()) {
        throw UsageError(
            fmt::format("{} is both swept and defined. Leave one of them out.", axis.name));
    }
    return axis;
}

void check_the_rest(const SweepRequest& request) {
    const Suite& suite = *request.pick.suite;
    for (const Constant& define : request.defines) {
        if (constant_named(suite, define.name)) continue;
        throw UsageError(fmt::format("{} has no constant '{}'. There are: {}.", suite.name,
                                     define.name, fmt::join(names(suite.constants), ", ")));
    }
    if (std::ranges::find(suite.types, request.type) == suite.types.end()) {
        std::vector<std::string_view> known;
        for (const ElementType type : suite.types) known.push_back(name_of(type));
        throw UsageError(fmt::format("{} does not run with {}. There are: {}.", suite.name,
                                     name_of(request.type), fmt::join(known, ", ")));
    }
    if (request.shape && request.shape->extents.size() != suite.dimensions.size()) {
        throw UsageError(fmt::format("-n {}: the sizes of {} look like {}.",
                                     to_string(*request.shape), suite.name,
                                     fmt::join(suite.dimensions, "x")));
    }
    if (suite.is_ceiling) {
        throw UsageError(
            fmt::format("The size and the constants of '{}' follow from the device: they cannot be "
                        "swept or tuned.",
                        suite.name));
    }
}

Point point_of(const SweepRequest& request, const std::vector<Axis>& axes,
               std::vector<std::int64_t> values) {
    const Suite& suite = *request.pick.suite;
    const bool open = !request.shape && !sweeps_extents(axes);
    Shape shape = request.shape.value_or(shapes_of(suite, *request.pick.variant).front());
    std::vector<Constant> defines = request.defines;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const Axis& axis = axes[i];
        if (axis.constant) {
            defines.push_back({axis.name, values[i]});
            continue;
        }
        if (values[i] < 1) {
            throw UsageError(
                fmt::format("{}={}: a size counts elements, from 1 on.", axis.name, values[i]));
        }
        for (std::size_t d = 0; d < shape.extents.size(); ++d) {
            if (axis.extent.value_or(d) == d) {
                shape.extents[d] = static_cast<std::uint64_t>(values[i]);
            }
        }
    }
    Point point{.values = std::move(values), .the_case = {}, .refusal = {}};
    try {
        point.the_case =
            make_case(suite, *request.pick.variant, std::move(shape), request.type, defines);
        plan_of(*point.the_case);  // a manifest's sizes and launch configuration are expressions
                                   // that may not evaluate
        if (open) point.the_case->shape = {};
    } catch (const Error& error) {
        point.the_case.reset();
        point.refusal = error.what();
    }
    return point;
}

/// The points of all choices of values, the last axis fastest.
std::vector<Point> points_of(const SweepRequest& request, const std::vector<Axis>& axes,
                             std::size_t most) {
    std::size_t choices = 1;
    for (const Axis& axis : axes) {
        choices *= axis.values.size();
        if (choices <= most) continue;
        throw UsageError(fmt::format(
            "The values of {} make more than {} points: name fewer values with --over, or give "
            "some constants one with --define.",
            fmt::join(names(axes), ", "), most));
    }
    std::vector<Point> points;
    for (std::size_t choice = 0; choice < choices; ++choice) {
        std::vector<std::int64_t> values(axes.size());
        for (std::size_t axis = axes.size(), rest = choice; axis-- > 0;) {
            values[axis] = axes[axis].values[rest % axes[axis].values.size()];
            rest /= axes[axis].values.size();
        }
        points.push_back(point_of(request, axes, std::move(values)));
    }
    return points;
}

[[noreturn]] void refuse_without_axes(const SweepRequest& request) {
    const Suite& suite = *request.pick.suite;
    const std::string name = suite.name + "/" + request.pick.variant->name;
    if (suite.constants.empty()) {
        throw UsageError(fmt::format(
            "{} has no constants, so there is nothing to tune.{}", name,
            suite.manifest.empty()
                ? ""
                : " A manifest declares them under 'constants', with the values to try under "
                  "'worth', and its formulas say how a launch follows from them; in that of a "
                  "captured launch they take the place of a -D in its 'options'."));
    }
    throw UsageError(fmt::format(
        "Nothing says which values of {}'s constants are worth trying. Name them with --over, such "
        "as --over {}=32..1024. There are: {}.",
        name, suite.constants.front().name, fmt::join(names(suite.constants), ", ")));
}

void refuse_axis(const SweepRequest& request, const Axis& axis) {
    const Suite& suite = *request.pick.suite;
    if (!axis.constant) {
        throw UsageError(fmt::format(
            "{} is no constant: constants are tuned for a size, which -n says.", axis.name));
    }
    if (axis.constant->follows) {
        throw UsageError(fmt::format("{} follows from the size: it cannot be chosen.", axis.name));
    }
    // It is not known whether a manifest's constants change the result.
    if (axis.constant->changes_answer && suite.manifest.empty()) {
        throw UsageError(fmt::format(
            "{} changes the answer: with another value it is another problem, and none is better "
            "than the other. 'parallax sweep' shows them side by side.",
            axis.name));
    }
}

std::vector<Axis> axes_of(const SweepRequest& request, const KernelSource& text) {
    const Suite& suite = *request.pick.suite;
    const Variant& variant = *request.pick.variant;
    std::vector<Axis> axes;
    for (const std::string& word : request.over) {
        axes.push_back(axis_of(request, word));
        refuse_axis(request, axes.back());
        const auto given = std::ranges::count(axes, axes.back().name, &Axis::name);
        if (given > 1) {
            throw UsageError(fmt::format("--over {} is given twice.", axes.back().name));
        }
    }
    const Shape shape = request.shape.value_or(shapes_of(suite, variant).front());
    const Case own = with_shape(
        {&suite, &variant, {}, request.type, constants_of(suite, variant, request.defines)}, shape);
    for (const ConstantSpec& spec : suite.constants) {
        const auto has = [&](const auto& list, auto member) {
            return std::ranges::find(list, spec.name, member) != list.end();
        };
        if (spec.tuning_values.empty() || has(axes, &Axis::name) ||
            has(request.defines, &Constant::name) || !is_used(own, spec, text)) {
            continue;
        }
        Axis axis{.name = spec.name, .values = spec.tuning_values, .constant = &spec, .extent = {}};
        axis.values.push_back(own[spec.name]);
        std::ranges::sort(axis.values);
        const auto twice = std::ranges::unique(axis.values);
        axis.values.erase(twice.begin(), twice.end());
        axes.push_back(std::move(axis));
    }
    return axes;
}

}  // namespace

SweepPoints sweep_points(const SweepRequest& request) {
    if (request.over.empty()) {
        throw UsageError("Over what? Name a constant or an extent, such as --over GROUP=32..1024.");
    }
    if (request.over.size() > 2) {
        throw UsageError("A sweep goes over one or two names: leave out the third --over.");
    }
    check_the_rest(request);
    SweepPoints sweep{.suite = request.pick.suite,
                      .variant = request.pick.variant,
                      .type = request.type,
                      .axes = {},
                      .points = {}};
    for (const std::string& word : request.over) sweep.axes.push_back(axis_of(request, word));
    const bool two = sweep.axes.size() == 2;
    if (two && (sweep.axes[0].name == sweep.axes[1].name ||
                (!sweep.axes[0].constant && !sweep.axes[1].constant &&
                 !(sweep.axes[0].extent && sweep.axes[1].extent)))) {
        throw UsageError(fmt::format("--over {} and --over {} are about the same thing.",
                                     sweep.axes[0].name, sweep.axes[1].name));
    }
    refuse_open_extents(request, sweep.axes);
    sweep.points = points_of(request, sweep.axes, most_points);
    return sweep;
}

SweepPoints tune_points(const SweepRequest& request, const KernelSource& text) {
    check_the_rest(request);
    const Suite& suite = *request.pick.suite;
    SweepRequest sized = request;
    sized.shape = request.shape.value_or(shapes_of(suite, *request.pick.variant).front());
    SweepPoints space{.suite = &suite,
                      .variant = request.pick.variant,
                      .type = request.type,
                      .axes = axes_of(sized, text),
                      .points = {}};
    if (space.axes.empty()) refuse_without_axes(request);
    space.points = points_of(sized, space.axes, most_candidates);
    const std::string refusal = space.points.back().refusal;
    space.refused = std::erase_if(space.points, [](const Point& one) { return !one.the_case; });
    if (space.points.empty()) throw UsageError(refusal);
    const std::vector<Constant> usual = constants_of(suite, *request.pick.variant, request.defines);
    const auto own = std::ranges::find_if(space.points, [&](const Point& point) {
        return std::ranges::all_of(usual, [&](const Constant& one) {
            return constant_named(suite, one.name)->follows ||
                   (*point.the_case)[one.name] == one.value;
        });
    });
    if (own != space.points.end()) {
        space.own = static_cast<std::size_t>(own - space.points.begin());
    }
    return space;
}

}  // namespace parallax

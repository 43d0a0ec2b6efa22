// Reads the lists of --over, and makes the case of each point.
#include "studies/sweep/sweep_points.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "measure/verification.hpp"
#include "suites/case_words.hpp"

namespace parallax {
namespace {

constexpr std::size_t most_points = 1000;

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

/// Whether all extents of a point's shape are known.
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
    for (std::string_view rest = list;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view word = rest.substr(0, comma);
        if (word.find("..") != word.npos) {
            add_range(name, word, values);
        } else {
            values.push_back(parse_value(name, word));
        }
        if (values.size() > most_points) {
            throw UsageError(fmt::format("{}={}: more than {} values. Choose larger steps.", name,
                                         list, most_points));
        }
        if (comma == rest.npos) break;
        rest.remove_prefix(comma + 1);
    }
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

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
            "'{}' is neither a constant of {} nor an extent of its shape. There are: {}; {}; and "
            "size, which is every extent.",
            axis.name, suite.name, fmt::join(names(suite.constants), ", "),
            fmt::join(suite.dimensions, ", ")));
    }
    if (axis.constant && !axis.constant->choices.empty()) {
        for (std::string_view rest = list;;) {
            const std::size_t comma = rest.find(',');
            axis.values.push_back(
                parse_define(fmt::format("{}={}", axis.name, rest.substr(0, comma)), {request.pick})
                    .value);
            if (comma == rest.npos) break;
            rest.remove_prefix(comma + 1);
        }
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
        plan_of(*point.the_case);  // a manifest's sizes and geometry are sums that may not come out
        if (open) point.the_case->shape = {};
    } catch (const Error& error) {
        point.the_case.reset();
        point.refusal = error.what();
    }
    return point;
}

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
    const std::vector<std::int64_t> one{0};
    for (const std::int64_t first : sweep.axes[0].values) {
        for (const std::int64_t second : two ? sweep.axes[1].values : one) {
            sweep.points.push_back(point_of(request, sweep.axes,
                                            two ? std::vector{first, second} : std::vector{first}));
        }
    }
    if (sweep.points.size() > most_points) {
        throw UsageError(fmt::format("{} points are more than {}: choose fewer values.",
                                     sweep.points.size(), most_points));
    }
    return sweep;
}

}  // namespace parallax

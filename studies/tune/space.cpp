// Finds a case's axes, and tries every choice of their values.
#include "studies/tune/space.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"

namespace parallax {
namespace {

constexpr std::size_t most_choices = 50'000;

using Words = std::set<std::string, std::less<>>;

void add_words(const std::vector<Token>& tokens, std::size_t first, Words& words) {
    for (std::size_t i = first; i < tokens.size(); ++i) {
        if (tokens[i].kind == TokenKind::identifier) words.emplace(tokens[i].text);
    }
}

/// The words of a text, and those of the macros that it uses.
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

/// Of all texts that the case may be built from, the words that its kernels need.
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

SearchSpace TuneSpace::search_space() const {
    SearchSpace space{.points = {}, .start = own};
    for (const Point& point : candidates.points) {
        std::vector<std::size_t>& place = space.points.emplace_back();
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            const std::vector<std::int64_t>& values = candidates.axes[i].values;
            place.push_back(static_cast<std::size_t>(std::ranges::find(values, point.values[i]) -
                                                     values.begin()));
        }
    }
    return space;
}

bool is_used(const Case& c, const ConstantSpec& spec, const KernelSource& text) {
    if (!spec.is_argument && words_of(c, text).contains(spec.name)) return true;
    return std::ranges::any_of(spec.tuning_values, [&](std::int64_t value) {
        return differ(c, with_value(c, spec.name, value));
    });
}

TuneSpace tune_space(const SweepRequest& request, const KernelSource& text) {
    check_the_rest(request);
    SweepRequest sized = request;
    sized.shape =
        request.shape.value_or(shapes_of(*request.pick.suite, *request.pick.variant).front());
    TuneSpace space{.candidates = {.suite = request.pick.suite,
                                   .variant = request.pick.variant,
                                   .type = request.type,
                                   .axes = axes_of(sized, text),
                                   .points = {}},
                    .own = {},
                    .refused = 0};
    const std::vector<Axis>& axes = space.candidates.axes;
    if (axes.empty()) refuse_without_axes(request);
    std::size_t choices = 1;
    for (const Axis& axis : axes) {
        choices *= axis.values.size();
        if (choices <= most_choices) continue;
        throw UsageError(fmt::format(
            "The values of {} make more than {} choices: name fewer with --over, or say some of "
            "them with --define.",
            fmt::join(names(axes), ", "), most_choices));
    }
    const std::vector<Constant> usual =
        constants_of(*request.pick.suite, *request.pick.variant, request.defines);
    std::string refusal;
    for (std::size_t choice = 0; choice < choices; ++choice) {
        std::vector<std::int64_t> values(axes.size());
        for (std::size_t axis = axes.size(), rest = choice; axis-- > 0;) {
            values[axis] = axes[axis].values[rest % axes[axis].values.size()];
            rest /= axes[axis].values.size();
        }
        Point point = point_of(sized, axes, std::move(values));
        if (!point.the_case) {
            ++space.refused;
            refusal = point.refusal;
            continue;
        }
        const bool is_own = std::ranges::all_of(usual, [&](const Constant& one) {
            const auto spec =
                std::ranges::find(request.pick.suite->constants, one.name, &ConstantSpec::name);
            return spec->follows || (*point.the_case)[one.name] == one.value;
        });
        if (is_own) space.own = space.candidates.points.size();
        space.candidates.points.push_back(std::move(point));
    }
    if (space.candidates.points.empty()) throw UsageError(refusal);
    return space;
}

}  // namespace parallax

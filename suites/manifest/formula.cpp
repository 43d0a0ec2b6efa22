// Evaluates formulas with muParser, restricted to arithmetic.
#include "suites/manifest/formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"

namespace parallax {
namespace {

constexpr std::array<std::string_view, 6> functions{"ceil", "floor", "min", "max", "log2", "sqrt"};
constexpr std::size_t longest = 500, deepest = 50;

double least_of(const double* values, int count) {
    return *std::min_element(values, values + count);
}
double most_of(const double* values, int count) {
    return *std::max_element(values, values + count);
}

mu::Parser parser() {
    mu::Parser parser;
    parser.ClearFun();
    parser.ClearConst();
    parser.ClearPostfixOprt();
    parser.DefineFun("ceil", [](double x) { return std::ceil(x); });
    parser.DefineFun("floor", [](double x) { return std::floor(x); });
    parser.DefineFun("log2", [](double x) { return std::log2(x); });
    parser.DefineFun("sqrt", [](double x) { return std::sqrt(x); });
    parser.DefineFun("min", least_of);
    parser.DefineFun("max", most_of);
    parser.DefineOprt(
        "%", [](double a, double b) { return std::fmod(a, b); }, mu::prMUL_DIV);
    return parser;
}

/// Restricts the library's syntax, which has assignments, powers, conditions and strings, too.
void check_characters(std::string_view formula) {
    if (formula.empty()) throw UsageError("an empty formula; write a number or a name");
    if (formula.size() > longest) {
        throw UsageError(fmt::format("a formula of {} characters; at most {} are read",
                                     formula.size(), longest));
    }
    std::size_t open = 0;
    for (const char c : formula) {
        if (c == '(' && ++open > deepest) {
            throw UsageError(
                fmt::format("a formula with brackets more than {} deep; write less", deepest));
        }
        if (c == ')' && open > 0) --open;
        if (is_letter(c) || is_digit(c) ||
            std::string_view("+-*/%()., ").find(c) != std::string_view::npos)
            continue;
        throw UsageError(fmt::format(
            "'{}' in the formula '{}' is not understood; formulas have numbers, names, + - * / %, "
            "parentheses and {}",
            c, formula, fmt::join(functions, ", ")));
    }
}

/// @param index  the name of the counter, or null
void each_value(std::string_view formula, const FormulaNames& names, std::uint64_t count,
                const char* index, const std::function<void(std::uint64_t, double)>& take) {
    check_characters(formula);
    mu::Parser arithmetic = parser();
    FormulaNames variables = names;  // the library requires non-const addresses
    if (index) variables[index] = 0;
    try {
        for (auto& [name, value] : variables) arithmetic.DefineVar(name, &value);
        arithmetic.SetExpr(std::string(formula));
        double* counts = index ? &variables[index] : nullptr;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (counts) *counts = static_cast<double>(i);
            int results = 0;
            const double* values = arithmetic.Eval(results);
            if (results != 1) {
                throw UsageError(fmt::format("'{}' is {} formulas; write one", formula, results));
            }
            if (!std::isfinite(values[0])) {
                throw UsageError(
                    fmt::format("'{}' has no finite value here (is something divided by zero?){}",
                                formula, counts ? fmt::format(" for i = {}", i) : ""));
            }
            take(i, values[0]);
        }
    } catch (const mu::Parser::exception_type& error) {
        std::vector<std::string_view> known;
        for (const auto& [name, value] : variables) known.push_back(name);
        std::string said = error.GetMsg();
        while (said.ends_with('.') || said.ends_with('\n')) said.pop_back();
        if (const std::string& token = error.GetToken();
            is_formula_name(token) && !variables.contains(token))
            said = fmt::format("'{}' is not known, and a formula reads no buffer", token);
        throw UsageError(
            fmt::format("'{}': {}; the names here are {}", formula, said,
                        known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
}

}  // namespace

bool is_formula_name(std::string_view name) {
    return !name.empty() && is_letter(name.front()) && name.size() <= 64 &&
           std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); }) &&
           std::ranges::find(functions, name) == functions.end();
}

double formula_value(std::string_view formula, const FormulaNames& names) {
    double value = 0;
    each_value(formula, names, 1, nullptr, [&](std::uint64_t, double one) { value = one; });
    return value;
}

void formula_each(std::string_view formula, const FormulaNames& names, std::uint64_t count,
                  const std::function<void(std::uint64_t, double)>& take) {
    each_value(formula, names, count, "i", take);
}

std::int64_t formula_count(std::string_view formula, const FormulaNames& names, std::int64_t least,
                           std::int64_t most) {
    const double value = formula_value(formula, names);
    if (value != std::floor(value)) {
        throw UsageError(fmt::format(
            "'{}' is {:g}, and a whole number is needed; write ceil(...) or floor(...), or choose "
            "sizes that divide",
            formula, value));
    }
    if (value < static_cast<double>(least) || value > static_cast<double>(most)) {
        throw UsageError(
            fmt::format("'{}' is {:.17g}, and {} to {} is possible", formula, value, least, most));
    }
    return static_cast<std::int64_t>(value);
}

}  // namespace parallax

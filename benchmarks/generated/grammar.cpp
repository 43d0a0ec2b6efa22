// Generates code by the rules of grammar.txt: expressions of an exact type with known values,
// statements, and the declarations before them.
#include "benchmarks/generated/grammar.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/embedded_file.hpp"
#include "common/text/text_lines.hpp"

namespace parallax {

std::span<const EmbeddedFile> embedded_grammar();

namespace generated {
namespace {

constexpr Type scalar_int{Base::i32}, scalar_uint{Base::u32}, scalar_ulong{Base::u64};
/// Marks macros without parentheses (`bare` in grammar.txt).
constexpr Type bare{Base::u32, 0};

/// A parameter of a macro or a function.
struct Parameter {
    Type type;
    Range range;
    enum { converted, exact, any_scalar, any_integer } kind = converted;
};
/// A line of grammar.txt; or a call with its parameters for the operands `$b0`, and its values.
struct Rule {
    std::vector<std::string> when;
    std::string pattern, values = {};
    std::vector<Parameter> parameters = {};
    std::optional<Range> range = {};
    char level = 0;                ///< 0: from its pattern
    bool names_variables = false;  ///< of kernels
};
using Rules = std::vector<Rule>;

struct Name {
    std::string text;
    Type type;
    Range range;
    bool can_change = true;
    char level = 'p';
    bool is_enum = false, is_part = false;
};
struct Compound {
    std::string name;
    std::vector<std::pair<std::string, Type>> members;
    bool is_union = false;
};

std::vector<std::string> split(std::string_view text, std::string_view by) {
    std::vector<std::string> parts;
    for (std::size_t at = text.find_first_not_of(' '); at < text.size();) {
        const std::size_t end = std::min(text.find(by, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = text.find_first_not_of(' ', end);
    }
    return parts;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

const Rules& rules(const std::string& section) {
    static const std::map<std::string, Rules> all = [] {
        std::map<std::string, Rules> read;
        Rules* into = nullptr;
        for (const std::string_view line : lines_of(embedded_grammar().front().text)) {
            if (line.starts_with('[')) into = &read[std::string(line.substr(1, line.size() - 2))];
            if (line.empty() || line.starts_with('#') || line.starts_with('[')) continue;
            std::vector<std::string> columns = split(line, "  ");
            if (!into || columns.size() < 2) throw Error("grammar.txt: " + std::string(line));
            columns.resize(3);
            into->push_back(
                {split(columns[0], " "), replaced(columns[1], "\\n", "\n"), columns[2]});
        }
        return read;
    }();
    return all.at(section);
}

/// All values of an integer; for floats those of variables.
Range limits(Type type) {
    if (type.is_bool()) return {0, 1};
    if (type.is_float()) return {-128, 127, 2};
    // Slightly less than 64 bits, which a double cannot hold.
    const double all =
        type.bits() == 64 ? 0x1.fffffp63 : std::ldexp(1, static_cast<int>(type.bits()));
    if (type.is_unsigned()) return {0, all - 1};
    return {-all / 2, all / 2 - 1};
}

/// The values of changing variables, with room for a step or two.
Range usual_range(Type type) {
    return type.is_signed() ? Range{-128, 127} : limits(type);
}

/// The type in which C computes with both; for scalars only.
Type common_type(Type a, Type b) {
    if (a.is_float() || b.is_float())
        return {a.base == Base::f64 || b.base == Base::f64 ? Base::f64 : Base::f32};
    const auto promoted = [](Type one) { return one.bits() < 32 ? Base::i32 : one.base; };
    return {std::max(promoted(a), promoted(b))};
}

/// The values of `node` converted to `to`; nothing where they do not fit, which is undefined.
std::optional<Range> as(const Node& node, Type to) {
    Range range = node.range;
    // A bool that becomes a vector has all bits set.
    if (node.type.is_bool() && to.width > 1) range = {-1, 0};
    if (to.is_float())
        return node.type.is_float() || range.is_exact() ? std::optional(range) : std::nullopt;
    if (to.is_bool()) return Range{0, 1};
    const Range all = limits(to);
    if (!node.type.is_float()) return range.is_in(all) ? range : all;
    if (range.low <= all.low - 1 || range.high >= all.high + 1) return {};
    return Range{std::trunc(range.low), std::trunc(range.high)};
}

Node expression(Type type, const Range& range, char level, std::string pattern,
                std::vector<Node> parts = {}) {
    return {std::move(pattern), std::move(parts), true, level, type, range};
}

/// An enum is no exact match for a function's parameter.
Node of_own_type(Node node) {
    if (!node.is_enum) return node;
    const Type type = node.type;
    const Range range = node.range;
    return expression(type, range, 'n', "+$n-", {std::move(node)});
}

/// The precedence of an operator: its first operand's, or that of functions and casts.
char level_of(std::string_view pattern) {
    if (pattern.find(" ? ") != pattern.npos) return 'c';
    if (is_letter(pattern.front()) && !pattern.starts_with("sizeof")) return 'o';
    return pattern.front() == '$' ? pattern[1] : 'n';
}

/// The values of a result; nothing: it would be undefined, or rounded.
std::optional<Range> values_of(std::string_view rule, Type type,
                               const std::vector<Node>& operands) {
    const Range all = limits(type), truth{type.width > 1 ? -1.0 : 0.0, type.width > 1 ? 0.0 : 1.0};
    const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::find(words, rule) != words.end();
    };
    if (rule == "all") return all;
    if (rule == "truth") return truth;
    if (const std::size_t dots = rule.find(".."); dots != rule.npos)
        return Range{std::stod(std::string(rule.substr(0, dots))),
                     std::stod(std::string(rule.substr(dots + 2))), type.is_float() ? 2 : 0};
    std::vector<Range> of;
    for (const Node& one : operands) {
        const auto range = as(one, rule == "splat" ? type : type.element());
        // A condition is not one of the result's values.
        const bool is_condition =
            operands.size() == 3 && rule == "join" && &one == &operands.front();
        if (range) of.push_back(*range);
        if (!range && !is_condition) return {};
    }
    if (of.empty()) return {};
    const Range a = of.front(), b = of.back();
    Range made = a;
    const double most = std::max(a.largest(), b.largest());
    const auto corners =
        std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    const double low = std::min(corners.first, 0.0), high = std::max(corners.second, 0.0);
    const bool is_positive = a.low >= 0 && b.low >= 0;
    const double bits = std::min(all.high, std::exp2(std::ceil(std::log2(most + 1))) - 1);
    const std::map<std::string_view, Range> made_of{
        {"sum", {a.low + b.low, a.high + b.high}},
        {"difference", {a.low - b.high, a.high - b.low}},
        {"fused", {-most * most - most, most * most + most}},
        {"product", {low, high}},
        {"dot", {4 * low, 4 * high}},
        {"and", is_positive ? Range{0, std::min(a.high, b.high)} : all},
        {"bits", is_positive ? Range{0, bits} : all},
        {"right", {std::min(a.low, type.is_signed() ? -1.0 : 0.0), std::max(a.high, 0.0)}},
        {"quotient", {a.low < 0 ? -a.largest() : 0, a.largest()}},
        {"rest", {a.low < 0 ? -7.0 : 0, 7}},
        {"half", {a.low / 2, a.high / 2}},
        {"four", {4 * a.low, 4 * a.high}},
        {"minus", {-a.high, -a.low}},
        {"not", {-1 - a.high, -1 - a.low}},
        {"near", {-most - 1, most + 1}},
    };
    if (const auto found = made_of.find(rule); found != made_of.end()) made = found->second;
    if (rule == "join") {
        for (const Range& one : of) made = made.joined(one);
    }
    if (rule == "convert" && operands[0].type.is_float()) {
        made = {std::floor(a.low) - 1, std::ceil(operands[0].range.high) + 1};
        if (!type.is_float() && !made.is_in(all)) return {};
    }
    if (type.is_float()) {
        made.places = is_one_of({"product", "fused", "dot"}) ? a.places + b.places
                                                             : std::max(a.places, b.places);
        if (rule == "half") ++made.places;
        made.minus_zero = !is_one_of({"join", "cast", "splat", "convert"}) || a.minus_zero ||
                          b.minus_zero || operands.size() > 2;
        return made.is_exact() ? std::optional(made) : std::nullopt;
    }
    if (made.is_in(all)) return made;
    const bool wraps = type.is_unsigned() || is_one_of({"cast", "splat", "join", "convert"});
    return wraps ? std::optional(all) : std::nullopt;
}

class Grammar {
public:
    Grammar(std::uint64_t seed, const Dialect& dialect)
        : random_(seed), seed_(seed), dialect_(dialect) {}

    File file(std::size_t kernels) {
        palette_ = {scalar_int, scalar_uint, {Base::f32}};
        for (unsigned i = 0; i < 3; ++i) palette_.push_back(integer());
        if (chance(40)) palette_.push_back({Base::boolean});
        if (dialect_.has_double && has("double")) {
            palette_.push_back({Base::f64});
            add_item({"double", "double2", "double3", "double4", "double8", "double16"},
                     {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"});
        }
        static const std::vector<unsigned> widths{2, 3, 4, 4, 4, 8, 16};
        for (unsigned i = 0; i < 4; ++i) {
            const Type of = chance(25) ? integer() : any_scalar();
            if (of.is_bool()) continue;
            palette_.push_back(of.with(random_.pick(widths)));
            if (palette_.back().width > 3 && chance(50))
                palette_.push_back(of.with(palette_.back().width / 2));
        }
        add_reads();
        for (unsigned i = random_.below(4); i > 0; --i) add_type_name();
        for (unsigned i = has("enums") ? 1 + random_.below(2) : 0; i > 0; --i) add_enum();
        for (unsigned i = random_.below(3); i > 0; --i) add_struct();
        for (unsigned i = random_.below(3); i > 0; --i) add_table();
        for (unsigned i = random_.below(7); i > 0; --i)
            has("?bare") && chance(40) ? add_callable("macros", fresh("W"), bare)
            : chance(40)               ? add_callable("open macros", fresh("M"), any_type())
                                       : add_callable("macros", fresh("M"), any_type());
        for (unsigned i = random_.below(4); i > 0; --i)
            has("overloads") && chance(70) ? add_overloads()
                                           : add_callable("helpers", fresh("h"), any_type());
        for (unsigned i = random_.below(3); i > 0; --i)
            add_callable("macros", fresh("M"), any_type());
        for (unsigned i = random_.below(3); i > 0; --i) {
            const std::string name = fresh("M");
            const Rule& rule = random_.pick(rules("statement macros"));
            add_item({name}, {replaced(rule.pattern, "@1", name)});
            for (int weight = 0; weight < 3; ++weight)
                changes_.push_back({rule.when, replaced(rule.values, "@1", name)});
        }
        for (std::size_t i = 0; i < kernels; ++i) file_.kernels.push_back(kernel());
        return std::move(file_);
    }

private:
    bool chance(unsigned percent) { return random_.chance(percent); }
    Type any_type() { return random_.pick(palette_); }
    Type any_scalar() { return any_type().element(); }
    Type integer() { return {static_cast<Base>(random_.below(8))}; }
    std::string fresh(std::string_view start) { return fmt::format("{}{}", start, next_++); }

    /// Whether the file uses a rare feature, so that a fault of one does not hide all others.
    bool has(std::string_view rare) const {
        std::uint64_t hash = seed_;
        for (const char c : rare) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        return Random(hash).chance(35);
    }

    std::string spelled(Type type) {
        std::vector<std::string> known;
        for (const auto& [of, name] : type_names_) {
            if (of == type) known.push_back(name);
        }
        if (!known.empty() && chance(60)) return random_.pick(known);
        if (type == scalar_uint && chance(20)) return chance(50) ? "unsigned" : "unsigned int";
        if (type == scalar_ulong && has("size_t") && chance(60)) return "size_t";
        return type == bare ? "uint" : type.name();
    }

    const Rule* pick(const Rules& of, Type type, const Name* variable = nullptr) {
        std::set<std::string> facts{type.name(),
                                    "=" + type.name(),  // a call's
                                    std::to_string(type.bits()),
                                    fmt::format("x{}", type.width),
                                    type.width > 1 ? "vector" : "scalar",
                                    type.is_float() ? "float" : "integer",
                                    type.is_signed()     ? "signed"
                                    : type.is_unsigned() ? "unsigned"
                                                         : "unordered",
                                    type != bare ? "-" : "bare",
                                    dialect_.platform,
                                    "integers"};
        if (type.width > 1 || type.bits() >= 32) facts.insert("wide");
        if (variable && variable->is_part) facts.insert("part");
        const bool is_whole = variable && limits(type).is_in(variable->range);
        if (is_whole || type.is_signed()) facts.insert(is_whole ? "whole" : "small");
        const bool is_own = type == bare || type.is_bool();
        std::vector<const Rule*> found;
        for (const Rule& one : of) {
            if (one.names_variables && is_in_function_) continue;
            bool is = !is_own || std::ranges::any_of(one.when, [&](const std::string& word) {
                return word == type.name() || word == "=" + type.name() ||
                       word == (type == bare ? "bare" : "-");
            });
            for (const std::string& word : one.when)
                is = is && (word.front() == '!'   ? !facts.contains(word.substr(1))
                            : word.front() == '?' ? has(word)
                                                  : facts.contains(word));
            if (is) found.push_back(&one);
        }
        return found.empty() ? nullptr : random_.pick(found);
    }

    /// The pattern with one of the words in each `{a b}`, and with the type filled in.
    std::string filled(std::string pattern, Type type) {
        for (std::size_t open = 0; (open = pattern.find('{', open)) != pattern.npos; ++open) {
            // A block's brace begins a line, or is followed by a blank.
            if (pattern[open + 1] == ' ' || pattern[open + 1] == '\n') continue;
            const std::size_t close = pattern.find('}', open);
            const auto all =
                split(std::string_view(pattern).substr(open + 1, close - open - 1), " ");
            pattern.replace(open, close - open + 1, random_.pick(all));
        }
        pattern = replaced(std::move(pattern), "@t", spelled(type));
        pattern = replaced(std::move(pattern), "@n", type.name());
        pattern = replaced(std::move(pattern), "@e", type.element().name());
        pattern = replaced(std::move(pattern), "@v", spelled(any_type()));
        pattern = replaced(std::move(pattern), "@w", std::to_string(type.width));
        for (std::size_t at = 0; (at = pattern.find("@i", at)) != pattern.npos;)
            pattern.replace(at, 2, fmt::format("in[{}]", random_.below(inputs)));
        return pattern;
    }

    // ---- expressions

    /// A smaller expression of the same type.
    Node narrowed(Node node) {
        const Type type = node.type;
        if (type.is_float() || type.is_bool()) return literal(type, {0, 9});
        const std::string name = spelled(type.width > 1 && chance(50) ? type.element() : type);
        const Range small{0, 127};
        if (type.width > 1)
            return expression(type, small, 'h', fmt::format("$h- & ({})127", name),
                              {std::move(node)});
        if (common_type(type, scalar_int) != type)
            return expression(type, small, 'n', fmt::format("({})($h- & 127)", name),
                              {std::move(node)});
        if (type.is_signed() && chance(50))
            return expression(type, {-99, 99}, 'm', "$m- % 100", {std::move(node)});
        return expression(type, small, 'h', "$h- & 127", {std::move(node)});
    }

    Node literal(Type type, const Range& wanted) {
        const bool is_small = type.width != 1;
        const auto low = static_cast<int>(std::ceil(std::max(wanted.low, is_small ? 0.0 : -200.0)));
        const auto high =
            static_cast<int>(std::floor(std::min(wanted.high, is_small ? 9.0 : 200.0)));
        const int number =
            low +
            static_cast<int>(random_.below(static_cast<std::size_t>(std::max(high - low, 0)) + 1));
        const Rule* rule = nullptr;
        do {
            rule = pick(rules("literals"), type);
        } while ((rule->values == "all" && !limits(type).is_in(wanted)) ||
                 (rule->pattern == "'#'" && (number < 'a' || number > 'z')));
        const std::string_view sign = number < 0 ? "-" : "";
        const int size = std::abs(number);
        std::string text = filled(rule->pattern, type);
        text = replaced(std::move(text), "'#'", fmt::format("'{}'", static_cast<char>(number)));
        text = replaced(std::move(text), "0x#", fmt::format("{}0x{:x}", sign, size));
        text = replaced(std::move(text), "0#", fmt::format("{}0{:o}", sign, size));
        text = replaced(std::move(text), "#", fmt::format("{}{}", sign, size));
        const auto exact = static_cast<double>(number);
        const bool is_tight = text.front() != '-' && text.front() != '(';
        const Range range = rule->values == "all" ? limits(type) : Range{exact, exact};
        return expression(type, range, is_tight ? 'p' : 'n', text);
    }

    Node leaf(Type type) {
        std::vector<const Name*> found;
        for (const Name& one : names_) {
            if (one.type == (type == bare ? scalar_uint : type) &&
                (type != bare || one.level == 'p'))
                found.push_back(&one);
        }
        if (found.empty() || chance(20)) return literal(type, limits(type));
        const Name& one = *random_.pick(found);
        Node node = expression(type, one.range, one.level, one.text);
        node.is_enum = one.is_enum && type != bare;
        return node;
    }

    /// An expression that converts to `to` without a cast, with values in the range.
    Node fitting(Type to, const Range& wanted, int depth) {
        for (int tries = 0; tries < 4; ++tries) {
            Node node = value(to.width > 1 || chance(60) ? to : any_scalar(), depth);
            for (int again = 0; again < 2; ++again) {
                const auto range = as(node, to);
                if (range && range->is_in(wanted)) return node;
                if (node.type.is_float() || node.type.is_bool()) break;
                node = narrowed(std::move(node));
            }
        }
        return literal(to, wanted);
    }

    Node value(Type type, int depth) {
        for (int tries = 0; depth > 0 && tries < 6 && !chance(5); ++tries) {
            const unsigned kind = random_.below(100);
            std::optional<Node> made;
            if (kind < 10 && type.width > 1) {
                made = parts(type, depth - 1);
            } else {
                const Rules& of = kind < 55   ? rules("operators")
                                  : kind < 72 ? rules("functions")
                                              : calls_;
                if (const Rule* rule = pick(of, type)) made = by_rule(*rule, type, depth - 1);
            }
            if (!made) continue;
            made->in_parentheses = chance(type == bare ? 15 : 25);
            return *made;
        }
        return leaf(type);
    }

    /// The type of a rule's operand, by its letter.
    std::optional<Type> operand_type(char what, Type type) {
        const bool is_coin = chance(50);
        const auto resized = [](Type of, int by) {
            of.base = static_cast<Base>(static_cast<int>(of.base) + by);
            return of;
        };
        const auto computes = [&](Type other) {
            return common_type(type, other) == type ? other : type;
        };
        const auto number = [](Type of, Type other) { return of.is_bool() ? other : of; };
        std::vector<Type> found;
        switch (what) {
            case 'o':
                if (type.width > 1) return chance(70) ? type : type.element();
                return computes(is_coin ? any_scalar() : integer());
            case 'd': return computes(integer());
            case 'e': return type.element();
            case 'p':
                return type == scalar_int && is_coin
                           ? resized({Base::i8}, static_cast<int>(random_.below(4)))
                           : type;
            case 's': return type.as_integer(true);
            case 'u': return type.as_integer(false);
            case 'i': return type.as_integer(is_coin);
            case 'f': return Type{Base::f32, type.width};
            case 'h': return resized(type, -2);
            case 'H': return resized(type.as_integer(false), -2);
            case 'r':
                if (type.width == 1 || type.width == 3 || type.bits() == 64 || is_coin)
                    return type.as_integer(chance(50));
                return resized(type.as_integer(chance(50)), 2).with(type.width / 2);
            case 'a': return any_scalar();
            case 'c': return integer();
            case 'q': return number(any_scalar(), integer());
            case 'y': return Type{Base::boolean};
            case 'v': return any_type();
            case 'x': return number(any_scalar(), type.element()).with(type.width);
            case 'k': return type.width == 1 ? integer() : is_coin ? type : type.element();
            case 'V': return type.with(2 + random_.below(3));
            case 'W':
                std::ranges::copy_if(palette_, std::back_inserter(found), [&](Type one) {
                    return one.base == type.base && one.width > 1;
                });
                return found.empty() ? std::nullopt : std::optional(random_.pick(found));
            case 'L': return bare;
            default: return type;
        }
    }

    std::optional<Node> operand(char what, Type type, int depth) {
        if (what == '#') return literal(type, usual_range(type));
        if (what == 'k' && type.width == 1 && chance(50)) return literal(scalar_int, {0, 70});
        const auto of = operand_type(what, type);
        if (!of) return {};
        Node node = value(*of, what == 'L' ? depth + 1 : depth);
        if (what == 'S') return narrowed(std::move(node));
        if (what != 'T' || !node.range.minus_zero) return node;
        // Between -0 and 0 either may be the smaller one.
        const Range range{node.range.low, node.range.high, node.range.places};
        return expression(type, range, 'l', type.base == Base::f32 ? "$l- + 0.0f" : "$l- + 0.0",
                          {std::move(node)});
    }

    std::optional<Node> argument(const Parameter& parameter, int depth) {
        if (parameter.kind == Parameter::converted)
            return fitting(parameter.type, parameter.range, depth);
        // A macro's parameter has the type of its argument.
        Node made = value(parameter.kind == Parameter::exact         ? parameter.type
                          : parameter.kind == Parameter::any_integer ? integer()
                                                                     : any_scalar(),
                          depth);
        for (int tries = 0; !made.range.is_in(parameter.range); ++tries) {
            if (tries > 1) return {};
            made = narrowed(std::move(made));
        }
        return made;
    }

    std::optional<Node> by_rule(const Rule& rule, Type type, int depth) {
        std::string pattern = filled(rule.pattern, type);
        const char level = rule.level != 0 ? rule.level : level_of(pattern);
        const bool is_call = pattern.ends_with(")") && is_letter(pattern.front());
        std::vector<Node> operands;
        Type own = type;
        for (std::size_t at = 0; (at = pattern.find('$', at)) != pattern.npos; ++at) {
            char what = pattern[at + 2];
            if (what == 'V' && !operands.empty()) own = operands.front().type, what = 't';
            auto one = is_digit(what)
                           ? argument(rule.parameters[static_cast<std::size_t>(what - '0')], depth)
                           : operand(what, own, depth);
            if (!one) return {};
            operands.push_back(is_call ? of_own_type(std::move(*one)) : std::move(*one));
        }
        if (pattern.ends_with("@c"))
            pattern.replace(pattern.size() - 2, 2,
                            components(operands.front().type.width, type.width, false));
        names_variables_ = names_variables_ || rule.names_variables;
        for (int tries = 0; tries < 3; ++tries) {
            if (const auto range = rule.range ? rule.range : values_of(rule.values, type, operands))
                return expression(type, *range, level, pattern, std::move(operands));
            if (type.is_float() && rule.values != "cast" && rule.values != "splat") return {};
            for (Node& one : operands) {
                if (tries == 0 || one.range.largest() > 127) one = narrowed(std::move(one));
            }
        }
        return {};
    }

    /// `count` components of a vector of that width. @param is_set  without duplicates
    std::string components(unsigned width, unsigned count, bool is_set) {
        static const std::vector<std::string> halves{"lo", "hi", "even", "odd"};
        if (width != 3 && count * 2 == width && chance(50)) return random_.pick(halves);
        if (count == 1 && width > 3 && chance(20))  // components of components
            return random_.pick(halves) + "." + components(width / 2, 1, is_set);
        const bool by_letters = width <= 4 && chance(70);
        std::string names = by_letters ? "" : chance(70) ? "s" : "S";
        const unsigned first = random_.below(width - std::min(count, width) + 1);
        for (unsigned i = 0; i < count; ++i) {
            const unsigned one = is_set ? first + i : random_.below(width);
            names += by_letters   ? "xyzw"[one]
                     : chance(80) ? "0123456789abcdef"[one]
                                  : "0123456789ABCDEF"[one];
        }
        return names;
    }

    /// A vector of scalars and smaller vectors.
    Node parts(Type type, int depth) {
        std::vector<Node> all;
        std::string pattern;
        std::optional<Range> range;
        for (unsigned left = type.width; left > 0;) {
            Type of = chance(70) ? type.element() : any_scalar();
            for (const Type one : palette_) {
                if (one.base == type.base && one.width > 1 && one.width < type.width &&
                    one.width <= left && chance(30))
                    of = one;
            }
            Node a = value(of, type.width > 4 ? 0 : depth);
            auto own = as(a, type.element());
            if (!own) a = literal(type.element(), {0, 9}), own = a.range;
            range = range ? range->joined(*own) : *own;
            pattern += pattern.empty() ? "$b-" : ", $b-";
            left -= a.type.width;
            all.push_back(std::move(a));
        }
        return expression(type, *range, 'n', fmt::format("({})({})", spelled(type), pattern),
                          std::move(all));
    }

    // ---- statements

    /// A statement by a rule, with the variable or the number for `%`.
    Node written(const Rule& rule, Type type, const Name& variable, int depth) {
        const std::string counter = fresh("n");
        const bool counts = rule.pattern.find("int @1") != std::string::npos;
        Node made{replaced(replaced(rule.pattern, "%", variable.text), "@1", counter)};
        made.pattern = filled(made.pattern, type);
        if (!made.pattern.ends_with('\n')) made.pattern += '\n';
        if (counts)
            names_.push_back(
                {counter,
                 rule.pattern.find("uint @1") == std::string::npos ? scalar_int : scalar_uint,
                 {0, 2},
                 false});
        for (std::size_t at = 0; (at = made.pattern.find('$', at)) != std::string::npos; ++at) {
            const char what = made.pattern[at + 2];
            made.parts.push_back(what == 'B' || what == 'D' ? statements(depth, what == 'D')
                                 : what == '='              ? fitting(type, variable.range, 2)
                                                            : *operand(what, type, 2));
        }
        std::erase_if(names_, [&](const Name& one) { return one.text == counter; });
        return made;
    }

    void add_array(const std::string& name, Type type, bool can_change) {
        const Range range = usual_range(type);
        calls_.push_back({.when = {"=" + type.name()},
                          .pattern = name + "[$hc & 3]",
                          .range = range,
                          .level = 'o'});
        const unsigned count = 2U << random_.below(2);
        if (type.width == 1 && !type.is_bool())
            calls_.push_back({.when = {"=" + type.with(count).name()},
                              .pattern = fmt::format("vload{}(0, {})", count, name),
                              .range = range});
        if (can_change)
            names_.push_back(
                {fmt::format("{}[{}]", name, random_.below(4)), type, range, true, 'o'});
    }

    Node declaration() {
        const std::string name = fresh("v");
        const unsigned kind = random_.below(12);
        std::vector<Name> found;
        std::ranges::copy_if(names_, std::back_inserter(found),
                             [](const Name& one) { return one.can_change && one.level == 'p'; });
        if (kind == 7 && has("pointers") && !found.empty()) {
            const Name one = random_.pick(found);
            names_.push_back({"*" + name, one.type, one.range, true, 'n'});
            return {fmt::format("{}* {} = &{};\n", spelled(one.type), name, one.text)};
        }
        if (kind == 8 && !compounds_.empty()) {
            const Compound one = random_.pick(compounds_);
            Node made;
            std::string all;
            std::vector<Name> members;
            for (const auto& [member, type] : one.members) {
                const Range range = one.is_union ? limits(type) : usual_range(type);
                members.push_back({name + "." + member, type, range, true, 'o'});
                if (one.is_union && !all.empty()) continue;
                all += all.empty() ? "$b-" : ", $b-";
                made.parts.push_back(fitting(type, range, 1));
            }
            std::ranges::move(members, std::back_inserter(names_));
            made.pattern = fmt::format("{} {} = {{{}}};\n", one.name, name, all);
            return made;
        }
        if (kind == 9 && !enums_.empty()) {
            const Name one = random_.pick(enums_);  // its text: the type, and the first enumerator
            const auto words = split(one.text, "  ");
            names_.push_back({name, one.type, one.range, false, 'p', true});
            return {fmt::format("{0} {1} = {2};\nif ($a-) {1} = ({0})($h- & 1);\n", words[0], name,
                                words[1]),
                    {value(any_scalar(), 1), value(integer(), 1)}};
        }
        const Type type = any_type();
        const Rule& rule = *pick(rules("declarations"), type);
        const bool is_array = rule.pattern.find("%[") != std::string::npos;
        const Range range = is_array || chance(60) ? usual_range(type) : limits(type);
        Node made = written(rule, type, {name, type, range}, 0);
        if (is_array) {
            add_array(name, type, true);
        } else {
            names_.push_back({name, type, range, !rule.pattern.starts_with("const")});
        }
        return made;
    }

    Node change() {
        std::vector<Name> found;
        std::ranges::copy_if(names_, std::back_inserter(found), &Name::can_change);
        if (found.empty()) return declaration();
        Name one = random_.pick(found);
        if (one.level == 'n') one.text = "(" + one.text + ")";
        if (one.type.width > 1 && chance(60)) {
            const unsigned width = one.type.width;
            const unsigned count = chance(50) || width == 3    ? 1
                                   : width == 16 || chance(50) ? 2
                                                               : width / 2;
            one.text += "." + components(width, count, true);
            one.type = one.type.with(count);
            one.is_part = true;
        }
        return written(*pick(changes_, one.type, &one), one.type, one, 0);
    }

    Node statements(int depth, bool names_stay) {
        const std::size_t names = names_.size(), calls = calls_.size();
        std::vector<Node> all;
        for (unsigned i = 1 + random_.below(2); i > 0; --i) all.push_back(statement(depth));
        if (!names_stay) names_.resize(names), calls_.resize(calls);
        return block(std::move(all));
    }

    Node statement(int depth) {
        if (depth > 0 && chance(30))
            return written(*pick(rules("statements"), scalar_int), scalar_int, {}, depth - 1);
        return chance(40) ? declaration() : change();
    }

    Node kernel() {
        names_ = constants_;
        std::ranges::copy(reads_, std::back_inserter(names_));
        const std::size_t calls = calls_.size();
        std::vector<Node> all, whole;
        for (unsigned number = 0; number < probes;) {
            if (chance(30)) {
                all.push_back(statement(2));
                continue;
            }
            Type type = any_type();
            if (type.width > probes - number) type = type.element();
            all.push_back(written(*pick(rules("probes"), type), type, {std::to_string(number)}, 0));
            number += type.width;
        }
        calls_.resize(calls);
        // Unused names are not declared.
        std::string used;
        for (const Node& one : all) used += text_of(one);
        for (const Item& one : file_.head) used += text_of(one.node);
        for (std::size_t i = 0; i < reads_.size(); ++i) {
            if (has_word(used, reads_[i].text)) whole.push_back(reading_[i]);
        }
        std::ranges::move(all, std::back_inserter(whole));
        return block(std::move(whole));
    }

    // ---- the head of a file

    /// @param other  the code of a branch that is not taken
    void add_item(std::vector<std::string> names, Node node, std::optional<Node> other = {},
                  bool is_of_one_type = false) {
        if (other) {
            const Rule* rule = nullptr;
            do {
                rule = &random_.pick(rules("conditions"));
            } while (rule->when.front() == "either" && !is_of_one_type);
            std::vector<Node> both{std::move(node), std::move(*other)};
            if (rule->when.front() == "second") std::swap(both.front(), both.back());
            node = {filled(rule->pattern, scalar_int) + "\n$a-#else\n$a-#endif\n", std::move(both)};
        }
        file_.head.push_back({std::move(names), std::move(node)});
    }

    void add_type_name() {
        const Type type = any_type();
        const Type other =
            type.is_float() ? scalar_int.with(type.width) : Type{Base::f32, type.width};
        const std::string name = fresh("T");
        const Rule& rule = *pick(rules("names of types"), type);
        Node taken = written(rule, type, {name}, 0), left = written(rule, other, {name}, 0);
        add_item(
            {name}, std::move(taken),
            has("branches of types") && chance(60) ? std::optional(std::move(left)) : std::nullopt);
        type_names_.emplace_back(type, name);
    }

    /// What is called by its name and arguments.
    struct CallableKind {
        explicit CallableKind(const std::string& section)
            : is_open(section == "open macros"),
              is_function(section.ends_with("helpers")),
              is_overloaded(is_function && section != "helpers") {}
        bool is_open, is_function, is_overloaded;
    };

    /// A macro or a function, by a rule of the section.
    void add_callable(const std::string& section, const std::string& name, Type type) {
        const Rule* rule = pick(rules(section), type);
        if (!rule) return;
        const CallableKind kind(section);
        Rule call{.when = {"=" + type.name()}, .pattern = name};
        names_ = kind.is_function ? constants_ : std::vector<Name>{};
        if (!kind.is_function && !kind.is_open && type != bare && chance(20)) names_ = reads_;
        names_variables_ = !kind.is_function && !names_.empty();
        const std::string list = add_parameters(kind, *rule, type, call);
        is_in_function_ = kind.is_function;
        const std::size_t calls = calls_.size();
        Rule filled_rule = *rule;
        if (kind.is_open) filled_rule.pattern = "#define @1@p " + rule->pattern + "\n";
        filled_rule.pattern = replaced(replaced(filled_rule.pattern, "@1", name), "@p", list);
        Node node = written(filled_rule, type, {{}, type, limits(type)}, 1);
        calls_.resize(calls);
        is_in_function_ = false;
        std::optional<Node> other;
        bool is_same = false;
        if (kind.is_open) {
            call.range = values_of(rule->values, type, {});
            call.level = 'n';
        } else {
            const Node& result = node.parts.back();
            call.range = kind.is_function ? as(result, type).value_or(limits(type)) : result.range;
            if (rule->pattern.find("@p $a") != std::string::npos && type != bare)
                call.level = result.in_parentheses ? 'p' : result.level;
            call.names_variables = names_variables_;  // also by a macro in it
            if (!kind.is_function && type != bare && has("branches of macros") && chance(40)) {
                is_same = chance(50);
                other = other_branch(node, type, is_same, call);
            }
        }
        add_item({name}, std::move(node), std::move(other), is_same);
        calls_.push_back(std::move(call));
    }

    /// Gives it parameters, which are names in its text from now on. @returns them as declared
    std::string add_parameters(const CallableKind& kind, const Rule& rule, Type type, Rule& call) {
        unsigned count = kind.is_function ? 1 + random_.below(3) : random_.below(4);
        if (kind.is_open)
            count = has_word(rule.pattern, "c") ? 3 : has_word(rule.pattern, "b") ? 2 : 1;
        if (kind.is_overloaded) count = 2;
        const bool is_integer = std::ranges::find(rule.when, "integers") != rule.when.end();
        std::string list;
        for (unsigned i = 0; i < count; ++i) {
            const std::string parameter(1, "abc"[i]);
            const bool is_naked = !kind.is_function && chance(type == bare ? 60 : 25);
            const Type of = type == bare || kind.is_overloaded || chance(50) ? type : any_type();
            const Range range = kind.is_open   ? Range{0, 127, is_integer ? 0 : 2}
                                : type == bare ? limits(bare)
                                               : usual_range(of);
            names_.push_back({is_naked || kind.is_function ? parameter : "(" + parameter + ")",
                              type == bare ? scalar_uint : of, range, kind.is_function});
            list += (i == 0 ? "(" : ", ") + (kind.is_function ? spelled(of) + " " : "") + parameter;
            call.pattern += fmt::format("{}${}{}", i == 0 ? "(" : ", ",
                                        is_naked && type != bare && !kind.is_open ? 'p' : 'b', i);
            call.parameters.push_back({of, range,
                                       is_integer     ? Parameter::any_integer
                                       : kind.is_open ? Parameter::any_scalar
                                       : kind.is_function && !kind.is_overloaded
                                           ? Parameter::converted
                                           : Parameter::exact});
        }
        if (count > 0) list += ")", call.pattern += ")";
        return list;
    }

    /// A macro's other text, in the branch of an #if that is not taken, or is.
    Node other_branch(const Node& node, Type type, bool is_same, Rule& call) {
        Node text = is_same ? literal(type, *call.range) : literal(any_type(), {0, 9});
        if (is_same) call.range = call.range->joined(text.range);
        if (is_same && call.level != 0) call.level = std::min(call.level, text.level);
        Node other = node;
        other.parts.back() = std::move(text);
        return other;
    }

    void add_overloads() {
        const std::string name = fresh("h");
        const Type first = any_type();
        add_callable("overloaded helpers", name, first);
        if (first.is_bool()) return;
        add_callable("overloaded helpers", name,
                     chance(30)
                         ? (first.is_float() ? scalar_int : Type{Base::f32}).with(first.width)
                     : first.width > 1 ? first.element()
                                       : first.with(4));
    }

    void add_struct() {
        const std::string name = fresh("S");
        Compound made{.name = name, .members = {}, .is_union = has("unions") && chance(50)};
        std::vector<Type> types{scalar_uint, scalar_int, {Base::u16, 2}, {Base::u8, 4}};
        if (!made.is_union) std::ranges::generate(types, [&] { return any_type(); });
        types.resize(1 + random_.below(types.size()));
        std::string members;
        for (const Type type : types) {
            made.members.emplace_back(fresh("m"), type);
            members += fmt::format("{} {};\n", spelled(type), made.members.back().first);
        }
        const std::string kind = made.is_union ? "union" : "struct";
        const bool is_typedef = chance(50);
        add_item({name}, {is_typedef ? fmt::format("typedef {} {{\n{}}} {};\n", kind, members, name)
                                     : fmt::format("{} {} {{\n{}}};\n", kind, name, members)});
        if (!is_typedef) made.name = fmt::format("{} {}", kind, name);
        compounds_.push_back(std::move(made));
    }

    void add_enum() {
        const std::string tag = fresh("E");
        std::vector<std::string> names{tag};
        const bool is_signed = chance(30), is_typedef = chance(40);
        int next = is_signed ? -2 : 0;
        std::string text;
        for (unsigned i = 2 + random_.below(3); i > 0; --i, ++next) {
            const bool is_first = names.size() == 1, jumps = !is_first && chance(30);
            if (jumps) next += static_cast<int>(random_.below(20));
            names.push_back(fresh("K"));
            text += (is_first ? "" : ", ") + names.back() +
                    (jumps || is_first ? fmt::format(" = {}", next) : "");
            const Range exact{static_cast<double>(next), static_cast<double>(next)};
            constants_.push_back({names.back(), scalar_int, exact, false});
        }
        add_item(names, {is_typedef ? fmt::format("typedef enum {{{}}} {};\n", text, tag)
                                    : fmt::format("enum {} {{{}}};\n", tag, text)});
        // clang gives enums without negative values an unsigned type.
        enums_.push_back({(is_typedef ? tag : "enum " + tag) + "  " + names[1],
                          is_signed ? scalar_int : scalar_uint,
                          {is_signed ? -2.0 : 0, static_cast<double>(next)}});
    }

    void add_table() {
        const Type type = any_type();
        const Rule* rule = pick(rules("tables"), type);
        if (!rule) return;
        const std::string name = fresh("t");
        add_item({name}, written(*rule, type, {name}, 0));
        add_array(name, type, false);
    }

    void add_reads() {
        std::vector<Type> types = palette_;
        types.insert(types.end(), {scalar_uint, scalar_uint, scalar_int});
        for (const Type type : types) {
            const std::string name = fresh("x");
            const Rule& rule = *pick(rules("reads"), type);
            std::string all;
            for (unsigned i = 0; i < type.width; ++i)
                all += (i == 0 ? "" : ", ") + filled(rule.pattern, type);
            if (type.width > 1) all = fmt::format("({})({})", type.name(), all);
            reading_.push_back({fmt::format("{} {} = {};\n", type.name(), name, all)});
            reads_.push_back({name, type, rule.values == "all" ? limits(type) : usual_range(type)});
        }
    }

    Random random_;
    std::uint64_t seed_;
    Dialect dialect_;
    File file_;
    unsigned next_ = 0;
    bool is_in_function_ = false, names_variables_ = false;
    std::vector<Type> palette_;
    std::vector<std::pair<Type, std::string>> type_names_;
    Rules calls_, changes_ = rules("changes");
    std::vector<Compound> compounds_;
    std::vector<Name> names_, constants_, enums_, reads_;
    std::vector<Node> reading_;
};

}  // namespace

File file_of(std::uint64_t seed, std::size_t number, std::size_t kernels, const Dialect& dialect) {
    Random random(seed * 0x100000001b3 + number);
    File file = Grammar(random.next(), dialect).file(kernels);
    file.seed = seed;
    return file;
}

}  // namespace generated
}  // namespace parallax

// The grammar of grammar.txt at work: expressions of an exact type with known values, statements,
// and the declarations before them.
#include "benchmarks/generated/grammar.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "common/characters.hpp"
#include "common/embedded_file.hpp"
#include "common/error.hpp"
#include "common/text_lines.hpp"

namespace parallax {

std::span<const EmbeddedFile> embedded_grammar();

namespace generated {
namespace {

namespace lv = level;

constexpr Type scalar_int{Base::i32}, scalar_uint{Base::u32}, scalar_ulong{Base::u64};
/// An expression of `uint`s whose macros have no parentheses: whatever binds to what, all of its
/// operators are defined. It stays among its like.
constexpr Type loose{Base::u32, 0};

/// A line of grammar.txt.
struct Rule {
    std::vector<std::string> when;
    std::string pattern, values;
};
using Rules = std::vector<Rule>;

std::vector<std::string> split(std::string_view text, std::string_view by) {
    std::vector<std::string> parts;
    for (std::size_t at = text.find_first_not_of(' '); at < text.size();) {
        const std::size_t end = std::min(text.find(by, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = text.find_first_not_of(' ', end);
    }
    return parts;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
        text.replace(at, what.size(), by);
}

const Rules& rules(const std::string& section) {
    static const std::map<std::string, Rules> all = [] {
        std::map<std::string, Rules> read;
        Rules* into = nullptr;
        for (const std::string_view line : lines_of(embedded_grammar().front().text)) {
            if (line.starts_with('['))
                into = &read[std::string(line.substr(1, line.find(']') - 1))];
            if (line.empty() || line.starts_with('#') || line.starts_with('[')) continue;
            std::vector<std::string> columns = split(line, "  ");
            if (!into || columns.size() < 2) throw Error("grammar.txt: " + std::string(line));
            columns.resize(3);
            replace_all(columns[1], "\\n", "\n");
            into->push_back({split(columns[0], " "), columns[1], columns[2]});
        }
        return read;
    }();
    return all.at(section);
}

struct Variable {
    std::string text;
    Type type;
    Range range;
    bool can_change = true;
    char level = lv::primary;
    bool is_enum = false, is_part = false;
};
struct Array {
    std::string name;
    Type type;
    unsigned count = 4;
    Range range;
    bool can_change = true;
};
/// A macro or a function of the file.
struct Callable {
    struct Parameter {
        Type type;
        Range range;
        bool is_exact = false;  ///< no other type is converted to it
        bool is_any = false;    ///< any scalar will do
    };
    std::string pattern;  ///< of a call
    char level = lv::postfix;
    Type result;
    Range range;
    std::vector<Parameter> parameters = {};
    bool names_variables = false;  ///< of kernels
};
struct Compound {
    std::string name;
    std::vector<std::pair<std::string, Type>> members;
    bool is_union = false;
};
struct Enumeration {
    std::string name, first;
    Type type;
    Range range;
};

class Grammar {
public:
    Grammar(std::uint64_t seed, const Dialect& dialect)
        : random_(seed), seed_(seed), dialect_(dialect) {}
    File file(std::size_t kernels);

private:
    bool chance(unsigned percent) { return random_.chance(percent); }
    /// Whether the file has what only some have, so that a fault of one does not hide all others.
    bool has(std::string_view rare) const;
    Type any_type() { return random_.pick(palette_); }
    Type any_scalar() { return any_type().element(); }
    Type integer() {
        return {static_cast<Base>(random_.below(static_cast<std::size_t>(Base::f32)))};
    }
    std::string spelled(Type);
    std::string fresh(std::string_view start) { return fmt::format("{}{}", start, names_++); }
    bool is_for(const Rule&, Type, const Variable* = nullptr) const;
    const Rule* pick(const std::string& section, Type, const Variable* = nullptr);

    // Expressions
    Node value(Type, int depth);
    Node leaf(Type);
    Node literal(Type, const Range&);
    std::optional<Node> variable(Type);
    std::optional<Node> by_rule(const Rule&, Type, int depth);
    Type operand_type(char what, Type);
    Node operand(char what, Type, int depth);
    std::optional<Node> component(Type, int depth);
    std::optional<Node> element(Type, int depth);
    std::optional<Node> called(Type, int depth);
    std::optional<Node> parts(Type, int depth);
    Node loose_value(int depth);
    /// What can become a `to` without a cast, with values of the range.
    Node fitting(Type to, const Range&, int depth);
    Node narrowed(Node);

    // Statements
    /// By a rule, `%` being the variable or the number.
    Node written(const Rule&, Type, const Variable&, int depth);
    Node declaration();
    Node change();
    Node body_of(int depth);
    Node statement_of(int depth);
    Node kernel();

    // The head
    void add_item(std::vector<std::string> names, Node node, std::optional<Node> other = {});
    void add_alias();
    void add_macro();
    void add_loose_macro();
    void add_function();
    void add_struct();
    void add_enum();
    void add_table();
    void add_prologue();

    Random random_;
    std::uint64_t seed_;
    Dialect dialect_;
    File file_;
    unsigned names_ = 0;
    bool is_in_function_ = false, names_variables_ = false;
    std::vector<Type> palette_;
    std::vector<std::pair<Type, std::string>> aliases_;
    std::vector<Callable> callables_, loose_macros_;
    std::vector<Compound> compounds_;
    std::vector<Enumeration> enumerations_;
    std::vector<Variable> variables_, constants_, prologue_;
    std::vector<std::string> prologue_texts_;
    std::vector<Array> arrays_, tables_;
};

bool Grammar::has(std::string_view rare) const {
    std::uint64_t hash = seed_;
    for (const char c : rare) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return Random(hash).chance(35);
}

std::string Grammar::spelled(Type type) {
    std::vector<std::string> known;
    for (const auto& [of, name] : aliases_) {
        if (of == type) known.push_back(name);
    }
    if (!known.empty() && chance(60)) return random_.pick(known);
    if (type == scalar_uint && chance(20)) return chance(50) ? "unsigned" : "unsigned int";
    if (type == scalar_ulong && has("size_t") && chance(60)) return "size_t";
    return type.name();
}

bool Grammar::is_for(const Rule& rule, Type type, const Variable* variable) const {
    bool is_bool = false;
    for (std::string_view word : rule.when) {
        const bool wanted = !word.starts_with('!');
        if (!wanted) word.remove_prefix(1);
        is_bool = is_bool || word == "bool";
        const bool is_whole = variable && limits(type).is_in(variable->range);
        const bool is =
            word == "-" || word == type.name() || (word.starts_with('?') && has(word)) ||
            (word == "pocl" && dialect_.is_pocl) || (word == "vector" && type.width > 1) ||
            (word == "scalar" && type.width == 1) || (word == "float" && type.is_float()) ||
            (word == "integer" && !type.is_float()) || (word == "signed" && type.is_signed()) ||
            (word == "unsigned" && type.is_unsigned()) || word == std::to_string(type.bits()) ||
            word == fmt::format("x{}", type.width) ||
            (word == "wide" && (type.width > 1 || type.bits() >= 32)) ||
            (word == "whole" && is_whole) || (word == "small" && !is_whole && type.is_signed()) ||
            (word == "part" && variable && variable->is_part);
        if (is != wanted) return false;
    }
    return is_bool || type.base != Base::boolean;
}

const Rule* Grammar::pick(const std::string& section, Type type, const Variable* variable) {
    std::vector<const Rule*> found;
    for (const Rule& one : rules(section)) {
        if (is_for(one, type, variable)) found.push_back(&one);
    }
    return found.empty() ? nullptr : random_.pick(found);
}

// ---- expressions

/// The values of `node` as a `to` has them; nothing where they do not fit, and that is not defined.
std::optional<Range> as(const Node& node, Type to) {
    Range range = node.range;
    // A bool that becomes a vector has all bits.
    if (node.type.base == Base::boolean && to.width > 1) range = {-1, 0};
    if (to.is_float())
        return node.type.is_float() || range.is_exact() ? std::optional(range) : std::nullopt;
    if (to.base == Base::boolean) return Range{0, 1};
    const Range all = limits(to);
    if (!node.type.is_float()) return range.is_in(all) ? range : all;
    if (range.low <= all.low - 1 || range.high >= all.high + 1) return {};
    return Range{std::trunc(range.low), std::trunc(range.high)};
}

/// An enum is of no type that a function is found by.
Node of_own_type(Node node) {
    if (!node.is_enum) return node;
    const Type type = node.type;
    const Range range = node.range;
    return expression(type, range, lv::unary, "+$n", {std::move(node)});
}

/// A small one instead, of the same type.
Node Grammar::narrowed(Node node) {
    const Type type = node.type;
    if (type.is_float() || type.base == Base::boolean) return literal(type, {0, 9});
    const std::string name = spelled(type.width > 1 && chance(50) ? type.element() : type);
    const Range small{0, 127};
    if (type.width > 1)
        return expression(type, small, lv::both, fmt::format("$h & ({})127", name),
                          {std::move(node)});
    if (common_type(type, scalar_int) != type)
        return expression(type, small, lv::unary, fmt::format("({})($h & 127)", name),
                          {std::move(node)});
    if (type.is_signed() && chance(50))
        return expression(type, {-99, 99}, lv::product, "$m % 100", {std::move(node)});
    return expression(type, small, lv::both, "$h & 127", {std::move(node)});
}

Node Grammar::literal(Type type, const Range& wanted) {
    if (type.width != 1) {
        if (type == loose)
            return expression(loose, limits(scalar_uint), lv::primary,
                              fmt::format("{}u", random_.below(40)));
        Node one = literal(type.element(), {std::max(wanted.low, 0.0), std::min(wanted.high, 9.0)});
        const Range range = one.range;
        return expression(type, range, lv::unary, fmt::format("({})($b)", spelled(type)),
                          {std::move(one)});
    }
    const auto low = static_cast<std::int64_t>(std::ceil(std::max(wanted.low, -200.0)));
    const auto high = static_cast<std::int64_t>(std::floor(std::min(wanted.high, 200.0)));
    std::int64_t number =
        low + random_.below(static_cast<std::size_t>(std::max<std::int64_t>(high - low, 0)) + 1);
    std::string text;
    const std::int64_t size = std::abs(number);
    if (type.is_float()) {
        text = chance(70)   ? fmt::format("{}.0", size)
               : chance(50) ? fmt::format("{}.", size)
                            : fmt::format("0x{:x}p0", size);
        if (type.base == Base::f32) text += random_.word({"f", "F"});
    } else if (type.base == Base::boolean || type.bits() < 32) {
        text = fmt::format("({}){}", spelled(type), number);
        if (type.base == Base::boolean && chance(50))
            text = number != 0 ? "(bool)true" : "(bool)false";
    } else if (type == scalar_int && number >= 'a' && number <= 'z' && chance(60)) {
        text = fmt::format("'{}'", static_cast<char>(number));
    } else if (type.base == Base::i64 && wanted.high >= 0x1p33 && number >= 0 && chance(30)) {
        text = std::to_string(number += 3000000000);  // its type follows from its size
    } else if (type == scalar_uint && wanted.high >= 0x1p31 && chance(20)) {
        text = fmt::format("0x{:x}", number += 0x80000000);
    } else {
        text = chance(60)   ? fmt::format("{}", size)
               : chance(60) ? fmt::format("0x{:x}", size)
                            : fmt::format("0{:o}", size);
        if (type.base == Base::u32) text += random_.word({"u", "U"});
        if (type.base == Base::i64) text += random_.word({"l", "L"});
        if (type.base == Base::u64) text += random_.word({"ul", "UL", "uL", "lu", "LU"});
    }
    const bool is_cast = text.starts_with('('), is_negative = number < 0 && !is_cast;
    const auto exact = static_cast<double>(number);
    return expression(type, {exact, exact}, is_negative || is_cast ? lv::unary : lv::primary,
                      (is_negative ? "-" : "") + text);
}

std::optional<Node> Grammar::variable(Type type) {
    std::vector<const Variable*> found;
    for (const Variable& one : variables_) {
        if (one.type == type) found.push_back(&one);
    }
    if (found.empty()) return {};
    const Variable& one = *random_.pick(found);
    Node node = expression(type, one.range, one.level, one.text);
    node.is_enum = one.is_enum;
    return node;
}

Node Grammar::leaf(Type type) {
    if (chance(80)) {
        if (auto found = variable(type)) return *found;
    }
    return literal(type, limits(type));
}

Node Grammar::fitting(Type to, const Range& wanted, int depth) {
    for (int tries = 0; tries < 4; ++tries) {
        Node node = value(to.width > 1 || chance(60) ? to : any_scalar(), depth);
        for (int again = 0; again < 2; ++again) {
            const auto range = as(node, to);
            if (range && range->is_in(wanted)) return node;
            if (node.type.is_float() || node.type.base == Base::boolean) break;
            node = narrowed(std::move(node));
        }
    }
    return literal(to, wanted);
}

Node Grammar::value(Type type, int depth) {
    if (type == loose) return loose_value(depth);
    for (int tries = 0; depth > 0 && tries < 6 && !chance(5); ++tries) {
        const unsigned kind = random_.below(100);
        std::optional<Node> made;
        if (kind < 62) {
            const Rule* rule = pick(kind < 44 ? "operators" : "functions", type);
            if (rule) made = by_rule(*rule, type, depth - 1);
        } else if (kind < 75) {
            made = called(type, depth - 1);
        } else if (kind < 85) {
            made = type.width > 1 ? parts(type, depth - 1) : component(type, depth - 1);
        } else {
            made = kind < 90 ? component(type, depth - 1) : element(type, depth - 1);
        }
        if (!made) continue;
        made->in_parentheses = chance(25);
        return *made;
    }
    return leaf(type);
}

/// The type of an operand of a rule, by its letter.
Type Grammar::operand_type(char what, Type type) {
    const bool is_coin = chance(50);
    const auto resized = [](Type of, int by) {
        of.base = static_cast<Base>(static_cast<int>(of.base) + by);
        return of;
    };
    const auto computes = [&](Type other) {
        return common_type(type, other) == type ? other : type;
    };
    const auto number = [](Type of, Type other) { return of.base == Base::boolean ? other : of; };
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
        case 'f': return {Base::f32, type.width};
        case 'h': return resized(type, -2);
        case 'H': return resized(type.as_integer(false), -2);
        case 'r':
            if (type.width == 1 || type.width == 3 || type.bits() == 64 || is_coin)
                return type.as_integer(chance(50));
            return resized(type.as_integer(chance(50)), 2).with(type.width / 2);
        case 'a': return any_scalar();
        case 'c': return integer();
        case 'q': return number(any_scalar(), integer());
        case 'y': return {Base::boolean};
        case 'v': return any_type();
        case 'x': return number(any_scalar(), type.element()).with(type.width);
        case 'k': return type.width == 1 ? integer() : is_coin ? type : type.element();
        case 'V': return type.with(2 + random_.below(3));
        default: return type;
    }
}

Node Grammar::operand(char what, Type type, int depth) {
    if (what == 'k' && type.width == 1 && chance(50)) return literal(scalar_int, {0, 70});
    Node node = value(operand_type(what, type), depth);
    if (what == 'S') return narrowed(std::move(node));
    if (what != 'T' || !node.range.minus_zero) return node;
    // Of -0 and 0 either is the smaller one.
    const Range range{node.range.low, node.range.high, node.range.places};
    return expression(type, range, lv::sum, type.base == Base::f32 ? "$l + 0.0f" : "$l + 0.0",
                      {std::move(node)});
}

/// The values of a result; nothing: it would not be defined, or rounded.
std::optional<Range> values_of(std::string_view rule, Type type,
                               const std::vector<Node>& operands) {
    const Range all = limits(type), truth{type.width > 1 ? -1.0 : 0.0, type.width > 1 ? 0.0 : 1.0};
    if (rule == "all") return all;
    if (rule == "truth") return truth;
    if (const std::size_t dots = rule.find(".."); dots != rule.npos)
        return Range{std::stod(std::string(rule.substr(0, dots))),
                     std::stod(std::string(rule.substr(dots + 2)))};
    std::vector<Range> of;
    for (const Node& one : operands) {
        const auto range = as(one, rule == "splat" ? type : type.element());
        if (range) of.push_back(*range);
    }
    const bool has_condition = operands.size() == 3 && rule == "join";
    if (of.size() + (has_condition ? 1 : 0) < operands.size()) return {};
    if (of.empty()) return {};
    const Range a = of.front(), b = of.back();
    Range made = a;
    const double most = std::max(a.largest(), b.largest());
    if (rule == "join") {
        for (std::size_t i = 0; i < operands.size(); ++i) {
            // A condition is none of the values, and does no harm.
            if (const auto one = as(operands[i], type.element())) made = made.joined(*one);
        }
    } else if (rule == "sum") {
        made = {a.low + b.low, a.high + b.high};
    } else if (rule == "difference") {
        made = {a.low - b.high, a.high - b.low};
    } else if (rule == "product" || rule == "fused" || rule == "dot") {
        const auto [low, high] =
            std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
        const double count = rule == "product" ? 1 : rule == "fused" ? 2 : 4;
        made = {count * std::min(low, 0.0), count * std::max(high, 0.0)};
        if (rule == "fused") made = {-most * most - most, most * most + most};
    } else if (rule == "and" || rule == "bits") {
        made = all;
        if (a.low >= 0 && b.low >= 0)
            made = {0, rule == "and"
                           ? std::min(a.high, b.high)
                           : std::min(all.high, std::exp2(std::ceil(std::log2(most + 1))) - 1)};
    } else if (rule == "right") {
        made = {std::min(a.low, type.is_signed() ? -1.0 : 0.0), std::max(a.high, 0.0)};
    } else if (rule == "quotient") {
        made = {a.low < 0 ? -a.largest() : 0, a.largest()};
    } else if (rule == "rest") {
        made = {a.low < 0 ? -7.0 : 0, 7};
    } else if (rule == "half") {
        made = {a.low / 2, a.high / 2};
    } else if (rule == "four") {
        made = {4 * a.low, 4 * a.high};
    } else if (rule == "minus") {
        made = {-a.high, -a.low};
    } else if (rule == "not") {
        made = {-1 - a.high, -1 - a.low};
    } else if (rule == "near" || (rule == "convert" && operands[0].type.is_float())) {
        made = {std::floor(operands[0].range.low) - 1,
                std::ceil(std::max(operands[0].range.high, b.high)) + 1};
        if (rule == "near") made = {-most - 1, most + 1};
        if (!type.is_float() && !made.is_in(all)) return {};
    }
    if (type.is_float()) {
        made.places = std::max(a.places, b.places);
        if (rule == "product" || rule == "fused" || rule == "dot")
            made.places = a.places + b.places;
        if (rule == "half") ++made.places;
        made.minus_zero = rule != "join" && rule != "cast" && rule != "splat" && rule != "convert"
                              ? true
                              : a.minus_zero || b.minus_zero || operands.size() > 2;
        return made.is_exact() ? std::optional(made) : std::nullopt;
    }
    if (made.is_in(all)) return made;
    const bool wraps = type.is_unsigned() || rule == "cast" || rule == "splat" || rule == "join" ||
                       rule == "convert";
    return wraps ? std::optional(all) : std::nullopt;
}

/// One of `{a b c}` in each place.
std::string chosen(std::string pattern, Random& random) {
    for (std::size_t open = 0; (open = pattern.find('{', open)) != pattern.npos;) {
        const std::size_t close = pattern.find('}', open);
        // A statement's begin a line, or are blanks apart from what is in them.
        if (pattern[open + 1] == ' ' || pattern[open + 1] == '\n' || close == pattern.npos) {
            ++open;
            continue;
        }
        const auto all = split(std::string_view(pattern).substr(open + 1, close - open - 1), " ");
        pattern.replace(open, close - open + 1, random.pick(all));
    }
    return pattern;
}

/// @returns the letters behind the levels, which are taken out
std::string take_letters(std::string& pattern) {
    std::string letters;
    for (std::size_t at = 0; (at = pattern.find('$', at)) != pattern.npos; at += 2) {
        letters += pattern[at + 2];
        pattern.erase(at + 2, 1);
    }
    return letters;
}

/// The level of an operator: its first operand's, or that of what a function or a cast is.
char level_of(std::string_view pattern) {
    if (pattern.find(" ? ") != pattern.npos) return lv::choice;
    if (is_letter(pattern.front()) && !pattern.starts_with("sizeof")) return lv::postfix;
    return pattern.front() == '$' ? pattern[1] : lv::unary;
}

std::optional<Node> Grammar::by_rule(const Rule& rule, Type type, int depth) {
    std::string pattern = chosen(rule.pattern, random_);
    const std::string letters = take_letters(pattern);
    const char tight = level_of(pattern);
    replace_all(pattern, "@t", spelled(rule.values == "1..128" ? any_type() : type));
    replace_all(pattern, "@n", type.name());
    std::vector<Node> operands;
    Type own = type;
    for (const char one : letters) {
        if (one == 'V' && !operands.empty()) own = operands.front().type;
        Node node = operand(one == 'V' && !operands.empty() ? 't' : one, own, depth);
        if (pattern.ends_with(")") && is_letter(pattern.front()))
            node = of_own_type(std::move(node));
        operands.push_back(std::move(node));
    }
    // A vector literal goes on behind its parentheses: `(int4)(a).x` has one component.
    for (int tries = 0; tries < 3; ++tries) {
        if (const auto range = values_of(rule.values, type, operands))
            return expression(type, *range, tight, pattern, std::move(operands));
        if (type.is_float() && rule.values != "cast" && rule.values != "splat") return {};
        for (Node& one : operands) {
            if (tries == 0 || one.range.largest() > 127) one = narrowed(std::move(one));
        }
    }
    return {};
}

/// Some components of a vector of that width, as many as `count`.
std::string components(Random& random, unsigned width, unsigned count) {
    if (width != 3 && count * 2 == width && random.chance(50))
        return std::string(random.word({"lo", "hi", "even", "odd"}));
    const bool by_letters = width <= 4 && random.chance(70);
    std::string names = by_letters ? "" : random.chance(70) ? "s" : "S";
    for (unsigned i = 0; i < count; ++i) {
        const unsigned one = random.below(width);
        names += by_letters          ? "xyzw"[one]
                 : random.chance(80) ? "0123456789abcdef"[one]
                                     : "0123456789ABCDEF"[one];
    }
    return names;
}

std::optional<Node> Grammar::component(Type type, int depth) {
    std::vector<Type> found;
    for (const Type one : palette_) {
        if (one.base == type.base && one.width > 1) found.push_back(one);
    }
    if (found.empty()) return {};
    Node a = value(random_.pick(found), chance(60) ? 0 : depth);
    const unsigned width = a.type.width;
    std::string pattern = "$o." + components(random_, width, type.width);
    if (width > 3 && type.width == 1 && chance(20))  // components of components
        pattern = fmt::format("$o.{}.{}", random_.word({"lo", "hi", "even", "odd"}),
                              components(random_, width / 2, 1));
    const Range range = a.range;
    return expression(type, range, lv::postfix, pattern, {std::move(a)});
}

/// Of an array: an element, or as many of them as a vector has.
std::optional<Node> Grammar::element(Type type, int depth) {
    const bool loads = type.width > 1 && chance(50);
    std::vector<const Array*> found;
    for (const Array& one : arrays_) {
        if (loads ? one.type == type.element() && one.count >= type.width : one.type == type)
            found.push_back(&one);
    }
    if (found.empty()) return {};
    const auto& [name, of, count, range, can_change] = *random_.pick(found);
    if (loads)
        return expression(
            type, range, lv::postfix,
            fmt::format("vload{}({}, {})", type.width, random_.below(count / type.width), name));
    return expression(type, range, lv::postfix, fmt::format("{}[$h & {}]", name, count - 1),
                      {value(chance(50) ? scalar_int : scalar_uint, depth)});
}

std::optional<Node> Grammar::called(Type type, int depth) {
    if (type == scalar_uint && !loose_macros_.empty() && chance(60))
        return expression(type, limits(type), lv::unary, fmt::format("({})($a)", spelled(type)),
                          {loose_value(depth + 1)});
    std::vector<const Callable*> found;
    for (const Callable& one : callables_) {
        if (one.result == type && !(is_in_function_ && one.names_variables)) found.push_back(&one);
    }
    if (found.empty()) return {};
    const Callable& one = *random_.pick(found);
    names_variables_ = names_variables_ || one.names_variables;
    std::vector<Node> arguments;
    for (const Callable::Parameter& parameter : one.parameters) {
        const bool is_free = !parameter.is_any && !parameter.is_exact;
        Node a = parameter.is_any ? value(any_scalar(), depth)
                 : is_free        ? fitting(parameter.type, parameter.range, depth)
                                  : value(parameter.type, depth);
        // A macro's parameter has the type of what is written.
        for (int tries = 0; !is_free && !a.range.is_in(parameter.range); ++tries) {
            if (tries > 1) return {};
            a = narrowed(std::move(a));
        }
        arguments.push_back(of_own_type(std::move(a)));
    }
    return expression(type, one.range, one.level, one.pattern, std::move(arguments));
}

std::optional<Node> Grammar::parts(Type type, int depth) {
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
        pattern += pattern.empty() ? "$b" : ", $b";
        left -= a.type.width;
        all.push_back(std::move(a));
    }
    return expression(type, *range, lv::unary, fmt::format("({})({})", spelled(type), pattern),
                      std::move(all));
}

Node Grammar::loose_value(int depth) {
    const Range all = limits(scalar_uint);
    if (depth <= 0) {
        const auto found = variable(scalar_uint);
        if (found && found->level == lv::primary && chance(70))
            return expression(loose, all, lv::primary, text_of(*found));
        return literal(loose, all);
    }
    static constexpr std::string_view patterns[]{
        "$l + $m",  "$l - $m",  "$m * $n", "$h & $i", "$f | $g",
        "$k << $l", "$k >> $l", "~$n",     "- $n",    "$j < $k ? $a : $c"};
    const Callable* macro =
        loose_macros_.empty() || chance(60) ? nullptr : &random_.pick(loose_macros_);
    const std::string_view pattern =
        macro ? std::string_view(macro->pattern) : patterns[random_.below(std::size(patterns))];
    std::vector<Node> operands;
    for (auto count = std::ranges::count(pattern, '$'); count > 0; --count)
        operands.push_back(loose_value(depth - 1 - static_cast<int>(random_.below(2))));
    Node made = expression(loose, all, macro ? lv::primary : level_of(pattern), pattern,
                           std::move(operands));
    made.in_parentheses = chance(15);
    return made;
}

// ---- statements

Node Grammar::written(const Rule& rule, Type type, const Variable& variable, int depth) {
    std::string pattern = "    " + chosen(rule.pattern, random_) + "\n";
    // Statements of a body have blanks of their own.
    replace_all(pattern, "\n", "\n    ");
    replace_all(pattern, "    $aB", "$aB    ");
    pattern.resize(pattern.size() - 4);
    const std::string letters = take_letters(pattern), name = fresh("n");
    replace_all(pattern, "%", variable.text);
    replace_all(pattern, "@1", name);
    replace_all(pattern, "@n", type.name());
    replace_all(pattern, "@e", type.element().name());
    replace_all(pattern, "@w", std::to_string(type.width));
    const bool counts = rule.pattern.find("@1") != std::string::npos &&
                        (rule.when.front() == "int" || rule.when.front() == "uint");
    if (counts)
        variables_.push_back(
            {name, rule.when.front() == "int" ? scalar_int : scalar_uint, {0, 2}, false});
    std::vector<Node> operands;
    for (const char one : letters) {
        if (one == 'B') {
            operands.push_back(body_of(depth));
        } else {
            operands.push_back(one == '=' ? fitting(type, variable.range, 2)
                                          : operand(one, type, 2));
        }
    }
    std::erase_if(variables_, [&](const Variable& one) { return one.text == name; });
    return statement(pattern, std::move(operands));
}

Node Grammar::declaration() {
    const std::string name = fresh("v");
    const unsigned kind = random_.below(12);
    std::vector<Node> values;
    const auto start = [&](Type of, const Range& range) {
        values.push_back(fitting(of, range, 1));
        return values.size() == 1 ? "$b" : ", $b";
    };
    std::string all;
    if (kind == 6) {
        const Type type = any_type();
        const unsigned count = type.width > 4 ? 2 : 4 << random_.below(2);
        for (unsigned i = 0; i < std::min(count, 4u); ++i) all += start(type, usual_range(type));
        arrays_.push_back({name, type, count, usual_range(type)});
        return statement(fmt::format("    {} {}[{}] = {{{}}};\n", spelled(type), name, count, all),
                         std::move(values));
    }
    if (kind == 7 && has("pointers")) {
        std::vector<Variable> found;
        std::ranges::copy_if(variables_, std::back_inserter(found), [](const Variable& one) {
            return one.can_change && one.level == lv::primary;
        });
        if (found.empty()) return declaration();
        const Variable one = random_.pick(found);
        variables_.push_back({"*" + name, one.type, one.range, true, lv::unary});
        return statement(fmt::format("    {}* {} = &{};\n", spelled(one.type), name, one.text));
    }
    if (kind == 8 && !compounds_.empty()) {
        const Compound& one = random_.pick(compounds_);
        std::vector<Variable> members;
        for (const auto& [member, type] : one.members) {
            const Range range = one.is_union ? limits(type) : usual_range(type);
            members.push_back({name + "." + member, type, range, true, lv::postfix});
            if (!one.is_union || values.empty()) all += start(type, range);
        }
        std::ranges::move(members, std::back_inserter(variables_));
        return statement(fmt::format("    {} {} = {{{}}};\n", one.name, name, all),
                         std::move(values));
    }
    if (kind == 9 && !enumerations_.empty()) {
        const Enumeration& one = random_.pick(enumerations_);
        variables_.push_back({name, one.type, one.range, false, lv::primary, true});
        return statement(fmt::format("    {0} {1} = {2};\n    if ($a) {1} = ({0})(in[{3}] & 1);\n",
                                     one.name, name, one.first, random_.below(inputs)),
                         {value(any_scalar(), 1)});
    }
    const Type type = any_type();
    const Range range = chance(60) ? usual_range(type) : limits(type);
    values.push_back(fitting(type, range, 2));
    const std::string_view qualifier =
        random_.word({"", "", "", "const ", has("volatile") ? "volatile " : ""});
    variables_.push_back({name, type, range, qualifier != "const "});
    return statement(fmt::format("    {}{} {} = $b;\n", qualifier, spelled(type), name),
                     std::move(values));
}

Node Grammar::change() {
    std::vector<Variable> found;
    std::ranges::copy_if(variables_, std::back_inserter(found), &Variable::can_change);
    for (const Array& one : arrays_) {
        if (one.can_change && chance(30))
            found.push_back(
                {fmt::format("{}[{}]", one.name, random_.below(one.count)), one.type, one.range});
    }
    if (found.empty()) return declaration();
    Variable one = random_.pick(found);
    if (one.level == lv::unary) one.text = "(" + one.text + ")";
    if (one.type.width > 1 && chance(60)) {  // components, each once
        const unsigned width = one.type.width, count = chance(50) || width == 3    ? 1
                                                       : width == 16 || chance(50) ? 2
                                                                                   : width / 2;
        const unsigned first = random_.below(width - count + 1);
        one.text += width <= 4 ? "." + std::string("xyzw").substr(first, count)
                               : ".s" + std::string("0123456789abcdef").substr(first, count);
        if (width != 3 && count * 2 == width && chance(50))
            one.text = one.text.substr(0, one.text.rfind('.') + 1) +
                       std::string(random_.word({"lo", "hi", "even", "odd"}));
        one.type = one.type.with(count);
        one.is_part = true;
    }
    return written(*pick("changes", one.type, &one), one.type, one, 0);
}

Node Grammar::body_of(int depth) {
    const std::size_t variables = variables_.size(), arrays = arrays_.size();
    std::vector<Node> all;
    for (unsigned i = 1 + random_.below(2); i > 0; --i) all.push_back(statement_of(depth));
    variables_.resize(variables);
    arrays_.resize(arrays);
    return block(std::move(all));
}

Node Grammar::statement_of(int depth) {
    if (depth > 0 && chance(30)) {
        static const Rules& all = rules("statements");
        std::vector<const Rule*> found;
        for (const Rule& one : all) {
            if (std::ranges::all_of(one.when, [&](const auto& word) {
                    return !word.starts_with('?') || has(word);
                }))
                found.push_back(&one);
        }
        return written(*random_.pick(found), scalar_int, {}, depth - 1);
    }
    return chance(40) ? declaration() : change();
}

Node Grammar::kernel() {
    variables_ = constants_;
    arrays_ = tables_;
    std::ranges::copy(prologue_, std::back_inserter(variables_));
    std::vector<Node> all, whole;
    for (unsigned number = 0; number < probes;) {
        if (chance(30)) {
            all.push_back(statement_of(2));
            continue;
        }
        Type type = any_type();
        if (type.width > probes - number) type = type.element();
        const Variable place{std::to_string(number), type, {}};
        all.push_back(written(*pick("probes", type), type, place, 0));
        number += type.width;
    }
    // What is not used is not declared.
    std::string used;
    for (const Node& one : all) used += text_of(one);
    for (const Item& one : file_.head) used += text_of(one.node);
    for (std::size_t i = 0; i < prologue_.size(); ++i) {
        if (has_word(used, prologue_[i].text)) whole.push_back(statement(prologue_texts_[i]));
    }
    std::ranges::move(all, std::back_inserter(whole));
    return block(std::move(whole));
}

// ---- the head of a file

/// @param other  what a branch of the preprocessor has that is not taken
void Grammar::add_item(std::vector<std::string> names, Node node, std::optional<Node> other) {
    if (other) {
        static const std::vector<std::pair<std::string, bool>> conditions{
            {"#ifdef D0", true},
            {"#ifndef D0", false},
            {"#if D1 > 2", true},
            {"#ifdef D2", false},
            {"#if defined(D2) || D1 == 4", false},
            {"#if D1 == 3 && !defined(D2)", true},
            {"#ifdef __OPENCL_VERSION__", true},
            {"#if __OPENCL_VERSION__ >= 110", true},
            {"#ifndef __ENDIAN_LITTLE__", false},
            {"#if defined(CL_VERSION_1_0)", true}};
        const auto& [text, holds] = random_.pick(conditions);
        std::vector<Node> both{std::move(node), std::move(*other)};
        if (!holds) std::swap(both.front(), both.back());
        node = statement(text + "\n$a#else\n$a#endif\n", std::move(both));
    }
    file_.head.push_back({std::move(names), std::move(node)});
}

void Grammar::add_alias() {
    const Type type = any_type();
    const Type other = type.is_float() ? scalar_int.with(type.width) : Type{Base::f32, type.width};
    const std::string name = fresh(random_.word({"real", "T", "vec", "word"}));
    const bool is_macro = chance(30);
    const auto definition = [&](Type as) {
        return block({expression(as, {}, lv::primary,
                                 is_macro ? fmt::format("#define {} {}\n", name, as.name())
                                          : fmt::format("typedef {} {};\n", spelled(as), name))});
    };
    Node taken = definition(type), left = definition(other);
    add_item(
        {name}, std::move(taken),
        has("branches of types") && chance(60) ? std::optional(std::move(left)) : std::nullopt);
    aliases_.emplace_back(type, name);
}

void Grammar::add_macro() {
    const std::string name = fresh("M");
    const unsigned count = random_.below(4);
    const bool is_any = count > 0 && chance(40), is_open = chance(25);
    variables_.clear();
    arrays_.clear();
    names_variables_ = chance(20);
    if (names_variables_) variables_ = prologue_;
    Callable made{.pattern = name, .result = any_type(), .range = {}};
    if (is_any && made.result.base == Base::boolean) made.result = scalar_int;
    const Type type = made.result;
    std::string parameters = name;
    std::vector<std::string> names;
    for (unsigned i = 0; i < count; ++i) {
        const std::string parameter(1, "abcx"[i]);
        const bool is_bare = chance(25);
        const Type of = chance(50) ? type : any_type();
        names.push_back(is_bare ? parameter : "(" + parameter + ")");
        variables_.push_back({names.back(), of, usual_range(of), false});
        parameters += (i == 0 ? "(" : ", ") + parameter;
        made.pattern +=
            fmt::format("{}${}", i == 0 ? "(" : ", ", is_bare ? lv::primary : lv::assignment);
        made.parameters.push_back(
            {of, is_any ? Range{0, 127, 2} : usual_range(of), !is_any, is_any});
    }
    if (count > 0) made.pattern += ")", parameters += ")";
    const auto body = [&] {
        if (!is_any)
            return count == 0 && chance(50) ? literal(type, limits(type))
                                            : value(type, 2 + static_cast<int>(random_.below(2)));
        Range range{0, 127, type.is_float() ? 2 : 0};
        const std::string cast = fmt::format("({})", spelled(type));
        if (type.width == 1 || chance(50))
            return expression(type, range, lv::unary, cast + names[0]);
        std::string all = names[0];
        for (unsigned i = 1; i < type.width; ++i) all += ", " + names[i % names.size()];
        if (chance(70)) return expression(type, range, lv::unary, fmt::format("{}({})", cast, all));
        range.high = type.bits() == 8 ? limits(type).high : 254;
        if (type.base == Base::i8) return expression(type, {0, 127}, lv::unary, cast + names[0]);
        return expression(type, range, lv::sum,
                          fmt::format("{0}({1}) + {0}({2})", cast, names[0], names.back()));
    };
    Node first = body();
    made.range = first.range;
    made.names_variables = names_variables_;
    if (is_open) made.level = first.level;
    const auto definition = [&](Node of) {
        const std::string place = is_open ? fmt::format("${}", made.level) : "($a)";
        return block(
            {statement(fmt::format("#define {} {}\n", parameters, place), {std::move(of)})});
    };
    std::optional<Node> other;
    if (has("branches of macros") && chance(40)) other = definition(literal(any_type(), {0, 9}));
    add_item({name}, definition(std::move(first)), std::move(other));
    callables_.push_back(std::move(made));
}

void Grammar::add_loose_macro() {
    const std::string name = fresh("W");
    variables_.clear();
    Callable made{.pattern = name, .result = loose, .range = limits(scalar_uint)};
    std::string parameters = name;
    for (unsigned i = 0, count = random_.below(3); i < count; ++i) {
        const std::string parameter(1, "xny"[i]);
        variables_.push_back({chance(60) ? parameter : "(" + parameter + ")", scalar_uint,
                              limits(scalar_uint), false});
        parameters += (i == 0 ? "(" : ", ") + parameter + (i + 1 == count ? ")" : "");
        made.pattern += fmt::format("{}$b{}", i == 0 ? "(" : ", ", i + 1 == count ? ")" : "");
    }
    Node body = loose_value(1 + static_cast<int>(random_.below(2)));
    body.in_parentheses = chance(20);
    add_item({name}, statement(fmt::format("#define {} $a\n", parameters), {std::move(body)}));
    loose_macros_.push_back(std::move(made));
}

void Grammar::add_function() {
    const std::string name = fresh("h");
    const bool is_overloaded = has("overloads") && chance(70);
    std::vector<Type> versions{any_type()};
    const Type first = versions.front();
    if (is_overloaded && first.base != Base::boolean)
        versions.push_back(chance(30)
                               ? (first.is_float() ? scalar_int : Type{Base::f32}).with(first.width)
                           : first.width > 1 ? first.element()
                                             : first.with(4));
    const unsigned count = 1 + random_.below(3);
    is_in_function_ = true;
    for (const Type version : versions) {
        Callable made{.pattern = name,
                      .result = is_overloaded || chance(40) ? version : any_type(),
                      .range = {}};
        variables_ = constants_;
        arrays_ = tables_;
        std::string parameters;
        for (unsigned i = 0; i < count; ++i) {
            const std::string parameter(1, "abc"[i]);
            const Type type = i == 0 || is_overloaded ? version : any_type();
            made.parameters.push_back({type, usual_range(type), is_overloaded});
            variables_.push_back({parameter, type, usual_range(type)});
            parameters += fmt::format("{}{} {}", i == 0 ? "" : ", ", spelled(type), parameter);
            made.pattern += i == 0 ? "($b" : ", $b";
        }
        made.pattern += ")";
        std::vector<Node> all, both;
        for (unsigned i = random_.below(3); i > 0; --i) all.push_back(statement_of(1));
        both.push_back(block(std::move(all)));
        both.push_back(fitting(made.result, limits(made.result), 2));
        made.range = as(both.back(), made.result).value_or(limits(made.result));
        Node node = statement(
            fmt::format("{}{} {}{}({}) {{\n$a    return $b;\n}}\n",
                        random_.word({"", "", "static ", "static inline "}), spelled(made.result),
                        is_overloaded ? "__attribute__((overloadable)) " : "", name, parameters),
            std::move(both));
        if (has_word(text_of(node), "in")) continue;  // it is a kernel's
        add_item({name}, std::move(node));
        callables_.push_back(std::move(made));
    }
    is_in_function_ = false;
}

void Grammar::add_struct() {
    const std::string name = fresh("S");
    Compound made{.name = name, .members = {}, .is_union = has("unions") && chance(50)};
    std::vector<Type> types{scalar_uint, scalar_int, {Base::u16, 2}, {Base::u8, 4}};
    if (!made.is_union) std::ranges::generate(types, [&] { return any_type(); });
    types.resize(1 + random_.below(types.size()));
    std::string members;
    for (const Type type : types) {
        made.members.emplace_back(fresh("m"), type);
        members += fmt::format("    {} {};\n", spelled(type), made.members.back().first);
    }
    const std::string_view kind = made.is_union ? "union" : "struct";
    const bool is_typedef = chance(50);
    add_item({name},
             statement(is_typedef ? fmt::format("typedef {} {{\n{}}} {};\n", kind, members, name)
                                  : fmt::format("{} {} {{\n{}}};\n", kind, name, members)));
    if (!is_typedef) made.name = fmt::format("{} {}", kind, name);
    compounds_.push_back(std::move(made));
}

void Grammar::add_enum() {
    const std::string tag = fresh("E");
    std::vector<std::string> names{tag};
    const bool is_signed = chance(30), is_typedef = chance(40);
    int next = is_signed ? -2 : 0;
    std::string text;
    for (unsigned i = 2 + random_.below(3); i > 0; --i) {
        const bool jumps = names.size() > 1 && chance(30);
        if (jumps) next += static_cast<int>(random_.below(20));
        names.push_back(fresh("K"));
        text += (names.size() == 2 ? "" : ", ") + names.back() +
                (jumps || names.size() == 2 ? fmt::format(" = {}", next) : "");
        const Range exact{static_cast<double>(next), static_cast<double>(next)};
        constants_.push_back({names.back(), scalar_int, exact, false});
        ++next;
    }
    add_item(names, statement(is_typedef ? fmt::format("typedef enum {{{}}} {};\n", text, tag)
                                         : fmt::format("enum {} {{{}}};\n", tag, text)));
    // clang gives one without negative values an unsigned type.
    const Range range{is_signed ? -2.0 : 0, static_cast<double>(next)};
    enumerations_.push_back(
        {is_typedef ? tag : "enum " + tag, names[1], is_signed ? scalar_int : scalar_uint, range});
}

void Grammar::add_table() {
    const std::string name = fresh("t");
    const Type type = any_type();
    std::string values;
    Range range;
    for (unsigned i = 0; i < 4; ++i) {
        const Node one = literal(type, usual_range(type));
        range = i == 0 ? one.range : range.joined(one.range);
        values += (i == 0 ? "" : ", ") + text_of(one);
    }
    tables_.push_back({name, type, 4, range, false});
    add_item({name}, statement(fmt::format("__constant {} {}[4] = {{{}}};\n", spelled(type), name,
                                           values)));
}

void Grammar::add_prologue() {
    std::vector<Type> types = palette_;
    types.insert(types.end(), {scalar_uint, scalar_uint, scalar_int});
    for (const Type type : types) {
        const std::string name = fresh("x"), element = type.element().name();
        const bool is_small = type.is_signed() && chance(60);
        std::string all;
        for (unsigned i = 0; i < type.width; ++i) {
            const std::string read = fmt::format("in[{}]", random_.below(inputs));
            all +=
                (i == 0 ? "" : ", ") +
                (type.is_float() ? fmt::format("(({})((int)({} & 255) - 128) / 4)", element, read)
                 : is_small      ? fmt::format("({})((int)({} & 255) - 128)", element, read)
                 : type.bits() == 64 ? fmt::format("({})((ulong){} << 32 | in[{}])", element, read,
                                                   random_.below(inputs))
                 : type.base == Base::boolean ? read + " & 1"
                                              : fmt::format("({}){}", element, read));
        }
        prologue_texts_.push_back(fmt::format(
            fmt::runtime(type.width > 1 ? "    {0} {1} = ({0})({2});\n" : "    {} {} = {};\n"),
            type.name(), name, all));
        prologue_.push_back({name, type, is_small ? usual_range(type) : limits(type)});
    }
}

File Grammar::file(std::size_t kernels) {
    file_.defines = {"D0", "D1=3"};
    palette_ = {scalar_int, scalar_uint, {Base::f32}};
    for (unsigned i = 0; i < 3; ++i) palette_.push_back(integer());
    if (chance(40)) palette_.push_back({Base::boolean});
    if (dialect_.has_double && has("double")) {
        palette_.push_back({Base::f64});
        file_.head.push_back(
            {{"double", "double2", "double3", "double4", "double8", "double16"},
             block({statement("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n")})});
    }
    static const std::vector<unsigned> widths{2, 3, 4, 4, 4, 8, 16};
    for (unsigned i = 0; i < 4; ++i) {
        const Type of = chance(25) ? integer() : any_scalar();
        if (of.base == Base::boolean) continue;
        palette_.push_back(of.with(random_.pick(widths)));
        if (palette_.back().width > 3 && chance(50))
            palette_.push_back(of.with(palette_.back().width / 2));
    }
    add_prologue();
    for (unsigned i = random_.below(4); i > 0; --i) add_alias();
    for (unsigned i = has("enums") ? 1 + random_.below(2) : 0; i > 0; --i) add_enum();
    for (unsigned i = random_.below(3); i > 0; --i) add_struct();
    for (unsigned i = random_.below(3); i > 0; --i) add_table();
    for (unsigned i = random_.below(6); i > 0; --i)
        has("bare macros") && chance(40) ? add_loose_macro() : add_macro();
    for (unsigned i = random_.below(4); i > 0; --i) add_function();
    for (unsigned i = random_.below(3); i > 0; --i) add_macro();
    for (std::size_t i = 0; i < kernels; ++i) file_.kernels.push_back(kernel());
    return std::move(file_);
}

}  // namespace

File file_of(std::uint64_t seed, std::size_t number, std::size_t kernels, const Dialect& dialect) {
    Random random(seed * 0x100000001b3 + number);
    File file = Grammar(random.next(), dialect).file(kernels);
    file.seed = seed;
    return file;
}

}  // namespace generated
}  // namespace parallax

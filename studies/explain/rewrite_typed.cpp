// Changes of a kernel's source that need types: math calls, divisions, branches. Expressions of
// unknown type and the bodies of macros stay as they are.
#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "studies/explain/rewrite.hpp"
#include "studies/explain/typed_text.hpp"

namespace parallax {
namespace {

bool is_float_value(const Type& type) {
    return type.pointers == 0 && type.value.element == "float";
}

/// The exponent of a power that one or two products replace, 2 of `pow(x, 2.0f)`; 0: it is none.
int small_power(const Typed& text, const Tree& tree, const Node& node) {
    if (node.kind != NodeKind::call || node.parts.size() != 2) return 0;
    if (!text.text[node.first].is_one_of({"pow", "powr", "pown"})) return 0;
    const Node& exponent = Typed::part(tree, node, 1);
    if (exponent.kind != NodeKind::number) return 0;
    const double value = std::strtod(std::string(text.name(exponent)).c_str(), nullptr);
    return value == 2 || value == 3 ? static_cast<int>(value) : 0;
}

}  // namespace

bool Typed::is_pure(const Tree& tree, const Node& node, bool anywhere) const {
    switch (node.kind) {
        case NodeKind::name:
        case NodeKind::number: return true;
        case NodeKind::call:
            if (native_name(name(node)).empty() &&
                !text[node.first].is_one_of({"fabs", "fmin", "fmax", "min", "max", "fma"})) {
                return false;
            }
            break;
        case NodeKind::index:
            if (anywhere) return false;
            break;
        case NodeKind::prefix:
            if (!text[node.operator_token].is_one_of({"-", "+", "!", "~"})) return false;
            break;
        case NodeKind::binary:
            if (text[node.operator_token].is(",")) return false;
            if (anywhere && text[node.operator_token].is_one_of({"/", "%"}) &&
                !is_float_element(node.type.value.element)) {
                return false;
            }
            break;
        case NodeKind::member:
            if (text[node.operator_token - 1].is("->")) return false;
            break;
        case NodeKind::cast:
        case NodeKind::choice:
        case NodeKind::literal:
        case NodeKind::group: break;
        default: return false;
    }
    return std::ranges::all_of(node.parts, [&](int one) {
        return is_pure(tree, tree[static_cast<std::size_t>(one)], anywhere);
    });
}

std::string native_name(std::string_view function) {
    static constexpr std::string_view same[]{"sin", "cos",  "tan",   "exp",  "exp2", "exp10",
                                             "log", "log2", "log10", "sqrt", "rsqrt"};
    if (std::ranges::find(same, function) != std::end(same)) {
        return fmt::format("native_{}", function);
    }
    return function == "pow" || function == "powr" ? "native_powr" : "";
}

std::vector<std::string> float_functions(std::string_view source, const TranslateOptions& options) {
    Typed text(source, options);
    std::vector<std::pair<std::string, int>> found;
    text.each([&](const Tree&, const Node& node) {
        if (node.kind != NodeKind::call || !is_float_value(node.type) ||
            native_name(text.name(node)).empty()) {
            return true;
        }
        const std::string name(text.name(node));
        const auto known = std::ranges::find(found, name, &std::pair<std::string, int>::first);
        if (known == found.end()) {
            found.emplace_back(name, 1);
        } else {
            ++known->second;
        }
        return true;
    });
    std::ranges::stable_sort(found, std::greater{}, &std::pair<std::string, int>::second);
    std::vector<std::string> names;
    for (const auto& [name, count] : found) names.push_back(name);
    return names;
}

Rewritten native_function(std::string_view source, const TranslateOptions& options,
                          std::string_view function) {
    Typed text(source, options);
    text.each([&](const Tree&, const Node& node) {
        if (node.kind == NodeKind::call && is_float_value(node.type) &&
            text.name(node) == function) {
            text.text.replace(node.first, native_name(function));
        }
        return true;
    });
    return text.text.result();
}

Rewritten powers_as_products(std::string_view source, const TranslateOptions& options) {
    Typed text(source, options);
    text.each([&](const Tree& tree, const Node& node) {
        const int power = small_power(text, tree, node);
        if (power == 0 || !text.is_pure(tree, Typed::part(tree, node, 0), false)) return true;
        const std::string base = text.words(Typed::part(tree, node, 0));
        text.write(node, power == 2 ? fmt::format("(({0}) * ({0}))", base)
                                    : fmt::format("(({0}) * ({0}) * ({0}))", base));
        return false;
    });
    return text.text.result();
}

Rewritten divide_by_reciprocals(std::string_view source, const TranslateOptions& options) {
    Typed text(source, options);
    text.each([&](const Tree& tree, const Node& node) {
        const bool assigns =
            node.kind == NodeKind::assign && text.text[node.operator_token].is("/=");
        if (!assigns && !(node.kind == NodeKind::binary && text.text[node.operator_token].is("/")))
            return true;
        const Node& right = Typed::part(tree, node, 1);
        const Type& whole = assigns ? Typed::part(tree, node, 0).type : node.type;
        // A divisor that is an integer becomes a float first, as it does in a division.
        if (!is_float_value(whole) || !(is_float_value(right.type) || right.type.is_scalar()) ||
            right.type.value.element == "double") {
            return true;
        }
        const bool converts = !is_float_value(right.type);
        text.text.replace(
            node.operator_token,
            fmt::format("{} native_recip({}", assigns ? "*=" : "*", converts ? "(float)(" : ""));
        text.text.insert_after(right.last, converts ? "))" : ")");
        return true;
    });
    return text.text.result();
}

namespace {

/// `x = a` or `x += a`, a whole statement.
struct Assignment {
    std::string name, type;  ///< of what is assigned to
    std::string value;       ///< that it gets
    std::size_t last = 0;    ///< the token before its `;`
    bool adds = false;       ///< the new value includes the old one
};

}  // namespace

Rewritten select_for_branches(std::string_view source, const TranslateOptions& options) {
    Typed text(source, options);
    const EditedSource& tokens = text.text;
    std::map<std::size_t, Assignment> assignments;
    text.each([&](const Tree& tree, const Node& node) {
        if (node.kind != NodeKind::assign) return true;
        const Node &left = Typed::part(tree, node, 0), &right = Typed::part(tree, node, 1);
        const bool fits = left.kind == NodeKind::name && left.type.is_scalar() &&
                          right.type.is_scalar() && text.is_pure(tree, right, true);
        // A condition is an int, and `select` wants one as wide as what it chooses.
        const std::string type = name_of(left.type.value);
        if (!fits || (type != "float" && type != "int" && type != "uint")) return true;
        std::string operation(tokens[node.operator_token].text);
        operation.pop_back();
        if (operation == "/" || operation == "%" || operation == "<<" || operation == ">>")
            return true;
        const std::string name(text.name(left));
        assignments[node.first] = {
            name, type,
            operation.empty() ? text.words(right)
                              : fmt::format("{} {} ({})", name, operation, text.words(right)),
            node.last, !operation.empty()};
        return true;
    });
    /// The assignment that is the only statement at `i`, with or without braces, and its last
    /// token.
    const auto alone = [&](std::size_t i) -> std::pair<const Assignment*, std::size_t> {
        const bool braces = tokens[i].is("{");
        const auto found = assignments.find(i + (braces ? 1 : 0));
        if (found == assignments.end() || !tokens[found->second.last + 1].is(";")) return {};
        const std::size_t end = found->second.last + 1;
        if (braces && !tokens[end + 1].is("}")) return {};
        return {&found->second, braces ? end + 1 : end};
    };
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].is("if") || !tokens[i + 1].is("(")) continue;
        const std::size_t close = tokens.match(i + 1);
        // A value may be of what the condition assigns, and arguments have no order.
        bool assigns = false;
        for (std::size_t k = i + 2; k < close; ++k) {
            assigns = assigns || tokens[k].is_one_of({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
                                                      "^=", "<<=", ">>=", "++", "--"});
        }
        if (assigns) continue;
        auto [yes, last] = alone(close + 1);
        if (!yes) continue;
        std::string otherwise = yes->name;
        if (tokens[last + 1].is("else")) {
            const auto [no, end] = alone(last + 2);
            if (!no || no->name != yes->name) continue;
            otherwise = no->value;
            last = end;
        }
        const std::string condition = tokens.between(i + 2, close);
        text.text.replace(i, fmt::format("{0} = select(({1})({2}), ({1})({3}), ({4}) ? 1 : 0);",
                                         yes->name, yes->type, otherwise, yes->value, condition));
        for (std::size_t k = i + 1; k <= last; ++k) text.text.remove(k);
        i = last;
    }
    return text.text.result();
}

}  // namespace parallax

// Changes of a kernel's text that have to know types: calls of mathematics, divisions, branches,
// loads of vectors. What has no known type stays as it is, and so do the bodies of macros.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "mapping/translate/parser.hpp"
#include "studies/explain/edited_tokens.hpp"
#include "studies/explain/rewrite.hpp"

namespace parallax {
namespace {

using Kind = Node::Kind;

/// A text whose expressions are looked at.
class Typed : private ExpressionSink {
public:
    Typed(std::string_view source, const TranslateOptions& options)
        : text(source), options_(options) {}

    EditedTokens text;

    /// Hands over every node of the functions' expressions, the outer ones first.
    /// @param look  whether its parts are to be looked at as well
    void each(std::function<bool(const Tree&, const Node&)> look) {
        look_ = std::move(look);
        Parser(text.outline(), options_.type, options_.constants, *this).run();
    }

    static const Node& part(const Tree& tree, const Node& node, std::size_t p) {
        return tree[static_cast<std::size_t>(node.parts.at(p))];
    }
    std::string words(const Node& node) const {
        return text.between(node.first, node.last + 1).substr(text[node.first].space.size());
    }
    std::string_view name(const Node& node) const { return text[node.first].text; }

    /// Writes this in the place of the node, whose own parts are then gone.
    void write(const Node& node, std::string instead) {
        text.replace(node.first, std::move(instead));
        for (std::size_t i = node.first + 1; i <= node.last; ++i) text.remove(i);
    }

    /// Whether it may be calculated twice, or where it was not: it changes nothing.
    /// @param anywhere  where it was not: it reads no memory and cannot trap either
    bool is_pure(const Tree& tree, const Node& node, bool anywhere) const {
        switch (node.kind) {
            case Kind::name:
            case Kind::number: return true;
            case Kind::call:
                if (native_name(name(node)).empty() &&
                    !text[node.first].is_one_of({"fabs", "fmin", "fmax", "min", "max", "fma"})) {
                    return false;
                }
                break;
            case Kind::index:
                if (anywhere) return false;
                break;
            case Kind::prefix:
                if (!text[node.mark].is_one_of({"-", "+", "!", "~"})) return false;
                break;
            case Kind::binary:
                if (text[node.mark].is(",")) return false;
                if (anywhere && text[node.mark].is_one_of({"/", "%"}) &&
                    !is_float_element(node.type.value.element)) {
                    return false;
                }
                break;
            case Kind::member:
                if (text[node.mark - 1].is("->")) return false;
                break;
            case Kind::cast:
            case Kind::choice:
            case Kind::literal:
            case Kind::group: break;
            default: return false;
        }
        return std::ranges::all_of(node.parts, [&](int one) {
            return is_pure(tree, tree[static_cast<std::size_t>(one)], anywhere);
        });
    }

private:
    void expression(const Tree& tree, int root, Place place) override {
        if (place == Place::statement) visit(tree, tree[static_cast<std::size_t>(root)]);
    }
    void not_understood(std::size_t, std::size_t) override {}
    void visit(const Tree& tree, const Node& node) {
        if (node.last >= text.size() || !look_(tree, node)) return;
        for (const int one : node.parts) visit(tree, tree[static_cast<std::size_t>(one)]);
    }

    const TranslateOptions& options_;
    std::function<bool(const Tree&, const Node&)> look_;
};

bool is_float(const Type& type) {
    return type.pointers == 0 && type.value.element == "float";
}

/// Of `pow(x, 2.0f)` the 2; 0: it is no power that a product or two give.
int small_power(const Typed& text, const Tree& tree, const Node& node) {
    if (node.kind != Kind::call || node.parts.size() != 2) return 0;
    if (!text.text[node.first].is_one_of({"pow", "powr", "pown"})) return 0;
    const Node& exponent = Typed::part(tree, node, 1);
    if (exponent.kind != Kind::number) return 0;
    const double value = std::strtod(std::string(text.name(exponent)).c_str(), nullptr);
    return value == 2 || value == 3 ? static_cast<int>(value) : 0;
}

}  // namespace

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
        if (node.kind != Kind::call || !is_float(node.type) ||
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
        if (node.kind == Kind::call && is_float(node.type) && text.name(node) == function) {
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
        const bool assigns = node.kind == Kind::assign && text.text[node.mark].is("/=");
        if (!assigns && !(node.kind == Kind::binary && text.text[node.mark].is("/"))) return true;
        const Node& right = Typed::part(tree, node, 1);
        const Type& whole = assigns ? Typed::part(tree, node, 0).type : node.type;
        // A divisor that is an integer becomes a float first, as it does in a division.
        if (!is_float(whole) || !(is_float(right.type) || right.type.is_scalar()) ||
            right.type.value.element == "double") {
            return true;
        }
        const bool converts = !is_float(right.type);
        text.text.replace(node.mark, fmt::format("{} native_recip({}", assigns ? "*=" : "*",
                                                 converts ? "(float)(" : ""));
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
    bool adds = false;       ///< the value is made of what it was
};

}  // namespace

Rewritten select_for_branches(std::string_view source, const TranslateOptions& options) {
    Typed text(source, options);
    const EditedTokens& tokens = text.text;
    std::map<std::size_t, Assignment> assignments;
    text.each([&](const Tree& tree, const Node& node) {
        if (node.kind != Kind::assign) return true;
        const Node &left = Typed::part(tree, node, 0), &right = Typed::part(tree, node, 1);
        const bool fits = left.kind == Kind::name && left.type.is_scalar() &&
                          right.type.is_scalar() && text.is_pure(tree, right, true);
        // A condition is an int, and `select` wants one as wide as what it chooses.
        const std::string type = name_of(left.type.value);
        if (!fits || (type != "float" && type != "int" && type != "uint")) return true;
        std::string mark(tokens[node.mark].text);
        mark.pop_back();
        if (mark == "/" || mark == "%" || mark == "<<" || mark == ">>") return true;
        const std::string name(text.name(left));
        assignments[node.first] = {name, type,
                                   mark.empty()
                                       ? text.words(right)
                                       : fmt::format("{} {} ({})", name, mark, text.words(right)),
                                   node.last, !mark.empty()};
        return true;
    });
    /// The assignment that is all that stands at `i`, with or without braces, and its last token.
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

namespace {

/// A kernel's parameter that points to global memory.
struct GlobalPointer {
    bool is_const = false;
    bool is_moved = false;  ///< something is assigned to the pointer itself
};

/// The parameter that the token `at` names, or nothing.
std::optional<GlobalPointer> global_pointer(const EditedTokens& text, std::size_t at) {
    for (const Item& item : text.items()) {
        if (item.kind != Item::Kind::kernel || at <= item.body || at >= item.last) continue;
        for (const ParameterRange& range : text.parameters(item)) {
            if (!text[range.last - 1].is(text[at].text)) continue;
            GlobalPointer found;
            bool global = false;
            for (std::size_t i = range.first; i < range.last; ++i) {
                global = global || text[i].is_one_of({"__global", "global"});
                found.is_const = found.is_const || text[i].is("const");
            }
            if (!global) return {};
            for (std::size_t i = item.body; i < item.last; ++i) {
                if (!text[i].is(text[at].text) || text[i - 1].is_one_of({".", "->"})) continue;
                found.is_moved = found.is_moved ||
                                 text[i + 1].is_one_of({"=", "+=", "-=", "++", "--"}) ||
                                 text[i - 1].is_one_of({"++", "--", "&"});
            }
            return found;
        }
    }
    return {};
}

std::string pointer_cast(const GlobalPointer& pointer, const std::string& type,
                         std::string_view name) {
    return fmt::format("((__global {}{}*){})", pointer.is_const ? "const " : "", type, name);
}

/// Four elements one by one. @param base  what is subscripted
std::string one_by_one(ValueType vector, const std::string& base, const std::string& place) {
    std::string parts;
    for (int i = 0; i < 4; ++i) {
        parts += fmt::format("{}{}[4 * ({}){}]", i ? ", " : "", base, place,
                             i ? fmt::format(" + {}", i) : "");
    }
    return fmt::format("({})({})", name_of(vector), parts);
}

/// Of four neighbours from a multiple of four on, `p[4 * i], ..., p[4 * i + 3]`: what stands for
/// `i`, and the node of `p`; nothing for any other.
std::optional<std::pair<std::string, const Node*>> four_neighbours(const Typed& text,
                                                                   const Tree& tree,
                                                                   const Node& vector) {
    if (vector.kind != Kind::literal || vector.parts.size() != 4) return {};
    std::string start, quarter;
    for (std::size_t i = 0; i < 4; ++i) {
        const Node& one = Typed::part(tree, vector, i);
        if (one.kind != Kind::index) return {};
        if (text.words(Typed::part(tree, one, 0)) !=
            text.words(Typed::part(tree, Typed::part(tree, vector, 0), 0))) {
            return {};
        }
        const Node& place = Typed::part(tree, one, 1);
        if (place.kind != Kind::binary || !text.is_pure(tree, place, false)) return {};
        const Node &left = Typed::part(tree, place, 0), &right = Typed::part(tree, place, 1);
        if (i == 0) {
            if (!text.text[place.mark].is("*")) return {};
            start = text.words(place);
            const bool first = text.words(left) == "4";
            quarter = text.words(first ? right : left);
            if (!first && text.words(right) != "4") return {};
        } else if (!text.text[place.mark].is("+") || text.words(left) != start ||
                   text.words(right) != std::to_string(i)) {
            return {};
        }
    }
    return std::pair{quarter, &Typed::part(tree, Typed::part(tree, vector, 0), 0)};
}

}  // namespace

Rewritten split_vector_loads(std::string_view source, const TranslateOptions& options) {
    Typed text(source, options);
    std::set<std::size_t> written;  // where what is assigned to begins
    text.each([&](const Tree& tree, const Node& node) {
        if (node.kind == Kind::assign || node.kind == Kind::postfix) {
            written.insert(Typed::part(tree, node, 0).first);
        }
        if (node.kind == Kind::prefix && text.text[node.mark].is_one_of({"&", "++", "--"})) {
            written.insert(Typed::part(tree, node, 0).first);
        }
        if (node.type.pointers != 0 || node.type.value.width != 4) return true;
        const ValueType element{node.type.value.element, 1};
        if (node.kind == Kind::index && !written.contains(node.first)) {
            const Node &base = Typed::part(tree, node, 0), &place = Typed::part(tree, node, 1);
            if (base.kind != Kind::name || !text.is_pure(tree, place, false)) return true;
            const auto pointer = global_pointer(text.text, base.first);
            if (!pointer) return true;
            text.write(node, one_by_one(node.type.value,
                                        pointer_cast(*pointer, name_of(element), text.name(base)),
                                        text.words(place)));
            return false;
        }
        if (node.kind == Kind::call && text.name(node) == "vload4" && node.parts.size() == 2) {
            const Node &place = Typed::part(tree, node, 0), &base = Typed::part(tree, node, 1);
            if (!text.is_pure(tree, place, false) || !text.is_pure(tree, base, false)) return true;
            text.write(node, one_by_one(node.type.value, fmt::format("({})", text.words(base)),
                                        text.words(place)));
            return false;
        }
        return true;
    });
    return text.text.result();
}

Rewritten join_vector_loads(std::string_view source, const TranslateOptions& options) {
    Typed text(source, options);
    text.each([&](const Tree& tree, const Node& node) {
        if (node.type.pointers != 0 || node.type.value.width != 4) return true;
        const Node* base = nullptr;
        std::string place;
        if (node.kind == Kind::call && text.name(node) == "vload4" && node.parts.size() == 2) {
            base = &Typed::part(tree, node, 1);
            place = text.words(Typed::part(tree, node, 0));
        } else if (const auto four = four_neighbours(text, tree, node)) {
            std::tie(place, base) = *four;
        }
        // A buffer begins at a multiple of every vector's size; what points into it may not.
        if (!base || base->kind != Kind::name) return true;
        const auto pointer = global_pointer(text.text, base->first);
        const bool same = base->type.pointers == 1 && !base->type.value.is_vector() &&
                          base->type.value.element == node.type.value.element;
        if (!pointer || pointer->is_moved || !same) return true;
        text.write(
            node,
            fmt::format("{}[{}]",
                        pointer_cast(*pointer, name_of(node.type.value), text.name(*base)), place));
        return false;
    });
    return text.text.result();
}

}  // namespace parallax

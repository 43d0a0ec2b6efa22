// Parses enums, and evaluates constant expressions as OpenCL's compiler does.
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include "mapping/analyze/literals.hpp"
#include "mapping/analyze/parser.hpp"

namespace parallax {
namespace {

using Whole = std::int64_t;

bool is_whole(const Type& type) {
    return type.is_scalar() && !is_float_element(type.value.element);
}

bool is_signed(const Type& type) {
    return is_signed_element(type.value.element);
}

/// The value as the type holds it: its low bits, with their sign.
Whole wrapped(Whole value, const Type& type) {
    if (type.value.element == "bool") return value != 0;
    const unsigned rest = 64 - 8 * element_bytes(type.value.element);
    const std::uint64_t high = static_cast<std::uint64_t>(value) << rest;
    if (is_signed(type)) return static_cast<Whole>(high) >> rest;
    return static_cast<Whole>(high >> rest);
}

bool is_negative(Whole value, const Type& type) {
    return value < 0 && is_signed(type);
}

bool fits(Whole value, const Type& from, const Type& to) {
    return wrapped(value, to) == value && is_negative(value, from) == is_negative(value, to);
}

/// The type of an enum's variables, and of those enumerators that are no int.
Type enum_type(const std::vector<Parser::Enumerator>& all, bool is_packed) {
    const bool any_negative =
        std::ranges::any_of(all, [](const auto& one) { return is_negative(one.value, one.type); });
    const auto holds = [&](std::string_view element) {
        return std::ranges::all_of(
            all, [&](const auto& one) { return fits(one.value, one.type, type_of(element)); });
    };
    for (const std::string_view element : {"uchar", "ushort", "uint", "char", "short", "int"}) {
        const bool is_small = element_bytes(element) < 4;
        if (is_signed_element(element) == any_negative && (is_packed || !is_small) &&
            holds(element)) {
            return type_of(element);
        }
    }
    return type_of(any_negative ? "long" : "ulong");
}

/// Whether a macro's body keeps its value in any context without parentheses.
bool may_stand_bare(const Node& node) {
    using enum Node::Kind;
    return node.kind == name || node.kind == number || node.kind == group || node.kind == call ||
           node.kind == prefix || node.kind == cast;
}

}  // namespace

bool Parser::decides(const Token& token) {
    if (token.kind != TokenKind::directive) return false;
    const std::size_t word = token.text.find_first_not_of("# \t");
    return word != token.text.npos &&
           (token.text.substr(word).starts_with("if") || token.text.substr(word).starts_with("el"));
}

Type Parser::enum_from(std::size_t& i) {
    const std::size_t word = i;
    std::size_t k = after_attributes(next(i));
    std::string_view tag;
    if (at(k).kind == TokenKind::identifier) {
        tag = at(k).text;
        i = k;
        k = next(k);
    }
    Enum made;
    if (at(k).is("{") && outline_.match[k] > k) {
        i = outline_.match[k];
        const std::size_t past = after_attributes(next(i));
        bool is_packed = false;
        for (std::size_t t = word; t < past; ++t) {
            is_packed = is_packed || at(t).is_one_of({"packed", "__packed__"});
        }
        made = read_enum(k, is_packed);
        made.last = past - 1;
        while (at(made.last).kind == TokenKind::directive) --made.last;
        if (!tag.empty()) note(enum_tags_, tag, made.type);
        i = past;
    } else {
        made.last = i;
        if (const auto known = enum_tags_.find(tag); known != enum_tags_.end()) {
            made.type = known->second;
        }
        i = k;
    }
    return (enums_[word] = std::move(made)).type;
}

Parser::Enum Parser::read_enum(std::size_t open, bool is_packed) {
    Enum made{.open = open};
    bool is_known = true, has_all = true;
    Whole value = -1;
    Type type = type_of("long");
    for (std::size_t i = next(open);
         i < outline_.match[open] && at(i).kind == TokenKind::identifier;) {
        Enumerator one{.name = i};
        has_all = has_all && macro(at(i).text) == nullptr;
        i = after_attributes(next(i));
        if (at(i).is("=")) {
            one.is_given = true;
            i = next(i);
            const auto found = constant_at(i);
            is_known = found.has_value();
            if (found) std::tie(value, type) = *found;
        } else {
            ++value;
        }
        one.value = value;
        one.type = !is_known                             ? Type{}
                   : fits(value, type, type_of("int"))   ? type_of("int")
                   : type.value == ValueType{"ulong", 1} ? type
                                                         : type_of("long");
        // One that is not known is written as an int, or does not compile.
        scopes_.back()[at(one.name).text] = is_known ? one.type : type_of("int");
        declared_.insert(at(one.name).text);
        const auto known = is_known ? std::optional(value) : std::nullopt;
        const auto [noted, fresh] = values_.try_emplace(at(one.name).text, known);
        if (!fresh && noted->second != known) noted->second = {};
        made.enumerators.push_back(one);
        while (i < outline_.match[open] && !at(i).is(",")) i = next(std::max(i, outline_.match[i]));
        i = next(i);
    }
    for (std::size_t i = open; i < outline_.match[open]; ++i) {
        if (decides(at(i))) return made;
    }
    const bool has_values =
        std::ranges::all_of(made.enumerators, [](const auto& one) { return one.type.known(); });
    if (!has_all || !has_values || made.enumerators.empty()) return made;
    made.type = enum_type(made.enumerators, is_packed);
    for (Enumerator& one : made.enumerators) {
        if (one.type.value.element != "int") one.type = promoted(made.type);
        scopes_.back()[at(one.name).text] = one.type;
    }
    return made;
}

std::optional<std::pair<Whole, Type>> Parser::constant_at(std::size_t& i) {
    const std::size_t back = std::exchange(i_, i), nodes = tree_.size();
    const bool failed = std::exchange(failed_, false);
    std::optional<std::pair<Whole, Type>> found;
    const int root = choice();
    if (!failed_) {
        if (const auto number = value(root)) found.emplace(*number, node(root).type);
        i = i_;
    }
    tree_.resize(nodes);
    failed_ = failed;
    i_ = back;
    return found;
}

std::optional<Whole> Parser::value(int index) {
    // The tree may move while a macro is read.
    const Node node = this->node(index);
    const std::string_view text = at(node.first).text;
    if (node.kind == Node::Kind::group) return value(node.parts[0]);
    if (node.kind == Node::Kind::name || node.kind == Node::Kind::call) {
        const Directive* define = macro(text);
        if (define) return macro_value(*define, node);
        const auto found = values_.find(text);
        if (node.kind == Node::Kind::call || found == values_.end()) return {};
        return found->second;
    }
    if (!is_whole(node.type)) return {};
    if (node.kind == Node::Kind::number) {
        const auto number = whole_number_of(text);
        return number ? std::optional(wrapped(static_cast<Whole>(*number), node.type))
                      : std::nullopt;
    }
    if (node.kind == Node::Kind::binary) return binary_value(node);
    if (node.kind == Node::Kind::size) {
        const Type type = node.parts.empty()
                              ? type_in_parentheses(next(node.first)).value_or(Type{})
                              : this->node(node.parts[0]).type;
        if (type.pointers > 0 || !type.value.known() || text != "sizeof") return {};
        const unsigned width = type.value.width == 3 ? 4 : type.value.width;
        return width * element_bytes(type.value.element);
    }
    if (node.kind == Node::Kind::choice) {
        const auto condition = value(node.parts[0]);
        if (!condition) return {};
        const auto chosen = value(node.parts[*condition != 0 ? 1 : 2]);
        return chosen ? std::optional(wrapped(*chosen, node.type)) : std::nullopt;
    }
    if (node.kind != Node::Kind::prefix && node.kind != Node::Kind::cast) return {};
    const auto part = value(node.parts[0]);
    if (!part || !is_whole(this->node(node.parts[0]).type)) return {};
    if (node.kind == Node::Kind::cast || text == "+") return wrapped(*part, node.type);
    // Without a sign, so that nothing overflows.
    const auto bits = static_cast<std::uint64_t>(*part);
    if (text == "-") return wrapped(static_cast<Whole>(0 - bits), node.type);
    if (text == "~") return wrapped(static_cast<Whole>(~bits), node.type);
    if (text == "!") return *part == 0;
    return {};
}

std::optional<Whole> Parser::binary_value(const Node& node) {
    const std::string_view operation = at(node.operator_token).text;
    const auto left = value(node.parts[0]), right = value(node.parts[1]);
    const Type a = this->node(node.parts[0]).type, b = this->node(node.parts[1]).type;
    if (!left || !right || !is_whole(a) || !is_whole(b)) return {};
    if (operation == "&&") return *left != 0 && *right != 0;
    if (operation == "||") return *left != 0 || *right != 0;
    const bool shifts = operation == "<<" || operation == ">>";
    const Type common = shifts ? promoted(a) : binary_type("+", a, b);
    const Whole x = wrapped(*left, common), y = shifts ? *right : wrapped(*right, common);
    const auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
    const auto made = [&](std::uint64_t bits) { return wrapped(static_cast<Whole>(bits), common); };
    const std::uint64_t count = uy & (8 * element_bytes(common.value.element) - 1);
    if (operation == "+") return made(ux + uy);
    if (operation == "-") return made(ux - uy);
    if (operation == "*") return made(ux * uy);
    if (operation == "&") return made(ux & uy);
    if (operation == "|") return made(ux | uy);
    if (operation == "^") return made(ux ^ uy);
    if (operation == "<<") return made(ux << count);
    if (operation == ">>") return is_signed(common) ? x >> count : made(ux >> count);
    if (operation == "==") return x == y;
    if (operation == "!=") return x != y;
    const bool is_less = is_signed(common) ? x < y : ux < uy;
    if (operation == "<") return is_less;
    if (operation == ">=") return !is_less;
    if (operation == "<=") return is_less || x == y;
    if (operation == ">") return !is_less && x != y;
    if (y == 0 || (is_signed(common) && y == -1) || (operation != "/" && operation != "%"))
        return {};
    if (is_signed(common)) return operation == "/" ? x / y : x % y;
    return made(operation == "/" ? ux / uy : ux % uy);
}

std::optional<Whole> Parser::macro_value(const Directive& define, const Node& use) {
    const bool is_call = use.kind == Node::Kind::call;
    if (define.has_parameters != is_call || define.body == define.last || !define.balanced ||
        ambiguous_.contains(define.name) || macro_depth_ >= deepest_macro ||
        define.parameters.size() != use.parts.size()) {
        return {};
    }
    // An argument may have the name of a parameter, and means what it does outside.
    auto inner = values_;
    Names types;
    for (std::size_t p = 0; p < use.parts.size(); ++p) {
        const auto argument = value(use.parts[p]);
        const Node& part = node(use.parts[p]);
        if (!argument || !may_stand_bare(part)) return {};
        types[define.parameters[p]] = part.type;
        inner[define.parameters[p]] = argument;
    }
    std::swap(values_, inner);
    scopes_.push_back(std::move(types));
    ++macro_depth_;
    std::size_t end = define.body;
    const auto found = constant_at(end);
    const bool is_whole_body = found && end == define.last;
    --macro_depth_;
    scopes_.pop_back();
    std::swap(values_, inner);
    return is_whole_body ? std::optional(found->first) : std::nullopt;
}

void Parser::case_label() {
    tree_.clear();
    const int root = expression();
    if (failed_) return;
    if (is_whole(switched_)) {
        const auto label = value(root);
        const Type type = node(root).type;
        // C++ takes no label that the type does not hold.
        const bool is_held =
            label && is_whole(type) ? fits(*label, type, switched_) : is_signed(switched_);
        if (!is_held) node(root).wanted = switched_;
    }
    sink_->expression(tree_, root, ExpressionSink::Place::statement);
}

}  // namespace parallax

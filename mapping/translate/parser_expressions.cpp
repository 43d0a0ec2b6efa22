// Reads expressions by the binding strength of their operators, and finds their types.
#include <algorithm>
#include <array>
#include <utility>

#include "mapping/translate/builtins.hpp"
#include "mapping/translate/parser.hpp"

namespace parallax {
namespace {

/// Binding strength of a binary operator, 0 for other tokens.
int strength_of(const Token& token) {
    if (token.kind != TokenKind::mark) return 0;
    static constexpr std::array<std::pair<std::string_view, int>, 18> strengths{{{"*", 10},
                                                                                 {"/", 10},
                                                                                 {"%", 10},
                                                                                 {"+", 9},
                                                                                 {"-", 9},
                                                                                 {"<<", 8},
                                                                                 {">>", 8},
                                                                                 {"<", 7},
                                                                                 {">", 7},
                                                                                 {"<=", 7},
                                                                                 {">=", 7},
                                                                                 {"==", 6},
                                                                                 {"!=", 6},
                                                                                 {"&", 5},
                                                                                 {"^", 4},
                                                                                 {"|", 3},
                                                                                 {"&&", 2},
                                                                                 {"||", 1}}};
    for (const auto& [mark, strength] : strengths) {
        if (token.text == mark) return strength;
    }
    return 0;
}

bool is_assignment(const Token& token) {
    static constexpr std::array<std::string_view, 11> marks{
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    return token.kind == TokenKind::mark && std::ranges::find(marks, token.text) != marks.end();
}

bool is_prefix(const Token& token) {
    static constexpr std::array<std::string_view, 8> marks{"+", "-", "!",  "~",
                                                           "*", "&", "++", "--"};
    return token.kind == TokenKind::mark && std::ranges::find(marks, token.text) != marks.end();
}

}  // namespace

int Parser::add(Node node) {
    tree_.push_back(std::move(node));
    return static_cast<int>(tree_.size()) - 1;
}

int Parser::expression() {
    int left = assignment();
    while (!failed_ && here().is(",")) {
        const std::size_t mark = i_;
        step();
        const int right = assignment();
        if (failed_) break;
        const auto& a = this->node(left);
        const auto& b = this->node(right);
        left = add({.kind = Node::Kind::binary,
                    .first = a.first,
                    .last = b.last,
                    .mark = mark,
                    .type = b.type,
                    .parts = {left, right}});
    }
    return left;
}

int Parser::assignment() {
    if (++depth_ > deepest) fail();
    int left = failed_ ? 0 : choice();
    if (!failed_ && is_assignment(here())) {
        const std::size_t mark = i_;
        step();
        const int right = here().is("{") ? braces(this->node(left).type) : assignment();
        if (!failed_) {
            const Node a = this->node(left);
            Node& b = this->node(right);
            if (at(mark).is("=")) b.wanted = a.type;
            left = add({.kind = Node::Kind::assign,
                        .first = a.first,
                        .last = b.last,
                        .mark = mark,
                        .type = a.type,
                        .parts = {left, right}});
        }
    }
    --depth_;
    return left;
}

int Parser::choice() {
    const int condition = binary(1);
    if (failed_ || !here().is("?")) return condition;
    const std::size_t mark = i_;
    step();
    const int yes = expression();
    if (failed_) return 0;
    const std::size_t second = i_;
    expect(":");
    if (failed_) return 0;
    const int no = assignment();
    if (failed_) return 0;
    Node& a = this->node(yes);
    Node& b = this->node(no);
    Type type = a.type.pointers > 0   ? a.type
                : b.type.pointers > 0 ? b.type
                                      : binary_type("+", a.type, b.type);
    if (a.type == b.type) type = a.type;
    if (type.is_vector()) a.wanted = b.wanted = type;
    const Node& c = this->node(condition);
    return add({.kind = Node::Kind::choice,
                .first = c.first,
                .last = b.last,
                .mark = mark,
                .second = second,
                .type = type,
                .parts = {condition, yes, no}});
}

int Parser::binary(int strength) {
    int left = unary();
    while (!failed_) {
        const int found = strength_of(here());
        if (found < strength || found == 0) break;
        const std::size_t mark = i_;
        step();
        const int right = binary(found + 1);
        if (failed_) break;
        const Node& a = this->node(left);
        const Node& b = this->node(right);
        left = add({.kind = Node::Kind::binary,
                    .first = a.first,
                    .last = b.last,
                    .mark = mark,
                    .type = binary_type(at(mark).text, a.type, b.type),
                    .parts = {left, right}});
    }
    return left;
}

int Parser::unary() {
    if (++depth_ > deepest) fail();
    int made = 0;
    const std::size_t first = i_;
    if (failed_) {
    } else if (is_prefix(here())) {
        const std::string_view mark = here().text;
        step();
        const int part = unary();
        if (!failed_) {
            const Node& a = this->node(part);
            Type type = a.type;
            if (mark == "*") type = a.type.pointee();
            if (mark == "&" && type.known()) ++type.pointers;
            if (mark == "!") type = binary_type("==", a.type, a.type);
            if (mark == "-" || mark == "+" || mark == "~") type = promoted(type);
            made = add({.kind = Node::Kind::prefix,
                        .first = first,
                        .last = a.last,
                        .mark = first,
                        .type = type,
                        .parts = {part}});
        }
    } else if (here().is("sizeof") || here().is("vec_step")) {
        step();
        if (here().is("(") && type_in_parentheses(i_)) {
            const std::size_t close = outline_.match[i_];
            i_ = next(close);
            made = add({.kind = Node::Kind::size,
                        .first = first,
                        .last = close,
                        .mark = first,
                        .type = type_of("ulong")});
        } else {
            const int part = unary();
            if (!failed_) {
                made = add({.kind = Node::Kind::size,
                            .first = first,
                            .last = this->node(part).last,
                            .mark = first,
                            .type = type_of("ulong"),
                            .parts = {part}});
            }
        }
    } else {
        made = primary();
    }
    --depth_;
    return made;
}

int Parser::primary() {
    const std::size_t first = i_;
    switch (here().kind) {
        case TokenKind::number:
        case TokenKind::character: {
            const std::string_view text = here().text;
            step();
            return add({.kind = Node::Kind::number,
                        .first = first,
                        .last = first,
                        .type = number_type(text)});
        }
        case TokenKind::string: {
            std::size_t last = i_;
            while (here().kind == TokenKind::string) {
                last = i_;
                step();
            }
            return add({.kind = Node::Kind::text, .first = first, .last = last});
        }
        case TokenKind::word: return name();
        case TokenKind::mark:
            if (here().is("(")) return parenthesis();
            break;
        default: break;
    }
    fail();
    return 0;
}

std::optional<Type> Parser::type_in_parentheses(std::size_t open) {
    const std::size_t close = outline_.match[open];
    if (close < open) return {};
    std::size_t i = next(open);
    auto type = type_at(i);
    if (!type) return {};
    while (i < close) {
        if (at(i).is("*")) {
            ++type->pointers;
        } else if (at(i).is("[") || at(i).is("(")) {
            if (outline_.match[i] < i) return {};
            ++type->pointers;
            i = outline_.match[i];
        } else if (!is_qualifier(at(i).text) && !is_address_space(at(i).text)) {
            return {};
        }
        i = next(i);
    }
    return i == close ? type : std::nullopt;
}

bool Parser::separates(int group) const {
    const Node& node = tree_[static_cast<std::size_t>(group)];
    if (node.kind != Node::Kind::group) return false;
    const Node& inside = tree_[static_cast<std::size_t>(node.parts[0])];
    return inside.kind == Node::Kind::binary && at(inside.mark).is(",");
}

int Parser::parenthesis() {
    const std::size_t open = i_;
    const std::size_t close = outline_.match[open];
    if (close < open) {
        fail();
        return 0;
    }
    if (const auto type = type_in_parentheses(open)) {
        i_ = next(close);
        const bool brace = here().is("{");
        if ((here().is("(") && type->is_vector()) || brace) {
            const std::size_t bracket = i_;
            if (outline_.match[bracket] < bracket) {
                fail();
                return 0;
            }
            const bool literal = type->is_vector();
            const int node = add({.kind = literal ? Node::Kind::literal : Node::Kind::compound,
                                  .first = open,
                                  .last = outline_.match[bracket],
                                  .mark = close,
                                  .second = bracket,
                                  .type = *type});
            step();
            list(node, brace ? "}" : ")");
            return failed_ ? 0 : postfix(node);
        }
        const int part = unary();
        if (failed_) return 0;
        if (!type->known() && type->pointers == 0 && separates(part)) {
            return add({.kind = Node::Kind::literal,
                        .first = open,
                        .last = this->node(part).last,
                        .mark = close,
                        .second = this->node(part).first,
                        .parts = {part}});
        }
        return add({.kind = Node::Kind::cast,
                    .first = open,
                    .last = this->node(part).last,
                    .mark = close,
                    .type = *type,
                    .parts = {part}});
    }
    step();
    const int part = expression();
    expect(")");
    if (failed_) return 0;
    const Type type = this->node(part).type;
    const int group = add(
        {.kind = Node::Kind::group, .first = open, .last = close, .type = type, .parts = {part}});
    // `(type)(x)` and `(type)x` with a macro's parameter for the type.
    const Node& inside = this->node(part);
    if (in_macro_ && inside.kind == Node::Kind::name &&
        (here().is("(") || here().kind == TokenKind::word || here().kind == TokenKind::number)) {
        const int operand = unary();
        if (failed_) return 0;
        const Node& o = this->node(operand);
        if (separates(operand)) {
            return add({.kind = Node::Kind::literal,
                        .first = open,
                        .last = o.last,
                        .mark = close,
                        .second = o.first,
                        .parts = {operand}});
        }
        return add({.kind = Node::Kind::cast,
                    .first = open,
                    .last = o.last,
                    .mark = close,
                    .parts = {operand}});
    }
    return postfix(group);
}

void Parser::list(int node, std::string_view close) {
    while (!failed_ && !here().is(close)) {
        const std::size_t named = close == "}" ? designator() : 0;
        if (failed_) return;
        const Type whole = this->node(node).type;
        const Type inner =
            whole.record != 0 ? part_type(whole, this->node(node).parts.size(), named) : Type{};
        const int part = here().is("{") ? braces(inner) : assignment();
        if (failed_) return;
        this->node(part).wanted = inner;
        this->node(node).parts.push_back(part);
        this->node(node).named.push_back(named);
        if (!take(",") && !here().is(close)) fail();
    }
    if (!failed_) step();
}

int Parser::name() {
    const std::size_t first = i_;
    const std::string_view text = here().text;
    if (is_shared_keyword(text) && text != "true" && text != "false") {
        fail();
        return 0;
    }
    step();
    if (here().is("(")) return call(first);
    return postfix(
        add({.kind = Node::Kind::name, .first = first, .last = first, .type = name_type(text)}));
}

Type Parser::name_type(std::string_view name) {
    if (const Type* type = variable(name)) return *type;
    if (const Directive* define = macro(name); define && !define->has_parameters) {
        return body_type(*define, {});
    }
    return constant_type(name);
}

int Parser::call(std::size_t name) {
    const std::size_t open = i_;
    const std::size_t close = outline_.match[open];
    if (close < open) {
        fail();
        return 0;
    }
    const int node = add({.kind = Node::Kind::call, .first = name, .last = close, .mark = open});
    const bool is_macro = macro(at(name).text) != nullptr;
    step();
    while (!failed_ && i_ < close) {
        const std::size_t from = i_;
        const std::size_t nodes = tree_.size();
        const int part = assignment();
        if (!failed_ && (here().is(",") || i_ == close)) {
            this->node(node).parts.push_back(part);
        } else if (is_macro) {
            // An argument of a macro may be anything: a type, an operator, a piece of text.
            failed_ = false;
            tree_.resize(nodes);
            i_ = from;
            while (i_ < close && !here().is(",")) i_ = next(std::max(i_, outline_.match[i_]));
            if (macro_depth_ == 0) sink_.not_understood(from, i_);
            // The tree may move when a node is added.
            const int text = add({.kind = Node::Kind::text, .first = from, .last = from});
            this->node(node).parts.push_back(text);
        } else {
            fail();
        }
        if (!failed_ && i_ < close) expect(",");
    }
    if (failed_) return 0;
    i_ = next(close);
    call_type(node);
    return postfix(node);
}

void Parser::call_type(int node) {
    const std::string_view name = at(this->node(node).first).text;
    const std::vector<int> parts = this->node(node).parts;
    const auto part = [&](std::size_t p) -> Node& { return this->node(parts[p]); };
    Type type;
    if (const Directive* define = macro(name)) {
        std::vector<Type> arguments;
        for (std::size_t p = 0; p < parts.size(); ++p) arguments.push_back(part(p).type);
        if (define->has_parameters) type = body_type(*define, arguments);
    } else if (const auto function = functions_.find(name); function != functions_.end()) {
        type = function->second.result;
        const auto& parameters = function->second.parameters;
        for (std::size_t p = 0; p < std::min(parts.size(), parameters.size()); ++p) {
            part(p).wanted = parameters[p];
        }
    } else {
        std::vector<ArgumentType> arguments;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const Type& one = part(p).type;
            arguments.push_back({one.pointers < 2 ? one.value : ValueType{}, one.pointers > 0});
        }
        type = Type{result_of(name, arguments)};
    }
    this->node(node).type = type;
}

Type Parser::body_type(const Directive& define, const std::vector<Type>& arguments) {
    if (define.body == define.last || !define.balanced || ambiguous_.contains(define.name) ||
        macro_depth_ >= deepest_macro || macro_steps_ > 4 * outline_.tokens.size() + 10000) {
        return {};
    }
    macro_steps_ += define.last - define.body;
    const std::size_t back = i_;
    ++macro_depth_;
    scopes_.emplace_back();
    for (std::size_t p = 0; p < define.parameters.size(); ++p) {
        scopes_.back()[define.parameters[p]] = p < arguments.size() ? arguments[p] : Type{};
    }
    i_ = define.body;
    const bool in_macro = std::exchange(in_macro_, true);
    const std::size_t nodes = tree_.size();
    const int root = expression();
    Type type;
    if (!failed_ && i_ == define.last) {
        type = this->node(root).type;
        sink_.expression(tree_, root, ExpressionSink::Place::use);
    }
    tree_.resize(nodes);
    in_macro_ = in_macro;
    failed_ = false;
    scopes_.pop_back();
    --macro_depth_;
    i_ = back;
    return type;
}

int Parser::postfix(int what) {
    while (!failed_) {
        const Node base = this->node(what);
        const std::size_t mark = i_;
        if (here().is("[")) {
            if (outline_.match[mark] < mark) {
                fail();
                break;
            }
            step();
            const int index = expression();
            expect("]");
            if (failed_) break;
            what = add({.kind = Node::Kind::index,
                        .first = base.first,
                        .last = outline_.match[mark],
                        .mark = mark,
                        .type = base.type.pointee(),
                        .parts = {what, index}});
        } else if (here().is(".") || here().is("->")) {
            const Type of = here().is("->") ? base.type.pointee() : base.type;
            step();
            if (here().kind != TokenKind::word) {
                fail();
                break;
            }
            Type type;
            const std::string_view name = here().text;
            if (of.pointers == 0 && of.record != 0) {
                const Names& members = members_[static_cast<std::size_t>(of.record) - 1];
                if (const auto found = members.find(name); found != members.end()) {
                    type = found->second;
                }
            } else if (of.is_vector()) {
                if (const auto parts = components_of(name, of.value.width)) {
                    type = type_of(of.value.element, static_cast<unsigned>(parts->size()));
                }
            }
            what = add({.kind = Node::Kind::member,
                        .first = base.first,
                        .last = i_,
                        .mark = i_,
                        .type = type,
                        .parts = {what}});
            step();
        } else if (here().is("++") || here().is("--")) {
            what = add({.kind = Node::Kind::postfix,
                        .first = base.first,
                        .last = mark,
                        .mark = mark,
                        .type = base.type,
                        .parts = {what}});
            step();
        } else {
            break;
        }
    }
    return what;
}

}  // namespace parallax

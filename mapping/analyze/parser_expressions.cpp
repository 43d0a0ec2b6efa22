// Parses expressions by operator precedence, and finds their types.
#include <utility>

#include "mapping/analyze/parser.hpp"

namespace parallax {
namespace {

/// Binding strength of a binary operator, 0 for other tokens.
int strength_of(const Token& token) {
    if (token.kind != TokenKind::punctuator) return 0;
    if (token.is_one_of({"*", "/", "%"})) return 10;
    if (token.is_one_of({"+", "-"})) return 9;
    if (token.is_one_of({"<<", ">>"})) return 8;
    if (token.is_one_of({"<", ">", "<=", ">="})) return 7;
    if (token.is_one_of({"==", "!="})) return 6;
    return token.is("&")    ? 5
           : token.is("^")  ? 4
           : token.is("|")  ? 3
           : token.is("&&") ? 2
           : token.is("||") ? 1
                            : 0;
}

bool is_assignment(const Token& token) {
    return token.kind == TokenKind::punctuator &&
           token.is_one_of({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="});
}

/// Whether C++ has a narrower type where C has an int, or would promote it to one.
bool is_narrow_in_cxx(const Type& type) {
    return type.is_condition || !(promoted(type) == type);
}

/// Of two pointers in one expression, one to size_t and one to ulong, the second takes the type of
/// the first.
void match_sizes(const Node& first, Node& second) {
    const Type& type = first.type;
    if (type.pointers > 0 && type == second.type && type.is_size != second.type.is_size) {
        second.wanted = type;
    }
}

bool is_prefix(const Token& token) {
    return token.kind == TokenKind::punctuator &&
           token.is_one_of({"+", "-", "!", "~", "*", "&", "++", "--"});
}

}  // namespace

int Parser::add(Node node) {
    const bool is_place = node.kind == Node::Kind::name || node.kind == Node::Kind::index ||
                          node.kind == Node::Kind::member || node.kind == Node::Kind::group ||
                          (node.kind == Node::Kind::prefix && at(node.operator_token).is("*"));
    if (!is_place && node.type.pointers == 0) node.type.is_volatile = false;
    tree_.push_back(std::move(node));
    return static_cast<int>(tree_.size()) - 1;
}

int Parser::add_pair(Node::Kind kind, int left, std::size_t operator_token, int right,
                     const Type& type) {
    return add_behind(kind, {left, right}, operator_token, this->node(right).last, type);
}

int Parser::add_over(Node::Kind kind, std::size_t first, std::size_t operator_token, int operand,
                     const Type& type) {
    return add({.kind = kind,
                .first = first,
                .last = this->node(operand).last,
                .operator_token = operator_token,
                .second = this->node(operand).first,
                .type = type,
                .parts = {operand}});
}

int Parser::add_behind(Node::Kind kind, std::vector<int> operands, std::size_t operator_token,
                       std::size_t last, const Type& type) {
    const std::size_t first = this->node(operands.front()).first;
    return add({.kind = kind,
                .first = first,
                .last = last,
                .operator_token = operator_token,
                .type = type,
                .parts = std::move(operands)});
}

int Parser::no_node() {
    fail();
    return 0;
}

int Parser::expression() {
    int left = assignment();
    while (!failed_ && here().is(",")) {
        const std::size_t operator_token = i_;
        step();
        const int right = assignment();
        if (failed_) break;
        const Type type = this->node(right).type;
        left = add_pair(Node::Kind::binary, left, operator_token, right, type);
    }
    return left;
}

int Parser::assignment() {
    if (++depth_ > deepest) fail();
    int left = failed_ ? 0 : choice();
    if (!failed_ && is_assignment(here())) {
        const std::size_t operator_token = i_;
        step();
        const int right = here().is("{") ? braces(this->node(left).type) : assignment();
        if (!failed_) {
            const Type type = this->node(left).type;
            if (at(operator_token).is("=")) this->node(right).wanted = type;
            left = add_pair(Node::Kind::assign, left, operator_token, right, type);
        }
    }
    --depth_;
    return left;
}

int Parser::choice() {
    const int condition = binary(1);
    if (failed_ || !here().is("?")) return condition;
    const std::size_t operator_token = i_;
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
    if (a.type == b.type) type = promoted(a.type);
    // Of two operands of one narrow type C++ makes no int.
    type.is_condition = is_narrow_in_cxx(a.type) && is_narrow_in_cxx(b.type);
    // A condition of components chooses among scalars for each of them, which are not promoted.
    const Type& by = this->node(condition).type;
    if (by.is_vector() && type.is_scalar()) {
        type = type_of(without_promotion(a.type, b.type).value.element, by.value.width);
    } else if (by.is_vector() && !type.is_vector()) {
        type = {};
    }
    if (type.is_vector()) a.wanted = b.wanted = type;
    match_sizes(a, b);
    const Node& c = this->node(condition);
    return add({.kind = Node::Kind::choice,
                .first = c.first,
                .last = b.last,
                .operator_token = operator_token,
                .second = second,
                .type = type,
                .parts = {condition, yes, no}});
}

int Parser::binary(int strength) {
    int left = unary();
    while (!failed_) {
        const int found = strength_of(here());
        if (found < strength || found == 0) break;
        const std::size_t operator_token = i_;
        step();
        const int right = binary(found + 1);
        if (failed_) break;
        match_sizes(this->node(left), this->node(right));
        Type type =
            binary_type(at(operator_token).text, this->node(left).type, this->node(right).type);
        type.is_condition =
            !type.is_vector() &&
            at(operator_token).is_one_of({"<", ">", "<=", ">=", "==", "!=", "&&", "||"});
        left = add_pair(Node::Kind::binary, left, operator_token, right, type);
    }
    return left;
}

int Parser::unary() {
    if (++depth_ > deepest) fail();
    int made = 0;
    const std::size_t first = i_;
    if (failed_) {
    } else if (is_prefix(here())) {
        const std::string_view operation = here().text;
        step();
        const int part = unary();
        if (!failed_) {
            const Type operand = this->node(part).type;
            Type type = operand;
            if (operation == "*") type = operand.pointee();
            if (operation == "&" && type.known()) ++type.pointers;
            if (operation == "!") {
                type = binary_type("==", operand, operand);
                type.is_condition = !type.is_vector();
            }
            if (operation == "-" || operation == "+" || operation == "~") {
                type = promoted(type);
                type.is_condition = false;
            }
            made = add_over(Node::Kind::prefix, first, first, part, type);
        }
    } else if (here().is_one_of({"sizeof", "vec_step"})) {
        step();
        if (here().is("(") && type_in_parentheses(i_)) {
            const std::size_t close = outline_.match[i_];
            i_ = next(close);
            made = add({.kind = Node::Kind::size,
                        .first = first,
                        .last = close,
                        .operator_token = first,
                        .type = type_of("ulong")});
        } else {
            const int part = unary();
            if (!failed_) made = add_over(Node::Kind::size, first, first, part, type_of("ulong"));
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
            Type type = number_type(text);
            type.is_condition = here().kind == TokenKind::character;
            step();
            return add({.kind = Node::Kind::number, .first = first, .last = first, .type = type});
        }
        case TokenKind::string: {
            std::size_t last = i_;
            while (here().kind == TokenKind::string) {
                last = i_;
                step();
            }
            return add({.kind = Node::Kind::text, .first = first, .last = last});
        }
        case TokenKind::identifier: return name();
        case TokenKind::punctuator:
            if (here().is("(")) return parenthesis();
            break;
        default: break;
    }
    return no_node();
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
        } else if (at(i).is_one_of({"[", "("})) {
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
    return inside.kind == Node::Kind::binary && at(inside.operator_token).is(",");
}

int Parser::parenthesis() {
    const std::size_t open = i_;
    const std::size_t close = outline_.match[open];
    if (close < open) return no_node();
    if (const auto type = type_in_parentheses(open)) {
        i_ = next(close);
        const bool brace = here().is("{");
        // `(float4)(int)(x)` is a cast of a cast.
        const bool lists = here().is("(") && type->is_vector() && !type_in_parentheses(i_);
        if (lists || brace) {
            const std::size_t bracket = i_;
            if (outline_.match[bracket] < bracket) return no_node();
            const bool literal = type->is_vector();
            const int node = add({.kind = literal ? Node::Kind::literal : Node::Kind::compound,
                                  .first = open,
                                  .last = outline_.match[bracket],
                                  .operator_token = close,
                                  .second = bracket,
                                  .type = *type});
            step();
            list(node, brace ? "}" : ")");
            return failed_ ? 0 : postfix(node);
        }
        const int part = unary();
        if (failed_) return 0;
        if (!type->known() && type->pointers == 0 && separates(part)) {
            return add_over(Node::Kind::literal, open, close, part);
        }
        return add_over(Node::Kind::cast, open, close, part, *type);
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
        (here().is("(") || here().kind == TokenKind::identifier ||
         here().kind == TokenKind::number)) {
        const int operand = unary();
        if (failed_) return 0;
        const auto kind = separates(operand) ? Node::Kind::literal : Node::Kind::cast;
        return add_over(kind, open, close, operand);
    }
    return postfix(group);
}

void Parser::list(int node, std::string_view close) {
    const Type whole = this->node(node).type;
    const bool has_types = whole.record != 0 || this->node(node).kind == Node::Kind::braces;
    int place = -1;
    bool is_counted = true;  // whether what follows is the next member or element
    while (!failed_ && !here().is(close)) {
        const bool named = close == "}" && here().is_one_of({".", "["});
        const std::size_t operator_token = named ? i_ : 0;
        place = named ? designator(whole) : is_counted ? place + 1 : -1;
        is_counted = place >= 0;
        if (failed_) return;
        const Type inner = has_types ? part_type(whole, place, named) : Type{};
        std::vector<int> extents = part_extents(this->node(node), place);
        const bool is_text = here().kind == TokenKind::string;
        const int part = here().is("{") ? braces(inner, extents) : assignment();
        if (failed_) return;
        Node& made = this->node(part);
        // An array of arrays may leave inner braces out, and a string may have braces of its own.
        if (inner.pointers == 0 || whole.record != 0 || !extents.empty()) made.wanted = inner;
        if (is_text && whole.pointers == 1 && extents.empty()) {
            made.wanted = whole;
            extents = this->node(node).extents;
        }
        // Where the braces of an inner array or struct are left out, the count is off.
        const bool is_inner = inner.record != 0 && inner.pointers == 0;
        if (made.kind != Node::Kind::braces && !is_text &&
            (!extents.empty() || (is_inner && !(made.type == inner)))) {
            is_counted = false;
        }
        if (is_text) made.extents = std::move(extents);
        this->node(node).parts.push_back(part);
        this->node(node).named.push_back(operator_token);
        this->node(node).places.push_back(place);
        if (!take(",") && !here().is(close)) fail();
    }
    if (!failed_) step();
}

}  // namespace parallax

// Analyses expressions: shifts, choices, strings, and operators of the prelude.
#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "mapping/analyze/analyzer.hpp"
#include "mapping/analyze/literals.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

bool is_known(const Type& type) {
    return type.known() || type.pointers > 0;
}

}  // namespace

void Analyzer::operator_key(std::string_view operation, const Type& left, const Type& right) {
    const bool changes =
        operation == "++" || operation == "--" ||
        (operation.ends_with('=') && !is_one_of(operation, {"==", "!=", "<=", ">="}));
    if (changes && is_volatile_class(left)) key(left.value, fmt::format("{} volatile", operation));
    if (left.is_vector() || right.is_vector()) {
        key(left.is_vector() ? left.value : right.value, operation);
    } else if (!is_known(left) || !is_known(right)) {
        // In a macro's own body each use says for which types.
        if (place_ == Place::macro) {
            open_.body_keys.emplace(operation);
        } else {
            prelude_.key_for_all(operation);
        }
    }
}

void Analyzer::note_operator(const Tree& tree, const Node& node) {
    if (!part(tree, node, 0).type.is_vector() && !part(tree, node, 1).type.is_vector()) return;
    const bool compares =
        at(node.operator_token).is_one_of({"<", ">", "<=", ">=", "==", "!=", "&&", "||"});
    note(node.operator_token, compares ? "T4 < T4" : "T4 + T4");
}

const Node* Analyzer::visit_all_but_first(const Tree& tree, const Node& node) {
    const bool is_read = std::exchange(unread_, nullptr) != &node;
    if (node.type.pointers == 0) prelude_.mention(node.type.value);
    if (node.wanted.is_vector() && node.type.is_scalar() && node.kind != Node::Kind::braces) {
        splat(node, node.wanted.value, "(T4)x");
    } else if (node.wanted.is_vector()) {
        need_type(tree, node, "whether it fills all components of a vector");
    }
    cast_pointer(node);
    if (is_read) load_volatile(node);
    switch (node.kind) {
        case Node::Kind::name:
        case Node::Kind::number: return nullptr;
        case Node::Kind::text: visit_string(node); return nullptr;
        case Node::Kind::call: visit_call(tree, node); return nullptr;
        case Node::Kind::index: visit(tree, node.parts[1]); break;
        case Node::Kind::member:
            if (visit_member(tree, node)) return nullptr;
            unread_ = &part(tree, node, 0);
            break;
        case Node::Kind::prefix: return visit_prefix(tree, node);
        case Node::Kind::postfix: return visit_postfix(tree, node);
        case Node::Kind::binary: visit_binary(tree, node); break;
        case Node::Kind::assign: visit_assignment(tree, node); return nullptr;
        case Node::Kind::choice: visit_choice(tree, node); return nullptr;
        case Node::Kind::cast: visit_cast(tree, node); return nullptr;
        case Node::Kind::literal: visit_literal(tree, node); return nullptr;
        case Node::Kind::braces: visit_braces(tree, node); return nullptr;
        case Node::Kind::compound: visit_compound(tree, node); return nullptr;
        case Node::Kind::group:
            if (!is_read) unread_ = &part(tree, node, 0);
            break;
        case Node::Kind::size: visit_size(tree, node); return nullptr;
    }
    return &part(tree, node, 0);
}

const Node* Analyzer::visit_prefix(const Tree& tree, const Node& node) {
    const std::string_view operation = at(node.operator_token).text;
    const Node& operand = part(tree, node, 0);
    const bool steps = at(node.operator_token).is_one_of({"++", "--"});
    if (steps && step_components(tree, node)) return nullptr;
    if (steps && node.type == type_of("bool")) {
        step_bool(tree, node);
        return nullptr;
    }
    if (operation != "*" && operation != "&") {
        operator_key(operation == "-"   ? "neg"
                     : operation == "+" ? "pos"
                                        : operation,
                     operand.type, operand.type);
        if (operand.type.is_vector()) note(node.operator_token, "T4 + T4");
        if (steps && operand.type.is_vector()) check_place(tree, operand);
    }
    if (operation == "&" || steps) unread_ = &operand;
    return &operand;
}

const Node* Analyzer::visit_postfix(const Tree& tree, const Node& node) {
    if (step_components(tree, node)) return nullptr;
    const Node& operand = part(tree, node, 0);
    if (operand.type == type_of("bool")) {
        step_bool(tree, node);
        return nullptr;
    }
    operator_key(at(node.operator_token).text, operand.type, operand.type);
    if (operand.type.is_vector()) {
        note(node.operator_token, "T4 + T4");
        check_place(tree, operand);
    }
    unread_ = &operand;
    return &operand;
}

void Analyzer::visit_binary(const Tree& tree, const Node& node) {
    if (is_shift(at(node.operator_token))) {
        visit_shift(tree, node);
    } else if (!at(node.operator_token).is(",")) {
        if (place_ == Place::data && node.type == type_of("half")) {
            complain(node.operator_token, "a half that constant data computes; write its value");
        }
        operator_key(at(node.operator_token).text, part(tree, node, 0).type,
                     part(tree, node, 1).type);
        note_operator(tree, node);
    }
    visit(tree, node.parts[1]);
}

/// C++ has no compound literals, but `S{1, 2}` is the same.
void Analyzer::visit_compound(const Tree& tree, const Node& node) {
    if (node.type.pointers > 0) {
        complain(node.first,
                 "an array without a name, which C++ has not; declare it as a variable");
    }
    leave_out(node.first, node.first, by("(struct S){$}"));
    for (std::size_t i = node.first + 1; i <= node.operator_token; ++i) {
        const bool vanishes = i == node.operator_token || at(i).is_one_of({"struct", "union"});
        if (vanishes) instead(i, "", by("(struct S){$}"));
    }
    order_parts(tree, node);
    for (const int one : node.parts) visit(tree, one);
}

void Analyzer::visit_size(const Tree& tree, const Node& node) {
    if (at(node.first).is("vec_step")) {
        std::size_t i = node.first + 2;
        const Type type =
            node.parts.empty() ? parser_.type_at(i).value_or(Type{}) : part(tree, node, 0).type;
        if (!type.value.known()) return;
        const RowList rows = by("vec_step(T4)");
        leave_out(node.first, node.last, rows);
        return instead(node.first, std::to_string(type.value.width == 3 ? 4 : type.value.width),
                       rows);
    }
    if (node.parts.empty()) return;
    const Node& what = part(tree, node, 0);
    if (const Node& text = inside(tree, what); text.kind == Node::Kind::text) {
        for (std::size_t i = text.first; i <= text.last; ++i) made_.strings.insert(i);
    }
    if (binds_open(tree, what)) {
        leave_open(node.first,
                   "of a macro without parentheses, whose text may go on behind what is measured; "
                   "write them around the macro, or run the preprocessor first (--expand)");
    }
    // In C++ the array that a comma or a condition gives stays one.
    if (const Node& made = inside(tree, what);
        what.type.pointers > 0 &&
        (made.kind == Node::Kind::choice ||
         (made.kind == Node::Kind::binary && at(made.operator_token).is(",")))) {
        enclose(what, "(+", ")", "sizeof(T < T)");
    }
    if (what.type.is_condition || (!is_known(what.type) && stands_for_macro(tree, what))) {
        if (!what.type.known()) leave_open(node.first, Patterns::row("sizeof").rationale);
        if (what.type.is_scalar()) {
            // Nothing of it is evaluated.
            const RowList rows = by("sizeof(T < T)");
            leave_out(what.first, what.last, rows);
            instead(what.first, fmt::format("({})", cuda_name(what.type.value)), rows);
            return;
        }
    }
    visit_place(tree, what);
}

void Analyzer::cast_pointer(const Node& node) {
    const Type& to = node.wanted;
    const Type& from = node.type;
    const bool drops = (from.is_const && !to.is_const) || (from.is_volatile && !to.is_volatile) ||
                       from.is_size != to.is_size;
    // With several levels some may be arrays, whose pointers do not convert to `T**`.
    if (to.pointers != 1 || from.pointers == 0 || !to.known() || !from.known() ||
        (to == from && !drops) || node.kind == Node::Kind::braces || place_ == Place::data ||
        to.value.element == "void") {
        return;
    }
    const std::string name = to.record != 0               ? made_.record_name(to.record)
                             : !to.is_size                ? cuda_name(to.value)
                             : to.value.element == "long" ? "ptrdiff_t"
                                                          : "size_t";
    if (name.empty()) return;
    enclose(node, fmt::format("({}*)(", name), ")", "T* p = q");
}

std::optional<unsigned> Analyzer::whole_number(const Tree& tree, int index) const {
    const Node* node = &inside(tree, tree[static_cast<std::size_t>(index)]);
    if (node->kind == Node::Kind::number) return whole_number(at(node->first));
    const std::string_view name = at(node->first).text;
    const auto defines = declared_.macros.find(name);
    if (node->kind != Node::Kind::name || declared_.constants.contains(name) ||
        defines == declared_.macros.end()) {
        return {};
    }
    // A macro of one number, or, where #if decides, of several: the largest.
    std::optional<unsigned> largest;
    for (const Directive* define : defines->second) {
        if (define->has_parameters || define->last != define->body + 1) return {};
        const auto value = whole_number(at(define->body));
        if (!value) return {};
        largest = std::max(largest.value_or(0), *value);
    }
    return largest;
}

std::optional<unsigned> Analyzer::whole_number(const Token& token) {
    const std::string_view text = token.text;
    if (token.kind != TokenKind::number || is_float_element(number_type(text).value.element)) {
        return {};
    }
    const int base = text.starts_with("0x") || text.starts_with("0X") ? 16
                     : text.size() > 1 && text[0] == '0'              ? 8
                                                                      : 10;
    const std::string_view digits = text.substr(base == 16 ? 2 : 0);
    unsigned value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    return parsed.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

bool Analyzer::shift_is_safe(const Tree& tree, const Node& node) const {
    const Type left = promoted(part(tree, node, 0).type);
    // An unknown type counts as 32 bits wide.
    const unsigned width = left.is_scalar() && element_bytes(left.value.element) == 8 ? 64 : 32;
    if (const auto count = whole_number(tree, node.parts[1])) return *count < width;
    const Node* count = &inside(tree, part(tree, node, 1));
    if (count->kind != Node::Kind::binary || !at(count->operator_token).is("&")) return false;
    for (const int one : count->parts) {
        const auto mask = whole_number(tree, one);
        if (mask && *mask < width) return true;
    }
    return false;
}

void Analyzer::visit_shift(const Tree& tree, const Node& node) {
    const std::string_view operation = at(node.operator_token).text;
    const Type& left = part(tree, node, 0).type;
    const Type& right = part(tree, node, 1).type;
    if (left.is_vector() || right.is_vector()) return operator_key(operation, left, right);
    const bool assigns = operation.size() == 3;
    if (!left.known()) operator_key(operation, left, right);
    if (shift_is_safe(tree, node)) return;
    need_type(tree, part(tree, node, 0), "a shift");
    keep_binding(tree, node, true);
    const std::string function =
        fmt::format("shift_{}{}", operation[0] == '<' ? "left" : "right", assigns ? "_assign" : "");
    if (assigns) check_place(tree, part(tree, node, 0));
    key(function);
    enclose(node, function + "(", ")", "T << n");
    instead(node.operator_token, ",", by("T << n"));
}

void Analyzer::visit_assignment(const Tree& tree, const Node& node) {
    const std::string_view operation = at(node.operator_token).text;
    const Node* left = &inside(tree, part(tree, node, 0));
    if (left->kind == Node::Kind::member && left->type.is_vector() && selection(tree, *left)) {
        return assign_components(tree, node, *left);
    }
    if (left->kind == Node::Kind::member && !left->type.known() && selects_unknown(tree, *left)) {
        complain(left->operator_token,
                 "components of something whose type is not known are assigned to; run the "
                 "preprocessor first (--expand), or assign them one by one");
    }
    if (is_shift(at(node.operator_token))) {
        visit_shift(tree, node);
    } else if (operation != "=") {
        if (part(tree, node, 0).type.is_vector()) check_place(tree, part(tree, node, 0));
        operator_key(operation, part(tree, node, 0).type, part(tree, node, 1).type);
        note_operator(tree, node);
    } else if (is_volatile_class(left->type)) {
        store_volatile(node, left->type);
    }
    visit_place(tree, part(tree, node, 0));
    visit(tree, node.parts[1]);
}

void Analyzer::visit_string(const Node& node) {
    if (place_ == Place::use || made_.strings.contains(node.first)) return;
    // `char text[] = "..."`, and a pointer to it.
    if (node.wanted.pointers != 1 || element_bytes(node.wanted.value.element) != 1) {
        refuse(node.first, "\"a\"");
    } else if (node.extents.size() == 1) {
        write_characters(node);
    } else {
        before(node.first, fmt::format("(const {}*)", cuda_name(node.wanted.value)),
               by("char* s = \"a\""));
    }
    for (std::size_t i = node.first; i <= node.last; ++i) made_.strings.insert(i);
}

void Analyzer::write_characters(const Node& node) {
    std::vector<unsigned char> bytes;
    for (std::size_t i = node.first; i <= node.last; ++i) {
        const auto part = bytes_of_literal(at(i).text);
        if (!part) return refuse(i, "\"a\"");
        bytes.insert(bytes.end(), part->begin(), part->end());
    }
    const auto extent = static_cast<std::size_t>(std::max(node.extents.front(), 0));
    if (node.extents.front() < 0 || extent > bytes.size()) return;
    // C++ wants a place for the NUL: each character is written for itself.
    if (extent > 0) bytes.resize(extent);
    std::string text;
    for (const unsigned char byte : bytes) {
        const bool is_plain = byte >= ' ' && byte < 127 && byte != '\'' && byte != '\\';
        const int number = is_signed_element(node.wanted.value.element)
                               ? static_cast<signed char>(byte)
                               : static_cast<int>(byte);
        text += text.empty() ? "" : ", ";
        text += is_plain ? fmt::format("'{:c}'", byte) : std::to_string(number);
    }
    const RowList rows = by("char s[1] = \"a\"");
    leave_out(node.first, node.last, rows);
    instead(node.first, "{" + text + "}", rows);
}

void Analyzer::step_bool(const Tree& tree, const Node& node) {
    const Node& what = part(tree, node, 0);
    if (place_ == Place::use) {
        place_ = Place::statement;
        complain(node.operator_token, "a bool in a macro; run the preprocessor first (--expand)");
        place_ = Place::use;
        return;
    }
    RowList rows = by("bool b; b++");
    const bool is_prefix = node.kind == Node::Kind::prefix, adds = at(node.operator_token).is("++");
    if (!is_prefix && unused_ == node.first) {
        instead(node.operator_token, adds ? " = true" : " ^= true", rows);
        return visit_node(tree, what);
    }
    const std::string_view set = adds ? " = true)" : " ^= true)";
    if (is_prefix) {
        leave_out(node.operator_token, node.operator_token, rows);
        before(what.first, "(", rows);
        after(what.last, set, rows);
        return visit_node(tree, what);
    }
    if (!adds) {
        before(node.first, "!(", rows);
        instead(node.operator_token, set, rows);
        return visit_node(tree, what);
    }
    if (!is_repeatable(tree, what)) {
        return complain(node.operator_token,
                        "a bool that a call or assignment finds; write = true");
    }
    // It is written twice: once as the value read, once as the target.
    before(node.first, fmt::format("({} || !(", TokenEdit::quote_mark), rows);
    edits_->quote(node.first, what.first, what.last + 1);
    instead(node.operator_token, " = true))", rows);
    visit_node(tree, what);
}

void Analyzer::visit_choice(const Tree& tree, const Node& node) {
    const Type& condition = part(tree, node, 0).type;
    const Node &yes = part(tree, node, 1), &no = part(tree, node, 2);
    // One may be a vector and the other a scalar.
    if (place_ == Place::macro && is_known(yes.type) != is_known(no.type) &&
        yes.type.pointers + no.type.pointers == 0) {
        need_type(tree, is_known(yes.type) ? no : yes, "what '?' gives");
    }
    if (condition.is_vector()) {
        keep_binding(tree, node, true);
        if (!node.type.is_vector()) {
            leave_open(node.operator_token,
                       "a condition that is a vector, and the type of what it chooses from is not "
                       "known; run the preprocessor first (--expand)");
        }
        key(node.type.value, "choose");
        enclose(node, "choose(", ")", "T4 ? T4 : T4");
        instead(node.operator_token, ",", by("T4 ? T4 : T4"));
        instead(node.second, ",", by("T4 ? T4 : T4"));
    }
    for (const int one : node.parts) visit(tree, one);
}

}  // namespace parallax

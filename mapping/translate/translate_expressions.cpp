// Goes through the expressions: calls, shifts, choices, and what operators ask of the prelude.
#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "mapping/translate/builtins.hpp"
#include "mapping/translate/literals.hpp"
#include "mapping/translate/translator.hpp"
#include "mapping/translate/word_lists.hpp"

namespace parallax {
namespace {

bool is_shift(const Token& token) {
    return token.is_one_of({"<<", ">>", "<<=", ">>="});
}

bool is_known(const Type& type) {
    return type.known() || type.pointers > 0;
}

}  // namespace

void Translator::expression(const Tree& tree, int root, Place place) {
    // The body of a macro comes here while the expression that uses it is read.
    const Place back = place_;
    place_ = place;
    // A macro may stand for a place in memory: what uses it says whether that is read.
    const Node& whole = tree[static_cast<std::size_t>(root)];
    const bool is_body = place == Place::macro || place == Place::use;
    unread_ = is_body ? &whole : nullptr;
    const bool is_statement = whole.first > 0 && at(whole.last + 1).is_one_of({";", ")"}) &&
                              at(whole.first - 1).is_one_of({";", "{", "}", ")", ":", "else"});
    unused_ = whole.kind == Node::Kind::postfix && is_statement ? whole.first : 0;
    TokenEdits of_use;
    if (place == Place::use) edited_ = &of_use;
    if (whole.first > 0 && at(whole.first - 1).is("case") && whole.wanted.is_scalar()) {
        before(whole.first, fmt::format("({})(", cuda_name(whole.wanted.value)), by("case $:"));
        after(whole.last, ")", by("case $:"));
    }
    note_initializer(whole);
    visit(tree, root);
    write_spread_data();
    if (place == Place::use) {
        edited_ = &edits_;
        open_.read.insert(whole.first);
        open_.uses.insert({whole.first, whole.last, words_of(of_use, whole.first, whole.last)});
    }
    place_ = back;
}

void Translator::not_understood(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        if (macros_.contains(at(i).text)) open_.unread.insert(at(i).text);
    }
    for (std::size_t i = first; i < last; ++i) {
        const Token& token = at(i);
        const bool literal = i + 3 < last && token.is("(") && at(i + 2).is(")") &&
                             at(i + 3).is("(") &&
                             value_type_named(word(i + 1)).value_or(ValueType{}).is_vector();
        const bool selects = i > first && (at(i - 1).is_one_of({".", "->"})) &&
                             token.text.size() > 1 && !parser_->is_member(token.text) &&
                             (components_of(token.text, 16) || components_of(token.text, 4));
        const bool designates =
            i > 0 && token.is_one_of({".", "["}) && at(i - 1).is_one_of({"{", ","});
        if (!literal && !selects && !designates && !is_shift(token) &&
            !token.is_one_of({"##", "#"})) {
            continue;
        }
        // Of what is no macro's, and has none, it is not known why.
        bool is_cut = first >= outline_.end;
        for (std::size_t k = first; k < last; ++k) {
            is_cut = is_cut || at(k).kind == TokenKind::directive || macros_.contains(at(k).text);
        }
        complain(i, is_cut ? "stands in a piece of text that cannot be read by itself, because "
                             "macros or #if cut it; run the preprocessor first (--expand)"
                           : "stands in a statement that is not understood; write it as several "
                             "plain ones");
        return;
    }
}

void Translator::key(ValueType type, std::string_view what) {
    if (type.known()) prelude_.insert(fmt::format("{} {}", name_of(type), what));
}

void Translator::mention(ValueType type) {
    if (type.is_vector()) mentioned_.insert(name_of(type));
}

void Translator::operator_key(std::string_view mark, const Type& left, const Type& right) {
    const bool changes = mark == "++" || mark == "--" ||
                         (mark.ends_with('=') && !is_one_of(mark, {"==", "!=", "<=", ">="}));
    if (changes && is_volatile_class(left)) key(left.value, fmt::format("{} volatile", mark));
    if (left.is_vector() || right.is_vector()) {
        key(left.is_vector() ? left.value : right.value, mark);
    } else if (!is_known(left) || !is_known(right)) {
        // In a macro's own body each use says for which types.
        (place_ == Place::macro ? open_.body_keys : open_.keys).emplace(mark);
    }
}

void Translator::note_operator(const Tree& tree, const Node& node) {
    if (!part(tree, node, 0).type.is_vector() && !part(tree, node, 1).type.is_vector()) return;
    const bool compares = at(node.mark).is_one_of({"<", ">", "<=", ">=", "==", "!=", "&&", "||"});
    note(node.mark, compares ? "T4 < T4" : "T4 + T4");
}

void Translator::visit_node(const Tree& tree, const Node& first) {
    // Long chains of operators lean to the left: those are walked down in a loop.
    for (const Node* walked = &first;;) {
        const Node& node = *walked;
        const bool is_read = std::exchange(unread_, nullptr) != &node;
        if (node.type.pointers == 0) mention(node.type.value);
        if (node.wanted.is_vector() && node.type.is_scalar() && node.kind != Node::Kind::braces) {
            splat(node, node.wanted.value, "(T4)x");
        } else if (node.wanted.is_vector()) {
            need_type(tree, node, "whether it fills all components of a vector");
        }
        cast_pointer(node);
        if (is_read) load_volatile(node);
        switch (node.kind) {
            case Node::Kind::name:
            case Node::Kind::number: return;
            case Node::Kind::text: return visit_string(node);
            case Node::Kind::call: return visit_call(tree, node);
            case Node::Kind::index: visit(tree, node.parts[1]); break;
            case Node::Kind::member:
                if (visit_member(tree, node)) return;
                unread_ = &part(tree, node, 0);
                break;
            case Node::Kind::prefix: {
                const std::string_view mark = at(node.mark).text;
                const Type& type = part(tree, node, 0).type;
                if (mark.size() == 2 && step_components(tree, node)) return;
                if (mark.size() == 2 && node.type == type_of("bool")) return step_bool(tree, node);
                if (mark != "*" && mark != "&") {
                    operator_key(mark == "-" ? "neg" : mark == "+" ? "pos" : mark, type, type);
                    if (type.is_vector()) note(node.mark, "T4 + T4");
                    const bool changes = at(node.mark).is_one_of({"++", "--"});
                    if (changes && type.is_vector()) check_place(tree, part(tree, node, 0));
                }
                if (mark == "&" || mark.size() == 2) unread_ = &part(tree, node, 0);
                return visit(tree, node.parts[0]);
            }
            case Node::Kind::postfix: {
                if (step_components(tree, node)) return;
                const Type& type = part(tree, node, 0).type;
                if (type == type_of("bool")) return step_bool(tree, node);
                operator_key(at(node.mark).text, type, type);
                if (type.is_vector()) note(node.mark, "T4 + T4");
                if (type.is_vector()) check_place(tree, part(tree, node, 0));
                unread_ = &part(tree, node, 0);
                break;
            }
            case Node::Kind::binary:
                if (is_shift(at(node.mark))) {
                    visit_shift(tree, node);
                } else if (!at(node.mark).is(",")) {
                    if (place_ == Place::data && node.type == type_of("half")) {
                        complain(node.mark, "a half that constant data computes; write its value");
                    }
                    operator_key(at(node.mark).text, part(tree, node, 0).type,
                                 part(tree, node, 1).type);
                    note_operator(tree, node);
                }
                visit(tree, node.parts[1]);
                break;
            case Node::Kind::assign: return visit_assignment(tree, node);
            case Node::Kind::choice: return visit_choice(tree, node);
            case Node::Kind::cast: return visit_cast(tree, node);
            case Node::Kind::literal: return visit_literal(tree, node);
            case Node::Kind::braces: return visit_braces(tree, node);
            case Node::Kind::compound:
                // C++ has no compound literals, but `S{1, 2}` is the same.
                if (node.type.pointers > 0) {
                    complain(
                        node.first,
                        "an array without a name, which C++ has not; declare it as a variable");
                }
                leave_out(node.first, node.first, by("(struct S){$}"));
                for (std::size_t i = node.first + 1; i <= node.mark; ++i) {
                    if (at(i).is_one_of({"struct", "union"})) {
                        instead(i, "", by("(struct S){$}"));
                    }
                }
                instead(node.mark, "", by("(struct S){$}"));
                order_parts(tree, node);
                for (const int one : node.parts) visit(tree, one);
                return;
            case Node::Kind::group:
                if (!is_read) unread_ = &part(tree, node, 0);
                break;
            case Node::Kind::size: return visit_size(tree, node);
        }
        walked = &part(tree, node, 0);
    }
}

void Translator::visit_size(const Tree& tree, const Node& node) {
    if (at(node.first).is("vec_step")) {
        std::size_t i = node.first + 2;
        const Type type =
            node.parts.empty() ? parser_->type_at(i).value_or(Type{}) : part(tree, node, 0).type;
        if (!type.value.known()) return;
        const RowList rows = by("vec_step(T4)");
        leave_out(node.first, node.last, rows);
        return instead(node.first, std::to_string(type.value.width == 3 ? 4 : type.value.width),
                       rows);
    }
    if (node.parts.empty()) return;
    const Node& what = part(tree, node, 0);
    if (binds_open(tree, what)) {
        leave_open(node.first,
                   "of a macro without parentheses, whose text may go on behind what is measured; "
                   "write them around the macro, or run the preprocessor first (--expand)");
    }
    // A comparison is an int in C and a bool in C++, a character an int and a char.
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

void Translator::cast_pointer(const Node& node) {
    const Type& to = node.wanted;
    const Type& from = node.type;
    const bool drops = (from.is_const && !to.is_const) || (from.is_volatile && !to.is_volatile) ||
                       from.is_size != to.is_size;
    // Of several levels some may be arrays, to whose pointers no `T**` is a way.
    if (to.pointers != 1 || from.pointers == 0 || !to.known() || !from.known() ||
        (to == from && !drops) || node.kind == Node::Kind::braces || place_ == Place::data ||
        to.value.element == "void") {
        return;
    }
    const std::string name = to.record != 0               ? record_name(to.record)
                             : !to.is_size                ? cuda_name(to.value)
                             : to.value.element == "long" ? "ptrdiff_t"
                                                          : "size_t";
    if (name.empty()) return;
    const RowList rows = by("T* p = q");
    before(node.first, fmt::format("({}{})(", name, std::string(to.pointers, '*')), rows);
    after(node.last, ")", rows);
}

std::optional<unsigned> Translator::whole_number(const Tree& tree, int index) const {
    const Node* node = &tree[static_cast<std::size_t>(index)];
    while (node->kind == Node::Kind::group) node = &part(tree, *node, 0);
    if (node->kind == Node::Kind::number) return whole_number(at(node->first));
    const std::string_view name = at(node->first).text;
    const auto defines = macros_.find(name);
    if (node->kind != Node::Kind::name || constants_.contains(name) || defines == macros_.end()) {
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

std::optional<unsigned> Translator::whole_number(const Token& token) {
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

bool Translator::shift_is_safe(const Tree& tree, const Node& node) const {
    const Type left = promoted(part(tree, node, 0).type);
    // What is not known counts as 32 bits wide.
    const unsigned width = left.is_scalar() && element_bytes(left.value.element) == 8 ? 64 : 32;
    if (const auto count = whole_number(tree, node.parts[1])) return *count < width;
    const Node* count = &part(tree, node, 1);
    while (count->kind == Node::Kind::group) count = &part(tree, *count, 0);
    if (count->kind != Node::Kind::binary || !at(count->mark).is("&")) return false;
    for (const int one : count->parts) {
        const auto mask = whole_number(tree, one);
        if (mask && *mask < width) return true;
    }
    return false;
}

void Translator::visit_shift(const Tree& tree, const Node& node) {
    const std::string_view mark = at(node.mark).text;
    const Type& left = part(tree, node, 0).type;
    const Type& right = part(tree, node, 1).type;
    if (left.is_vector() || right.is_vector()) return operator_key(mark, left, right);
    const bool assigns = mark.size() == 3;
    if (!left.known()) operator_key(mark, left, right);
    if (shift_is_safe(tree, node)) return;
    need_type(tree, part(tree, node, 0), "a shift");
    keep_binding(tree, node, true);
    const std::string function =
        fmt::format("shift_{}{}", mark[0] == '<' ? "left" : "right", assigns ? "_assign" : "");
    if (assigns) check_place(tree, part(tree, node, 0));
    key(function);
    const RowList rows = by("T << n");
    before(node.first, function + "(", rows);
    instead(node.mark, ",", rows);
    after(node.last, ")", rows);
}

void Translator::visit_assignment(const Tree& tree, const Node& node) {
    const std::string_view mark = at(node.mark).text;
    const Node* left = &part(tree, node, 0);
    while (left->kind == Node::Kind::group) left = &part(tree, *left, 0);
    if (left->kind == Node::Kind::member && left->type.is_vector() && selection(tree, *left)) {
        return assign_components(tree, node, *left);
    }
    if (left->kind == Node::Kind::member && !left->type.known() && selects_unknown(tree, *left)) {
        complain(left->mark,
                 "components of something whose type is not known are assigned to; run the "
                 "preprocessor first (--expand), or assign them one by one");
    }
    if (is_shift(at(node.mark))) {
        visit_shift(tree, node);
    } else if (mark != "=") {
        if (part(tree, node, 0).type.is_vector()) check_place(tree, part(tree, node, 0));
        operator_key(mark, part(tree, node, 0).type, part(tree, node, 1).type);
        note_operator(tree, node);
    } else if (is_volatile_class(left->type)) {
        store_volatile(node, left->type);
    }
    visit_place(tree, part(tree, node, 0));
    visit(tree, node.parts[1]);
}

void Translator::visit_string(const Node& node) {
    if (place_ == Place::use || strings_.contains(node.first)) return;
    // `char text[] = "..."`, and a pointer to it.
    if (node.wanted.pointers != 1 || element_bytes(node.wanted.value.element) != 1) {
        refuse(node.first, "\"a\"");
    } else if (node.extents.size() == 1) {
        write_characters(node);
    } else {
        before(node.first, fmt::format("(const {}*)", cuda_name(node.wanted.value)),
               by("char* s = \"a\""));
    }
    for (std::size_t i = node.first; i <= node.last; ++i) strings_.insert(i);
}

void Translator::write_characters(const Node& node) {
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

void Translator::step_bool(const Tree& tree, const Node& node) {
    const Node& what = part(tree, node, 0);
    if (place_ == Place::use) {
        place_ = Place::statement;
        complain(node.mark, "a bool in a macro; run the preprocessor first (--expand)");
        place_ = Place::use;
        return;
    }
    RowList rows = by("bool b; b++");
    const bool is_prefix = node.kind == Node::Kind::prefix, adds = at(node.mark).is("++");
    if (!is_prefix && unused_ == node.first) {
        instead(node.mark, adds ? " = true" : " ^= true", rows);
        return visit_node(tree, what);
    }
    const std::string_view set = adds ? " = true)" : " ^= true)";
    if (is_prefix) {
        leave_out(node.mark, node.mark, rows);
        before(what.first, "(", rows);
        after(what.last, set, rows);
        return visit_node(tree, what);
    }
    if (!adds) {
        before(node.first, "!(", rows);
        instead(node.mark, set, rows);
        return visit_node(tree, what);
    }
    if (!is_repeatable(tree, what)) {
        return complain(node.mark, "a bool that a call or assignment finds; write = true");
    }
    // It is written twice: once as what is read, once as what is assigned to.
    std::string outer;
    std::swap(outer, edits_[node.first].before);
    visit_node(tree, what);
    const std::string text = written(what.first, what.last + 1, rows);
    edits_[node.first].before.insert(0, fmt::format("{}({} || !(", outer, text));
    add_rows(edits_[node.first].before_rows, rows);
    instead(node.mark, " = true))", rows);
}

void Translator::loop_variable_hidden(std::size_t open, std::size_t close) {
    after(open, "{", by("for (T i = $;;) { T i; }"));
    before(close, "}", by("for (T i = $;;) { T i; }"));
}

void Translator::visit_choice(const Tree& tree, const Node& node) {
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
            leave_open(node.mark,
                       "a condition that is a vector, and the type of what it chooses from is not "
                       "known; run the preprocessor first (--expand)");
        }
        key(node.type.value, "choose");
        const RowList rows = by("T4 ? T4 : T4");
        before(node.first, "choose(", rows);
        instead(node.mark, ",", rows);
        instead(node.second, ",", rows);
        after(node.last, ")", rows);
    }
    for (const int one : node.parts) visit(tree, one);
}

}  // namespace parallax

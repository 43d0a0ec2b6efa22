// Finds places whose meaning depends on macros, #if or overloaded functions.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/analyze/analyzer.hpp"
#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {
void Analyzer::leave_open(std::size_t i, std::string_view what) {
    if (place_ == Place::macro) {
        open_.in_bodies.emplace(i, what);
    } else if (place_ != Place::use) {
        complain(i, what);
    } else {
        open_.in_uses.emplace(i, what);
    }
}

bool Analyzer::is_undeclared(std::size_t i) const {
    const std::string_view name = at(i).text;
    // Macros may declare it, and only the preprocessor knows.
    return declared_.macros.empty() && at(i).kind == TokenKind::identifier &&
           !is_shared_keyword(name) && !parser_.is_declared(name) &&
           !declared_.constants.contains(name) && !is_builtin_function(name) &&
           Patterns::of_table().beginning_with(name).empty() &&
           !Patterns::of_table().refusal(name, false);
}

std::size_t Analyzer::undeclared_in(const Tree& tree, const Node& node) const {
    if (node.kind == Node::Kind::name) return is_undeclared(node.first) ? node.first : 0;
    for (const Node& one : parts(tree, node)) {
        if (const std::size_t found = undeclared_in(tree, one)) return found;
    }
    return 0;
}

void Analyzer::need_type(const Tree& tree, const Node& node, std::string_view what) {
    if (node.type.known() || node.type.pointers > 0 || node.kind == Node::Kind::braces ||
        node.kind == Node::Kind::text) {
        return;
    }
    if (const std::size_t name = undeclared_in(tree, node)) {
        return complain(name,
                        fmt::format("nothing declares it, and {} depends on its type; give what "
                                    "the program that builds the file gives, with -D NAME=VALUE",
                                    what));
    }
    leave_open(node.first,
               fmt::format("its type is not known here, since macros, #if or overloaded functions "
                           "decide it, and {} depends on it; run the preprocessor first "
                           "(--expand), or put it into a variable of its type",
                           what));
}

bool Analyzer::is_one_operand(const Directive& define) const {
    std::size_t i = define.body;
    if (at(i).is("-") && at(i + 1).kind == TokenKind::number) return i + 2 == define.last;
    // A parenthesis before an operand is a cast.
    if (at(i).is("(") && outline_.match[i] > i && outline_.match[i] + 1 < define.last &&
        !at(outline_.match[i] + 1).is_one_of({".", "->", "["})) {
        return false;
    }
    for (; i < define.last; i = std::max(i, outline_.match[i]) + 1) {
        const Token& token = at(i);
        if (token.kind == TokenKind::punctuator && !token.is_one_of({"(", "[", "{", ".", "->"})) {
            return false;
        }
    }
    return true;
}

bool Analyzer::binds_open(const Tree& tree, const Node& node) const {
    switch (node.kind) {
        case Node::Kind::name:
        case Node::Kind::call: {
            const std::string_view name = at(node.first).text;
            if (const Directive* own = outline_.define_at(node.first)) {
                const auto& parameters = own->parameters;
                if (std::ranges::find(parameters, name) != parameters.end()) return true;
            }
            const auto defines = declared_.macros.find(name);
            return defines != declared_.macros.end() &&
                   !std::ranges::all_of(defines->second, [this](const Directive* one) {
                       return is_one_operand(*one);
                   });
        }
        case Node::Kind::number:
        case Node::Kind::text:
        case Node::Kind::literal:
        case Node::Kind::braces:
        case Node::Kind::compound:
        case Node::Kind::group: return false;
        case Node::Kind::index: return binds_open(tree, part(tree, node, 0));
        default:
            return std::ranges::any_of(parts(tree, node),
                                       [&](const Node& one) { return binds_open(tree, one); });
    }
}

void Analyzer::keep_binding(const Tree& tree, const Node& node, bool at_end) {
    bool open = std::ranges::any_of(parts(tree, node),
                                    [&](const Node& one) { return binds_open(tree, one); });
    if (at_end && !open && bare_last_ != 0) {
        open = node.first == bare_first_ || node.last == bare_last_;
    }
    if (at_end && !open) {
        const Directive* define = outline_.define_at(node.first);
        open = define && (node.first == define->body || node.last + 1 == define->last);
    }
    if (!open) return;
    leave_open(node.operator_token,
               "becomes a function's call, and what a macro puts beside it without parentheses "
               "would bind otherwise; run the preprocessor first (--expand), or write parentheses "
               "in the macro");
}

bool Analyzer::stands_for_macro(const Tree& tree, const Node& node) const {
    if (node.kind == Node::Kind::group) return stands_for_macro(tree, part(tree, node, 0));
    return (node.kind == Node::Kind::name || node.kind == Node::Kind::call) &&
           (is_macro(at(node.first).text) || outline_.define_at(node.first) != nullptr);
}

bool Analyzer::is_bare_parameter(std::string_view macro, std::size_t p) const {
    for (const Directive* define : declared_.macros.at(macro)) {
        if (p >= define->parameters.size()) return true;
        for (std::size_t i = define->body; i < define->last; ++i) {
            if (at(i).text != define->parameters[p]) continue;
            const bool is_whole = i == define->body && i + 1 == define->last;
            const bool is_enclosed = i > define->body && at(i - 1).is_one_of({"(", ",", "["}) &&
                                     at(i + 1).is_one_of({")", ",", "]"});
            // `(a)b` is a cast, and a macro that gets it may leave it bare again.
            const bool is_handed_on = is_enclosed && !at(i + 1).is("]") && hands_on(i);
            if (!is_whole && (!is_enclosed || is_handed_on)) return true;
        }
    }
    return false;
}

bool Analyzer::is_changed_parameter(std::string_view macro, std::size_t p) const {
    for (const Directive* define : declared_.macros.at(macro)) {
        if (p >= define->parameters.size()) return true;
        for (std::size_t i = define->body; i < define->last; ++i) {
            if (at(i).text != define->parameters[p]) continue;
            std::size_t first = i, last = i;
            while (first > define->body && at(first - 1).is("(") && at(last + 1).is(")")) {
                --first;
                ++last;
            }
            const Token& after = at(last + 1);
            const bool assigns = after.kind == TokenKind::punctuator && after.text.ends_with('=') &&
                                 !after.is_one_of({"==", "!=", "<=", ">="});
            const bool is_before =
                first > define->body && at(first - 1).is_one_of({"++", "--", "&"});
            if (assigns || after.is_one_of({"++", "--"}) || is_before || hands_on(i)) return true;
        }
    }
    return false;
}

bool Analyzer::hands_on(std::size_t i) const {
    std::size_t open = i;
    while (open > 0 && !(at(open).is("(") && outline_.match[open] > i)) --open;
    return open > 0 && is_macro(at(open - 1).text);
}

void Analyzer::check_macros() {
    // A macro that a body uses is followed where that body is.
    for (bool grows = true; grows;) {
        const std::size_t before = open_.unread.size();
        for (const Directive& one : outline_.directives) {
            if (one.word != "define" || !open_.unread.contains(one.name)) continue;
            for (std::size_t i = one.body; i < one.last; ++i) {
                if (is_macro(at(i).text)) open_.unread.insert(at(i).text);
            }
        }
        grows = open_.unread.size() > before;
    }
    // The operators of those have to be there for all types.
    if (!open_.unread.empty()) {
        for (const std::string& mark : open_.body_keys) prelude_.key_for_all(mark);
    }
    std::set<const Directive*> said;
    const auto say = [&](std::size_t i, std::string_view what) {
        if (said.insert(outline_.define_at(i)).second) complain(i, what);
    };
    for (const auto& [i, what] : open_.in_uses) say(i, what);
    for (const auto& [i, what] : open_.in_bodies) {
        const Directive* define = outline_.define_at(i);
        if (define && open_.unread.contains(define->name)) say(i, what);
    }
    for (const MacroUse& use : open_.uses) {
        if (use.edits == words_of(made_.edits, use.first, use.last)) continue;
        say(use.first,
            "a macro's text, which becomes another for the types of each use; run the "
            "preprocessor first (--expand)");
    }
}

/// What is written and what is called go by the names of types, and the translation writes others.
void Analyzer::check_type_macros() {
    std::set<std::string_view> selected;  // behind points
    for (std::size_t i = 1; i < outline_.tokens.size(); ++i) {
        if (at(i - 1).is_one_of({".", "->"})) selected.insert(at(i).text);
    }
    for (const auto& [name, defines] : declared_.macros) {
        const auto named = value_type_named(name);
        if (!named && !is_one_of(name, {"unsigned", "signed"}) &&
            !(selected.contains(name) && (components_of(name, 16) || components_of(name, 4)))) {
            continue;
        }
        for (const Directive* define : defines) {
            const auto type = define->has_parameters ? Type{} : parser_.macro_type(*define);
            if (named && type == Type{*named} && type->is_size == is_size_name(name)) continue;
            complain(
                define->first,
                "a macro with the name of a type or of a vector's component, which means "
                "something else; run the preprocessor first (--expand), or give it another name");
        }
    }
}

std::string Analyzer::words_of(const TokenEdits& edits, std::size_t first, std::size_t last) const {
    std::string words;
    for (std::size_t i = first; i <= last; ++i) {
        const TokenEdit* edit = edits.find(i);
        if (!edit) continue;
        const bool stays = !edit->instead || *edit->instead == at(i).text;
        if (stays && edit->before.empty() && edit->after.empty() && edit->row.empty()) continue;
        words += fmt::format("{} {}\1{}\1{}\1{}\n", i, edit->before,
                             stays ? at(i).text : *edit->instead, edit->after, edit->row);
    }
    return words;
}

}  // namespace parallax

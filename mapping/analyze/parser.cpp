// Parses the declarations of a file and the statements of its functions.
#include "mapping/analyze/parser.hpp"

#include <algorithm>

namespace parallax {
void Parser::run(ExpressionSink& sink) {
    sink_ = &sink;
    for (const std::string& name : constants_) scopes_[0][name] = type_of("int");
    note_macros();
    for (const Item& item : outline_.items) {
        if (item.is_function()) read_function(item);
    }
    read_all_ = true;
    for (const Item& item : outline_.items) read_item(item);
    for (const Directive& directive : outline_.directives) {
        if (directive.word == "define") read_macro_body(directive);
    }
}

std::size_t Parser::next(std::size_t i) const {
    do ++i;
    while (at(i).kind == TokenKind::directive);
    return i;
}

std::size_t Parser::after_attributes(std::size_t i) const {
    while (at(i).is("__attribute__") && at(next(i)).is("(")) {
        i = next(std::max(next(i), outline_.match[next(i)]));
    }
    return i;
}

bool Parser::take(std::string_view text) {
    if (!here().is(text)) return false;
    step();
    return true;
}

void Parser::expect(std::string_view text) {
    if (!failed_ && !take(text)) fail();
}

const Type* Parser::variable(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    }
    return nullptr;
}

bool Parser::is_member(std::string_view name) const {
    return std::ranges::any_of(record_list_,
                               [&](const Record& one) { return one.members.contains(name); });
}

const Directive* Parser::macro(std::string_view name) const {
    const auto found = macros_.find(name);
    return found == macros_.end() ? nullptr : found->second;
}

void Parser::block(std::size_t open) {
    const std::size_t close = outline_.match[open];
    scopes_.emplace_back();
    i_ = next(open);
    while (i_ < close) statement();
    scopes_.pop_back();
    i_ = next(close);
}

/// A block at whose beginning a loop's variables are declared, which C lets it declare once more.
void Parser::loop_body(std::size_t open, const Names& heads) {
    if (outline_.match[open] < open || ++depth_ > deepest) return fail();
    const std::size_t close = outline_.match[open];
    scopes_.emplace_back();
    i_ = next(open);
    while (i_ < close) statement();
    const bool hides = std::ranges::any_of(
        heads, [&](const auto& one) { return scopes_.back().contains(one.first); });
    scopes_.pop_back();
    --depth_;
    i_ = next(close);
    if (hides) sink_->loop_variable_hidden(open, close);
}

void Parser::statement() {
    const std::size_t from = i_;
    if (++depth_ > deepest) {
        fail();
    } else {
        do_statement();
    }
    --depth_;
    if (failed_) recover(from);
}

/// Goes on behind the statement that could not be read, or, where it has a block, into the block.
void Parser::recover(std::size_t from) {
    failed_ = false;
    std::size_t i = from;
    while (at(i).kind != TokenKind::end && !at(i).is_one_of({";", "}", "{"})) {
        i = next(outline_.match[i] > i ? outline_.match[i] : i);
    }
    sink_->not_understood(from, i);
    i_ = i;
    if (at(i).is("{") && outline_.match[i] > i) {
        if (++depth_ < deepest) {
            block(i);
        } else {
            i_ = next(outline_.match[i]);
        }
        --depth_;
    } else if (at(i).is(";") || (i == from && at(i).kind != TokenKind::end)) {
        i_ = next(i);
    }
}

void Parser::do_statement() {
    if (take(";")) return;
    if (here().is("{")) {
        if (outline_.match[i_] < i_) return fail();
        return block(i_);
    }
    if (here().kind != TokenKind::identifier) return expression_statement();
    const std::string_view text = here().text;
    if ((text == "__attribute__" || text == "_Pragma") && at(next(i_)).is("(")) {
        const std::size_t open = next(i_);
        i_ = next(std::max(open, outline_.match[open]));
    } else if (is_assembly(text)) {
        assembly();
    } else if (text == "if" || text == "while" || text == "switch") {
        condition_statement();
    } else if (text == "else") {
        // Its `if` was behind an #if or in a macro.
        step();
        statement();
    } else if (text == "for") {
        for_statement();
    } else if (text == "do") {
        step();
        statement();
        if (!take("while")) return fail();
        expect("(");
        whole_expression();
        expect(")");
        // In a macro's body the semicolon comes from where it is used.
        if (!failed_ && !(in_macro_ && here().kind == TokenKind::end)) expect(";");
    } else if (text == "case") {
        step();
        case_label();
        expect(":");
    } else if (!jump() && !label()) {
        std::size_t past = i_;
        if (type_at(past) &&
            (at(past).is_one_of({"*", ";", "("}) || at(past).kind == TokenKind::identifier)) {
            declaration(ExpressionSink::Place::statement);
        } else {
            expression_statement();
        }
    }
}

/// `return`, `break`, `continue`, `goto`.
bool Parser::jump() {
    if (!here().is_one_of({"return", "break", "continue", "goto"})) return false;
    const std::string_view text = here().text;
    step();
    if (text == "return" && take(";")) return true;
    if (text == "return") whole_expression(result_);
    if (text == "goto") step();
    expect(";");
    return true;
}

bool Parser::label() {
    const bool is_name = here().is("default") || !is_shared_keyword(here().text);
    if (!is_name || !at(next(i_)).is(":")) return false;
    step();
    step();
    return true;
}

void Parser::condition_statement() {
    const std::string_view text = here().text;
    step();
    expect("(");
    const Type type = promoted(whole_expression());
    expect(")");
    if (failed_) return;
    const Type outer = text == "switch" ? std::exchange(switched_, type) : switched_;
    statement();
    switched_ = outer;
    if (text == "if" && take("else")) statement();
}

void Parser::for_statement() {
    step();
    expect("(");
    if (failed_) return;
    scopes_.emplace_back();
    std::size_t past = i_;
    if (take(";")) {
    } else if (type_at(past)) {
        declaration(ExpressionSink::Place::statement);
    } else {
        whole_expression();
        expect(";");
    }
    if (!here().is(";")) whole_expression();
    expect(";");
    if (!here().is(")")) whole_expression();
    expect(")");
    if (!failed_ && here().is("{")) {
        loop_body(i_, Names(scopes_.back()));
    } else if (!failed_) {
        statement();
    }
    scopes_.pop_back();
}

/// `asm volatile("text" : "=r"(a) : "r"(b) : "memory");`, with expressions in parentheses.
void Parser::assembly() {
    step();
    while (here().is_one_of({"volatile", "__volatile__"})) step();
    const std::size_t close = here().is("(") ? outline_.match[i_] : 0;
    if (close < i_) return fail();
    step();
    while (!failed_ && i_ < close) {
        if (!take("(")) {
            step();
            continue;
        }
        whole_expression();
        expect(")");
    }
    expect(")");
    if (!failed_ && !(in_macro_ && here().kind == TokenKind::end)) expect(";");
}

void Parser::expression_statement() {
    const Directive* used = here().kind == TokenKind::identifier ? macro(here().text) : nullptr;
    const std::size_t first = i_;
    whole_expression();
    if (failed_ || take(";")) return;
    if (used && here().is("{") && !in_macro_) {
        // It may be a loop's head, whose variable is declared by the macro's arguments or by its
        // body.
        Names heads;
        for (std::size_t i = first; i < i_; ++i) heads[at(i).text] = {};
        for (std::size_t i = used->body; i < used->last; ++i) heads[at(i).text] = {};
        return loop_body(i_, heads);
    }
    // A macro may bring its own semicolon, and a loop's head.
    const bool ends = here().is_one_of({"}", "{"}) || here().kind == TokenKind::identifier ||
                      (in_macro_ && here().kind == TokenKind::end);
    if (!ends || (!used && !in_macro_)) fail();
}

Type Parser::whole_expression(const Type& wanted) {
    if (failed_) return {};
    tree_.clear();
    const int root = expression();
    if (failed_) return {};
    node(root).wanted = wanted;
    const Type type = node(root).type;
    sink_->expression(tree_, root, ExpressionSink::Place::statement);
    return type;
}

}  // namespace parallax

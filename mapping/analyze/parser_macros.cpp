// Parses macros: their definitions, their bodies, and the type of each use.
#include <algorithm>
#include <utility>

#include "mapping/analyze/parser.hpp"

namespace parallax {

void Parser::note_macros() {
    // A definition within `#ifndef` of its own name is a default: an earlier one has priority.
    std::vector<std::string_view> guards;
    const auto same = [&](const Directive& a, const Directive& b) {
        if (a.parameters != b.parameters || a.last - a.body != b.last - b.body) return false;
        for (std::size_t k = 0; k < a.last - a.body; ++k) {
            if (at(a.body + k).text != at(b.body + k).text) return false;
        }
        return true;
    };
    for (const Directive& directive : outline_.directives) {
        if (directive.word.starts_with("if")) {
            guards.push_back(directive.word == "ifndef" ? at(directive.first).text
                                                        : std::string_view());
        } else if (directive.word.starts_with("el")) {
            if (!guards.empty()) guards.back() = {};
        } else if (directive.word == "endif") {
            if (!guards.empty()) guards.pop_back();
        } else if (directive.word == "define") {
            const auto [known, fresh] = macros_.try_emplace(directive.name, &directive);
            if (fresh || same(*known->second, directive)) continue;
            const bool is_default = std::ranges::find(guards, directive.name) != guards.end();
            if (!is_default) ambiguous_.insert(directive.name);
        }
    }
}

void Parser::read_macro_body(const Directive& define) {
    if (define.body == define.last || !define.balanced) {
        if (define.body != define.last) sink_->not_understood(define.body, define.last);
        return;
    }
    for (std::size_t i = define.body; i < define.last; ++i) {
        if (at(i).is_one_of({"#", "##"})) {
            sink_->not_understood(define.body, define.last);
            return;
        }
    }
    if (!define.has_parameters && macro_type(define)) return;
    scopes_.emplace_back();
    for (const std::string_view name : define.parameters) scopes_.back()[name] = Type{};
    in_macro_ = true;
    in_own_body_ = true;
    i_ = define.body;
    failed_ = false;
    tree_.clear();
    const int root = expression();
    in_own_body_ = false;
    if (!failed_ && i_ == define.last) {
        sink_->expression(tree_, root, ExpressionSink::Place::macro);
    } else {
        failed_ = false;
        i_ = define.body;
        while (i_ < define.last) statement();
    }
    in_macro_ = false;
    scopes_.pop_back();
}

Type Parser::body_type(const Directive& define, const std::vector<Type>& arguments) {
    if (define.body == define.last || !define.balanced || ambiguous_.contains(define.name) ||
        macro_depth_ >= deepest_macro || macro_steps_ > 4 * outline_.tokens.size() + 10000) {
        if (define.body != define.last) sink_->not_followed(define.name);
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
        // Findings inside of another macro's body are not final: each use of that macro reports
        // them.
        if (!in_own_body_) sink_->expression(tree_, root, ExpressionSink::Place::use);
    } else {
        sink_->not_followed(define.name);
    }
    tree_.resize(nodes);
    in_macro_ = in_macro;
    failed_ = false;
    scopes_.pop_back();
    --macro_depth_;
    i_ = back;
    return type;
}

}  // namespace parallax

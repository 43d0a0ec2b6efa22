// Parses names, calls, indices and members.
#include <algorithm>

#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/parser.hpp"

namespace parallax {

int Parser::name() {
    const std::size_t first = i_;
    const std::string_view text = here().text;
    if (is_shared_keyword(text) && text != "true" && text != "false") return no_node();
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
    if (close < open) return no_node();
    const int node =
        add({.kind = Node::Kind::call, .first = name, .last = close, .operator_token = open});
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
            if (macro_depth_ == 0) sink_->not_understood(from, i_);
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
    } else if (functions_.contains(name)) {
        std::vector<Type> arguments;
        for (std::size_t p = 0; p < parts.size(); ++p) arguments.push_back(part(p).type);
        if (const Function* function = chosen(name, arguments)) {
            type = function->result;
            if (type.pointers == 0) type.is_volatile = false;
            const auto& parameters = function->parameters;
            for (std::size_t p = 0; p < std::min(parts.size(), parameters.size()); ++p) {
                part(p).wanted = parameters[p];
            }
        }
    } else {
        std::vector<ArgumentType> arguments;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const Type& one = part(p).type;
            arguments.push_back({one.pointers < 2 ? one.value : ValueType{}, one.pointers > 0});
        }
        type = Type{result_of(name, arguments)};
        type.is_condition = is_predicate_of_cuda(name) && type.is_scalar();
        const unsigned extents = parts.size() == 1 ? part(0).type.image_extents : 0;
        if (name == "get_image_dim" && extents > 0) type = type_of("int", extents);
    }
    this->node(node).type = type;
}

bool Parser::Function::takes(const std::vector<Type>& arguments) const {
    return std::ranges::equal(arguments, parameters, [](const Type& given, const Type& declared) {
        return given == declared && (given.known() || given.pointers > 0);
    });
}

const Parser::Function* Parser::chosen(std::string_view name,
                                       const std::vector<Type>& arguments) const {
    const std::vector<Function>& all = functions_.at(name);
    if (all.size() == 1) return &all.front();
    const Function* found = nullptr;
    for (const Function& one : all) {
        if (one.takes(arguments)) return &one;
        if (one.parameters.size() != arguments.size()) continue;
        if (found) return nullptr;
        found = &one;
    }
    return found;
}

std::optional<bool> Parser::changes_arguments(std::string_view function) const {
    const auto found = functions_.find(function);
    if (found == functions_.end()) return {};
    return std::ranges::any_of(found->second, [](const Function& one) {
        return std::ranges::any_of(one.parameters, [](const Type& type) {
            return type.pointers > 0 ? !type.is_const : !type.known() && type.image_extents == 0;
        });
    });
}

int Parser::postfix(int what) {
    while (!failed_) {
        const Type base = this->node(what).type;
        const std::size_t operator_token = i_;
        if (here().is("[")) {
            if (outline_.match[operator_token] < operator_token) {
                fail();
                break;
            }
            step();
            const int index = expression();
            expect("]");
            if (failed_) break;
            what = add_behind(Node::Kind::index, {what, index}, operator_token,
                              outline_.match[operator_token], base.pointee());
        } else if (here().is_one_of({".", "->"})) {
            const Type of = here().is("->") ? base.pointee() : base;
            step();
            if (here().kind != TokenKind::identifier) {
                fail();
                break;
            }
            Type type;
            const std::string_view name = here().text;
            if (of.pointers == 0 && of.record != 0) {
                const Names& members = record(of.record).members;
                if (const auto found = members.find(name); found != members.end()) {
                    type = found->second;
                    // The target of a member pointer is not a part of the struct, an array is.
                    if (type.pointers == 0 || record(of.record).extents.contains(name)) {
                        type.is_volatile = type.is_volatile || of.is_volatile;
                    }
                }
            } else if (of.is_vector()) {
                if (const auto parts = components_of(name, of.value.width)) {
                    type = type_of(of.value.element, static_cast<unsigned>(parts->size()));
                    type.is_volatile = of.is_volatile && parts->size() == 1;
                }
            }
            what = add_behind(Node::Kind::member, {what}, i_, i_, type);
            step();
        } else if (here().is_one_of({"++", "--"})) {
            what = add_behind(Node::Kind::postfix, {what}, operator_token, operator_token, base);
            step();
        } else {
            break;
        }
    }
    return what;
}

}  // namespace parallax

// Parses declarations: declarators, functions, initializers.
#include <algorithm>
#include <climits>
#include <utility>

#include "mapping/analyze/parser.hpp"

namespace parallax {

Parser::Declarator Parser::declarator(Type type, std::size_t& i) {
    while (at(i).is("*") || is_qualifier(at(i).text) || is_address_space(at(i).text) ||
           at(i).is("__attribute__")) {
        if (at(i).is("*")) ++type.pointers;
        if (at(i).is("__attribute__") && at(next(i)).is("(")) {
            i = std::max(next(i), outline_.match[next(i)]);
        }
        i = next(i);
    }
    Declarator made{{}, type, {}};
    if (at(i).is("(") && outline_.match[i] > i) {
        const std::size_t close = outline_.match[i];
        i = next(i);
        if (++depth_ < 100) made = declarator(type, i);
        --depth_;
        i = next(close);
    } else if (at(i).kind == TokenKind::identifier && !is_shared_keyword(at(i).text)) {
        made.name = at(i).text;
        i = next(i);
    }
    while (at(i).is("[") && outline_.match[i] > i) {
        ++made.type.pointers;
        made.elements = made.elements.value_or(1) * constant(next(i), outline_.match[i]);
        std::size_t size = next(i);
        const auto known = constant_at(size);
        made.extents.push_back(next(i) == outline_.match[i] ? -1
                               : known && size == outline_.match[i] && known->first < INT_MAX
                                   ? static_cast<int>(known->first)
                                   : 0);
        i = next(outline_.match[i]);
    }
    i = after_attributes(i);
    return made;
}

std::vector<Parser::Declarator> Parser::parameters(const Item& function) {
    std::vector<Declarator> all;
    for (const ParameterRange& range : outline_.parameters(function)) {
        std::size_t p = range.first;
        if (at(p).kind == TokenKind::directive) p = next(p);
        const auto type = type_at(p);
        all.push_back(type ? declarator(*type, p) : Declarator{});
    }
    return all;
}

std::vector<std::string_view> Parser::parameter_names(const Item& function) {
    std::vector<std::string_view> names;
    for (const Declarator& one : parameters(function)) names.push_back(one.name);
    return names;
}

/// Whether the space that a pointer leads to can decide between them: in no place are they pointers
/// to other things.
bool Parser::differ_in_space(const Function& a, const Function& b) {
    bool differ = false;
    for (std::size_t p = 0; p < std::min(a.parameters.size(), b.parameters.size()); ++p) {
        const Type &one = a.parameters[p], &other = b.parameters[p];
        if (one.pointers == 0 || other.pointers == 0) continue;
        differ = differ || one.space != other.space;
        const bool is_any = one.value.element == "void" || other.value.element == "void";
        if (one.known() && other.known() && !is_any && !(one == other)) return false;
    }
    return differ && a.parameters.size() == b.parameters.size();
}

void Parser::read_function(const Item& item) {
    std::size_t i = item.first;
    Function function;
    if (const auto result = type_at(i)) {
        function.result = *result;
        for (; i < item.name; i = next(i)) {
            if (at(i).is("*")) ++function.result.pointers;
        }
    }
    for (const Declarator& one : parameters(item)) function.parameters.push_back(one.type);
    const std::size_t past = item.body != 0 ? item.body : item.last;
    const auto says = [this](std::size_t first, std::size_t last) {
        return std::any_of(&at(first), &at(last), [](const Token& one) {
            return one.is_one_of({"overloadable", "__overloadable__"});
        });
    };
    function.is_overloadable = says(item.first, past);
    for (i = item.first; i < past && !function.is_overloadable; i = next(i)) {
        const Directive* define = macro(at(i).text);
        function.is_overloadable = define && says(define->body, define->last);
    }
    const std::string_view name = at(item.name).text;
    if (!read_all_ || read_functions_.insert(name).second) {
        functions_[name] = {std::move(function)};
        return;
    }
    std::vector<Function>& all = functions_[name];
    if (function.is_overloadable && all.front().is_overloadable) {
        if (std::ranges::any_of(
                all, [&](const Function& one) { return differ_in_space(one, function); })) {
            sink_->differs_in_space(item.name);
        }
        const auto same = std::ranges::find(all, function.parameters, &Function::parameters);
        if (same == all.end()) {
            all.push_back(std::move(function));
        } else if (!(same->result == function.result)) {
            same->result = {};
        }
        return;
    }
    // Branches of an #if declare it, each otherwise.
    Function& other = all.front();
    if (!(other.result == function.result)) other.result = {};
    if (other.parameters.size() != function.parameters.size()) other.parameters.clear();
    for (std::size_t p = 0; p < other.parameters.size(); ++p) {
        if (!(other.parameters[p] == function.parameters[p])) other.parameters[p] = {};
    }
}

Type Parser::own_result(const Item& item) {
    std::vector<Type> types;
    for (const Declarator& one : parameters(item)) types.push_back(one.type);
    const std::vector<Function>& all = functions_.at(at(item.name).text);
    if (all.size() == 1) return all.front().result;
    const auto found = std::ranges::find(all, types, &Function::parameters);
    return found == all.end() ? Type{} : found->result;
}

void Parser::read_item(const Item& item) {
    i_ = item.first;
    failed_ = false;
    if (!item.is_function()) {
        if (at(i_).is(";")) return;
        declaration(ExpressionSink::Place::data);
        if (failed_) sink_->not_understood(item.first, item.last);
        failed_ = false;
        return;
    }
    // The list is read once more: the types before it are known now.
    read_function(item);
    if (item.body == 0) return;
    scopes_.emplace_back();
    for (const Declarator& one : parameters(item)) {
        if (!one.name.empty()) declare(one);
    }
    result_ = own_result(item);
    block(item.body);
    result_ = {};
    scopes_.pop_back();
}

void Parser::declaration(ExpressionSink::Place place) {
    const bool alias = here().is("typedef");
    const auto type = type_at(i_);
    if (!type) return fail();
    while (!failed_ && !here().is(";")) {
        std::size_t i = i_;
        const Declarator one = declarator(*type, i);
        if (i == i_) return fail();
        i_ = i;
        if (here().is("(") && outline_.match[i_] > i_)
            i_ = next(outline_.match[i_]);  // a prototype
        if (here().is(":")) {
            step();
            step();
        }
        if (!one.name.empty()) {
            if (alias) {
                note(types_, one.name, one.type);
                declared_.insert(one.name);
                if (one.type.record != 0 && one.type.pointers == 0) {
                    std::string_view& known = record(one.type.record).name;
                    if (known.empty()) known = one.name;
                }
                scopes_.back().erase(one.name);
            } else {
                declare(one);
            }
        }
        const bool is_object = one.type.pointers == one.extents.size() && !alias;
        if (type->is_const && is_object && !here().is("=")) {
            std::size_t last = i_ - 1;
            while (at(last).kind == TokenKind::directive) --last;
            if (!at(last).is(")")) sink_->const_without_value(last);
        }
        if (take("=")) initializer(one, place);
        if (failed_) return;
        if (!take(",") && !here().is(";")) return fail();
    }
    step();
}

void Parser::initializer(const Declarator& of, ExpressionSink::Place place) {
    tree_.clear();
    const auto extents = of.is_array() ? of.extents : std::vector<int>();
    const int root = here().is("{") ? braces(of.type, extents) : assignment();
    if (failed_) return;
    node(root).wanted = of.type;
    node(root).extents = extents;
    sink_->expression(tree_, root, place);
}

int Parser::designator(const Type& whole) {
    int place = -1;
    if (here().is(".") && whole.pointers == 0 && whole.record != 0) {
        const auto& order = record(whole.record).order;
        const auto found = std::ranges::find(order, at(next(i_)).text);
        if (found != order.end()) place = static_cast<int>(found - order.begin());
        i_ = next(next(i_));
    } else if (here().is("[")) {
        const std::size_t close = std::max(i_, outline_.match[i_]);
        std::size_t index = next(i_);
        const auto known = constant_at(index);
        if (known && index == close && known->first >= 0 && known->first < INT_MAX) {
            place = static_cast<int>(known->first);
        }
        i_ = next(close);
    }
    // Further steps, as in `.a[1] =`, are not told apart.
    if (!here().is("=")) place = -1;
    while (!here().is("=") && here().is_one_of({".", "["})) {
        i_ = next(here().is(".") ? next(i_) : std::max(i_, outline_.match[i_]));
    }
    expect("=");
    return place;
}

Type Parser::part_type(const Type& whole, int place, bool named) const {
    if (whole.pointers > 0) return whole.pointee();
    if (whole.is_vector()) return type_of(whole.value.element);
    const std::string_view* name = member_at(whole, place);
    if (!name) return {};
    const Type& type = record(whole.record).members.at(*name);
    const bool is_pointer = type.pointers > 0 && !record(whole.record).shapes.contains(*name);
    return !named && is_pointer ? Type{} : type;
}

const std::string_view* Parser::member_at(const Type& whole, int place) const {
    if (whole.pointers > 0 || whole.record == 0 || place < 0) return nullptr;
    const auto& order = record(whole.record).order;
    const auto at = static_cast<std::size_t>(place);
    return at < order.size() ? &order[at] : nullptr;
}

std::vector<int> Parser::part_extents(const Node& whole, int place) const {
    if (whole.extents.size() > 1) return {whole.extents.begin() + 1, whole.extents.end()};
    const std::string_view* name = member_at(whole.type, place);
    if (!name) return {};
    const auto& shapes = record(whole.type.record).shapes;
    const auto found = shapes.find(*name);
    return found == shapes.end() ? std::vector<int>() : found->second;
}

int Parser::braces(Type type, std::vector<int> extents) {
    const std::size_t open = i_;
    if (outline_.match[open] < open || ++depth_ > 200) return no_node();
    const int node = add({.kind = Node::Kind::braces, .first = open, .last = outline_.match[open]});
    // The value of a list is no lvalue.
    if (type.pointers == 0) type.is_volatile = false;
    this->node(node).type = type;
    this->node(node).extents = std::move(extents);
    step();
    list(node, "}");
    --depth_;
    return node;
}

}  // namespace parallax

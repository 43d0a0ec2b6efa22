// The statements of a body, and the kernels of a file.
#include "mapping/body/body.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "mapping/body/symbolic_executor.hpp"

namespace parallax {
namespace body {

SymbolicExecutor::SymbolicExecutor(const Outline& outline, const Parser& parser,
                                   const Expressions& expressions, std::array<unsigned, 3> sizes)
    : outline_(outline), parser_(parser), expressions_(expressions), sizes_(sizes) {}

std::size_t SymbolicExecutor::next(std::size_t i) const {
    do ++i;
    while (outline_[i].kind == TokenKind::directive);
    return i;
}

/// The `;` of the statement that begins at `i`, or what ends the block before one comes.
std::size_t SymbolicExecutor::end_of(std::size_t i) const {
    while (outline_[i].kind != TokenKind::end && !outline_[i].is_one_of({";", "}"})) {
        i = next(std::max(i, outline_.match[i]));
    }
    return i;
}

void SymbolicExecutor::expression(std::size_t first) {
    if (const auto* whole = expressions_.at(first)) evaluate(whole->tree, whole->root);
}

void SymbolicExecutor::declaration(std::size_t first, std::size_t end) {
    bool local = false, pointer = false;
    std::size_t name = 0;
    std::vector<double> extents;
    for (std::size_t i = first; i <= end; i = next(i)) {
        const Token& token = outline_[i];
        if (token.is_one_of({"__local", "local"})) {
            local = true;
        } else if (token.is("*")) {
            pointer = true;
        } else if (token.kind == TokenKind::identifier &&
                   outline_[next(i)].is_one_of({"=", ",", ";", "["})) {
            name = i;
            extents.clear();
        } else if (token.is("[") && outline_.match[i] > i) {
            extents.push_back(parser_.constant(next(i), outline_.match[i]));
            i = outline_.match[i];
        } else if (token.is("(") && outline_.match[i] > i) {
            i = outline_.match[i];
        } else if (token.is("=") || ((token.is(",") || i == end) && name != 0)) {
            // Through its name alone, what is stored in an array is not followed.
            Value value{unknown({.ids = extents.empty() ? nobody : anybody})};
            if (local && !pointer && extents.empty()) shared_.insert(text_at(name));
            if (local && !pointer) {
                memories_.push_back({.extents = extents});
                value = {Poly(0), static_cast<int>(memories_.size()) - 1};
                if (extents.empty()) value = {unknown()};
            }
            if (token.is("=")) {
                const std::size_t at = next(i);
                if (const auto* whole = expressions_.at(at)) {
                    const Node& root = this->at(whole->tree, whole->root);
                    value = evaluate(whole->tree, whole->root);
                    i = root.last;
                    const Type& type = root.wanted;
                    note_conversion(root.type, type);
                    if (root.type.value.element == "void" && type.pointers == 1) {
                        value = pointing(std::move(value), root.type, type);
                    }
                    if (type.pointers == 0 && !type.is_vector() &&
                        (is_float_element(type.value.element) || is_rounded(root, value))) {
                        value = {unknown_from(value)};
                    }
                    if (type.is_vector() && value.parts.empty()) value = {unknown_from(value)};
                }
            }
            if (!token.is("=") && value.memory < 0) unset_.merge(value.number.symbols());
            scopes_.back()[text_at(name)] = value;
            if (token.is("=")) name = 0;
            if (token.is(",")) name = 0;
        }
    }
}

/// The position after the statement that begins at `i`.
std::size_t SymbolicExecutor::behind(std::size_t i, unsigned depth) const {
    i = parser_.after_attributes(i);
    const Token& token = outline_[i];
    if (depth > 200 || token.kind == TokenKind::end) return i + 1;
    if (token.is("{")) return next(std::max(i, outline_.match[i]));
    if (token.is("do")) return next(end_of(behind(next(i), depth + 1)));
    if (token.is_one_of({"if", "for", "while", "switch"}) && outline_[next(i)].is("(")) {
        const std::size_t past =
            behind(next(std::max(next(i), outline_.match[next(i)])), depth + 1);
        return token.is("if") && outline_[past].is("else") ? behind(next(past), depth + 1) : past;
    }
    const std::size_t end = end_of(i);
    return outline_[end].is(";") ? next(end) : end;
}

bool SymbolicExecutor::leaves(std::size_t i) const {
    if (outline_[i].is_one_of({"return", "continue", "break"})) return true;
    if (!outline_[i].is("{")) return false;
    const std::size_t close = outline_.match[i];
    bool last = false;
    for (std::size_t k = next(i); k < close; k = std::max(behind(k, 0), k + 1)) {
        last = outline_[k].is_one_of({"return", "continue", "break"});
    }
    return last;
}

void SymbolicExecutor::block(std::size_t open) {
    const std::size_t close = outline_.match[open];
    scopes_.emplace_back();
    const Checkpoint before = checkpoint();
    for (std::size_t i = next(open); i < close;) i = std::max(statement(i), i + 1);
    restore(before);
    scopes_.pop_back();
}

SymbolicExecutor::Tops SymbolicExecutor::changed_since(const std::vector<Names>& other) {
    Tops found;
    for (std::size_t s = 0; s < scopes_.size(); ++s) {
        for (const auto& [name, value] : scopes_[s]) {
            const auto old = other[s].find(name);
            if (old == other[s].end() || !(old->second == value)) {
                found[{s, name}] = most(value.number);
            }
        }
    }
    return found;
}

void SymbolicExecutor::join_names(const std::vector<Names>& before,
                                  const std::vector<Names>& after_then, const Tops& tops_then,
                                  const Tops& tops_else, const Dependence& condition) {
    for (std::size_t s = 0; s < scopes_.size(); ++s) {
        for (auto& [name, value] : scopes_[s]) {
            const auto other = after_then[s].find(name);
            if (other == after_then[s].end() || other->second == value) continue;
            const auto top = tops_then.find({s, name}), own = tops_else.find({s, name});
            const bool is_shared = shared_.contains(name);
            const bool is_old = value == before[s].at(name);
            if (is_shared && (is_old || other->second == before[s].at(name))) {
                if (is_old) value = other->second;  // all have what one of them stores
                continue;
            }
            value = either(other->second,
                           top == tops_then.end() ? most(other->second.number) : top->second, value,
                           own == tops_else.end() ? std::nullopt : own->second);
            if (!is_shared) add_to(value, condition);
        }
    }
}

std::size_t SymbolicExecutor::branch(std::size_t i) {
    const std::size_t open = next(i), close = outline_.match[open];
    const auto* condition = expressions_.at(next(open));
    if (!condition || close < open) return next(std::max(open, close));
    Dependence asked = dependence_of(evaluate(condition->tree, condition->root));
    asked.chosen |= std::exchange(asked.ids, nobody);
    const std::vector<Names> before = scopes_;
    const Checkpoint start = checkpoint();
    const auto hold_it = [&](bool positive) {
        hold(condition->tree, condition->root, positive, true);
    };
    hold_it(true);
    const std::size_t then = next(close);
    std::size_t end = statement(then);
    const Tops tops_then = changed_since(before);
    restore(start);
    const std::vector<Names> after_then = std::exchange(scopes_, before);
    const bool has_else = outline_[end].is("else");
    const bool then_leaves = leaves(then);
    bool else_leaves = false;
    // Facts that hold after the branch only must not bound accesses within it.
    const ConditionFacts known = has_else || then_leaves ? ConditionFacts{} : read_;
    hold_it(false);
    if (has_else) {
        else_leaves = leaves(next(end));
        end = statement(next(end));
    }
    Tops tops_else = changed_since(after_then);
    for (const auto& [key, top] : tops_then) {
        const auto& names = scopes_[key.first];
        if (const auto found = names.find(key.second); found != names.end()) {
            tops_else.try_emplace(key, most(found->second.number));
        }
    }
    if (!has_else && !then_leaves) static_cast<ConditionFacts&>(read_) = known;
    if (then_leaves) return end;  // the condition does not hold from here on
    restore(start);
    if (else_leaves) {
        scopes_ = after_then;
        hold_it(true);
    } else {
        join_names(before, after_then, tops_then, tops_else, asked);
    }
    return end;
}

std::size_t SymbolicExecutor::statement(std::size_t i) {
    i = parser_.after_attributes(i);  // such as a hint to unroll the loop behind it
    if (++steps_ > most_steps || depth_ > 300) return next(end_of(i));
    const Token& token = outline_[i];
    if (token.is(";")) return next(i);
    if (token.is("{")) {
        ++depth_;
        block(i);
        --depth_;
        return next(outline_.match[i]);
    }
    ++depth_;
    std::size_t past = 0;
    if (token.is("if")) {
        past = branch(i);
    } else if (token.is_one_of({"for", "while", "do"})) {
        past = loop(i);
    } else if (token.is("switch")) {
        const std::size_t open = next(i);
        expression(next(open));
        const Checkpoint before = checkpoint();
        limits_.push_back({.all = true});
        past = statement(next(outline_.match[open]));
        restore(before);
    } else if (token.kind == TokenKind::identifier && !token.is("default") &&
               outline_[next(i)].is(":")) {
        past = next(next(i));  // a label
    } else if (token.is("case") || token.is("default")) {
        while (!outline_[i].is_one_of({":", ";", "}"}) && outline_[i].kind != TokenKind::end) {
            i = next(i);
        }
        past = next(i);
    } else {
        const std::size_t end = end_of(i);
        if (token.is("return")) {
            if (const auto* whole = expressions_.at(next(i))) {
                const Value value = evaluate(whole->tree, whole->root);
                if (returned_) returned_->push_back(value);
            }
        } else if (const auto* whole = expressions_.at(i)) {
            statement_ = &at(whole->tree, whole->root);
            evaluate(whole->tree, whole->root);
        } else {
            declaration(i, end);
        }
        past = outline_[end].is(";") ? next(end) : end;
    }
    --depth_;
    return past;
}

void SymbolicExecutor::read_attributes(const Item& kernel) {
    for (std::size_t i = kernel.first; i < kernel.body; ++i) {
        if (!outline_[i].is_one_of(
                {"reqd_work_group_size", "work_group_size_hint", "__reqd_work_group_size__"}) ||
            !outline_[i + 1].is("(")) {
            continue;
        }
        const auto parts = outline_.parts(i + 2, outline_.match[i + 1]);
        for (std::size_t d = 0; d < std::min<std::size_t>(parts.size(), 3); ++d) {
            read_.required.at(d) =
                static_cast<unsigned>(parser_.constant(parts[d].first, parts[d].last));
            if (read_.required.at(d) > 1) {
                read_.dimensions = std::max(read_.dimensions, static_cast<int>(d) + 1);
            }
        }
    }
}

BodyReading SymbolicExecutor::read(const Item& kernel, const Signature& signature) {
    scopes_.emplace_back();
    read_attributes(kernel);
    for (std::size_t p = 0; p < signature.parameters.size(); ++p) {
        const Parameter& parameter = signature.parameters[p];
        const bool memory = parameter.kind != Parameter::Kind::scalar;
        const auto type = value_type_named(parameter.type);
        parameters_.push_back(parameter.name);
        memories_.push_back({.is_parameter = memory, .single = type.has_value()});
        Value& value = scopes_.back()[parameter.name] =
            memory ? Value{Poly(0), static_cast<int>(p)}
                   : Value{Poly::of(known(Kind::parameter, static_cast<int>(p)))};
        if (memory || !type || !type->is_vector()) continue;
        for (unsigned i = 0; i < type->width; ++i) {
            value.parts.push_back(
                {Poly::of(known_member(static_cast<int>(p), component_of(parameter.name, i)))});
        }
    }
    std::set<std::string_view> words;
    for (std::size_t i = kernel.body; i < outline_.match[kernel.body]; ++i)
        words.insert(text_at(i));
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
        if (!words.contains(parameters_[p])) read_.unnamed.insert(static_cast<int>(p));
    }
    block(kernel.body);
    for (const int one : parted_) read_.moduli.erase(one);
    for (const std::size_t one : free_) read_.lowest.erase(one);
    for (const auto& [memory, counter] : dropped_)
        if (!work_.contains(counter)) read_.raced.insert(memory);
    for (const auto& [memory, from] : led_)
        if (read_.updated.contains(from)) read_.unsettled.insert(memory);
    // A part of it has an order.
    std::ranges::set_intersection(placed_, settled_,
                                  std::inserter(read_.unsettled, read_.unsettled.end()));
    return std::move(read_);
}

}  // namespace body

std::vector<KernelReading> read_kernels(std::string_view file, std::string_view source,
                                        const TranslateOptions& options) {
    const std::vector<Signature> found = signatures(file, source, options);
    const std::string text = with_defines(file, source, options.defines);
    const Outline outline = outline_of(file, text);
    body::Expressions expressions;
    Parser parser(outline, options.type, options.constants);
    parser.run(expressions);
    std::vector<KernelReading> all;
    std::size_t next = 0;
    for (const Item& item : outline.items) {
        if (item.kind != Item::Kind::kernel || item.body == 0) continue;
        KernelReading& one = all.emplace_back();
        one.signature = found.at(next++);
        one.body = body::SymbolicExecutor(outline, parser, expressions).read(item, one.signature);
        // Reads the kernel again, now that it is known that a work-group has fewer work-items than
        // the stride of its elements.
        const auto& fitting = one.body.fitting;
        if (std::ranges::any_of(std::array{0, 1, 2}, [&](std::size_t d) {
                return fitting.at(d) != 0 && one.body.apart.at(d) > fitting.at(d);
            })) {
            one.body = body::SymbolicExecutor(outline, parser, expressions, one.body.fitting)
                           .read(item, one.signature);
        }
    }
    return all;
}

}  // namespace parallax

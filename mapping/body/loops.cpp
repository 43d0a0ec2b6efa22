// The loops of a body: what changes per iteration, and the number of iterations.
#include <algorithm>
#include <map>

#include "mapping/body/symbolic_executor.hpp"

namespace parallax::body {

SymbolicExecutor::Changes SymbolicExecutor::changes_in(std::size_t first, std::size_t end) const {
    Changes changes;
    for (std::size_t i = first; i < end; i = next(i)) {
        const Token& token = outline_[i];
        if (token.kind != TokenKind::punctuator) continue;
        const bool counts = token.is_one_of({"++", "--"});
        const bool behind = i > 0 && outline_[i - 1].kind == TokenKind::identifier;
        std::size_t name = i - 1;
        if (counts && !behind && outline_[next(i)].kind == TokenKind::identifier) name = next(i);
        const bool sets = token.is_one_of({"=", "*=", "%=", "&=", "|=", "^=", "<<="});
        const bool falls = token.is_one_of({">>=", "/="});
        const bool steps = counts || token.is_one_of({"+=", "-="});
        if ((!sets && !falls && !steps) || outline_[name].kind != TokenKind::identifier) continue;
        if (name > first && outline_[name - 1].is_one_of({".", "->"})) {
            while (name > first + 1 && outline_[name - 1].is_one_of({".", "->"})) name -= 2;
        }
        Change& change = changes[text_at(name)];
        ++change.count;
        change.steps = steps;
        change.falls = falls;
        change.is_set = change.is_set || sets;
        change.operator_token = i;
    }
    return changes;
}

Poly SymbolicExecutor::size_of_step(const Changes& changes, std::size_t operator_token,
                                    std::size_t first, std::size_t end) {
    if (outline_[operator_token].is_one_of({"++", "--"})) return Poly(1);
    // Steps of one size are a number that no round changes.
    const std::size_t at = next(operator_token);
    std::size_t last = at;
    while (last < end && !outline_[last].is_one_of({";", ")", ","})) {
        last = next(std::max(last, outline_.match[last]));
    }
    bool fixed = true;
    for (std::size_t k = at; k < last; k = next(k)) {
        fixed = fixed && !changes.contains(text_at(k)) && !outline_[k].is("[");
    }
    // It is the right side of an assignment, which is an expression's root or part.
    const auto right = fixed ? right_of(operator_token, first) : std::nullopt;
    return right ? right->number : unknown();
}

/// Gives the variables that the tokens [first, end) change the value of any round; returns the
/// round's symbol.
int SymbolicExecutor::begin_rounds(std::size_t first, std::size_t end) {
    const Changes changes = changes_in(first, end);
    const int count = make({.kind = Kind::round});
    turning_.insert(count);
    const Poly round = Poly::of(count);
    std::vector<std::pair<Value*, Value>> made;
    for (const auto& [name, change] : changes) {
        Value* known = variable(name);
        if (!known) continue;
        Value value = *known;
        value.parts.clear();
        if (change.count == 1 && change.steps) {
            const Poly by = size_of_step(changes, change.operator_token, first, end);
            note_step(value, by);
            const Poly step = by * Poly(value.memory >= 0 ? value.unit : 1) * round;
            value.number = text_at(change.operator_token)[0] == '-' ? value.number - step
                                                                    : value.number + step;
        } else if (!change.is_set && change.falls && value.memory < 0) {
            value = {Poly::of(make({.upper = value.number,
                                    .arrival = arrival_of(value),
                                    .on = dependence_of(value)}))};
        } else {
            value.number = Poly::of(make({.from = sources(known->number),
                                          .arrival = arrival_of(*known),
                                          .on = dependence_of(*known)}));
            turning_.merge(value.number.symbols());
            // It ends without data.
            const bool rises = change.count == 1 &&
                               outline_[change.operator_token].is_one_of({"*=", "<<="}) &&
                               sources(known->number).empty();
            if (rises) rising_.merge(value.number.symbols());
        }
        made.emplace_back(known, value);
    }
    for (auto& [known, value] : made) *known = value;
    return count;
}

/// A loop that starts at a work-item's local id and has a constant step tells the work-group size:
/// the step.
void SymbolicExecutor::note_step(const Value& begin, const Poly& by) {
    const Poly place = whole(begin.number);
    for (int d = 0; d < 3; ++d) {
        const auto is_any = [d, this](const Poly& poly, Kind one, Kind other) {
            return poly == Poly::of(known(one, d)) || poly == Poly::of(known(other, d));
        };
        if (is_any(place, Kind::global_id, Kind::group_id) &&
            is_any(by, Kind::global_size, Kind::groups)) {
            read_.grid_strides.insert(d);
        }
    }
    const auto step = by.number();
    if (begin.memory >= 0 || !step || *step < 2 || *step > 1024) return;
    for (int d = 0; d < 3; ++d) {
        if (!(begin.number == Poly::of(known(Kind::local_id, d)))) continue;
        unsigned& fitting = read_.fitting.at(static_cast<std::size_t>(d));
        if (fitting == 0 || *step < fitting) fitting = static_cast<unsigned>(*step);
    }
}

/// Notes a loop's trip count, from its condition.
void SymbolicExecutor::note_rounds(int round) {
    const ConditionFacts before = read_;
    const auto last = most(Poly::of(round));
    static_cast<ConditionFacts&>(read_) = before;
    has_open_rounds_ = has_open_rounds_ || !last;
    if (!last || rounds_.terms().size() * last->terms().size() > 60) return;
    rounds_ = rounds_ * (*last + Poly(1));
    read_.rounds.push_back(rounds_);
}

/// Whether unusual data may keep a loop going: what ends it is compared in floating point, or was
/// not followed. A `do` that waits for an atomic change ends.
bool SymbolicExecutor::may_not_end(const Tree& tree, int condition, bool is_do) {
    const Node& node = at(tree, condition);
    const auto part = [&](int one) { return may_not_end(tree, one, is_do); };
    const bool prefix = node.kind == Node::Kind::prefix && text_at(node.operator_token) == "!";
    const std::string_view operation =
        node.kind == Node::Kind::binary ? text_at(node.operator_token) : "";
    if (node.kind == Node::Kind::group || prefix) return part(node.parts[0]);
    if (operation == "&&") return part(node.parts[0]) && part(node.parts[1]);
    if (operation == "||") return part(node.parts[0]) || part(node.parts[1]);
    if (!is_comparison(operation)) return !is_do;
    return std::ranges::any_of(node.parts, [&](int one) {
        if (is_float_element(at(tree, one).type.value.element)) return true;
        const Node::Kind kind = at(tree, one).kind;
        if (is_do || kind != Node::Kind::name) return false;
        const auto all = evaluate(tree, one).number.symbols();
        return std::ranges::any_of(all, [&](int what) {
            return is_kind(what, Kind::other) && !symbol(what).upper && !rising_.contains(what);
        });
    });
}

std::optional<Value> SymbolicExecutor::right_of(std::size_t operator_token, std::size_t from) {
    // Expressions begin at a token before the operator.
    for (std::size_t k = operator_token; k + 1 > from && k + 40 > operator_token; --k) {
        const auto* whole = expressions_.at(k);
        if (!whole) continue;
        for (const Node& node : whole->tree) {
            if (node.kind == Node::Kind::assign && node.operator_token == operator_token) {
                return evaluate(whole->tree, node.parts[1]);
            }
        }
    }
    return {};
}

std::size_t SymbolicExecutor::loop(std::size_t i) {
    const bool is_for = outline_[i].is("for"), is_do = outline_[i].is("do");
    const Checkpoint before = checkpoint();
    scopes_.emplace_back();
    std::size_t body = next(i), condition = 0, step = 0, close = 0, changes = 0;
    if (is_for) {
        const std::size_t open = next(i);
        close = outline_.match[open];
        const std::size_t first = std::min(end_of(next(open)), close);
        if (expressions_.at(next(open))) {
            expression(next(open));
        } else if (next(open) < first) {
            declaration(next(open), first);
        }
        condition = changes = next(first);
        const std::size_t second = std::min(end_of(condition), close);
        step = second < close ? next(second) : close;
        body = next(close);
        if (condition == second) condition = 0;
    } else if (!is_do) {
        const std::size_t open = next(i);
        close = outline_.match[open];
        condition = next(open);
        body = next(close);
    }
    // The end of the loop's body.
    const std::size_t end = behind(body, 0);
    const std::set<int> outer_turning = turning_;
    const int round = begin_rounds(is_for ? changes : is_do ? body : condition, end);
    const Dependence outer_asked = std::exchange(asked_, {});
    const auto* whole = condition != 0 ? expressions_.at(condition) : nullptr;
    const bool may_go_on = !is_do && (!whole || may_not_end(whole->tree, whole->root, false));
    read_.has_open_loops = read_.has_open_loops || may_go_on;
    if (whole && !is_do) {
        evaluate(whole->tree, whole->root);
        hold(whole->tree, whole->root, true, false);
    }
    const Poly outer = rounds_;
    const bool outer_open = has_open_rounds_;
    note_rounds(round);
    const std::size_t past = statement(body);
    rounds_ = outer;
    has_open_rounds_ = outer_open;
    if (is_for && step < close) expression(step);
    restore(before);
    scopes_.pop_back();
    // Variables that the loop changes are unknown afterwards.
    for (Names& names : scopes_) {
        for (auto& [name, value] : names) {
            if (value.number.has(round)) value.number = unknown_from(value);
        }
    }
    std::size_t after = past;
    if (is_do && outline_[past].is("while")) {
        const std::size_t open = next(past);
        if (const auto* last = expressions_.at(next(open))) {
            asked_ |= dependence_of(evaluate(last->tree, last->root));
            read_.has_open_loops =
                read_.has_open_loops || may_not_end(last->tree, last->root, true);
        }
        after = next(next(outline_.match[open]));
    }
    end_rounds(round, changes_in(is_for ? changes : i, end));
    asked_ |= outer_asked;
    turning_ = outer_turning;
    return after;
}

}  // namespace parallax::body

// Executes a kernel's body with symbols in place of values.
#pragma once

#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/parser.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/body/body.hpp"

namespace parallax::body {

/// All expressions of a file, each by its first token.
class Expressions : public ExpressionSink {
public:
    struct Whole {
        Tree tree;
        int root = 0;
    };
    const Whole* at(std::size_t first) const {
        const auto found = all_.find(first);
        return found == all_.end() ? nullptr : &found->second;
    }

private:
    void expression(const Tree& tree, int root, Place place) override {
        if (place == Place::macro || place == Place::use) return;
        all_[tree[static_cast<std::size_t>(root)].first] = {tree, root};
    }
    void not_understood(std::size_t, std::size_t) override {}

    std::map<std::size_t, Whole> all_;
};

/// A number, a place in memory, or the components of a vector.
struct Value {
    Poly number = {};       ///< of a pointer: elements behind the beginning
    int memory = -1;        ///< that it points to; -1: nowhere that is followed
    double unit = 1;        ///< elements of the memory in one of those that it points to
    std::size_t depth = 0;  ///< indices of an array of arrays that were applied
    std::vector<Value> parts = {};
    ValueType to = {};  ///< that a cast says it points to; unknown: none does
    bool operator==(const Value&) const = default;
};

/// The component that a name selects, from 0; nothing for several.
inline std::optional<std::size_t> component(std::string_view name) {
    if (name.size() == 1) {
        const std::size_t found = std::string_view("xyzw").find(name[0]);
        if (found != std::string_view::npos) return found;
    }
    if (name.size() == 2 && name[0] == 's' && name[1] >= '0' && name[1] <= '9')
        return name[1] - '0';
    return {};
}

inline bool is_comparison(std::string_view operation) {
    return is_one_of(operation, {"<", ">", "<=", ">=", "==", "!="});
}

class SymbolicExecutor {
public:
    /// @param sizes  work-group size by dimension from an earlier pass; 0: not known
    SymbolicExecutor(const Outline& outline, const Parser& parser, const Expressions& expressions,
                     std::array<unsigned, 3> sizes = {});
    BodyReading read(const Item& kernel, const Signature& signature);

private:
    using Kind = Symbol::Kind;
    using Names = std::map<std::string_view, Value>;
    /// `quantity` is at most, or at least, `bound`.
    struct Guard {
        int symbol = 0;
        Poly bound;
        bool upper = true;
    };
    /// A condition that leaves out elements: those of an index with one of these quantities.
    struct PredicateMask {
        bool all = false;
        std::set<int> symbols = {};
    };
    /// A condition by what it compares.
    struct Condition {
        std::set<int> symbols = {};
        Dependence on = {};
        bool is_before = false;  ///< a counter: those that it leaves out do not take a number
        bool is_less = false;    ///< compares with `<`, `>`, `<=`, `>=`
    };
    /// All conditions that hold at a place.
    struct Held {
        Dependence on = {};
        std::set<int> symbols = {};
        std::set<int> open = {};  ///< of conditions that are not before a counter
        std::size_t chances = 0;  ///< conditions that depend on the order
    };
    struct Checkpoint {
        std::size_t guards = 0, limits = 0, conditions = 0;
    };
    /// The target of an assignment.
    struct Place {
        std::string_view variable = {};
        Value pointer = {};  ///< where `variable` is empty
        bool member = false;
        std::optional<std::size_t> component = {};  ///< of a vector that is a variable
    };
    struct Memory {
        bool is_parameter = false;
        std::vector<double> extents = {};  ///< of an array in local memory
        bool single = false;               ///< one number to a place, and no struct
        Arrival arrival = Arrival::none;   ///< of what is stored there
        Dependence holds = {};             ///< what is stored there depends on, beyond its place
        std::size_t chances = 0;           ///< conditions by chance around the last store
    };

    // Quantities and bounds (bounds.cpp).
    int make(Symbol symbol);
    int known(Kind kind, int number, std::string name = {});
    Poly unknown(const Dependence& on = {}, Arrival arrival = Arrival::none) {
        return Poly::of(make({.arrival = arrival, .on = on}));
    }
    /// A number that is computed from the value.
    Poly unknown_from(const Value& value) {
        return unknown(dependence_of(value), arrival_of(value));
    }
    const Symbol& symbol(int number) const {
        return read_.symbols[static_cast<std::size_t>(number)];
    }
    bool is_kind(int number, Kind kind) const { return symbol(number).kind == kind; }
    bool varies(int number) const;
    bool varies(const Poly& poly) const;
    /// Replaces work-group and local ids by global ids, and parts by their wholes.
    Poly whole(Poly poly);
    /// The largest value under the conditions that hold here.
    std::optional<Poly> most(Poly poly, unsigned depth = 0);
    std::optional<Poly> bound_of(int one, const Poly& poly, unsigned depth);
    std::optional<Poly> stride_bound(int one, const Poly& poly);
    bool settles(const Poly& poly) const;
    Poly quotient(const Poly& whole, const Poly& by);
    Poly remainder(const Poly& whole, const Poly& by);
    /// One of several values.
    Value either(const Value& a, std::optional<Poly> most_a, const Value& b,
                 std::optional<Poly> most_b);
    bool is_row_end(const Poly& a, const Poly& b) const;

    // Conditions (conditions.cpp).
    Checkpoint checkpoint() const { return {guards_.size(), limits_.size(), conditions_.size()}; }
    void restore(const Checkpoint& start) {
        guards_.resize(start.guards);
        limits_.resize(start.limits);
        conditions_.resize(start.conditions);
    }
    /// Adds the facts that follow from the condition, or from its negation.
    void hold(const Tree& tree, int node, bool positive, bool limits);
    void hold_not_negative(const Poly& difference, bool limits, bool equal);
    void hold_equal(const Poly& difference, bool limits);
    void hold_unequal(const Poly& difference, bool limits);
    /// A comparison of two numbers, neither of them a float.
    void hold_comparison(const Tree& tree, const Node& node, bool positive, bool limits);
    void note_other(const Poly& difference, bool limits);
    bool asks_data(const Poly& difference) const;
    int loaded_in(const Poly& poly) const;
    void note_kept(const Poly& difference);
    /// The index with the ends that conditions give to data in it.
    Poly kept(Poly index);
    void note_truth(const Poly& number);
    void note_bound(const Poly& bound);
    void note_extent(const Poly& difference);

    // Expressions (evaluate.cpp, accesses.cpp, calls.cpp).
    const Node& at(const Tree& tree, int node) const {
        return tree[static_cast<std::size_t>(node)];
    }
    std::string_view text_at(std::size_t token) const { return outline_[token].text; }
    Value evaluate(const Tree& tree, int node);
    Value evaluate_new(const Tree& tree, int node);
    std::vector<Value> arguments_of(const Tree& tree, const Node& call);
    Value call(const Tree& tree, const Node& node);
    void note_barrier();
    void note_exchange(const Tree& tree, const Node& call, const std::vector<Value>& arguments);
    void note_roots(std::string_view name);
    void note_finite(std::string_view name);
    /// Evaluates integer functions: `mad24`, `clamp`, `min`.
    Value arithmetic_call(std::string_view name, const std::vector<Value>& arguments);
    Value clamped(const Value& what, const Value& top);
    Value work_item(std::string_view name, int dimension);
    std::optional<Value> memory_call(std::string_view name, const std::vector<Value>& arguments);

    // Atomic functions, and what depends on the order in which work-items reach them (atomics.cpp).
    Value atomic_call(std::string_view name, const std::vector<Value>& arguments, bool is_asked);
    std::optional<Poly> takers(bool in_group);
    void note_exchanged(bool compares, const std::vector<Value>& arguments);
    Arrival arrival(const Poly& poly) const;
    Arrival arrival_of(const Value& value) const;
    bool is_by_item(int one) const;
    void pass_on(const Node& node, const Value& made, std::size_t first_symbol);
    Dependence dependence(const Poly& poly) const;
    Dependence dependence_of(const Value& value) const;
    void add_to(const Value& value, const Dependence& on);
    void note_condition(const std::vector<Value>& compared, bool is_less = false);
    unsigned ids_beside(const std::set<int>& symbols, const std::set<int>& given) const;
    static std::set<int> numbers_of(const Value& value);
    Held held() const;
    std::set<int> counted_at(const std::set<int>& symbols) const;
    unsigned order_of(const Value& counter);
    void note_order(const Value& pointer, const Value& value, double elements,
                    bool is_atomic = false);
    bool is_folded(const Poly& index) const;
    bool is_updated(const Value& pointer, const Value& value) const;
    void note_place(const Poly& index, std::size_t memory, double elements);
    void note_content(const Value& pointer, const Value& value);
    void note_dropped(const Poly& index, std::size_t memory);

    std::optional<Value> image_call(std::string_view name, const std::vector<Value>& arguments);
    Value inlined(const Item& function, const std::vector<Value>& arguments);
    Value prefix(const Tree& tree, const Node& node);
    /// `x++`, `--x`. @returns the value before or behind
    Value step(const Tree& tree, const Node& node);
    Value cast(const Tree& tree, const Node& node);
    Value vector_literal(const Tree& tree, const Node& node);
    Value braced(const Tree& tree, const Node& node);
    Value binary(const Tree& tree, const Node& node);
    void note_sum(const Type& type, const Poly& number);
    void note_edge(const Tree& tree, int node);
    Value masked(const Value& a, const Value& b);
    Poly launched(Poly product);
    Value arithmetic(std::string_view operation, const Value& a, const Value& b);
    Value member(const Tree& tree, const Node& node);
    Value member_value(const Node& node, int parameter, std::string_view name);
    Value choice(const Tree& tree, const Node& node);
    Value assign(const Tree& tree, const Node& node);
    Place place(const Tree& tree, int node);
    Value load(const Place& place);
    Value in_parts(Value value, const Type& type) const;
    Value pointing(Value value, const Type& from, const Type& to) const;
    bool is_rounded(const Node& node, const Value& value) const;
    void note_rounded(const Type& from, const Type& to);
    void note_conversion(const Type& from, const Type& to);
    /// The buffers that it is computed from, as far as that is known.
    std::set<std::size_t> sources(const Poly& poly) const;
    void note_leads(const Poly& poly) { read_.indices.merge(sources(poly)); }
    void note_index(const Poly& index, bool stores);
    void note_race(const Value& pointer, const Value& value, bool is_sum);
    bool may_not_end(const Tree& tree, int condition, bool is_do);
    void store(const Place& place, const Value& value);
    Value* variable(std::string_view name);
    Value indexed(Value pointer, const Poly& index);
    void access(const Value& pointer, double elements, bool loads, bool stores, bool atomic = false,
                bool member = false, bool is_asked = false);
    void note_local(const Memory& memory, std::size_t depth, const Poly& index);
    void fit_group(double extent, const Poly& at);
    double elements_of(const Type& type) const;

    // Statements (body.cpp, loops.cpp).
    std::size_t next(std::size_t i) const;
    std::size_t end_of(std::size_t i) const;
    std::size_t statement(std::size_t i);
    void block(std::size_t open);
    std::size_t loop(std::size_t i);
    /// The largest values of variables under conditions, by scope and name.
    using Tops = std::map<std::pair<std::size_t, std::string_view>, std::optional<Poly>>;
    /// The variables that have other values than there.
    Tops changed_since(const std::vector<Names>& other);
    /// Merges the variables of both sides of a branch; those of the else side are current.
    void join_names(const std::vector<Names>& before, const std::vector<Names>& after_then,
                    const Tops& tops_then, const Tops& tops_else, const Dependence& condition);
    std::size_t branch(std::size_t i);
    void declaration(std::size_t first, std::size_t end);
    void expression(std::size_t first);
    bool leaves(std::size_t i) const;
    /// A loop's change of a variable.
    struct Change {
        unsigned count = 0;
        bool steps = false;  // by `+=`, `-=`, `++`, `--`
        bool falls = false;  // by `>>=`, `/=`
        bool is_set = false;
        std::size_t operator_token = 0;  // of the one that steps
    };
    using Changes = std::map<std::string_view, Change>;
    Changes changes_in(std::size_t first, std::size_t end) const;
    /// The step of the variable, where each round changes it by the same amount.
    Poly size_of_step(const Changes& changes, std::size_t operator_token, std::size_t first,
                      std::size_t end);
    int begin_rounds(std::size_t first, std::size_t end);
    void note_taken();
    void end_rounds(int round, const Changes& changes);
    void note_rounds(int round);
    void note_step(const Value& begin, const Poly& by);
    std::optional<Value> right_of(std::size_t operator_token, std::size_t from);
    std::size_t behind(std::size_t i, unsigned depth) const;
    void read_attributes(const Item& kernel);

    const Outline& outline_;
    const Parser& parser_;
    const Expressions& expressions_;
    const std::array<unsigned, 3> sizes_;
    int known_member(int parameter, std::string_view name) {
        return known(Kind::member, parameter, std::string(name));
    }

    BodyReading read_;
    std::set<int> parted_;            ///< quantities that places are divided by, into rows
    std::set<int> rising_;            ///< variables that a loop multiplies in each round
    std::set<const Node*> compared_;  ///< operands of comparisons
    Poly rounds_ = Poly(1);           ///< of the loops that the statement is in
    std::vector<std::string> parameters_;
    std::vector<Names> scopes_;
    std::vector<Memory> memories_;
    std::map<std::tuple<Kind, int, std::string>, int> known_;
    std::vector<Guard> guards_;
    std::vector<PredicateMask> limits_;
    std::vector<Condition> conditions_;
    bool asks_ids_ = false;           ///< in the grid: these lead to its data, and no counter does
    std::set<std::set<int>> before_;  ///< what conditions compare under which a counter is asked
    std::set<int> turning_;           ///< numbers that change from round to round, here
    std::set<int> taking_;            ///< those of them in loops in which a counter is asked
    Dependence asked_;                ///< all conditions of the loop
    /// Memory, and numbers in floating point that are its element with something added.
    std::set<std::pair<std::size_t, int>> sums_;
    std::map<int, Poly> counters_;       ///< what counters and exchanges gave, and their index
    std::set<std::string_view> shared_;  ///< variables of a work-group
    /// Memory that is written at an index from other memory.
    std::set<std::pair<std::size_t, std::size_t>> led_;
    std::map<std::map<Poly::Product, double>, std::optional<Poly>> reached_;  ///< by index
    /// What the operands of an expression tell of the order of work-items.
    struct Operands {
        Arrival arrival = Arrival::none;
        bool by_item = false;  ///< some of them are the work-item's own numbers
        Dependence on = {};
    };
    Operands operands_;
    std::map<std::string_view, Poly>
        counted_;                             ///< variables that atomic functions count up, to this
    std::set<std::size_t> free_;              ///< buffers that lead somewhere whatever they hold
    std::set<int> unset_;                     ///< of variables without a value
    std::set<int> work_;                      ///< what leads to data that are read
    std::set<int> folded_;                    ///< what a mask or a minimum leaves of more numbers
    std::set<int> falling_;                   ///< what a counter gave that counts down
    std::set<std::size_t> placed_, settled_;  ///< memory that is written where a counter says, and
                                              ///< at other places
    /// Memory with a counter that leads there, where some are left out, or where what is stored
    /// depends on the order: unless the counter gives out work, and not places.
    std::set<std::pair<std::size_t, int>> dropped_;
    bool has_open_rounds_ = false;     ///< some loop around has an unknown number of rounds
    const Node* statement_ = nullptr;  ///< a statement's whole expression
    std::vector<Value>* returned_ = nullptr;
    unsigned depth_ = 0, returned_depth_ = 0;
    std::size_t steps_ = 0;
    static constexpr std::size_t most_steps = 200000;
};

}  // namespace parallax::body

// Analyses the expressions of a kernel file by their types, and notes the edits for CUDA C++.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/analyze/analysis.hpp"
#include "mapping/analyze/effects.hpp"
#include "mapping/analyze/patterns.hpp"
#include "mapping/analyze/syntax.hpp"

namespace parallax {

/// The sink of the parser: fills the analysis that it is given.
class Analyzer : private ExpressionSink {
public:
    explicit Analyzer(Analysis& made)
        : made_(made),
          outline_(made.outline),
          declared_(made.declared),
          parser_(made.parser),
          prelude_(made.prelude),
          effects_(made.outline, made.parser, made.declared) {}
    void run();

private:
    const Token& at(std::size_t i) const { return outline_[i]; }
    std::string_view resolved(std::size_t i) const { return declared_.resolved(at(i)); }
    bool is_macro(std::string_view name) const { return declared_.macros.contains(name); }

    // Records findings (analyzer.cpp). A macro's body is written once: where the macro is used,
    // nothing is reported or recorded again.
    void complain(std::size_t i, std::string_view what) {
        if (place_ != Place::use) made_.problems.complain(i, what);
    }
    void refuse(std::size_t i, std::string_view key) { complain(i, Patterns::row(key).rationale); }
    static RowList by(std::string_view row) { return {&Patterns::row(row)}; }
    void before(std::size_t i, std::string_view text, const RowList& rows) {
        edits_->before(i, text, rows);
    }
    void after(std::size_t i, std::string_view text, const RowList& rows) {
        edits_->after(i, text, rows);
    }
    void instead(std::size_t i, std::string_view text, const RowList& rows) {
        edits_->instead(i, text, rows);
    }
    void leave_out(std::size_t first, std::size_t last, const RowList& rows) {
        edits_->leave_out(first, last, rows);
    }
    /// Writes the node within `open` and `close`.
    void enclose(const Node& node, std::string_view open, std::string_view close,
                 std::string_view row) {
        before(node.first, open, by(row));
        after(node.last, close, by(row));
    }
    /// Notes a row for a token that is written as it is.
    void note(std::size_t i, std::string_view row) {
        if (place_ != Place::use) add_rows(made_.notes[i], by(row));
    }
    void key(ValueType type, std::string_view what) { prelude_.key(type, what); }
    void key(std::string_view name) { prelude_.key(name); }
    /// Whether the word refers to images of a source with samplers.
    bool has_sampler(std::size_t i) const;
    void note_plain_strings(std::size_t i);

    // The sink of the parser.
    void expression(const Tree& tree, int root, Place place) override;
    void not_understood(std::size_t first, std::size_t last) override;
    void not_followed(std::string_view macro) override { open_.unread.insert(macro); }
    void loop_variable_hidden(std::size_t open, std::size_t close) override;
    void differs_in_space(std::size_t name) override;
    void const_without_value(std::size_t last) override { after(last, " = {}", by("const T a;")); }

    // Expressions (analyze_expressions.cpp).
    void visit(const Tree& tree, int index) {
        visit_node(tree, tree[static_cast<std::size_t>(index)]);
    }
    /// Long chains of operators lean to the left: those are walked down in a loop.
    void visit_node(const Tree& tree, const Node& first) {
        for (const Node* node = &first; node;) node = visit_all_but_first(tree, *node);
    }
    /// @returns the first part, which is still to be visited; null: it is, or there is none
    const Node* visit_all_but_first(const Tree& tree, const Node& node);
    /// Visits an lvalue that is not read by itself.
    void visit_place(const Tree& tree, const Node& node) {
        unread_ = &node;
        visit_node(tree, node);
    }
    static const Node& part(const Tree& tree, const Node& node, std::size_t p) {
        return tree[static_cast<std::size_t>(node.parts[p])];
    }
    /// All of them.
    static auto parts(const Tree& tree, const Node& node) {
        return std::views::transform(node.parts, [&tree](int one) -> const Node& {
            return tree[static_cast<std::size_t>(one)];
        });
    }
    /// The expression inside of all parentheses.
    static const Node& inside(const Tree& tree, const Node& node) {
        return node.kind == Node::Kind::group ? inside(tree, part(tree, node, 0)) : node;
    }
    // As visit_all_but_first().
    const Node* visit_prefix(const Tree& tree, const Node& node);
    const Node* visit_postfix(const Tree& tree, const Node& node);
    void visit_binary(const Tree& tree, const Node& node);
    void visit_compound(const Tree& tree, const Node& node);
    static bool is_shift(const Token& token) { return token.is_one_of({"<<", ">>", "<<=", ">>="}); }
    void visit_shift(const Tree& tree, const Node& node);
    bool shift_is_safe(const Tree& tree, const Node& node) const;
    /// The value of a number, or the largest that a macro of numbers can have.
    std::optional<unsigned> whole_number(const Tree& tree, int index) const;
    static std::optional<unsigned> whole_number(const Token& token);
    void visit_assignment(const Tree& tree, const Node& node);
    void visit_size(const Tree& tree, const Node& node);
    void visit_choice(const Tree& tree, const Node& node);
    void visit_string(const Node& node);
    /// Writes `b++` and its like of a bool, which C++ has no longer.
    void step_bool(const Tree& tree, const Node& node);
    /// Writes a string as characters where its array has no place for the NUL.
    void write_characters(const Node& node);
    /// Adds the cast that C++ wants between pointers to two types, and C does not.
    void cast_pointer(const Node& node);
    /// Asks for what an operator is for these types.
    void operator_key(std::string_view operation, const Type& left, const Type& right);
    /// Notes the row of an operator of vectors.
    void note_operator(const Tree& tree, const Node& node);

    // Calls (analyze_calls.cpp).
    void visit_call(const Tree& tree, const Node& node);
    void note_printf(const Tree& tree, const Node& call);
    void visit_image_call(const Tree& tree, const Node& call);
    void visit_builtin_call(const Tree& tree, const Node& call);
    void visit_arguments(const Tree& tree, const Node& call);
    /// The properties of a call that select one of several functions of a name.
    struct CallType {
        ValueType type = {};    ///< of the element pointed to, of the first vector or argument
        bool is_known = false;  ///< all arguments' types are
        bool is_vector = false;
        bool is_named = false;  ///< the name says that it is a vector: `vload4`
    };
    CallType call_type(const Tree& tree, const Node& call);
    /// Converts scalar arguments next to vectors into vectors, which OpenCL C does implicitly.
    void splat_arguments(const Tree& tree, const Node& call, ValueType type);
    /// Whether the prelude has one function of that name for all types.
    static bool takes_any_type(std::string_view name);
    void cast_arguments(const Tree& tree, const Node& call);
    /// Makes conditions and characters the int that they are in C, which decides among overloads.
    void cast_conditions(const Tree& tree, const Node& call);
    /// Makes sizes the type that ulong has: one of a file's overloads fits no better otherwise.
    void cast_sizes(const Tree& tree, const Node& call);
    /// Makes pointers what built-in functions take: those to size_t lead to ulong, and only atomics
    /// keep volatile, which C drops.
    void cast_pointers(const Tree& tree, const Node& call);
    /// The rows of a function that its arguments choose.
    RowList function_rows(std::size_t i, std::size_t arguments) const;

    // Vectors (analyze_vectors.cpp).
    void visit_cast(const Tree& tree, const Node& node);
    void visit_literal(const Tree& tree, const Node& node);
    void visit_braces(const Tree& tree, const Node& node);
    /// Leaves out the names of members and elements, which C++17 has not; zeros fill the gaps.
    void order_parts(const Tree& tree, const Node& node);
    /// The initializer of an omitted part of this type.
    static std::string_view filler(const Type& whole);
    /// @returns whether the base has been dealt with
    bool visit_member(const Tree& tree, const Node& node);
    /// Components of a vector, those of components (`v.hi.xy`) put together.
    struct Selection {
        const Node* base = nullptr;
        Type of;
        bool arrow = false;
        std::string components;  ///< their numbers
        std::string name;        ///< as in `swizzle_NAME`
    };
    std::optional<Selection> selection(const Tree& tree, const Node& member) const;
    /// @returns whether the base has been written
    bool read_components(const Node& node, const Selection& selected);
    /// Whether components of something unknown are named that only a function can find.
    bool selects_unknown(const Tree& tree, const Node& node) const;
    /// Refuses what a function of the prelude would change by a reference, which takes its place
    /// for aligned: in a packed struct it need not be.
    void check_place(const Tree& tree, const Node& changed);
    void assign_components(const Tree& tree, const Node& node, const Node& left);
    /// Writes `v.xy++` and `--v.hi` as calls. @returns whether the node was such a step
    bool step_components(const Tree& tree, const Node& node);
    void splat(const Node& node, ValueType type, std::string_view row);
    void make(const Tree& tree, const Node& node, ValueType type);
    /// Writes a vector of the parts in the brackets at `open`, one after the other where their
    /// order of evaluation matters.
    void make_parts(const Tree& tree, const Node& node, std::size_t open, std::string_view row);
    bool is_repeatable(const Tree& tree, const Node& node) const;

    // Volatile vectors and structs (analyze_volatile.cpp): C++ has volatile access to their
    // members, but no volatile copies of the whole.
    /// Whether CUDA C++ cannot copy volatile objects of this type.
    static bool is_volatile_class(const Type& type);
    /// Inserts copies of volatile objects that are read as a whole.
    void load_volatile(const Node& node);
    void store_volatile(const Node& node, const Type& left);
    /// Requests functions for a copy of this type, which token `i` makes. @returns whether that is
    /// possible
    bool copies_volatile(const Type& type, std::size_t i);
    /// Rejects a macro call with volatile vectors or structs where the macro is no expression.
    void check_volatile_arguments(const Tree& tree, const Node& call);

    // Constructs whose meaning is not known (analyze_macros.cpp).
    /// Marks the token `i`: its meaning in OpenCL depends on macros, #if or overloaded functions.
    /// In a macro's own body every use of the macro is marked.
    void leave_open(std::size_t i, std::string_view what);
    /// As leave_open(), where the node has no type that is known.
    void need_type(const Tree& tree, const Node& node, std::string_view what);
    /// Whether the word is declared nowhere in the source.
    bool is_undeclared(std::size_t i) const;
    /// The first such name in the expression; 0: there is none.
    std::size_t undeclared_in(const Tree& tree, const Node& node) const;
    /// Rejects macros that would need a different body for each use.
    void check_macros();
    /// Rejects types that nothing declares.
    void check_types();
    /// Rejects macros that give the name of a type another meaning.
    void check_type_macros();
    /// Calls leave_open() where an edit would change the operator binding: for operands that are
    /// macros, or a macro's parameters, without parentheses.
    /// @param at_end  whether the code before or after it may bind, too
    void keep_binding(const Tree& tree, const Node& node, bool at_end);
    bool binds_open(const Tree& tree, const Node& node) const;
    /// Whether the macro is one operand: an operator next to it applies to all of its body.
    bool is_one_operand(const Directive& define) const;
    /// Whether the node is a macro, or is inside one.
    bool stands_for_macro(const Tree& tree, const Node& node) const;
    /// Whether the macro has that argument next to operators without parentheses.
    bool is_bare_parameter(std::string_view macro, std::size_t p) const;
    /// Whether the macro may assign to that argument, or to what it points to.
    bool is_changed_parameter(std::string_view macro, std::size_t p) const;
    /// Whether the word at `i` is an argument of a macro.
    bool hands_on(std::size_t i) const;
    /// The edits of [first, last] as one line.
    std::string words_of(const TokenEdits& edits, std::size_t first, std::size_t last) const;

    // Jumps (analyze_jumps.cpp).
    /// Notes where a vector or struct gets its first value.
    void note_initializer(const Node& whole);
    void check_jumps();

    // Enums, and types inside of others (analyze_types.cpp).
    /// Finds types whose definitions have to be moved.
    void find_moved_types();
    /// Gives structs another name that in C++ would hide a variable, or be another type's.
    void rename_tags();
    /// Whether the type at `i`, within the one at `around`, is named outside of that as well.
    bool is_used_outside(std::size_t i, std::size_t around) const;
    void edit_enumerators(std::size_t i);

    Analysis& made_;
    const Outline& outline_;
    const Declarations& declared_;
    Parser& parser_;
    PreludeNeeds& prelude_;
    Effects effects_;
    TokenEdits* edits_ = &made_.edits;  // target of an expression's edits
    Place place_ = Place::statement;
    const Node* unread_ = nullptr;  // the next node, where it is not read as a whole
    std::size_t unused_ = 0;        // where an expression begins whose value nothing takes
    std::size_t bare_first_ = 0, bare_last_ = 0;  // the argument that is_bare_parameter(); or 0
    std::set<std::size_t> initialized_;           // first values of vectors and structs
    // Edits that a use of a macro needs in the macro's body; they are not written.
    struct MacroUse {
        std::size_t first, last;
        std::string edits;
        auto operator<=>(const MacroUse&) const = default;
    };
    // Open questions of macros until the whole source is read.
    struct Open {
        std::set<std::string, std::less<>> body_keys;  // of the prelude, in macros' own bodies
        std::set<MacroUse> uses;
        std::multimap<std::size_t, std::string> in_bodies;  // by tokens: what each use has to say
        std::map<std::size_t, std::string> in_uses;         // and what some use does not say
        std::set<std::size_t> read;         // where macros' bodies begin that were read for a use
        std::set<std::string_view> unread;  // macros with a use for which they were not
    } open_;
};

}  // namespace parallax

// The translator: its state, and what its parts in translate*.cpp do.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mapping/analyze/token_edits.hpp"
#include "mapping/prelude/prelude.hpp"
#include "mapping/translate/effects.hpp"
#include "mapping/translate/outline.hpp"
#include "mapping/translate/parser.hpp"
#include "mapping/translate/patterns.hpp"
#include "mapping/translate/syntax.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax {

/// Walks over the tokens of one file and writes what the mapping table says of each, with the edits
/// that the expressions' types ask for.
class Translator : private ExpressionSink {
public:
    Translator(std::string_view file, std::string_view source, const TranslateOptions& options);
    Translation run();

private:
    const Token& at(std::size_t i) const { return outline_[i]; }
    std::string_view word(std::size_t i) const {
        return at(i).kind == TokenKind::word ? spelled(at(i).text, type_) : at(i).text;
    }

    // What cannot be translated.
    void complain(std::size_t i, std::string_view what);
    void refuse(std::size_t i, std::string_view key) { complain(i, Patterns::row(key).rationale); }
    [[noreturn]] void throw_problems() const;

    // Declarations (translate.cpp).
    /// Notes what the file defines, and refuses names that it cannot have.
    void declare();
    void check_constants() const;
    std::size_t write_item(const Item& item);
    bool item_has(const Item& item, std::initializer_list<std::string_view> words) const;

    // Kernels that the file calls (translate_kernels.cpp).
    /// Finds them, and what their device functions are called.
    void find_called_kernels(const std::set<std::string_view>& words);
    bool is_called(const Item& item) const {
        return item.kind == Item::Kind::kernel && called_kernels_.contains(at(item.name).text);
    }
    /// Writes the kernel as a device function, and behind it the kernel, which calls that.
    void write_called_kernel(const Item& item);

    // Names (translate_names.cpp).
    /// Chooses other names for words that CUDA C++ or the prelude uses itself.
    void rename();
    std::string_view written_name(std::string_view name) const;
    /// What CUDA C++ calls the struct; empty: it has no name.
    std::string record_name(int number) const {
        return std::string(written_name(parser_->record_name(number)));
    }
    /// The row that says why the name is written differently; empty: it is not.
    RowList renaming(std::string_view name) const;

    // Expressions (translate_expressions.cpp, translate_vectors.cpp): the sink of the parser.
    void expression(const Tree& tree, int root, Place place) override;
    void not_understood(std::size_t first, std::size_t last) override;
    void not_followed(std::string_view macro) override { open_.unread.insert(macro); }
    // What is left open (translate_open.cpp).
    /// Notes at the token `i` that OpenCL's meaning depends on what macros, #if or overloaded
    /// functions leave open. Of a macro's own body each use has to say it.
    void leave_open(std::size_t i, std::string_view what);
    /// As leave_open(), where the node has no type that is known.
    void need_type(const Tree& tree, const Node& node, std::string_view what);
    /// Whether nothing in the text can say what the word stands for.
    bool is_undeclared(std::size_t i) const;
    /// The first such name in the expression; 0: there is none.
    std::size_t undeclared_in(const Tree& tree, const Node& node) const;
    /// Refuses macros whose uses would each ask for another body.
    void check_macros();
    /// Notes where a vector or struct gets its first value (translate_jumps.cpp).
    void note_initializer(const Node& whole);
    void check_jumps();
    /// Leaves open what an edit would bind otherwise than the text does: operands that are macros,
    /// or parameters of one, without parentheses.
    /// @param at_end  whether what follows or comes before the macro may bind, too
    void keep_binding(const Tree& tree, const Node& node, bool at_end);
    bool binds_open(const Tree& tree, const Node& node) const;
    /// The macro whose body has the token `i`; null: it is no macro's.
    const Directive* define_at(std::size_t i) const;
    /// Whether operators beside the macro take all of its text, or none.
    bool is_one_operand(const Directive& define) const;
    /// Whether it is a macro, or stands in one.
    bool stands_for_macro(const Tree& tree, const Node& node) const;
    /// Whether the macro puts that argument beside operators without parentheses.
    bool is_bare_parameter(std::string_view macro, std::size_t p) const;
    /// Whether the macro may assign to that argument, or to what it points to.
    bool is_changed_parameter(std::string_view macro, std::size_t p) const;
    /// Whether the word at `i` is an argument of a macro.
    bool hands_on(std::size_t i) const;
    void loop_variable_hidden(std::size_t open, std::size_t close) override;
    void const_without_value(std::size_t last) override { after(last, " = {}", by("const T a;")); }
    void visit(const Tree& tree, int index) {
        visit_node(tree, tree[static_cast<std::size_t>(index)]);
    }
    void visit_node(const Tree& tree, const Node& first);
    void visit_call(const Tree& tree, const Node& node);
    // Volatile vectors and structs (translate_volatile.cpp): C++ has volatile access to their
    // members, but no volatile copies of the whole.
    /// Whether CUDA C++ cannot copy what is volatile and of this type.
    static bool is_volatile_class(const Type& type);
    /// Visits a part that stands for a place in memory and is not read by itself.
    void visit_place(const Tree& tree, const Node& node) {
        unread_ = &node;
        visit_node(tree, node);
    }
    /// Makes a copy of what is volatile and read as a whole.
    void load_volatile(const Node& node);
    void store_volatile(const Node& node, const Type& left);
    /// Asks for what copies a value of this type, which `i` does. @returns whether there is a way
    bool copies_volatile(const Type& type, std::size_t i);
    /// Refuses a macro that gets volatile vectors or structs, where its text is no expression.
    void check_volatile_arguments(const Tree& tree, const Node& call);
    /// Writes the copies of the volatile structs that the item defines, behind it.
    void write_volatile_copies(const Item& item);
    void visit_shift(const Tree& tree, const Node& node);
    bool shift_is_safe(const Tree& tree, const Node& node) const;
    /// The value of a number, or the largest that a macro of numbers can have.
    std::optional<unsigned> whole_number(const Tree& tree, int index) const;
    static std::optional<unsigned> whole_number(const Token& token);
    void visit_assignment(const Tree& tree, const Node& node);
    void visit_size(const Tree& tree, const Node& node);
    void visit_choice(const Tree& tree, const Node& node);
    void visit_cast(const Tree& tree, const Node& node);
    void visit_literal(const Tree& tree, const Node& node);
    void visit_braces(const Tree& tree, const Node& node);
    /// Leaves out the names of members and elements, which C++17 has not; zeros fill the gaps.
    void order_parts(const Tree& tree, const Node& node);
    /// What a part of this is initialized with that is left out.
    static std::string_view filler(const Type& whole);
    void visit_string(const Node& node);
    /// Writes `b++` and its like of a bool, which C++ has no longer.
    void step_bool(const Tree& tree, const Node& node);
    /// Writes a string as characters where its array has no place for the NUL.
    void write_characters(const Node& node);
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
    /// Writes what is spread over a vector of constant data, when all edits within are known.
    void write_spread_data();
    /// Adds the cast that C++ wants between pointers to two types, and C does not.
    void cast_pointer(const Node& node);
    /// Makes a vector of a scalar beside vectors, which OpenCL C does by itself.
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
    void splat_arguments(const Tree& tree, const Node& call, ValueType type);
    void make(const Tree& tree, const Node& node, ValueType type);
    /// Writes a vector of several parts, which stand in the brackets at `open`, one after the other
    /// where their order counts.
    void make_parts(const Tree& tree, const Node& node, std::size_t open, std::string_view row);
    bool is_repeatable(const Tree& tree, const Node& node) const;
    static const Node& part(const Tree& tree, const Node& node, std::size_t p) {
        return tree[static_cast<std::size_t>(node.parts[p])];
    }
    /// All of them.
    static auto parts(const Tree& tree, const Node& node) {
        return std::views::transform(node.parts, [&tree](int one) -> const Node& {
            return tree[static_cast<std::size_t>(one)];
        });
    }
    void operator_key(std::string_view mark, const Type& left, const Type& right);
    /// Notes the row of an operator of vectors.
    void note_operator(const Tree& tree, const Node& node);
    void key(ValueType type, std::string_view what);
    void key(std::string_view name) { prelude_.emplace(name); }
    /// The key of the type, or, where that is not known, of all types.
    void key_for(ValueType type, std::string_view name) {
        if (type.known()) return key(type, name);
        key(name);
    }
    /// Whether the prelude defines a word of this file.
    bool has_prelude(std::string_view word);
    /// Whether the word asks for images as a text with samplers has them.
    bool has_sampler(std::size_t i) const;
    /// What an image's type or function is called: that of a text with samplers is another.
    std::string image_word(std::string_view word) const;
    /// Notes that a value of this type occurs.
    void mention(ValueType type);
    /// The vectors that components of open vectors make: `v.hi` of a ushort4 is a ushort2.
    void mention_open_components();

    static RowList by(std::string_view row) { return {&Patterns::row(row)}; }
    // A macro's text is written once: where it is used, nothing is changed.
    void before(std::size_t i, std::string_view text, const RowList& rows) {
        edited_->before(i, text, rows);
    }
    void after(std::size_t i, std::string_view text, const RowList& rows) {
        edited_->after(i, text, rows);
    }
    void instead(std::size_t i, std::string_view text, const RowList& rows) {
        edited_->instead(i, text, rows);
    }
    void leave_out(std::size_t first, std::size_t last, const RowList& rows) {
        edited_->leave_out(first, last, rows);
    }
    /// Notes a row for a token that is written as it is.
    void note(std::size_t i, std::string_view row) {
        if (place_ != Place::use) add_rows(notes_[i], by(row));
    }
    /// What [first, last) is written as, with its edits so far.
    /// @param rows  those that were applied in it are added
    std::string written(std::size_t first, std::size_t last, RowList& rows);

    // All writing notes which part of the source it comes from (translate_writing.cpp).
    std::size_t offset(std::string_view in_source) const {
        return static_cast<std::size_t>(in_source.data() - source_.data()) - begin_;
    }
    std::size_t start_of(std::size_t i) const { return offset(at(i).text); }
    std::size_t end_of(std::size_t i) const { return start_of(i) + at(i).text.size(); }
    /// Writes a part of the source as it is.
    void copy(std::string_view in_source, const RowList& rows = {});
    /// Writes `text` for the bytes from `from` to `from_end` of the source.
    void put(std::string_view text, std::size_t from, std::size_t from_end, const RowList& rows);
    /// Writes `text` before the token `i`, behind its blanks.
    void write_before(std::size_t i, std::string_view text, std::string_view row);

    // Local memory whose size the launch decides (translate_memory.cpp).
    bool is_local(std::size_t i) const { return at(i).is("__local") || at(i).is("local"); }
    bool is_local_pointer(std::size_t i) const;
    bool is_local_macro(std::string_view name) const;
    void find_dynamic_local(const Item& item);

    struct DynamicLocal {
        ParameterRange range;
        std::size_t name = 0, comma = 0;
    };
    /// One of them as a variable that points to `memory`.
    std::string dynamic_declaration(const DynamicLocal&, std::string_view memory, RowList& rows);
    /// These parameters as variables, for the line of the kernel's opening brace.
    std::string dynamic_local_text(RowList& rows);
    void write_dynamic_local();
    /// Leaves out or replaces a dynamic local parameter at `i`; returns what comes next, or 0.
    std::size_t write_dynamic_parameter(std::size_t i);

    // Writing (translate_tokens.cpp, translate_directives.cpp).
    void write_space(std::size_t i);
    /// Keeps the line ends and comments of what is not written.
    void keep_layout(std::size_t i);
    void write(std::size_t from, std::size_t to);
    /// Writes the token at `i`, or a row that begins there, and returns what comes next.
    std::size_t write_token(std::size_t i, std::size_t to);
    std::size_t write_unedited(std::size_t i, std::size_t to);
    std::size_t plain(std::size_t i, std::string_view text, RowList rows = {});
    std::size_t drop(std::size_t i, const RowList& rows);
    std::size_t write_number(std::size_t i);
    static std::string number(std::string_view text);
    std::size_t write_mark(std::size_t i);
    std::size_t write_assembly(std::size_t i);
    std::size_t write_string(std::size_t i);
    std::size_t write_directive(std::size_t i);
    /// Whether the text itself defines this macro before the token `i`.
    bool defined_before(std::string_view name, std::size_t i) const;
    /// Notes a name that each device's compiler may define otherwise.
    void note_device_name(std::size_t i);
    /// Whether nothing but #pragma lines depends on the condition.
    bool guards_pragmas(const Directive& condition) const;
    std::size_t write_pragma(const Directive& directive);
    std::size_t leave_out_directive(std::size_t i, std::string_view row);
    std::size_t write_attribute(std::size_t i);
    /// What all attributes of the `__attribute__` at `i` become.
    std::string attributes_text(std::size_t i, RowList& rows);
    std::string attribute_text(std::size_t first, std::size_t last, RowList& rows);
    // Enums, and types inside of others (translate_enums.cpp).
    /// Notes what is to be written elsewhere than where it stands.
    void find_moved_types();
    /// The first token of the declaration to which this word belongs.
    std::size_t declaration_of(std::size_t i) const;
    /// Refuses the type at `i` where nothing can be written in front of its declaration.
    void check_front(std::size_t i);
    /// Writes the types that are defined within the declaration at `i` in front of it.
    void write_inner_types(std::size_t i);
    std::size_t write_enum(std::size_t i);
    void write_enumerators(std::size_t i);
    std::size_t write_moved_record(std::size_t i);
    std::size_t write_reordered(std::size_t open);
    /// Writes `struct` or `union` with the attributes behind its members, which CUDA's compiler
    /// would ignore there.
    std::size_t write_record_word(std::size_t i);

    // Words.
    std::size_t write_word(std::size_t i, std::size_t to);
    /// Whether the macro that is being written ends with this function, whose arguments follow
    /// where it is used.
    bool names_function(std::size_t i) const;
    std::size_t write_type(std::size_t i, ValueType type);
    /// Of the name of a type: `T (*p)[4]` is the one that is taken with a parenthesis behind it.
    void check_type(std::size_t i);
    static std::string misfit(std::string_view word);
    std::size_t write_call(std::size_t i);

    // Address spaces (translate_memory.cpp).
    /// Whether a `*`, or a parameter's `[`, follows before the declaration, parameter or cast is
    /// over.
    bool points(std::size_t i) const;
    /// Whether the declaration has parentheses without a `*` around its name: `(a)[4]`.
    bool has_inner_parentheses(std::size_t i) const;
    /// Whether a later name of the same declaration has another number of `*`.
    bool mixes_pointers(std::size_t i) const;
    bool in_parameters(std::size_t i) const {
        return item_ && item_->is_function() && i > item_->open && i < item_->close;
    }
    /// Whether the word says, within a parameter's `[]`, something of the pointer that it is.
    bool qualifies_array(std::size_t i) const;
    bool in_body(std::size_t i) const { return item_ && item_->body != 0 && i > item_->body; }
    std::size_t write_address_space(std::size_t i);
    void complain_of_address_space(std::size_t i);
    std::size_t write_constant(std::size_t i, bool pointer);

    // Rows.
    /// Writes the first row that fits at `i`; returns what comes next, or 0.
    std::size_t write_row(std::size_t i, std::size_t to);
    /// The index of the token behind the pattern when the pattern fits at `i`; else 0.
    std::size_t fit(const Pattern& pattern, std::size_t i, std::size_t to,
                    std::vector<ParameterRange>& arguments) const;
    std::string_view dimension(std::size_t i) const;
    /// Writes it for the tokens [i, past).
    void write_pattern(const Pattern& pattern, const std::vector<ParameterRange>& arguments,
                       std::size_t i, std::size_t past);
    /// The rows of a function that its arguments choose.
    RowList function_rows(std::size_t i, std::size_t arguments) const;
    void note_prelude(std::string_view cuda, ValueType type);

    std::string source_;  // with the macros that were given beside it
    Outline outline_;
    std::size_t own_lines_ = 0;  // the tokens of those macros: as many directives, and a #line
    std::size_t begin_ = 0;      // of the text itself, with the line end before it, in source_
    std::optional<ElementType> type_;
    std::map<std::string_view, std::string_view> compiler_macros_;  // of the text's version
    std::set<std::string, std::less<>> constants_;
    std::vector<std::string> constant_names_;
    std::set<std::string_view, std::less<>> kernels_, helpers_, aliases_;
    std::set<std::string_view, std::less<>> bodies_, overloaded_;  // of helpers
    std::map<std::string_view, PointerAlias> pointer_aliases_;
    std::set<std::string_view> made_by_macros_;  // arguments of macros that make declarations
    std::map<std::string_view, std::vector<const Directive*>> macros_;  // in order
    std::map<std::string, std::string, std::less<>> renamed_;
    std::map<std::string_view, std::string> called_kernels_;  // their device functions' names
    bool as_function_ = false;  // a called kernel is being written as its device function
    std::optional<Parser> parser_;
    std::optional<Effects> effects_;
    PreludeKeys prelude_;
    bool samples_ = false;  ///< images are read with samplers or written, or tell their sizes
    std::map<std::string, bool, std::less<>> in_prelude_;  // what has_prelude() found out
    // Macros of OpenCL that an #if asks for, in the order of the rows
    std::set<std::pair<const MappingRule*, std::string_view>> predefined_;
    std::set<std::string, std::less<>> mentioned_;  // vector types
    std::size_t bare_first_ = 0, bare_last_ = 0;    // the argument that is_bare_parameter(); or 0
    TokenEdits edits_;
    TokenEdits* edited_ = &edits_;  // what the edits of an expression go to
    /// The edits of [first, last] as one line.
    std::string words_of(const TokenEdits& edits, std::size_t first, std::size_t last) const;
    // What uses of a macro ask for in the tokens of its body; those are not written.
    struct MacroUse {
        std::size_t first, last;
        std::string edits;
        auto operator<=>(const MacroUse&) const = default;
    };
    // What macros leave open until all of the text is read.
    struct Open {
        std::set<std::string, std::less<>> keys;       // of the prelude, for all vectors that occur
        std::set<std::string, std::less<>> body_keys;  // those of macros' own bodies
        std::set<MacroUse> uses;
        std::multimap<std::size_t, std::string> in_bodies;  // by tokens: what each use has to say
        std::map<std::size_t, std::string> in_uses;         // and what some use does not say
        std::set<std::size_t> read;         // where macros' bodies begin that were read for a use
        std::set<std::string_view> unread;  // macros with a use for which they were not
    } open_;
    std::unordered_map<std::size_t, RowList> notes_;         // of tokens that stay as they are
    std::unordered_map<std::size_t, ValueType> call_types_;  // by the name's token
    struct SpreadData {
        std::size_t first = 0, last = 0;  ///< what is spread
        ValueType type;
        bool is_bool = false;
        RowList rows;
    };
    std::set<std::size_t> initialized_;    // first values of vectors and structs
    std::vector<SpreadData> spread_data_;  // outer ones first
    std::set<std::size_t> formats_;        // strings that printf takes
    std::set<std::size_t> strings_;        // other strings that may stand
    const Node* unread_ = nullptr;         // the next node, where it is not read as a whole
    std::set<int> volatile_copies_;        // structs that are copied where they are volatile
    Place place_ = Place::statement;
    std::size_t unused_ = 0;  // where an expression begins whose value nobody takes
    std::multimap<std::size_t, std::string> problems_;  // by token, so that they come in order
    std::size_t problem_count_ = 0;
    std::map<std::size_t, std::vector<std::size_t>> inner_types_;  // by declarations
    std::set<std::size_t> moved_;                                  // all of those
    std::size_t moving_ = 0;                                       // which is written in front
    std::map<std::size_t, std::size_t> enum_declarations_;  // words before an enum, by the first
    struct Reordered {
        std::vector<ParameterRange> parts;
        std::string filler;
    };
    std::map<std::size_t, Reordered> reordered_;  // initializers, by their `{`
    std::vector<std::string> notes_of_text_;      // Translation::notes
    std::vector<std::string> device_names_;       // Translation::device_names
    const Item* item_ = nullptr;                  // being written
    const Directive* in_define_ = nullptr;        // whose body is being written
    std::vector<DynamicLocal> dynamic_;           // of the kernel that is being written
    std::string out_;
    PieceLog log_;        // of out_
    bool apart_ = false;  // whether out_ is a part that will be put elsewhere
    RowList rows_apart_;  // that were applied in it
    std::size_t spaced_ = static_cast<std::size_t>(-1);  // the space of this token is written
    bool swallow_ = false;                               // blanks before the next token
    bool flat_ = false;                                  // line ends and comments become blanks
};

}  // namespace parallax

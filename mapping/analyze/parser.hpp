// Parses declarations, statements and expressions of a kernel file, and finds their types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/types.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/signature.hpp"
#include "mapping/analyze/syntax.hpp"

namespace parallax {

/// Goes through a file once and hands every expression to a sink. It never refuses: what it cannot
/// read is handed over as not understood. Macros are looked through for types only.
class Parser {
public:
    /// @param constants  names of whole numbers that are defined elsewhere
    Parser(const Outline& outline, std::optional<ElementType> type,
           const std::vector<std::string>& constants)
        : outline_(outline), type_(type), constants_(constants), scopes_(1) {}

    void run(ExpressionSink& sink);

    /// The type that begins at `i`, its address spaces and qualifiers passed over, without `*`s;
    /// leaves `i` behind it. Nothing where no type begins.
    std::optional<Type> type_at(std::size_t& i);

    /// The type that a macro without parameters denotes; one that is not known for qualifiers
    /// alone; nothing: no type.
    std::optional<Type> macro_type(const Directive& define);

    /// The name of a struct or union, from a typedef or after `struct`; empty: it has no name.
    std::string record_name(int number) const { return std::string(record(number).name); }

    /// An enumerator, by the token of its name.
    struct Enumerator {
        std::size_t name = 0;
        std::int64_t value = 0;  ///< of an unsigned type: its bits
        Type type = {};
        bool is_given = false;  ///< behind a `=`
    };
    /// What follows the keyword `enum`: a definition, or a tag.
    struct Enum {
        Type type = {};                  ///< of its variables; unknown: not all values are
        std::size_t open = 0, last = 0;  ///< its `{`, 0 for a tag alone; its last token
        std::vector<Enumerator> enumerators = {};
    };
    /// The one whose word `enum` is that token, or null.
    const Enum* enum_at(std::size_t word) const {
        const auto found = enums_.find(word);
        return found == enums_.end() ? nullptr : &found->second;
    }

    bool is_union(int number) const { return record(number).is_union; }
    bool is_packed(int number) const { return record(number).is_packed; }

    /// The members of a struct, in order.
    const std::vector<std::string_view>& members_of(int number) const {
        return record(number).order;
    }

    /// The same with their types. Empty where they are not all known.
    std::vector<Member> declared_members(int number) const;
    /// As `Parameter::obstacle`.
    std::string obstacle_of(int number) const;
    /// The type of all numbers of a struct or a union, with nothing between them; empty: they are
    /// of several, or it is not known.
    std::string_view only_element_of(int number) const;

    /// The members that a copy of the struct consists of, with their types; none where they are
    /// not known one by one: of a union, of one with a part that has no name or that #if decides.
    std::vector<std::pair<std::string_view, Type>> copied_members(int number) const;
    /// Whether the member is an array.
    bool is_array(int number, std::string_view member) const {
        return record(number).extents.contains(member);
    }
    /// The names of a function's parameters; empty where one cannot be read.
    std::vector<std::string_view> parameter_names(const Item& function);
    /// The `}` of the struct's members; 0: it is only named.
    std::size_t end_of(int number) const { return record(number).end; }

    /// A constant of numbers, macros, products and sums, as the extents of arrays are; 0: something
    /// else.
    double constant(std::size_t first, std::size_t last) const;

    /// Whether the function of that name gets pointers through which it may change something, or
    /// what is not known; nothing: the file has none.
    std::optional<bool> changes_arguments(std::string_view function) const;

    /// Whether the file declares anything of this name.
    bool is_declared(std::string_view name) const { return declared_.contains(name); }

    /// Whether a typedef of the file makes it a type.
    bool is_type(std::string_view name) const { return types_.contains(name); }

    /// Whether a typedef makes the name of a struct another type's.
    bool is_other_type(std::string_view name) const {
        const auto type = types_.find(name);
        const auto record = records_.find(name);
        return type != types_.end() && record != records_.end() &&
               !(type->second == Type{{}, record->second, 0});
    }

    /// Whether a member of this name is declared in some struct.
    bool is_member(std::string_view name) const;
    /// The token after all `__attribute__((...))` at `i`.
    std::size_t after_attributes(std::size_t i) const;

private:
    using Names = std::map<std::string_view, Type>;
    struct Record {
        std::string_view name;
        Names members;
        std::vector<std::string_view> order;                       // of the members
        std::map<std::string_view, unsigned> extents = {};         // of arrays; 0: not known
        std::map<std::string_view, std::vector<int>> shapes = {};  // as Node::extents
        std::string_view obstacle = {};
        bool is_complete = true, is_packed = false, is_union = false;
        std::size_t end = 0;  // the `}` of the members
    };
    struct Function {
        Type result;
        std::vector<Type> parameters;
        bool is_overloadable = false;
        /// Whether arguments of these types choose it, with no conversion of a known one.
        bool takes(const std::vector<Type>& arguments) const;
    };
    struct Declarator {
        std::string_view name;
        Type type;
        std::optional<double> elements = {};  // of an array; 0: not known
        std::vector<int> extents = {};        // as Node::extents

        /// Whether it is an array, and not one of pointers.
        bool is_array() const { return !extents.empty() && extents.size() == type.pointers; }
    };

    // Tokens. A directive between two of them is passed over.
    const Token& at(std::size_t i) const { return outline_[i]; }
    const Token& here() const { return outline_[i_]; }
    std::string_view resolved(std::size_t i) const {
        return at(i).kind == TokenKind::identifier ? parallax::resolved(at(i).text, type_)
                                                   : std::string_view();
    }
    std::size_t next(std::size_t i) const;
    void step() { i_ = next(i_); }
    bool take(std::string_view text);
    void expect(std::string_view text);
    void fail() { failed_ = true; }
    Node& node(int index) { return tree_[static_cast<std::size_t>(index)]; }

    // Names.
    const Type* variable(std::string_view name) const;
    void declare(const Declarator& declarator) {
        note(scopes_.back(), declarator.name, declarator.type);
        declared_.insert(declarator.name);
    }
    /// Where two branches of an #if declare a name differently, its type is not known.
    static void note(Names& names, std::string_view name, const Type& type) {
        const auto [at, fresh] = names.try_emplace(name, type);
        if (!fresh && !(at->second == type)) at->second = Type{};
    }
    /// The struct or union of that number, from 1.
    Record& record(int number) { return record_list_[static_cast<std::size_t>(number) - 1]; }
    const Record& record(int number) const {
        return record_list_[static_cast<std::size_t>(number) - 1];
    }
    bool is_type_name(std::string_view name) const;
    /// The macro of that name, or null.
    const Directive* macro(std::string_view name) const;

    // Macros (parser_macros.cpp).
    void note_macros();
    void read_macro_body(const Directive& define);
    /// The type of a macro's body with its parameters bound to these types.
    Type body_type(const Directive& define, const std::vector<Type>& arguments);

    // Types (parser_types.cpp).
    std::optional<Type> record_at(std::size_t& i);
    void read_members(int record, std::size_t first, std::size_t last);
    double constant(std::size_t first, std::size_t last, unsigned depth) const;

    /// Whether it begins, or changes, what a preprocessor leaves out.
    static bool decides(const Token& token);

    // Enums and the values of constant expressions (parser_enums.cpp).
    Type enum_from(std::size_t& i);
    Enum read_enum(std::size_t open, bool is_packed);
    /// The value of an expression of constant whole numbers, in its own type; nothing: not known.
    std::optional<std::int64_t> value(int index);
    std::optional<std::int64_t> binary_value(const Node& node);
    std::optional<std::int64_t> macro_value(const Directive& define, const Node& use);
    /// The constant expression at `i`, up to what ends it; nothing: another expression.
    std::optional<std::pair<std::int64_t, Type>> constant_at(std::size_t& i);
    void case_label();

    // Declarations (parser_declarations.cpp).
    void read_item(const Item& item);
    static bool differ_in_space(const Function& a, const Function& b);
    void read_function(const Item& item);
    /// The return type of the current function.
    Type own_result(const Item& item);
    /// The parameters of a function; where no type is read, one without type and name.
    std::vector<Declarator> parameters(const Item& function);
    Declarator declarator(Type type, std::size_t& i);
    void declaration(ExpressionSink::Place place);
    void initializer(const Declarator& of, ExpressionSink::Place place);
    int braces(Type type,
               std::vector<int> extents = {});  // by value: what it is a part of may move
    /// Passes over `.name =` or `[2] =`; @returns the member or element, or -1
    int designator(const Type& whole);
    Type part_type(const Type& whole, int place, bool named) const;
    const std::string_view* member_at(const Type& whole, int place) const;
    /// The extents of a part of a struct or an array.
    std::vector<int> part_extents(const Node& whole, int place) const;

    // Statements.
    void block(std::size_t open);
    void loop_body(std::size_t open, const Names& heads);
    void statement();
    void do_statement();
    void condition_statement();
    void for_statement();
    // False: there is none, and nothing was read.
    bool jump();
    bool label();
    void expression_statement();
    void assembly();
    /// A whole expression up to, not including, what follows it; handed to the sink.
    /// @returns its type
    Type whole_expression(const Type& wanted = {});
    void recover(std::size_t from);

    // Expressions (parser_expressions.cpp).
    int add(Node node);
    /// Adds a node of two operands and the operator between them.
    int add_pair(Node::Kind kind, int left, std::size_t operator_token, int right,
                 const Type& type);
    /// Adds a node from the token `first` to the end of its one operand.
    int add_over(Node::Kind kind, std::size_t first, std::size_t operator_token, int operand,
                 const Type& type = {});
    /// Adds a node from the beginning of its first operand to the token `last`.
    int add_behind(Node::Kind kind, std::vector<int> operands, std::size_t operator_token,
                   std::size_t last, const Type& type);
    /// Fails: there is nothing to add.
    int no_node();
    int expression();
    int assignment();
    int choice();
    int binary(int strength);
    int unary();
    int primary();
    int parenthesis();
    /// Whether the node is a parenthesis with several operands.
    bool separates(int group) const;
    /// The parts of a bracket, separated by commas, up to its end.
    void list(int node, std::string_view close);
    /// The name of a type in the parentheses at `open`, or nothing where there is something else.
    std::optional<Type> type_in_parentheses(std::size_t open);

    // Names and calls (parser_calls.cpp).
    int name();
    int call(std::size_t name);
    int postfix(int what);
    void call_type(int node);
    /// The function of the file that the arguments choose; null where they leave it open.
    const Function* chosen(std::string_view name, const std::vector<Type>& arguments) const;
    Type name_type(std::string_view name);

    const Outline& outline_;
    std::optional<ElementType> type_;
    const std::vector<std::string>& constants_;
    ExpressionSink* sink_ = nullptr;

    Tree tree_;
    std::size_t i_ = 0;
    bool failed_ = false;
    /// Limits for nested statements without brackets (`if (a) if (b) ...`), operands, and macros.
    static constexpr unsigned deepest = 1000, deepest_macro = 20;
    unsigned depth_ = 0;
    unsigned macro_depth_ = 0;
    std::size_t macro_steps_ = 0;
    bool in_macro_ = false;
    bool in_own_body_ = false;  // an expression that is a macro's whole body is read for itself
    bool read_all_ = false;     // reads all declarations in order, no longer ahead

    std::vector<Names> scopes_;
    Names types_;
    std::map<std::string_view, std::vector<Function>> functions_;  // several: overloadable
    std::set<std::string_view> read_functions_;  // with all types before them known
    std::map<std::string_view, int> records_;
    std::map<std::size_t, Enum> enums_;  // by the word `enum`
    Names enum_tags_;
    // Values of enumerators, and of a macro's parameters while its value is evaluated.
    std::map<std::string_view, std::optional<std::int64_t>> values_;
    Type switched_;                    // type of the innermost switch
    std::vector<Record> record_list_;  // by their numbers, less 1
    std::set<std::string_view> declared_;
    std::map<std::string_view, const Directive*> macros_;
    std::set<std::string_view> ambiguous_;  // macros with several bodies
    Type result_;                           // of the function that is being read
};

}  // namespace parallax

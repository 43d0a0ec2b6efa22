// Writes CUDA C++: the tokens of an analysed file, with their edits and the rows of the table.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/analyze/analysis.hpp"
#include "mapping/analyze/patterns.hpp"
#include "mapping/translate/output.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax {

/// Goes over the tokens once, from the first to the last.
class Writer : private Output {
public:
    /// @param source    of the analysis, without the macros that were put before it
    /// @param standard  as TranslateOptions
    Writer(Analysis& made, std::string_view source, std::string_view standard);

    /// @param begin  the first token of `source`, behind those of the macros
    /// @throws Refused for all problems, those of the analysis too
    Translation run(std::size_t begin);
    /// Adds the names of the source that the translation would take over, or they its words.
    void add_collisions(const Translation& made, Declarations::Words& written) const;

private:
    std::string_view resolved(std::size_t i) const { return declared_.resolved(at(i)); }
    std::string_view written_name(std::string_view name) const {
        return declared_.written_name(name);
    }
    bool is_macro(std::string_view name) const { return declared_.macros.contains(name); }
    void complain(std::size_t i, std::string_view what) { problems_.complain(i, what); }
    void refuse(std::size_t i, std::string_view key) { complain(i, Patterns::row(key).rationale); }
    static RowList by(std::string_view row) { return {&Patterns::row(row)}; }

    // Declarations (writer.cpp).
    std::size_t write_item(const Item& item);
    /// Complains where it is not known what follows a function's parameters. @returns whether the
    /// function can be written
    bool check_function(const Item& item);
    /// Writes a kernel that the file calls, which CUDA C++ does not allow, as a device function,
    /// and behind it the kernel, which calls that.
    void write_called_kernel(const Item& item);
    /// The macros of OpenCL that the text asks for.
    std::string predefined_macros();

    // Tokens (write_tokens.cpp).
    void write(std::size_t from, std::size_t to);
    /// Writes the token at `i`, or a row that begins there, and returns what comes next.
    std::size_t write_token(std::size_t i, std::size_t to);
    std::size_t write_edited(std::size_t i, std::size_t to, const TokenEdit& edit);
    std::size_t write_unedited(std::size_t i, std::size_t to);
    void write_text_before(std::size_t i, const TokenEdit& edit);
    void write_text_after(std::size_t i);
    /// The text of an edit, from `from` on, with what it quotes.
    std::string with_quotes(std::string_view text, std::size_t from, const TokenEdit& edit,
                            RowList& rows);
    /// The translation of [first, last), in one line.
    /// @param rows  the applied rules are added
    std::string written(std::size_t first, std::size_t last, RowList& rows);
    std::size_t plain(std::size_t i, std::string_view text, RowList rows = {});
    /// By its other name, if it has one.
    std::size_t write_name(std::size_t i);
    std::size_t drop(std::size_t i, const RowList& rows);
    std::size_t write_number(std::size_t i);
    static std::string number(std::string_view text);
    std::size_t write_punctuator(std::size_t i);
    std::size_t write_string(std::size_t i);

    // Words (write_words.cpp). Those that return 0 have written nothing.
    std::size_t write_word(std::size_t i, std::size_t to);
    std::size_t write_keyword(std::size_t i);
    std::size_t write_extension(std::size_t i);
    /// Whether the word is the name behind `struct` or `union`.
    bool is_tag(std::size_t i) const;
    std::size_t write_type_word(std::size_t i);
    std::size_t write_declared(std::size_t i);
    void complain_of_word(std::size_t i);
    bool is_called(std::size_t i) const { return at(i + 1).is("("); }
    /// Whether a macro is being written that has this parameter.
    bool is_macro_parameter(std::string_view name) const;
    /// Whether the macro that is being written ends with this function, whose arguments follow
    /// where it is used.
    bool names_function(std::size_t i) const;
    std::size_t write_type(std::size_t i, ValueType type);
    /// Checks a type name: `T (*p)[4]` is accepted only with its parenthesis.
    void check_type(std::size_t i);
    static std::string misfit(std::string_view word);
    std::size_t write_call(std::size_t i);
    /// The type that decides which function is called at `i`, if it is known.
    ValueType call_type(std::size_t i) const;

    // Rows (write_rows.cpp).
    /// Writes the first row that fits at `i`; returns what comes next, or 0.
    std::size_t write_row(std::size_t i, std::size_t to);
    /// The index of the token behind the pattern when the pattern fits at `i`; else 0.
    std::size_t fit(const Pattern& pattern, std::size_t i, std::size_t to,
                    std::vector<ParameterRange>& arguments) const;
    std::string_view dimension(std::size_t i) const;
    /// Writes it for the tokens [i, past).
    void write_pattern(const Pattern& pattern, const std::vector<ParameterRange>& arguments,
                       std::size_t i, std::size_t past);

    // Directives and attributes (write_directives.cpp).
    std::size_t write_directive(std::size_t i);
    std::size_t write_define(const Directive& directive);
    /// Writes a directive up to the token `past`, as it is except for names that are written
    /// differently. @returns the rest of the line
    std::string_view write_directive_words(const Directive& directive, std::size_t past);
    /// Notes what a condition asks of OpenCL's compiler.
    void note_condition(const Directive& directive);
    /// Rejects a condition whose value depends on the bits that a compiler has for its numbers.
    /// @param within  the condition, or a macro that it names
    /// @param macros  those that were looked at
    void check_bits(const Directive& condition, const Directive& within,
                    std::set<std::string_view>& macros);
    /// Whether the text itself defines this macro before the token `i`.
    bool defined_before(std::string_view name, std::size_t i) const;
    /// Notes a name that each device's compiler may define otherwise.
    void note_device_name(std::size_t i);
    /// Whether nothing but #pragma lines depends on the condition.
    bool guards_pragmas(const Directive& condition) const;
    std::size_t write_pragma(const Directive& directive);
    /// Whether it begins with the words of a pragma that changes what the text means.
    bool refuse_pragma(std::size_t i, std::string_view words);
    std::size_t write_unroll(const Directive& directive);
    std::size_t leave_out_directive(std::size_t i, std::string_view row);
    std::size_t write_attribute(std::size_t i);
    /// The translation of all attributes of the `__attribute__` at `i`.
    std::string attributes_text(std::size_t i, RowList& rows);
    std::string attribute_text(std::size_t first, std::size_t last, RowList& rows);
    /// Leaves out the attributes from `i` on, which were written in front of their struct.
    std::size_t pass_attributes(std::size_t i);

    // Enums, structs and initializers (write_types.cpp).
    /// Refuses the type at `i` where nothing can be written in front of its declaration.
    void check_front(std::size_t i);
    /// Writes the types that are defined within the declaration at `i` in front of it.
    void write_inner_types(std::size_t i);
    std::size_t write_enum(std::size_t i);
    std::size_t write_moved_record(std::size_t i);
    std::size_t write_reordered(std::size_t open);
    /// Writes `struct` or `union` with the attributes behind its members, which CUDA's compiler
    /// would ignore there.
    std::size_t write_record_word(std::size_t i);
    /// Writes the copy functions of the volatile structs that a declaration defines, after it.
    void write_volatile_copies(const Item& item);

    // Address spaces (write_memory.cpp).
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
    std::size_t write_address_space_of_macro(std::size_t i);
    void complain_of_address_space(std::size_t i);
    std::size_t write_constant(std::size_t i, bool pointer);

    // Local memory whose size the launch decides (write_local.cpp).
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

    Analysis& made_;
    const Declarations& declared_;
    Problems& problems_;
    PreludeNeeds& prelude_;
    std::map<std::string_view, std::string_view> compiler_macros_;  // of the text's version
    // Macros of OpenCL that an #if asks for, in the order of the rows
    std::set<std::pair<const MappingRule*, std::string_view>> predefined_;
    std::vector<std::string> notes_;             // Translation::notes
    std::vector<std::string> device_names_;      // Translation::device_names
    std::set<std::string_view> made_by_macros_;  // arguments of macros that declare
    std::set<std::string_view> taken_parameters_;  // of macros whose bodies have such words
    std::set<std::size_t> in_front_;             // declarations whose types are written
    // Attributes of structs that are written in front, by the first token: what follows them.
    std::map<std::size_t, std::pair<std::size_t, RowList>> attributes_;
    std::size_t moving_ = 0;                // the type that is written in front
    const Item* item_ = nullptr;            // being written
    bool as_function_ = false;              // a called kernel is being written as its function
    const Directive* in_define_ = nullptr;  // whose body is being written
    std::vector<DynamicLocal> dynamic_;     // of the kernel that is being written
    const Quote* quote_ = nullptr;          // being written
};

}  // namespace parallax

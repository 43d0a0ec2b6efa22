// Writes a CUDA C++ source in OpenCL C, by its syntax tree.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/from_cuda/clang_tree.hpp"
#include "mapping/from_cuda/cuda_type.hpp"
#include "mapping/from_cuda/reverse_rows.hpp"
#include "mapping/from_cuda/to_opencl.hpp"

namespace parallax::from_cuda {

/// A macro whose text would have to be changed: the preprocessor has to run first.
struct NeedsExpansion {
    std::string place;  ///< `file:line`
};

/// How a parameter is passed to a function.
struct Passed {
    Space space = Space::none;  ///< of what a pointer or a reference leads to
    bool by_value = false;      ///< a reference to const of what has no place in memory
    auto operator<=>(const Passed&) const = default;
};

/// A function for one choice of what its pointers lead to.
struct Instance {
    const Node* function = nullptr;
    std::string name;
    Space result = Space::none;
    std::string text;
    bool is_done = false;
};

/// A variable that is neither a parameter nor a function's own: of `__shared__`, `__constant__` or
/// `__device__`.
struct Memory {
    const Node* variable = nullptr;
    Space space = Space::none;
    CudaType type;
    std::string name;
    bool is_parameter = false;  ///< of the kernel; otherwise the kernel declares it
    bool is_by_value = false;   ///< a single value of `__constant__`
    bool is_dynamic = false;    ///< `extern __shared__`
};

/// A kernel's use of a texture or surface object.
struct ImageUse {
    std::string type;   ///< `image2d_t`; empty: not at all
    std::string texel;  ///< CUDA's type of one read or write
    bool is_read = false, is_written = false;
    bool has_sampler = false;
    bool is_mixed = false;  ///< of several dimensions
};

class FunctionWriter;

/// The whole file.
class OpenClWriter {
public:
    /// @param kernels  the ids of their functions, of templates without an instance their
    /// patterns'; none: all
    /// @param defines  macros that both compilers are given
    OpenClWriter(const ClangTree& tree, std::set<std::string> kernels,
                 const std::vector<Define>& defines);

    /// @throws Refused listing every place; NeedsExpansion
    std::string run();
    const std::vector<std::string>& notes() const { return notes_; }
    /// Each kernel's name in OpenCL C, by its function's id.
    const std::map<std::string, std::string>& kernel_names() const { return kernel_names_; }
    std::vector<AppliedRow> applied() const { return {applied_.begin(), applied_.end()}; }
    bool has_kernel() const { return !kernels_.empty(); }

private:
    friend class FunctionWriter;
    friend class KernelReader;

    // Collects the file's declarations.
    void find(const Node& node, const std::string& scope);
    /// All that a declaration has within it. @param function  whose part it is, or null
    void note(const Node& node, const std::string& scope, const Node* function);
    void note_type(const Node& node, const std::string& name);
    void find_constants(const Node& enumeration);
    bool is_kernel(const Node& function) const;
    const Node* definition(const std::string& id) const;
    std::string first_id(const std::string& id) const;
    void find_uses(const Node& node, std::set<const Node*>& variables,
                   std::set<const Node*>& functions) const;
    /// The memory that a function, or one that it calls, uses, in the order of parameters.
    std::vector<const Memory*> memory_of(const Node& function);
    const Memory* memory(const std::string& id) const;
    void note_memory(const Node& variable, bool in_function);
    bool is_at_top(const Node& function, const Node& variable) const;
    bool is_at_file_scope(const std::string& id) const { return file_variables_.contains(id); }

    // Types.
    /// The one type that has this name, with or without its scope; null: none, or several.
    const Node* type_named(const std::string& name) const;
    std::optional<CudaType> type_of(const std::string& written) const;
    std::string with_named_enums(std::string text) const;
    std::optional<CudaType> result_type(const Node& function) const;
    CudaType known_type(const Node& node) const;
    /// The OpenCL C name of a type that is no pointer or array. Complains at `at`.
    std::string base_name(const CudaType& type, std::size_t at);
    /// `__global const float` and `*p`, `float` and `t[4]`
    struct Declared {
        std::string base, name;
        std::string text() const;
    };
    Declared parts_of(const CudaType& type, Space space, const std::string& name, std::size_t at,
                      const std::string& extents = {});
    /// `__global const float* p`, `float t[4]`
    std::string declared(const CudaType& type, Space space, const std::string& name, std::size_t at,
                         const std::string& extents = {});
    /// A vector that is one in both languages.
    static bool is_vector(const CudaType& type);
    /// A texture or surface object, or a reference to one.
    static bool is_image(const CudaType& type);
    /// `thread_block` for a `cooperative_groups` type; empty: none.
    std::string group_of(const CudaType& type) const;
    /// Whether values of the type are empty: those of `cooperative_groups`, and structs without
    /// members.
    bool is_empty(const CudaType& type) const;
    /// The use of a texture or surface parameter by a function and those it calls.
    ImageUse image_use(const Node& function, const std::string& parameter) const;
    void find_image_use(const Node& node, const std::string& variable, ImageUse& use,
                        std::set<std::string>& seen) const;
    const Node* record(const CudaType& type) const;
    bool holds_pointers(const Node& record) const;
    /// `atomicAdd` of `atomicAdd_block`; null: it has no scope in its name.
    const Node* without_scope(const Node& function) const;
    /// The form of a function of CUDA's for pointers to global memory, as inline PTX; null: none.
    const Node* for_global(const Node& function) const;
    /// The function of that name and the same type, or null.
    const Node* namesake(const Node& function, const std::string& name) const;
    std::string extents_text(const Node& variable, const CudaType& type);

    // Writing.
    void name_kernels();
    void kernel(const Node& function);
    const Instance& instance(const Node& function, const std::vector<Passed>& passed,
                             std::size_t asked_at);
    /// A name that no word of the source is.
    std::string fresh_name(std::string name) const;
    /// The name of a variable of a function or of a member: no word of OpenCL C.
    std::string free_name(std::string_view name) const;
    /// A name for what all functions see: nothing else is called so, and no function's variable.
    /// @param memory  what a function sees as a parameter; null: it is no memory
    std::string unique_name(const std::string& wish, const Memory* memory = nullptr);
    bool is_hidden(const std::string& name, const Memory* memory) const;
    /// The name of a type, a constant or an enumerator.
    const std::string& name_of(const Node& declaration);
    std::string attributes_of(const Node& node);
    std::string record_text(const Node& node);
    std::string constant_text(const Node& node);
    std::string enum_text(const Node& node);
    /// Comments, and macros that stay, between two declarations.
    std::string between(std::size_t begin, std::size_t end) const;
    static std::string head_of(const Instance& function);
    bool is_used_in(std::string_view text, const Node& declaration);
    std::string tidy(std::string text) const;
    void add_types(std::string& text) const;
    bool has_invalid(const Node& node) const;
    void forget_damaged(const Node& node);
    void check_errors();

    void complain(std::size_t at, std::string_view word, std::string_view what);
    /// Adds a note for the reader about a place of the source.
    void remark(std::size_t at, std::string_view word, std::string_view what);
    void complain(std::size_t at, std::string_view word, const MappingRule& row);
    /// Notes by which row something of the source became something else.
    void apply(const MappingRule& row, std::size_t at, std::string_view cuda,
               std::string_view opencl);
    /// By the row that has `text` on one of its sides.
    void apply(std::string_view text, std::size_t at);
    std::string source(std::size_t begin, std::size_t end) const {
        return begin < end ? tree_.text.substr(begin, end - begin) : std::string();
    }

    const ClangTree& tree_;
    std::set<std::string> wanted_;  ///< kernels, by their ids
    const ReverseRows& rows_ = ReverseRows::of_table();
    std::map<std::string, const Node*> by_id_;
    /// Types and typedefs, each with its scope, by their names without one.
    std::map<std::string, std::vector<std::pair<std::string, const Node*>>> types_;
    std::vector<const Node*> enums_;
    std::map<std::string, const Node*> enum_of_;        ///< by ids of enumerators that are written
    std::map<const Node*, std::string> record_names_;   ///< of templates, with their arguments
    std::map<std::string, std::string> written_names_;  ///< by first ids
    std::map<std::string, std::set<const Node*>> locals_;  ///< functions, by their variables' names
    std::set<std::string> file_variables_;                 ///< ids
    std::set<std::string> addressed_;                      ///< ids of what has its address taken
    std::map<std::size_t, std::size_t> ends_of_ifs_;       ///< of `if constexpr`, by their begins
    std::map<std::size_t, std::size_t> ends_of_folds_;     ///< of templates, by their begins
    std::map<std::string, long long> enumerators_;         ///< by ids
    std::map<const Node*, std::string> enum_types_;        ///< that C++ computes with
    std::map<std::string, std::string> enumerator_types_;  ///< by ids, of those that are no ints
    std::map<std::string, const Node*> definitions_;       ///< of functions, by their first ids
    std::map<std::string, Memory> memory_;                 ///< by ids
    std::map<const Node*, std::vector<const Memory*>> uses_;
    std::vector<const Node*> top_;  ///< what is written, in order
    std::vector<const Node*> kernels_;
    bool has_scopes_ = true;        ///< clang names all types with their scopes
    std::set<std::string> groups_;  ///< types of `cooperative_groups`
    std::map<std::string, std::string> kernel_names_;
    std::set<std::string> macros_;  ///< of the source
    bool is_incomplete_ = false;    ///< clang left something out of what is written
    std::set<std::string> names_;   ///< that are taken
    std::map<std::pair<const Node*, std::vector<Passed>>, Instance> instances_;
    std::vector<std::pair<const Node*, const Instance*>> order_;  ///< as they are needed
    std::set<const Node*> needed_;                                ///< types and constants
    std::map<std::string, std::string> packed_;  ///< vectors that are structs, with their names
    bool has_double_ = false, has_long_atomics_ = false, is_uncontracted_ = false;
    bool writes_3d_ = false;
    std::map<std::size_t, std::string> problems_;
    std::vector<std::string> notes_;
    std::set<AppliedRow> applied_;
    std::vector<std::pair<std::size_t, std::size_t>> written_;  ///< ranges whose errors count
};

/// One function for one choice of spaces.
class FunctionWriter {
public:
    FunctionWriter(OpenClWriter& whole, const Node& function, const std::vector<Passed>& passed);

    std::string kernel_text(const std::string& name);
    std::string helper_text(const std::string& name);
    Space result() const { return result_; }
    /// An expression outside of functions.
    std::string constant(const Node& expression) { return render(expression); }
    std::string braces_of(const Node& list) { return braces(list, true); }

private:
    struct Known {
        Space space = Space::none;
        bool is_reference = false;  ///< written as `(*name)`
        std::string name;
    };

    // Finds the address spaces of pointers (spaces.cpp).
    void find_spaces(const Node& body);
    bool update_spaces(const Node& node);
    bool merge(const std::string& id, Space space, std::size_t at);
    Space join(Space a, Space b, std::size_t at);
    Space pointed(const Node& expression);
    Space place_of(const Node& expression);
    Space called(const Node& call);
    const Node* root_variable(const Node& expression) const;

    // Statements and declarations (function_writer.cpp).
    std::string render(const Node& node);
    std::string copy(const Node& node);
    std::string gap(const Node& node, std::size_t begin, std::size_t end);
    std::string declarations(const Node& statement);
    std::string declarator(const Node& variable, std::string& base);
    std::string initializer(const Node& variable, const CudaType& type);
    std::string body(const Node& body, const std::string& first);
    std::string hoisted(bool is_kernel);
    std::string memory_parameter(const Memory& memory) const;
    std::string memory_argument(const Memory& memory) const;
    std::string value_parameter(CudaType type, const std::string& name, std::size_t at);
    bool changes_bool(const Node& node, const std::string& id) const;
    void note_return(const Node& body) const;
    std::size_t end_of(const Node& node) const;
    /// The fold expression that a part of a node begins in; an empty range: in none.
    std::pair<std::size_t, std::size_t> fold_around(const Node& part, const Node& whole) const;
    void unfold(const Node& parameter, const Node& record, std::vector<std::string>& parameters);

    // Expressions (expressions.cpp).
    std::string expression(const Node& node);
    std::string name_of(const Node& node);
    std::string member(const Node& node);
    std::string braces(const Node& node, bool is_initializer);
    std::string cast(const Node& node);
    std::string literal(const Node& node);
    std::string size(const Node& node);
    std::string global_index(const Node& node);
    std::string operand(const Node& node);
    std::string address(const Node& node);
    std::string assembly(const Node& node);
    void check_place(const Node& node);
    static bool is_place(const Node& node);
    static const Node* changed_by(const Node& node);
    static const Node* assigned_by(const Node& node);
    const Node* bound_to(const Node& node) const;
    const Node* place_variable(const Node& node) const;
    bool is_component(const Node& node) const;
    bool is_of_same_macro(const Node& one, const Node& other) const;

    // Calls (calls.cpp).
    std::string call(const Node& node, std::size_t first_argument);
    std::string own_call(const Node& node, const Node& function, std::size_t first_argument);
    std::string built_in(const Node& node, const Node& function, std::size_t first_argument);
    std::string member_call(const Node& node);
    std::string group_call(const Node& node, const std::string& group, const std::string& name);
    std::string argument(const Node& node);
    std::string print(const Node& node);
    std::vector<Passed> passed_to(const Node& node, const Node& function,
                                  std::size_t first_argument);
    const Node* argument_node(const Node& node, const Node& function, std::size_t p,
                              std::size_t first_argument);

    // Textures and surfaces (images.cpp).
    std::string image_parameter(const Node& parameter, const std::string& name);
    std::string image_argument(const Node& given, const Node& function, const Node& parameter);
    std::string sampler_of(const std::string& image) const;
    std::string image_call(const Node& node, const std::string& name);
    std::string image_name(const Node& given);
    std::string texel_number(const Node& bytes, std::size_t size);

    /// Notes that a node has to be rewritten. @throws NeedsExpansion within a macro
    void changes(const Node& node) const;
    std::string text(const Node& node) const { return whole_.source(node.begin, node.end); }

    OpenClWriter& whole_;
    const Node& function_;
    std::vector<Passed> passed_;
    std::map<std::string, Known> known_;  ///< parameters and variables, by ids
    std::set<std::string> unfolded_;      ///< parameters whose members are parameters
    Space result_ = Space::none;
    const Node* statement_ = nullptr;  ///< the last one that is a statement
    bool in_macro_ = false;
    bool is_kernel_ = false;
    bool gives_reference_ = false;  ///< written as a pointer
    bool is_settling_ = true;       ///< spaces are being found
    bool is_open_ = false;          ///< of the last call: an argument's space is not known
};

/// Without parentheses and casts that are not written.
const Node& bare(const Node& node);

}  // namespace parallax::from_cuda

// The syntax tree of a CUDA C++ source, as the clang program prints it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/analyze/options.hpp"

namespace parallax::from_cuda {

/// One node. Positions are bytes of `ClangTree::text`.
struct Node {
    static constexpr std::size_t nowhere = std::string::npos;
    std::string kind, id, name, type;
    std::string operation;  ///< an operator, or the kind of a cast
    std::string value, storage, init;
    std::string previous;                          ///< the declaration that this one repeats
    std::string refers, refers_kind, refers_name;  ///< a declaration
    std::string tag;            ///< `struct`, `union`, `class`; of sizeof its name
    std::string argument_type;  ///< of sizeof
    std::string alias;          ///< the typedef that its type is written with
    std::string mangled;        ///< of a function its name in machine code
    std::size_t begin = nowhere, end = nowhere;
    std::size_t written = nowhere;  ///< where a token that begins within a macro is spelled
    bool begins_in_macro = false, ends_in_macro = false;
    bool is_of_macro = false;  ///< the node, or its parent, is a macro's expansion
    bool is_arrow = false, is_postfix = false, is_implicit = false, is_lvalue = false;
    bool is_constexpr = false,
         has_more = false;                       ///< `has_more`: `if (int i = 0; ...)` and the like
    bool is_complete = false, is_plain = false;  ///< of a record: defined; copied by its bytes
    bool is_invalid = false;       ///< a declaration with an error; clang leaves out what uses it
    bool has_plain_start = false;  ///< of a record: made without any code
    std::vector<Node> parts;

    bool is(std::string_view other) const { return kind == other; }
    bool has_place() const { return begin != nowhere && end != nowhere; }
    /// The first part of that kind, or null.
    const Node* part(std::string_view of_kind) const;
    /// The first one, itself or within, that has a value, or null.
    const Node* valued() const;
    /// A variable's initializer, or null.
    const Node* initial_value() const;
};

/// clang's error in the source.
struct ClangError {
    std::size_t at = 0;
    std::string what;
};

/// Which OpenCL C is written.
enum class Dialect {
    portable,
    nvidia,  ///< with inline PTX, which NVIDIA's compiler alone takes
    reading  ///< to be read and never compiled: constructs without a counterpart stay as in CUDA
};

/// A parsed source. The declarations added for it precede it, in the same text.
struct ClangTree {
    std::string text;        ///< declarations of CUDA's, then the source
    std::size_t source = 0;  ///< where the source begins
    std::string host;        ///< errors in the host's part of the file, too
    Node root;
    std::vector<ClangError> errors;
    std::vector<std::size_t> instances;  ///< where each is asked for, behind the text
    Dialect dialect = Dialect::portable;

    /// A text of the same length as `text`, from `source` on, with the source's #line directives.
    std::string with_line_directives(const std::string& of_text) const;
    bool is_cudas(const Node& node) const { return node.begin < source; }
    bool is_reading() const { return dialect == Dialect::reading; }
    /// clang's error in the instance of that number; empty: none.
    std::string complaint(std::size_t instance) const;
    /// `file:line` of a position of the source.
    std::string place(std::size_t at) const;
    unsigned line(std::size_t at) const { return file_and_line(at).second; }
    std::string file;

private:
    std::pair<std::string, unsigned> file_and_line(std::size_t at) const;
};

/// The program that clang_tree() runs, with its version: `clang-14 14.0.6`; empty: none is found.
std::string clang_found();
/// Advice on how to get clang.
inline constexpr std::string_view clang_advice =
    "Install it (Debian and Ubuntu: apt install clang; Fedora: dnf install clang), or add its "
    "folder to PATH.";

/// Reads device code, and the host's as far as clang knows its names. `#include` and `#line` are
/// ignored; messages have the numbers of `#line`.
/// @param instances  kernels of templates with their arguments, `scale<float, 256>`
/// @throws Unsupported when no clang is found, saying how to get one
ClangTree clang_tree(std::string_view file, std::string_view source,
                     const std::vector<Define>& defines, const std::vector<std::string>& instances,
                     Dialect dialect = Dialect::portable);

}  // namespace parallax::from_cuda

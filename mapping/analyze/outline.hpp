// The outline of a kernel file: tokens, matching brackets, directives and declarations.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/types.hpp"
#include "mapping/analyze/lexer.hpp"

namespace parallax {

/// One declaration at file scope. Positions are indices into `Outline::tokens`.
struct Item {
    enum class Kind { kernel, helper, type, alias, data } kind = Kind::data;
    std::size_t first = 0, last = 0;  ///< `last` is its `;` or `}`
    std::size_t name = 0;             ///< of a function
    std::size_t open = 0, close = 0;  ///< the parentheses of a function's parameters
    std::size_t body = 0;             ///< the `{` of a function's body; 0: a prototype

    bool is_function() const { return kind == Kind::kernel || kind == Kind::helper; }
};

/// One parameter or argument: the tokens [first, last).
struct ParameterRange {
    std::size_t first = 0, last = 0;
};

/// One preprocessor line. Its words are tokens of the outline, behind those of the file.
struct Directive {
    std::size_t token = 0;            ///< the line as a whole
    std::string_view word;            ///< `define`, `if`, ...; empty for `#` alone
    std::size_t first = 0, last = 0;  ///< the tokens behind that word, and the `end` after them
    // Of a #define:
    std::string_view name;
    bool has_parameters = false;
    std::vector<std::string_view> parameters;
    std::size_t body = 0;  ///< its first token; `last` when there is none
    bool balanced = true;  ///< the brackets of its body match
};

/// A file, taken apart. Its tokens point into the source.
struct Outline {
    std::string_view file;
    /// The file's tokens, an `end`, then the tokens of each directive, each with an `end`.
    std::vector<Token> tokens;
    std::size_t end = 0;                ///< of the file
    std::vector<std::size_t> match;     ///< of a bracket: the index of its counterpart; otherwise 0
    std::vector<Item> items;            ///< in order
    std::vector<Directive> directives;  ///< in order

    const Token& operator[](std::size_t i) const { return tokens[i]; }
    /// The directive at token `i`, which must be one.
    const Directive& directive(std::size_t i) const;
    /// The macro whose body has the token `i`; null: none.
    const Directive* define_at(std::size_t i) const;
    /// Whether the declaration has one of these words.
    bool has(const Item& item, std::initializer_list<std::string_view> words) const;
    /// `file:line: 'word': what`
    std::string complaint(std::size_t token, std::string_view what) const;
    /// The comma-separated parts of the tokens [first, last).
    std::vector<ParameterRange> parts(std::size_t first, std::size_t last) const;
    /// The parameters of a function, none for `()` and `(void)`.
    std::vector<ParameterRange> parameters(const Item& function) const;
};

/// A `typedef` of a pointer or an array.
struct PointerAlias {
    std::size_t first = 0, last = 0;  ///< its replacement: the tokens [first, last)
    std::size_t name = 0;             ///< one of these
    bool has_star = false;
};
/// The aliases of a file by name. Names with several aliases, as in the branches of an #if, and
/// declarations of several names are left out.
std::map<std::string_view, PointerAlias> pointer_aliases(const Outline&);

/// The language that a source is read as.
enum class SourceLanguage {
    opencl,
    cuda  ///< CUDA C++ as far as its functions are found: in namespaces and `extern "C" {}`, too
};

/// Takes `source` apart. The branches of an #if follow each other as if all were compiled.
/// @throws Refused when it does not lex, when brackets do not match or nest deeper than 200, or
/// when a declaration has no end.
Outline outline_of(std::string_view file, std::string_view source,
                   SourceLanguage = SourceLanguage::opencl);

/// The OpenCL type of a word: that of `T`, `T2` and `T4` for the element type, otherwise the word
/// itself.
std::string_view resolved(std::string_view word, std::optional<ElementType> type);

/// Whether the word is a keyword of both languages, and no type.
bool is_shared_keyword(std::string_view word);
/// `__global`, `local`, ...
bool is_address_space(std::string_view word);
/// `const`, `volatile`, `restrict`
bool is_qualifier(std::string_view word);
/// `asm` in one of its spellings.
bool is_assembly(std::string_view word);

}  // namespace parallax

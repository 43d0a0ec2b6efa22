// Expressions of OpenCL C as trees over tokens, with types where they are known.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "mapping/analyze/value_type.hpp"

namespace parallax {

/// A type of OpenCL C, as far as it is known.
struct Type {
    ValueType value;           ///< unknown for records, and where nothing is known
    int record = 0;            ///< a struct or union: its number, from 1; 0: none
    unsigned pointers = 0;     ///< levels of `*` and `[]`
    bool is_const = false;     ///< of the value, or of the last target of its pointers
    bool is_volatile = false;  ///< likewise; a value that is no place in memory never is
    /// Written as `size_t` or `ptrdiff_t`, which to CUDA C++ are other types than those of 64 bits.
    bool is_size = false;
    /// An int of C that has a narrower type in C++: `a < b`, 'a', `n ? c : c`.
    bool is_condition = false;
    unsigned image_extents = 0;  ///< of an image: the components of what get_image_dim() gives
    char space = 'p';  ///< what its pointers lead to: 'g'lobal, 'l'ocal, 'c'onstant, 'p'rivate

    bool known() const { return value.known() || record != 0; }
    /// Neither a pointer nor an array, of known type.
    bool is_vector() const { return pointers == 0 && value.is_vector(); }
    bool is_scalar() const {
        return pointers == 0 && value.known() && !value.is_vector() && value.element != "void";
    }
    /// The type of a dereferenced value.
    Type pointee() const {
        return pointers > 0 ? Type{value, record, pointers - 1, is_const, is_volatile, is_size}
                            : Type{};
    }
    /// But for const, volatile and the spelling.
    bool operator==(const Type& other) const {
        return value == other.value && record == other.record && pointers == other.pointers;
    }
};

/// A scalar, or a vector, of this element.
inline Type type_of(std::string_view element, unsigned width = 1) {
    return {{element, width}, 0, 0};
}

/// A node of an expression.
struct Node {
    enum class Kind {
        name,      ///< a word
        number,    ///< or a character
        text,      ///< strings
        call,      ///< `first` is the function's name; the parts are its arguments
        index,     ///< parts: what, index
        member,    ///< `operator_token` is the member's name; one part
        prefix,    ///< `operator_token` is the operator, its first token; one part
        postfix,   ///< ++ and --; one part
        binary,    ///< all that give a value from two, the comma included; two parts
        assign,    ///< `=`, `+=`, ...; two parts
        choice,    ///< `?` is `operator_token`, `:` is `second`; three parts
        cast,      ///< `operator_token` is its `)`; one part
        literal,   ///< `(float4)(...)`, `operator_token` is the cast's `)`; the parts are the
                   ///< components
        braces,    ///< `{...}` of an initializer; any number of parts
        compound,  ///< `(struct S){...}`, `operator_token` is the cast's `)`; any number of parts
        group,     ///< in parentheses; one part
        size       ///< sizeof; a part, or none where it names a type
    };
    Kind kind = Kind::name;
    std::size_t first = 0, last = 0;  ///< its tokens, both included
    std::size_t operator_token = 0, second = 0;
    Type type;
    Type wanted = {};  ///< the type that its context converts it to; unknown: not known
    std::vector<int> parts = {};
    /// For braces, by parts: the token of the `.` or `[` that names it, or 0; and the index of the
    /// member or element, from 0, or -1: not known.
    std::vector<std::size_t> named = {};
    std::vector<int> places = {};
    /// For braces and strings of an array: its extents, outer ones first; -1: `[]`, 0: not known.
    std::vector<int> extents = {};
};

using Tree = std::vector<Node>;

/// Receives a parser's output.
class ExpressionSink {
public:
    virtual ~ExpressionSink() = default;
    enum class Place {
        statement,
        data,   ///< it initializes data at file scope
        macro,  ///< it is a macro's whole body: what its parameters are, each use says
        use     ///< a macro's body once more, with the types of a use
    };
    /// A whole expression, the node `root`. The nodes of other expressions may be in the tree too.
    virtual void expression(const Tree& tree, int root, Place place) = 0;
    /// The tokens [first, last) are no statement, declaration or expression that can be read.
    virtual void not_understood(std::size_t first, std::size_t last) = 0;
    /// A macro is used, and its body is not handed over for that use: it is no expression, has
    /// several bodies, or nests too deep.
    virtual void not_followed(std::string_view /*macro*/) {}
    /// The braces of a loop's body, which declares a variable of the loop's head again.
    virtual void loop_variable_hidden(std::size_t /*open*/, std::size_t /*close*/) {}
    /// The name of an overload that only the space of a pointer tells from another one.
    virtual void differs_in_space(std::size_t /*name*/) {}
    /// The last token of a constant variable that is declared without a value.
    virtual void const_without_value(std::size_t /*last*/) {}
};

/// The type of a binary operator's value.
Type binary_type(std::string_view operation, const Type& left, const Type& right);
/// The type that two scalars have in common where narrow integers are not promoted.
Type without_promotion(const Type& left, const Type& right);
/// The type of a number, by its suffix.
Type number_type(std::string_view text);
/// The type of a built-in constant (`M_PI`, `FLT_MAX`), or an unknown one.
Type constant_type(std::string_view name);
/// The type that arithmetic has: int in place of a narrower integer.
Type promoted(const Type& type);

}  // namespace parallax

// A generated kernel as a tree of text parts, with the types and values of expressions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace parallax::generated {

/// `size_t` is an alias of `ulong`: OpenCL C does not distinguish them.
enum class Base : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, boolean };

struct Type {
    Base base = Base::i32;
    unsigned width = 1;  ///< components; 1: a scalar
    bool operator==(const Type&) const = default;

    bool is_float() const { return base == Base::f32 || base == Base::f64; }
    bool is_bool() const { return base == Base::boolean; }
    bool is_signed() const { return base < Base::f32 && static_cast<unsigned>(base) % 2 == 0; }
    bool is_unsigned() const { return base < Base::f32 && !is_signed(); }
    unsigned bits() const;  ///< per component
    std::string name() const;
    Type element() const { return {base}; }
    Type with(unsigned components) const { return {base, components}; }
    /// The type of comparisons of its vectors; of its bits, signed or unsigned.
    Type as_integer(bool has_sign) const;
};

/// The possible values of an expression or a component: integers and, for floats, multiples of
/// 2^-places, which are never rounded.
struct Range {
    double low = 0, high = 0;
    int places = 0;
    bool minus_zero = false;  ///< -0 is possible
    double largest() const { return std::max(-low, high); }
    bool is_in(const Range& other) const {
        return low >= other.low && high <= other.high && places <= other.places &&
               minus_zero <= other.minus_zero;
    }
    bool is_exact() const;  ///< all of them are exact floats
    Range joined(const Range& other) const {
        return {std::min(low, other.low), std::max(high, other.high),
                std::max(places, other.places), minus_zero || other.minus_zero};
    }
};

/// A part of a kernel: a text in which each `$` represents a part.
struct Node {
    /// `$` is followed by the precedence that the part needs to omit parentheses, and a letter for
    /// the grammar. The levels are C's: a comma is `a`, a name `p`.
    std::string pattern;
    std::vector<Node> parts = {};
    bool is_expression = false;
    char level = 'p';
    Type type = {};  ///< of an expression
    Range range = {};
    bool in_parentheses = false;
    bool is_enum = false;  ///< an enum, written as such
};

/// A sequence of parts.
Node block(std::vector<Node> parts);
std::string text_of(const Node&);

/// A declaration of the file, before its kernels.
struct Item {
    std::vector<std::string> names;  ///< it is written where one of them is used
    Node node;
};

/// A file of kernels: functions that write 16 numbers each, and one kernel that calls them.
struct File {
    std::uint64_t seed = 0;
    std::vector<Item> head;
    std::vector<Node> kernels;  ///< their function bodies
};

/// Numbers that each kernel reads and writes per work-item, and work-items per group.
inline constexpr std::size_t inputs = 8, probes = 16, items = 16;

/// The source of a file with some of its kernels, and the required declarations.
std::string text_of(const File&, const std::vector<std::size_t>& kernels);

/// Removes statements, and replaces expressions by a part or a number, while the kernel still shows
/// a fault: values stay in their ranges, so nothing becomes undefined.
/// @param file  of one kernel  @param tries  maximum number of tested files
File reduced(File file, const std::function<bool(const File&)>& shows, unsigned tries);

/// Reproducible random numbers, independent of the C++ library.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    unsigned below(std::size_t count) { return static_cast<unsigned>(next() % count); }
    bool chance(unsigned percent) { return below(100) < percent; }
    template <class T>
    const T& pick(const std::vector<T>& all) {
        return all[below(all.size())];
    }

private:
    std::uint64_t state_;
};

}  // namespace parallax::generated
